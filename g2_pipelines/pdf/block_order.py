"""Reading order of a page's blocks from their boxes.

Here: the order of paragraphs, tables, figures and the like; the order of bare lines is
``order``'s. A page is cut into columns where a white strip runs through all of it, else into
bands from side to side; bands that follow each other with the same columns are one part, so
that a gap that happens to stand in both columns does not interleave them. Narrow marks beside
texts (numbers of items, "</>") are read with the text beside them, footnotes after the page's
text. Pure functions; for the modules of ``pdf`` only.

Measured on 196 pages of boxes that people put in order: ``python -m benchmarks.pdf``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from g2_pipelines.pdf.geometry import Box, around

T = TypeVar("T")
BoxOf = Callable[[T], Box]
#: Boxes may overlap by this many points on each side and still stand beside each other.
OVERLAP = 3.0
#: A column of marks is no wider than this (points), its texts are at least three times wider.
MARK_WIDTH = 60.0
#: Tops nearer than this (points) are one line where nothing else tells.
SAME_TOP = 6.0
MAX_DEPTH = 40


def block_order(
    blocks: Sequence[T], box_of: BoxOf[T], *, is_footnote: Callable[[T], bool] = lambda _: False
) -> list[T]:
    """``blocks`` of one page in reading order; the same for any order in which they come."""
    ranked = sorted(blocks, key=box_of)
    text = [block for block in ranked if not is_footnote(block)]
    notes = [block for block in ranked if is_footnote(block)]
    return [*_ordered(text, box_of, MAX_DEPTH), *_ordered(notes, box_of, MAX_DEPTH)]


def _ordered(items: list[T], box_of: BoxOf[T], depth: int) -> list[T]:
    if len(items) < 2 or depth == 0:
        return sorted(items, key=lambda item: (box_of(item).y0, box_of(item).x0))
    marked = _marked(items, box_of)
    if marked is not None:
        return _with_marks(*marked, box_of, depth)
    parts = _columns(items, box_of)
    if len(parts) < 2:
        parts = _bands(items, box_of)
    if len(parts) < 2:
        return sorted(items, key=lambda item: (round(box_of(item).y0 / SAME_TOP), box_of(item).x0))
    return [item for part in parts for item in _ordered(part, box_of, depth - 1)]


def _parts(items: Sequence[T], span: Callable[[T], tuple[float, float]]) -> list[list[T]]:
    """Groups of items whose spans (each a little shortened) do not touch, in their order."""

    def core(item: T) -> tuple[float, float]:
        low, high = span(item)
        give = min(OVERLAP, (high - low) / 4)
        return low + give, high - give

    ranked = sorted(items, key=core)
    groups = [[ranked[0]]]
    end = core(ranked[0])[1]
    for item in ranked[1:]:
        low, high = core(item)
        if low >= end:
            groups.append([item])
        else:
            groups[-1].append(item)
        end = max(end, high)
    return groups


def _strips(items: Sequence[T], box_of: BoxOf[T]) -> list[list[T]]:
    return _parts(items, lambda item: (box_of(item).x0, box_of(item).x1))


def _columns(items: Sequence[T], box_of: BoxOf[T]) -> list[list[T]]:
    """Columns from left to right, each with the marks beside its texts; one if there are none."""
    groups = _strips(items, box_of)
    columns = [groups[0]]
    for group in groups[1:]:
        if _are_marks(columns[-1], group, box_of) or _are_marks(group, columns[-1], box_of):
            columns[-1] = columns[-1] + group
        else:
            columns.append(group)
    return columns


def _bands(items: Sequence[T], box_of: BoxOf[T]) -> list[list[T]]:
    """Bands from top to bottom; those that go on in the same columns are one."""
    groups = _parts(items, lambda item: (box_of(item).y0, box_of(item).y1))
    bands = [groups[0]]
    before: int | None = None
    for group in groups[1:]:
        if before is None:
            before = len(_columns(bands[-1], box_of))
        if before < 2:
            bands.append(group)
            before = None
            continue
        together = len(_columns(bands[-1] + group, box_of))
        if before >= together >= 2:
            bands[-1] = bands[-1] + group
            before = together
        else:
            bands.append(group)
            before = None
    return bands


def _are_marks(marks: Sequence[T], texts: Sequence[T], box_of: BoxOf[T]) -> bool:
    """True for a narrow column of several items, each beside a text of the other column."""
    if len(marks) < 2:
        return False  # the short last line at the head of a column is no mark
    width = around(box_of(item) for item in marks).width
    if width > MARK_WIDTH or around(box_of(item) for item in texts).width < 3 * width:
        return False
    return all(any(_beside(box_of(m), box_of(t)) for t in texts) for m in marks)


def _beside(mark: Box, text: Box) -> bool:
    return mark.down(text) > 0.3 * min(mark.height, text.height)


def _marked(items: Sequence[T], box_of: BoxOf[T]) -> tuple[list[T], list[T]] | None:
    """(marks, texts) where the items are just these two columns, in either order."""
    groups = _strips(items, box_of)
    if len(groups) != 2:
        return None
    left, right = groups
    if _are_marks(left, right, box_of):
        return left, right
    if _are_marks(right, left, box_of):
        return right, left
    return None


def _with_marks(marks: list[T], texts: list[T], box_of: BoxOf[T], depth: int) -> list[T]:
    """The texts in order, each mark before the first text at its right or after that at its left."""
    result = _ordered(texts, box_of, depth - 1)
    known = {id(text) for text in texts}
    at_left = box_of(marks[0]).x0 < min(box_of(text).x0 for text in texts)
    for mark in sorted(marks, key=lambda item: -box_of(item).y0):
        beside = [
            k
            for k, item in enumerate(result)
            if id(item) in known and _beside(box_of(mark), box_of(item))
        ]
        result.insert(beside[0] if at_left else beside[-1] + 1, mark)
    return result
