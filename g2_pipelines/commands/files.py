"""``g2 filing sections``, ``g2 transcript chunks``, ``g2 pdf nodes``: one file, nothing stored.

Here: reading a file, calling its domain package, printing. The same functions make the assets.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from upath import UPath

from g2_pipelines.commands.outputs import (
    FilingSectionsOutput,
    PdfNodesOutput,
    TranscriptChunksOutput,
)
from g2_pipelines.defs.register import MAX_FILE_BYTES
from g2_pipelines.errors import InputError
from g2_pipelines.keys import digest_of, document_key
from g2_pipelines.settings import Settings
from g2_pipelines.tables.store import write_atomic


def read_input(file: Path) -> bytes:
    """A file's bytes.

    Raises:
        InputError: it is not there, is not a file, or is larger than any file may be.
    """
    try:
        with file.open("rb") as opened:
            content = opened.read(MAX_FILE_BYTES + 1)  # a device or a pipe need not end
    except (OSError, ValueError) as error:  # ValueError: a name with a null byte
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(
            f"The file cannot be read: {why}", file=str(file), remedy="Check the path"
        ) from error
    if len(content) > MAX_FILE_BYTES:
        raise InputError(
            f"The file has more than {MAX_FILE_BYTES:,} bytes", file=str(file), remedy="Split it"
        )
    return content


def write_output(file: Path, content: bytes) -> None:
    """Put what a command was told to write at ``file``, whole or not at all.

    Raises:
        InputError: nothing can be written there.
    """
    try:
        write_atomic(UPath(file), content)
    except OSError as error:
        raise InputError(
            f"The file cannot be written: {error.strerror}",
            file=str(file),
            remedy="Give a path in a folder that can be written to",
        ) from error


def filing_sections(source: Path, *, with_facts: bool) -> FilingSectionsOutput:
    """The sections, and on wish the facts, of a filing's zip or folder."""
    from g2_pipelines.edinet.filing import read_filing

    if not source.exists():
        raise InputError("There is no such file", file=str(source), remedy="Check the path")
    read = read_filing(source, with_facts=True)
    return FilingSectionsOutput(
        dei=dict(read.dei.raw),
        document_id=read.filing.document_id,
        edinet_code=read.filing.edinet_code,
        fiscal_year=read.filing.fiscal_year,
        sections=read.sections,
        facts=read.facts if with_facts else [],
        segments=read.segments,
        warnings=read.warnings,
    )


def transcript_chunks(file: Path, settings: Settings) -> TranscriptChunksOutput:
    """Turns and chunks of a transcript."""
    from g2_pipelines.text.tokens import tokenizer
    from g2_pipelines.transcripts.chunks import chunk
    from g2_pipelines.transcripts.make import make_transcript
    from g2_pipelines.transcripts.segment import segment

    transcript, clean = make_transcript(
        read_input(file),
        file.name,
        edinet_code="",
        fiscal_year="",
        kind="other",
        document_kind=None,
    )
    turns, cut = segment(transcript, clean.timings)
    chunks = chunk(
        transcript,
        turns,
        cut,
        policy=settings.qa_pattern,
        max_tokens=settings.chunk_tokens,
        tokenizer=tokenizer(settings.tokenizer),
    )
    return TranscriptChunksOutput(
        transcript_id=transcript.transcript_id,
        style=cut.style,
        votes=cut.votes,
        document_kind=transcript.document_kind,
        document_kind_reason=transcript.document_kind_reason,
        segmentation=cut.segmentation,
        text=transcript.text,
        turns=turns,
        chunks=chunks,
        dropped=cut.dropped,
        warnings=[*transcript.warnings, *cut.warnings],
    )


def pdf_nodes(
    file: Path, settings: Settings, *, images: Path | None, markdown: bool
) -> PdfNodesOutput:
    """Pages and nodes of a PDF; crops are kept where ``images`` names a folder."""
    from g2_pipelines.pdf.markdown import to_markdown
    from g2_pipelines.pdf.parse import PdfLimits, parse_pdf

    document_id = document_key(file.stem, digest_of(read_input(file)))
    limits = PdfLimits(
        timeout_s=settings.pdf_timeout_s,
        memory_mb=settings.pdf_memory_mb,
        max_pages=settings.pdf_max_pages,
        ocr_pages=settings.pdf_ocr_pages,
        ocr_pictures=settings.pdf_ocr_pictures,
        paragraph_tokens=settings.pdf_paragraph_tokens,
        join_tokens=settings.pdf_join_tokens,
        tokenizer=settings.tokenizer,
    )
    with TemporaryDirectory() as scratch:
        folder = images or Path(scratch)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"The folder cannot be made: {error.strerror}",
                file=str(folder),
                remedy="Give --images a folder that can be written to",
            ) from error
        parsed = parse_pdf(file, document_id=document_id, images_dir=folder, limits=limits)
    return PdfNodesOutput(
        document_id=document_id,
        title=parsed.title,
        pages=parsed.pages,
        nodes=parsed.nodes,
        quality=parsed.quality,
        markdown=to_markdown(parsed.nodes) if markdown else None,
        warnings=parsed.quality.warnings,
    )
