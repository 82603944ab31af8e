"""Parts of parts: nothing is lost, and each offset leads to the character it shows."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from g2_pipelines.briefs.parts import cut, kept
from g2_pipelines.tables.line1 import SourceSplit
from g2_pipelines.text.spans import slice_span
from g2_pipelines_tests.briefs.material import CALL, TOKENS, call, splits_of


def call_split() -> SourceSplit:
    """Questions and answers with a filler left out and marks put in."""
    [split] = [one for one in splits_of([], with_call=True) if one.source_type == "transcript_qa"]
    assert "えー、" in split.text
    assert "えー、" not in split.model_text
    assert "【質問】" in split.model_text
    return split


def holds(split: SourceSplit) -> None:
    """The invariants of a part: spans are its text, offsets lead to equal characters."""
    transcript, _, _ = call()
    texts = {transcript.source_id: CALL}
    assert "".join(slice_span(span, texts) for span in split.spans) == split.text
    for run in split.model_offsets:
        shown = split.model_text[run.start : run.start + run.length]
        assert shown == split.text[run.source_start : run.source_start + run.length]
    assert split.tokens == len(split.model_text)


@given(st.integers(1, 150))
@settings(max_examples=60, derandomize=True, deadline=None)
def test_smaller_parts_partition_what_was_cut(limit: int) -> None:
    whole = call_split()
    parts = cut([whole], limit, TOKENS)
    assert "".join(part.text for part in parts) == whole.text
    assert "".join(part.model_text for part in parts) == whole.model_text
    assert [(part.k, part.n) for part in parts] == [
        (k, len(parts)) for k in range(1, len(parts) + 1)
    ]
    for part in parts:
        assert part.tokens <= limit
        holds(part)


@given(st.lists(st.integers(0, 200), min_size=2, max_size=8))
@settings(max_examples=80, derandomize=True, deadline=None)
def test_ranges_that_are_kept_lead_to_their_own_characters(places: list[int]) -> None:
    whole = call_split()
    ends = sorted({min(place, len(whole.model_text)) for place in places})
    ranges = list(pairwise(ends))[::2]
    part = kept(whole, ranges, TOKENS)
    assert part.model_text == "".join(whole.model_text[a:b] for a, b in ranges)
    holds(part)
