"""The step ``documents``: registered PDFs and their atomic nodes.

Here: what is stored of a PDF and of its pages, nodes, crops and quality. Parsing stands in
``pdf.parse``, where each document runs in a limited process of its own.

https://docs.dagster.io/guides/build/assets/defining-assets
"""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import dagster as dg

from g2_pipelines.defs import specs
from g2_pipelines.defs.batch import Stage, Stored
from g2_pipelines.defs.metadata import clip, page_link, table_metadata
from g2_pipelines.defs.partitions import documents
from g2_pipelines.defs.steps import BatchCheck, StepRun, build_step
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.tables.line2 import (
    DocumentNode,
    DocumentPage,
    DocumentQuality,
    PdfDocument,
)
from g2_pipelines.tables.store import read_table, write_atomic, write_table

if TYPE_CHECKING:
    from upath import UPath

    from g2_pipelines.pdf.values import ParsedPdf


async def make_pdf_documents(ws: Workspace, document_id: str) -> Stored:
    """Open the registered PDF and store what it is."""
    from g2_pipelines.pdf.inspect import inspect_pdf

    entry = ws.registry.pdf(document_id)
    with ws.registry.local_copy(entry.digest, entry.raw) as file:
        found = await asyncio.to_thread(inspect_pdf, file, limits=ws.pdf_limits)
        size = file.stat().st_size
    row = PdfDocument(
        document_id=document_id,
        edinet_code=entry.edinet_code,
        file=entry.raw,
        name=entry.name,
        digest=entry.digest,
        size_bytes=size,
        pages=found.pages,
        title=found.title,
        url=entry.url,
    )
    path = ws.home.table("pdf_documents", document_id)
    digest = write_table(path, [row], PdfDocument)
    return Stored(digest, table_metadata([row], ["name", "pages", "size_bytes", "title"], path))


async def make_document_nodes(ws: Workspace, document_id: str) -> Stored:
    """Parse the PDF to nodes, pages, crops and a quality row."""
    from g2_pipelines.pdf.parse import parse_pdf

    document = read_table(ws.home.table("pdf_documents", document_id), PdfDocument)[0]
    with (
        TemporaryDirectory() as folder,
        ws.registry.local_copy(document.digest, document.file) as file,
    ):
        docling = await asyncio.to_thread(_docling, ws, document, file)
        parsed = await asyncio.to_thread(
            parse_pdf,
            file,
            document_id=document_id,
            images_dir=Path(folder),
            limits=ws.pdf_limits,
            docling=docling,
        )
        page = _keep_overview(Path(folder), document, parsed, ws)
        _keep_images(Path(folder), ws, document_id)
    write_table(ws.home.table("document_pages", document_id), parsed.pages, DocumentPage)
    write_table(ws.home.table("document_quality", document_id), [parsed.quality], DocumentQuality)
    path = ws.home.table("document_nodes", document_id)
    digest = write_table(path, parsed.nodes, DocumentNode)
    quality = parsed.quality
    kinds: dict[str, int] = {}
    for node in parsed.nodes:
        kinds[str(node.kind)] = kinds.get(str(node.kind), 0) + 1
    more = {
        "pages": quality.pages,
        "kept_share": quality.kept_share,
        "kinds": dg.MetadataValue.json(kinds),
        "pages_without_text": dg.MetadataValue.json(quality.pages_without_text),
        "pages_ocr": dg.MetadataValue.json(quality.pages_ocr),
        "pages_garbled": dg.MetadataValue.json(quality.pages_garbled),
        "pages_fallback": dg.MetadataValue.json(quality.pages_fallback),
        **(
            {"docling": "used" if docling else "no answer: docvortex"}
            if ws.settings.pdf_docling
            else {}
        ),
        "overview": page_link(ws.home, page, ws.settings.pages_url),
        "captions": f"{quality.captions_bound} bound, {quality.captions_unbound} unbound",
        "warnings": dg.MetadataValue.md(
            "\n".join(f"* {clip(w, 300)}" for w in quality.warnings) or "none"
        ),
    }
    columns = ["order", "kind", "page", "caption", "text", "engine"]
    return Stored(digest, table_metadata(parsed.nodes, columns, path, **more))


