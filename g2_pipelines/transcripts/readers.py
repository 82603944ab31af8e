"""A transcript's file into its clean text.

Here: the choice of the reader by content and name. What each format needs stands in
``plain``, ``markup``, ``timed`` and ``word``; encodings in ``decode``. Turns are found by
``segment``. ``defs`` and ``cli`` may import this module.
"""

from __future__ import annotations

import codecs
import re
from pathlib import PurePath

from g2_pipelines.keys import well_formed
from g2_pipelines.transcripts import markup, pages, plain, timed, word
from g2_pipelines.transcripts.clean import CleanText, TextBuilder, Timing
from g2_pipelines.transcripts.decode import decode
from g2_pipelines.transcripts.errors import (
    EmptyTranscriptError,
    TranscriptTooLargeError,
    UnreadableTranscriptError,
    UnsupportedTranscriptError,
)

__all__ = ["CleanText", "Timing", "read_text"]

_HALF = re.compile("[\ud800-\udfff]")
MAX_BYTES = 64_000_000
_TEXT_SUFFIXES = frozenset(
    ["", ".txt", ".text", ".md", ".markdown", ".html", ".htm", ".xhtml", ".srt", ".vtt", ".json"]
)


def read_text(content: bytes, name: str) -> CleanText:
    """Clean text of a txt, Markdown, HTML, SRT, VTT, JSON, docx or PDF transcript.

    The text is the original's characters in order, without invisible characters, markup,
    cue numbers and times; ``offsets`` lead back into the decoded original (for docx: into
    the paragraphs' text; for PDF: into the text layer). Linear in the size.

    Raises:
        EmptyTranscriptError: Nothing to read.
        UnreadableTranscriptError: Binary, broken, or in no known encoding.
        UnsupportedTranscriptError: A format that no reader takes.
        TranscriptTooLargeError: More than 64 MB, or a PDF above the limits of ``pages``.
    """
    if len(content) > MAX_BYTES:
        raise TranscriptTooLargeError(
            f"The transcript has {len(content):,} bytes, more than {MAX_BYTES:,}",
            file=name,
            remedy="Split it by event",
        )
    suffix = PurePath(name).suffix.lower()
    if content.startswith(b"PK\x03\x04"):
        return _docx(content, name)
    if b"%PDF-" in content[:1024]:
        builder, title = pages.read_pdf(content, name)
        return _finish(builder, name, kind="pdf", encoding="pdf", title=title, timings=[])
    if suffix not in _TEXT_SUFFIXES and content.strip():
        decode(content, name)  # a binary file is named as such first
        raise UnsupportedTranscriptError(
            f"Files ending in {suffix} are not read as transcripts",
            file=name,
            remedy="Save it as .txt, .md, .html, .srt, .vtt, .json, .docx or .pdf",
        )
    original, encoding = _decoded(content, name, suffix)
    builder, timings, title, kind = _read(original, name, suffix)
    return _finish(builder, name, kind=kind, encoding=encoding, title=title, timings=timings)


def _decoded(content: bytes, name: str, suffix: str) -> tuple[str, str]:
    """As declared by an HTML page, if that decodes; else by ``decode``."""
    charset = markup.declared_charset(content) if suffix in (".html", ".htm", ".xhtml") else None
    if charset:
        try:
            text = content.decode(charset)
        except UnicodeDecodeError:
            return decode(content, name)
        if text.strip() and b"\0" not in content:
            return text, codecs.lookup(charset).name
    return decode(content, name)


def _read(
    original: str, name: str, suffix: str
) -> tuple[TextBuilder, list[Timing], str | None, str]:
    head = original.lstrip("\ufeff \t\r\n\u3000")[:200].lower()
    if suffix == ".json":
        builder, timings, kind, title = timed.read_json(original.lstrip("\ufeff"), name)
        return builder, timings, title, kind
    if suffix in (".srt", ".vtt") or timed.looks_like_cues(original):
        builder, timings = timed.read_cues(original)
        return builder, timings, None, "vtt" if head.startswith("webvtt") else "srt"
    if suffix in (".html", ".htm", ".xhtml") or head.startswith(("<!doctype html", "<html")):
        builder, title = markup.read_html(original)
        return builder, [], title, "html"
    if suffix in (".md", ".markdown"):
        builder, title = plain.read_markdown(original)
        return builder, [], title, "markdown"
    if timed.is_diarised(original):
        builder, timings = timed.read_diarised(original)
        return builder, timings, None, "txt"
    builder, title = plain.read_plain(original)
    return builder, [], title, "txt"


def _docx(content: bytes, name: str) -> CleanText:
    builder, title = plain.read_plain(word.read_docx(content, name))
    return _finish(builder, name, kind="docx", encoding="utf-8", title=title, timings=[])


def _finish(
    builder: TextBuilder,
    name: str,
    *,
    kind: str,
    encoding: str,
    title: str | None,
    timings: list[Timing],
) -> CleanText:
    text = builder.text()
    if not text.strip():
        raise EmptyTranscriptError(
            "The transcript holds no text", file=name, remedy="Give a file that holds its text"
        )
    half = _HALF.search(text)
    if half:  # no UTF-8, Parquet or model takes it
        raise UnreadableTranscriptError(
            f"The transcript holds half a character (U+{ord(half[0]):04X})",
            file=name,
            place=f"character {half.start()}",
            remedy="Write it anew from a source that has the whole character",
        )
    warnings = []
    if "\ufffd" in text:
        place = text.index("\ufffd")
        warnings.append(f"replacement character at {place}: the file was decoded wrongly before")
    return CleanText(
        text=text,
        offsets=builder.offsets(),
        encoding=encoding,
        title=title and well_formed(title),
        format=kind,
        timings=[t._replace(speaker=well_formed(t.speaker)) if t.speaker else t for t in timings],
        warnings=warnings,
    )
