"""PDFium's documents: opening them, their titles and sizes, pictures of their pages.

Here, and in ``pdfium_page`` and ``pdfium_drawn``: every call of pypdfium2. PDFium knows what
stands where, but nothing of headings or tables; that is ``layout``'s and ``blocks``' work.
Imported only inside the worker process: PDFium is not thread-safe and may crash on a hostile
file (measured: silently empty text when threads share it, pypdfium2-team/pypdfium2#303).
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pypdfium2
from pypdfium2 import raw
from pypdfium2.internal import bases

from g2_pipelines.pdf.errors import BrokenPdfError, EmptyPdfError, PasswordPdfError
from g2_pipelines.pdf.geometry import Box

_kept_alive: list[Any] = []


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


def save_upright(document: Any, turns: Mapping[int, int], path: Path) -> None:
    """Writes a copy of the document with the pages of ``turns`` set upright."""
    for index, turn in turns.items():
        page = document[index]
        page.set_rotation((int(page.get_rotation()) + turn) % 360)
        page.close()
    document.save(path)


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
