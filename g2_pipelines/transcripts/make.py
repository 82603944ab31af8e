"""A transcript's row from its file.

Here: clean text, digest and id put together. Turns and chunks are made by ``segment`` and
``chunks``. ``defs`` and ``cli`` may import this module.
"""

from __future__ import annotations

from pathlib import PurePath

from g2_pipelines.keys import digest_of, document_key
from g2_pipelines.tables.line1 import DocumentKind, Transcript, TranscriptKind
from g2_pipelines.transcripts.kinds import Guess, guess_kind
from g2_pipelines.transcripts.readers import CleanText, read_text


def make_transcript(
    content: bytes,
    name: str,
    *,
    edinet_code: str,
    fiscal_year: str,
    kind: TranscriptKind,
    document_kind: DocumentKind | None,
    url: str | None = None,
) -> tuple[Transcript, CleanText]:
    """The row and the clean text with its timings; the id is slug of the stem + digest.

    Where ``document_kind`` is None it is guessed from the text, and the row says why.

    Raises:
        InputError, LimitError: See ``readers.read_text``.
    """
    clean = read_text(content, name)
    digest = digest_of(content)
    guess = Guess(document_kind, "") if document_kind else guess_kind(clean)
    path = PurePath(name)
    transcript = Transcript(
        edinet_code=edinet_code,
        fiscal_year=fiscal_year,
        transcript_id=document_key(path.stem, digest),
        kind=kind,
        document_kind=guess.kind,
        document_kind_reason=guess.reason,
        file=path.name,
        url=url,
        digest=digest,
        encoding=clean.encoding,
        title=clean.title,
        text=clean.text,
        offsets=clean.offsets,
        warnings=clean.warnings,
    )
    return transcript, clean
