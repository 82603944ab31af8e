"""Labels that documents give their parts, and that questions use: 図2, Table 1, 3.2節, page 4.

Here: ``own_label`` (of a node), ``mentioned`` (in a question), which agree on one spelling
``figure:2``, and ``without_places`` (a question without the pages it names: their numbers are no
words to search for). About a seventh of real questions name a place. index and graph import
this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from g2_pipelines.tables.line2 import NodeKind
from g2_pipelines.text.fold import fold_text

_KINDS = {
    "figure": r"figures?|figs?\.?|charts?|graphs?|exhibits?|図表|図|グラフ",
    "table": r"tables?|tab\.?|表",
    "equation": r"equations?|eqs?\.?|数式|式",
    "section": r"sections?|sec\.?|chapters?|parts?",
    "appendix": r"appendix|appendices|付録|別紙|別添",
}
_ROMAN = r"(?:x{0,2}(?:ix|iv|v?i{1,3})|x{0,2}v|x{1,2})(?![a-z0-9])"
_NUMBER = rf"(?:[a-z]?\d+(?:[.\-]\d+)*[a-z]?|{_ROMAN})"
_LETTER = r"(?:[a-z](?:\.?\d+(?:\.\d+)*)?(?![a-z0-9])|\d+)"
_NAMED = {
    kind: re.compile(
        rf"(?<![a-z一-龯])(?:{names})\s*[(\[]?\s*"
        rf"(?P<number>{_LETTER if kind == 'appendix' else _NUMBER})(?![\d年月日])"
        rf"(?P<more>(?:\s*(?:,|and|&|と|、|,\s*and)\s*(?:[a-z]?\d+(?:\.\d+)*)(?![\d年月日%.]))*)"
    )
    for kind, names in _KINDS.items()
}
_MORE = re.compile(r"[a-z]?\d+(?:\.\d+)*")
_JA_SECTION = re.compile(r"(?:第\s*)?(?P<number>\d+(?:\.\d+)*)\s*(?:章|節|項)")
_HEADING = re.compile(
    r"(?:(?:section|chapter|part)\s+)?(?:第\s*)?(?P<number>\d{1,2}(?:\.\d{1,2})*)(?:\s*(?:章|節|項))?"
    r"[.):]?(?:\s|$|(?=[^\d\s.,%年月日期名社]))"
)
_ROMAN_HEADING = re.compile(rf"(?:section|chapter|part)\s+(?P<number>{_ROMAN})")
_APPENDIX = re.compile(rf"(?:{_KINDS['appendix']})\s*(?P<number>{_LETTER})")
_LETTER_HEADING = re.compile(r"(?P<number>[a-h](?:\.\d{1,2})+|[a-h](?=[.:\s]\s*[a-z]{3}))[.:\s]")

_ORDINAL_WORDS = "first second third fourth fifth sixth seventh eighth ninth tenth"
_ORDINALS = {word: at for at, word in enumerate(_ORDINAL_WORDS.split(), start=1)}
_CARDINAL_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty"
)
_CARDINALS = {word: at for at, word in enumerate(_CARDINAL_WORDS.split(), start=1)}
_PAGE_WORD = r"(?:pages?|pg\.?|pp?\.|slides?)"
_PAGE = re.compile(
    rf"(?<![a-z])(?:{_PAGE_WORD}|スライド|ページ|頁)\s*(?:no\.?|number|#|:)?\s*\(?(?P<first>\d{{1,4}})(?!\d)"
    r"(?:\s*(?:-|~|to|through|から)\s*(?:page |p\.\s*|slide )?(?P<last>\d{1,4})(?![\d%]))?"
    r"(?P<more>(?:\s*(?:,|and|&|と|、|,\s*and)\s*(?:page |p\.\s*|slide )?\d{1,4}(?![\d%年月.]))*)"
    r"|(?P<only>\d{1,4})\s*(?:(?:-|~|から)\s*(?P<until>\d{1,4})\s*)?(?:ページ|頁|枚目)"
)
_NTH = re.compile(
    rf"\b(?:(?P<word>{'|'.join(_ORDINALS)})|(?P<number>\d{{1,3}})(?:st|nd|rd|th))\s+(?:page|slide)\b"
    rf"|\b{_PAGE_WORD} (?P<cardinal>{'|'.join(_CARDINALS)})\b"
)
_NTH_LABEL = re.compile(
    rf"\b(?P<word>{'|'.join(_ORDINALS)})\s+(?P<kind>figure|table)\b(?! of contents)"
)
_FIRST = re.compile(
    r"\b(?:(?:front |book )?cover(?: page| slide| sheet| image| photo)|title (?:page|slide)|"
    r"(?:front|book|report|document)(?:'s)? cover|(?:on|of|in|at) the cover)\b"
    r"|\b(?:opening|initial) (?:page|slide)\b|(?<!裏)表紙|最初の(?:ページ|頁|スライド)|冒頭の(?:ページ|スライド)"
)
_FIRST_FEW = re.compile(rf"\bfirst (?P<count>\d{{1,2}}|{'|'.join(_CARDINALS)}) (?:pages|slides)\b")
_LAST = re.compile(
    r"\b(?:last|final|closing|ending|back cover) (?:page|slide)\b|\bback cover\b"
    r"|最後の(?:ページ|頁|スライド)|最終(?:ページ|頁|スライド)|裏表紙"
)
_LAST_FEW = re.compile(
    rf"\b(?:last|final) (?P<count>\d{{1,2}}|{'|'.join(_CARDINALS)}) (?:pages|slides)\b"
)
_LABELLED = frozenset({"figure", "chart", "table", "equation", "caption"})
_WIDEST = 20  # pages of a range; a wider one says nothing


@dataclass(frozen=True)
class Mentions:
    """What a question names: labels (``table:1``) and pages.

    pages are numbers as the asker counts: physical or printed. places are physical ones: from
    the front (1 is the first page) or, negative, from the end (-1 is the last page).
    """

    labels: tuple[str, ...] = ()
    pages: tuple[int, ...] = ()
    places: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.labels or self.pages or self.places)


def own_label(kind: NodeKind, text: str) -> str | None:
    """``figure:2`` of a figure, table or caption, ``section:3.2`` of a heading, or None.

    ``text`` is the node's content, whose first line is its caption where it has one.
    """
    folded = fold_text(text.strip().split("\n", 1)[0])
    if kind == "heading":
        for pattern, name in (
            (_APPENDIX, "appendix"),
            (_ROMAN_HEADING, "section"),
            (_HEADING, "section"),
            (_LETTER_HEADING, "appendix"),
        ):
            if match := pattern.match(folded):
                return f"{name}:{_plain(match['number'])}"
        return None
    if kind not in _LABELLED:
        return None
    for name, pattern in _NAMED.items():
        match = pattern.match(folded)
        if match and name not in ("section", "appendix"):
            return f"{name}:{_plain(match['number'])}"
    return None


def mentioned(question: str) -> Mentions:
    """What ``question`` names, each once, in no particular kind's favour."""
    folded = fold_text(question)
    return Mentions(
        tuple(dict.fromkeys(_labels(folded))),
        tuple(dict.fromkeys(_pages(folded))),
        tuple(dict.fromkeys(_places(folded))),
    )


