"""Question files: JSON or JSON Lines in, validated questions out.

Here: ``read_questions``. A file holds one object, a list of objects, or one object a line,
with the fields ``id``, ``text``, ``documents`` or ``company``, ``format``, ``priority`` and
``metadata``.
Documents are file stems or ids as the asker knows them; ``defs`` and ``cli`` resolve them.
Nothing is read from disk here. Called by ``defs`` and ``cli``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal

from pydantic import Field, ValidationError, field_validator

from g2_pipelines.keys import digest_of, question_key, well_formed
from g2_pipelines.qa.errors import (
    HalfWrittenQuestionsError,
    QuestionFileError,
    QuestionTooLargeError,
)
from g2_pipelines.tables.line2 import AnswerFormat, Question
from g2_pipelines.tables.rows import Row

MAX_QUESTION_BYTES = 100_000
MAX_FILE_BYTES = 64_000_000
MAX_QUESTIONS = 100_000
_EXAMPLE = '{"id": "q1", "text": "…?", "documents": ["report"], "format": "short"}'


class InboxQuestion(Row):
    """A question as it stands in a file; unknown fields are refused."""

    id: str | None = Field(default=None, max_length=200)
    text: str = Field(min_length=1)
    documents: list[str] = Field(default=[], max_length=1_000)
    company: str | None = Field(default=None, max_length=64)
    format: AnswerFormat = "sentence"
    priority: Literal["low", "normal", "high"] = "normal"
    metadata: dict[str, str | int | float | bool | None] = {}

    @field_validator("text")
    @classmethod
    def _says_something(cls, text: str) -> str:
        if not text.strip():
            msg = "the text is blank"
            raise ValueError(msg)
        return text.strip()


def read_questions(content: bytes, name: str) -> list[Question]:
    """The questions of a file, in its order.

    A question's key is its id where that can be a key, else a hash of id and text
    (``keys.question_key``). The same question twice counts once. ``digest`` is the hash of
    the question's own fields, so that a changed question runs again and an unchanged one in
    a longer file does not.

    Args:
        content: The file's bytes, UTF-8, with or without a byte order mark.
        name: The file's name, for messages and the rows' ``file``.

    Raises:
        HalfWrittenQuestionsError: The last value is cut off, or the file has no byte yet: read
            it again later.
        QuestionTooLargeError: A question of more than 100,000 bytes, or a file of more than
            64 MB or 100,000 questions.
        QuestionFileError: No question at all, not UTF-8, not JSON, a wrong or unknown field,
            or one id for two different questions; ``place`` names line and field.
    """
    if not content:
        raise _half_written(name, "line 1")
    if len(content) > MAX_FILE_BYTES:
        raise QuestionTooLargeError(
            f"The file has {len(content)} bytes, at most {MAX_FILE_BYTES} are read",
            file=name,
            remedy="Split it into several files",
        )
    seen: dict[str, tuple[str, str]] = {}
    questions: list[Question] = []
    for place, value in _values(_text(content, name), name):
        question = _question(value, place, name)
        before = seen.get(question.question_id)
        if before is None:
            seen[question.question_id] = (question.digest, place)
            questions.append(question)
        elif before[0] != question.digest:
            raise QuestionFileError(
                f"The id {question.question_id} stands for two different questions",
                file=name,
                place=f"{before[1]} and {place}",
                remedy="Give every question an id of its own",
            )
    if not questions:
        raise QuestionFileError(
            "The file holds no question", file=name, remedy=f"Write one a line: {_EXAMPLE}"
        )
    return questions


def _text(content: bytes, name: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data":
            raise _half_written(name, f"byte {error.start}") from error
        raise QuestionFileError(
            "The file is not UTF-8 text",
            file=name,
            place=f"byte {error.start}",
            remedy="Save it as UTF-8",
        ) from error


def _half_written(name: str, place: str) -> HalfWrittenQuestionsError:
    return HalfWrittenQuestionsError(
        "The file ends in the middle of a question",
        file=name,
        place=place,
        remedy="Wait until it is written, or write it beside the inbox and move it in",
    )


def _values(text: str, name: str) -> Iterator[tuple[str, Any]]:
    """(place, value) of each question: of a list, of one object, or of each line."""
    if text.lstrip()[:1] == "[":
        values = _whole(text, name)
        if len(values) > MAX_QUESTIONS:
            raise _too_many(name)
        yield from ((f"item {number}", value) for number, value in enumerate(values, start=1))
        return
    lines = text.split("\n")
    filled = [number for number, line in enumerate(lines, start=1) if line.strip()]
    if len(filled) > MAX_QUESTIONS:
        raise _too_many(name)
    whole = _one_object(text, name) if len(filled) > 1 else None
    if whole is not None:
        yield "line 1", whole
        return
    for number in filled:
        yield f"line {number}", _line(lines[number - 1], number, name, last=number == filled[-1])


def _too_many(name: str) -> QuestionTooLargeError:
    return QuestionTooLargeError(
        f"The file holds more than {MAX_QUESTIONS} questions",
        file=name,
        remedy="Split it into several files",
    )


def _one_object(text: str, name: str) -> Any:
    """The one object that is written over several lines; None where it is none."""
    try:
        value = _parsed(text, "line 1", name)
    except (json.JSONDecodeError, QuestionFileError):
        return None  # each line is then looked at, and named
    return value if isinstance(value, dict) else None


def _whole(text: str, name: str) -> list[Any]:
    try:
        values = _parsed(text, "line 1", name)
    except json.JSONDecodeError as error:
        raise _broken(error, text, f"line {error.lineno}", name, may_grow=True) from error
    return list(values)


def _line(line: str, number: int, name: str, *, last: bool) -> Any:
    try:
        return _parsed(line, f"line {number}", name)
    except json.JSONDecodeError as error:
        raise _broken(error, line, f"line {number}", name, may_grow=last) from error


def _parsed(text: str, place: str, name: str) -> Any:
    """The JSON of ``text``.

    Raises:
        json.JSONDecodeError: It is none.
        QuestionFileError: It is nested too deeply, or holds a number of thousands of digits.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        raise
    except RecursionError as error:
        raise _too_deep(place, name) from error
    except ValueError as error:  # an integer beyond what Python reads
        raise QuestionFileError(
            "A number has too many digits",
            file=name,
            place=place,
            remedy="Write long numbers as text, in quotes",
        ) from error


