"""Digits that are no value: inside a name, of a citation or a footnote's mark, or a part of more.

Here: ``no_value`` and ``extent``. «GPT4», «[12]», «(Sato et al., 2029)» and «*16» tell no amount;
of a range, a code or a power of ten («6~70億», «4040-0004», «1.5 × 10−3») no part is the value.
Used by ``asked_part``.
"""

from __future__ import annotations

import re

from g2_pipelines.text.widths import narrow

_CURRENCY = re.compile(r"us|usd|eur|jpy|gbp|chf|inr|rmb|cny|rs|hk|nt")
_JOINED = re.compile(r"[a-z_][a-z\d_]*(?:[-_][a-z\d]*)*$")
_MARK = re.compile(r"(?:[*※†]|注)$")
_BRACKETED = re.compile(r"\[\s*\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*\s*\]")
_CITED = re.compile(
    r"\([^()]*?[A-Z][^()]*?,? (?:19|20)\d\d[a-z]?[^()]*\)|\bet al\.?,? \(?(?:19|20)\d\d[a-z]?\)?"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_CALENDAR = re.compile(r"\d{1,4}/\d{1,2}/\d{1,4}|\d{1,2}\.\d{1,2}\.(?:\d\d){1,2}")
#: Digits joined by a hyphen or a wave, with a unit or scale behind each, or a power of ten.
_PART = r"\d[\d,.]*(?<![,.])[千百万億兆]*(?:%|[kcm]?m|kg|[円人名社件台個回年月日点歳])?"
_RANGE = re.compile(rf"(?<![\d.,]){_PART}(?:\s?~\s?{_PART}|-{_PART})+")
_POWER = re.compile(r"\d[\d,.]*\s?[×x]\s?10\s?\^?[-−]?\d+")


def no_value(text: str, start: int, end: int) -> bool:
    """True for the digits at [start, end) that stand in a name, a citation or a mark."""
    plain = narrow(text)
    before = plain[:start]
    joined = _JOINED.search(before)
    if joined and not _CURRENCY.fullmatch(joined[0]):
        return True
    if _MARK.search(before):
        return True
    spans = [match.span() for match in _BRACKETED.finditer(plain)]
    spans += [match.span() for match in _CALENDAR.finditer(plain)]
    if _YEAR.fullmatch(plain[start:end].strip()):
        spans += [match.span() for match in _CITED.finditer(text)]
    return any(begin <= start < stop for begin, stop in spans)


def extent(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the whole range, code or power of ten around [start, end) stands, else itself."""
    plain = narrow(text)
    for pattern in (_POWER, _RANGE):
        for match in pattern.finditer(plain):
            if match.start() <= start < match.end():
                return match.start(), max(end, match.end())
    return start, end
