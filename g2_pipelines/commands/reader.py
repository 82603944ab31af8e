"""``g2 search``, ``g2 ask``, ``g2 graph show``: line 2 from a shell.

Here: the query, the question and the graph as they are stored. The readout stands in
``graph``, the answering in ``qa``; both are reached through ``defs.evidence``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from g2_pipelines.commands.files import write_output
from g2_pipelines.commands.outputs import (
    AskOutput,
    GraphOutput,
    SearchDropped,
    SearchHit,
    SearchOutput,
)
from g2_pipelines.commands.printing import check_text
from g2_pipelines.commands.runs import raise_failure, run_chain
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import InputError
from g2_pipelines.keys import check_key, digest_of, question_key
from g2_pipelines.tables.line2 import Answer, AnswerFormat, Question
from g2_pipelines.tables.store import read_table

MAX_QUESTION_BYTES = 100_000


def search(
    ws: Workspace,
    query: str,
    *,
    documents: Sequence[str],
    company: str | None,
    top: int,
    expand: int,
) -> SearchOutput:
    """Nodes for a query: ``top`` seeds and ``expand`` neighbours of each.

    Raises:
        InputError: an empty or too long query, or a company's code that is none.
        NotYetError: nothing is indexed, or a named document is not.
    """
    _check_query(query, "query", company)
    _check_names(documents)
    from g2_pipelines.defs.evidence import read_out

    found = asyncio.run(
        read_out(
            ws,
            query,
            documents=ws.resolve_documents(documents),
            company=company,
            seeds=top,
            neighbours=expand,
        )
    )
    return SearchOutput(
        query=query,
        hits=[
            SearchHit(
                node=hit.row.model_copy(update={"vector": []}), score=hit.score, path=hit.path
            )
            for hit in found.evidence
        ],
        edges=found.edges,
        dropped=[
            SearchDropped(document_id=document_id, node_id=node_id, budget=budget)
            for (document_id, node_id), budget in found.dropped.items()
        ],
    )


def _check_query(text: str, what: str, company: str | None) -> None:
    check_text(text, what)
    if not text.strip():
        raise InputError(f"The {what} is empty", place=what, remedy="Ask something")
    if len(text.encode()) > MAX_QUESTION_BYTES:
        raise InputError(
            f"The {what} has more than {MAX_QUESTION_BYTES:,} bytes",
            place=what,
            remedy="Shorten it",
        )
    if company is not None:
        check_key(company, "EDINET code")


def _check_names(documents: Sequence[str], question_id: str | None = None) -> None:
    for name in documents:
        check_text(name, "document")
    check_text(question_id or "", "id")


def search_words(output: SearchOutput) -> str:
    """A paragraph a hit, then what the budgets left out."""
    lines = [
        f"{hit.score:.4f}  {hit.node.document_id} p.{hit.node.page}  [{' < '.join(hit.path)}]\n"
        f"        {' '.join(hit.node.text.split())[:160]}"
        for hit in output.hits
    ]
    for budget in sorted({item.budget for item in output.dropped}):
        left = sum(item.budget == budget for item in output.dropped)
        lines.append(f"left out: {left} nodes beyond the budget of {budget}")
    return "\n".join(lines)


def ask(
    ws: Workspace,
    text: str,
    *,
    question_id: str | None,
    documents: Sequence[str],
    company: str | None,
    answer_format: AnswerFormat,
) -> AskOutput:
    """Register a question, answer it through Dagster, and read the answer.

    Raises:
        InputError: an empty or too long question.
        UnknownDocumentError: a document is not registered; no run was started.
        G2Error: the run's failure, as it was typed there.
    """
    _check_query(text, "question", company)
    _check_names(documents, question_id)
    ws.resolve_documents(documents)
    scope = f"{sorted(documents)} {company} {answer_format}"
    question = Question(
        question_id=question_key(question_id, f"{text}\n{scope}"),
        question=text,
        documents=list(documents),
        edinet_code=company,
        format=answer_format,
        digest=digest_of(f"{text}\n{scope}".encode()),
    )
    ws.registry.add_question(question)
    key = question.question_id
    raise_failure(run_chain(ws, "questions", [key]), key)
    answer = read_table(ws.home.table("answers", key), Answer)[0]
    return AskOutput(answer=answer, page=str(ws.home.answer_page(key)))


def ask_words(output: AskOutput) -> str:
    """The answer with its citations."""
    answer = output.answer
    lines = [f"{answer.answer}\n({answer.why})" if answer.why else answer.answer]
    lines += [
        f"[{number}] {c.document_id} p.{c.page} "
        f"({c.bbox.x0:.0f}, {c.bbox.y0:.0f}, {c.bbox.x1:.0f}, {c.bbox.y1:.0f}): {c.quote}"
        for number, c in enumerate(answer.citations, start=1)
    ]
    lines.append(output.page)
    return "\n".join(lines)


def show_graph(
    ws: Workspace, document: str, *, round_: int | None, html: Path | None
) -> GraphOutput:
    """A stored round of a document's graph, and all rounds' metrics.

    Raises:
        MissingTableError: that round has not been made.
    """
    check_text(document, "document")
    from g2_pipelines.defs.evidence import explorer, read_graph, stored_rounds

    [document_id] = ws.resolve_documents([document])
    states = stored_rounds(ws, document_id)
    chosen = states[-1] if round_ is None and states else read_graph(ws, document_id, round_ or 0)
    if html is not None:
        write_output(html, explorer(ws, document_id).encode())
    return GraphOutput(
        document_id=document_id,
        round=chosen.round,
        nodes=chosen.nodes,
        edges=chosen.edges,
        metrics=[state.metrics for state in states],
    )


def graph_words(output: GraphOutput) -> str:
    """A line a round with a line for what it refused, then a line a node."""
    lines: list[str] = []
    for m in output.metrics:
        lines.append(
            f"round {m.round}: {m.changed} of {m.nodes} changed, {m.semantic_edges} semantic and"
            f" {m.structural_edges} structural edges, +{m.edges_added} -{m.edges_dropped}"
        )
        if m.refused:
            reasons = (f"{one.what} {one.reason} {one.count}" for one in m.refused)
            lines.append(f"  refused: {', '.join(reasons)}")
    lines += [f"{n.node_id}  {n.summary}  ({', '.join(n.keywords)})" for n in output.nodes]
    return "\n".join(lines)
