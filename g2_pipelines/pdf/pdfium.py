"""PDFium's view of a document: opening it, sizes, glyphs, lines drawn, pictures of pages.

Here: every call of pypdfium2. PDFium knows what stands where, but nothing of headings or
tables; that is ``layout``'s and ``blocks``' work. Imported only inside the worker process:
PDFium is not thread-safe and may crash on a hostile file (measured: silently empty text when
threads share it, pypdfium2-team/pypdfium2#303).
"""

from __future__ import annotations

import ctypes
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import pypdfium2
from pypdfium2 import raw
from pypdfium2.internal import bases

from g2_pipelines.pdf.errors import BrokenPdfError, EmptyPdfError, PasswordPdfError
from g2_pipelines.pdf.geometry import DAMAGED, Box, PageText, Rule, Shape, turned
from g2_pipelines.pdf.glyphs import Mark, glyph_runs
from g2_pipelines.pdf.ruby import ruby_apart
from g2_pipelines.pdf.vertical import is_vertical, vertical_runs

MAX_FORM_DEPTH = 4
MAX_PATHS = 20_000
#: Of a longer path its first points stand for all.
MAX_SEGMENTS = 400
MAX_CHARS = 400_000
#: A picture with more pixels is never decoded (a known bomb has 100,000 × 100,000).
MAX_IMAGE_PIXELS = 120_000_000
#: A page with a shorter side (points) cannot be drawn.
MIN_SIDE = 0.5
#: Characters looked at to judge a page's direction and its fonts.
SAMPLED_CHARS = 400
#: More characters than this without a Unicode map are worth a warning.
UNMAPPED_SHARE = 0.1
#: Lines thicker than this are filled areas, not rules (points).
RULE_THICKNESS = 2.5
#: A shape with a shorter side (points) is a line; fills as light as this in all colours are paper.
MIN_SHAPE, WHITE = 2.0, 250
_kept_alive: list[Any] = []
Matrix = tuple[float, float, float, float, float, float]


def use_fonts_of_project() -> None:
    """Starts PDFium anew with the CJK font that docvortex ships as its only font folder.

    Without a CJK font PDFium drops the text of non-embedded Japanese fonts silently (247 of
    865 characters of one vertical page) and renders blanks; with the machine's own fonts the same
    file would give another picture on another machine.
    """
    # Its place is looked up, not imported: importing docvortex takes a third of a second.
    places = getattr(find_spec("docvortex"), "submodule_search_locations", None) or [""]
    folder = str(Path(places[0]) / "resources" / "fonts").encode()
    path = ctypes.create_string_buffer(folder)
    paths = (ctypes.POINTER(ctypes.c_char) * 2)()  # the second stays NULL and ends the list
    paths[0] = ctypes.cast(path, ctypes.POINTER(ctypes.c_char))
    config = raw.FPDF_LIBRARY_CONFIG(version=2, m_pUserFontPaths=paths)
    _kept_alive.extend((path, paths, config))
    if bases.LIBRARY_AVAILABLE:
        raw.FPDF_DestroyLibrary()
    raw.FPDF_InitLibraryWithConfig(config)


def open_document(path: Path, name: str) -> Any:
    """The opened document.

    Raises:
        PasswordPdfError: It opens only with a password.
        BrokenPdfError: PDFium cannot open it.
        EmptyPdfError: It has no pages.
    """
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        code = getattr(error, "err_code", None)
        if code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY) or "assword" in str(error):
            raise PasswordPdfError(
                "The PDF is protected by a password",
                file=name,
                remedy="Save a copy without the password and add that",
            ) from error
        raise BrokenPdfError(
            f"The PDF cannot be opened: {error}",
            file=name,
            remedy="Open it in a PDF reader and save or print it to a new PDF",
        ) from error
    if len(document) == 0:
        raise EmptyPdfError("The PDF has no pages", file=name, remedy="Export the document again")
    return document


def left_aside(document: Any) -> list[str]:
    """What a document carries beside its pages, in words: it is neither read nor run."""
    found = []
    files = raw.FPDFDoc_GetAttachmentCount(document)
    if files > 0:
        found.append(f"{files} embedded files are not read")
    scripts = raw.FPDFDoc_GetJavaScriptActionCount(document)
    if scripts > 0:
        found.append(f"{scripts} scripts are not run")
    return found


