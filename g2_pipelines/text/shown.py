"""Text as it may be shown: nothing in it steers a terminal or turns the reading direction.

Here: ``neutral``, which strips, and ``escaped``, for JSON, which keeps. Stored source text stays
as it was read; only what is shown or said is made neutral.
"""

from __future__ import annotations

import re

_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_STEERING = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f{_BIDI}]")
_TURNING = re.compile(rf"[\x7f-\x9f{_BIDI}]")


def neutral(text: str) -> str:
    """``text`` without bidirectional controls (U+202E …) and control characters but tab and
    newline.
    """
    return _STEERING.sub("", text)


def escaped(json_text: str) -> str:
    """JSON with those characters as escapes: a parser reads the same values, a screen obeys
    none. They stand inside strings only.
    """
    return _TURNING.sub(lambda match: f"\\u{ord(match[0]):04x}", json_text)
