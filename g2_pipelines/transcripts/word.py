"""docx into clean text.

Here: the paragraphs of ``word/document.xml``, read with size limits and with entities and
network off. ``readers`` imports this module.
"""

from __future__ import annotations

import io
import zipfile

from lxml import etree

from g2_pipelines.transcripts.errors import (
    TranscriptTooLargeError,
    UnreadableTranscriptError,
    UnsupportedTranscriptError,
)

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
MAX_XML = 50_000_000


def read_docx(content: bytes, name: str) -> str:
    """The document's paragraphs, one a line; deleted (tracked) text is left out.

    Raises:
        UnreadableTranscriptError: The archive or its XML is broken.
        UnsupportedTranscriptError: A zip that holds no Word document.
        TranscriptTooLargeError: document.xml unpacks to more than 50 MB.
    """
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
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False
    )
    try:
        root = etree.fromstring(xml, parser)
    except etree.XMLSyntaxError as error:
        raise UnreadableTranscriptError(
            "The docx holds broken XML",
            file=name,
            place="word/document.xml",
            remedy="Save the document again",
        ) from error
    lines = []
    for paragraph in root.iter(f"{_W}p"):
        parts = []
        for node in paragraph.iter(f"{_W}t", f"{_W}tab", f"{_W}br", f"{_W}cr"):
            if node.tag == f"{_W}t":
                parts.append(node.text or "")
            else:
                parts.append("\t" if node.tag == f"{_W}tab" else "\n")
        lines.append("".join(parts))
    return lines
