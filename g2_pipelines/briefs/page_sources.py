"""The sources part of a brief's page: texts with their cited ranges marked, in context.

Here: ``Citation``, ``source_html`` (one text → HTML blocks with anchors, tables as tables,
long stretches without a citation folded). Not here: the page around it (``page``).
Importable by briefs and evaluation.

All text is escaped here, character by character of the source: nothing of a filing or a
transcript can become markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from markupsafe import Markup, escape

from g2_pipelines.tables.line1 import SectionHeading, SectionTable
from g2_pipelines.tables.rows import Cell

#: Blocks without a citation that stay open before and after one with.
_CONTEXT = 1
#: Fewer characters than this are not worth folding.
_FOLD_CHARS = 240
#: A table larger than this (cells) is folded even next to a citation.
_LARGE_TABLE = 400


class Citation(NamedTuple):
    """A cited range [start, end) of one text: its anchor, its number and its colour."""

    start: int
    end: int
    anchor: str
    back: str
    number: str
    colour: str


class _Block(NamedTuple):
    start: int
    end: int
    html: Markup
    cited: bool
    large: bool
    heading: bool = False


def source_html(
    text: str,
    citations: Sequence[Citation],
    *,
    tables: Sequence[SectionTable] = (),
    headings: Sequence[SectionHeading] = (),
) -> Markup:
    """One source text as HTML.

    Args:
        text: The stored clean text.
        citations: Ranges of it; they may overlap. Each gets an element with its anchor.
        tables: Tables of the text; nested ones are shown as text of the outer cell.
        headings: Headings of the text.

    Returns:
        Safe markup: paragraphs, headings and tables in order.
    """
    ordered = sorted(citations, key=lambda one: (one.start, one.end, one.anchor))
    blocks = list(_blocks(text, ordered, tables, headings))
    shown = {
        near
        for place, block in enumerate(blocks)
        if block.cited
        for near in (_above(blocks, place), *range(place - _CONTEXT, place + _CONTEXT + 1))
    }
    out: list[Markup] = []
    hidden: list[_Block] = []
    for place, block in enumerate(blocks):
        if place in shown and not (block.large and not block.cited):
            out.extend(_folded(hidden))
            hidden = []
            out.append(block.html)
        else:
            hidden.append(block)
    out.extend(_folded(hidden))
    html = Markup("\n").join(out)
    # A range that begins in white space or outside the cells has no mark to stand before.
    lost = [one for one in ordered if f'id="{one.anchor}"' not in html]
    return Markup("").join(_anchor(one, first=True) for one in lost) + html


def _above(blocks: Sequence[_Block], place: int) -> int:
    """The heading that a block stands under: it stays open with the block."""
    return next((at for at in range(place, -1, -1) if blocks[at].heading), place)


def _folded(blocks: Sequence[_Block]) -> list[Markup]:
    characters = sum(block.end - block.start for block in blocks)
    if characters < _FOLD_CHARS:
        return [block.html for block in blocks]
    summary = Markup("<summary>… 引用のない部分（{:,}字）を開く</summary>").format(characters)
    body = Markup("\n").join(block.html for block in blocks)
    return [Markup('<details class="gap">{}{}</details>').format(summary, body)]


def _blocks(
    text: str,
    citations: Sequence[Citation],
    tables: Sequence[SectionTable],
    headings: Sequence[SectionHeading],
) -> Iterable[_Block]:
    heads = {heading.start: heading.level for heading in headings}
    at = 0
    for table in sorted(tables, key=lambda table: (table.start, -table.end)):
        if table.start < at or not table.cells:
            continue
        yield from _lines(text, at, table.start, citations, heads)
        inside = _within(citations, table.start, table.end)
        html = _table(text, table, inside)
        yield _Block(
            table.start, table.end, html, bool(inside), table.rows * table.cols > _LARGE_TABLE
        )
        at = table.end
    yield from _lines(text, at, len(text), citations, heads)


def _lines(
    text: str, start: int, end: int, citations: Sequence[Citation], heads: dict[int, int]
) -> Iterable[_Block]:
    at = start
    for line in text[start:end].splitlines(keepends=True):
        stop = at + len(line)
        if line.strip():
            inside = _within(citations, at, stop)
            body = _marked(text, at, stop, inside)
            lead = at + len(line) - len(line.lstrip())
            level = heads.get(at, heads.get(lead))
            tag = "p" if level is None else f"h{min(6, level + 3)}"
            html = Markup("<{0}>{1}</{0}>").format(Markup(tag), body)  # noqa: S704 — tag is ours
            yield _Block(at, stop, html, bool(inside), large=False, heading=level is not None)
        at = stop


def _within(citations: Sequence[Citation], start: int, end: int) -> list[Citation]:
    return [one for one in citations if one.start < end and one.end > start]


def _marked(text: str, start: int, end: int, citations: Sequence[Citation]) -> Markup:
    """The characters [start, end), cited ranges in marks, an anchor where one begins.

    Where ranges overlap the shortest gives the colour: a figure inside a sentence is seen.
    """
    cuts = {start, end}
    for one in citations:
        cuts |= {max(start, one.start), min(end, one.end)}
    edges = sorted(cuts)
    out = Markup("")
    for a, b in pairwise(edges):
        here = [one for one in citations if one.start <= a and one.end >= b]
        for one in here:
            if one.start == a or (one.start < start and a == start):
                out += _anchor(one, first=one.start == a)
        piece = escape(text[a:b].strip("\n\r"))
        if here:
            inner = min(here, key=lambda one: one.end - one.start)
            out += Markup('<mark class="{}">{}</mark>').format(inner.colour, piece)
        else:
            out += piece
    return out


def _anchor(citation: Citation, *, first: bool) -> Markup:
    """The target of the citation's link; only its first line carries the id."""
    if not first:
        return Markup("")
    return Markup('<a class="back {}" id="{}" href="#{}" title="本文へ戻る">{}</a>').format(
        citation.colour, citation.anchor, citation.back, citation.number
    )


