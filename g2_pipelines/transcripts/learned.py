"""Labels of a shape that no grammar knows, where they stand before nearly every line.

Here: the same heads before the same sign, again and again: 「西脇社長 － …」, 「**司会** …」,
「有馬CFO 手元の資金は…」. ``styles`` asks for them where the known styles explain little.
Every pattern is anchored and bounded, a line costs a constant.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache

from g2_pipelines.transcripts.entries import named_head
from g2_pipelines.transcripts.labels import is_latin, is_party, is_short_name
from g2_pipelines.transcripts.lines import Heading, Line, Mark
from g2_pipelines.transcripts.no_speakers import no_speaker

STYLE = "name_learned"
MIN_MARKS = 5
MIN_LABELS = 2
#: Lines in a hundred that carry a label, and marks in a hundred whose label comes again.
MIN_COVER, MIN_AGAIN, DENSE = 60, 50, 80
_LABEL = r"(?P<label>[^\s　。、，！？!?「」『』：:；;＞>→⇒＝=≫»\-－–—―~～*＿_〉》＜〈《\n][^。、，！？!?「」『』：:；;＞>→⇒＝=≫»－–—―~～*_〉》\n]{0,29}?)"
_SIGNS = {
    "wrapped": re.compile(
        rf"[ \t　]{{0,4}}(?:\*\*|__){_LABEL}(?:\*\*|__)[ \t　]{{0,4}}[：:]?[ \t　]{{0,4}}(?=[^\s　])"
    ),
    "dash": re.compile(
        rf"[ \t　]{{0,4}}{_LABEL}[ \t　]{{0,2}}(?:[-－–—―~～]{{1,3}})[ \t　]{{0,4}}(?=[^\s　])"
    ),
    "arrow": re.compile(
        rf"[ \t　]{{0,4}}{_LABEL}[ \t　]{{0,2}}(?:[＞>→⇒；;＝=≫»]{{1,2}})[ \t　]{{0,4}}(?=[^\s　])"
    ),
    "comma": re.compile(rf"[ \t　]{{0,4}}{_LABEL}[、，,][ \t　]{{0,4}}(?=[^\s　])"),
    "quote": re.compile(
        rf"[ \t　]{{0,4}}{_LABEL}[ \t　]{{0,2}}(?=[「『][^\n]{{2,4000}}[」』][ \t　]{{0,4}}$)",
        re.MULTILINE,
    ),
}
_FIRST = re.compile(
    r"[ \t　]{0,4}(?P<label>[^\s　。、，！？!?「」：:\n]{1,20})[ \t　]{1,8}(?=[^\s　])"
)

_SAID = re.compile(r"[。？?！!」』]|[.](?=\s|$)")


def learned(
    text: str, lines: Sequence[Line], parts: Sequence[Heading], skipped: Collection[int]
) -> list[Mark]:
    """The marks of the sign that explains most lines, none if none explains enough."""
    numbers = [
        n
        for n, line in enumerate(lines)
        if line.head < line.end and parts[n] is None and n not in skipped
    ]
    best: list[Mark] = []
    for found in (
        *(_by_sign(s, text, lines, numbers) for s in _SIGNS),
        _by_space(text, lines, numbers),
    ):
        marks = _believed(found, text, lines, numbers)
        if len(marks) > len(best):
            best = marks
    return best


@lru_cache(maxsize=4096)
def _may_be(label: str) -> bool:
    """Whether a label may name somebody: its brackets are whole, and it is no form's field."""
    whole = all(
        label.count(a) == label.count(b) for a, b in ("（）", "()", "[]", "【】", "<>", "〔〕")
    )
    return whole and label[:1] not in "（([【<〔" and not no_speaker(label)


def _by_sign(sign: str, text: str, lines: Sequence[Line], numbers: Sequence[int]) -> list[Mark]:
    found = []
    for number in numbers:
        line = lines[number]
        match = _SIGNS[sign].match(text, line.head, line.end)
        latin = match is not None and sign == "comma" and is_latin(match["label"])
        if match and not latin and _may_be(match["label"].strip()):
            found.append(
                Mark(STYLE, number, line.start, match.end(), match["label"].strip(" 　\t"))
            )
    return found


def _by_space(text: str, lines: Sequence[Line], numbers: Sequence[int]) -> list[Mark]:
    """Words before a single space: who is named there, else what stands there again."""
    found = []
    for number in numbers:
        line = lines[number]
        head = named_head(text, line.head, line.end)
        if head is not None and _may_be(head[0]):
            found.append(Mark(STYLE, number, line.start, head[1], head[0]))
            continue
        match = _FIRST.match(text, line.head, line.end)
        if match and not is_latin(match["label"]) and _may_be(match["label"]):
            found.append(Mark(STYLE, number, line.start, match.end(), match["label"]))
    return found


def _believed(
    marks: list[Mark], text: str, lines: Sequence[Line], numbers: Sequence[int]
) -> list[Mark]:
    """The marks whose labels name parties or come again; none unless they explain the text."""
    counts = Counter(mark.label for mark in marks)
    party = {label for label in counts if is_party(label)}
    names = {
        label for label, n in counts.items() if n > 1 and (is_short_name(label) or label in party)
    }
    believed = party | names
    kept = [mark for mark in marks if mark.label in believed]
    first = 0  # behind the title, date and place above the first words
    while first < len(kept) and not _SAID.search(
        text, kept[first].end, lines[kept[first].line].end
    ):
        first += 1
    kept = kept[first:]
    labels = {mark.label for mark in kept}
    if len(kept) < MIN_MARKS or len(labels) < MIN_LABELS or not labels & party:
        return []
    again = sum(1 for mark in kept if counts[mark.label] > 1)
    since = sum(1 for n in numbers if n >= kept[0].line)
    told = sum(1 for mark in kept if mark.label in party)
    if len(kept) * 100 < since * MIN_COVER or again * 100 < len(kept) * MIN_AGAIN:
        return []
    if told * 4 < len(kept):
        return []
    if len(kept) * 100 >= since * DENSE:  # who speaks once, where all lines have a label
        kept += [
            m
            for m in marks
            if m.label not in labels and m.line > kept[0].line and is_short_name(m.label)
        ]
        kept.sort(key=lambda mark: mark.line)
    return kept