def _docling(ws: Workspace, document: PdfDocument, file: Path) -> bytes | None:
    """Docling's JSON of the document where the settings name a source of it."""
    from g2_pipelines.pdf.docling import docling_answer

    source = ws.settings.pdf_docling
    names = (document.document_id, Path(document.name).stem)
    timeout_s = ws.settings.pdf_timeout_s
    return docling_answer(source, file, names=names, timeout_s=timeout_s) if source else None


def _keep_overview(folder: Path, document: PdfDocument, parsed: ParsedPdf, ws: Workspace) -> UPath:
    """Write each page's overview beside its picture, and the page for people; where it is."""
    from g2_pipelines.pdf.overview import overview_page, overview_picture

    for page in parsed.pages:
        file = folder / (page.image or "none").rsplit("/", 1)[-1]
        picture = file.read_bytes() if page.image else None
        drawn = overview_picture(picture, page, parsed.nodes)
        (folder / _overview(page.page)).write_bytes(drawn)
    html = overview_page(
        document.name,
        parsed.pages,
        parsed.nodes,
        parsed.quality,
        pictures=lambda number: (_overview(number), (folder / _overview(number)).read_bytes()),
    )
    path = ws.home.document_images(document.document_id) / "overview.html"
    write_atomic(path, html.encode())
    return path


def _overview(page: int) -> str:
    return f"overview-{page:04d}.png"


def _keep_images(folder: Path, ws: Workspace, document_id: str) -> None:
    images = ws.home.document_images(document_id)
    for image in sorted(folder.iterdir()):
        write_atomic(images / image.name, image.read_bytes())


_SPECS = (
    specs.asset_spec(
        specs.PDF_DOCUMENTS,
        PdfDocument,
        group=specs.LINE_2,
        owner=specs.Owner.GRAPH,
        description="Registered PDFs: name, digest, pages, company.",
        kinds=("pdf", "polars", "parquet"),
    ),
    specs.asset_spec(
        specs.DOCUMENT_NODES,
        DocumentNode,
        group=specs.LINE_2,
        owner=specs.Owner.GRAPH,
        description="Atoms of a document (paragraph, table, captioned figure …), each with page"
        " and box; pages, crops and a quality report beside them.",
        deps=(specs.PDF_DOCUMENTS,),
        kinds=("pdf", "polars", "parquet"),
    ),
)


def _stages(ws: Workspace, _: StepRun) -> list[Stage]:
    return [
        Stage(specs.PDF_DOCUMENTS, (), partial(make_pdf_documents, ws)),
        Stage(specs.DOCUMENT_NODES, (specs.PDF_DOCUMENTS,), partial(make_document_nodes, ws)),
    ]


KEPT_SHARE = 0.9


def _quality(ws: Workspace, _: StepRun, document_id: str) -> str:
    quality = read_table(ws.home.table("document_quality", document_id), DocumentQuality)[0]
    faults: list[str] = []
    if quality.text_chars and quality.kept_share < KEPT_SHARE:
        faults.append(f"only {quality.kept_share:.0%} of the text layer's characters were kept")
    if quality.pages_without_text:
        pages = ", ".join(str(page) for page in quality.pages_without_text[:10])
        faults.append(f"{len(quality.pages_without_text)} pages without text: {pages}")
    return "; ".join(faults)


_CHECKS = (
    BatchCheck(
        dg.AssetCheckSpec(
            "quality",
            asset=specs.DOCUMENT_NODES,
            description=f"At least {KEPT_SHARE:.0%} of the text layer is in the nodes, and every"
            " page has text.",
        ),
        _quality,
    ),
)


def build_documents(batch_size: int) -> dg.AssetsDefinition:
    """The step ``documents``."""
    return build_step(
        "documents",
        _SPECS,
        _stages,
        partitions=documents,
        batch_size=batch_size,
        concurrency=2,
        checks=_CHECKS,
    )
