"""What a question set holds: cases with their right values, and the rows that are left out.

Here: ``Case``, ``GoldPlace``, ``Skipped``, ``CaseSet`` and the typed errors of question files.
Reading the files stands in ``load`` and ``rows``, scoring in ``score``. ``defs`` and benchmarks
may import this module.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from g2_pipelines.errors import InputError
from g2_pipelines.tables.line2 import AnswerFormat
from g2_pipelines.tables.rows import Row

#: Names of the sets that are known; an own file is ``own``.
SetName = Literal[
    "papertab", "fetatab", "scigraphqa", "spiqa", "slidevqa", "mmlongbench", "japanese", "own"
]
#: Of the right answer. text: free words; none: not answerable; open: no right answer is given.
AnswerKind = Literal["int", "float", "str", "list", "text", "none", "open"]
SkipReason = Literal["duplicate", "broken_question", "no_answer", "no_documents"]


class GoldPlace(Row):
    """A page that holds evidence: the document as the set names it, the page 1-based.

    ``page`` 0: the document is known, the page is not.
    """

    document: str
    page: int = Field(ge=0)


class Case(Row):
    """A question with its right values.

    case_id: a key, unique in its set. documents: as the set names them, the candidates.
    answers: right answers, any of which will do; of a list, one a text in ``items``.
    cells: highlighted (row, column, text) of the gold table, for sets that have them.
    format: what is asked of the reader. It never depends on the right answer.
    """

    case_id: str
    set: SetName
    question: str
    documents: list[str]
    kind: AnswerKind
    answers: list[str] = []
    items: list[str] = []
    gold: list[GoldPlace] = []
    cells: list[str] = []
    sources: list[str] = []
    format: AnswerFormat = "sentence"
    row: int = Field(ge=1)

    @property
    def pages(self) -> list[GoldPlace]:
        """Gold places whose page is known."""
        return [place for place in self.gold if place.page > 0]


class Skipped(Row):
    """A row that is no case of its own, and why; it is reported, never dropped in silence."""

    row: int
    case_id: str
    reason: SkipReason
    message: str


class CaseSet(Row):
    """A loaded question file."""

    name: SetName
    file: str
    digest: str
    rows: int
    cases: list[Case]
    skipped: list[Skipped] = []


class QuestionSetError(InputError):
    """A question file cannot be read as a question set; ``place`` is the row and field."""

    code: ClassVar[str] = "bad_question_set"


class UnknownSetError(QuestionSetError):
    """A question file is of no known form."""

    code: ClassVar[str] = "unknown_question_set"
