"""Every label style and trap: turns, roles, speakers and chunks against the hand-made gold."""

from __future__ import annotations

import pytest

from g2_pipelines_tests.transcripts.helpers import chunked, segmented, uncovered
from g2_pipelines_tests.transcripts.twins import TWINS, Chunk, Twin

twins = pytest.mark.parametrize("twin", TWINS, ids=lambda twin: twin.name)


@twins
def test_turns_have_the_roles_and_speakers_of_the_gold(twin: Twin) -> None:
    _, turns, segmentation = segmented(twin.text, twin.file)
    assert [(turn.role, turn.speaker) for turn in turns] == twin.turns
    assert segmentation.segmentation == twin.segmentation


@twins
def test_chunks_have_the_patterns_of_the_gold(twin: Twin) -> None:
    chunks = chunked(twin.text, twin.file)
    found = [Chunk(c.part, c.pattern, c.n_questions, c.questioner, c.is_followup) for c in chunks]
    assert found == twin.chunks


@twins
def test_every_character_is_in_one_turn_or_one_dropped_span(twin: Twin) -> None:
    transcript, turns, segmentation = segmented(twin.text, twin.file)
    assert uncovered(transcript, turns, segmentation) == []
    assert all(transcript.text[t.start : t.end] == t.text for t in turns)


@twins
@pytest.mark.parametrize("policy", ["paper", "exchange", "turn"])
def test_chunks_hold_every_turn_once_in_order(twin: Twin, policy: str) -> None:
    _, turns, _ = segmented(twin.text, twin.file)
    chunks = chunked(twin.text, twin.file, policy=policy)
    spans = [(span.start, span.end) for c in chunks for span in c.spans]
    assert sorted(spans) == [(turn.start, turn.end) for turn in turns]
    assert len({c.chunk_id for c in chunks}) == len(chunks)


@twins
def test_a_second_run_gives_the_same_rows(twin: Twin) -> None:
    assert chunked(twin.text, twin.file) == chunked(twin.text, twin.file)


@twins
def test_offsets_lead_back_to_the_same_characters(twin: Twin) -> None:
    transcript, _, _ = segmented(twin.text, twin.file)
    covered = 0
    for run in transcript.offsets:
        for i in range(run.length):
            original = twin.text[run.source_start + i]
            clean = transcript.text[run.start + i]
            assert original == clean or original in "&\\" or (clean in " \n" and original.isspace())
        covered += run.length
    assert covered >= len(transcript.text.replace("\n", ""))
