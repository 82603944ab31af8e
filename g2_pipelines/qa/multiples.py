"""Multiples, shares and directions in words: doubled, a third of, 倍増, 半減, rose from 5 to 3.

Here: ``Multiple``, ``multiples`` and ``unfounded_multiples``. Such a word is a figure: a source
must say it, or two of its amounts that belong together must have that ratio. Ratios are taken
within a sentence or a table's row or column, never over a whole document. Used by ``checks``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Literal

from g2_pipelines.qa.agreement import Sources
from g2_pipelines.qa.amounts import Amount, amounts_in, plain_text
from g2_pipelines.qa.grids import Grid
from g2_pipelines.qa.told import LONGEST, MOST_AMOUNTS, folded_sentences, names
from g2_pipelines.text.fold import fold_text

_SMALL = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "eight": 8, "nine": 9, "ten": 10, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5,
    "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
}  # fmt: skip
_ORDINALS = {
    "half": 2, "halves": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6,
    "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
}  # fmt: skip
_COUNT = r"\d{1,3}|[一二三四五六七八九十]"
_WORDS: tuple[tuple[re.Pattern[str], Decimal], ...] = tuple(
    (re.compile(pattern), Decimal(value))
    for pattern, value in (
        (r"\bdoubl(?:ed|es|ing)\b(?!-)|\b(?:to|will|would|did) double\b|\bdouble (?:that|the|what|its|their)\b"
         r"|\btwice (?:that|the|as|its|their|what)\b|\b(?:two|2)-?fold\b|倍増|(?<![\d.一二三四五六七八九十数])倍(?:に|となっ|へ)", "2"),
        (r"\btripl(?:ed|es|ing)\b|\b(?:three|3)-?fold\b|\bthrice\b", "3"),
        (r"\bquadrupl(?:ed|es|ing)\b|\b(?:four|4)-?fold\b", "4"),
        (r"\bquintupl(?:ed|es|ing)\b|\b(?:five|5)-?fold\b", "5"),
        (r"\b(?:ten|10)-?fold\b", "10"),
        (r"\bhalv(?:ed|es|ing)\b|\bby half\b|\bhalf (?:of|the|that|as|its|their)\b|半減|半分|半数", "0.5"),
    )
)  # fmt: skip
_TIMES = re.compile(
    r"(?<![\d.,])(\d{1,4}(?:\.\d+)?) ?(?:times\b(?! (?:a|an|per|each|every|in|daily|weekly)\b)|-?fold\b|倍)"
)
_PART = re.compile(
    rf"\b(?P<top>{'|'.join(k for k in _SMALL if k.isascii())}|\d{{1,2}})[ -](?P<low>{'|'.join(_ORDINALS)})s?"
    r"(?= of\b| the\b|[ ]?[,.;)]|$)"
    rf"|(?P<low_ja>{_COUNT})分の(?P<top_ja>{_COUNT})"
)
_MORE = re.compile(r"(?:more than|over|above|at least|exceed\w*|超え?る?|以上|過)\s*$")
_LESS = re.compile(r"(?:less than|under|below|fewer than)\s*$")
_ABOUT = re.compile(
    r"(?:about|around|roughly|nearly|almost|approximately|some|close to|約|ほぼ|およそ|近く)\s*$"
)
_MORE_JA = re.compile(r"\s*(?:以上|超|を超え|を上回|強)")
_LESS_JA = re.compile(r"\s*(?:未満|以下|弱|を下回)")
_EXACT, _ROUGH = Decimal("0.05"), Decimal("0.15")
_UP = re.compile(r"\b(?:rose|rise[sn]?|grew|grow[ns]?|increas\w*|climb\w*|up)\b|増|上昇|伸び|拡大")
_DOWN = re.compile(
    r"\b(?:fell|falls?|fallen|declin\w*|decreas\w*|drop\w*|reduc\w*|down|shrank|shrunk)\b"
    r"|減|低下|下落|縮小"
)
_FROM = re.compile(r"\bfrom\s*$")
_TO = re.compile(r"^\s*(?:\([^()]*\)\s*|in [^,;]{2,16} )?to\s*$")
_BACK = re.compile(
    r"^[ ,]*(?:in [^,;]{2,16},? |\([^()]*\),? )?(?:up|down|(?:which |that )?(?:is|was) (?:up|down)|rising|falling"
    r"|compared|increased|decreased)?,? from (?:a |an )?$"
)
_BACK_JA = re.compile(r"[^。0-9]{0,4}(?:で|と|となり|に|、|であり)?、?[^。、\d]{0,16}")
_FROM_JA = re.compile(r"^(?:\([^()]*\))?(?:から|より)")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_ROW_CELLS = 60


@dataclass(frozen=True)
class Multiple:
    """A factor said in words at [start, end) of a folded text; ``bound``: exactly, more, less."""

    start: int
    end: int
    text: str
    value: Decimal
    bound: Literal["about", "more", "less"]
    slack: Decimal


@lru_cache(maxsize=1024)
def amounts_of_text(plain: str) -> tuple[Amount, ...]:
    """The amounts of a folded text, in order; kept for the texts asked last."""
    return tuple(amounts_in(plain))


def multiples(plain: str) -> list[Multiple]:
    """The factors and shares of a folded text, in order, not overlapping."""
    found: list[tuple[int, int, Decimal]] = []
    for match in _PART.finditer(plain):
        top, low = match["top"] or match["top_ja"], match["low"] or match["low_ja"]
        above = _number(top)
        below = _ORDINALS.get(low) or _number(low)
        if above and below and above < below:
            found.append((match.start(), match.end(), Decimal(above) / below))
    found += [(one.start(), one.end(), Decimal(one[1])) for one in _TIMES.finditer(plain)]
    for pattern, value in _WORDS:
        found += [(match.start(), match.end(), value) for match in pattern.finditer(plain)]
    kept: list[Multiple] = []
    for start, end, value in sorted(found, key=lambda one: (one[0], -one[1])):
        if kept and start < kept[-1].end:
            continue
        bound, slack = _hedge(plain[max(0, start - 20) : start], plain[end : end + 6])
        kept.append(Multiple(start, end, plain[start:end], value, bound, slack))
    return kept


def _opposed(one: Multiple, plain: str, said_by: Sequence[tuple[frozenset[str], Multiple]]) -> bool:
    """Whether a source says the contrary of the same thing: halved where it says doubled."""
    mine = names(plain)
    return any(spoken & mine and (other.value > 1) != (one.value > 1) for spoken, other in said_by)


def is_figure(one: Multiple) -> bool:
    """True for one in digits with times or 倍, which is an amount as well."""
    return _TIMES.fullmatch(one.text) is not None


def blanked(plain: str, claims: Iterable[Multiple]) -> str:
    """The text, spaces for ``claims``; every other character keeps its place."""
    for one in claims:
        plain = plain[: one.start] + " " * (one.end - one.start) + plain[one.end :]
    return plain


def _number(text: str) -> int:
    return int(text) if text.isdigit() else _SMALL.get(text, 0)


def _hedge(before: str, after: str) -> tuple[Literal["about", "more", "less"], Decimal]:
    if _MORE.search(before) or _MORE_JA.match(after):
        return "more", _EXACT
    if _LESS.search(before) or _LESS_JA.match(after):
        return "less", _EXACT
    return "about", _ROUGH if _ABOUT.search(before) else _EXACT


def founded_multiples(
    answer: str, sources: Sources, *, more: Iterable[str] = ()
) -> tuple[list[Multiple], list[str]]:
    """The multiples of ``answer`` (at places of its ``plain_text``) that stand, and the faults.

    Args:
        answer: As it is to be told.
        sources: What it cites.
        more: Other texts that may say it: calculated results, the question.
    """
    plain = plain_text(answer)
    texts = [*sources.held.texts, *(plain_text(text) for text in more)]
    said_by: list[tuple[frozenset[str], Multiple]] = []
    for text in texts:
        for start, end in folded_sentences(text):
            found = multiples(text[start:end])
            spoken = names(text[start:end]) if found else frozenset()
            said_by += [(spoken, one) for one in found]
    said = [one for _, one in said_by]
    spans = list(folded_sentences(plain))
    stands: list[Multiple] = []
    faults: list[str] = []
    claims = multiples(plain)
    bare = blanked(plain, claims)
    for one in claims:
        start, end = next((s, e) for s, e in spans if s <= one.start < e)
        own = _ratios(bare[start:end])
        if len(own) == 1 and not any(_fits(one, ratio) for ratio in own[0]):
            faults.append(f"{one.text.strip()!r} is not the ratio of the amounts beside it")
        elif (
            (own and any(_fits(one, ratio) for pair in own for ratio in pair))
            or any(_fits(one, other.value) for other in said)
            or _as_share(one, texts)
            or (
                not _opposed(one, plain, said_by)
                and any(_fits(one, r) for pair in _source_ratios(plain, sources) for r in pair)
            )
        ):
            stands.append(one)
        else:
            faults.append(f"{one.text.strip()!r} follows from no two amounts of what is cited")
    return stands, faults + turned(plain)


def _fits(said: Multiple, ratio: Decimal) -> bool:
    slack = said.value * said.slack
    if said.bound == "more":
        return said.value - slack / 5 <= ratio <= said.value * Decimal("1.6")
    if said.bound == "less":
        return said.value * Decimal("0.6") <= ratio <= said.value + slack / 5
    return abs(ratio - said.value) <= slack


def _ratios(text: str) -> list[tuple[Decimal, ...]]:
    """The ratios of every two amounts of one unit of a sentence: the second to the first where
    they are joined by from and to, else both.
    """
    if len(text) > LONGEST:
        return []
    amounts = [one for one in amounts_of_text(text) if one.unit != "倍"][:MOST_AMOUNTS]
    found: list[tuple[Decimal, ...]] = []
    for one, two in combinations(amounts, 2):
        ratio = _both(one, two)
        if ratio and (order := joined(text, one, two)):
            first, second = _like(*order)
            ratio = (abs(second / first),)
        if ratio:
            found.append(ratio)
    return found


def _both(one: Amount, two: Amount) -> tuple[Decimal, ...]:
    if not one.value or not two.value or (one.unit != two.unit and one.unit and two.unit):
        return ()
    first, second = _like(one, two)
    return (abs(second / first), abs(first / second))


def joined(text: str, one: Amount, two: Amount) -> tuple[Amount, Amount] | None:
    """The earlier and the later of «from 5 to 3», «3, down from 5», 5から3へ, 3で、前期の5から."""
    gap = text[one.end : two.start]
    if _FROM.search(text[: one.start]) and _TO.match(gap):
        return one, two
    if _FROM_JA.match(gap):
        return one, two
    if _BACK.match(gap) or (_BACK_JA.fullmatch(gap) and _FROM_JA.match(text, two.end)):
        return two, one
    return None


def _source_ratios(plain: str, sources: Sources) -> list[tuple[Decimal, ...]]:
    found: list[tuple[Decimal, ...]] = []
    said = names(plain)
    spoken = [
        text[start:end] for text in sources.held.texts for start, end in folded_sentences(text)
    ]
    akin = [text for text in spoken if names(text) & said]
    for text in akin or spoken:  # in another language or other words, all may be meant
        found += _ratios(text)
    cells: dict[tuple[str, str, int], list[Amount]] = {}
    for amount in sources.held.amounts:
        if amount.cell is not None:
            name, row, column = amount.cell
            cells.setdefault((name, "row", row), []).append(amount)
            cells.setdefault((name, "column", column), []).append(amount)
    for (name, kind, at), amounts in cells.items():
        grid = sources.held.grids[name]
        named = [r for r in grid.body() if plain_text(grid.row_label(r)).strip() in plain]
        if kind == "row" and named and at not in named:
            continue
        chosen = amounts
        if kind == "column":
            chosen = [a for a in amounts if a.cell and a.cell[1] in named]
        for one, two in combinations(chosen[:_ROW_CELLS], 2):
            found.append(_in_time(grid, one, two) if kind == "row" else _both(one, two))
    return found


def _in_time(grid: Grid, one: Amount, two: Amount) -> tuple[Decimal, ...]:
    """The later to the earlier where their columns are years, else both ratios."""
    both = _both(one, two)
    if not both or one.cell is None or two.cell is None:
        return both
    years = [_YEAR.findall(fold_text(grid.column_header(c[2]))) for c in (one.cell, two.cell)]
    if [len(found) for found in years] != [1, 1] or years[0] == years[1]:
        return both
    return both[:1] if years[0] < years[1] else both[1:]


def _as_share(said: Multiple, texts: Sequence[str]) -> bool:
    """Whether a text says the share in percent (25%, 半数 as 50.3%), or the factor as a rise."""
    shares = [a.value / 100 for text in texts for a in amounts_of_text(text) if a.unit == "%"]
    rises = [1 + share for share in shares] if said.value > 1 else []
    return any(_fits(said, abs(share)) for share in [*shares, *rises])


def turned(plain: str) -> list[str]:
    """«Rose from 5 to 3»: words of direction against the two amounts that they join."""
    faults: list[str] = []
    for start, end in folded_sentences(plain):
        text = plain[start:end]
        up, down = _UP.search(text), _DOWN.search(text)
        if bool(up) == bool(down):
            continue
        amounts = amounts_of_text(text)
        for one, two in pairwise(amounts):
            order = joined(text, one, two)
            if order is None or not _both(one, two):
                continue
            first, second = _like(*order)
            if (first < 0) != (second < 0):
                continue
            rises = abs(second) - abs(first)  # a loss that falls is a smaller one
            if (up and rises < 0) or (down and rises > 0):
                word = up or down
                faults.append(
                    f"{one.text.strip()} to {two.text.strip()} is not {word[0] if word else ''!r}"
                )
    return faults


def _like(one: Amount, two: Amount) -> tuple[Decimal, Decimal]:
    """Both values in one scale: «from 3,580 to 4,120 million» gives both in millions."""
    if not one.unit and one.scale == 1 and two.scale != 1:
        return one.value * two.scale, two.value
    return one.value, two.value
