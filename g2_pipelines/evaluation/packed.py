"""The sources without white space: where a stretch of text stands, and what is copied.

Here: ``Packed``. Only modules of this package import it.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from functools import cached_property

from g2_pipelines.evaluation.sources import Source
from g2_pipelines.tables.rows import Span
from g2_pipelines.text.fold import fold

_SHINGLE = 16
_SOLID = re.compile(r"\S+")


class Packed:
    """Folded texts of sources without white space, each made when first asked for."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = sources

    @cached_property
    def texts(self) -> list[tuple[str, array[int]]]:
        """Per source: its folded text without white space, and each character's offset."""
        return [_packed(source.text) for source in self.sources]

    def find(self, text: str) -> Span | None:
        """Where ``text`` stands in the sources, width, case and white space apart."""
        wanted, _ = _packed(text)
        if not wanted:
            return None
        for source, (packed, offsets) in zip(self.sources, self.texts, strict=True):
            at = packed.find(wanted)
            if at >= 0:
                end = offsets[at + len(wanted) - 1] + 1
                return Span(source_id=source.source_id, start=offsets[at], end=end)
        return None

    @cached_property
    def _shingles(self) -> frozenset[str]:
        return frozenset(
            packed[i : i + _SHINGLE]
            for packed, _ in self.texts
            for i in range(len(packed) - _SHINGLE + 1)
        )

    def copied(self, text: str) -> tuple[int, int]:
        """(characters of ``text`` in stretches of 16 or more that stand in a source, all)."""
        packed, _ = _packed(text)
        covered = bytearray(len(packed))
        for i in range(len(packed) - _SHINGLE + 1):
            if packed[i : i + _SHINGLE] in self._shingles:
                covered[i : i + _SHINGLE] = b"\1" * _SHINGLE
        return sum(covered), len(packed)


def _packed(text: str) -> tuple[str, array[int]]:
    folded = fold(text)
    offsets = array("L")
    kept: list[str] = []
    for start, source, length, source_length in folded.runs:
        for match in _SOLID.finditer(folded.text, start, start + length):
            kept.append(match.group())
            if length == source_length:
                shift = source - start
                offsets.extend(range(match.start() + shift, match.end() + shift))
            else:  # one character of the source became several
                offsets.extend([source] * (match.end() - match.start()))
    return "".join(kept), offsets
