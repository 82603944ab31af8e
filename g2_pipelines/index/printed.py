"""The numbers that a document prints on its pages, which seldom are the physical ones.

Here: ``printed_pages``. A question about page 45 means the printed one more often than not.
Only ``rows`` imports this module.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines.text.fold import fold_text

_ALONE = re.compile(
    r"[\W_]*(?:page|p\.|slide|ページ|頁)?[\W_]*(?P<number>\d{1,4})"
    r"[\W_]*(?:(?:/|of)\s*\d{1,4})?[\W_]*(?:ページ|頁)?[\W_]*"
)
_AT_AN_END = re.compile(r"^(?P<first>\d{1,4})(?=\s|\||$)|(?:^|[\s|])(?P<last>\d{1,4})$")
_MOST_CHARACTERS = 200
_LEAST, _LEAST_SHARE = 3, 0.1


def printed_pages(nodes: Sequence[DocumentNode]) -> dict[int, int]:
    """The printed number by physical page, for the pages that have one.

    Running heads, footers and lone numbers vote for an offset; one that fewer than three pages
    (or fewer than a tenth) share is chance. A page without a number of its own takes the offset
    of the nearest numbered page: chapters' first pages often print none. Empty where nothing
    is printed.
    """
    seen: dict[int, set[int]] = {}
    for node in nodes:
        for number in _numbers(node):
            seen.setdefault(node.page, set()).add(node.page - number)
    votes = Counter(offset for offsets in seen.values() for offset in offsets)
    enough = max(_LEAST, _LEAST_SHARE * len({node.page for node in nodes}))
    steady = {offset: count for offset, count in votes.items() if count >= enough}
    own = {
        page: max(offsets & steady.keys(), key=lambda offset: (steady[offset], -abs(offset)))
        for page, offsets in seen.items()
        if offsets & steady.keys()
    }
    if not own:
        return {}
    out = {}
    for page in range(1, max(node.page for node in nodes) + 1):
        nearest = min(own, key=lambda other: (abs(other - page), other))
        if (number := page - own[nearest]) > 0:
            out[page] = number
    return out


def _numbers(node: DocumentNode) -> list[int]:
    text = fold_text(node.text).strip()
    if not text or len(text) > _MOST_CHARACTERS:
        return []
    if match := _ALONE.fullmatch(text):
        return [int(match["number"])]
    if node.kind != "furniture":
        return []
    return [
        int(match["first"] or match["last"])
        for line in text.splitlines()
        for match in _AT_AN_END.finditer(line.strip())
    ]
