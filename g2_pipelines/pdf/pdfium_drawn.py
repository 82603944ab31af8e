"""What a page draws beside its text: pictures, lines, painted shapes, and where they stand.

Here: the map from a page's user space to points of the displayed page, and PDFium's page
objects in it. For ``pdfium_page``.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Any

import pypdfium2
from pypdfium2 import raw

from g2_pipelines.pdf.geometry import Box, Rule, Shape

MAX_FORM_DEPTH = 4
MAX_PATHS = 20_000
#: Of a longer path its first points stand for all.
MAX_SEGMENTS = 400
#: A picture with more pixels is never decoded (a known bomb has 100,000 × 100,000).
MAX_IMAGE_PIXELS = 120_000_000
#: Lines thicker than this are filled areas, not rules (points).
RULE_THICKNESS = 2.5
#: A shape with a shorter side (points) is a line; fills as light as this in all colours are paper.
MIN_SHAPE, WHITE = 2.0, 250
Matrix = tuple[float, float, float, float, float, float]


class Display:
    """The map from a page's user space to points of the displayed page."""

    def __init__(self, page: Any) -> None:
        self.width, self.height = page.get_size()
        # PageToDevice rounds to whole device units: take units of 1/1000 of a far point.
        origin, right, up = (self._corner(page, x, y) for x, y in ((0, 0), (1000, 0), (0, 1000)))
        self._x0, self._y0 = origin
        self._xx, self._yx = (right[0] - origin[0]) / 1000, (right[1] - origin[1]) / 1000
        self._xy, self._yy = (up[0] - origin[0]) / 1000, (up[1] - origin[1]) / 1000

    def _corner(self, page: Any, x: float, y: float) -> tuple[float, float]:
        scale = 64
        out_x, out_y = ctypes.c_int(), ctypes.c_int()
        raw.FPDF_PageToDevice(
            page,
            0,
            0,
            round(self.width * scale),
            round(self.height * scale),
            0,
            x,
            y,
            out_x,
            out_y,
        )
        return out_x.value / scale, out_y.value / scale

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A point of user space on the displayed page."""
        return self._x0 + self._xx * x + self._xy * y, self._y0 + self._yx * x + self._yy * y

    def box(self, left: float, bottom: float, right: float, top: float) -> Box:
        """A box of user space on the displayed page."""
        # Once a character: ``point`` and ``min`` called here are a third of reading a page.
        ax = self._x0 + self._xx * left + self._xy * bottom
        ay = self._y0 + self._yx * left + self._yy * bottom
        bx = self._x0 + self._xx * right + self._xy * top
        by = self._y0 + self._yx * right + self._yy * top
        if bx < ax:
            ax, bx = bx, ax
        return Box(ax, by, bx, ay) if by < ay else Box(ax, ay, bx, by)


def images(page: Any, display: Display) -> tuple[list[Box], bool]:
    """Boxes of the page's pictures, and whether all are small enough to be decoded."""
    boxes: list[Box] = []
    drawable = True
    width, height = ctypes.c_uint(), ctypes.c_uint()
    for item in _objects(page, raw.FPDF_PAGEOBJ_IMAGE, MAX_PATHS):
        if raw.FPDFImageObj_GetImagePixelSize(item.raw, width, height):
            drawable = drawable and width.value * height.value <= MAX_IMAGE_PIXELS
        matrices = _matrices(item)
        corners = [
            display.point(*_through(matrices, x, y)) for x, y in ((0, 0), (1, 0), (0, 1), (1, 1))
        ]
        xs, ys = zip(*corners, strict=True)
        box = Box(min(xs), min(ys), max(xs), max(ys)).clipped(display.width, display.height)
        if box.area > 0:
            boxes.append(box)
    return boxes, drawable


def _objects(page: Any, kind: int, limit: int) -> list[Any]:
    """Page objects of ``kind``; forms that hold themselves end at MAX_FORM_DEPTH."""
    found = page.get_objects(filter=[kind], max_depth=MAX_FORM_DEPTH)
    try:
        return list(islice(found, limit))
    except pypdfium2.PdfiumError:
        return []


