"""Reads a PDF into nodes, in a process of its own that cannot take the caller down.

Here: ``parse_pdf``, its limits and result. The reading itself is ``worker``'s; nothing of
PDFium or of the layout engines is loaded in the calling process. For ``defs`` and ``cli``.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from g2_pipelines.errors import G2Error
from g2_pipelines.pdf.errors import (
    BY_CODE,
    BrokenPdfError,
    PdfMemoryError,
    PdfReaderError,
    PdfTimeoutError,
)
from g2_pipelines.pdf.readers import run_reader
from g2_pipelines.pdf.values import ParsedPdf, PdfLimits, WorkerReply, WorkerRequest
from g2_pipelines.pdf.workfolder import work_folder

#: A process that died with more than this share of its memory in use died of it.
NEAR_LIMIT = 0.8
__all__ = ["ParsedPdf", "PdfLimits", "parse_pdf"]


def parse_pdf(
    path: Path,
    *,
    document_id: str,
    images_dir: Path,
    limits: PdfLimits | None = None,
    docling: bytes | None = None,
) -> ParsedPdf:
    """The PDF's pages, nodes and quality; pictures of pages and crops in ``images_dir``.

    Boxes are points, top-left origin, of the displayed page; pages count from 1. ``image``
    fields are ``documents/{document_id}/{file}`` with the file in ``images_dir``, which is
    made if absent and changed only on success. Pages that no layout engine could do are laid
    out from PDFium's lines and listed in ``quality.pages_fallback``; pages read by OCR in
    ``quality.pages_ocr``, pages without any text in ``quality.pages_without_text``.
    ``docling``: docling's JSON of the file, whose layout then stands in for docvortex's.

    Raises:
        EmptyPdfError, NotAPdfError, PasswordPdfError, BrokenPdfError: The input's fault.
        PdfTimeoutError, PdfMemoryError, PdfTooLongError: A limit was reached.
        DoclingError: ``docling`` is no document.
        PdfReaderStartError: The reading process could not be started.
    """
    limits = limits or PdfLimits()
    if not path.is_file():
        raise BrokenPdfError(
            "There is no such file", file=str(path), remedy="Check the path and add it again"
        )
    with work_folder() as work:
        staging = work / "images"
        staging.mkdir()
        environment = worker_environment(work)
        request = WorkerRequest(
            path=str(path.resolve()),
            name=path.name,
            document_id=document_id,
            staging=str(staging),
            reply=str(work / "reply.json"),
            limits=limits,
            docling=str(work / "docling.json") if docling is not None else "",
            environment=environment,
        )
        if docling is not None:
            (work / "docling.json").write_bytes(docling)
        (work / "request.json").write_text(request.model_dump_json(), encoding="utf-8")
        errors, peak_mb = _run(work, limits, path.name)
        result = _result(Path(request.reply), errors, peak_mb, limits, path.name)
        images_dir.mkdir(parents=True, exist_ok=True)
        for file in sorted(staging.iterdir()):
            shutil.move(file, images_dir / file.name)
    return result


def worker_environment(work: Path) -> dict[str, str]:
    """The worker's whole environment: no secret of ours reaches a parser of hostile files."""
    return {
        "PATH": os.defpath,
        "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry) or str(Path.cwd()),
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        "HOME": str(work),
        "TMPDIR": str(work),
        # One thread each: threads reserve address space, and the machine is shared.
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "RAYON_NUM_THREADS": "1",
        "MALLOC_ARENA_MAX": "2",
    }


def _run(work: Path, limits: PdfLimits, name: str) -> tuple[str, float]:
    """Reads the request in ``work`` to its end, or kills what reads it when the time is up.

    Returns the end of what the process wrote to stderr, and its largest memory in megabytes.
    """
    answer = run_reader(
        work / "request.json",
        environment=worker_environment(Path(tempfile.gettempdir())),
        timeout_s=limits.timeout_s,
    )
    if answer is None:
        raise PdfTimeoutError(
            f"Reading took longer than {limits.timeout_s:g} s",
            file=name,
            remedy="Split the PDF, or raise the limit of time in the settings",
        )
    errors = work / "stderr"
    text = errors.read_text(encoding="utf-8", errors="replace") if errors.exists() else ""
    return text[-2000:], answer.get("peak_mb", 0.0)


def _result(
    reply_file: Path, errors: str, peak_mb: float, limits: PdfLimits, name: str
) -> ParsedPdf:
    if not reply_file.is_file():
        raise _crash(errors, peak_mb, limits, name)
    reply = WorkerReply.model_validate_json(reply_file.read_bytes())
    if reply.failure is not None:
        failure = reply.failure
        kind: type[G2Error] = BY_CODE.get(failure.code, BrokenPdfError)
        raise kind(failure.message, file=failure.file, place=failure.place, remedy=failure.remedy)
    if reply.result is None:
        raise _crash(errors, peak_mb, limits, name)
    return reply.result


def _crash(errors: str, peak_mb: float, limits: PdfLimits, name: str) -> G2Error:
    """The failure behind a worker that ended without a reply."""
    # PDFium ends the process without a word when it gets no memory.
    full = peak_mb > NEAR_LIMIT * limits.memory_mb
    said = any(sign in errors for sign in ("emory", "alloc", "failed to map", "start new thread"))
    if full or said:
        return PdfMemoryError(
            f"Reading needs more than {limits.memory_mb} MB",
            file=name,
            remedy="Split the PDF, or raise the limit of memory in the settings",
        )
    last = errors.strip().splitlines()[-1] if errors.strip() else "no message"
    if "Traceback" in errors:  # an exception of ours is not the file's fault
        return PdfReaderError(
            f"The PDF reader failed ({last[:200]})", file=name, remedy="Report it with the file"
        )
    return BrokenPdfError(
        f"The PDF reader crashed on the file ({last[:200]})",
        file=name,
        remedy="Open it in a PDF reader and save or print it to a new PDF",
    )
