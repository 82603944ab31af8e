"""The process that runs docvortex or liteparse over some pages of one PDF.

Here: the program ``python -m g2_pipelines.pdf.layout_engine ENGINE FILE CPU_S PAGE…`` (pages
from 0, ascending). It prints one JSON document, a list per page, and nothing else. It is a
process of its own because the engines cannot be stopped from inside: docvortex takes more
than 200 s on a newspaper page. The kernel ends it after CPU_S seconds of processor time, so
that the outcome does not depend on the machine's load. Started by ``layout`` only.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from pathlib import Path
from typing import Any

RawPage = list[dict[str, Any]]


def docvortex_pages(content: bytes, pages: list[int]) -> list[RawPage]:
    """Blocks of docvortex per page: type, bbox (fractions, top-left), text, lines, html.

    The stage after its analysis (crops in spawned processes, paragraph joins) is left out:
    crops and joins are ours, and its workers cannot be contained.
    """
    from docvortex.analyzers.native.models import PdfModel
    from docvortex.document.source import prepare_source
    from loguru import logger

    logger.remove()
    chosen = ",".join(str(page + 1) for page in pages)
    prepared = prepare_source(content, file_suffix="pdf", page_range=chosen)
    found = PdfModel().predict(prepared.document)
    order = prepared.page_index_map or pages
    by_page = dict(zip(order, found, strict=True))
    return [[_plain(block) for block in by_page.get(page, [])] for page in pages]


def _plain(block: dict[str, Any]) -> dict[str, Any]:
    content = block.get("content") or ""
    return {
        "type": str(block.get("type")),
        "bbox": [float(v) for v in block.get("bbox") or ()],
        "text": content if isinstance(content, str) else _flat(content),
        "starts": bool(block.get("_paragraph_boundary") or block.get("_reference_start")),
    }


def _flat(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return _flat(content.get("content", ""))
    return "".join(_flat(part) for part in content)


def liteparse_pages(path: str, pages: list[int]) -> list[RawPage]:
    """Tables of liteparse per page: bbox (points, top-left) and rows of cells with boxes."""
    from liteparse import LiteParse

    parser = LiteParse(
        ocr_enabled=False,
        quiet=True,
        extract_blocks=True,
        num_workers=1,
        continue_on_page_error=True,
        target_pages=",".join(str(page + 1) for page in pages),
    )
    result = parser.parse(path)
    by_page = {page.page_num - 1: page for page in result.pages}
    return [
        [_table(block) for block in getattr(by_page.get(page), "blocks", None) or [] if block.rows]
        for page in pages
    ]


def _table(block: Any) -> dict[str, Any]:
    rows = ([block.header] if block.header else []) + list(block.rows)
    return {
        "type": "table",
        "bbox": _corners(block.bbox),
        "rows": [
            [{"text": cell.text or "", "bbox": _corners(cell.bbox)} for cell in row] for row in rows
        ],
    }


def _corners(box: Any) -> list[float]:
    return [box.x, box.y, box.x + box.width, box.y + box.height] if box is not None else []


def main(arguments: list[str]) -> None:
    """Runs one engine; see the module's docstring."""
    engine, path, cpu_s, *pages = arguments
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime + float(cpu_s)) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    # The engines and their logs print what they like; only this descriptor reaches the worker.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as out:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        numbers = [int(page) for page in pages]
        if engine == "docvortex":
            found = docvortex_pages(Path(path).read_bytes(), numbers)
        else:
            found = liteparse_pages(path, numbers)
        json.dump(found, out, ensure_ascii=False)


if __name__ == "__main__":
    main(sys.argv[1:])
