"""The work of the process that reads one PDF: a fork of ``reader``, limited by it.

Here: the first look at the bytes, and the steps from file to reply. It writes pictures to the
request's staging folder and its reply to the request's reply file, and nothing to stdout.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from g2_pipelines.errors import G2Error
from g2_pipelines.pdf.errors import (
    BrokenPdfError,
    EmptyPdfError,
    NotAPdfError,
    PdfMemoryError,
    PdfTooLongError,
)
from g2_pipelines.pdf.geometry import DAMAGED, PageText
from g2_pipelines.pdf.values import (
    ParsedPdf,
    WorkerFailure,
    WorkerReply,
    WorkerRequest,
)

#: Share of the time after which pages that have no layout yet get plain lines.
LAYOUT_SHARE = 0.6
#: Share of the time after that in which pictures inside pages are read.
PICTURES_SHARE = 0.25
#: A PDF's header may stand after some bytes of junk (Adobe reads up to here).
HEADER_BYTES = 1024


def check_bytes(path: Path, name: str) -> None:
    """Raises EmptyPdfError or NotAPdfError by the file's first bytes."""
    with path.open("rb") as file:
        head = file.read(HEADER_BYTES)
    if not head:
        raise EmptyPdfError("The file is empty", file=name, remedy="Download or export it again")
    if b"%PDF-" not in head:
        kind = "a JPEG picture" if head.startswith(b"\xff\xd8") else "another format"
        raise NotAPdfError(
            f"The file is not a PDF but {kind}",
            file=name,
            remedy="Add the PDF itself, or print the document to a PDF",
        )


def read_document(request: WorkerRequest, *, deadline: float) -> ParsedPdf:
    """The PDF as pages, nodes and quality; pictures are written to the staging folder.

    Raises:
        EmptyPdfError, NotAPdfError, PasswordPdfError, BrokenPdfError, PdfTooLongError.
    """
    path = Path(request.path)
    check_bytes(path, request.name)
    from g2_pipelines.pdf import pdfium
    from g2_pipelines.pdf.filled import write_flat

    pdfium.use_fonts_of_project()
    document = pdfium.open_document(path, request.name)
    try:
        aside = pdfium.left_aside(document)
        if len(document) > request.limits.max_pages:
            raise PdfTooLongError(
                f"The PDF has {len(document)} pages, more than {request.limits.max_pages}",
                file=request.name,
                remedy="Split it, or raise the limit of pages in the settings",
            )
    finally:
        document.close()
    copy = Path(request.reply).with_name("flat.pdf")
    flat = write_flat(path, copy)
    source = copy if flat.pages else path
    document = pdfium.open_document(source, request.name)
    try:
        return _read(document, source, request, deadline, [*aside, *flat.in_words()])
    finally:
        document.close()