def _table(text: str, table: SectionTable, citations: Sequence[Citation]) -> Markup:
    rows: dict[int, list[Cell]] = {}
    for cell in table.cells:
        rows.setdefault(cell.row, []).append(cell)
    body = Markup("")
    for row in range(table.rows):
        cells = sorted(rows.get(row, ()), key=lambda cell: cell.col)
        body += Markup("<tr>{}</tr>").format(
            Markup("").join(_cell(text, cell, citations) for cell in cells)
        )
    # A citation that begins between two cells still needs its target.
    covered = [(cell.start, cell.end) for cell in table.cells if cell.end > cell.start]
    loose = [
        one
        for one in citations
        if not any(start <= one.start < end for start, end in covered)
        and table.start <= one.start < table.end
    ]
    anchors = Markup("").join(_anchor(one, first=True) for one in loose)
    return Markup('<div class="table">{}<table>{}</table></div>').format(anchors, body)


def _cell(text: str, cell: Cell, citations: Sequence[Citation]) -> Markup:
    spans = Markup("")
    if cell.rowspan > 1:
        spans += Markup(' rowspan="{}"').format(min(cell.rowspan, 1000))
    if cell.colspan > 1:
        spans += Markup(' colspan="{}"').format(min(cell.colspan, 1000))
    if cell.end > cell.start:
        inside = _within(citations, cell.start, cell.end)
        body = _marked(text, cell.start, cell.end, inside)
    else:
        body = escape(cell.text)
    figure = _is_figure(cell.text)
    kind = Markup(' class="figure"') if figure else Markup("")
    tag = Markup("th") if cell.header else Markup("td")
    return Markup("<{0}{1}{2}>{3}</{0}>").format(tag, spans, kind, body)


def _is_figure(text: str) -> bool:
    """Whether a cell holds a figure: then it is set to the right."""
    bare = text.strip()
    digits = sum(char.isdigit() for char in bare)
    return 0 < len(bare) <= 24 and digits * 2 >= len(bare.strip("△▲+-－＋()（）%％,，.")) > 0
