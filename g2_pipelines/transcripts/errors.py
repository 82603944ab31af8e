"""Named failures of reading transcripts.

Here: only the errors; who raises them stands in the readers. Everyone may import this
module. Each names the file and a remedy.
"""

from __future__ import annotations

from typing import ClassVar

from g2_pipelines.errors import InputError, LimitError


class EmptyTranscriptError(InputError):
    """The file holds no readable character."""

    code: ClassVar[str] = "empty_transcript"


class UnreadableTranscriptError(InputError):
    """The file's bytes are no text in a known encoding, or its structure is broken."""

    code: ClassVar[str] = "unreadable_transcript"


class UnsupportedTranscriptError(InputError):
    """The file is of a kind that no reader here takes."""

    code: ClassVar[str] = "unsupported_transcript"


class TranscriptTooLargeError(LimitError):
    """The file, or what it unpacks to, is larger than the reader's limit."""

    code: ClassVar[str] = "transcript_too_large"
