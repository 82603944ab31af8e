"""Straight lines in a page's picture: the rules of a scanned table, which no path draws.

Here: lying and standing dark strokes longer than letters, in pixels. Pure functions over one
grey picture; for ``ocr_engine`` only.
"""

from __future__ import annotations

from typing import Any

#: Darker than this (of 255) is ink.
INK = 150
#: A stroke is at least so many pixels long (at 144 dpi 22 points) and at most so many thick.
MIN_LENGTH, MAX_THICKNESS = 44, 9
#: A scan's lines are off the level by so many pixels within a stroke's least length.
SLANT = 1
#: More lines are a drawing or noise.
MAX_LINES = 1500
Line = tuple[int, int, int, int]


def picture_rules(grey: Any) -> list[Line]:
    """The straight lines of a picture (rows × columns of 0…255): x0, y0, x1, y1 in pixels.

    Empty where there are too many of them.
    """
    import numpy as np

    ink = np.asarray(grey) < INK
    lying = _strokes(ink)
    standing = [(x0, y0, x1, y1) for y0, x0, y1, x1 in _strokes(ink.T)]
    found = sorted({*lying, *standing})
    return found if len(found) <= MAX_LINES else []


def _strokes(ink: Any) -> list[Line]:
    """Lying strokes as boxes; both ends are inside."""
    import numpy as np

    rows, columns = ink.shape
    if columns < MIN_LENGTH or rows < 2:
        return []
    spread = ink.copy()
    for by in range(1, SLANT + 1):
        spread[by:] |= ink[:-by]
        spread[:-by] |= ink[by:]
    total = np.zeros((rows, columns + 1), dtype=np.int32)
    np.cumsum(spread, axis=1, out=total[:, 1:])
    full = total[:, MIN_LENGTH:] - total[:, :-MIN_LENGTH] == MIN_LENGTH
    boxes: list[list[int]] = []
    open_boxes: list[list[int]] = []
    for y in np.flatnonzero(full.any(axis=1)):
        edges = np.flatnonzero(np.diff(np.concatenate(([0], full[y].view(np.int8), [0]))))
        now: list[list[int]] = []
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            x0, x1 = int(start), int(end) + MIN_LENGTH - 2
            box = next((b for b in open_boxes if b[3] >= y - 1 and b[0] <= x1 and b[2] >= x0), None)
            if box is None:
                box = [x0, int(y), x1, int(y)]
                boxes.append(box)
            else:
                box[:] = [min(box[0], x0), box[1], max(box[2], x1), int(y)]
            now.append(box)
        open_boxes = now
    thickest = MAX_THICKNESS + 2 * SLANT
    thin = [box for box in boxes if box[3] - box[1] < thickest]
    return [(x0, min(y0 + SLANT, y1), x1, max(y0, y1 - SLANT)) for x0, y0, x1, y1 in thin]
