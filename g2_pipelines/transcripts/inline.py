"""Questions and answers in a running text: 「【問】…。　【答】…。　【問】…」 on one line.

Here: cutting such lines before every mark, so that each begins a line of its own. ``segment``
imports this module.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.transcripts.lines import Line

_INLINE = re.compile(
    r"(?<=[\s　。？?！!」』）)])(?:[【〔\[（(＜<](?:問|答|質問|回答|質|Q|A|Ｑ|Ａ|記者|社長)[^】〕\]）)＞>\n]{0,20}[】〕\]）)＞>](?=[^。\n])"
    r"|(?:問|答|質問|回答|Q|A|Ｑ|Ａ)[0-9０-９]{0,2}[：:](?=[^\n]{4}))"
)
MIN_LINES = 2


def cut_inline(text: str, lines: Sequence[Line]) -> list[Line]:
    """The lines, cut before each mark behind the first where at least two lines hold several."""
    cuts: dict[int, list[int]] = {}
    for number, line in enumerate(lines):
        if line.end - line.head < 8:
            continue
        begins = [m.start() for m in _INLINE.finditer(text, line.head, line.end)]
        begins = [b for b in begins if text[line.head : b].strip()]
        if begins and _INLINE.match(text, _first(text, line), line.end):
            cuts[number] = begins
    if len(cuts) < MIN_LINES:
        return list(lines)
    found: list[Line] = []
    for number, line in enumerate(lines):
        edges = [*cuts.get(number, []), line.end]
        begin, head = line.start, line.head
        for edge in edges:
            found.append(line._replace(start=begin, head=head, end=edge))
            begin = head = edge
    return found


def _first(text: str, line: Line) -> int:
    """Where the line's words begin; a mark there needs nothing before it."""
    piece = text[line.head : line.end]
    return line.head + len(piece) - len(piece.lstrip())
