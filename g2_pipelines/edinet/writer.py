"""Clean text as it grows: white space folded, separators waiting for what follows.

Here: the writer that ``clean`` walks with. Its rules are ``clean``'s.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache

_RUN = re.compile(r"(\s+)")
_FOLDED = re.compile(r"[ \t\r\n\f\v]+")


@dataclass
class Writer:
    """Text so far; separators wait until a character follows them."""

    pieces: list[str] = field(default_factory=list)
    length: int = 0
    last: str = ""
    newline: bool = False
    tabs: int = 0
    space: list[str] = field(default_factory=list)
    waiting: list[list[int]] = field(default_factory=list)

    def write(self, text: str) -> None:
        """Add characters as the markup has them."""
        if not text or text.isspace():
            self.space.append(text)
        elif not (text[0].isspace() or text[-1].isspace()) and len(text.split(None, 1)) == 1:
            self._put(text)  # most pieces: Japanese has no spaces
        else:
            for piece in _RUN.split(text):
                if piece.isspace():
                    self.space.append(piece)
                elif piece:
                    self._put(piece)

    def _put(self, piece: str) -> None:
        before = self._separator(piece[0])
        if self.waiting:
            for place in self.waiting:
                place.append(self.length + len(before))
            self.waiting.clear()
        self.pieces.append(before + piece)
        self.length += len(before) + len(piece)
        self.last = piece[-1]

    def _separator(self, following: str) -> str:
        space = "".join(self.space) if self.space else ""
        self.space.clear()
        newline, self.newline = self.newline and self.length > 0, False
        tabs, self.tabs = self.tabs, 0
        if newline or tabs or not self.length:
            return ("\n" if newline else "") + "\t" * tabs
        if not space:
            return ""
        kept = _FOLDED.sub("", space)
        if kept:
            return kept
        if "\n" in space and _is_wide(self.last) and _is_wide(following):
            return ""
        return " "

    def next_place(self) -> list[int]:
        """A list that will hold where the next character stands, once it is written."""
        place: list[int] = []
        self.waiting.append(place)
        return place

    def forget(self, place: list[int]) -> None:
        """No character followed for ``place``; it stands at or near the end."""
        for index in range(len(self.waiting) - 1, -1, -1):
            if self.waiting[index] is place:
                del self.waiting[index]
                return

    def break_line(self) -> None:
        """What follows begins a line."""
        self.newline = True
        self.tabs = 0
        self.space.clear()

    def break_softly(self) -> None:
        """What follows is parted by a space."""
        self.space.append(" ")


@lru_cache(maxsize=8192)
def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"