def _matrices(item: Any) -> list[Matrix]:
    """The matrices from an object's own space to the page's, through the forms that hold it."""
    found = []
    matrix = raw.FS_MATRIX()
    while item is not None:
        if raw.FPDFPageObj_GetMatrix(item.raw, matrix):
            found.append((matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f))
        item = item.container
    return found


def _through(matrices: Sequence[Matrix], x: float, y: float) -> tuple[float, float]:
    """A point of an object's own space in page space."""
    for a, b, c, d, e, f in matrices:
        x, y = a * x + c * y + e, b * x + d * y + f
    return x, y


def drawings(page: Any, display: Display) -> tuple[list[Rule], list[Shape]]:
    """Straight lines and thin filled boxes of the page, and all that its paths paint."""
    rules: list[Rule] = []
    shapes: list[Shape] = []
    for item in _objects(page, raw.FPDF_PAGEOBJ_PATH, MAX_PATHS):
        count = raw.FPDFPath_CountSegments(item.raw)
        if count < 2:
            continue
        matrices = _matrices(item)
        looked_at = min(count, MAX_SEGMENTS)
        points = [display.point(*_through(matrices, x, y)) for x, y in _points(item, looked_at)]
        if len(points) < 2 or not math.isfinite(sum(x + y for x, y in points)):
            continue  # damaged files draw to nowhere
        if count <= 64:
            rules.extend(_straight(points))
        shapes.append(_shape(item, points))
    return rules, shapes


def _shape(item: Any, points: Sequence[tuple[float, float]]) -> Shape:
    xs, ys = zip(*points, strict=True)
    box = Box(min(xs), min(ys), max(xs), max(ys))
    if min(box.width, box.height) < MIN_SHAPE:
        return Shape(box, slanted=False, filled=False)
    starts = [
        raw.FPDFPathSegment_GetType(raw.FPDFPath_GetPathSegment(item.raw, i))
        == raw.FPDF_SEGMENT_MOVETO
        for i in range(len(points))
    ]
    steps = [
        max(abs(bx - ax), abs(by - ay))
        for ((ax, ay), (bx, by)), start in zip(pairwise(points), starts[1:], strict=True)
        if not start and min(abs(bx - ax), abs(by - ay)) > 0.5
    ]
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    parts = [ctypes.c_uint() for _ in range(4)]
    painted = raw.FPDFPath_GetDrawMode(item.raw, fill, stroke) and fill.value
    if painted and raw.FPDFPageObj_GetFillColor(item.raw, *parts):
        red, green, blue, alpha = (part.value for part in parts)
        painted = alpha > 0 and min(red, green, blue) < WHITE
    # The rounded corners of a box are no slant.
    slanted = sum(steps) > 0.6 * max(box.width, box.height)
    return Shape(box, slanted=slanted, filled=bool(painted))


def _points(item: Any, count: int) -> Iterator[tuple[float, float]]:
    x, y = ctypes.c_float(), ctypes.c_float()
    handle = item.raw
    for i in range(count):
        segment = raw.FPDFPath_GetPathSegment(handle, i)
        if raw.FPDFPathSegment_GetPoint(segment, x, y):
            yield x.value, y.value


def _straight(points: list[tuple[float, float]]) -> Iterator[Rule]:
    if len(points) < 2:
        return
    xs, ys = zip(*points, strict=True)
    whole = Box(min(xs), min(ys), max(xs), max(ys))
    if min(whole.width, whole.height) <= RULE_THICKNESS:
        if max(whole.width, whole.height) > RULE_THICKNESS:
            yield Rule(whole)
        return
    closed = [*points, points[0]] if len(points) in (4, 5) else points
    for (ax, ay), (bx, by) in pairwise(closed):
        box = Box(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))
        flat = min(box.width, box.height) <= 0.5
        if flat and max(box.width, box.height) > RULE_THICKNESS:
            yield Rule(box)
