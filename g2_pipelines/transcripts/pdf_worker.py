"""The process that reads a transcript's PDF: ``python -m g2_pipelines.transcripts.pdf_worker``.

Here: limiting itself, and the lines of the text layer, each with whether it was broken at
the right margin. Bytes come on stdin, one JSON document goes to stdout. Started by ``pages``
only: PDFium may crash or hang on a hostile file.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from g2_pipelines.errors import G2Error
from g2_pipelines.pdf.contain import die_with_parent, limit_memory

MAX_PAGES = 2_000
MAX_PAGE_CHARS = 200_000
#: A line that ends nearer to the right margin than this many character widths was broken there.
SLACK = 1.6
_SKIPPED = frozenset([0, 0xFFFE, 0xFFFF])


def page_lines(page: Any) -> list[tuple[str, bool]]:
    """(line, broken at the margin?) of a page, in the order of its text layer."""
    from pypdfium2 import raw

    text_page = page.get_textpage()
    try:
        lines = _raw_lines(text_page.raw, min(text_page.count_chars(), MAX_PAGE_CHARS), raw)
    finally:
        text_page.close()
    rights = sorted(right for words, right, _ in lines if words.strip())
    if not rights:
        return [(words, False) for words, _, _ in lines]
    margin = rights[min(len(rights) - 1, len(rights) * 95 // 100)]
    return [(words, margin - right <= SLACK * width) for words, right, width in lines]


def _raw_lines(handle: Any, count: int, raw: Any) -> list[tuple[str, float, float]]:
    """(characters, right edge, width of the last one) a line, in points."""
    from ctypes import byref, c_double

    left, right, bottom, top = c_double(), c_double(), c_double(), c_double()
    lines: list[tuple[str, float, float]] = []
    words: list[str] = []
    edge = width = 0.0
    for index in range(count):
        code = raw.FPDFText_GetUnicode(handle, index)
        if code in (10, 13):
            if words:
                lines.append(("".join(words), edge, width))
            words, edge, width = [], 0.0, 0.0
            continue
        if code in _SKIPPED:
            continue
        words.append(chr(code))
        if (
            raw.FPDFText_GetCharBox(
                handle, index, byref(left), byref(right), byref(bottom), byref(top)
            )
            and not chr(code).isspace()
        ):
            edge, width = right.value, max(right.value - left.value, top.value - bottom.value)
    if words:
        lines.append(("".join(words), edge, width))
    return lines


def read(path: Path, name: str) -> dict[str, Any]:
    """Pages of lines and the title, or a failure by code."""
    from g2_pipelines.pdf import pdfium

    pdfium.use_fonts_of_project()
    document = pdfium.open_document(path, name)
    try:
        if len(document) > MAX_PAGES:
            return {"failure": ["too_long", f"The PDF has {len(document)} pages"]}
        pages = []
        for index in range(len(document)):
            page = document[index]
            pages.append(page_lines(page))
            page.close()
        return {"pages": pages, "title": pdfium.title_of(document)}
    finally:
        document.close()


def main() -> None:
    """Reads stdin, writes stdout; ``argv``: name, memory in MB."""
    die_with_parent()
    limit_memory(int(sys.argv[2]))
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        file.write(sys.stdin.buffer.read())
        file.flush()
        try:
            reply = read(Path(file.name), sys.argv[1])
        except G2Error as error:
            reply = {"failure": [error.code, error.message]}
    sys.stdout.write(json.dumps(reply))


if __name__ == "__main__":
    main()
