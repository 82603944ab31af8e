"""The optional model pass for text without labels.

Here: cutting the text into numbered sentences, asking a ``TurnFinder`` window by window, and
making turns of its choices. The pass is off unless settings switch it on, runs only on what
``segment`` calls unsegmented, and is named in the row: ``segmentation`` is ``model`` and the
row says which. A model chooses sentence numbers, so that it cannot change a character.
``defs`` may import this module.

Cue words alone find such borders no better than chance (F1 0.38-0.63 within three sentences,
Pk 0.36-0.51, measured); hence no other pass is offered.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from g2_pipelines.errors import G2Error
from g2_pipelines.tables.line1 import DroppedSpan, Transcript, TranscriptSegmentation, Turn
from g2_pipelines.text.sentences import sentences
from g2_pipelines.transcripts.clean import Timing
from g2_pipelines.transcripts.drafts import Draft
from g2_pipelines.transcripts.labels import Speaker
from g2_pipelines.transcripts.opening import apply_opening, find_opening
from g2_pipelines.transcripts.ports import FoundRole, TurnFinder, TurnStart, Window
from g2_pipelines.transcripts.segment import turn_row

#: Sentences a call chooses among, and how many before them it is shown.
WINDOW, BEFORE = 60, 4
#: A model's choice is never surer than a label.
CONFIDENCE = 0.6


async def find_turns(
    transcript: Transcript,
    segmentation: TranscriptSegmentation,
    finder: TurnFinder,
    timings: Sequence[Timing] = (),
) -> tuple[list[Turn], TranscriptSegmentation]:
    """Turns of an unsegmented transcript by ``finder``, and the row that says so.

    Windows are asked one after another, since each is told in whose words it begins. Every
    non-space character is in one turn or one dropped span, as ``segment`` leaves it.

    Raises:
        G2Error: the typed failure of a window; nothing is kept of the others.
    """
    text = transcript.text
    ranges = _outside(sentences(text), segmentation.dropped)
    starts: list[TurnStart] = []
    keys: list[str] = []
    for first in range(0, len(ranges), WINDOW):
        window = Window(
            transcript.transcript_id,
            tuple(text[a:b] for a, b in ranges[first : first + WINDOW]),
            tuple(text[a:b] for a, b in ranges[max(0, first - BEFORE) : first]),
            starts[-1].role if starts else None,
        )
        [found] = await finder.find([window])
        if isinstance(found, G2Error):
            raise found
        keys += found.call_keys
        starts += [TurnStart(first + s.sentence, s.role) for s in found.starts]
    drafts = _drafts(text, ranges, starts, segmentation.dropped, timings)
    apply_opening(drafts, find_opening(drafts, _headings(drafts, segmentation.dropped)))
    row = segmentation.model_copy(
        update={
            "segmentation": "model",
            "style": "model",
            "engine": finder.engine,
            "model": finder.model,
            "prompt_version": finder.prompt_version,
            "call_keys": keys,
            "warnings": [*segmentation.warnings, f"turns chosen by a model ({finder.model})"],
        }
    )
    return [turn_row(transcript, order, draft) for order, draft in enumerate(drafts)], row


def _outside(
    ranges: Sequence[tuple[int, int]], dropped: Sequence[DroppedSpan]
) -> list[tuple[int, int]]:
    """Sentences that are no heading."""
    starts = [span.start for span in dropped]
    return [
        (a, b)
        for a, b in ranges
        if not dropped or (at := bisect_right(starts, a) - 1) < 0 or dropped[at].end <= a
    ]


def _headings(drafts: Sequence[Draft], dropped: Sequence[DroppedSpan]) -> list[int]:
    places = [span.start for span in dropped if span.reason == "qa_heading"]
    return [sum(draft.start < place for draft in drafts) for place in places]


def _drafts(
    text: str,
    ranges: Sequence[tuple[int, int]],
    starts: Sequence[TurnStart],
    dropped: Sequence[DroppedSpan],
    timings: Sequence[Timing],
) -> list[Draft]:
    """One draft a start; a heading between sentences ends a turn as well."""
    role: FoundRole | None = None
    roles = {start.sentence: start.role for start in starts}
    heads = [span.start for span in dropped]
    places = [timing.start for timing in timings]
    drafts: list[Draft] = []
    for number, (a, b) in enumerate(ranges):
        headed = bool(drafts) and bisect_right(heads, drafts[-1].end) != bisect_right(heads, a)
        if number and number not in roles and not headed:
            drafts[-1].end, drafts[-1].text = b, text[drafts[-1].start : b]
            continue
        role = roles.get(number, role)
        draft = Draft(a, b, text[a:b], "model", "", Speaker(), None, None, None, "")
        if role is not None:
            draft.give(role, "model", CONFIDENCE)
        drafts.append(draft)
    for draft in drafts:
        if timings:
            first = max(0, bisect_right(places, draft.start) - 1)
            last = max(first, bisect_right(places, draft.end - 1) - 1)
            draft.t0, draft.t1 = timings[first].t0, timings[last].t1
    return drafts
