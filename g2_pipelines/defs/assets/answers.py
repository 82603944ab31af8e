"""The step ``answers``: questions with their scope resolved, and their answers.

Here: what a question becomes in the tables, the pages and the outbox. Planning and answering
stand in ``qa``.

https://docs.dagster.io/guides/automate/sensors
"""

from __future__ import annotations

import asyncio
import json
from functools import cached_property, partial
from typing import TYPE_CHECKING

import dagster as dg

from g2_pipelines.defs import specs
from g2_pipelines.defs.batch import Stage, Stored
from g2_pipelines.defs.evidence import StoredEvidence, indexed_scope, read_picture
from g2_pipelines.defs.metadata import page_link, table_metadata
from g2_pipelines.defs.partitions import questions
from g2_pipelines.defs.steps import StepRun, build_step, completion
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.tables.line2 import Answer, DocumentPage, PdfDocument, Question
from g2_pipelines.tables.store import read_table, write_atomic, write_table
from g2_pipelines.text.shown import escaped

if TYPE_CHECKING:
    from upath import UPath

    from g2_pipelines.index.lance import NodeIndex
    from g2_pipelines.models.ports import EmbeddingPort
    from g2_pipelines.qa.config import QaConfig
    from g2_pipelines.qa.evidence import RecallingSource
    from g2_pipelines.qa.ports import QaTasks


async def make_question(ws: Workspace, question_id: str) -> Stored:
    """The question as it was asked, its documents resolved to ids."""
    asked = ws.registry.question(question_id)
    row = asked.model_copy(update={"documents": ws.resolve_documents(asked.documents)})
    path = ws.home.table("questions", question_id)
    digest = write_table(path, [row], Question)
    columns = ["question", "documents", "edinet_code", "format"]
    return Stored(digest, table_metadata([row], columns, path))


class Reader:
    """What the questions of one run share: tasks, embedding and index, made when first due."""

    def __init__(self, ws: Workspace, run: StepRun) -> None:
        self.ws, self.refresh = ws, run.refresh
        self._run = run

    @cached_property
    def tasks(self) -> QaTasks:
        """Planner, worker, checker and reasoner of the configured engine."""
        from g2_pipelines.qa.build import build_tasks

        port = completion(self.ws, self._run)
        return build_tasks(port, max_images=4 if self.ws.settings.vision else 0)

    @cached_property
    def embedding(self) -> EmbeddingPort:
        """Embeds the questions."""
        return self.ws.embedding()

    @cached_property
    def index(self) -> NodeIndex:
        """The node index; readers of it see what is written meanwhile."""
        return self.ws.index(self.embedding)


async def answered(reader: Reader, question: Question) -> Answer:
    """The answer to a question, taken up where a killed run left it.

    Raises:
        NotIndexedError: a document of its scope is not indexed.
        ModelError: a model call failed for good; the finished steps are kept.
    """
    from g2_pipelines.qa.config import QaConfig

    ws = reader.ws
    index = await asyncio.to_thread(lambda: reader.index)
    scope = indexed_scope(ws, index, question.documents, question.edinet_code)
    source = StoredEvidence(ws, scope, embedding=reader.embedding, index=index)
    return await answered_from(
        reader,
        question.model_copy(update={"documents": scope}),
        source,
        config=QaConfig(max_refinements=ws.settings.refinements),
        index_digest=source.digest(),
        state=ws.home.answer_state(question.question_id),
    )


def basis(
    reader: Reader, question: Question, config: QaConfig, *, index_digest: str, more: str = ""
) -> str:
    """Hash of all that an answer rests on, of settings too."""
    from g2_pipelines.qa.journal import basis_of

    given = reader.ws.settings
    shaping = [given.seeds, given.neighbours, given.evidence_tokens, reader.embedding.model]
    shaping += [given.vision, reader.refresh, *([more] if more else [])]
    return basis_of(
        question, reader.tasks, config, index_digest=index_digest, more=json.dumps(shaping)
    )


async def answered_from(
    reader: Reader,
    question: Question,
    source: RecallingSource,
    *,
    config: QaConfig,
    index_digest: str,
    state: UPath,
    more: str = "",
) -> Answer:
    """The answer to a question whose scope is resolved, from ``source``.

    Args:
        reader: What the run's questions share.
        question: With the ids of its documents.
        source: Where its evidence comes from.
        config: Limits.
        index_digest: Of what ``source`` reads.
        state: Where the finished steps are kept.
        more: Anything else that shapes the evidence.

    Raises:
        ModelError: a model call failed for good; the finished steps are kept.
    """
    from g2_pipelines.qa.answer import answer_question
    from g2_pipelines.qa.journal import Journal, resumable

    known = basis(reader, question, config, index_digest=index_digest, more=more)
    stored = bytes(state.read_bytes()) if state.exists() else None
    journal = Journal(known, stored, partial(write_atomic, state))
    tasks, kept_source = resumable(reader.tasks, source, journal)
    answer = await answer_question(
        question,
        evidence=kept_source,
        planner=tasks.planner,
        worker=tasks.worker,
        checker=tasks.checker,
        reasoner=tasks.reasoner,
        config=config,
        index_digest=index_digest,
    )
    return with_pages(reader.ws, answer)


