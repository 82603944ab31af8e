"""A plan as a picture: levels from left to right, drawn as SVG by our own layout.

Here: ``picture_of``, which gives boxes, lines and sizes in pixels for the page's template.
Escaping is the template's. Used by ``page``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from g2_pipelines.qa.plan import levels
from g2_pipelines.tables.line2 import PlanNode, PlanVersion, SubAnswer

Standing = Literal["found", "missing", "root", "open"]

BOX_WIDTH = 232.0
LINE_HEIGHT = 17.0
FONT_SIZE = 12.5
_PADDING = 12.0
_HEAD = 20.0
_GAP_X = 56.0
_GAP_Y = 20.0
_MARGIN = 4.0
_MAX_LINES = 4


@dataclass(frozen=True)
class Box:
    """A node: its place, its wrapped task, how it stands."""

    node: PlanNode
    x: float
    y: float
    width: float
    height: float
    lines: tuple[tuple[float, str], ...]  # (baseline y, text)
    head_y: float
    standing: Standing
    kept: bool


@dataclass(frozen=True)
class Picture:
    """Boxes, lines as SVG paths, and the size of the whole in pixels."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    paths: tuple[str, ...]


def picture_of(version: PlanVersion, answers: Sequence[SubAnswer]) -> Picture:
    """Lay out one version of a plan; ``answers`` are those of all versions up to it.

    A box is ``kept`` when its answer is from an earlier version. Every level is a column,
    centred, in plan order; so the same plan always looks the same.
    """
    columns = levels(version.nodes)
    standing = {node.id: _standing(node, version, answers) for node in version.nodes}
    lines = {node.id: wrapped(node.task) for node in version.nodes}
    heights = {name: _HEAD + 2 * _PADDING + LINE_HEIGHT * len(t) - 8 for name, t in lines.items()}
    column_heights = [
        sum(heights[node.id] for node in column) + _GAP_Y * (len(column) - 1) for column in columns
    ]
    total = max(column_heights) + 2 * _MARGIN
    boxes: dict[str, Box] = {}
    for place, column in enumerate(columns):
        y = (total - column_heights[place]) / 2
        x = _MARGIN + place * (BOX_WIDTH + _GAP_X)
        for node in column:
            boxes[node.id] = _box(node, x, y, lines[node.id], standing[node.id])
            y += heights[node.id] + _GAP_Y
    width = 2 * _MARGIN + len(columns) * BOX_WIDTH + (len(columns) - 1) * _GAP_X
    paths = [
        _path(boxes[name], boxes[node.id]) for node in version.nodes for name in node.depends_on
    ]
    return Picture(width=width, height=total, boxes=tuple(boxes.values()), paths=tuple(paths))


def _standing(
    node: PlanNode, version: PlanVersion, answers: Sequence[SubAnswer]
) -> tuple[Standing, bool]:
    if node.id == version.root:
        return "root", False
    mine = [a for a in answers if a.task == node.task and a.plan_version <= version.version]
    if not mine:
        return "open", False
    last = mine[-1]
    return ("found" if last.found else "missing"), last.plan_version < version.version


def _box(
    node: PlanNode, x: float, y: float, lines: Sequence[str], standing: tuple[Standing, bool]
) -> Box:
    first = y + _PADDING + _HEAD + FONT_SIZE - 4
    return Box(
        node=node,
        x=x,
        y=y,
        width=BOX_WIDTH,
        height=_HEAD + 2 * _PADDING + LINE_HEIGHT * len(lines) - 8,
        lines=tuple((first + place * LINE_HEIGHT, line) for place, line in enumerate(lines)),
        head_y=y + _PADDING + 8,
        standing=standing[0],
        kept=standing[1],
    )


def _path(source: Box, target: Box) -> str:
    """A curve from the right side of one box to the left side of another."""
    x0, y0 = source.x + source.width, source.y + source.height / 2
    x1, y1 = target.x - 7, target.y + target.height / 2
    bend = max(24.0, (x1 - x0) / 2)
    return (
        f"M{x0:.1f} {y0:.1f} C{x0 + bend:.1f} {y0:.1f} {x1 - bend:.1f} {y1:.1f} {x1:.1f} {y1:.1f}"
    )


def wrapped(text: str, width: float = BOX_WIDTH - 2 * _PADDING) -> list[str]:
    """``text`` in at most four lines that fit ``width`` pixels, the last one with … if cut.

    Breaks at spaces where there are any, else between characters, as Japanese does.
    """
    lines: list[str] = []
    rest = " ".join(text.split())
    while rest and len(lines) < _MAX_LINES:
        end = _fitting(rest, width)
        lines.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    if rest:
        last = lines[-1]
        while last and _width(last + "…") > width:
            last = last[:-1]
        lines[-1] = last + "…"
    return lines or [""]


def _fitting(text: str, width: float) -> int:
    """How many characters of ``text`` make up its first line."""
    used = 0.0
    end = len(text)
    for place, char in enumerate(text):
        used += _width(char)
        if used > width:
            end = max(1, place)
            break
    if end == len(text):
        return end
    space = text.rfind(" ", 0, end + 1)
    if text[end - 1].isascii() and text[end].isascii() and space > end / 2:
        return space
    if text[end] in "、。，．）」』？！" and end > 1:
        return end - 1  # no line begins with a closing mark
    return end


def _width(text: str) -> float:
    return sum(
        FONT_SIZE * (1.0 if unicodedata.east_asian_width(char) in "WFA" else 0.56) for char in text
    )
