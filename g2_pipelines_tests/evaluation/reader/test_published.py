"""VisDoMBench's five CSV files and MMLongBench-Doc's samples.json with their owners' columns.

The columns and the forms of their values (lists as Python literals in both kinds of quotes, file
names with commas, colons and accents, line ends in fields, pages from 0 and from 1) are those of
the published files; every row is invented.
"""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import pytest
from upath import UPath

from g2_pipelines.defs.reader_answers import VariantReader
from g2_pipelines.defs.registry import PdfEntry
from g2_pipelines.defs.steps import StepRun
from g2_pipelines.defs.workspace import UnknownDocumentError, Workspace, resolve
from g2_pipelines.evaluation.reader.case import QuestionSetError, SetName
from g2_pipelines.evaluation.reader.load import load_cases
from g2_pipelines.evaluation.reader.variants import VARIANTS
from g2_pipelines.keys import digest_of
from g2_pipelines.settings import Settings

PAPER = "q_id,doc_id,question,answer,doc_path,documents,evidence,title,abstract"
FETA = "q_id,doc_id,question,answer,doc_path,documents,doc_url,table_array,highlighted_cell_ids"
GRAPH = (
    "q_id,doc_id,question,answer,doc_path,documents,image_file,caption,first_mention,title,abstract"
)
SPIQA = (
    "q_id,doc_id,old_question,answer,doc_path,documents,rationale,reference_figure,paper_title,"
    "paper_abstract,caption,question"
)
SLIDE = (
    "q_id,doc_id,question,answer,doc_path,documents,deck_url,arithmetic_expression,evidence_pages,"
    "answer_type,resoning_type,directory_exists"
)
TABLE = [["Season", "Date", "Date"], ["Season", "First", "Last"], ["1 (2031–32)", "May 4", "May 9"]]
ROWS: dict[SetName, tuple[str, list[str]]] = {
    "papertab": (
        PAPER,
        [
            "4cbe5a36b492b99f9f9fea8081fe4ba10a7a0e94", "2031.01202",
            "Does the damper of Table 3 lead to less sway, compared to none?",
            str([{"answer": "Yes", "type": "boolean"},
                 {"answer": "less sway on 7 of 9\ntowers", "type": "extractive"}]),
            "2031.01202.pdf", str(["2031.01202.pdf", "2030.06083.pdf"]),
            "FLOAT SELECTED: Table 3: Sway.", "A Damper", "We damp,\nand measure.",
        ],
    ),
    "fetatab": (
        FETA,
        [
            "7944", "Athlètes at the Men's 400 metres", "When did season 1 begin?",
            "It began on May 4.", "Athlètes at the Men's 400 metres.pdf",
            str(["Athlètes at the Men's 400 metres.pdf", "CSI: Tower.pdf", "Box, Cox & Son.pdf"]),
            "http://example.org/x_%E2%80%93", str(TABLE), "[[2, 0], [2, 1]]",
        ],
    ),
    "scigraphqa": (
        GRAPH,
        [
            "scgqa_0", "2031.1657v1", "Why can't we draw broad conclusions from Fig. 5?",
            "It shows one tower only.", "2031.1657v1.pdf", str(["2031.1657v1.pdf"]),
            "2031.1657v1-Figure5-1.png", "Fig. 5. Sway.", "See Fig. 5.", "Sway\n  of Towers",
            "We measure.",
        ],
    ),
    "spiqa": (
        SPIQA,
        [
            "spiqa_0", "2031.01216v3", "How does Figure 9 in *Towers* show the sway?",
            " \n\nBirch sways most. ", "2031.01216v3.pdf",
            str(["2031.01216v3.pdf", "2030.09296v2.pdf"]), "The figure shows it.",
            "2031.01216v3-Figure9-1.png", "Towers", "We measure.", "Figure 9: Sway",
            " \n\nWhich tower sways most in the figure? ",
        ],
    ),
    "slidevqa": (
        SLIDE,
        [
            "75", "towers-140803004322-phpapp02_95",
            "Which tower is highest in the year in which Birch was built?", "Birch",
            "towers-140803004322-phpapp02_95.pdf",
            str(["towers-140803004322-phpapp02_95.pdf", "ropes-150309-conversion-gate01_95.pdf"]),
            "https://example.org/towers", "", "[0, 15]", "Single-Span", "Multi-Hop & Discrete",
            "True",
        ],
    ),
}  # fmt: skip


def csv_of(header: str, *rows: Sequence[str]) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows([header.split(","), *rows])
    return out.getvalue().encode()


@pytest.mark.parametrize("name", list(ROWS))
def test_each_set_is_known_by_its_columns_whatever_its_file_is_called(
    name: SetName,
) -> None:
    header, row = ROWS[name]
    found = load_cases(csv_of(header, ["1", *row[1:]]), "file.csv")
    assert (found.name, found.skipped, len(found.cases)) == (name, [], 1)
    [case] = found.cases
    assert case.documents[0] == row[4]
    assert len(case.documents) == row[5].count(".pdf")
    assert {place.document for place in case.gold} == {row[4]}


def test_a_list_of_answers_is_read_as_a_literal() -> None:
    header, row = ROWS["papertab"]
    [case] = load_cases(csv_of(header, row), "paper_tab.csv").cases
    assert case.answers == ["Yes", "less sway on 7 of 9\ntowers"]


