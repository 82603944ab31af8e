"""Characters drawn over others of their line: a page whose columns were pressed together.

Here: counting those of figures, for the warning that figures and signs may be mixed up there. Pure
functions; for ``pdfium_page``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from g2_pipelines.pdf.glyphs import Mark

#: A character covered by this share of the narrower one's width is drawn over.
COVERED = 0.5
#: Fewer of them on a page are a typesetter's overlay.
MIN_OVERDRAWN = 3


def overdrawn(marks: Sequence[Mark]) -> int:
    """How many digits and currency signs stand on another character of their line, or under one.

    The same character twice is a way to draw bold: it does not count.
    """
    lines: dict[int, list[tuple[float, float, str]]] = {}
    for text, box, _ in marks:
        if box is not None and text > " " and box[2] > box[0]:
            lines.setdefault(round(box[3]), []).append((box[0], box[2], text))
    count = 0
    for line in lines.values():
        line.sort()
        reach, last = float("-inf"), ("", 0.0)
        for x0, x1, text in line:
            if reach > x0:
                narrow = min(x1 - x0, last[1])
                if reach - x0 >= COVERED * narrow and text != last[0] and _counts(last[0], text):
                    count += 1
            if x1 >= reach:
                reach, last = x1, (text, x1 - x0)
    return count


def _counts(under: str, over: str) -> bool:
    """True where a figure can be misread: letters alone are mostly a ligature's."""
    return all(_is_word(char) for char in (under, over)) and any(
        char.isdigit() or unicodedata.category(char) == "Sc" for char in (under, over)
    )


def _is_word(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char) == "Sc"
