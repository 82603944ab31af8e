"""What the extractive implementation finds in evidence, or why it finds nothing.

Here: ``Hit``, ``Miss`` and ``Scope`` (the question's words with their weights, and the
context that every candidate of a node shares). Used by ``cells``, ``passages`` and ``find``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from g2_pipelines.qa.asking import Asked
from g2_pipelines.qa.matching import Prepared, Word, held
from g2_pipelines.qa.pinned import Around
from g2_pipelines.qa.ports import Operation, Quote
from g2_pipelines.tables.line2 import CopiedValue, GapKind

#: A candidate below this weighted share of the question's words is no answer.
ENOUGH = 0.66
#: The same for an open question (how, why, explain), which no sentence answers whole.
ENOUGH_OPEN = 0.5
#: What a word counts that stands beside the candidate, not in it.
IN_CONTEXT = 0.85
IN_NODE = 0.7
IN_DOCUMENT = 0.3
#: For a value or a name the words must stand near it: numbers are many, sentences few.
FAR_FOR_VALUES = 0.45


@dataclass(frozen=True)
class Hit:
    """An answer with the characters that carry it.

    ``short`` is the value or label alone, ``answer`` a statement of it, ``coverage`` the
    weighted share of the question's words that it and its context hold.
    """

    short: str
    answer: str
    quotes: tuple[Quote, ...]
    coverage: float
    score: float
    values: tuple[CopiedValue, ...] = ()
    operation: Operation = ""
    from_cell: bool = False
    column: str = ""  # the header of the cell
    whole: bool = False  # a cell whose row is the asked item itself
    qualified: bool = False  # the value is a target or forecast, which was not asked for
    around: Around | None = None  # of a value: what stands around it


@dataclass(frozen=True)
class Miss:
    """Why nothing was found: words that no evidence holds, or that stand nowhere together.

    ``rivals`` are values that fit equally well: ambiguous, or conflicting where two tables
    give the same row and column different values.
    """

    missing: tuple[str, ...]
    apart: bool = False
    lack: GapKind = "missing"
    rivals: tuple[str, ...] = ()
    quotes: tuple[Quote, ...] = ()  # of the rivals, where they conflict
    qualified: str = ""  # the sentence that gives the value as a target or forecast only


@dataclass(frozen=True)
class Scope:
    """The question's words and how telling they are; ``document`` is all evidence together."""

    asked: Asked
    words: tuple[Word, ...]
    weights: dict[Word, float]
    topic: Prepared
    document: Prepared

    @property
    def enough(self) -> float:
        """The coverage that an answer needs."""
        loose = self.asked.kind == "text" and not self.asked.which
        return ENOUGH_OPEN if loose else ENOUGH

    def coverage(
        self, layers: Sequence[tuple[float, Prepared]], *, near: Sequence[Prepared]
    ) -> tuple[float, list[Word]]:
        """As ``share``, from ``layers`` of (what a word in it counts, its text).

        What is asked for must stand in one of ``near``: the sentence itself, its caption and
        headings, not the sentence before, which may be about another thing.
        """
        best = {
            word: max((factor * held(word, text) for factor, text in layers), default=0.0)
            for word in self.words
        }
        if self.asked.kind != "text":
            for word in self.asked.head:
                if word in best:
                    best[word] = max(held(word, text) for text in near)
        return self.share(best)

    def share(self, best: Mapping[Word, float]) -> tuple[float, list[Word]]:
        """The weighted share of words held, given how far each is, and strict ones unmet.

        A strict word that stands only elsewhere in the document is unmet, unless it is a name
        and the document is about it; so is the very thing that is asked for (販売価格). Any
        other word counts little or nothing when it stands elsewhere.
        """
        total = sum(self.weights.values())
        if not total:
            return 0.0, []
        got = 0.0
        unmet: list[Word] = []
        for word in self.words:
            value = best[word]
            if word.strict and value < 0.5:
                if word.is_figure or held(word, self.topic) < 1.0:
                    unmet.append(word)
                else:
                    value = IN_NODE
            elif value < 0.5 and word in self.asked.head and self.asked.kind != "text":
                unmet.append(word)
            elif value == 0.0 and self.asked.kind == "text" and held(word, self.document) >= 1.0:
                value = IN_DOCUMENT
            got += self.weights[word] * value
        return got / total, unmet
