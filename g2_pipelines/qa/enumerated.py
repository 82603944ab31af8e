"""The things that a sentence lists: «six categories: Running, Basketball, … and Training».

Here: ``items_in``. Only where the sentence says that it lists: a colon, «are», «include», «such
as» or 「…」、「…」, with the asked noun before it; a number word before the noun must be the
number of items. Used by ``passages``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from g2_pipelines.qa.matching import Word

_FEWEST, _MOST, _LONGEST = 3, 20, 90
_INTRO = re.compile(
    r"(?::|\b(?:are|were|includes?|included|including|comprises?|compris(?:ed|ing) of|consists? of|such as|namely)\b:?)\s+",
    re.IGNORECASE,
)
_BORDER = re.compile(r",\s*(?:and\s+|or\s+|&\s+)?|\s+(?:and|or)\s+")
_COUNT = {
    name: count
    for count, name in enumerate(
        ["three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
        start=3,
    )
}
_CLAUSE = re.compile(
    r"[;.]\s|,\s+(?:and|which|that|but)\s|\band (?:operates?|includes?|has|have|is|are)\b"
)
_SEMICOLON = re.compile(r";\s*(?:and\s+|or\s+)?")
_TAIL = re.compile(r",\s+(?:and|which|that|but)\s.*$")
_COUNTED = re.compile(rf"\b({'|'.join(_COUNT)}|\d{{1,2}})\b", re.IGNORECASE)
_QUOTED = re.compile(r"「([^「」]{2,60})」")
_BETWEEN = re.compile(r"[、及びおよやと並に・]{0,4}")
_NOUN_BEFORE = 60


def items_in(text: str, asked_noun: Sequence[Word]) -> list[str]:
    """The items that ``text`` lists as ``asked_noun``, in its own characters; none if unsure."""
    if any("\u3041" <= char <= "\u9fff" for char in text):
        return _quoted(text)
    for found in _INTRO.finditer(text):
        before = _CLAUSE.split(text[max(0, found.start() - _NOUN_BEFORE) : found.start()])[-1]
        if asked_noun and not any(_said(word, before) for word in asked_noun):
            continue
        items = _parts(text[found.end() :].rstrip(" .;"))
        said = _COUNTED.findall(before)
        count = (_COUNT.get(said[-1].lower()) or int(said[-1])) if said else len(items)
        if _FEWEST <= len(items) <= _MOST and count == len(items):
            return items
    return []


def _said(noun: Word, before: str) -> bool:
    """True where the text has the noun in the form in which it is asked for (segments)."""
    return re.search(rf"\b{re.escape(noun.text)}\b", before, re.IGNORECASE) is not None


def _parts(text: str) -> list[str]:
    """What commas and the last «and» part, none of it inside brackets; none for a clause."""
    if ";" in text:
        parts = _SEMICOLON.split(text)
        parts[-1] = _TAIL.sub("", parts[-1])
        return [part.strip() for part in parts] if all(map(_fits, parts)) else []
    if re.search(r"[.?!](?:\s|$)", re.sub(r"\([^)]*\)", "", text)):
        return []
    items: list[str] = []
    start = 0
    depths = _depths(text)
    borders = [match for match in _BORDER.finditer(text) if depths[match.start()] == 0]
    commas = [match for match in borders if match[0].startswith(",")]
    if not commas:
        return []
    for match in borders:
        if not match[0].startswith(",") and match.start() < commas[-1].start():
            continue  # «and» inside an item
        items.append(text[start : match.start()].strip())
        start = match.end()
    items.append(text[start:].strip())
    return items if all(map(_fits, items)) else []


def _fits(item: str) -> bool:
    return 0 < len(item.strip()) <= _LONGEST


def _depths(text: str) -> list[int]:
    depth, found = 0, []
    for char in text:
        depth += (char == "(") - (char == ")")
        found.append(depth)
    return found


def _quoted(text: str) -> list[str]:
    """Three or more 「…」 right beside each other."""
    matches = list(_QUOTED.finditer(text))
    run = [matches[0]] if matches else []
    for one, other in pairwise(matches):
        if not _BETWEEN.fullmatch(text[one.end() : other.start()]):
            return []
        run.append(other)
    return [match[1] for match in run] if _FEWEST <= len(run) <= _MOST else []
