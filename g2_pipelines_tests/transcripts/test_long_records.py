"""Real records against their data set: turns and speakers, all of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from g2_pipelines.tables.line1 import Turn
from g2_pipelines.transcripts.chunks import Policy
from g2_pipelines_tests.transcripts.helpers import chunked, segmented, uncovered

RECORDS = ["bank_20100216", "market_20091218", "rugby_20160129"]


def _gold(folder: Path, record: str) -> list[tuple[str, str]]:
    data = json.loads((folder / f"long_{record}.json").read_text())
    return [
        (entry["Speaker"], entry["Utterance"].strip())
        for entry in data["Proceeding"]
        if entry["Speaker"] != "null"
    ]


def _said(turn: Turn) -> tuple[str | None, str]:
    return turn.speaker, turn.text


@pytest.mark.parametrize("record", RECORDS)
def test_every_turn_and_speaker_of_a_long_record_is_as_in_its_data_set(
    shared_data: Path, record: str
) -> None:
    folder = shared_data / "transcripts"
    transcript, turns, segmentation = segmented(
        (folder / f"long_{record}.txt").read_bytes(), f"long_{record}.txt"
    )
    assert [_said(turn) for turn in turns] == _gold(folder, record)
    assert segmentation.style == "circle_○"
    assert uncovered(transcript, turns, segmentation) == []


@pytest.mark.parametrize("record", RECORDS)
def test_agenda_and_greetings_do_not_open_the_questions(shared_data: Path, record: str) -> None:
    """「報告事項に対する質疑を行います」 in the agenda comes before the presentation."""
    content = (shared_data / "transcripts" / f"long_{record}.txt").read_bytes()
    chunks = chunked(content, max_tokens=100_000)
    assert [c.part for c in chunks[:2]] == ["presentation", "qa"]
    assert "presentation" not in {c.part for c in chunks[1:]}
    assert all(len(c.text) < 5000 for c in chunks[1:])


def test_a_press_conference_as_a_timeline_has_its_38_question_blocks(shared_data: Path) -> None:
    """Counted in the file: 38 (質問) marks, and two topics of 15 characters or more below them
    that are answered for themselves; the untagged line of 1:02:07 is a topic asked for."""
    content = (shared_data / "transcripts" / "f17_tse_timeline.txt").read_bytes()
    blocks = [c.pattern for c in chunked(content, policy="exchange") if c.part == "qa"]
    assert len(blocks) == 38
    assert [blocks.count(p) for p in ("QA", "QAA", "QQAA", "QAQA")] == [15, 8, 5, 5]
    chunks = [c for c in chunked(content) if c.part == "qa"]
    split = [c.text.split("\n")[0] for c in chunks if c.is_followup]
    assert len(chunks) == 40
    assert split == ["TOB実施している場合について", "約定しなかった注文の再注文について"]


@pytest.mark.parametrize("record", RECORDS)
@pytest.mark.parametrize("policy", ["paper", "exchange", "turn"])
def test_every_policy_holds_every_turn_of_a_record_once_and_in_order(
    shared_data: Path, record: str, policy: Policy
) -> None:
    content = (shared_data / "transcripts" / f"long_{record}.txt").read_bytes()
    transcript, turns, _ = segmented(content, f"long_{record}.txt")
    chunks = chunked(content, f"long_{record}.txt", policy=policy, max_tokens=2000)
    held = "".join(transcript.text[s.start : s.end] for c in chunks for s in c.spans)
    said = "".join(turn.text for turn in turns)
    assert "".join(held.split()) == "".join(said.split())
    assert len({c.chunk_id for c in chunks}) == len(chunks)
    assert all(c.tokens <= 2000 for c in chunks)
    again = chunked(content, f"long_{record}.txt", policy=policy, max_tokens=2000)
    assert [c.chunk_id for c in again] == [c.chunk_id for c in chunks]
