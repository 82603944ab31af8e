"""The task port of transcripts: finding turns in text that has no labels.

Here: the Protocol and its values. Its implementation on a completion port is ``prompted``;
what is made of the answers, and when it is asked at all, stands in ``assisted``. ``defs`` may
import this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

from g2_pipelines.models.ports import Failure, Maker

FoundRole = Literal["presenter", "moderator", "question", "answer"]


class Window(NamedTuple):
    """Sentences to choose among, those just before them, and in which role these were said."""

    subject: str  # the transcript's id, for the ledger
    sentences: tuple[str, ...]
    before: tuple[str, ...] = ()
    role: FoundRole | None = None


class TurnStart(NamedTuple):
    """Somebody begins to speak at a sentence (its number in the window, from 0)."""

    sentence: int
    role: FoundRole


class FoundTurns(NamedTuple):
    """The starts of one window, ascending, and the calls that they came from."""

    starts: tuple[TurnStart, ...]
    call_keys: tuple[str, ...]


class TurnFinder(Maker, Protocol):
    """Chooses among given sentences; it cannot write any."""

    async def find(self, windows: Sequence[Window]) -> list[FoundTurns | Failure]:
        """The turns' starts of each window, or its typed failure, in order."""
        ...
