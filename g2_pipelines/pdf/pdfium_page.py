"""PDFium's view of a page: its size, characters as runs, pictures and lines, its direction.

Here: reading one page into ``PageText``, with warnings for what is left out or doubtful. For
``worker``.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import pypdfium2
from pypdfium2 import raw

from g2_pipelines.pdf.geometry import DAMAGED, Box, PageText, turned
from g2_pipelines.pdf.glyphs import Mark, glyph_runs
from g2_pipelines.pdf.overdrawn import MIN_OVERDRAWN, overdrawn
from g2_pipelines.pdf.pdfium_drawn import Display, drawings, images
from g2_pipelines.pdf.ruby import ruby_apart
from g2_pipelines.pdf.sideways import with_sideways
from g2_pipelines.pdf.vertical import is_vertical, vertical_runs

MAX_CHARS = 400_000
#: A page with a shorter side (points) cannot be drawn.
MIN_SIDE = 0.5
#: Characters looked at to judge a page's direction and its fonts.
SAMPLED_CHARS = 400
#: More characters than this without a Unicode map are worth a warning.
UNMAPPED_SHARE = 0.1


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
    display = Display(page)
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
    pictures, drawable = images(page, display)
    if min(display.width, display.height) < MIN_SIDE:
        drawable = False
        warnings.append(f"a page of {display.width:g} × {display.height:g} points: no page picture")
    elif not drawable:
        warnings.append("pictures too large to decode: no page picture and no crops")
    vertical = is_vertical(marks)
    over = 0 if vertical else overdrawn(marks)
    if over >= MIN_OVERDRAWN:
        warnings.append(
            f"{over} figures or currency signs are drawn over others: tables may mix them up"
        )
    runs = (
        vertical_runs(marks, display.width, display.height)
        if vertical
        else with_sideways(glyph_runs(marks))
    )
    runs, ruby = ruby_apart(runs)
    rules, shapes = drawings(page, display)
    result = PageText(
        page=index + 1,
        width=display.height if vertical else display.width,
        height=display.width if vertical else display.height,
        rotation=(int(page.get_rotation()) - turn) % 360,
        chars=sum(1 for text, box, _ in marks if box is not None and not text.isspace()),
        runs=tuple(runs),
        images=tuple(_upright(pictures, display, vertical=vertical)),
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


def _upright(boxes: Sequence[Box], display: Display, *, vertical: bool) -> list[Box]:
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


def _marks(text_page: Any, display: Display) -> Iterator[Mark]:
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