def title_of(document: Any) -> str | None:
    """The title in the document's metadata, None when there is none or it is no text."""
    try:
        title = str(document.get_metadata_value("Title") or "")
    except UnicodeDecodeError:  # half a UTF-16 pair
        return None
    return title.replace("\x00", "").strip() or None


class _Display:
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
        return self._x0 + self._xx * x + self._xy * y, self._y0 + self._yx * x + self._yy * y

    def box(self, left: float, bottom: float, right: float, top: float) -> Box:
        # Once a character: ``point`` and ``min`` called here are a third of reading a page.
        ax = self._x0 + self._xx * left + self._xy * bottom
        ay = self._y0 + self._yx * left + self._yy * bottom
        bx = self._x0 + self._xx * right + self._xy * top
        by = self._y0 + self._yx * right + self._yy * top
        if bx < ax:
            ax, bx = bx, ax
        return Box(ax, by, bx, ay) if by < ay else Box(ax, ay, bx, by)


def _page(document: Any, index: int) -> Any | None:
    """The page, None when it is damaged: then the document's other pages still count."""
    try:
        return document[index]
    except pypdfium2.PdfiumError:
        return None


def sideways_pages(document: Any) -> dict[int, int]:
    """Pages (index from 0) whose text runs sideways or upside down on the displayed page, each
    with the clockwise turn that sets it upright.
    """
    found: dict[int, int] = {}
    for index in range(len(document)):
        page = _page(document, index)
        if page is None:
            continue
        text_page = page.get_textpage()
        handle = text_page.raw
        count = min(text_page.count_chars(), MAX_CHARS)
        angles = Counter(
            round(math.degrees(raw.FPDFText_GetCharAngle(handle, i)) / 90) * 90 % 360
            for i in range(0, count, max(1, count // SAMPLED_CHARS))
        )
        if angles:
            angle, times = angles.most_common(1)[0]
            turn = (angle - int(page.get_rotation())) % 360
            if turn and times >= 0.8 * angles.total():
                found[index] = turn
        text_page.close()
        page.close()
    return found


def save_upright(document: Any, turns: Mapping[int, int], path: Path) -> None:
    """Writes a copy of the document with the pages of ``turns`` set upright."""
    for index, turn in turns.items():
        page = document[index]
        page.set_rotation((int(page.get_rotation()) + turn) % 360)
        page.close()
    document.save(path)


def read_page(document: Any, index: int, *, turn: int = 0) -> PageText:
    """Page ``index`` (from 0): its size, runs of glyphs, picture boxes and rules.

    A page that cannot be loaded is an empty page of 1 × 1 point with a warning.

    ``turn``: the clockwise turn by which this copy of the page was set upright.
    """
    page = _page(document, index)
    if page is None:
        return PageText(
            page=index + 1,
            width=1.0,
            height=1.0,
            rotation=0,
            chars=0,
            runs=(),
            images=(),
            rules=(),
            warnings=(DAMAGED,),
            drawable=False,
        )
    display = _Display(page)
    text_page = page.get_textpage()
    warnings: list[str] = []
    marks = list(islice(_marks(text_page, display), MAX_CHARS))
    if len(marks) == MAX_CHARS:
        warnings.append(f"more than {MAX_CHARS} characters: the rest of the page is left out")
    marks, outside = _on_page(marks, display.width, display.height)
    if outside:
        warnings.append(f"{outside} characters outside the page (printer's marks) are left out")
    unmapped = _unmapped_share(text_page)
    if unmapped > UNMAPPED_SHARE:
        warnings.append(f"{unmapped:.0%} of the characters have no Unicode map: may be nonsense")
    images, drawable = _images(page, display)
    if min(display.width, display.height) < MIN_SIDE:
        drawable = False
        warnings.append(f"a page of {display.width:g} × {display.height:g} points: no page picture")
    elif not drawable:
        warnings.append("pictures too large to decode: no page picture and no crops")
    vertical = is_vertical(marks)
    runs = vertical_runs(marks, display.width, display.height) if vertical else glyph_runs(marks)
    runs, ruby = ruby_apart(runs)
    rules, shapes = _drawings(page, display)
    result = PageText(
        page=index + 1,
        width=display.height if vertical else display.width,
        height=display.width if vertical else display.height,
        rotation=(int(page.get_rotation()) - turn) % 360,
        chars=sum(1 for text, box, _ in marks if box is not None and not text.isspace()),
        runs=tuple(runs),
        images=tuple(_upright(images, display, vertical=vertical)),
        rules=() if vertical else tuple(rules),
        shapes=() if vertical else tuple(shapes),
        warnings=tuple(warnings),
        turn=(turn + 270 * vertical) % 360,
        vertical=vertical,
        drawable=drawable,
        unmapped=unmapped,
        ruby=tuple(ruby),
    )
    text_page.close()
    page.close()
    return result


def _upright(boxes: Sequence[Box], display: _Display, *, vertical: bool) -> list[Box]:
    turn = 270 if vertical else 0
    return [turned(box, turn, display.width, display.height) for box in boxes]


def _on_page(marks: list[Mark], width: float, height: float) -> tuple[list[Mark], int]:
    """The marks without those that nobody sees: wholly outside the page; and how many these are."""
    kept = [
        mark
        for mark in marks
        if (box := mark[1]) is None
        or (box.x1 > 0 and box.y1 > 0 and box.x0 < width and box.y0 < height)
    ]
    return kept, sum(not text.isspace() for text, *_ in marks) - sum(
        not text.isspace() for text, *_ in kept
    )


def _unmapped_share(text_page: Any) -> float:
    """Share of sampled characters for which the font gives no Unicode value."""
    count = min(text_page.count_chars(), MAX_CHARS)
    sample = range(0, count, max(1, count // SAMPLED_CHARS))
    handle = text_page.raw
    faults = sum(raw.FPDFText_HasUnicodeMapError(handle, i) == 1 for i in sample)
    return faults / len(sample) if count else 0.0


def _marks(text_page: Any, display: _Display) -> Iterator[Mark]:
    """Per character: its text, its box (None when PDFium made it up), whether it breaks a word."""
    rectangle = raw.FS_RECTF()
    handle, to_box = text_page.raw, display.box
    unicode_of, is_generated = raw.FPDFText_GetUnicode, raw.FPDFText_IsGenerated
    box_of, is_hyphen = raw.FPDFText_GetLooseCharBox, raw.FPDFText_IsHyphen
    high = 0
    for i in range(text_page.count_chars()):
        code = unicode_of(handle, i)
        if 0xD800 <= code < 0xDC00:
            high = code
            continue
        if 0xDC00 <= code < 0xE000:
            if not high:
                continue
            code = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00)
        high = 0
        hyphen = code in (0x02, 0xFFFE, 0xAD)
        if code == 0 or (code < 0x20 and code not in (0x02, 0x09, 0x0A, 0x0D)):
            continue
        text = "-" if hyphen else chr(code)
        if text in "\r\n" or is_generated(handle, i) == 1:
            yield text, None, False
            continue
        if not box_of(handle, i, rectangle):
            continue
        box = to_box(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)
        yield text, box, hyphen or is_hyphen(handle, i) == 1


def _images(page: Any, display: _Display) -> tuple[list[Box], bool]:
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


def _drawings(page: Any, display: _Display) -> tuple[list[Rule], list[Shape]]:
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
        if len(points) < 2:
            continue
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


def page_size(document: Any, page: int) -> tuple[float, float]:
    """Width and height in points of the displayed page ``page`` (from 1)."""
    item = document[page - 1]
    width, height = item.get_size()
    item.close()
    return float(width), float(height)


def render(document: Any, page: int, *, dpi: float, max_pixels: int, box: Box | None = None) -> Any:
    """Page ``page`` (from 1), or its part ``box``, as a Pillow image in RGB.

    The resolution is lowered until the picture has at most ``max_pixels`` pixels. None where
    not one whole pixel is left: broken pages can have no width.
    """
    item = document[page - 1]
    width, height = item.get_size()
    area = box or Box(0, 0, width, height)
    scale = min(dpi / 72, (max_pixels / max(area.area, 1.0)) ** 0.5)
    sides = (area.x0, height - area.y1, width - area.x1, area.y0)
    crop = tuple(max(0.0, side) for side in sides)
    left, bottom, right, top = (math.ceil(side * scale) for side in crop)
    if math.ceil(width * scale) <= left + right or math.ceil(height * scale) <= bottom + top:
        item.close()
        return None
    picture = item.render(scale=scale, crop=crop)
    image = picture.to_pil().convert("RGB")
    item.close()
    return image
