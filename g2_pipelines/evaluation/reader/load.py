"""Question files of benchmarks: CSV, JSON or JSONL, of a known set or of our own form.

Here: ``load_cases``, which finds out the set, reads its rows (see ``rows``), and keeps each
question once. What is left out is listed with its reason. A file that is not what it says
is one typed error that names file, row and field. Nothing is read from disk here.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

from g2_pipelines.evaluation.reader.case import (
    Case,
    CaseSet,
    QuestionSetError,
    SetName,
    Skipped,
    UnknownSetError,
)
from g2_pipelines.evaluation.reader.fields import Place
from g2_pipelines.evaluation.reader.rows import READERS, RowSkippedError
from g2_pipelines.keys import digest_of

MAX_BYTES = 500_000_000
_CSV_FIELD = 50_000_000
_SUB_DOMAINS: dict[str, SetName] = {
    "paper_tab": "papertab",
    "papertab": "papertab",
    "feta_tab": "fetatab",
    "fetatab": "fetatab",
    "scigraphqa": "scigraphqa",
    "scgqa": "scigraphqa",
    "scigraphvqa": "scigraphqa",
    "spiqa": "spiqa",
    "slidevqa": "slidevqa",
}


def load_cases(content: bytes, file: str, *, name: SetName | None = None) -> CaseSet:
    """The cases of a question file.

    A row whose id and question came before is a duplicate; the same id with another question
    gets an id of its own by its text. Rows without a usable question, answer or document are
    left out and listed.

    Args:
        content: The file's bytes, UTF-8 (with or without a byte order mark).
        file: Its name, for errors, and for the set where no column tells it.
        name: The set, where it is known.

    Raises:
        QuestionSetError: it cannot be read, or a field is not what its set says.
        UnknownSetError: it is of no known form.
    """
    rows = list(_rows(content, file))
    if not rows:
        raise QuestionSetError("The file holds no question", file=file, remedy="Add rows")
    found = name or _set_of(rows[0][1], file)
    read = READERS[found]
    cases: list[Case] = []
    skipped: list[Skipped] = []
    known: set[str] = set()
    asked: dict[tuple[str, str, str], Case] = {}
    for number, row in rows:
        try:
            case = read(row, Place(file, number))
        except RowSkippedError as skip:
            skipped.append(
                Skipped(row=number, case_id=skip.case_id, reason=skip.reason, message=skip.message)
            )
            continue
        # Sets of many documents a question have ids; elsewhere the document makes a question.
        about = case.documents[0] if len(case.documents) == 1 else ""
        key = (case.case_id, " ".join(case.question.split()), about)
        if key in asked:
            message = f"the same id, question and document stand in row {asked[key].row}"
            if asked[key].answers != case.answers:
                message += ", with another right answer"
            skipped.append(
                Skipped(row=number, case_id=case.case_id, reason="duplicate", message=message)
            )
            continue
        asked[key] = case
        if case.case_id in known:
            tail = digest_of("\n".join([case.question, *case.documents]).encode())[:8]
            case = case.model_copy(update={"case_id": f"{case.case_id[:55]}-{tail}"})
        known.add(case.case_id)
        cases.append(case)
    return CaseSet(
        name=found,
        file=file,
        digest=digest_of(content),
        rows=len(rows),
        cases=cases,
        skipped=skipped,
    )


#: Columns that only one set has.
_COLUMNS: tuple[tuple[frozenset[str], SetName], ...] = (
    (frozenset({"answer_format"}), "mmlongbench"),
    (frozenset({"deck_url"}), "slidevqa"),
    (frozenset({"arithmetic_expression"}), "slidevqa"),
    (frozenset({"highlighted_cell_ids"}), "fetatab"),
    (frozenset({"reference_figure"}), "spiqa"),
    (frozenset({"first_mention"}), "scigraphqa"),
    (frozenset({"doc_path", "evidence", "abstract"}), "papertab"),
    (frozenset({"target_file_name"}), "japanese"),
    (frozenset({"file", "page", "question"}), "japanese"),
)


def _set_of(row: Mapping[str, Any], file: str) -> SetName:
    """The set by a column that says so, by columns that only it has, else by the file's name."""
    said = str(row.get("sub_domain", "")).strip().lower()
    if said in _SUB_DOMAINS:
        return _SUB_DOMAINS[said]
    if said.startswith("mmlongbench"):
        return "mmlongbench"
    for columns, name in _COLUMNS:
        if columns <= row.keys():
            return name
    ids = str(row.get("q_id", row.get("_id", ""))).lower()
    named = [ids, file.rsplit("/", 1)[-1].lower()]
    for part, name in _SUB_DOMAINS.items():
        if any(part in text for text in named):
            return name
    if "question" in row and "documents" in row:
        return "own"
    raise UnknownSetError(
        "The columns are of no known question set",
        file=file,
        place=", ".join(str(name) for name in list(row)[:12]),
        remedy="Name the set, or give question, documents and answer",
    )


def _rows(content: bytes, file: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Rows with their number from 1; of CSV the header is row 0."""
    if len(content) > MAX_BYTES:
        raise QuestionSetError(
            f"The file has {len(content)} bytes, at most {MAX_BYTES} are read", file=file
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise QuestionSetError(
            f"The file is not UTF-8 at byte {error.start}", file=file, remedy="Save it as UTF-8"
        ) from error
    start = text.lstrip()[:1]
    if start == "[":
        yield from _of_json(text, file)
    elif start == "{":
        yield from _of_lines(text, file)
    else:
        yield from _of_csv(text, file)


def _of_json(text: str, file: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise QuestionSetError(f"The JSON cannot be read: {error}", file=file) from error
    for number, row in enumerate(rows, start=1):
        yield number, _object(row, file, number)


def _of_lines(text: str, file: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    number = 0
    # Not splitlines: a question may hold U+2028.
    for at, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        number += 1
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise QuestionSetError(
                f"The line is no JSON: {error}", file=file, place=f"line {at}"
            ) from error
        yield number, _object(row, file, number)


def _object(row: object, file: str, number: int) -> Mapping[str, Any]:
    if not isinstance(row, dict):
        raise QuestionSetError("The row is no object", file=file, place=f"row {number}")
    return row


def _of_csv(text: str, file: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    # Broken quotes are to be an error, not a field that swallows the rows after it.
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    limit = csv.field_size_limit(_CSV_FIELD)  # of the whole process: read at once, put back
    try:
        rows = list(reader)
    except csv.Error as error:
        raise QuestionSetError(
            f"The CSV cannot be read: {error}", file=file, place=f"line {reader.line_num}"
        ) from error
    finally:
        csv.field_size_limit(limit)
    for number, row in enumerate(rows, start=1):
        if None in row or None in row.values():
            raise QuestionSetError(
                "The row has more or fewer fields than the header",
                file=file,
                place=f"row {number}",
                remedy="Quote fields that hold commas or line ends",
            )
        yield number, row
