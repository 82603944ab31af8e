"""From a block's markup to clean text, with its tables and images beside it.

Here: the walk over the elements. Not here: which element is a section (``blocks``), headings
(``headings``). Used by ``filing``.

The text holds exactly the source's characters and white space: a paragraph or table row ends
in a newline, a cell in a tab, and HTML's insignificant white space is folded as a browser
folds it (a line break between two wide characters is none, CSS Text 3). U+3000 and U+00A0
inside a line survive; at its edges they go. Inside a cell of an ordinary table paragraphs are
parted by a space, so that a row stays one line; in a table of one column, and around a nested
table, they keep their newlines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from lxml import etree

from g2_pipelines.edinet.errors import UnsafeArchiveError
from g2_pipelines.edinet.headers import header_rows
from g2_pipelines.edinet.writer import Writer
from g2_pipelines.edinet.xml import local_name
from g2_pipelines.tables.line1 import SectionImage, SectionTable
from g2_pipelines.tables.rows import Cell

_BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "caption", "center", "dd", "details", "dir"}
    | {"div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3"}
    | {"h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section"}
    | {"summary", "table", "tbody", "tfoot", "thead", "tr", "ul"}
)
_SKIPPED = frozenset({"script", "style", "head", "title", "colgroup", "exclude"})
_HEADING_TAGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_HEADING_CLASS = re.compile(r"\bsmt_head(\d)\b")
#: Past this depth the rest is read flat; real pages stay below 40.
_MAX_DEPTH = 120
#: HTML's own limit of a colspan; a table wider than this keeps single cells.
_MAX_SPAN = 1000
_MAX_COLUMNS = 5000
#: Steps over one table's grid; real tables take some thousand.
_MAX_GRID = 5_000_000


@dataclass(frozen=True)
class CleanBlock:
    """Clean text with ranges into it. ``marked`` are starts of lines marked up as headings."""

    text: str
    tables: list[SectionTable]
    images: list[SectionImage]
    marked: frozenset[int]


@lru_cache(maxsize=1024)
def _html_name(tag: str) -> str:
    return local_name(tag).lower()


#: row, col, rowspan, colspan, header, start, end
_CellPlace = tuple[int, int, int, int, bool, int, int]


@dataclass
class _Table:
    """A table being read: cells on its grid, as a browser lays them out."""

    order: int
    one_line: bool
    row: int = -1
    col: int = 0
    width: int = 0
    start: int = -1
    end: int = 0
    cells: list[_CellPlace] = field(default_factory=list)
    work: int = 0  # steps over the grid so far
    reaching: dict[int, int] = field(default_factory=dict)  # column → last row taken from above

    def next_row(self) -> None:
        self.row += 1
        self.col = 0

    def place(self, rowspan: int, colspan: int) -> int:
        """The column of the next cell, past cells that reach down from rows above.

        Raises:
            UnsafeArchiveError: the spans cover more of a grid than any filing's table.
        """
        before = self.col
        while self.reaching.get(self.col, -1) >= self.row:
            self.col += 1
        col = self.col
        self.work += col - before + (colspan if rowspan > 1 else 1)
        if self.work > _MAX_GRID:
            raise UnsafeArchiveError(
                "The spans of a table cover more cells than any filing's",
                remedy="Download the document again from EDINET (type 1)",
            )
        if rowspan > 1:
            self.reaching.update(dict.fromkeys(range(col, col + colspan), self.row + rowspan - 1))
        self.col += colspan
        self.width = max(self.width, self.col)
        return col


class _Walk:
    def __init__(self) -> None:
        self.out = Writer()
        self.tables: list[_Table] = []
        self.images: list[SectionImage] = []
        self.marked: list[list[int]] = []
        self._open: list[_Table] = []
        self._soft = 0

    def block(self, element: etree._Element) -> None:
        """Text of ``element`` without its tail."""
        self._inside(element, 0)

    def _inside(self, element: etree._Element, depth: int) -> None:
        if element.text:
            self.out.write(element.text)
        for child in element:
            if isinstance(child.tag, str):
                if depth >= _MAX_DEPTH:
                    self.out.write("".join(map(str, child.itertext())))
                else:
                    self._element(child, _html_name(child.tag), depth + 1)
            if child.tail:
                self.out.write(child.tail)

    def _element(self, element: etree._Element, name: str, depth: int) -> None:
        if name in _SKIPPED:
            return
        if name == "br":
            self._break()
            self._inside(element, depth)  # empty in well-formed pages
        elif name == "img":
            self._image(element)
        elif name == "table":
            self._table(element, depth)
        elif name == "tr" and self._open:
            self._row(element, depth)
        elif name in {"td", "th"} and self._open:
            self._cell(element, name, depth)
        elif name in _BLOCKS:
            self._break()
            self._mark(element, name)
            self._inside(element, depth)
            self._break()
        else:
            self._inside(element, depth)

    def _break(self) -> None:
        if self._soft:
            self.out.break_softly()
        else:
            self.out.break_line()

    def _mark(self, element: etree._Element, name: str) -> None:
        if not self._open and (
            name in _HEADING_TAGS or _HEADING_CLASS.search(element.get("class") or "")
        ):
            self.marked.append(self.out.next_place())

    def _image(self, element: etree._Element) -> None:
        self.images.append(
            SectionImage(
                alt=(element.get("alt") or "").strip(),
                file=element.get("src") or "",
                place=self.out.length,
            )
        )

    def _table(self, element: etree._Element, depth: int) -> None:
        soft, self._soft = self._soft, 0
        self.out.break_line()
        table = _Table(order=len(self.tables), one_line=_one_line(element))
        self.tables.append(table)
        self._open.append(table)
        self._inside(element, depth)
        self._open.pop()
        self._soft = soft
        self.out.break_line()

    def _row(self, element: etree._Element, depth: int) -> None:
        self.out.break_line()
        self._open[-1].next_row()
        self._inside(element, depth)
        self.out.break_line()

    def _cell(self, element: etree._Element, name: str, depth: int) -> None:
        table = self._open[-1]
        if table.row < 0:  # a cell without a row, as broken markup may have it
            table.next_row()
        if table.col and table.one_line:
            self.out.tabs += 1
            self.out.space.clear()
        else:
            self.out.break_line()
        rowspan, colspan = _span(element, "rowspan"), _span(element, "colspan")
        if table.col > _MAX_COLUMNS:
            rowspan = colspan = 1
        col = table.place(rowspan, colspan)
        row = table.row
        soft, self._soft = self._soft, int(table.one_line and not _has_table(element))
        place = self.out.next_place()
        self._inside(element, depth)
        self._soft = soft
        empty = not place
        start, end = (0, 0) if empty else (place[0], self.out.length)
        if empty:
            self.out.forget(place)
        self.out.space.clear()
        if not empty:
            table.start = start if table.start < 0 else table.start
            table.end = end
        table.cells.append((row, col, rowspan, colspan, name == "th", start, end))


def _span(element: etree._Element, name: str) -> int:
    value = (element.get(name) or "").strip()
    return min(max(int(value), 1), _MAX_SPAN) if value.isascii() and value.isdigit() else 1


def _has_table(element: etree._Element) -> bool:
    return next(element.iter("{*}table", "table"), None) is not None


def _one_line(table: etree._Element) -> bool:
    """Whether a row of the table has two cells and so must stay one line."""
    for row in table.iter("{*}tr", "tr"):
        if sum(1 for c in row if isinstance(c.tag, str) and local_name(c.tag) in {"td", "th"}) > 1:
            return True
    return False


def clean(parts: Iterable[etree._Element]) -> CleanBlock:
    """Clean text of the parts of one block, in order (a block and its continuations).

    Cells' and tables' ranges are of the returned text; a cell's ``text`` is the text there;
    an empty cell has the range (0, 0). ``rows`` and ``cols`` span the grid with all spans.
    An image's ``place`` is the length of the text before it.

    Raises:
        UnsafeArchiveError: a table's spans cover a grid of millions of cells.
    """
    walk = _Walk()
    for part in parts:
        walk.block(part)
    text = "".join(walk.out.pieces)
    tables = [_finished(table, text) for table in walk.tables]
    marked = frozenset(place[0] for place in walk.marked if place)
    return CleanBlock(text, tables, walk.images, marked)


def _finished(table: _Table, text: str) -> SectionTable:
    first = max(table.start, 0)
    head = header_rows(
        [(row, col, down, over, text[s:e]) for row, col, down, over, _, s, e in table.cells]
    )
    return SectionTable(
        order=table.order,
        start=first,
        end=max(table.end, first),
        rows=table.row + 1,
        cols=table.width,
        cells=[
            Cell(
                row=row,
                col=col,
                rowspan=rowspan,
                colspan=colspan,
                text=text[start:end],
                header=header or row < head,
                start=start,
                end=end,
            )
            for row, col, rowspan, colspan, header, start, end in table.cells
        ],
    )