def without_places(question: str) -> str:
    """``question``, folded, without the pages and slides that it names by number or place."""
    folded = fold_text(question)
    for pattern in (_FIRST_FEW, _LAST_FEW, _NTH, _FIRST, _LAST, _PAGE):
        folded = pattern.sub(" ", folded)
    return folded


def _labels(folded: str) -> Iterator[str]:
    for kind, pattern in _NAMED.items():
        for match in pattern.finditer(folded):
            yield f"{kind}:{_plain(match['number'])}"
            for number in _MORE.findall(match["more"]):
                yield f"{kind}:{_plain(number)}"
    for match in _NTH_LABEL.finditer(folded):
        yield f"{match['kind']}:{_ORDINALS[match['word']]}"
    for match in _JA_SECTION.finditer(folded):
        yield f"section:{_plain(match['number'])}"


def _pages(folded: str) -> Iterator[int]:
    for match in _PAGE.finditer(folded):
        first = int(match["first"] or match["only"])
        last = int(match["last"] or match["until"] or first)
        yield from range(first, last + 1) if first <= last <= first + _WIDEST else (first,)
        yield from map(int, re.findall(r"\d+", match["more"] or ""))
    for match in _NTH.finditer(folded):
        if match["cardinal"]:
            yield _CARDINALS[match["cardinal"]]
        else:
            yield _ORDINALS[match["word"]] if match["word"] else int(match["number"])


def _places(folded: str) -> Iterator[int]:
    if _FIRST.search(folded):
        yield 1
    if _LAST.search(folded):
        yield -1
    for match in _FIRST_FEW.finditer(folded):
        yield from range(1, min(_count(match["count"]), _WIDEST) + 1)
    for match in _LAST_FEW.finditer(folded):
        yield from range(-1, -min(_count(match["count"]), _WIDEST) - 1, -1)


def _count(word: str) -> int:
    return _CARDINALS[word] if word in _CARDINALS else int(word)


_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10}


def _plain(number: str) -> str:
    """One spelling: no closing dot, Roman numerals as figures."""
    number = number.rstrip(".")
    if not set(number) <= set(_ROMAN_VALUES):
        return number
    values = [_ROMAN_VALUES[char] for char in number]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return str(sum(-value if value < after else value for value, after in pairs))
