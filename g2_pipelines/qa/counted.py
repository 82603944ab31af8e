"""Numbers that are part of a name or count a noun: Phase III, two plants, percentage points.

Here: ``other_ordinals``, ``other_counts``, ``other_points`` and ``ordinals_as_digits``. Each
tells where an answer has another numeral beside a word than the sources have. A noun that the
sources do not count, or a name that they do not number, is left to the other checks.
Used by ``checks``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.qa.agreement import Sources
from g2_pipelines.qa.amounts import Held, amounts_in
from g2_pipelines.qa.matching import stem

_ROMAN = {
    name: value
    for value, name in enumerate(
        [
            "i",
            "ii",
            "iii",
            "iv",
            "v",
            "vi",
            "vii",
            "viii",
            "ix",
            "x",
            "xi",
            "xii",
            "xiii",
            "xiv",
            "xv",
            "xvi",
            "xvii",
            "xviii",
            "xix",
            "xx",
        ],
        start=1,
    )
}
#: Words that a single i, v or x numbers; elsewhere those letters are words of their own.
_CLASSES = [
    "phase",
    "stage",
    "type",
    "class",
    "part",
    "chapter",
    "level",
    "grade",
    "tier",
    "volume",
    "article",
    "section",
    "appendix",
    "act",
    "title",
    "group",
    "category",
    "series",
    "mark",
    "step",
    "factor",
    "generation",
    "第",
]
_NUMBERED = re.compile(
    r"(?P<word>[a-z]{3,}|第|[ァ-ヺー]{2,}|[一-鿿]{1,4})[ -]?"
    rf"(?:(?P<roman>{'|'.join(sorted(_ROMAN, key=len, reverse=True))})|(?P<digits>\d{{1,2}}))(?![a-z\d%]|[.,]\d)"
)
_COUNTED = re.compile(
    r"(?<![\d.,$€¥£-])(?!(?:19|20)\d\d )(?P<count>\d[\d,]*|one|two|a single) (?:(?!the |and |its |for |with )[a-z-]{3,} ){0,2}?(?P<noun>[a-z]{3,}s)\b"
)
_NO_NOUNS = frozenset(
    stem(word)
    for word in [
        "years",
        "months",
        "weeks",
        "days",
        "hours",
        "minutes",
        "seconds",
        "times",
        "percents",
        "points",
        "yen",
        "dollars",
        "euros",
        "pounds",
        "millions",
        "billions",
        "thousands",
        "meters",
        "metres",
        "grams",
        "degrees",
        "units",
        "tons",
        "tonnes",
        "is",
        "was",
        "has",
        "this",
        "its",
        "plus",
        "less",
        "versus",
        "across",
        "various",
        "whereas",
    ]
)
_WORDS = {"one": 1, "two": 2, "a single": 1}
_POINT = re.compile(r"point|ポイント|\bpt")


def _numbered(plain: str) -> list[tuple[str, int, str, bool]]:
    """(word, number, as written, in Roman numerals) of every numbered name."""
    found: list[tuple[str, int, str, bool]] = []
    for match in _NUMBERED.finditer(plain):
        roman = match["roman"]
        if roman and len(roman) == 1 and match["word"] not in _CLASSES:
            continue
        number = _ROMAN[roman] if roman else int(match["digits"])
        found.append((stem(match["word"]), number, match[0], roman is not None))
    return found


def other_ordinals(plain: str, sources: Sources, more: Sequence[str] = ()) -> list[str]:
    """Names in Roman numerals (Phase III) that the sources number otherwise, or not at all."""
    known = [one for text in [*sources.spoken, *more] for one in _numbered(text)]
    digits = sources.held.digits
    faults: list[str] = []
    for word, number, text, roman in _numbered(plain):
        same = {n for w, n, _, _ in known if w == word}
        mine = roman or any(w == word and r for w, _, _, r in known)
        if not mine or number in same:
            continue
        if same or (number not in {n for _, n, _, _ in known} and number not in digits):
            faults.append(f"{text!r} does not stand in what is cited")
    return list(dict.fromkeys(faults))


def ordinals_as_digits(plain: str, sources: Sources) -> list[str]:
    """The sources' names in Roman numerals that the answer writes in digits: phase 2."""
    said = {(word, number) for word, number, _, roman in _numbered(plain) if not roman}
    return [
        f"{word} {number}"
        for text in sources.spoken
        for word, number, _, roman in _numbered(text)
        if roman and (word, number) in said
    ]


def other_counts(plain: str, sources: Sources, free: Held) -> list[str]:
    """Counted nouns («two plants») of which the sources count another number and never this."""
    known: dict[str, set[int]] = {}
    for text in sources.held.texts:
        for noun, count, _ in _counts(text):
            known.setdefault(noun, set()).add(count)
    faults: list[str] = []
    for noun, count, text in _counts(plain):
        if noun not in known or count in known[noun] or _elsewhere(count, sources, free):
            continue
        faults.append(f"{text!r} is another number than in what is cited")
    return list(dict.fromkeys(faults))


def _counts(plain: str) -> list[tuple[str, int, str]]:
    found: list[tuple[str, int, str]] = []
    for match in _COUNTED.finditer(plain):
        noun = stem(match["noun"])
        if noun not in _NO_NOUNS:
            count = _WORDS.get(match["count"]) or int(match["count"].replace(",", "") or 0)
            found.append((noun, count, match[0]))
    return found


def _elsewhere(count: int, sources: Sources, free: Held) -> bool:
    """Whether the number stands in a cell, as a result, or without a noun («120 work abroad»)."""
    cells = [one for one in sources.held.amounts if one.cell is not None]
    if any(abs(one.value) == count for one in [*cells, *free.amounts]):
        return True
    written = rf"(?<![\d.,])(?:{count}|{count:,})(?![\d,.]*\d)"
    return any(
        match.start() not in {one.start("count") for one in _COUNTED.finditer(text)}
        for text in sources.held.texts
        for match in re.finditer(written, text)
    )


def other_points(plain: str, sources: Sources, free: Held) -> list[str]:
    """Percentage points told as percent, or percent as points."""
    faults: list[str] = []
    for amount in amounts_in(plain):
        if amount.unit != "%":
            continue
        found = [
            one for one in [*sources.held.support(amount), *free.support(amount)] if one.unit == "%"
        ]
        points = _POINT.search(amount.text) is not None
        if found and all((_POINT.search(one.text) is not None) != points for one in found):
            faults.append(
                f"{amount.text.strip()} stands as {found[0].text.strip()} in what is cited"
            )
    return list(dict.fromkeys(faults))
