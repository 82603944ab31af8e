"""Periods as places on a line: whether two keys mean two times.

Here: ``time_of`` and ``times_differ``. Only modules of this package import it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

_BASES = {
    "before_previous": -2,
    "same_before_last_year": -2,
    "previous": -1,
    "same_last_year": -1,
    "current": 0,
    "next": 1,
}
_WORD = re.compile(r"([a-z_]+?)(?:-(Q[1-4]|H[12]|full))?")
_FISCAL = re.compile(r"FY(\d{4})(?:-(\d\d))?(?:-(Q[1-4]|H[12]|full))?")
_PART = re.compile(r"Q[1-4]|H[12]|full")
#: The half and the quarter that end with it are told of alike (累計期間).
_ALIKE = (frozenset({"Q2", "H1"}), frozenset({"Q4", "H2", "full"}))


class Time(NamedTuple):
    """``base`` counts years (``word``) or months (``month``), None where not said."""

    scheme: Literal["word", "month", "year", ""]
    base: int | None = None
    part: str = ""


@lru_cache(maxsize=1024)
def time_of(key: str) -> Time:
    """A period's key on its line; ``Time("")`` for a date, a month or a numbered term."""
    if _PART.fullmatch(key):
        return Time("word", None, key)
    word = _WORD.fullmatch(key)
    if word is not None and word[1] in _BASES:
        return Time("word", _BASES[word[1]], word[2] or "")
    fiscal = _FISCAL.fullmatch(key)
    if fiscal is None:
        return Time("")
    year, month = int(fiscal[1]), fiscal[2]
    if month is None:
        return Time("year", year, fiscal[3] or "")
    return Time("month", year * 12 + int(month), fiscal[3] or "")


def times_differ(a: str, b: str) -> bool:
    """Whether two keys mean two times; False where they are named in ways that do not compare.

    当期 and 2025年3月期 may be the same; 上期 and 下期 are not.
    """
    one, other = time_of(a), time_of(b)
    if one.scheme and one.scheme == other.scheme:
        if one.base is not None and other.base is not None and one.base != other.base:
            return True
    elif not (one.part and other.part) or "" in {one.scheme, other.scheme}:
        return False
    if not one.part or not other.part or one.part == other.part:
        return False
    return not any({one.part, other.part} <= alike for alike in _ALIKE)