def _too_deep(place: str, name: str) -> QuestionFileError:
    return QuestionFileError(
        "The JSON is nested too deeply", file=name, place=place, remedy=f"Write {_EXAMPLE}"
    )


def _broken(
    error: json.JSONDecodeError, text: str, place: str, name: str, *, may_grow: bool
) -> QuestionFileError | HalfWrittenQuestionsError:
    """Half written when more characters could mend it, else a mistake in the file."""
    at_end = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
    if may_grow and at_end:
        return _half_written(name, place)
    return QuestionFileError(
        f"This is no JSON: {error.msg}",
        file=name,
        place=f"{place}, column {error.colno}",
        remedy=f"Write one question a line: {_EXAMPLE}",
    )


def _question(value: Any, place: str, name: str) -> Question:
    if not isinstance(value, dict):
        raise QuestionFileError(
            "A question is a JSON object", file=name, place=place, remedy=f"Write {_EXAMPLE}"
        )
    size = _size(value, place, name)
    if size > MAX_QUESTION_BYTES:
        raise QuestionTooLargeError(
            f"The question has {size} bytes, at most {MAX_QUESTION_BYTES} are taken",
            file=name,
            place=place,
            remedy="Ask a shorter question; long texts belong into a document",
        )
    try:
        asked = InboxQuestion.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "question"
        raise QuestionFileError(
            f"{field}: {first['msg']}",
            file=name,
            place=f"{place}, field {field}",
            remedy=f"Write {_EXAMPLE}",
        ) from error
    return _row(asked, name)


def _size(value: dict[str, Any], place: str, name: str) -> int:
    """Bytes of a question as JSON.

    Raises:
        QuestionFileError: A half character (a lone surrogate) stands in it, which no file,
            table or answer can hold.
    """
    written = json.dumps(value, ensure_ascii=False)
    try:
        return len(written.encode("utf-8"))
    except UnicodeEncodeError as error:
        fields = [
            key for key in value if not _is_text(json.dumps({key: value[key]}, ensure_ascii=False))
        ]
        field = well_formed(fields[0]) if fields else "question"
        raise QuestionFileError(
            f"{field}: half a character (a lone surrogate) is no text",
            file=name,
            place=f"{place}, field {field}",
            remedy="Write characters beyond U+FFFF as they are, or as both \\u escapes",
        ) from error


def _is_text(text: str) -> bool:
    return well_formed(text) == text


def _row(asked: InboxQuestion, name: str) -> Question:
    # How soon it is answered changes nothing in the answer.
    fields = asked.model_dump(exclude={"priority"})
    canonical = json.dumps(fields, ensure_ascii=False, sort_keys=True)
    return Question(
        question_id=question_key(asked.id, asked.text),
        question=asked.text,
        documents=list(dict.fromkeys(asked.documents)),
        edinet_code=asked.company,
        format=asked.format,
        priority=asked.priority,
        metadata=[
            f"{key}={item if isinstance(item, str) else json.dumps(item)}"
            for key, item in sorted(asked.metadata.items())
        ],
        file=name,
        digest=digest_of(canonical.encode()),
    )
