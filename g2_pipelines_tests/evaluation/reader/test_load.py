"""Question files as the sets' owners write them: fields, doubled rows, broken ones, errors."""

from __future__ import annotations

import contextlib
import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from g2_pipelines.evaluation.reader.case import CaseSet, QuestionSetError, UnknownSetError
from g2_pipelines.evaluation.reader.load import load_cases
from g2_pipelines.keys import is_key


def csv_of(*rows: Mapping[str, object]) -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def lines_of(*rows: Mapping[str, object]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def reasons(found: CaseSet) -> list[tuple[int, str]]:
    return [(one.row, one.reason) for one in found.skipped]


SLIDE = {
    "q_id": "s1",
    "doc_id": "deck",
    "question": "Which tower is the highest of all?",
    "answer": "Birch",
    "doc_path": "docs/deck.pdf",
    "documents": "['deck.pdf', 'other.pdf']",
    "deck_url": "x",
    "arithmetic_expression": "None",
    "evidence_pages": "[0, 4]",
    "answer_type": "Single-Span",
    "resoning_type": "Multi-Hop",
}


def test_slide_pages_count_from_zero() -> None:
    found = load_cases(csv_of(SLIDE), "slidevqa.csv")
    assert found.name == "slidevqa"
    [case] = found.cases
    assert case.documents == ["deck.pdf", "other.pdf"]
    assert [(p.document, p.page) for p in case.gold] == [("deck.pdf", 1), ("deck.pdf", 5)]
    assert (case.kind, case.answers, case.format) == ("text", ["Birch"], "short")


def test_paper_answers_are_each_right() -> None:
    row = {
        "_id": "paper_tab_5",
        "domain": "VisDoM",
        "sub_domain": "paper_tab",
        "question": "Does the damping lead to less sway?",
        "answer": "[{'answer': 'Yes', 'type': 'boolean'}, {'answer': 'No', 'type': 'boolean'},"
        " {'answer': 'Yes', 'type': 'boolean'}]",
        "main_doc": "1.pdf",
        "documents": "['1.pdf', '2.pdf']",
    }
    found = load_cases(lines_of(row), "processed.jsonl")
    assert found.name == "papertab"
    assert found.cases[0].answers == ["Yes", "No"]
    assert [(p.document, p.page) for p in found.cases[0].gold] == [("1.pdf", 0)]


def test_doubled_rows_are_listed_and_asked_once() -> None:
    row = {
        "q_id": "scgqa_0",
        "question": "Why does the sway fall in summer?",
        "answer": "No ice.",
        "doc_id": "9",
        "documents": "['9.pdf']",
    }
    other = {**row, "q_id": "scgqa_1"}
    found = load_cases(csv_of(row, other, row, other), "scigraphqa.csv")
    assert found.name == "scigraphqa"
    assert (found.rows, len(found.cases)) == (4, 2)
    assert reasons(found) == [(3, "duplicate"), (4, "duplicate")]


def test_one_id_with_two_questions_is_two_cases() -> None:
    row = {**SLIDE, "question": "Which tower is the lowest of all?"}
    found = load_cases(csv_of(SLIDE, row), "slidevqa.csv")
    assert found.skipped == []
    assert len({case.case_id for case in found.cases}) == 2


@pytest.mark.parametrize("broken", ["", "nan", "???", "I'm sorry, I cannot help.", "Figure 3"])
def test_broken_questions_are_listed(broken: str) -> None:
    row = {
        "q_id": "spiqa_1",
        "question": broken,
        "answer": "x",
        "doc_path": "a.pdf",
        "documents": "['a.pdf']",
        "reference_figure": "f.png",
    }
    found = load_cases(
        csv_of({**row, "q_id": "spiqa_0", "question": "What is shown here?"}, row), "f"
    )
    assert found.name == "spiqa"
    assert len(found.cases) == 1
    assert reasons(found) == [(2, "broken_question")]


def test_a_right_answer_that_lacks_is_listed() -> None:
    found = load_cases(csv_of(SLIDE, {**SLIDE, "q_id": "s2", "answer": ""}), "slidevqa.csv")
    assert reasons(found) == [(2, "no_answer")]


def test_gold_cells_are_those_of_the_table() -> None:
    row = {
        "q_id": "9",
        "question": "How high is Birch in winter?",
        "answer": "34 m",
        "doc_path": "t.pdf",
        "documents": "['t.pdf']",
        "table_array": "[['Tower', 'Height'], ['Birch', '34.0']]",
        "highlighted_cell_ids": "[[1, 0], [1, 1]]",
    }
    found = load_cases(lines_of(row), "questions.jsonl")
    assert found.name == "fetatab"
    assert found.cases[0].cells == ["Birch", "34.0"]
    with pytest.raises(QuestionSetError, match="no cell") as caught:
        load_cases(lines_of({**row, "highlighted_cell_ids": "[[7, 0]]"}), "questions.jsonl")
    assert caught.value.place == "row 1, highlighted_cell_ids"


MM = {
    "doc_id": "a.pdf",
    "question": "How many towers are there?",
    "answer": "3",
    "evidence_pages": "[3, 5]",
    "evidence_sources": "['Table']",
    "answer_format": "Int",
}


def test_mmlongbench_kinds_and_pages_from_one() -> None:
    rows = [
        MM,
        {**MM, "answer": "['Alder', 'Birch']", "answer_format": "List"},
        {**MM, "question": "How many tunnels are there?", "answer": "Not answerable",
         "answer_format": "None", "evidence_pages": "[]"},
        {**MM, "doc_id": "b.pdf"},
    ]  # fmt: skip
    found = load_cases(json.dumps(rows).encode(), "samples.json")
    kinds = [(c.kind, c.items, [p.page for p in c.gold], c.answers) for c in found.cases]
    # The second asks the first's question of the first's document: it has no id of its own.
    assert reasons(found) == [(2, "duplicate")]
    assert "another right answer" in found.skipped[0].message
    assert kinds == [("int", [], [3, 5], ["3"]), ("none", [], [], []), ("int", [], [3, 5], ["3"])]
    assert len({c.case_id for c in found.cases}) == 3
    assert all(is_key(c.case_id) for c in found.cases)
    assert {c.format for c in found.cases} == {"short"}  # the gold kind is not told to the reader


@pytest.mark.parametrize(
    "page", ["[0]", "['x']", "[1.5]", "[true]", "['²']", f"['{'9' * 5_000}']", "[[1]]", "{}"]
)
def test_a_page_that_is_none_names_its_row(page: str) -> None:
    with pytest.raises(QuestionSetError) as caught:
        load_cases(lines_of(MM, {**MM, "evidence_pages": page}), "q.jsonl")
    assert (caught.value.file, caught.value.place) == ("q.jsonl", "row 2, evidence_pages")


def test_japanese_with_and_without_answers() -> None:
    upstream = {
        "domain": "finance",
        "question": "売上高はいくらですか。",
        "target_answer": "48億円です。",
        "target_file_name": "aomine.pdf",
        "target_page_no": "4",
        "type": "table",
    }
    [case] = load_cases(csv_of(upstream), "rag.csv").cases
    assert (case.set, case.kind, case.answers) == ("japanese", "text", ["48億円です。"])
    assert [(p.document, p.page) for p in case.gold] == [("aomine.pdf", 4)]
    ours = {"id": "aj-1", "file": "aomine.pdf", "page": 4, "type": "table", "question": "売上は？"}
    [case] = load_cases(lines_of(ours), "q.jsonl").cases
    assert (case.case_id, case.kind, case.answers) == ("aj-1", "open", [])


def test_own_form() -> None:
    rows: list[dict[str, object]] = [
        {"id": "a", "question": "How high is it?", "documents": ["x"], "answer": 34.0, "pages": [2]},
        {"id": "b", "question": "Who built the tower?", "documents": ["x"], "answer": None},
        {"id": "c", "question": "Which towers are there?", "documents": ["x", "y"],
         "answer": ["A", "B"], "pages": [{"document": "y", "page": 7}], "format": "list"},
    ]  # fmt: skip
    a, b, c = load_cases(lines_of(*rows), "mine.jsonl").cases
    assert (a.kind, a.answers, [p.page for p in a.gold]) == ("float", ["34.0"], [2])
    assert (b.kind, b.answers) == ("none", [])
    assert (c.kind, c.items, c.gold[0].document, c.format) == ("list", ["A", "B"], "y", "list")
    with pytest.raises(QuestionSetError, match="no document of the question"):
        load_cases(lines_of({**rows[2], "pages": [3]}), "mine.jsonl")


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b'{"question": "a"}\n{"question": ', "line 2"),
        (b"[1, 2]", "row 1"),
        (b"question,documents\na,b,c\n", "row 1"),
        (b"\xff\xfe", ""),
        (b"", ""),
    ],
)
def test_a_file_that_is_none_is_one_typed_error(content: bytes, place: str) -> None:
    with pytest.raises(QuestionSetError) as caught:
        load_cases(content, "bad")
    assert (caught.value.file, caught.value.place) == ("bad", place)


