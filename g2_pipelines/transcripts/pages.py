"""A PDF's text layer into clean text.

Here: running the process that reads it, leaving out running heads and page numbers, joining
lines that were broken at the margin. The process itself is ``pdf_worker``; layout, tables and
pictures are the affair of ``pdf``. ``readers`` imports this module.

The decoded original of a PDF is its text layer: the pages' lines, ended by newlines, a form
feed between pages; ``offsets`` lead there.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from g2_pipelines.pdf.parse import worker_environment
from g2_pipelines.transcripts.clean import TextBuilder
from g2_pipelines.transcripts.errors import (
    EmptyTranscriptError,
    TranscriptTooLargeError,
    UnreadableTranscriptError,
)
from g2_pipelines.transcripts.plain import continues, splits_number

SECONDS = 120
MEMORY_MB = 2_000
#: Lines at a page's top and bottom that may be a running head or foot.
EDGE = 2
MIN_REPEATS = 3
_PAGE_NUMBER = re.compile(
    r"[\s　]*(?:[-－―‐–p.PP]{0,2}[\s　]?[0-9０-９]{1,4}[\s　]?(?:[-－―‐–]|ページ|頁)?|[0-9０-９]{1,4}[\s　]?[/／][\s　]?[0-9０-９]{1,4})[\s　]*$"
)

_Line = tuple[str, bool]


def read_pdf(content: bytes, name: str) -> tuple[TextBuilder, str | None]:
    """The builder holding the clean text, and the PDF's title if it has one.

    Raises:
        UnreadableTranscriptError: Damaged, locked, or the reader crashed.
        EmptyTranscriptError: No text layer.
        TranscriptTooLargeError: Too many pages, or longer than two minutes, or too much memory.
    """
    reply = _reply(content, name)
    pages: list[list[_Line]] = [[(str(w), bool(b)) for w, b in page] for page in reply["pages"]]
    if not any(words.strip() for page in pages for words, _ in page):
        raise EmptyTranscriptError(
            "The PDF has no text layer", file=name, remedy="Run OCR over it, or give the text"
        )
    title = reply.get("title")
    return _joined(pages), str(title) if title else None


def _reply(content: bytes, name: str) -> dict[str, list[list[list[object]]]]:
    with tempfile.TemporaryDirectory(prefix="g2-transcript-") as folder:
        command = [
            sys.executable, "-P", "-m", "g2_pipelines.transcripts.pdf_worker", name, str(MEMORY_MB),
        ]  # fmt: skip
        try:
            done = subprocess.run(  # noqa: S603  our own module, by its full name
                command,
                input=content,
                capture_output=True,
                env=worker_environment(Path(folder)),
                timeout=SECONDS,
                check=False,
                start_new_session=True,
            )
        except subprocess.TimeoutExpired as error:
            raise TranscriptTooLargeError(
                f"Reading the PDF took longer than {SECONDS} s", file=name, remedy="Split the PDF"
            ) from error
    try:
        reply = json.loads(done.stdout)
    except ValueError as error:
        if b"emory" in done.stderr:
            raise TranscriptTooLargeError(
                f"Reading the PDF needs more than {MEMORY_MB} MB", file=name, remedy="Split the PDF"
            ) from error
        raise UnreadableTranscriptError(
            "The PDF reader crashed on the file",
            file=name,
            remedy="Open it in a PDF reader and save or print it to a new PDF",
        ) from error
    if "failure" in reply:
        code, message = reply["failure"]
        kind = TranscriptTooLargeError if code == "too_long" else UnreadableTranscriptError
        raise kind(message, file=name, remedy="Save it to a new, unlocked PDF, or give its text")
    return dict(reply)


def _joined(pages: Sequence[Sequence[_Line]]) -> TextBuilder:
    builder = TextBuilder()
    gone = _furniture(pages)
    position = 0
    before: _Line | None = None
    for number, page in enumerate(pages):
        for index, (words, broken) in enumerate(page):
            place, position = position, position + len(words) + 1
            if (number, index) in gone:
                continue
            if before is not None and not (
                (before[1] and continues(before[0], words)) or splits_number(before[0], words)
            ):
                builder.line_end()
            bare = words.rstrip()
            builder.clean(bare, place)
            before = (bare, broken)
        position += 1  # the form feed
    return builder


def _furniture(pages: Sequence[Sequence[_Line]]) -> set[tuple[int, int]]:
    """(page, line) of page numbers and of lines that come again at pages' edges."""
    edges = [
        {*range(min(EDGE, len(page))), *range(max(0, len(page) - EDGE), len(page))}
        for page in pages
    ]
    counts = Counter(
        words
        for page, edge in zip(pages, edges, strict=True)
        for words in {_pattern(page[i][0]) for i in edge}
    )
    return {
        (number, index)
        for number, (page, edge) in enumerate(zip(pages, edges, strict=True))
        for index in edge
        if _PAGE_NUMBER.match(page[index][0])
        or (
            counts[_pattern(page[index][0])] >= max(MIN_REPEATS, len(pages) // 2)
            and len(page) > 2 * EDGE
        )
    }


def _pattern(words: str) -> str:
    return re.sub(r"[0-9０-９]+", "#", "".join(words.split()))
