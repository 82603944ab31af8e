"""Picture regions of a layout engine, cut back to what is drawn there.

An engine may put a tab in the margin and a line of the footer into one picture that covers the
text between them: the text would leave the flow as the picture's labels. A picture's border
cuts no line of text, so a region whose border does is not believed. Here: ``drawn_box``. Pure;
for ``blocks``.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.pdf.geometry import Box, PageText, Run, around

#: So many lines of so many characters cut by a region's border show that it is none.
CUT_LINES, CUT_CHARS = 2, 12
#: What is painted over more of the page is its background.
BACKGROUND = 0.5
#: Pieces nearer than this, in points, are of one drawing.
NEAR = 6.0
#: Shares of the region's width that such a line has outside and inside: a caption is wider than
#: its picture by less.
OUTSIDE, INSIDE = 0.3, 0.2


def drawn_box(page: PageText, region: Box) -> Box | None:
    """``region``, or where its border cuts lines of text the box of the largest drawing in it.

    None where nothing is drawn there beside the text.
    """
    lines = [run for run in page.runs if _cut(run, region)]
    if len(lines) < CUT_LINES:
        return region
    free = [
        box for box in _drawings(page, region) if not any(run.box.shared(box) > 0 for run in lines)
    ]
    return max(free, key=lambda box: (box.area, -box.y0, -box.x0), default=None)


def _cut(run: Run, region: Box) -> bool:
    """True for a line of text that goes on over the region's left or right border."""
    if run.chars < CUT_CHARS or not region.y0 < run.box.centre[1] < region.y1:
        return False
    inside = run.box.across(region)
    outside = run.box.width - inside
    return inside > INSIDE * region.width and outside > OUTSIDE * region.width


def _drawings(page: PageText, region: Box) -> list[Box]:
    """What is painted mostly inside the region, in groups that touch."""
    parts: list[Box] = []
    for box in (*page.images, *(shape.box for shape in page.shapes)):
        seen = box.clipped(page.width, page.height)
        if seen.area > BACKGROUND * page.width * page.height:
            continue
        width, height = seen.across(region.grown(1)), seen.down(region.grown(1))
        if min(width, height) > 0 and width * height >= 0.5 * _size(seen):
            parts.append(seen)
    return _touching(parts)


def _size(box: Box) -> float:
    """Its area, at least that of a hairline."""
    return max(box.width, 0.1) * max(box.height, 0.1)


def _touching(boxes: Sequence[Box]) -> list[Box]:
    groups: list[Box] = []
    for box in sorted(boxes, key=lambda b: (b.y0, b.x0, b.y1, b.x1)):
        merged = box
        while True:
            near = [group for group in groups if group.grown(NEAR).shared(merged.grown(0.1)) > 0]
            if not near:
                break
            groups = [group for group in groups if group not in near]
            merged = around([merged, *near])
        groups.append(merged)
    return groups
