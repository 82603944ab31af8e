"""Explicit references in a node's text («図3», Table 2, Section 4, page 12) and their targets.

Here: finding them and looking their targets up among a document's nodes. Matching is on
NFKC text with the offsets of the original. Pure functions; for the modules of ``pdf`` only.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from g2_pipelines.pdf.captions import kind_of, label_of, number_of
from g2_pipelines.pdf.headings import number_of_heading
from g2_pipelines.tables.line2 import DocumentNode, NodeReference

_NUMBER = r"[A-Z]?\d+(?:[-.‐–－．]\d+)*"
_SHOWN = re.compile(
    rf"(?P<word>図表|図|(?<![一-龥])表|写真|\bFigures?|\bFigs?\.|\bTables?|\bCharts?|\bExhibits?)"
    rf"\s*(?P<number>{_NUMBER})(?P<more>(?:\s*(?:,|、|・|と|and|&|及び|および)\s*{_NUMBER}(?![\d,]*\s*[%％年月日]))*)",
    re.IGNORECASE,
)
#: A law's «第37条第2項» names no section of this document.
_SECTION = re.compile(
    rf"(?:\b(?:Sections?|Secs?\.|Chapters?)|§§?)\s*(?P<en>{_NUMBER})|(?<![条項号法令則規\d])第\s*(?P<ja>{_NUMBER})\s*[章節項]|(?<![\d.第])(?P<bare>\d+(?:\.\d+)+)\s*[節項]",
    re.IGNORECASE,
)
_APPENDIX = re.compile(
    r"\bAppendi(?:x|ces)\s+(?P<en>[A-Z](?:\.\d+)*|\d+)(?!\w)"
    rf"|(?P<word>付録|別紙|別表|別添|様式)\s*(?P<ja>[A-Z](?!\w)|{_NUMBER})",
)
_EQUATION = re.compile(
    r"(?:\b(?:Eqs?\.|Equations?)\s*|(?<![一-龥])式\s*(?=\())\(?(?P<number>\d+(?:\.\d+)*)\)?"
    r"(?P<more>(?:\s*(?:,|、|and|と|および)\s*\(\d+(?:\.\d+)*\))*)",
    re.IGNORECASE,
)
#: A quoted heading with its number: 「3-1-2　書類一覧」.
_QUOTED = re.compile(r"[「『](?P<number>\d{1,2}(?:[-.]\d{1,2}){1,4})[^」』\d][^」』]{0,60}[」』]")
#: An equation's number stands in brackets on its own.
_EQUATION_NUMBER = re.compile(r"(?:^|\s)\((\d{1,3}(?:\.\d+)*)\)(?=\s|$)")
#: What an appendix begins with; short lines may be its heading without larger letters.
_APPENDIX_TITLE = re.compile(
    r"(?:Appendix\s+)?(?P<en>[A-Z](?:\.\d+)*)[.:]?\s+\S|Appendix\s+(?P<number>\d+)\b", re.IGNORECASE
)
_ANNEX_TITLE = re.compile(
    rf"[（(【<＜]?(?P<word>付録|別紙|別表|別添|様式)\s*(?P<ja>[A-Z](?!\w)|{_NUMBER})"
)
MAX_TITLE, MAX_RANGE = 80, 20
_PAGE = re.compile(
    r"(?:\b(?:see|on|cf\.)\s+(?:page|p\.)\s*|\bpage\s+)(?P<en>\d{1,4})\b|(?<![\d\-–~〜.,])(?P<ja>\d{1,4})\s*(?:ページ|頁)(?!数)",
    re.IGNORECASE,
)


Targets = Mapping[tuple[str, str], str]


def with_references(nodes: Sequence[DocumentNode]) -> list[DocumentNode]:
    """The nodes with their references found and resolved where the target is in the document."""
    targets = _targets(nodes)
    pages = _page_targets(nodes)
    result = []
    for node in nodes:
        found = []
        if node.kind not in ("furniture", "heading", "table", "figure", "chart", "equation"):
            own = _own_label(node)
            for start, end, mentioned in _mentions(node.text):
                for key in _of_range(mentioned, targets):
                    target = pages.get(key[1]) if key[0] == "page" else targets.get(key)
                    if key[0] == "quoted":
                        target = targets.get(("section", key[1]))
                    named = key[0] not in ("page", "quoted") or target is not None
                    if named and key != own and target != node.node_id:
                        found.append(
                            NodeReference(
                                text=node.text[start:end], start=start, end=end, target=target
                            )
                        )
        result.append(node.model_copy(update={"references": found}) if found else node)
    return result


def _own_label(node: DocumentNode) -> tuple[str, str] | None:
    return label_of(node.text) if node.kind == "caption" else None


def _targets(nodes: Sequence[DocumentNode]) -> dict[tuple[str, str], str]:
    targets: dict[tuple[str, str], str] = {}
    for node in nodes:
        label = label_of(node.caption or (node.text if node.kind == "caption" else ""))
        if label is not None:
            targets.setdefault(label, node.node_id)
        if node.kind == "heading":
            number = number_of_heading(node.text) or _chapter_number(node.text)
            if number is not None:
                targets.setdefault(("section", number_of(number)), node.node_id)
        for key in _appendix_keys(node):
            targets.setdefault(key, node.node_id)
        if node.kind == "equation":
            for number in _EQUATION_NUMBER.findall(node.text):
                targets.setdefault(("equation", number), node.node_id)
    return targets


def _appendix_keys(node: DocumentNode) -> list[tuple[str, str]]:
    """Keys of the appendix that begins at this node."""
    text = unicodedata.normalize("NFKC", node.text)
    title = node.kind == "heading" or (node.kind == "paragraph" and len(text) <= MAX_TITLE)
    keys = []
    if title and (match := _ANNEX_TITLE.match(text)):
        keys.append((match["word"], number_of(match["ja"])))
    # On the first page «A …» is a title that begins with the article.
    if node.kind == "heading" and node.page > 1 and (match := _APPENDIX_TITLE.match(text)):
        keys.append(("appendix", number_of(match["en"] or match["number"])))
    return keys


def _of_range(key: tuple[str, str], targets: Targets) -> list[tuple[str, str]]:
    """The keys of «Tables 8-9»: one where a thing has that number, else those of the range."""
    ends = key[1].split("-")
    if key in targets or len(ends) != 2 or not all(end.isdigit() for end in ends):
        return [key]
    first, last = map(int, ends)
    keys = [(key[0], str(number)) for number in range(first, min(last, first + MAX_RANGE) + 1)]
    return keys if len(keys) > 1 and all(one in targets for one in keys) else [key]


def _chapter_number(text: str) -> str | None:
    match = re.match(rf"第\s*({_NUMBER})\s*[章節]|(?:Section|Chapter)\s+({_NUMBER})", text, re.I)
    return None if match is None else match[1] or match[2]


def _page_targets(nodes: Sequence[DocumentNode]) -> dict[str, str]:
    """First node of the flow per page number: the printed numbers where pages have them."""
    first: dict[int, str] = {}
    printed: dict[int, str] = {}
    for node in nodes:
        if node.kind != "furniture":
            first.setdefault(node.page, node.node_id)
        elif re.fullmatch(r"\D{0,3}\d{1,4}\D{0,3}", node.text):
            printed.setdefault(node.page, re.sub(r"\D", "", node.text))
    if len(printed) >= max(2, len(first) / 2):
        return {number: first[page] for page, number in printed.items() if page in first}
    return {str(page): node_id for page, node_id in first.items()}


def _mentions(text: str) -> Iterator[tuple[int, int, tuple[str, str]]]:
    folded, offsets = _folded(text)
    for match in _SHOWN.finditer(folded):
        kind = kind_of(match["word"])
        # «表» alone also ends words such as 代表 and 年表: a Japanese word must begin with it.
        end = match.end("number")
        yield _range(offsets, match.start(), end, (kind, number_of(match["number"])))
        for more in re.finditer(_NUMBER, match["more"]):
            place = match.start("more")
            yield _range(
                offsets, place + more.start(), place + more.end(), (kind, number_of(more[0]))
            )
    for match in _SECTION.finditer(folded):
        number = match["en"] or match["ja"] or match["bare"]
        yield _range(offsets, match.start(), match.end(), ("section", number_of(number)))
    for match in _APPENDIX.finditer(folded):
        key = (match["word"] or "appendix", number_of(match["en"] or match["ja"]))
        yield _range(offsets, match.start(), match.end(), key)
    for match in _EQUATION.finditer(folded):
        first = match.end("number") + (folded[match.end("number") :][:1] == ")")
        yield _range(offsets, match.start(), first, ("equation", match["number"]))
        for more in re.finditer(r"\d+(?:\.\d+)*", match["more"]):
            at = match.start("more") + more.start()
            yield _range(offsets, at, at + len(more[0]), ("equation", more[0]))
    for match in _QUOTED.finditer(folded):
        yield _range(offsets, match.start(), match.end(), ("quoted", number_of(match["number"])))
    for match in _PAGE.finditer(folded):
        number = match["en"] or match["ja"]
        yield _range(offsets, match.start(), match.end(), ("page", number))


def _range(
    offsets: Sequence[int], start: int, end: int, key: tuple[str, str]
) -> tuple[int, int, tuple[str, str]]:
    return offsets[start], offsets[end - 1] + 1, key


def _folded(text: str) -> tuple[str, Sequence[int]]:
    """NFKC of each character with the place it comes from (never joins two characters)."""
    if text.isascii():
        return text, range(len(text))
    parts: list[str] = []
    offsets: list[int] = []
    for place, char in enumerate(text):
        folded = unicodedata.normalize("NFKC", char)
        parts.append(folded)
        offsets.extend([place] * len(folded))
    return "".join(parts), offsets
