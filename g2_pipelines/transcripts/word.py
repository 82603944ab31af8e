"""docx into clean text.

Here: the paragraphs of ``word/document.xml``, read with size limits and with entities and
network off. ``readers`` imports this module.
"""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, cast

from lxml import etree

from g2_pipelines.transcripts.errors import (
    TranscriptTooLargeError,
    UnreadableTranscriptError,
    UnsupportedTranscriptError,
)
from g2_pipelines.zips import entries_at_most

if TYPE_CHECKING:
    from lxml.etree import ParserTarget

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_P, _T = f"{_W}p", f"{_W}t"
_WHITE = {f"{_W}tab": "\t", f"{_W}br": "\n", f"{_W}cr": "\n"}
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
MAX_XML = 50_000_000
#: A document with a thousand pictures has some more than a thousand entries.
MAX_ENTRIES = 10_000


def read_docx(content: bytes, name: str) -> str:
    """The document's paragraphs, one a line; deleted (tracked) text is left out.

    Raises:
        UnreadableTranscriptError: The archive or its XML is broken.
        UnsupportedTranscriptError: A zip that holds no Word document.
        TranscriptTooLargeError: More than 10,000 entries, or document.xml unpacks to more than
            50 MB.
    """
    if (count := entries_at_most(io.BytesIO(content))) > MAX_ENTRIES:
        raise TranscriptTooLargeError(
            f"The docx holds {count:,} entries, more than {MAX_ENTRIES:,}",
            file=name,
            remedy="Save the document again",
        )
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            member = archive.getinfo("word/document.xml")
            with archive.open(member) as stream:
                xml = stream.read(MAX_XML + 1)
    except KeyError as error:
        raise UnsupportedTranscriptError(
            "The zip holds no Word document",
            file=name,
            place="word/document.xml",
            remedy="Unpack it and give the transcripts one by one",
        ) from error
    except (zipfile.BadZipFile, OSError, EOFError, RuntimeError, NotImplementedError) as error:
        raise UnreadableTranscriptError(
            "The docx archive is broken", file=name, remedy="Save the document again"
        ) from error
    if len(xml) > MAX_XML:
        raise TranscriptTooLargeError(
            "The docx unpacks to more than 50 MB",
            file=name,
            place="word/document.xml",
            remedy="Split the document",
        )
    return "\n".join(_paragraphs(xml, name))


def _paragraphs(xml: bytes, name: str) -> list[str]:
    paragraphs = _Paragraphs()
    # A target and no tree: 50 MB of empty paragraphs would make a tree of a gigabyte.
    parser = etree.XMLParser(
        target=cast("ParserTarget", paragraphs),  # its stub asks for more than lxml does
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
    )
    try:
        return list(etree.fromstring(xml, parser))
    except (etree.XMLSyntaxError, _DoctypeError) as error:
        raise UnreadableTranscriptError(
            "The docx holds broken XML",
            file=name,
            place="word/document.xml",
            remedy="Save the document again",
        ) from error


class _DoctypeError(Exception):
    """A document type: Word writes none, and its entities would be lost without a word."""


class _Paragraphs:
    """Lines in the order in which their paragraphs begin.

    A text box's paragraphs stand inside another one. Each character belongs to the innermost
    alone: given to every one around it, 4 KB of XML would become gigabytes of text. Of the
    two forms of a box that Word writes (Choice, Fallback) the second is left out.
    """

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._open: list[tuple[int, list[str]]] = []
        self._in_text = self._in_fallback = 0

    def doctype(self, *_: object) -> None:
        raise _DoctypeError

    def start(self, tag: str, _: object) -> None:
        if tag == _FALLBACK:
            self._in_fallback += 1
        if self._in_fallback:
            return
        if tag == _P:
            self._open.append((len(self._lines), []))
            self._lines.append("")
        elif tag == _T:
            self._in_text += 1
        elif tag in _WHITE and self._open:
            self._open[-1][1].append(_WHITE[tag])

    def end(self, tag: str) -> None:
        if self._in_fallback:
            self._in_fallback -= tag == _FALLBACK
        elif tag == _P:
            place, parts = self._open.pop()
            self._lines[place] = "".join(parts)
        elif tag == _T:
            self._in_text -= 1

    def data(self, text: str) -> None:
        if self._in_text and self._open and not self._in_fallback:
            self._open[-1][1].append(text)

    def close(self) -> list[str]:
        return self._lines
