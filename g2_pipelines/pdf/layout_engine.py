"""The process that runs docvortex or liteparse over the pages of one PDF.

Here: the program ``python -m g2_pipelines.pdf.layout_engine ENGINE FILE PAGE…`` (pages from
0, ascending). It prints one JSON line per answer, ``{"pages": […], "blocks": [[…], …]}`` or
``{"pages": […], "failed": "reason"}``, and nothing else. Each chunk of pages runs in a fork
of its own that the kernel ends after so many seconds of processor time, because docvortex
cannot be stopped from inside (more than 200 s on a newspaper page) and because processor
time, unlike wall time, does not let the machine's load change the outcome. The pages of a
chunk that failed are asked one by one. Started by ``layout`` only.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, TextIO

from g2_pipelines.pdf.contain import die_with_parent, forked

#: Pages asked at once: docvortex compares the pages of a chunk to find titles and furniture.
CHUNK_PAGES = 16
CHUNK_CPU_S, CHUNK_CPU_S_PER_PAGE = 5.0, 1.0
#: docvortex takes .1–.5 s a page, twice that on a machine whose cores are shared; with our own
#: half second a page ends within 5 s.
PAGE_CPU_S = 4.0
ENGINES = ("docvortex", "liteparse")
RawPage = list[dict[str, Any]]


def load(engine: str) -> None:
    """Imports the engine once, before the forks: docvortex alone takes half a second."""
    if engine == "docvortex":
        import docvortex.analyzers.native.models
        import docvortex.analyzers.native.pdf.pipeline
        import docvortex.document.source  # noqa: F401
        from loguru import logger

        logger.remove()
    else:
        import liteparse  # noqa: F401


def docvortex_pages(path: str, pages: list[int]) -> list[RawPage]:
    """Blocks of docvortex per page: type, bbox (fractions, top-left), text, lines, html.

    The stage after its analysis (crops in spawned processes, paragraph joins) is left out:
    crops and joins are ours, and its workers cannot be contained.
    """
    from docvortex.analyzers.native.models import PdfModel
    from docvortex.document.source import prepare_source

    chosen = ",".join(str(page + 1) for page in pages)
    prepared = prepare_source(path, file_suffix="pdf", page_range=chosen)
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


def answer_pages(engine: str, path: str, pages: list[int], out: TextIO) -> None:
    """Writes the answers for ``pages``, in chunks and then, where a chunk failed, singly."""
    chunks = [pages[i : i + CHUNK_PAGES] for i in range(0, len(pages), CHUNK_PAGES)]
    while chunks:
        chunk = chunks.pop(0)
        single = len(chunk) == 1
        limit = PAGE_CPU_S if single else CHUNK_CPU_S + CHUNK_CPU_S_PER_PAGE * len(chunk)
        ask = docvortex_pages if engine == "docvortex" else liteparse_pages
        text, why = forked(partial(_answer, ask, path, chunk), limit)
        if text is not None:
            out.write(text + "\n")
        elif single:
            out.write(json.dumps({"pages": chunk, "failed": f"{engine} {why}"}) + "\n")
        else:
            chunks = [[page] for page in chunk] + chunks
        out.flush()


def _answer(
    ask: Callable[[str, list[int]], list[RawPage]], path: str, pages: list[int]
) -> dict[str, Any]:
    # A fork that ends in seconds frees all it has then: the collector costs 15 % and frees nothing.
    gc.disable()
    return {"pages": pages, "blocks": ask(path, pages)}


def helper(engine: str, asked: int, told: int) -> None:
    """Runs ``engine`` for one request ``[path, [page, …]]`` from the descriptor ``asked``.

    The answers go to the descriptor ``told`` as ``main`` prints them; no request, no answer. For
    a fork whose only work this is.
    """
    die_with_parent()
    with os.fdopen(asked, encoding="utf-8") as requests:
        line = requests.readline()
    if line:
        path, pages = json.loads(line)
        with os.fdopen(told, "w", encoding="utf-8") as out:
            load(engine)
            answer_pages(engine, path, pages, out)


def main(arguments: list[str]) -> None:
    """Runs one engine; see the module's docstring."""
    die_with_parent()
    engine, path, *pages = arguments
    # The engines and their logs print what they like; only this descriptor reaches the worker.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as out:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        load(engine)
        answer_pages(engine, path, [int(page) for page in pages], out)


if __name__ == "__main__":
    main(sys.argv[1:])
