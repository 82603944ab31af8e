"""Tables of text between lying rules that a caption names and the engine left as paragraphs.

Here: the rules with the same ends over or under a caption «Table 5: …», what stands between
the outer two as a table, and its cells by its inner rules and the white between its columns.
Without such a caption rules are no table: they part texts too. Pure functions; for
``document`` only.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import partial
from itertools import pairwise

from g2_pipelines.pdf.captions import is_caption, label_of
from g2_pipelines.pdf.geometry import Block, Box, PageText, Run, around
from g2_pipelines.pdf.glyphs import join_runs, visual_lines
from g2_pipelines.pdf.order import in_place_of_text
from g2_pipelines.pdf.tables import holds_region
from g2_pipelines.tables.rows import Cell

#: White between a caption and its table's outer rule (points).
REACH = 26.0
#: Rules whose ends differ by less are of one table; shorter ones are of none (points).
SAME_END, MIN_LENGTH = 2.5, 90.0
#: Rules nearer than this to the page's top or bottom are a running head's (share).
MARGIN = 0.07
#: White between two columns (points).
COLUMN_GAP = 3.0
#: A table that holds more of the area between the rules is the table.
MOST = 0.8
_TEXT = ("paragraph", "heading", "list", "caption", "code", "equation", "footnote")


def with_ruled_tables(page: PageText, blocks: Sequence[Block]) -> list[Block]:
    """The page's blocks with the text between a captioned table's rules as one table each."""
    captions = [b for b in blocks if _names_table(b)]
    lying = [r.box for r in page.rules if r.horizontal and r.box.width >= MIN_LENGTH]
    lying = [b for b in lying if MARGIN < b.centre[1] / page.height < 1 - MARGIN]
    if not captions or len(lying) < 2:
        return list(blocks)
    result = list(blocks)
    regions = sorted(
        (gap, region, k)
        for k, caption in enumerate(captions)
        for gap, region in _regions(caption.box, lying, [c.box for c in captions])
    )
    done: set[int] = set()
    for _, region, k in regions:
        if k not in done and (table := _table(page, region, captions[k], result, lying)):
            done.add(k)
            own = {id(run) for run in table.runs}
            result = in_place_of_text(result, table, partial(_is_of, own))
    return result


def _names_table(block: Block) -> bool:
    if block.kind not in ("paragraph", "caption", "heading", "footnote") or not block.runs:
        return False
    label = label_of(block.runs[0].text)
    return label is not None and label[0] == "table" and is_caption(join_runs(block.runs))


def _regions(
    caption: Box, lying: Sequence[Box], captions: Sequence[Box]
) -> list[tuple[float, Box]]:
    """The areas between the outer rules over and under the caption, each with its distance."""
    found = []
    for down in (False, True):
        ranked = sorted(lying, key=lambda b: b.centre[1] if down else -b.centre[1])
        gaps = [
            (rule.y0 - caption.y1 if down else caption.y0 - rule.y1, rule)
            for rule in ranked
            if rule.across(caption) > 0.5 * min(rule.width, caption.width)
        ]
        near = [(gap, rule) for gap, rule in gaps if -2 <= gap <= REACH]
        if not near:
            continue
        gap, first = near[0]
        chain = [first]
        for beyond, rule in gaps:
            if beyond <= gap or max(abs(rule.x0 - first.x0), abs(rule.x1 - first.x1)) > SAME_END:
                continue
            between = around((chain[-1], rule))
            if any(c is not caption and between.holds(*c.centre) for c in captions):
                break
            chain.append(rule)
        if len(chain) > 1:
            found.append((max(gap, 0.0), around(chain)))
    return found


def _table(
    page: PageText, region: Box, caption: Block, blocks: Sequence[Block], lying: Sequence[Box]
) -> Block | None:
    """The region as a table, None where something else than text of its own stands in it."""
    runs: list[Run] = []
    for block in blocks:
        inside = [run for run in block.runs if region.grown(1).holds(*run.box.centre)]
        shared = block.box.shared(region)
        if block.kind in ("table", "figure", "chart"):
            # An engine may see the upper rows alone as a table.
            part = block.kind == "table" and len(inside) == len(block.runs) and inside
            if shared > 0.05 * min(region.area, block.box.area) and not (
                part and shared < MOST * region.area
            ):
                return None
        elif inside and (block is caption or block.kind not in _TEXT):
            return None
        runs += inside
    if not runs or any(r.box.x0 < region.x0 - 4 or r.box.x1 > region.x1 + 4 for r in runs):
        return None
    ys = [b.centre[1] for b in lying if region.grown(1).holds(*b.centre)]
    cells = _cells(runs, sorted(ys))
    if not holds_region(cells, sum(run.chars for run in runs)):
        return None
    return Block(
        kind="table", page=page.page, box=region, runs=runs, cells=cells, engine="pdfium+rules"
    )


def _cells(runs: Sequence[Run], ys: Sequence[float]) -> list[Cell]:
    columns = _columns(runs)
    rows: list[list[list[Run]]] = []
    for top, bottom in pairwise(ys):
        band = [run for run in runs if top <= run.box.centre[1] < bottom]
        if band:
            rows += _rows(band, columns)
    return [
        Cell(row=r, col=c, text=join_runs(part))
        for r, row in enumerate(rows)
        for c, part in enumerate(row)
    ]


def _columns(runs: Sequence[Run]) -> list[float]:
    """Where columns begin: after white that runs through all lines."""
    starts: list[float] = []
    reach = float("-inf")
    for run in sorted(runs, key=lambda run: run.box.x0):
        if run.box.x0 - reach >= COLUMN_GAP:
            starts.append(run.box.x0)
        reach = max(reach, run.box.x1)
    return starts


def _rows(band: Sequence[Run], columns: Sequence[float]) -> list[list[list[Run]]]:
    """The rows between two rules: a new one where every column that goes on begins anew.

    In a table of one column its paragraphs are the rows.
    """
    lines = visual_lines(band)
    groups = [[lines[0]]]
    for before, line in pairwise(lines):
        gap = around(r.box for r in line).y0 - around(r.box for r in before).y1
        if gap > 0.5 * line[0].box.height and (len(columns) == 1 or _begins(line, columns)):
            groups.append([line])
        else:
            groups[-1].append(line)
    return [
        [
            [run for line in group for run in line if _column(run, columns) == c]
            for c in range(len(columns))
        ]
        for group in groups
    ]


def _begins(line: Sequence[Run], columns: Sequence[float]) -> bool:
    """True for a line with text in the first column and in another."""
    found = {_column(run, columns) for run in line}
    return 0 in found and len(found) > 1


def _column(run: Run, columns: Sequence[float]) -> int:
    return max(c for c, start in enumerate(columns) if start <= run.box.x0 + 0.1)


def _is_of(own: Container[int], run: Run) -> bool:
    return id(run) in own
