"""Full-width forms of figures read as ASCII, character for character.

Here: ``narrow``, which keeps every offset. Used by ``numbers`` and ``periods``; ① and ㈱ stay
what they are, so that an enumeration never becomes a figure.
"""

from __future__ import annotations

import re

_TABLE = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_TABLE |= {ord(char): "-" for char in "‐‑‒–—−﹣―"}
_TABLE |= {ord(char): "~" for char in "〜∼～"}
_TABLE |= {code: chr(code + 32) for code in range(ord("A"), ord("Z") + 1)}
_TABLE |= {code: chr(code - 0xFEE0 + 32) for code in range(0xFF21, 0xFF3B)}
_TABLE |= {0x3000: " ", 0xA0: " ", 0x2009: " ", 0x202F: " ", 0xFFE5: "¥", 0x25B2: "△"}

_FOREIGN_DIGIT = re.compile(r"(?![0-9])\d")


def narrow(text: str) -> str:
    """``text`` with full-width ASCII, dashes, waves, ￥, ▲ and Latin case unified; same length.

    Digits of other scripts become NUL: a pattern's digit class would take them for figures.
    """
    return _FOREIGN_DIGIT.sub("\0", text.translate(_TABLE))
