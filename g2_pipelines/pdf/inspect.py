"""A first look at a PDF, in a process of its own: whether it opens, its pages and title.

Here: ``inspect_pdf`` and the process it starts (``python -m g2_pipelines.pdf.inspect``).
Reading its contents is ``parse``'s. For ``defs`` and ``cli``.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from pydantic import ValidationError

from g2_pipelines.errors import G2Error
from g2_pipelines.pdf.errors import (
    BY_CODE,
    BrokenPdfError,
    PdfReaderError,
    PdfTimeoutError,
    PdfTooLongError,
)
from g2_pipelines.pdf.parse import worker_environment
from g2_pipelines.pdf.values import PdfLimits, WorkerFailure
from g2_pipelines.pdf.workfolder import work_folder
from g2_pipelines.tables.rows import Row


class PdfFacts(Row):
    """What a first look tells."""

    pages: int
    title: str | None


class _Reply(Row):
    facts: PdfFacts | None = None
    failure: WorkerFailure | None = None


def inspect_pdf(path: Path, *, limits: PdfLimits | None = None) -> PdfFacts:
    """Number of pages and title of the PDF at ``path``.

    Raises:
        EmptyPdfError, NotAPdfError, PasswordPdfError, BrokenPdfError: The input's fault.
        PdfTimeoutError, PdfTooLongError: A limit was reached.
    """
    bounds = limits or PdfLimits()
    with work_folder() as folder:
        command = [sys.executable, "-P", "-m", "g2_pipelines.pdf.inspect", str(path.resolve())]
        try:
            done = subprocess.run(  # noqa: S603 - our own module
                [*command, str(bounds.memory_mb)],
                env=worker_environment(folder),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=bounds.timeout_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise PdfTimeoutError(
                f"Opening took longer than {bounds.timeout_s:g} s",
                file=path.name,
                remedy="Raise the limit of time in the settings",
            ) from None
    facts = _facts(done.stdout, done.stderr.decode("utf-8", "replace"), path.name)
    if facts.pages > bounds.max_pages:
        raise PdfTooLongError(
            f"The PDF has {facts.pages} pages, more than {bounds.max_pages}",
            file=path.name,
            remedy="Split it, or raise the limit of pages in the settings",
        )
    return facts


def _facts(answer: bytes, errors: str, name: str) -> PdfFacts:
    try:
        reply = _Reply.model_validate_json(answer)
    except ValidationError as error:
        last = errors.strip().splitlines()[-1] if errors.strip() else "no message"
        if "Traceback" in errors:  # an exception of ours is not the file's fault
            raise PdfReaderError(
                f"The PDF reader failed ({last[:200]})", file=name, remedy="Report it with the file"
            ) from error
        raise BrokenPdfError(
            f"The PDF reader crashed on the file ({last[:200]})",
            file=name,
            remedy="Open it in a PDF reader and save or print it to a new PDF",
        ) from error
    if reply.failure is not None:
        failure = reply.failure
        kind: type[G2Error] = BY_CODE.get(failure.code, BrokenPdfError)
        raise kind(failure.message, file=failure.file, place=failure.place, remedy=failure.remedy)
    return reply.facts or _facts(b"", "", name)


def main(arguments: list[str]) -> None:
    """Open the PDF named first, within the megabytes named second, and print the reply."""
    from g2_pipelines.pdf import pdfium
    from g2_pipelines.pdf.contain import die_with_parent, limit_memory
    from g2_pipelines.pdf.worker import check_bytes

    die_with_parent()
    path = Path(arguments[0])
    limit_memory(int(arguments[1]))
    try:
        check_bytes(path, path.name)
        document = pdfium.open_document(path, path.name)
        reply = _Reply(facts=PdfFacts(pages=len(document), title=pdfium.title_of(document)))
        document.close()
    except G2Error as error:
        failure = WorkerFailure(
            code=error.code,
            message=error.message,
            file=error.file,
            place=error.place,
            remedy=error.remedy,
        )
        reply = _Reply(failure=failure)
    sys.stdout.write(reply.model_dump_json())


if __name__ == "__main__":
    main(sys.argv[1:])
