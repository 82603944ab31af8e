"""A row of each question set as a case.

Here: ``READERS``, one function a set, and ``RowSkippedError`` for rows that are left out. Columns as
VisDoMBench's CSV files and their processed JSONL name them, MMLongBench-Doc's
``samples.json``, Allganize's ``rag_evaluation_result.csv``, and ``own``: id, question,
documents, answer (text, number, list, or null for not answerable), kind, pages (document and
1-based page), format. Used by ``load``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

from g2_pipelines.evaluation.reader.case import (
    AnswerKind,
    Case,
    GoldPlace,
    SetName,
    SkipReason,
)
from g2_pipelines.evaluation.reader.fields import (
    Place,
    broken,
    list_of,
    literal,
    names_of,
    pages_of,
    text_of,
)
from g2_pipelines.keys import question_key
from g2_pipelines.tables.line2 import AnswerFormat

#: What is asked of the reader, a set. It must not tell the kind of the right answer.
FORMATS: Mapping[SetName, AnswerFormat] = {
    "papertab": "short",
    "fetatab": "sentence",
    "scigraphqa": "sentence",
    "spiqa": "sentence",
    "slidevqa": "short",
    "mmlongbench": "short",
    "japanese": "sentence",
    "own": "sentence",
}
_KINDS: Mapping[str, AnswerKind] = {
    "int": "int",
    "float": "float",
    "str": "str",
    "list": "list",
    "none": "none",
}
_UNANSWERABLE = re.compile(
    r"(?:not answerable|unanswerable|回答不能|回答できない)\.?", re.IGNORECASE
)
_NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?\s*%?")

Reader = Callable[[Mapping[str, Any], Place], Case]


class RowSkippedError(Exception):
    """A row that cannot be a case: not the file's form is wrong, but this row's content."""

    def __init__(self, reason: SkipReason, message: str, case_id: str) -> None:
        super().__init__(message)
        self.reason: SkipReason = reason
        self.message = message
        self.case_id = case_id


def _checked(row: Mapping[str, Any], *ids: str) -> tuple[str, str]:
    """Id and question of a row that can be asked."""
    question = text_of(row, "question")
    case_id = question_key(text_of(row, *ids) or None, question)
    fault = broken(question)
    if fault:
        raise RowSkippedError("broken_question", fault, case_id)
    return case_id, question


def _answer(row: Mapping[str, Any], case_id: str, *names: str) -> str:
    answer = text_of(row, *names)
    if not answer or answer.lower() == "nan":
        raise RowSkippedError("no_answer", "the right answer is empty", case_id)
    return answer


def _pdf(name: str) -> str:
    name = name.replace("\\", "/").rsplit("/", 1)[-1]
    return name if name.lower().endswith(".pdf") or not name else f"{name}.pdf"


def _visdom(name: SetName, first_page: int = 0) -> Reader:
    """The reader of one of VisDoMBench's five sets."""

    def read(row: Mapping[str, Any], place: Place) -> Case:
        case_id, question = _checked(row, "q_id", "_id", "id")
        main = _pdf(text_of(row, "doc_path", "main_doc", "doc_id"))
        documents = [_pdf(one) for one in names_of(row, "documents", place)] or [main]
        if not any(documents):
            raise RowSkippedError("no_documents", "no document is named", case_id)
        pages: list[int] = []
        if name == "slidevqa":
            given = list_of(row, "evidence_pages", place)
            pages = pages_of(given, first=first_page, name="evidence_pages", place=place)
        gold = [GoldPlace(document=main, page=page) for page in pages] if main else []
        return Case(
            case_id=case_id,
            set=name,
            question=question,
            documents=documents,
            kind="text",
            answers=_texts(_answer(row, case_id, "answer"))
            if name == "papertab"
            else [_answer(row, case_id, "answer")],
            gold=gold or ([GoldPlace(document=main, page=0)] if main else []),
            cells=_cells(row, place) if name == "fetatab" else [],
            format=FORMATS[name],
            row=place.row,
        )

    return read


def _texts(answer: str) -> list[str]:
    """Answers of a list of {answer, type}, each once; the text itself where it is none."""
    found = literal(answer)
    if not isinstance(found, list):
        return [answer]
    texts = [
        str(item.get("answer", "")).strip() if isinstance(item, dict) else str(item).strip()
        for item in found
    ]
    return list(dict.fromkeys(text for text in texts if text)) or [answer]


def _cells(row: Mapping[str, Any], place: Place) -> list[str]:
    """Texts of the highlighted cells, by (row, column) in the gold table."""
    table, chosen = list_of(row, "table_array", place), list_of(row, "highlighted_cell_ids", place)
    cells: list[str] = []
    for one in chosen:
        try:
            at, col = one
            cells.append(str(table[at][col]))
        except (TypeError, ValueError, IndexError, KeyError) as error:
            raise place.error(
                f"{str(one)[:40]} is no cell of the table",
                "highlighted_cell_ids",
                "Give [row, column] within table_array",
            ) from error
    return list(dict.fromkeys(cell for cell in cells if cell.strip()))


