"""Short ways from text to turns and chunks, used by the tests of this folder."""

from __future__ import annotations

from g2_pipelines.tables.line1 import QaChunk, Transcript, TranscriptSegmentation, Turn
from g2_pipelines.transcripts.chunks import Policy, chunk
from g2_pipelines.transcripts.make import make_transcript
from g2_pipelines.transcripts.segment import segment


class CharacterTokenizer:
    """A token a character: sizes can be reckoned by hand."""

    name = "characters"

    def count(self, text: str) -> int:
        return len(text)


def transcript_of(content: str | bytes, name: str = "a.txt") -> Transcript:
    return segmented(content, name)[0]


def segmented(
    content: str | bytes, name: str = "a.txt"
) -> tuple[Transcript, list[Turn], TranscriptSegmentation]:
    raw = content.encode() if isinstance(content, str) else content
    transcript, clean = make_transcript(
        raw,
        name,
        edinet_code="E99009",
        fiscal_year="2025-03",
        kind="full_year",
        document_kind="verbatim",
    )
    return transcript, *segment(transcript, clean.timings)


def chunked(
    content: str | bytes,
    name: str = "a.txt",
    *,
    policy: Policy = "paper",
    max_tokens: int = 4000,
) -> list[QaChunk]:
    transcript, turns, segmentation = segmented(content, name)
    return chunk(
        transcript,
        turns,
        segmentation,
        policy=policy,
        max_tokens=max_tokens,
        tokenizer=CharacterTokenizer(),
    )


def uncovered(
    transcript: Transcript, turns: list[Turn], segmentation: TranscriptSegmentation
) -> list[int]:
    """Places of non-space characters that are not in exactly one turn or dropped span."""
    counts = [0] * (len(transcript.text) + 1)
    spans = [(t.start, t.end) for t in turns] + [(d.start, d.end) for d in segmentation.dropped]
    for start, end in spans:
        counts[start] += 1
        counts[end] -= 1
    wrong, depth = [], 0
    for place, character in enumerate(transcript.text):
        depth += counts[place]
        if depth != 1 and not character.isspace():
            wrong.append(place)
    return wrong
