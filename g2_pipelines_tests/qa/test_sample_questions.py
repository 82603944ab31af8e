"""The four sample questions over the two sample PDFs, as a user meets them in the demo."""

from __future__ import annotations

import asyncio
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from g2_pipelines.pdf.parse import PdfLimits, parse_pdf
from g2_pipelines.qa.answer import answer_question
from g2_pipelines.qa.build import build_tasks
from g2_pipelines.qa.inbox import read_questions
from g2_pipelines.tables.line2 import Answer
from g2_pipelines_tests.qa.builders import RankedSource

CORPUS = files("g2_pipelines.corpus")


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Answer]:
    nodes = {}
    for stem, company in (
        ("aomine_spindle_report_ja", "E99001"),
        ("minato_cold_chain_en", "E99002"),
    ):
        with as_file(CORPUS.joinpath("pdfs", f"{stem}.pdf")) as path:
            images: Path = tmp_path_factory.mktemp(stem)
            parsed = parse_pdf(path, document_id=stem, images_dir=images, limits=PdfLimits())
        nodes[stem] = nodes[company] = [n for n in parsed.nodes if n.kind != "furniture"]
    given = read_questions(CORPUS.joinpath("questions.jsonl").read_bytes(), "questions.jsonl")
    tasks = build_tasks(None)
    return {
        item.question_id: asyncio.run(
            answer_question(
                item,
                evidence=RankedSource(nodes[(item.documents or [item.edinet_code])[0] or ""], 20),
                **tasks._asdict(),
            )
        )
        for item in given
    }


@pytest.mark.slow
def test_the_table_cell_is_found(answers: dict[str, Answer]) -> None:
    assert answers["minato-market-excursions"].answer == "6.3%"


@pytest.mark.slow
def test_the_caption_is_found(answers: dict[str, Answer]) -> None:
    answer = answers["aomine-hottest-part"]
    assert "前側軸受の41.8℃" in answer.answer
    assert answer.citations[0].quote.startswith("図2")


@pytest.mark.slow
def test_both_hops_are_taken(answers: dict[str, Answer]) -> None:
    answer = answers["minato-worst-class-distance"]
    assert answer.answer == "Mixed round (Excursion rate: 32.1%). Distance of Mixed round: 41 km."
    assert [item.id for item in answer.sub_answers] == ["q1", "q2"]


@pytest.mark.slow
def test_the_price_that_no_document_holds_is_refused(answers: dict[str, Answer]) -> None:
    """The report names a cost of production and no price: a trap for a nearest match."""
    answer = answers["aomine-machine-price"]
    assert answer.unanswerable
    assert "販売価格" in answer.why
