"""Boxes, glyphs, runs and blocks: the plain values that the steps of reading hand on.

Here: values and their geometry only; reading them from a file is ``pdfium``'s and
``layout``'s work. All coordinates are points of the displayed page (after rotation), origin
at its top left, as in ``document_nodes``: no other system exists past ``pdfium`` and
``layout``. For the modules of ``pdf`` only.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from g2_pipelines.tables.line2 import NodeKind
from g2_pipelines.tables.rows import Cell

#: The warning of a page that PDFium cannot load.
DAMAGED = "the page is damaged and cannot be loaded"


class Box(NamedTuple):
    """A box in points, top-left origin, of the displayed page."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """Width in points."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """Height in points."""
        return self.y1 - self.y0

    @property
    def area(self) -> float:
        """Area in square points; 0 for an inverted box."""
        return max(0.0, self.width) * max(0.0, self.height)

    @property
    def centre(self) -> tuple[float, float]:
        """The middle point."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def grown(self, by: float) -> Box:
        """This box with ``by`` points more on each side."""
        return Box(self.x0 - by, self.y0 - by, self.x1 + by, self.y1 + by)

    def holds(self, x: float, y: float) -> bool:
        """True when the point lies in the box, its border included."""
        return self.x0 <= x <= self.x1 and self.y0 <= y <= self.y1

    def shared(self, other: Box) -> float:
        """Area of the intersection with ``other``."""
        width = min(self.x1, other.x1) - max(self.x0, other.x0)
        height = min(self.y1, other.y1) - max(self.y0, other.y0)
        return max(0.0, width) * max(0.0, height)

    def across(self, other: Box) -> float:
        """Length of the common part of the two boxes' x ranges (negative: their distance)."""
        return min(self.x1, other.x1) - max(self.x0, other.x0)

    def down(self, other: Box) -> float:
        """Length of the common part of the two boxes' y ranges (negative: their distance)."""
        return min(self.y1, other.y1) - max(self.y0, other.y0)

    def clipped(self, width: float, height: float) -> Box:
        """This box cut to a page of that size."""
        x0, y0 = min(max(self.x0, 0.0), width), min(max(self.y0, 0.0), height)
        return Box(x0, y0, min(max(self.x1, x0), width), min(max(self.y1, y0), height))


def around(boxes: Iterable[Box]) -> Box:
    """The smallest box around ``boxes`` (at least one)."""
    x0s, y0s, x1s, y1s = zip(*boxes, strict=True)
    return Box(min(x0s), min(y0s), max(x1s), max(y1s))


def turned(box: Box, turn: int, width: float, height: float) -> Box:
    """``box`` of a page of ``width`` × ``height`` on the page turned clockwise by ``turn``.

    ``turn`` is 0, 90, 180 or 270. Turning back: the other page's size and 360 - ``turn``.
    """
    x0, y0, x1, y1 = box
    match turn % 360:
        case 90:
            return Box(height - y1, x0, height - y0, x1)
        case 180:
            return Box(width - x1, height - y1, width - x0, height - y0)
        case 270:
            return Box(y0, width - x1, y1, width - x0)
        case _:
            return box


class Glyph(NamedTuple):
    """One character of the text layer with its loose box (font ascent to descent)."""

    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class Run:
    """Characters on one line without a wide gap, in the text layer's order."""

    text: str
    box: Box
    glyphs: tuple[Glyph, ...]
    #: PDFium took the run's last hyphen for one that breaks a word.
    soft_hyphen: bool = False

    @property
    def chars(self) -> int:
        """Characters that are not white space."""
        return len(self.glyphs)


class Rule(NamedTuple):
    """A straight horizontal or vertical line: a border of a table, an axis, an underline."""

    box: Box

    @property
    def horizontal(self) -> bool:
        """True for a horizontal line."""
        return self.box.width >= self.box.height


class Shape(NamedTuple):
    """An area or line that is painted: a bar, a slice, a curve, a gridline, a frame."""

    box: Box
    #: It has a curve or a line that is neither horizontal nor vertical.
    slanted: bool
    #: It is filled with a colour that is seen on white.
    filled: bool


@dataclass(frozen=True, slots=True)
class PageText:
    """What PDFium knows of a page; ``chars`` counts the text layer without white space.

    All boxes, ``width`` and ``height`` are those of the page turned clockwise by ``turn``, so
    that its lines run from left to right (sideways tables, vertical Japanese); ``shown``
    turns a box back to the displayed page.
    """

    page: int
    width: float
    height: float
    rotation: int
    chars: int
    runs: tuple[Run, ...]
    images: tuple[Box, ...]
    rules: tuple[Rule, ...]
    warnings: tuple[str, ...] = ()
    turn: int = 0
    #: Vertical writing: no layout engine can read it.
    vertical: bool = False
    #: False when the page holds pictures too large to decode within the limits.
    drawable: bool = True
    #: Share of the text layer's characters for which their font names no character.
    unmapped: float = 0.0
    #: The runs were read by OCR; ``chars`` still counts the text layer.
    ocr: bool = False
    #: Readings over kanji (furigana), not among the runs.
    ruby: tuple[Run, ...] = ()
    #: What is painted, whether or not it is a rule; nothing on vertical pages.
    shapes: tuple[Shape, ...] = ()

    @property
    def shown_size(self) -> tuple[float, float]:
        """Width and height of the displayed page."""
        return (self.height, self.width) if self.turn in (90, 270) else (self.width, self.height)

    def shown(self, box: Box) -> Box:
        """``box`` on the displayed page."""
        return turned(box, 360 - self.turn, self.width, self.height)


@dataclass(slots=True)
class Block:
    """A piece of a page on its way to a node."""

    kind: NodeKind
    page: int
    box: Box
    runs: list[Run] = field(default_factory=list)
    text: str = ""
    caption: Block | None = None
    level: int | None = None
    cells: list[Cell] = field(default_factory=list)
    html: str = ""
    regions: list[tuple[int, Box]] = field(default_factory=list)
    section_path: list[str] = field(default_factory=list)
    engine: str = "pdfium"
    role: str = ""
    warnings: list[str] = field(default_factory=list)

    @property
    def chars(self) -> int:
        """Characters of the block's runs that are not white space."""
        return sum(run.chars for run in self.runs)

    @property
    def size(self) -> float:
        """Median height of the block's glyphs in points, 0 without text."""
        heights = sorted(glyph.box.height for run in self.runs for glyph in run.glyphs)
        return heights[len(heights) // 2] if heights else 0.0
