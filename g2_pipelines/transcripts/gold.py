"""Gold files of transcripts.

Here: the gold's form, and finding its turns in the clean text. How well a parse fits stands in
``gold_fit``. Benchmarks, tests and notebooks may import this module; the
pipeline does not.

A gold names its turns by their first and last characters, so that it can be written without
knowing any offset. Moderators' turns belong to no chunk here: a gold may leave them out.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from g2_pipelines.errors import InputError
from g2_pipelines.tables.line1 import (
    DocumentKind,
    Role,
    Segmentation,
)
from g2_pipelines.tables.rows import Row
from g2_pipelines.transcripts.clean import INVISIBLE


class GoldTurn(Row):
    """A turn: who says it in which role, its body's first and last characters."""

    speaker: str | None = None
    organisation: str | None = None
    role: Role
    start_text: str
    end_text: str


class GoldChunk(Row):
    """A chunk as numbers of its turns."""

    part: Literal["presentation", "qa"]
    turns: list[int]
    pattern: str | None = None
    n_questions: int = 0
    is_followup: bool = False


class Gold(Row):
    """What a reader finds in one transcript."""

    style: str
    traps: list[str] = []
    document_kind: DocumentKind
    segmentation: Segmentation
    qa_start: str | None = None
    turns: list[GoldTurn]
    chunks: list[GoldChunk]
    dropped: list[str] = []
    encoding: str = "utf-8"
    notes: list[str] = []  # the author's, for people


class GoldMismatchError(InputError):
    """A gold names words that its transcript does not hold in that order."""

    code = "gold_mismatch"


class GoldPlace(NamedTuple):
    """[start, end) of a gold turn's body in the clean text."""

    start: int
    end: int


def places(text: str, gold: Gold) -> list[GoldPlace]:
    """Where the gold's turns stand in ``text``; white space and invisible marks do not count.

    Raises:
        GoldMismatchError: A turn's words do not follow the turn before.
    """
    kept = [i for i, character in enumerate(text) if not character.isspace()]
    squeezed = "".join(text[i] for i in kept)
    found = []
    cursor = 0
    for number, turn in enumerate(gold.turns):
        first, last = bare(turn.start_text), bare(turn.end_text)
        start = squeezed.find(first, cursor)
        end = squeezed.find(last, max(start, start + len(first) - len(last))) if start >= 0 else -1
        if start < 0 or end < 0 or not first:
            raise GoldMismatchError(
                f"The gold's turn {number} is not in the text",
                place=f"{turn.start_text[:30]} … {turn.end_text[-20:]}",
                remedy="Correct the gold",
            )
        cursor = end + len(last)
        found.append(GoldPlace(kept[start], kept[cursor - 1] + 1))
    return found


def gold_cuts(text: str, gold: Gold) -> tuple[list[int], list[int]]:
    """Starts of the gold's turns but the moderators', and which of them begin an inner chunk.

    For baselines, which are scored on the gold's own turns.
    """
    spots = places(text, gold)
    heads = sorted(
        min(starts)
        for chunk in gold.chunks
        if (starts := [spots[i].start for i in chunk.turns if gold.turns[i].role != "moderator"])
    )
    units = [s.start for s, t in zip(spots, gold.turns, strict=True) if t.role != "moderator"]
    return units, heads[1:]


def find(text: str, words: str) -> int | None:
    """Where ``words`` stand in ``text`` for the first time, white space not counted."""
    kept = [i for i, character in enumerate(text) if not character.isspace()]
    place = "".join(text[i] for i in kept).find(bare(words))
    return kept[place] if place >= 0 else None


#: A cue's number for its speaker, which is no word of the clean text.
_CUE_LABEL = re.compile(r"(?:[A-Z]{0,7}_|話者)[0-9]{1,3}[:：]")


def bare(words: str) -> str:
    """Words without white space, invisible marks and numbers of cues."""
    return "".join(_CUE_LABEL.sub("", INVISIBLE.sub("", words)).split())
