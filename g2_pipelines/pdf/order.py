"""Reading order and paragraphs from boxes alone: the way back when no engine laid out a page.

Here: a recursive XY cut (columns before rows, a row cut only where no column cut is
possible), lines into paragraphs, and where a left-over piece belongs among ordered blocks.
Pure functions over boxes; for the modules of ``pdf`` only.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Container, Sequence
from statistics import median
from typing import TypeVar

from g2_pipelines.pdf.geometry import Block, Box, Run, around
from g2_pipelines.pdf.glyphs import visual_lines

T = TypeVar("T")
#: A white strip narrower than this many line heights does not separate columns.
COLUMN_GAP = 0.8
#: White space of this many line heights between lines ends a paragraph.
PARAGRAPH_GAP = 0.75
#: Glyphs this much larger than the page's body text make a heading.
HEADING_SIZE = 1.18
MAX_DEPTH = 40
#: Marks with which an item begins.
_BULLETS = tuple("•‣◦●○■□▪◆◇∙➢➤✓")
_NOTES = ("（出典", "(出典", "出典", "（出所", "出所", "（注", "(注", "※", "資料：")
#: So many groups back a line may go on where walls part them.
NEIGHBOURS = 4


def reading_order(items: Sequence[T], box_of: Callable[[T], Box]) -> list[T]:
    """``items`` in reading order: full-width bands from the top, columns inside them."""
    if len(items) < 2:
        return list(items)
    heights = [box_of(item).height for item in items]
    return _cut(list(items), box_of, max(1.0, median(heights)), MAX_DEPTH)


def _cut(items: list[T], box_of: Callable[[T], Box], line: float, depth: int) -> list[T]:
    if len(items) < 2 or depth == 0:
        return sorted(items, key=lambda item: (box_of(item).y0, box_of(item).x0))
    parts = _columns(items, box_of, line) or _bands(items, box_of)
    if parts is None:
        return sorted(items, key=lambda item: (round(box_of(item).y0 / line), box_of(item).x0))
    return [item for part in parts for item in _cut(part, box_of, line, depth - 1)]


def _columns(items: list[T], box_of: Callable[[T], Box], line: float) -> list[list[T]] | None:
    """Two sides of the widest white strip from top to bottom, None when there is none."""
    ranked = sorted(items, key=lambda item: box_of(item).x0)
    best, place, right = COLUMN_GAP * line, 0, box_of(ranked[0]).x1
    for k in range(1, len(ranked)):
        gap = box_of(ranked[k]).x0 - right
        if gap > best:
            best, place = gap, k
        right = max(right, box_of(ranked[k]).x1)
    if not place:
        return None
    left, rest = ranked[:place], ranked[place:]
    # One row of pieces side by side is a row, not columns: both sides must go on downwards.
    tall = [around(box_of(item) for item in side).height > 2.2 * line for side in (left, rest)]
    return [left, rest] if all(tall) else None


def _bands(items: list[T], box_of: Callable[[T], Box]) -> list[list[T]] | None:
    """Parts above and below the widest white band from side to side, None when there is none."""
    ranked = sorted(items, key=lambda item: box_of(item).y0)
    best, place, bottom = 0.0, 0, box_of(ranked[0]).y1
    for k in range(1, len(ranked)):
        gap = box_of(ranked[k]).y0 - bottom
        if gap > best:
            best, place = gap, k
        bottom = max(bottom, box_of(ranked[k]).y1)
    return [ranked[:place], ranked[place:]] if place else None


def line_blocks(runs: Sequence[Run], page: int, *, walls: Sequence[Box] = ()) -> list[Block]:
    """Runs of a page grouped to paragraphs and headings, in reading order.

    ``walls``: standing rules, over which no line goes on.
    """
    if not runs:
        return []
    ordered = reading_order(runs, lambda run: run.box)
    body = median(run.box.height for run in runs)
    standing = sorted(walls, key=lambda wall: wall.centre[0])
    places = [wall.centre[0] for wall in standing]
    groups: list[Block] = []
    for run in ordered:
        # Between walls the lines of neighbours come by turns.
        for group in groups[-NEIGHBOURS if walls else -1 :][::-1]:
            if _continues(group, run) and not _walled(group, run, standing, places):
                group.runs.append(run)
                group.box = around((group.box, run.box))
                break
        else:
            groups.append(Block(kind="paragraph", page=page, box=run.box, runs=[run]))
    for block in groups:
        if _looks_like_heading(block, body):
            block.kind = "heading"
    return groups


def _continues(group: Block, run: Run) -> bool:
    last = group.runs[-1].box
    height = max(last.height, run.box.height)
    if min(last.height, run.box.height) < 0.75 * height:
        return False
    if last.down(run.box) > 0.5 * min(last.height, run.box.height):
        return -height < run.box.x0 - last.x1 < 2.5 * height
    if run.text.startswith(_BULLETS):
        return False
    gap = run.box.y0 - last.y1
    return -0.5 * height < gap < PARAGRAPH_GAP * height and group.box.across(run.box) > 0


def _walled(group: Block, run: Run, walls: Sequence[Box], places: Sequence[float]) -> bool:
    """True when a wall stands between the group's last run and ``run``.

    ``walls`` come by their middles, ``places``, from the left.
    """
    last = group.runs[-1].box
    left, right = min(last.x1, run.box.x1), max(last.x0, run.box.x0)
    low, high = max(last.y0, run.box.y0), min(last.y1, run.box.y1)
    between = walls[bisect_right(places, left - 1) : bisect_left(places, right + 1)]
    return any(wall.y0 < high and wall.y1 > low for wall in between)


def _looks_like_heading(block: Block, body: float) -> bool:
    text = "".join(run.text for run in block.runs)
    if text.startswith((*_BULLETS, *_NOTES)):
        return False
    lines = visual_lines(block.runs)
    large = block.size >= HEADING_SIZE * body
    return large and len(lines) <= 3 and 2 <= len(text) <= 160 and any(c.isalpha() for c in text)


def insert_by_place(blocks: list[Block], extra: Block) -> None:
    """Puts ``extra`` after the block it follows on the page: the nearest above in its column."""
    # Bare comparisons: a page may have thousands of pieces, and each is compared with all.
    x0, y0, x1, _ = extra.box
    middle = extra.box.centre[1]
    nearest: tuple[float, int] | None = None
    first: int | None = None
    for k, other in enumerate(blocks):
        left, top, right, bottom = other.box
        if min(right, x1) - max(left, x0) <= 0:
            continue
        if first is None:
            first = k
        if (top + bottom) / 2 <= middle and (nearest is None or abs(y0 - bottom) < nearest[0]):
            nearest = (abs(y0 - bottom), k)
    if nearest is not None:
        blocks.insert(nearest[1] + 1, extra)
    else:
        blocks.insert(len(blocks) if first is None else first, extra)


def in_place_of_text(
    blocks: Sequence[Block],
    table: Block,
    is_taken: Callable[[Run], bool],
    *,
    but: Container[str] = (),
) -> list[Block]:
    """The blocks with ``table`` in the place of the first text that it takes.

    Blocks lose the runs that are taken, and go where none is left; those of a kind in ``but``
    stay as they are.
    """
    result: list[Block] = []
    placed = False
    for block in blocks:
        left = [run for run in block.runs if not is_taken(run)]
        if block.kind in but or len(left) == len(block.runs):
            result.append(block)
            continue
        if not placed:
            result.append(table)
            placed = True
        if left:
            block.runs, block.box = left, around(run.box for run in left)
            result.append(block)
    return result
