"""Optional: the layout of docling's document JSON in place of docvortex's; off by default.

Here: ``docling_pages``, a DoclingDocument's items as the blocks that ``blocks`` takes (the text
stays PDFium's, so a wrong region loses nothing), and ``docling_answer``, the JSON from a folder
or a docling server. docling's models run where the user has them, never here. The server is
asked by the caller's process; the process that reads the PDF has no network to use.

The JSON: docling-core's DoclingDocument, https://docling-project.github.io/docling/concepts/docling_document/
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from g2_pipelines.pdf.errors import DoclingError, DoclingUnreachableError
from g2_pipelines.pdf.geometry import Box, PageText, turned

#: A larger answer is refused (a 600-page report has 30 MB).
MAX_BYTES = 300_000_000
KINDS = {
    "title": "doc_title",
    "section_header": "paragraph_title",
    "page_header": "header",
    "page_footer": "footer",
    "caption": "caption",
    "footnote": "page_footnote",
    "formula": "equation",
    "code": "code",
    "table": "table",
    "document_index": "table",
    "picture": "image",
    "chart": "chart",
    "reference": "ref_text",
}


def docling_pages(
    content: bytes, pages: Sequence[PageText], *, name: str
) -> tuple[dict[int, list[dict[str, Any]]], str]:
    """Blocks by page (from 1) with boxes as shares of the page, and the JSON's version.

    Args:
        content: A DoclingDocument as JSON.
        pages: The PDF's pages; docling's others are passed over.
        name: The PDF, for messages.

    Raises:
        DoclingError: It is no DoclingDocument, or its items are not as the format has them.
    """
    try:
        document = _checked(json.loads(content))
        sheets = {page.page: page for page in pages}
        found: dict[int, list[dict[str, Any]]] = {
            int(number): [] for number in document["pages"] if int(number) in sheets
        }
        for item in _items(document):
            for place in item["prov"]:
                if place["page_no"] in found:
                    page = sheets[place["page_no"]]
                    found[page.page].append(_block(item, place["bbox"], page))
        return found, f"DoclingDocument {document['version']}"
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise DoclingError(
            f"docling's answer is not a DoclingDocument ({type(error).__name__}: {str(error)[:80]})",
            file=name,
            remedy="Convert the PDF with docling to JSON again, or switch G2_PDF_DOCLING off",
        ) from error


def _checked(document: Any) -> dict[str, Any]:
    if not isinstance(document, dict) or document.get("schema_name") != "DoclingDocument":
        msg = "schema_name"
        raise KeyError(msg)
    return document


def _items(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Texts, tables and pictures; labels inside a picture belong to it and are left out."""
    captions = {
        caption["$ref"] for item in [*document["pictures"], *document["tables"]]
        for caption in item.get("captions", [])
    }  # fmt: skip
    texts = [
        item
        for item in document["texts"]
        if item["self_ref"] in captions
        or not str((item.get("parent") or {}).get("$ref", "")).startswith(
            ("#/pictures", "#/tables")
        )
    ]
    return [*texts, *document["tables"], *document["pictures"]]


def _block(item: Mapping[str, Any], bbox: Mapping[str, Any], page: PageText) -> dict[str, Any]:
    width, height = page.shown_size
    left, top, right, bottom = (float(bbox[side]) for side in ("l", "t", "r", "b"))
    if bbox.get("coord_origin", "TOPLEFT") == "BOTTOMLEFT":
        top, bottom = height - top, height - bottom
    shown = Box(min(left, right), min(top, bottom), max(left, right), max(top, bottom))
    box = turned(shown.clipped(width, height), page.turn, width, height)
    kind = KINDS.get(str(item["label"]), "text")
    return {
        "type": kind,
        "bbox": [box.x0 / page.width, box.y0 / page.height, box.x1 / page.width, box.y1 / page.height],
        "text": _html(item["data"]["table_cells"]) if kind == "table" else str(item.get("text", "")),
        "starts": True,
    }  # fmt: skip


def _html(cells: Sequence[Mapping[str, Any]]) -> str:
    rows: dict[int, list[Mapping[str, Any]]] = {}
    for cell in cells:
        rows.setdefault(int(cell["start_row_offset_idx"]), []).append(cell)
    if not rows:
        return ""
    written = []
    for number in range(max(rows) + 1):
        row = sorted(rows.get(number, []), key=lambda cell: int(cell["start_col_offset_idx"]))
        written.append("<tr>" + "".join(map(_cell, row)) + "</tr>")
    return "<table>" + "".join(written) + "</table>"


def _cell(cell: Mapping[str, Any]) -> str:
    tag = "th" if cell.get("column_header") else "td"
    down, across = int(cell.get("row_span", 1)), int(cell.get("col_span", 1))
    return f'<{tag} rowspan="{down}" colspan="{across}">{escape(str(cell["text"]))}</{tag}>'


def docling_answer(
    source: str, pdf: Path, *, names: Sequence[str], timeout_s: float
) -> bytes | None:
    """Docling's JSON of ``pdf``; None where ``source`` is a folder that has none.

    Args:
        source: A docling server's URL, or a folder with ``{name}.json``.
        pdf: The file to send to the server.
        names: File names without ending under which the folder is searched.
        timeout_s: How long the server may take.

    Raises:
        DoclingUnreachableError: The server does not answer or refuses.
        DoclingError: The answer is too large or no JSON of a conversion.
    """
    if source.startswith(("http://", "https://")):
        return _converted(source, pdf, timeout_s)
    for name in names:
        file = Path(source) / f"{Path(name).name}.json"
        if file.is_file():
            if file.stat().st_size > MAX_BYTES:
                raise _too_large(pdf)
            return file.read_bytes()
    return None


def _converted(url: str, pdf: Path, timeout_s: float) -> bytes:
    """docling-serve's answer: POST /v1/convert/file, the document under document.json_content."""
    import httpx

    try:
        with pdf.open("rb") as file:
            answer = httpx.post(
                url.rstrip("/") + "/v1/convert/file",
                files={"files": (pdf.name, file, "application/pdf")},
                data={"to_formats": "json", "image_export_mode": "placeholder"},
                timeout=timeout_s,
            )
        answer.raise_for_status()
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise DoclingUnreachableError(
            f"The docling server did not convert the PDF ({type(error).__name__})",
            file=pdf.name,
            remedy="Start it, correct G2_PDF_DOCLING, or leave that empty",
        ) from None
    if len(answer.content) > MAX_BYTES:
        raise _too_large(pdf)
    try:
        return json.dumps(answer.json()["document"]["json_content"]).encode()
    except (ValueError, KeyError, TypeError) as error:
        raise DoclingError(
            "The docling server's answer holds no document",
            file=pdf.name,
            remedy="Use a docling-serve with the v1 interface",
        ) from error


def _too_large(pdf: Path) -> DoclingError:
    return DoclingError(
        f"docling's answer has more than {MAX_BYTES:,} bytes", file=pdf.name, remedy="Split the PDF"
    )
