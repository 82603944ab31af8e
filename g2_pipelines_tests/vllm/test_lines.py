"""The tasks of both lines, as the product asks them, through vLLM in process and served."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from benchmarks.brief_prompts import filing_splits
from benchmarks.vllm_server import ROOT
from g2_pipelines.briefs.build import build_summarizers
from g2_pipelines.briefs.config import BriefConfig, load_config
from g2_pipelines.briefs.final_summaries import finalize
from g2_pipelines.briefs.pre_summaries import pre_summarize
from g2_pipelines.errors import LimitError, ModelError
from g2_pipelines.graph.analyse import analyse
from g2_pipelines.graph.build import build_tasks as graph_tasks
from g2_pipelines.graph.config import EvolutionConfig
from g2_pipelines.graph.evolve import evolve
from g2_pipelines.models.build import open_ledger
from g2_pipelines.models.config import CacheConfig
from g2_pipelines.models.ports import CompletionPort
from g2_pipelines.pdf.parse import parse_pdf
from g2_pipelines.qa.answer import answer_question
from g2_pipelines.qa.build import build_tasks as qa_tasks
from g2_pipelines.qa.evidence import Evidence
from g2_pipelines.tables.line2 import Answer, DocumentNode
from g2_pipelines.text.tokens import tokenizer
from g2_pipelines_tests.graph.samples import HashedWords
from g2_pipelines_tests.qa.builders import FixedSource, question
from g2_pipelines_tests.vllm.watching import Watching, outcome

CORPUS = ROOT / "g2_pipelines" / "corpus"


def short_briefs() -> BriefConfig:
    """Budgets so small that no source passes through and a model without sense ends soon."""
    config = load_config(None)
    sources = tuple(
        source.model_copy(update={"pre_summary_tokens": 50}) for source in config.source_types
    )
    return config.model_copy(update={"source_types": sources, "final_tokens": 50})


def test_line_1_pre_summaries_and_final_summaries(port: CompletionPort, cache: CacheConfig) -> None:
    """Words without sense are no summary: each aspect ends in a typed failure, none hangs."""
    config, counter = short_briefs(), tokenizer("qwen3")
    company, splits = filing_splits(CORPUS / "filings" / "S9000A01.zip", config, counter)
    watching = Watching(port)
    before, after = build_summarizers(watching)
    plain, _ = build_summarizers(None)

    async def brief(aspect: Any) -> tuple[object, object]:
        given = {"company": company, "aspect": aspect, "config": config, "tokenizer": counter}
        made = await outcome(pre_summarize(splits, summarizer=before, **given))
        sources = await pre_summarize(splits, summarizer=plain, **given)
        final = await outcome(finalize(sources, summarizer=after, strategy="aspect", **given))
        return made, final

    async def all_() -> list[tuple[object, object]]:
        return await asyncio.gather(*(brief(aspect) for aspect in config.aspects))

    ends = asyncio.run(all_())
    assert len(ends) == 4
    watching.check_form()
    assert len(watching.of("pre_summary")) >= 4
    assert len(watching.of("final_summary")) >= 4
    failures = [end for pair in ends for end in pair if isinstance(end, (ModelError, LimitError))]
    for failure in failures:
        assert failure.code in {"bad_text", "truncated_answer"}
        assert failure.remedy
    calls = open_ledger(cache).read()
    assert all(call.engine == port.engine and call.prompt_tokens > 0 for call in calls)
    assert sum(call.cached_tokens for call in calls) > 0


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[DocumentNode], Path]:
    """Some nodes of the sample report, its pictures among them, and the folder of those."""
    folder = tmp_path_factory.mktemp("images")
    parsed = parse_pdf(
        CORPUS / "pdfs" / "aomine_spindle_report_ja.pdf",
        document_id="aomine_spindle_report_ja",
        images_dir=folder,
    )
    body = [node for node in parsed.nodes if node.kind != "furniture"]
    pictured = [node for node in body if node.image][:3]
    assert pictured
    others = [node for node in body if not node.image and len(node.text) > 20][:7]
    chosen = sorted([*pictured, *others], key=lambda node: node.order)
    names = {node.node_id for node in chosen}
    cut = [
        node.model_copy(
            update={"references": [one for one in node.references if one.target in names]}
        )
        for node in chosen
    ]
    return cut, folder


def test_line_2_nodes_are_analysed_and_evolved_with_their_pictures(
    port: CompletionPort, document: tuple[list[DocumentNode], Path], cache: CacheConfig
) -> None:
    nodes, folder = document

    def images(place: str) -> bytes | None:
        return (folder / Path(place).name).read_bytes()

    watching = Watching(port)
    config = EvolutionConfig(degraded_share=1.0)
    analyst, evolver = graph_tasks(watching, config)
    given: dict[str, Any] = {"embedding": HashedWords(), "images": images, "config": config}

    async def rounds() -> list[Any]:
        first = await analyse(nodes, analyst=analyst, **given)
        return [first, await evolve(nodes, first, evolver=evolver, **given)]

    first, second = asyncio.run(rounds())
    assert (first.round, second.round) == (0, 1)
    assert len(first.nodes) == len(second.nodes) == len(nodes)
    answers = watching.check_form()
    for task in ("analyse_node", "evolve_node"):
        went = watching.of(task)
        assert len(went) >= len(nodes)
        assert any(request.messages[0].images for request, _ in went)
    assert answers >= len(nodes)  # what is cut at its budget is typed; the most is whole
    for state in (first, second):
        for node_id, words in state.report.failures.items():
            assert node_id in {node.node_id for node in nodes}
            assert words
    assert {call.task for call in open_ledger(cache).read()} == {"analyse_node", "evolve_node"}


def test_line_2_a_question_is_planned_worked_on_and_answered_or_refused(
    port: CompletionPort, document: tuple[list[DocumentNode], Path]
) -> None:
    nodes, folder = document

    class Pictured(FixedSource):
        async def retrieve(self, query: str) -> list[Evidence]:
            self.queries.append(query)
            return [
                Evidence(
                    node=node,
                    score=1.0 - place / 100,
                    image=(folder / Path(node.image).name).read_bytes if node.image else None,
                )
                for place, node in enumerate(self.nodes)
            ]

    watching = Watching(port)
    end = asyncio.run(
        outcome(
            answer_question(
                question("主軸の熱変位は補償の前後でいくら変わりましたか。", format="number"),
                evidence=Pictured(nodes),
                **qa_tasks(watching)._asdict(),
            )
        )
    )
    watching.check_form()
    assert watching.of("qa_plan")
    work = watching.of("qa_work")
    assert work
    assert any(message.images for request, _ in work for message in request.messages)
    if isinstance(end, Answer):
        assert not end.citations or end.answer  # nothing is cited for an answer that is none
    else:
        assert end.code in {"bad_structure", "truncated_answer"}