def _read(
    document: Any, source: Path, request: WorkerRequest, deadline: float, aside: Sequence[str]
) -> ParsedPdf:
    """``source`` is what is read and drawn; the layout engines see the file as it came, because
    they take fields for pictures.
    """
    from g2_pipelines.pdf import pdfium
    from g2_pipelines.pdf.chunks import chunked
    from g2_pipelines.pdf.document import flow, lay_out
    from g2_pipelines.pdf.layout import read_layout
    from g2_pipelines.pdf.nodes import document_nodes, document_pages, document_quality
    from g2_pipelines.pdf.ocr import needs_ocr, with_ocr
    from g2_pipelines.pdf.picture_text import with_picture_text
    from g2_pipelines.pdf.pictures import draw_crops, draw_pages
    from g2_pipelines.pdf.table_cells import fill_tables, open_tables, plain_pages
    from g2_pipelines.text.tokens import tokenizer

    limits = request.limits
    versions = {name: version(name) for name in ("docvortex", "liteparse", "rapidocr")}
    versions["pdfium"] = version("pypdfium2")
    pages = _read_pages(document, source, request)
    if all(DAMAGED in page.warnings for page in pages):
        raise BrokenPdfError(
            "No page of the PDF can be loaded",
            file=request.name,
            remedy="Open it in a PDF reader and save or print it to a new PDF",
        )
    ask = partial(
        read_layout, path=_layout_path(request), environment=request.environment, deadline=deadline
    )
    with_text = [p.page for p in pages if p.chars and not p.vertical and not needs_ocr(p)]
    known: dict[int, list[dict[str, Any]]] = {}
    if request.docling:
        from g2_pipelines.pdf.docling import docling_pages

        content = Path(request.docling).read_bytes()
        known, versions["docling"] = docling_pages(content, pages, name=request.name)
    layout = ask("docvortex", pages=[page for page in with_text if page not in known])
    layout.pages.update(known)
    layout.by.update(dict.fromkeys(known, "docling"))
    # After the layout: the time that is left belongs to the pages that are read as pictures.
    pages = with_ocr(
        pages,
        str(source),
        environment=request.environment,
        deadline=deadline,
        max_pixels=limits.max_pixels,
        budget=limits.ocr_pages,
    )
    found = lay_out(pages, layout)
    wanted = sorted({*open_tables(found), *plain_pages(found)})
    fill_tables(found, ask("liteparse", pages=wanted).pages)
    blocks = chunked(
        flow(found),
        most=limits.paragraph_tokens,
        least=limits.join_tokens,
        tokenizer=partial(tokenizer, limits.tokenizer),
    )
    nodes = document_nodes(request.document_id, blocks, pages, versions)
    rows = document_pages(request.document_id, found, versions)
    staging = Path(request.staging)
    drawable = {page.page: page.drawable for page in pages}
    rows = draw_pages(document, rows, staging, drawable=drawable, max_pixels=limits.max_pixels)
    nodes = draw_crops(document, nodes, staging, drawable=drawable, max_pixels=limits.max_pixels)
    nodes = with_picture_text(
        nodes,
        rows,
        str(source),
        staging,
        environment=request.environment,
        deadline=deadline + PICTURES_SHARE * limits.timeout_s,
        max_pixels=limits.max_pixels,
        budget=limits.ocr_pictures,
    )
    return ParsedPdf(
        title=pdfium.title_of(document) or _first_title(blocks),
        pages=rows,
        nodes=nodes,
        quality=document_quality(request.document_id, found, nodes, aside=aside),
    )


def _upright_path(request: WorkerRequest) -> Path:
    return Path(request.reply).with_name("upright.pdf")


def _layout_path(request: WorkerRequest) -> str:
    """The file that the layout engines read: the copy with upright pages if there is one."""
    upright = _upright_path(request)
    return str(upright) if upright.is_file() else request.path


def _read_pages(document: Any, source: Path, request: WorkerRequest) -> list[PageText]:
    """Every page, sideways ones from a copy of the document in which they stand upright."""
    from g2_pipelines.pdf import pdfium
    from g2_pipelines.pdf.pdfium_page import read_page, sideways_pages

    turns = sideways_pages(document)
    if not turns:
        return [read_page(document, index) for index in range(len(document))]
    path = _upright_path(request)
    copy = pdfium.open_document(source, request.name)
    pdfium.save_upright(copy, turns, path)
    copy.close()
    upright = pdfium.open_document(path, request.name)
    pages = [read_page(upright, index, turn=turns.get(index, 0)) for index in range(len(upright))]
    upright.close()
    return pages


def _first_title(blocks: list[Any]) -> str | None:
    return next((b.text for b in blocks if b.kind == "heading" and b.page == 1), None)


def answer(request: WorkerRequest, *, started: float) -> WorkerReply:
    """The reply to ``request``: a result or a typed failure."""
    try:
        result = read_document(request, deadline=started + LAYOUT_SHARE * request.limits.timeout_s)
    except G2Error as error:
        return WorkerReply(
            failure=WorkerFailure(
                code=error.code,
                message=error.message,
                file=error.file,
                place=error.place,
                remedy=error.remedy,
            )
        )
    except MemoryError:
        return WorkerReply(
            failure=WorkerFailure(
                code=PdfMemoryError.code,
                message=f"Reading needs more than {request.limits.memory_mb} MB",
                file=request.name,
                remedy="Split the PDF, or raise the limit of memory in the settings",
            )
        )
    return WorkerReply(result=result)


def work(request: WorkerRequest) -> None:
    """Reads the request's document and writes the reply."""
    reply = answer(request, started=time.monotonic())
    Path(request.reply).write_text(reply.model_dump_json(), encoding="utf-8")
