"""Folding for matching: one form for what readers take as the same, with a way back.

Here: ``fold`` (with an offset map) and ``fold_text``. The clean text itself is never
rewritten; whatever is found in the folded text is cited by ``Folded.original``. Signs that
carry meaning in figures (△ ▲) stay. Every package above may import this module.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache

# Characters that fold one to one, whatever stands beside them: the fast path. ASCII,
# full-width ASCII, kana, the long mark, common Japanese signs, CJK ideographs.
_ONE = (
    "\t\n\r\x20-\x7e\u3000-\u3002\u3005-\u3011\u3041-\u3096\u30a1-\u30fc"
    "\u3400-\u4dbf\u4e00-\u9fff\uff01-\uff5e\u25b2\u25b3\u301c"
)
_OTHER = re.compile(f"[^{_ONE}]+")

# Equivalents of the CJK radicals supplement (PDF fonts emit them for the ideographs);
# NFKC knows only two of them. After Unicode's EquivalentUnifiedIdeograph.txt.
_RADICALS = dict(
    pair
    for pair in zip(
        "⺁⺅⺆⺇⺉⺊⺌⺍⺎⺐⺒⺓⺔⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺪⺫⺬⺭⺮⺯⺰⺱⺲⺳⺶⺷⺸⺹⺺⺻⺼⺽⺾⺿⻀⻁⻂⻃⻄⻅⻆⻇⻈⻉⻊⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻕⻖⻗⻘⻙⻚⻛⻜⻝⻞⻟⻠⻡⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳",
        "厂亻冂几刂卜小小兀尢巳幺彑忄㣺扌攵旡日月歺母民氵氺灬爫爫丬牛犭王疋罒示礻竹糹纟罓罒网羊羊羊耂肀聿肉臼艹艹艹虎衤覀西见角角讠贝足车辶辶辶阝钅長镸长门阜阝雨青韦页风飞食食飠饣首马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙亀亀龟",
        strict=True,
    )
)
_DASHES = "‐‑‒–—―−﹣─⁃"
_WAVES = "〜∼〰～˜"
_QUOTES = {"‘": "'", "’": "'", "“": '"', "”": '"'}
_UNIFIED = (
    dict.fromkeys(_DASHES, "-") | dict.fromkeys(_WAVES, "~") | _QUOTES | _RADICALS | {"\u3000": " "}
)

_TABLE = {ord(key): value for key, value in _UNIFIED.items()}
_TABLE |= {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_TABLE |= {code: chr(code + 32) for code in range(ord("A"), ord("Z") + 1)}
_TABLE |= {code: chr(code - 0xFEE0 + 32) for code in range(0xFF21, 0xFF3B)}

# Starters (combining class 0) that still compose with the character before them; half-width
# voiced marks become such only by NFKC.
_COMPOSING = frozenset("ﾞﾟ\u09be\u09d7\u0b3e\u0b56\u0b57\u0bbe\u0bd7\u0cc2\u0cd5\u0cd6\u0d3e\u0d57")


@dataclass(frozen=True)
class Folded:
    """A folded text and its runs back into the source text.

    Each run is (folded start, source start, folded length, source length); a run of equal
    lengths maps character by character, any other only as a whole.
    """

    text: str
    runs: list[tuple[int, int, int, int]]
    _starts: list[int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_starts", [run[0] for run in self.runs])

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The smallest source range that folds to something holding [start, end).

        Both are code points, half-open; an empty range maps to an empty range. Raises
        IndexError outside the folded text.
        """
        if not 0 <= start <= end <= len(self.text):
            raise IndexError(f"[{start}, {end}) is outside the folded text")
        if start == end:
            at = self._first(start) if start < len(self.text) else self._source_length()
            return at, at
        return self._first(start), self._last(end - 1)

    def _source_length(self) -> int:
        if not self.runs:
            return 0
        _, source, _, length = self.runs[-1]
        return source + length

    def _run(self, place: int) -> tuple[int, int, int, int]:
        return self.runs[bisect_right(self._starts, place) - 1]

    def _first(self, place: int) -> int:
        start, source, length, source_length = self._run(place)
        return source + (place - start if length == source_length else 0)

    def _last(self, place: int) -> int:
        start, source, length, source_length = self._run(place)
        return source + (place - start + 1 if length == source_length else source_length)


def fold(text: str) -> Folded:
    """Fold ``text`` for matching: NFKC, casefold, radicals, dashes, waves and quotes unified.

    △ and ▲ are kept. Linear in the text's length; never changes what is stored.
    """
    pieces: list[str] = []
    runs: list[tuple[int, int, int, int]] = []
    length = 0
    for start, end, folded in _pieces(text):
        if folded:
            runs.append((length, start, len(folded), end - start))
            pieces.append(folded)
            length += len(folded)
    return Folded("".join(pieces), runs)


def fold_text(text: str) -> str:
    """``fold(text).text`` without the offset map."""
    if _OTHER.search(text) is None:
        return text.translate(_TABLE)
    return "".join(folded for _, _, folded in _pieces(text))


def _pieces(text: str) -> list[tuple[int, int, str]]:
    """(start, end, folded) over the whole text; plain runs whole, the rest by cluster."""
    out: list[tuple[int, int, str]] = []
    done = 0
    for match in _OTHER.finditer(text):
        # The plain character before may be the base of a combining mark.
        begin = max(done, match.start() - 1)
        if begin > done:
            out.append((done, begin, text[done:begin].translate(_TABLE)))
        out.extend(_clusters(text, begin, match.end()))
        done = match.end()
    if done < len(text):
        out.append((done, len(text), text[done:].translate(_TABLE)))
    return out


def _clusters(text: str, start: int, end: int) -> list[tuple[int, int, str]]:
    out: list[tuple[int, int, str]] = []
    begin = start
    for place in range(start + 1, end + 1):
        if place == end or not _extends(text[place]):
            out.append((begin, place, _fold_cluster(text[begin:place])))
            begin = place
    return out


@lru_cache(maxsize=4096)
def _extends(char: str) -> bool:
    return (
        unicodedata.combining(char) != 0
        or char in _COMPOSING
        or "\u1160" <= char <= "\u11ff"  # Hangul vowels and finals
    )


@lru_cache(maxsize=16384)
def _fold_cluster(cluster: str) -> str:
    if len(cluster) == 1 and cluster in _UNIFIED:  # before NFKC, which would tear ˜ apart
        return _UNIFIED[cluster]
    normal = unicodedata.normalize("NFKC", cluster).casefold()
    return unicodedata.normalize("NFKC", normal).translate(_TABLE)
