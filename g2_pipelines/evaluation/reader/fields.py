"""Fields of question files: text, lists that stand in strings, and what is broken.

Here: ``text_of``, ``list_of``, ``pages_of``, ``broken``. Lists are read as literals, never
evaluated. Used by ``load`` and ``rows``.
"""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from g2_pipelines.evaluation.reader.case import QuestionSetError

MAX_LITERAL = 200_000
_LETTERS = re.compile(r"[^\W\d_]")
_WORDS = re.compile(r"\w+")
_JAPANESE = re.compile(r"[\u3041-\u30fa\u3400-\u4dbf\u4e00-\u9fff]")
_PAGE = re.compile(r"\s*\d{1,9}\s*")
_EMPTY = ("", "nan", "none", "null", "n/a")
#: What a model wrote in place of a question that it should have reworded.
_REFUSED = re.compile(
    r"^(?:i'?m sorry|i am sorry|sorry[,.]|i can(?:no|'?)t |as an ai|i apologi[sz]e"
    r"|please provide|error[: ])",
    re.IGNORECASE,
)


class Place:
    """Where a field stands, for errors."""

    def __init__(self, file: str, row: int) -> None:
        self.file, self.row = file, row

    def error(self, message: str, field: str, remedy: str) -> QuestionSetError:
        """The typed error of a field."""
        return QuestionSetError(
            message, file=self.file, place=f"row {self.row}, {field}", remedy=remedy
        )


def text_of(row: Mapping[str, Any], *names: str) -> str:
    """The first of the fields that is there, as trimmed text; "" for none or NaN."""
    for name in names:
        value = row.get(name)
        if value is None or (isinstance(value, float) and math.isnan(value)):
            continue
        if isinstance(value, (str, int, float, bool)):
            return str(value).strip()
        return json.dumps(value, ensure_ascii=False)
    return ""


def list_of(row: Mapping[str, Any], name: str, place: Place) -> list[Any]:
    """A list, given as such or as a string that holds a Python or JSON list; [] if empty.

    Raises:
        QuestionSetError: it is neither.
    """
    value = row.get(name)
    if isinstance(value, list):
        return value
    text = text_of(row, name)
    if text.lower() in _EMPTY:
        return []
    found = literal(text)
    if not isinstance(found, (list, tuple)):
        raise place.error(
            f"{text[:60]!r} is no list", name, "Write a list, e.g. ['a.pdf'] or [\"a.pdf\"]"
        )
    return list(found)


def literal(text: str) -> Any:
    """The Python or JSON literal that ``text`` is, else None. Nothing is evaluated."""
    if len(text) > MAX_LITERAL:
        return None
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        pass
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def names_of(row: Mapping[str, Any], name: str, place: Place) -> list[str]:
    """Document names of a list field, each once, in order.

    Raises:
        QuestionSetError: one is no name.
    """
    found = list_of(row, name, place)
    if not all(isinstance(item, str) and item.strip() for item in found):
        raise place.error("A document has no name", name, "Name each document by its file")
    return list(dict.fromkeys(item.strip() for item in found))


def pages_of(values: Sequence[Any], *, first: int, name: str, place: Place) -> list[int]:
    """Pages, 1-based and in order; ``first`` is the number that the set gives a first page.

    Raises:
        QuestionSetError: one is no page number.
    """
    pages: set[int] = set()
    for value in values:
        number = int(value) if isinstance(value, str) and _PAGE.fullmatch(value) else value
        if isinstance(number, bool) or not isinstance(number, int) or number < first:
            raise place.error(
                f"{str(value)[:40]!r} is no page", name, f"Write whole numbers from {first}"
            )
        pages.add(number - first + 1)
    return sorted(pages)


def broken(question: str) -> str:
    """Why a question cannot be asked, "" if it can."""
    if question.strip().lower() in _EMPTY:
        return "the question is empty"
    if not _LETTERS.search(question):
        return "the question has no words"
    if _REFUSED.match(question.strip()):
        return "the question is a model's refusal or note"
    if not _JAPANESE.search(question) and len(_WORDS.findall(question)) < 3:
        return "the question has fewer than three words"
    return ""
