"""The clean text and its way back to the original.

Here: ``CleanText``, ``Timing`` and ``TextBuilder``, with which every reader writes its text
so that each character keeps its place in the decoded original. What to keep is the readers'
affair. Readers and ``make`` may import this module.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from g2_pipelines.tables.rows import Offset

#: Removed everywhere: BOM, zero-width and bidirectional marks, soft hyphen, control characters.
INVISIBLE = re.compile(
    "[\ufeff\u200b-\u200f\u202a-\u202e\u2060-\u2069\u00ad\x00-\x08\x0e-\x1f\x7f]+"
)
_LINE_END = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")


class Timing(NamedTuple):
    """[start, end) of the clean text was spoken from ``t0`` to ``t1`` (seconds) by ``speaker``.

    Times or speaker are None where the source does not give them.
    """

    start: int
    end: int
    t0: float | None
    t1: float | None
    speaker: str | None


@dataclass(frozen=True)
class CleanText:
    """A transcript's clean text.

    ``offsets`` lead from ``text`` into the decoded original (code points); characters that
    the reader added (line ends between elements) have no run. ``format`` is txt, markdown,
    html, srt, vtt, json, diet_json, docx or pdf.
    """

    text: str
    offsets: list[Offset]
    encoding: str
    title: str | None
    format: str
    timings: list[Timing] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


class TextBuilder:
    """Appends pieces of a source and remembers where each came from."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._runs: list[tuple[int, int, int]] = []
        self.length = 0
        self._tail = ""

    def add(self, piece: str, source_start: int) -> None:
        """Append ``piece``, whose characters stand one for one at ``source_start``."""
        if not piece:
            return
        if self._runs:
            start, source, length = self._runs[-1]
            if start + length == self.length and source + length == source_start:
                self._runs[-1] = (start, source, length + len(piece))
                self._append(piece)
                return
        self._runs.append((self.length, source_start, len(piece)))
        self._append(piece)

    def clean(self, piece: str, source_start: int) -> None:
        r"""Append ``piece`` without invisible characters and with ``\\n`` as its line ends."""
        position = 0
        for match in INVISIBLE.finditer(piece):
            self._lines(piece[position : match.start()], source_start + position)
            position = match.end()
        self._lines(piece[position:], source_start + position)

    def _lines(self, piece: str, source_start: int) -> None:
        position = 0
        for match in _LINE_END.finditer(piece):
            self.add(piece[position : match.start()], source_start + position)
            self.add("\n", source_start + match.start())
            position = match.end()
        self.add(piece[position:], source_start + position)

    def insert(self, piece: str) -> None:
        """Append characters that the source does not have (no run will cover them)."""
        self._append(piece)

    def line_end(self) -> None:
        """Begin a new line unless the text stands at one's beginning."""
        if self.length and self._tail != "\n":
            self.insert("\n")

    def _append(self, piece: str) -> None:
        if piece:
            self._parts.append(piece)
            self.length += len(piece)
            self._tail = piece[-1]

    def text(self) -> str:
        """All that was appended."""
        return "".join(self._parts)

    def offsets(self) -> list[Offset]:
        """The offset map of ``text``, ascending."""
        return [
            Offset(start=start, source_start=source, length=length)
            for start, source, length in self._runs
        ]
