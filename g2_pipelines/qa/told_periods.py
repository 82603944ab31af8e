"""The period that an amount of a sentence is of, and whether two periods may be one.

Here: ``bound`` (only where the sentence leaves no doubt), ``times``, ``periods_of``,
``years_called``, ``shown``, ``agree`` and ``equal``. What the keys mean stands in ``text.periods``.
Used by ``told``, ``agreement`` and ``checks``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.qa.amounts import Amount
from g2_pipelines.text.periods import Period, periods

_ORIGIN = re.compile(r"(?:since|founded in|established in|from its start in|born in|built in)\s*$")
_ORIGIN_AFTER = re.compile(r"\s*(?:年)?(?:以来|以降|設立|創業|創立|開業|生まれ)")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_KEY_YEAR = re.compile(r"(?<!\d)(\d{4})(?:-(\d\d))?")
_PART = re.compile(r"(?:^|-)([QH]\d)$")
_IN = re.compile(r" (?:in|for|of|at|during)(?: the)?(?: end of)? ")
_WAS = re.compile(r"[\s:]*(?:は|に|には|が|の|で|末は|末に|,|it was|was)?[\s約:]*")
_TERMS = frozenset({"current", "previous", "before_previous", "next"})
_FIRST_HALF = 6
_BEGUN = "fy"  #: key of a Japanese 年度


def times(plain: str, amounts: Sequence[Amount]) -> list[tuple[int, int, str]]:
    """(start, end, key) of the periods and bare years of a folded text, in order."""
    known = [(one.start, one.end, _key(one)) for one in periods(plain)]
    used = bytearray(len(plain))
    for start, end in [(s, e) for s, e, _ in known] + [(one.start, one.end) for one in amounts]:
        used[start:end] = b"\x01" * (end - start)
    years = [
        (match.start(), match.end(), match[0])
        for match in _YEAR.finditer(plain)
        if not used[match.start()]
    ]
    return sorted(known + years)


def bound(
    plain: str, amounts: Sequence[Amount], times: Sequence[tuple[int, int, str]]
) -> dict[int, frozenset[str]]:
    """Period keys by the start of the amount that they are of."""
    kept = [
        one
        for one in times
        if not _ORIGIN.search(plain[max(0, one[0] - 24) : one[0]])
        and not _ORIGIN_AFTER.match(plain, one[1])
    ]
    rest_amounts, rest_times = list(amounts), list(kept)
    found: dict[int, frozenset[str]] = {}
    first, last = min(a.start for a in amounts), max(a.end for a in amounts)
    begin = min([first, *(s for s, _, _ in kept)])
    stop = max([last, *(e for _, e, _ in kept)])
    for match in re.finditer(r"\([^()]*\)", plain[begin : stop + 2]):
        low, high = begin + match.start(), begin + match.end()
        inside = [a for a in rest_amounts if low <= a.start < high]
        within = [t for t in rest_times if low <= t[0] < high]
        if inside and within:
            found |= _paired(plain, inside, within)
            rest_amounts = [a for a in rest_amounts if a not in inside]
            rest_times = [t for t in rest_times if t not in within]
    return found | _paired(plain, rest_amounts, rest_times)


def _paired(
    plain: str, amounts: Sequence[Amount], times: Sequence[tuple[int, int, str]]
) -> dict[int, frozenset[str]]:
    """One period of all amounts behind it, one each in turn or in order, else by what touches."""
    if not amounts or not times:
        return {}
    if len(times) == 1:
        only = frozenset({times[0][2]})
        if len(amounts) == 1 or times[0][0] < amounts[0].start:
            return {one.start: only for one in amounts}
    if len(times) != len(amounts):
        return _touching(plain, amounts, times)
    marks = sorted([(a.start, "a") for a in amounts] + [(t[0], "t") for t in times])
    kinds = "".join(kind for _, kind in marks)
    half = len(amounts)
    if kinds not in ("at" * half, "ta" * half, "a" * half + "t" * half, "t" * half + "a" * half):
        return _touching(plain, amounts, times)
    ordered = sorted(times)
    return {one.start: frozenset({time[2]}) for one, time in zip(amounts, ordered, strict=True)}


def _touching(
    plain: str, amounts: Sequence[Amount], times: Sequence[tuple[int, int, str]]
) -> dict[int, frozenset[str]]:
    """«515 in 2031», «2031年は515»: nothing but a particle stands between them."""
    found: dict[int, frozenset[str]] = {}
    for one in amounts:
        for start, end, key in times:
            behind = one.end <= start and _IN.fullmatch(plain, one.end, start)
            before = end <= one.start and _WAS.fullmatch(plain, end, one.start)
            if behind or before:
                found[one.start] = found.get(one.start, frozenset()) | {key}
    return found


def years_called(text: str) -> set[str]:
    """The years that the fiscal periods of a folded text are called by, also as the year before."""
    keys = [one.key for one in periods(text)]
    return {str(year) for key in keys if key.startswith("FY") for year in _years(key)}


def periods_of(text: str) -> frozenset[str]:
    """All period keys of a folded text, bare years included."""
    found = {_key(one) for one in periods(text)}
    return frozenset(found or {match[0] for match in _YEAR.finditer(text)})


def agree(one: frozenset[str], other: frozenset[str]) -> bool:
    """True where a period of ``one`` may be one of ``other``; nothing is said against none."""
    return not one or not other or any(_same(a, b) for a in one for b in other)


def equal(one: frozenset[str], other: frozenset[str]) -> bool:
    """True where a period of ``one`` surely is one of ``other``."""
    return any(a == b or (_one_year(a, b) and _part(a) == _part(b)) for a in one for b in other)


def _same(one: str, other: str) -> bool:
    if _years(one) and _years(other) and not _one_year(one, other):
        return False
    part, another = _part(one), _part(other)
    if part and another and part != another:
        return False
    return not (one in _TERMS and other in _TERMS and one != other)


def _one_year(one: str, other: str) -> bool:
    """Whether two keys may be one year; two that both name a month must name the same year."""
    first, second = _KEY_YEAR.search(one), _KEY_YEAR.search(other)
    if first and second and first[2] and second[2]:
        return first[1] == second[1]
    if first and second and (one.startswith(_BEGUN) or other.startswith(_BEGUN)):
        return _begun(first) == _begun(second)
    return bool(_years(one) & _years(other))


def _key(period: Period) -> str:
    """The period's key; 2030年度 is marked as a year called by where it begins."""
    begun = period.key.startswith("FY") and "年度" in period.text
    return period.key.replace("FY", _BEGUN, 1) if begun else period.key


def shown(keys: frozenset[str]) -> str:
    """Keys as they are told, in order."""
    return ", ".join(sorted(key.replace(_BEGUN, "FY", 1) for key in keys))


def _begun(key: re.Match[str]) -> int:
    """The calendar year that a fiscal year begins in: 2030年度 ends in March 2031."""
    early = key[2] is not None and int(key[2]) <= _FIRST_HALF
    return int(key[1]) - early


def _years(key: str) -> frozenset[int]:
    """The years that a key may be called: one that ends by June is also the year before."""
    match = _KEY_YEAR.search(key)
    if match is None:
        return frozenset()
    year = int(match[1])
    early = match[2] is not None and int(match[2]) <= _FIRST_HALF
    return frozenset({year, year - 1} if early else {year})


def _part(key: str) -> str:
    match = _PART.search(key)
    return match[1] if match else ""
