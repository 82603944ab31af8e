"""A table node as a grid with headers, units and groups.

Here: ``Grid`` and ``grid_of``. Cells that span are repeated, header rows and label columns
are recognised, a row that holds only a label names the rows below it. Used by the extractive
implementation; how a question finds its cell stands in ``cells``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from g2_pipelines.qa.above import Above, Scale, scale_of
from g2_pipelines.qa.numbered import counts_columns, counts_rows
from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines.text.fold import fold_text

MAX_CELLS = 20_000  #: of one table; a larger one is read by its sentences only
_FIGURE = re.compile(
    r"[$€¥£]?\s*[(\[]?\s*[+\-±△▲~<>≦≧≤≥約]*\s*[$€¥£]?\s*\d[\d,.]*\s*(?:[^\d\s]{0,6}|±\s*[\d.]+\S{0,4})\s*[)\]]?"
)
_ITEM_NUMBER = re.compile(r"[(\[]\d{1,3}[)\]]\s*[^\W\d_]")
_ITEM = re.compile(r"^(?:\d{1,2}|[a-z])\)\s+(?=[^\W\d_])")
#: The dots between a label and its figures («Sales . . . . .»).
_LEADERS = re.compile(r"(?:\s*[.…·]){3,}\s*$")
_UNIT_WORDS = (
    r"[千百十]*[万億兆]?円|[千百十]*[万億兆]?(?:人|名|台|件|社|個|本|回|トン|株|戸|世帯|ドル)|"
    r"[%％‰℃]|°\s?[CF]|ポイント|年|月|日|時間|分|秒|歳|点|倍|か所|箇所|拠点|"
    r"[kKMGTmcdμµnp]?(?:m|g|W|Wh|Hz|Pa|V|A|L|l|s|t|J|N|B|eV|mol|rad)[23²³]?|"
    r"sq\.? ?(?:mi|km|ft|m)|mi|ft|in|lb|K|h|min|d|rpm|dB|ppm|pt|px|ha|kWh|kcal|fps|days?|hours?|minutes?|seconds?|years?|months?|points?|"
    r"(?:thousands?|millions?|billions?)?(?: of)?\s?(?:yen|dollars?|euros?|USD|EUR|JPY|US\$|people|persons|tonnes?|tons?)|"
    r"thousands?|millions?|billions?"
)
_UNIT = re.compile(
    rf"[(（\[［〔]\s*(?:単位\s*[:：]?\s*)?((?:{_UNIT_WORDS})(?:\s?[-−⁻][1¹2²])?(?:\s?[/・·]\s?(?:{_UNIT_WORDS}))?)\s*[)）\]］〕]"
)
_CAPTION_UNIT = re.compile(
    r"単位\s*[:：]?\s*([^\s()（）、,]{1,8})|\bin ((?:millions?|thousands?|billions?) of \w+)"
)
_CAPTION_SHARE = re.compile(r"[(（][%％][)）]\s*$")
#: No amounts, whatever scale the table states: shares of a whole, per-share and per-head figures.
_UNSCALED = re.compile(
    r"\bper\b|%|\bpercent|\bratio\b|\bmargin\b|\brate\b|比率|割合|[率%]|1株|一株"
    r"|\b(?:employees|staff|headcount|number of)\b|従業員|人数"
)
_HAS_SCALE = re.compile(r"[%倍]|million|thousand|billion|[万億兆円人]")
_MOST_ABOVE = 2  #: rows above a row of years
_YEAR_CELL = re.compile(r"(?:fy ?)?(?:19|20)\d\d(?:年度?)?")
_ANY_YEAR = re.compile(r"(?:19|20)\d\d")
_OF_ABOVE = re.compile(
    r"(?:as (?:a )?)?(?:%|percent(?:age)?) of |(?:対)?売上(?:高|収益)?(?:比|構成比)|構成比"
)
_BROKEN = re.compile(r"(?<=[a-z]{2})-\s+(?!(?:and|or|to)\b)(?=[a-z]{2})")
_FRACTION = re.compile(r"[0-9０-９]+[/／][0-9０-９]+")
_TOTAL = re.compile(
    r"^(?:合計|総計|小計|計$|全体|平均|調整額|(?:grand )?total\b|sum$|average|mean$|all$|overall)"
)


_NOTHING = Above()


@dataclass(frozen=True)
class Grid:
    """Rows of cell texts; ``header_rows`` at the top, ``label_columns`` at the left."""

    node: DocumentNode
    rows: tuple[tuple[str, ...], ...]
    header_rows: int
    label_columns: int
    above: Above = _NOTHING

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """Per row, the label of the group it stands in, "" for none."""
        result: list[str] = []
        current = ""
        for place, row in enumerate(self.rows):
            filled = [cell for cell in row if cell]
            alone = len(row) > 1 and len(set(filled)) == 1 and bool(row[0])
            if place >= self.header_rows and alone and not is_figure(filled[0]):
                current = filled[0]
            result.append(current if filled[:1] != [current] else "")
        for place in range(self.header_rows + 1, len(self.rows)):
            result[place] = self.share_of(place) or result[place]
        return tuple(result)

    def share_of(self, place: int) -> str:
        """For a row that is a share («% of revenues») the row above that it is the share of."""
        if not _OF_ABOVE.match(fold_text(self.row_label(place)).strip()):
            return ""
        for row in range(place - 1, self.header_rows - 1, -1):
            label = self.row_label(row)
            if label and not _OF_ABOVE.match(fold_text(label).strip()):
                return label
        return ""

    def column_header(self, column: int) -> str:
        """The header cells above ``column``, outermost first, each once."""
        cells = [row[column] for row in self._heads]
        return " ".join(
            dict.fromkeys([*self._years[column : column + 1], *filter(None, cells)])
        ).strip()

    @cached_property
    def _heads(self) -> list[tuple[str, ...]]:
        """The header rows without one that only numbers the columns."""
        return [row for row in self.rows[: self.header_rows] if not counts_columns(row)]

    @cached_property
    def _years(self) -> tuple[str, ...]:
        """The years above the columns, where they number as many as the columns of figures and
        the table's own header names none.
        """
        first = self.label_columns
        width = len(self.rows[0])
        own = " ".join(cell for row in self.rows[: self.header_rows] for cell in row)
        if not self.above.years or len(self.above.years) != width - first or _ANY_YEAR.search(own):
            return ()
        return ("",) * first + self.above.years

    @cached_property
    def _scale(self) -> Scale:
        """The scale stated in caption, corner or a header over all columns, else in the line
        above the table.
        """
        head = self.rows[: self.header_rows]
        cells = [cell for row in head for cell in row[: self.label_columns]]
        cells += [row[-1] for row in head if len(set(row[self.label_columns :])) == 1]
        stated = (
            scale_of(text) for text in (self.node.caption or "", *cells, self.above.unit_line)
        )
        return next((scale for scale in stated if scale.name), Scale())

    def row_label(self, row: int) -> str:
        """The label cells of ``row``, without the number of an item («9) Staff costs»)."""
        cells = self.rows[row][int(self._serial) : self.label_columns]
        label = _ITEM.sub("", " ".join(dict.fromkeys(cell for cell in cells if cell)))
        return _LEADERS.sub("", label) or label

    @cached_property
    def _serial(self) -> bool:
        """True where the first of several label columns only counts the rows."""
        first = [row[0] for row in self.rows[self.header_rows :]]
        return self.label_columns > 1 and counts_rows(first)

    def named_by(self, row: int, column: int) -> str:
        """The text left of a figure, where one header spans both («1st: repairs, 62.6»)."""
        if column <= self.label_columns or not is_figure(self.rows[row][column]):
            return ""
        beside = self.rows[row][column - 1]
        header = self.column_header(column)
        spans = header and header == self.column_header(column - 1)
        return beside if spans and beside and not is_figure(beside) else ""

    @property
    def corner(self) -> str:
        """The headers of the label columns: what the rows are (方式, Zone)."""
        return " ".join(self.column_header(place) for place in range(self.label_columns))

    def unit(self, row: int, column: int) -> str:
        """The unit in brackets in the column's header, the row's label or the caption."""
        for text in (self.column_header(column), self.row_label(row)):
            found = _UNIT.findall(text)
            if found:
                return str(found[-1]).strip()
        stated = _CAPTION_UNIT.search(f"{self.node.caption or ''} {self.rows[0][0]}")
        if stated:
            return str(stated[1] or stated[2])
        return self._scaled(row, column) or self._of_caption

    @cached_property
    def _of_caption(self) -> str:
        """The percent sign that ends the caption («Margins by year (%)»), of a table that states
        no other unit anywhere.
        """
        found = _CAPTION_SHARE.search(self.node.caption or "")
        own = [*self.rows[: self.header_rows], [row[0] for row in self.rows]]
        bare = not any(_UNIT.search(cell) for line in own for cell in line)
        values = (cell for row in self.rows[self.header_rows :] for cell in row[1:])
        return "%" if found and bare and not any("%" in fold_text(v) for v in values) else ""

    def _scaled(self, row: int, column: int) -> str:
        """The column's or table's scale for this cell, "" for one that is no amount of it."""
        value = self.rows[row][column]
        own = fold_text(f"{self.row_label(row)} {self.column_header(column)}")
        stated = scale_of(self.column_header(column))
        scale = stated if stated.name else self._scale
        per = _UNSCALED.search(fold_text(self.groups[row])) is not None
        shares = scale.shares and "share" in f"{own} {fold_text(self.groups[row])}"
        if per or shares or _UNSCALED.search(own) or _HAS_SCALE.search(fold_text(value)):
            return ""
        return (
            f"{scale.name} {scale.currency}" if scale.currency and "$" not in value else scale.name
        )

    def body(self) -> range:
        """Places of the rows below the header."""
        return range(self.header_rows, len(self.rows))

    def by_year(self) -> Grid | None:
        """Of a table whose columns are years with nothing but values below, its years as rows;
        None for any other table. A row above the years is its title.
        """
        for place, row in enumerate(self.rows[:_MOST_ABOVE]):
            if not all(_YEAR_CELL.fullmatch(fold_text(cell)) for cell in row):
                continue
            below = self.rows[place:]
            first = [line[0] for line in below[1:]]
            if not any(is_figure(cell) for cell in first):
                return None
            title = " ".join(dict.fromkeys(cell for line in self.rows[:place] for cell in line))
            return Grid(
                node=self.node,
                rows=tuple(dict.fromkeys(zip(*below, strict=True))),
                header_rows=0,
                label_columns=1,
                above=replace(self.above, title=f"{title} {self.above.title}".strip()),
            )
        return None

    def turned(self) -> Grid:
        """The grid with rows and columns exchanged."""
        return Grid(
            node=self.node,
            rows=tuple(zip(*self.rows, strict=True)),
            header_rows=self.label_columns,
            label_columns=self.header_rows,
            above=Above(unit_line=self.above.unit_line),
        )


def is_figure(text: str) -> bool:
    """True for a cell that is a number with at most a sign and a short unit."""
    folded = fold_text(text).strip()
    if _ITEM_NUMBER.match(folded):  # (1) of a list's item
        return False
    return bool(folded) and _FIGURE.fullmatch(folded) is not None


def is_total(label: str) -> bool:
    """True for the label of a sum or average, which takes no part in a ranking."""
    return _TOTAL.match(fold_text(label).strip()) is not None


def without_unit(text: str) -> str:
    """A header without its unit in brackets, and with words that two lines broke joined."""
    return _BROKEN.sub("", _UNIT.sub("", text)).strip()


def grid_of(node: DocumentNode, lines: Above | None = None) -> Grid | None:
    """The grid of a table node, or None where it holds no table of two rows and columns.

    ``lines``: what stands above it.
    """
    if node.kind != "table":
        return None
    rows = _from_cells(node) if node.cells else _from_text(node.text)
    if len(rows) < 2 or len(rows[0]) < 2 or len(rows) * len(rows[0]) > MAX_CELLS:
        return None
    header_rows = _header_rows(node, rows)
    if header_rows < len(rows) - 1 and counts_columns(rows[header_rows]):
        header_rows += 1
    body = rows[header_rows:]
    labels = _label_columns(rows[:header_rows], body)
    if counts_rows([row[0] for row in body]) and all(_YEAR_CELL.fullmatch(r[1]) for r in body):
        labels = max(labels, 2) if len(body[0]) > 2 else labels
    return Grid(
        node=node,
        rows=rows,
        header_rows=header_rows,
        label_columns=labels,
        above=lines or Above(),
    )


def _from_cells(node: DocumentNode) -> tuple[tuple[str, ...], ...]:
    height = max(cell.row + cell.rowspan for cell in node.cells)
    width = max(cell.col + cell.colspan for cell in node.cells)
    if height * width > MAX_CELLS:
        return ()
    rows = [[""] * width for _ in range(height)]
    for cell in node.cells:
        for row in range(cell.row, cell.row + cell.rowspan):
            for column in range(cell.col, cell.col + cell.colspan):
                rows[row][column] = rows[row][column] or " ".join(cell.text.split())
    return tuple(tuple(row) for row in rows)


def _from_text(text: str) -> tuple[tuple[str, ...], ...]:
    rows = [[" ".join(cell.split()) for cell in line.split("\t")] for line in text.splitlines()]
    width = max((len(row) for row in rows), default=0)
    return tuple(tuple(row + [""] * (width - len(row))) for row in rows if any(row))


def _header_rows(node: DocumentNode, rows: Sequence[Sequence[str]]) -> int:
    """Rows marked as headers, else leading rows without a figure, one at least."""
    marked = {
        cell.row + extra for cell in node.cells if cell.header for extra in range(cell.rowspan)
    }
    plain = {cell.row for cell in node.cells if not cell.header and cell.text.strip()}
    count = 0
    while count < len(rows) - 1 and count in marked and count not in plain:
        count += 1
    if count and not (count == 1 and _is_data(rows[0]) and any(map(_is_data, rows[1:]))):
        return count + _more_heads(rows[count:])
    count = 0
    while count < min(3, len(rows) - 1) and not any(is_figure(cell) for cell in rows[count]):
        count += 1
    figures_below = any(is_figure(cell) for row in rows[count:] for cell in row)
    if not count and _is_data(rows[0]) and any(map(_is_data, rows[1:])):
        return 0  # its header stands above the table
    return count if count and figures_below else 1


def _more_heads(rows: Sequence[Sequence[str]]) -> int:
    """1 where the first of ``rows`` goes on with the header: full, without a figure, above
    nothing but figures.
    """
    first, below = rows[0], rows[1:]
    full = all(first) and not any(is_figure(cell) for cell in first)
    figures = [is_figure(cell) for row in below for cell in row[1:]]
    return int(full and len(below) > 1 and all(figures))


def _is_data(row: Sequence[str]) -> bool:
    """True for a label and amounts, none of which is a year."""
    values = [cell for cell in row[1:] if cell]
    years = any(_ANY_YEAR.search(cell) for cell in values)
    label = any(char.isalpha() for char in row[0])
    return label and bool(values) and not years and all(is_figure(cell) for cell in values)


def _is_amount(cell: str) -> bool:
    return is_figure(cell) or _FRACTION.fullmatch(cell) is not None


def _label_columns(head: Sequence[Sequence[str]], body: Sequence[Sequence[str]]) -> int:
    """Leading columns without figures, one at least and never all; where the first has no
    header, they end at a header over a text and the figure beside it.
    """
    width = len(body[0])
    heads = [tuple(row[column] for row in head) for column in range(width)]
    named = [any(cells) for cells in heads]
    count = 0
    while count < width - 1:
        if count and not named[0] and named[count] and heads[count] == heads[count + 1]:
            break
        filled = [row[count] for row in body if row[count]]
        figures = sum(_is_amount(cell) for cell in filled)
        if not filled or figures * 2 > len(filled):
            break
        count += 1
    has_figures = any(_is_amount(cell) for row in body for cell in row)
    return max(1, count) if has_figures else 1