async def make_answer(reader: Reader, question_id: str) -> Stored:
    """Answer the question from the index; write table, page and outbox."""
    ws = reader.ws
    question = read_table(ws.home.table("questions", question_id), Question)[0]
    answer = await answered(reader, question)
    path = ws.home.table("answers", question_id)
    digest = write_table(path, [answer], Answer)
    html = answer_html(ws, answer).encode()
    page = ws.home.answer_page(question_id)
    write_atomic(page, html)
    write_atomic(ws.home.outbox / f"{question_id}.html", html)
    text = json.dumps(answer.model_dump(mode="json"), ensure_ascii=False, indent=1)
    write_atomic(ws.home.outbox / f"{question_id}.json", (escaped(text) + "\n").encode())
    ws.home.answer_state(question_id).unlink(missing_ok=True)
    cited = ", ".join(f"{c.document_id} p.{c.page}" for c in answer.citations)
    more = {
        "question": question.question,
        "answer": dg.MetadataValue.md(_escape(answer.answer)),
        "cited": cited or "none",
        "verdict": answer.verdict,
        "unanswerable": answer.unanswerable,
        "why": answer.why,
        "plans": len(answer.plan_versions),
        "page": page_link(ws.home, page, ws.settings.pages_url),
    }
    return Stored(digest, table_metadata([answer], ["question", "answer", "verdict"], path, **more))


def with_pages(ws: Workspace, answer: Answer) -> Answer:
    """The answer with the page picture of each citation."""
    pictures = {
        (document, page.page): page.image
        for document in {citation.document_id for citation in answer.citations}
        for page in read_table(ws.home.table("document_pages", document), DocumentPage)
    }
    return answer.model_copy(
        update={
            "citations": [
                c.model_copy(update={"image": pictures.get((c.document_id, c.page))})
                for c in answer.citations
            ]
        }
    )


def answer_html(ws: Workspace, answer: Answer) -> str:
    """The answer's page, with the cited pages' pictures inside."""
    from g2_pipelines.qa.page import answer_page

    names: dict[str, str] = {}
    sizes: dict[tuple[str, int], tuple[float, float]] = {}
    pictures: dict[tuple[str, int], str | None] = {}
    for document in sorted({*answer.documents, *(c.document_id for c in answer.citations)}):
        names[document] = read_table(ws.home.table("pdf_documents", document), PdfDocument)[0].name
        for page in read_table(ws.home.table("document_pages", document), DocumentPage):
            sizes[document, page.page] = (page.width_pt, page.height_pt)
            pictures[document, page.page] = page.image

    def picture(document_id: str, page: int) -> bytes | None:
        return read_picture(ws, pictures.get((document_id, page)))

    return answer_page(answer, documents=names, page_images=picture, page_sizes=sizes)


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


_SPECS = (
    specs.asset_spec(
        specs.QUESTIONS,
        Question,
        group=specs.LINE_2,
        owner=specs.Owner.GRAPH,
        description="Questions as they were asked, with the documents that they are about.",
    ),
    specs.asset_spec(
        specs.ANSWERS,
        Answer,
        group=specs.LINE_2,
        owner=specs.Owner.GRAPH,
        description="Answers through the planning graph, each citing page and box; the plan, the"
        " sub-answers and the gaps beside them.",
        deps=(
            specs.QUESTIONS,
            dg.AssetDep(specs.NODE_INDEX, partition_mapping=dg.AllPartitionMapping()),
        ),
        kinds=("llm", "polars", "parquet"),
    ),
)


def _stages(ws: Workspace, run: StepRun) -> list[Stage]:
    return [
        Stage(specs.QUESTIONS, (), partial(make_question, ws)),
        Stage(specs.ANSWERS, (specs.QUESTIONS,), partial(make_answer, Reader(ws, run))),
    ]


def build_answers(batch_size: int) -> dg.AssetsDefinition:
    """The step ``answers``."""
    return build_step(
        "answers",
        _SPECS,
        _stages,
        partitions=questions,
        batch_size=batch_size,
        concurrency=4,
        pool="models",
    )
