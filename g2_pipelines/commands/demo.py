"""``g2 demo``: both lines on the sample corpus, through Dagster.

Here: which files of the corpus go where, and where a person looks afterwards.
"""

from __future__ import annotations

import time
from importlib import resources
from pathlib import Path

from g2_pipelines.commands.outputs import DemoOutput
from g2_pipelines.commands.runs import PartitionSet, raise_failure, run_chain
from g2_pipelines.defs.manifest import read_manifest
from g2_pipelines.defs.register import register
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.tables.line1 import CompanyBrief
from g2_pipelines.tables.line2 import Answer
from g2_pipelines.tables.store import read_table, write_atomic


def corpus() -> Path:
    """The folder of the sample corpus, as installed."""
    return Path(str(resources.files("g2_pipelines.corpus")))


def run_demo(ws: Workspace) -> DemoOutput:
    """Register the corpus, run both lines, answer its questions.

    Raises:
        G2Error: a step failed, as it was typed there.
    """
    from g2_pipelines.qa.inbox import read_questions

    started = time.monotonic()
    folder = corpus()
    if not ws.home.companies_csv.exists():
        write_atomic(ws.home.companies_csv, (folder / "companies.csv").read_bytes())
    manifest = read_manifest((folder / "manifest.csv").read_bytes(), "manifest.csv")
    registered = [
        register(
            ws,
            (folder / row.file).read_bytes(),
            row.model_copy(update={"file": Path(row.file).name}),
        )
        for row in manifest.values()
    ]
    companies = sorted({r.key for r in registered if r.partitions == "companies"})
    documents = sorted({r.key for r in registered if r.partitions == "documents"})
    questions = read_questions((folder / "questions.jsonl").read_bytes(), "questions.jsonl")
    for question in questions:
        ws.registry.add_question(question)
    ids = [question.question_id for question in questions]
    sets: tuple[tuple[PartitionSet, list[str]], ...] = (
        ("companies", companies),
        ("documents", documents),
        ("questions", ids),
    )
    for partitions, keys in sets:
        outcomes = run_chain(ws, partitions, keys)
        for key in keys:
            raise_failure(outcomes, key)
    briefs = [
        row
        for c in companies
        for row in read_table(ws.home.table("company_briefs", c), CompanyBrief)
    ]
    answers = [read_table(ws.home.table("answers", i), Answer)[0] for i in ids]
    return DemoOutput(
        home=str(ws.home.root),
        briefs=sorted({str(ws.home.pages / row.page) for row in briefs}),
        answers=[
            f"{answer.question}\n  → {answer.answer}"
            + "".join(f"\n    {c.document_id} p.{c.page}: {c.quote}" for c in answer.citations)
            + f"\n    {ws.home.answer_page(answer.question_id)}"
            for answer in answers
        ],
        ui="make ui   (then http://127.0.0.1:3000)",
        seconds=round(time.monotonic() - started, 1),
    )


def demo_words(output: DemoOutput) -> str:
    """Where to look."""
    return "\n".join(
        [
            f"Done in {output.seconds:.0f} s; everything lies in {output.home}",
            "",
            "Company briefs:",
            *(f"  {page}" for page in output.briefs),
            "",
            "Answers:",
            *(f"  {answer}" for answer in output.answers),
            "",
            f"Dagster UI: {output.ui}",
        ]
    )
