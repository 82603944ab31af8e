"""Lists of a report: the sentence that introduces one, and the entries that follow it.

Here: ``introduces``, ``marker`` and ``Listing`` (which line is the next entry). Not here:
which aspect a list serves (``lexicon``), whether it is taken (``selection``). Importable by
briefs only.

Reports name what they speak of once and list it then without predicates (…は以下のとおりで
あります。(1) 人材の確保 …): such entries are no sentences, and mean something only together
with the sentence above them.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.sentences import sentences

#: An entry is shown up to the end of its first sentence; a longer one ends the list.
ENTRY_CHARS = 140
#: A list is shown up to this many characters and entries.
LIST_CHARS = 700
LIST_ENTRIES = 12

_INTRODUCES = re.compile(
    r"(?:以下|次|下記)の(?:とおり|通り|ように|\d{1,2}(?:つ|項目|点|本|分野|領域)|"
    r"[^。、]{0,16}(?:課題|項目|点|方針|施策|取り?組み|戦略|目標|事項|強み|特徴|特長|要因|柱|分野|領域)"
    r"(?:を|に|が|は|で|と|の))|以下に(?:挙げ|示|掲げ|記)"
)
_BULLET = re.compile(r"[・･●○◆■□▪•\-–—―─－](?=[^\d,.\s]|\s*\S)")
_ENCLOSED = re.compile(r"\((\d{1,2}|[ivx]{1,4}|[a-z]|[ア-ン])\)")
_PLAIN = re.compile(r"(\d{1,2}|[ivx]{1,4}|[a-z]|[ア-ン])(?:[.、:](?!\d)|\s)")
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
_SEQUENCES: dict[str, tuple[str, ...]] = {
    "roman": ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"),
    "latin": tuple("abcdefghijklmnopqrstuvwxyz"),
    "kana": tuple("アイウエオカキクケコサシスセソ"),
    "iroha": tuple("イロハニホヘトチリヌルヲ"),
}


class Marker(NamedTuple):
    """What an entry opens with.

    kind: bullet, circled, enclosed or plain; sign: the bullet itself; ordinals: its place by
    each way of counting that has it ("i" is the first Roman and the ninth Latin one).
    """

    kind: str
    sign: str
    ordinals: dict[str, int]
    length: int


def introduces(text: str) -> bool:
    """True for a sentence that says that a list follows (…は以下のとおりであります)."""
    return _INTRODUCES.search(fold_text(text)) is not None


def marker(line: str) -> Marker | None:
    """The mark that a line opens with, or None where it is no entry of a list."""
    body = line.strip()
    if len(body) < 4 or "\t" in body:
        return None
    if body[0] in _CIRCLED:
        return Marker("circled", "", {"number": _CIRCLED.index(body[0]) + 1}, 1)
    if match := _BULLET.match(body):
        return Marker("bullet", body[0], {}, match.end())
    folded = fold_text(body[:12])
    for kind, pattern in (("enclosed", _ENCLOSED), ("plain", _PLAIN)):
        match = pattern.match(folded)
        if match is not None and (ordinals := _ordinals(match.group(1))):
            return Marker(kind, "", ordinals, match.end())
    return None


def _ordinals(token: str) -> dict[str, int]:
    if token.isdigit():
        return {"number": int(token)}
    return {name: names.index(token) + 1 for name, names in _SEQUENCES.items() if token in names}


def entry(line: str) -> tuple[int, int] | None:
    """The range of a line that stands for its entry, None where that is too long.

    It is the line's first sentence; a mark that reads like one (イ．) is none.
    """
    ranges = sentences(line)
    mark = marker(line)
    if not ranges or mark is None:
        return None
    start = ranges[0][0]
    end = next((stop for _, stop in ranges if stop - start > mark.length + 1), start)
    return (start, end) if start < end <= start + ENTRY_CHARS else None


class Listing:
    """Reads the lines after an introducing sentence.

    The first line must be an entry, each further one must count on from the one before.
    Between numbered entries prose may stand (it explains them), between bullets nothing.
    """

    def __init__(self, introduction: int) -> None:
        self.introduction = introduction
        self.open = True
        self._before: Marker | None = None
        self._alive: dict[str, int] = {}
        self._chars = 0
        self._count = 0

    def take(self, line: str) -> bool:
        """Whether ``line`` is the next entry; closes the list where it cannot go on."""
        if not self.open:
            return False
        mark = marker(line)
        if mark is None or not self._continues(mark):
            # Only numbers can be picked up again after a line of another kind.
            self.open = self._before is not None and self._before.kind != "bullet"
            return False
        found = entry(line)
        self._chars += found[1] - found[0] if found else LIST_CHARS + 1
        if self._chars > LIST_CHARS or self._count == LIST_ENTRIES:
            self.open = False
            return False
        self._before = mark
        self._count += 1
        return True

    def _continues(self, mark: Marker) -> bool:
        if self._before is None:
            self._alive = {name: at for name, at in mark.ordinals.items() if at == 1}
            return mark.kind == "bullet" or bool(self._alive)
        if (mark.kind, mark.sign) != (self._before.kind, self._before.sign):
            return False
        if mark.kind == "bullet":
            return True
        alive = {
            name: at for name, at in mark.ordinals.items() if self._alive.get(name, -1) + 1 == at
        }
        if alive:
            self._alive = alive
        return bool(alive)