def test_names_in_either_quotes_with_commas_and_colons_are_whole() -> None:
    header, row = ROWS["fetatab"]
    [case] = load_cases(csv_of(header, row), "feta_tab.csv").cases
    assert case.documents[1:] == ["CSI: Tower.pdf", "Box, Cox & Son.pdf"]
    assert case.cells == ["1 (2031–32)", "May 4"]


def test_the_question_that_counts_is_trimmed_and_not_the_old_one() -> None:
    header, row = ROWS["spiqa"]
    [case] = load_cases(csv_of(header, row), "spiqa.csv").cases
    assert case.question == "Which tower sways most in the figure?"
    assert case.answers == ["Birch sways most."]


def test_slides_count_from_zero() -> None:
    header, row = ROWS["slidevqa"]
    [case] = load_cases(csv_of(header, row), "slidevqa.csv").cases
    assert [place.page for place in case.gold] == [1, 16]


def test_samples_json_of_mmlongbench() -> None:
    rows = [
        {"doc_id": "towers.2031.pdf", "doc_type": "Research report / Introduction",
         "question": "Which two towers sway most?\nFormat the answer as a list.",
         "answer": "['Birch', \"Alder's\"]", "evidence_pages": "[3, 5]",
         "evidence_sources": "['Chart', 'Generalized-text (Layout)']", "answer_format": "List"},
        {"doc_id": "towers.2031.pdf", "doc_type": "Research report / Introduction",
         "question": "How high is Oak in 2032?", "answer": "Not answerable",
         "evidence_pages": "[]", "evidence_sources": "[]", "answer_format": "None"},
        {"doc_id": "towers.2031.pdf", "doc_type": "Research report / Introduction",
         "question": "What share of towers sways?", "answer": "18.29%", "evidence_pages": "[4]",
         "evidence_sources": "['Table']", "answer_format": "Float"},
    ]  # fmt: skip
    found = load_cases(json.dumps(rows).encode(), "data/samples.json")
    assert found.name == "mmlongbench"
    assert [(case.kind, case.items) for case in found.cases] == [
        ("list", ["Birch", "Alder's"]),
        ("none", []),
        ("float", []),
    ]
    assert [[place.page for place in case.gold] for case in found.cases] == [[3, 5], [], [4]]
    assert found.cases[0].documents == ["towers.2031.pdf"]


def test_a_list_that_is_cut_off_names_its_row_and_field() -> None:
    header, row = ROWS["slidevqa"]
    cut = [*row[:5], row[5][:-1], *row[6:]]
    with pytest.raises(QuestionSetError) as caught:
        load_cases(csv_of(header, row, cut), "slidevqa.csv")
    assert caught.value.place == "row 2, documents"


def entry(name: str, document: str) -> PdfEntry:
    return PdfEntry(name=name, digest="0" * 64, raw="x", document_id=document)


def test_a_name_is_found_in_decomposed_letters_too() -> None:
    """Folders that a Mac packed hold é as two characters; the question file holds one."""
    stored = unicodedata.normalize("NFD", "Athlètes.pdf")
    assert stored != "Athlètes.pdf"
    assert resolve(["Athlètes.pdf"], [entry(stored, "a"), entry("CSI: Tower.pdf", "b")]) == ["a"]
    assert resolve(["CSI: Tower"], [entry(stored, "a"), entry("CSI: Tower.pdf", "b")]) == ["b"]


def test_a_paper_is_found_by_its_number_and_a_missing_one_is_named() -> None:
    entries = [entry("2031.01202.pdf", "a")]
    assert resolve(["2031.01202"], entries) == ["a"]
    with pytest.raises(UnknownDocumentError, match=r"2030\.06083\.pdf"):
        resolve(["2031.01202.pdf", "2030.06083.pdf"], entries)


def test_a_name_of_two_sets_is_the_file_beside_the_question_file(tmp_path: Path) -> None:
    """Two sets may hold a paper of one name in different bytes, in one home."""
    one, two = digest_of(b"one"), digest_of(b"two")
    entries = [
        entry("2031.01202.pdf", "a").model_copy(update={"digest": one}),
        entry("2031.01202.pdf", "b").model_copy(update={"digest": two}),
    ]
    with pytest.raises(UnknownDocumentError, match="fits a, b"):
        resolve(["2031.01202.pdf"], entries)
    (tmp_path / "spiqa" / "docs").mkdir(parents=True)
    (tmp_path / "spiqa" / "docs" / "2031.01202.pdf").write_bytes(b"two")
    ws = Workspace(Settings(_env_file=None, home=str(tmp_path / "home")))
    reader = VariantReader(ws, StepRun(), VARIANTS["full"], folder=UPath(tmp_path / "spiqa"))
    assert resolve(["2031.01202.pdf"], entries, beside=reader.beside) == ["b"]
    assert resolve(["2031.01202"], entries, beside=reader.beside) == ["b"]
    nowhere = VariantReader(ws, StepRun(), VARIANTS["full"])
    with pytest.raises(UnknownDocumentError):
        resolve(["2031.01202.pdf"], entries, beside=nowhere.beside)
