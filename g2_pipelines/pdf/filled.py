"""What stands on a page without being part of it: filled form fields, typed texts, stamps.

Every viewer shows them; the text layer and the layout engines know nothing of them. Here:
``write_flat``, a copy of the document in which they belong to their pages. Notes that a reader
shows only when asked (comments, popups) are counted and left aside. No script of a document runs:
PDFium is built without an engine for them.

PDF 32000-1:2008, 12.5 (annotations), 12.7 (interactive forms).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pypdfium2
from pypdfium2 import raw

#: Kinds of annotations whose appearance holds text that belongs to the reading of the page.
_SHOWN = frozenset({raw.FPDF_ANNOT_WIDGET, raw.FPDF_ANNOT_FREETEXT, raw.FPDF_ANNOT_STAMP})
_NOTE = raw.FPDF_ANNOT_TEXT
#: Hidden, or not shown on a screen: nobody who looks at the page reads it.
_UNSEEN = raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW
#: A page with more annotations is left as it is: no form that people fill has so many.
MAX_ANNOTATIONS = 20_000


@dataclass(frozen=True)
class Flat:
    """What ``write_flat`` did: the pages (from 1) whose fields were laid flat, notes left aside."""

    pages: tuple[int, ...]
    notes: int
    #: Pages with more than MAX_ANNOTATIONS, whose fields and notes were not looked at.
    full: tuple[int, ...] = ()

    def in_words(self) -> list[str]:
        """For the document's warnings; empty where there is nothing to say."""
        found = []
        if self.pages:
            told = _told(self.pages)
            found.append(f"form fields, typed texts and stamps are read on pages {told}")
        if self.full:
            found.append(
                f"more than {MAX_ANNOTATIONS} fields and comments: none is read on pages"
                f" {_told(self.full)}"
            )
        if self.notes:
            found.append(f"{self.notes} comments are not read")
        return found


def _told(pages: Sequence[int]) -> str:
    return ", ".join(map(str, pages[:20])) + (" and more" if len(pages) > 20 else "")


def write_flat(path: Path, copy: Path) -> Flat:
    """Writes ``copy``, with fields, typed texts and stamps as content of their pages.

    Nothing is written where the document at ``path``, which PDFium can open, has none of them.
    """
    document = pypdfium2.PdfDocument(path)
    try:
        pages, notes, full = [], 0, []
        for index in range(len(document)):
            kinds = _kinds(document, index)
            if kinds is None:
                full.append(index + 1)
                continue
            notes += kinds.count(_NOTE)
            if not _SHOWN.isdisjoint(kinds):
                pages.append(index)
        if pages:
            # Fields without a stored appearance get theirs while forms are at work.
            if document.get_formtype() != raw.FORMTYPE_NONE:
                document.init_forms()
            pages = [index for index in pages if _flatten(document, index)]
        if pages:
            document.save(copy)
    finally:
        document.close()
    return Flat(tuple(index + 1 for index in pages), notes, tuple(full))


def _kinds(document: Any, index: int) -> list[int] | None:
    """The kinds of the page's annotations, None where they are too many to be looked at."""
    with _page(document, index) as page:
        if page is None:
            return []
        if raw.FPDFPage_GetAnnotCount(page) > MAX_ANNOTATIONS:
            return None
        found = []
        for place in range(raw.FPDFPage_GetAnnotCount(page)):
            annotation = raw.FPDFPage_GetAnnot(page, place)
            if annotation:
                found.append(raw.FPDFAnnot_GetSubtype(annotation))
                raw.FPDFPage_CloseAnnot(annotation)
        return found


def _flatten(document: Any, index: int) -> bool:
    with _page(document, index) as page:
        if page is None:
            return False
        for place in reversed(range(raw.FPDFPage_GetAnnotCount(page))):
            if _is_unseen(page, place):
                raw.FPDFPage_RemoveAnnot(page, place)
        done = raw.FPDFPage_Flatten(page, raw.FLAT_NORMALDISPLAY)
        return bool(done == raw.FLATTEN_SUCCESS)


def _is_unseen(page: Any, place: int) -> bool:
    annotation = raw.FPDFPage_GetAnnot(page, place)
    if not annotation:
        return False
    flags = raw.FPDFAnnot_GetFlags(annotation)
    raw.FPDFPage_CloseAnnot(annotation)
    return bool(flags & _UNSEEN)


@contextmanager
def _page(document: Any, index: int) -> Iterator[Any]:
    """A page, None where it cannot be loaded: that is said where it is read."""
    try:
        page = document[index]
    except pypdfium2.PdfiumError:
        yield None
        return
    try:
        yield page
    finally:
        page.close()