def test_unknown_columns_are_told() -> None:
    with pytest.raises(UnknownSetError, match="no known question set"):
        load_cases(lines_of({"prompt": "x"}), "other.jsonl")


def test_lists_are_never_evaluated() -> None:
    row = {**SLIDE, "documents": "__import__('os').getcwd()"}
    with pytest.raises(QuestionSetError, match="is no list"):
        load_cases(csv_of(row), "slidevqa.csv")


@pytest.mark.parametrize(
    ("folder", "name", "cases"),
    [("fetatab", "fetatab", 6), ("mmlongbench", "mmlongbench", 130), ("japanese", "japanese", 31)],
)
def test_the_shared_sets_are_whole(shared_data: Path, folder: str, name: str, cases: int) -> None:
    path = shared_data / "qa" / folder / "questions.jsonl"
    found = load_cases(path.read_bytes(), str(path))
    assert (found.name, len(found.cases), found.skipped) == (name, cases, [])
    if name == "mmlongbench":
        kinds = [case.kind for case in found.cases]
        assert [kinds.count(k) for k in ("int", "list", "str", "float", "none")] == [
            39,
            22,
            19,
            19,
            31,
        ]


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_cases_or_one_typed_error(content: bytes) -> None:
    with contextlib.suppress(QuestionSetError):
        load_cases(content, "f")


_VALUE = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.integers())
)


@pytest.mark.parametrize("row", [SLIDE, MM])
@given(data=st.data())
def test_any_field_is_a_case_a_listed_row_or_a_typed_error(
    row: dict[str, str], data: st.DataObject
) -> None:
    field = data.draw(st.sampled_from(sorted(row)))
    given_row: dict[str, object] = {**row, field: data.draw(_VALUE)}
    found = None
    with contextlib.suppress(QuestionSetError):
        found = load_cases(json.dumps([given_row]).encode(), "f")
    if found is None:
        return
    assert len(found.cases) + len(found.skipped) == 1
    assert all(is_key(case.case_id) for case in found.cases)


def test_reading_a_set_leaves_the_limit_of_other_csv_readers_alone() -> None:
    before = csv.field_size_limit()
    load_cases(csv_of(SLIDE), "slidevqa.csv")
    with contextlib.suppress(QuestionSetError):
        load_cases(b'q_id,question\n"broken', "slidevqa.csv")
    assert csv.field_size_limit() == before
