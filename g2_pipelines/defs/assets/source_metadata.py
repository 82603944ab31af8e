"""What the assets of the step ``sources`` report of their rows, as Markdown for the UI.

https://docs.dagster.io/guides/build/assets/metadata-and-tags
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import dagster as dg

from g2_pipelines.defs.metadata import clip
from g2_pipelines.tables.line1 import Transcript, TranscriptSegmentation


def warnings_list(lists: Iterable[Sequence[str]]) -> dg.MarkdownMetadataValue:
    """Each warning once."""
    lines = sorted({warning for warnings in lists for warning in warnings})
    return dg.MetadataValue.md("\n".join(f"* {clip(line, 300)}" for line in lines) or "none")


def kinds_list(rows: Sequence[Transcript]) -> dg.MarkdownMetadataValue:
    """What kind of record each transcript is, and who said so."""
    lines = [
        f"* {row.file}: {row.document_kind}"
        f" ({f'guessed: {row.document_kind_reason}' if row.document_kind_reason else 'manifest'})"
        for row in rows
    ]
    return dg.MetadataValue.md("\n".join(clip(line, 300) for line in lines) or "none")


def votes_table(cuts: Sequence[TranscriptSegmentation]) -> dg.MarkdownMetadataValue:
    """How the styles of labels fared for each transcript."""
    lines = [
        "| transcript | style | lines | labels | repeats | alternation | chosen |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {c.transcript_id} | {v.style} | {v.lines} | {v.labels} | {v.repeats}"
        f" | {v.alternation:.2f} | {'yes' if v.chosen else ''} |"
        for c in cuts
        for v in c.votes
    ]
    return dg.MetadataValue.md("\n".join(lines))
