"""What stands before every label of a document: numbers, bullets, times of other notations.

Here: finding a prefix that most lines share, 「12. 司会：」, 「・司会：」, 「19時05分　司会　」, and
the lines without it. Whether the document is understood better so is decided by ``segment``,
which imports this module. Every pattern is anchored and bounded.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from g2_pipelines.transcripts.lines import TIME_PREFIX, Line
from g2_pipelines.transcripts.timed import seconds

MIN_LINES = 6
#: A shared prefix stands before so many lines in a hundred at least.
MIN_SHARE = 35
_GAP = r"[ \t　]{0,4}"
_KINDS = {
    "number": re.compile(
        rf"{_GAP}(?:[(（\[【<＜〈《#＃]|No\.?[ ]?|第)?[0-9０-９]{{1,6}}(?:[)）\]】>＞〉》.．、：:|｜]{_GAP}|[ \t　]{{1,4}})(?<![:：](?=[0-9]))(?=[^\s　])"
    ),
    "circled": re.compile(rf"{_GAP}[①-⑳㉑-㊿]{_GAP}(?=[^\s　])"),
    "bullet": re.compile(
        rf"{_GAP}(?P<glyph>[・•●◦◆◇■□▪►▶▷★☆※*＊>＞+＋]|[-－–—][ 　]){_GAP}(?=[^\s　])"
    ),
    "field": re.compile(
        rf"{_GAP}(?:発言者|話者|発話者|話し手|氏名|名前|(?i:speaker|name))[ 　]?[：:]{_GAP}(?=[^\s　])"
    ),
    "clock": re.compile(
        rf"{_GAP}[(（\[【]?(?:(?P<a>\d{{1,2}}:\d{{2}}(?::\d{{2}})?)[ 　]?(?:[~～〜頃ごろ/／|｜,、-]|－)"
        r"|(?:(?P<h>\d{1,2})時(?:間)?)?(?P<m>\d{1,3})分(?:(?P<s>\d{1,2})秒)?(?:頃|ごろ)?[~～〜]?)"
        rf"[)）\]】]?{_GAP}(?=[^\s　])"
    ),
}


class Found(NamedTuple):
    """A prefix at the head of a line: where the rest begins, and the time that it tells."""

    end: int
    t0: float | None


def without_prefixes(text: str, lines: Sequence[Line]) -> list[Line] | None:
    """The lines with the prefix that most of them share behind their heads; None if none is.

    Linear: every kind is looked for once a line.
    """
    filled = sum(1 for line in lines if line.head < line.end)
    best: dict[int, Found] = {}
    for kind, pattern in _KINDS.items():
        by_glyph: dict[str, dict[int, Found]] = {}
        for number, line in enumerate(lines):
            match = pattern.match(text, line.head, line.end)
            if match is not None:
                glyph = match["glyph"].strip() if kind == "bullet" else ""
                by_glyph.setdefault(glyph, {})[number] = Found(match.end(), _time(kind, match))
        for found in by_glyph.values():
            if len(found) > len(best):
                best = found
    if len(best) < MIN_LINES or len(best) * 100 < filled * MIN_SHARE:
        return None
    return [_behind(text, line, best.get(number)) for number, line in enumerate(lines)]


def _behind(text: str, line: Line, found: Found | None) -> Line:
    if found is None:
        return line
    t0 = found.t0 if found.t0 is not None else line.t0
    later = TIME_PREFIX.match(text, found.end, line.end)
    if later is None or t0 is not None:
        return line._replace(head=found.end, t0=t0)
    return line._replace(head=later.end(), t0=seconds(later["a"] or later["c"]))


def _time(kind: str, match: re.Match[str]) -> float | None:
    if kind != "clock":
        return None
    if match["a"]:
        return seconds(match["a"])
    return float(int(match["h"] or 0) * 3600 + int(match["m"]) * 60 + int(match["s"] or 0))
