"""Question files: what is taken, what is refused, what may still be being written."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from g2_pipelines.keys import is_key
from g2_pipelines.qa.errors import (
    HalfWrittenQuestionsError,
    QuestionFileError,
    QuestionTooLargeError,
)
from g2_pipelines.qa.inbox import read_questions


def line(**fields: object) -> bytes:
    return json.dumps({"id": "q1", "text": "売上高は？", **fields}, ensure_ascii=False).encode()


def test_lines_a_list_and_one_object_read_alike() -> None:
    pretty = json.dumps(json.loads(line()), indent=2).encode()
    for content in (line(), b"[" + line() + b"]", b"\xef\xbb\xbf" + line() + b"\n\n", pretty):
        found = read_questions(content, "q.json")
        assert [(item.question_id, item.question) for item in found] == [("q1", "売上高は？")]


def test_all_fields_arrive() -> None:
    found = read_questions(
        line(
            documents=["report", "deck"],
            company="E99001",
            format="number",
            metadata={"b": 2, "a": "x"},
        ),
        "inbox/q.jsonl",
    )[0]
    assert found.documents == ["report", "deck"]
    assert found.edinet_code == "E99001"
    assert found.format == "number"
    assert found.metadata == ["a=x", "b=2"]
    assert found.file == "inbox/q.jsonl"


def test_an_id_that_is_no_key_becomes_one() -> None:
    for name in ("../../etc", "質問 1", None):
        found = read_questions(line(id=name), "q")[0]
        assert is_key(found.question_id)
        assert found.question_id.startswith("q-")


def test_the_digest_follows_the_question_not_the_file() -> None:
    alone = read_questions(line(), "a")[0].digest
    assert read_questions(line() + b"\n" + line(id="q2"), "b")[0].digest == alone
    assert read_questions(line(format="short"), "a")[0].digest != alone


def test_the_same_question_twice_counts_once_and_another_under_its_id_is_refused() -> None:
    assert len(read_questions(line() + b"\n" + line(), "q")) == 1
    with pytest.raises(QuestionFileError, match="two different questions") as caught:
        read_questions(line() + b"\n" + line(text="利益は？"), "q")
    assert caught.value.place == "line 1 and line 2"


@pytest.mark.parametrize("cut", range(1, len(line())))
def test_a_file_cut_anywhere_is_asked_to_wait(cut: int) -> None:
    for content in (
        line()[:cut],
        line(id="q0") + b"\n" + line()[:cut],
        b"[" + line() + b"," + line()[:cut],
    ):
        with pytest.raises(HalfWrittenQuestionsError):
            read_questions(content, "q")


def test_a_file_without_a_byte_may_still_be_written() -> None:
    with pytest.raises(HalfWrittenQuestionsError):
        read_questions(b"", "q")


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b'{"id" "q1"}\n' + line(), "line 1, column 7"),
        (line() + b"\n" + line(id="q2", text=" "), "line 2, field text"),
        (line(formt="number"), "line 1, field formt"),
        (line(format="poem"), "line 1, field format"),
        (line(documents="report"), "line 1, field documents"),
        (b"[1]", "item 1"),
        (b"\xff\xfe{}", "byte 0"),
        (b"[" * 50_000 + b"]", "line 1"),
        (b'{"id":"a","text":"\\ud83d"}', "line 1, field text"),
    ],
)
def test_a_mistake_is_named_with_its_line_and_field(content: bytes, place: str) -> None:
    with pytest.raises(QuestionFileError) as caught:
        read_questions(content, "q.jsonl")
    assert (caught.value.file, caught.value.place) == ("q.jsonl", place)
    assert caught.value.remedy


def test_blank_lines_alone_are_no_question() -> None:
    with pytest.raises(QuestionFileError, match="no question"):
        read_questions(b"\n \n", "q")


def test_a_question_of_a_hundred_kilobytes_is_refused() -> None:
    with pytest.raises(QuestionTooLargeError) as caught:
        read_questions(line(text="あ" * 34_000), "q")
    assert caught.value.place == "line 1"


def test_the_sample_questions_are_four_of_four_kinds() -> None:
    content = files("g2_pipelines.corpus").joinpath("questions.jsonl").read_bytes()
    found = read_questions(content, "questions.jsonl")
    assert sorted(item.metadata[0] for item in found) == [
        "needs=figure caption",
        "needs=table cell",
        "needs=two hops",
        "needs=unanswerable",
    ]