def _mmlongbench(row: Mapping[str, Any], place: Place) -> Case:
    case_id, question = _checked(row, "_id", "id")
    document = _pdf(text_of(row, "doc_id", "main_doc"))
    if not document:
        raise RowSkippedError("no_documents", "no document is named", case_id)
    answer = _answer(row, case_id, "answer")
    said = text_of(row, "answer_format").lower()
    if said and said not in _KINDS:
        raise place.error(
            f"{said[:40]!r} is no answer format", "answer_format", "Int, Float, Str, List or None"
        )
    kind = _KINDS[said] if said else _kind_of(answer)
    given = list_of(row, "evidence_pages", place)
    pages = pages_of(given, first=1, name="evidence_pages", place=place)
    return Case(
        case_id=case_id,
        set="mmlongbench",
        question=question,
        documents=[document],
        kind=kind,
        answers=[answer] if kind != "none" else [],
        items=_items(answer) if kind == "list" else [],
        gold=[GoldPlace(document=document, page=page) for page in pages],
        sources=[str(one) for one in list_of(row, "evidence_sources", place)],
        format=FORMATS["mmlongbench"],
        row=place.row,
    )


def _items(answer: str) -> list[str]:
    found = literal(answer)
    return [str(one) for one in found] if isinstance(found, (list, tuple)) else [answer]


def _kind_of(answer: str) -> AnswerKind:
    """The kind of an answer whose file does not say it."""
    if _UNANSWERABLE.fullmatch(answer):
        return "none"
    if answer.startswith("[") and isinstance(literal(answer), list):
        return "list"
    if _NUMBER.fullmatch(answer):
        return "int" if re.fullmatch(r"[-+]?[\d,]+", answer) else "float"
    return "str"


def _japanese(row: Mapping[str, Any], place: Place) -> Case:
    case_id, question = _checked(row, "id", "_id")
    document = _pdf(text_of(row, "target_file_name", "file"))
    if not document:
        raise RowSkippedError("no_documents", "no document is named", case_id)
    answer = text_of(row, "target_answer", "answer")
    number = text_of(row, "target_page_no", "page")
    given = literal(number) if number else []
    values: Sequence[Any] = given if isinstance(given, (list, tuple)) else [given]
    field = "target_page_no" if "target_page_no" in row else "page"
    if given is None:
        raise place.error(f"{number[:40]!r} is no page", field, "Write a whole number from 1")
    pages = pages_of(values, first=1, name=field, place=place)
    return Case(
        case_id=case_id,
        set="japanese",
        question=question,
        documents=[document],
        kind="text" if answer else "open",
        answers=[answer] if answer else [],
        gold=[GoldPlace(document=document, page=page) for page in pages],
        sources=[one for one in [text_of(row, "type")] if one],
        format=FORMATS["japanese"],
        row=place.row,
    )


def _own(row: Mapping[str, Any], place: Place) -> Case:
    case_id, question = _checked(row, "id")
    documents = names_of(row, "documents", place)
    if not documents:
        raise RowSkippedError("no_documents", "no document is named", case_id)
    said = text_of(row, "kind").lower()
    if said and said not in get_args(AnswerKind):
        raise place.error(f"{said[:40]!r} is no kind", "kind", ", ".join(get_args(AnswerKind)))
    given = row.get("answer")
    kind: AnswerKind
    answers: list[str]
    items: list[str]
    if "answer" not in row:
        kind, answers, items = "open", [], []
    elif given is None:
        kind, answers, items = "none", [], []
    elif isinstance(given, list):
        kind, answers, items = "list", [str(given)], [str(one) for one in given]
    else:
        answers, items = [_answer(row, case_id, "answer")], []
        kind = "int" if type(given) is int else "float" if type(given) is float else "text"
    if said:
        kind = next(one for one in get_args(AnswerKind) if one == said)
        items = items or (_items(answers[0]) if kind == "list" and answers else [])
        if kind not in ("none", "open") and not answers:
            raise RowSkippedError("no_answer", "the right answer is empty", case_id)
    form = text_of(row, "format") or FORMATS["own"]
    if form not in get_args(AnswerFormat):
        raise place.error(
            f"{form[:40]!r} is no format", "format", ", ".join(get_args(AnswerFormat))
        )
    return Case(
        case_id=case_id,
        set="own",
        question=question,
        documents=documents,
        kind=kind,
        answers=answers,
        items=items,
        gold=_gold(list_of(row, "pages", place), documents, place),
        format=next(one for one in get_args(AnswerFormat) if one == form),
        row=place.row,
    )


def _gold(given: Sequence[Any], documents: Sequence[str], place: Place) -> list[GoldPlace]:
    """Gold pages: numbers of the only document, or {document, page}."""
    gold: list[GoldPlace] = []
    for one in given:
        name, number = (
            (one.get("document"), one.get("page")) if isinstance(one, dict) else (documents[0], one)
        )
        if name not in documents or (not isinstance(one, dict) and len(documents) > 1):
            raise place.error(
                "A gold page names no document of the question",
                "pages",
                'Write {"document": NAME, "page": NUMBER}',
            )
        [page] = pages_of([number], first=1, name="pages", place=place)
        gold.append(GoldPlace(document=name, page=page))
    return gold


READERS: Mapping[SetName, Reader] = {
    "papertab": _visdom("papertab"),
    "fetatab": _visdom("fetatab"),
    "scigraphqa": _visdom("scigraphqa"),
    "spiqa": _visdom("spiqa"),
    "slidevqa": _visdom("slidevqa"),
    "mmlongbench": _mmlongbench,
    "japanese": _japanese,
    "own": _own,
}
