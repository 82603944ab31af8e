"""Sources → splits: nothing is lost, nothing is doubled, every part fits."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2_pipelines.briefs.config import load_config
from g2_pipelines.briefs.sources import MixedYearsError, make_splits
from g2_pipelines.tables.line1 import SectionHeading
from g2_pipelines.tables.rows import Span
from g2_pipelines.text.spans import slice_span
from g2_pipelines_tests.briefs.material import (
    CALL,
    MDNA,
    POLICY,
    TOKENS,
    both_sections,
    call,
    plain_view,
    section,
    small_config,
    splits_of,
    texts_of,
    without_fillers,
)

_PIECES = st.sampled_from(
    [
        "市場は拡大。",
        "△1,041百万円",
        "\n",
        "①課題\n",
        "　",
        "「引用。」と述べた。",
        "a",
        "\t12\t",
        "。",
    ]
)


@settings(derandomize=True, max_examples=40, deadline=None)
@given(st.lists(_PIECES, min_size=1, max_size=400), st.integers(1000, 2400))
def test_the_parts_of_a_source_partition_it(pieces: list[str], limit: int) -> None:
    """A character lost at a border would be missing from every summary, silently."""
    text = "".join(pieces)
    config = small_config(input_limit=limit, instruction_tokens=100, final_tokens=50)
    sources = tuple(
        source.model_copy(update={"pre_summary_tokens": 50}) for source in config.source_types
    )
    config = config.model_copy(update={"source_types": sources})
    rows = [section("policy", text)]
    splits = splits_of(rows, config=config)
    assert "".join(split.text for split in splits) == text
    spans = [span for split in splits for span in split.spans]
    assert spans[0].start == 0
    assert spans[-1].end == len(text)
    assert all(left.end == right.start for left, right in pairwise(spans))
    assert all(split.tokens <= config.text_limit(sources[0]) for split in splits)
    assert [split.k for split in splits] == list(range(1, len(splits) + 1))


def test_a_splits_text_is_exactly_its_spans_characters() -> None:
    transcript, _, _ = call()
    rows = both_sections()
    texts = texts_of(rows, transcript)
    for split in splits_of(rows, with_call=True):
        assert split.text == "".join(slice_span(span, texts) for span in split.spans)


def test_every_run_of_the_model_text_leads_back_to_the_same_characters() -> None:
    for split in splits_of(both_sections(), with_call=True):
        for run in split.model_offsets:
            shown = split.model_text[run.start : run.start + run.length]
            assert shown == split.text[run.source_start : run.source_start + run.length]


def test_the_model_sees_who_speaks_and_no_fillers_but_the_source_stays_whole() -> None:
    by_type = {split.source_type: split for split in splits_of([], with_call=True)}
    qa = by_type["transcript_qa"]
    assert "えー、" in qa.text
    assert "えー、" not in qa.model_text
    assert qa.model_text.startswith("【質問】人手不足")
    assert "\n【回答】ご質問の点" in qa.model_text
    assert "【説明】本日は" in by_type["transcript_presentation"].model_text


def test_a_part_that_begins_inside_an_answer_shows_its_question_first() -> None:
    """An answer without its question is not understood; the source text has it once."""
    answer = "".join(f"第{n}の対策として、採用と教育に力を入れております。" for n in range(80))
    transcript, turns, chunks = call(f"記者：人手不足にどう備えますか。\n社長：{answer}\n")
    asked = Span(source_id=transcript.source_id, start=turns[0].start, end=turns[0].end)
    splits = make_splits(
        sections=[],
        transcripts=[transcript],
        turns=turns,
        chunks=[chunk.model_copy(update={"question": [asked]}) for chunk in chunks],
        config=small_config(input_limit=1400, instruction_tokens=100, final_tokens=50),
        tokenizer=TOKENS,
        model_view=plain_view,
    )
    first, *rest = splits
    assert rest
    assert first.model_text.count("人手不足にどう備えますか。") == 1
    for split in rest:
        assert split.model_text.startswith("【質問】人手不足にどう備えますか。\n【回答】")
        assert "人手不足" not in split.text
    shown = [
        split.model_text[run.start : run.start + run.length]
        for split in splits
        for run in split.model_offsets
    ]
    assert "".join(shown) == turns[0].text + answer


def test_the_order_of_the_rows_given_changes_nothing() -> None:
    rows = [section("policy", POLICY), section("mdna", MDNA), section("mdna", "続き。", order=1)]
    transcript, turns, chunks = call()
    expected = splits_of(rows, with_call=True)
    shuffled = random.Random(3)
    for _ in range(5):
        for group in (rows, turns, chunks):
            shuffled.shuffle(group)
        again = make_splits(
            sections=rows,
            transcripts=[transcript],
            turns=turns,
            chunks=chunks,
            config=load_config(None),
            tokenizer=TOKENS,
            model_view=without_fillers,
        )
        assert again == expected


def test_superseded_and_missing_sections_are_no_source() -> None:
    rows = [
        section("policy", "旧い方針である。", superseded_by="S9000C02"),
        section("policy", "新しい方針である。", document_id="S9000C02"),
        section("mdna", "", status="missing"),
    ]
    splits = splits_of(rows)
    assert [split.text for split in splits] == ["新しい方針である。"]


def test_a_quarters_transcript_is_left_out_unless_configured() -> None:
    transcript, turns, chunks = call(CALL, kind="quarter")

    def made(*kinds: str) -> list[str]:
        config = load_config(None).model_copy(update={"transcript_kinds": kinds})
        return [
            split.source_type
            for split in make_splits(
                sections=[],
                transcripts=[transcript],
                turns=turns,
                chunks=chunks,
                config=config,
                tokenizer=TOKENS,
                model_view=plain_view,
            )
        ]

    assert made("full_year") == []
    assert made("full_year", "quarter") == ["transcript_presentation", "transcript_qa"]


def test_rows_of_two_years_are_refused_and_named() -> None:
    with pytest.raises(MixedYearsError) as caught:
        splits_of([section("policy", POLICY), section("mdna", MDNA, fiscal_year="2024-03")])
    assert "2024-03" in caught.value.place
    assert "2025-03" in caught.value.place


def test_no_source_at_all_is_no_part_and_no_error() -> None:
    assert splits_of([]) == []


def test_a_call_is_cut_between_questions_and_a_filing_at_its_headings() -> None:
    """A question in one part and its answer in the next are summarized as two half truths."""
    lines = [
        f"記者：第{n}の質問ですが、採用はどうですか。\n社長：第{n}の答えですが、計画どおりです。{'続きます。' * 20}\n"
        for n in range(30)
    ]
    text = "".join(lines)
    transcript, turns, _ = call(text)
    base = call(text)[2][0]
    chunks = [
        base.model_copy(
            update={
                "chunk_id": f"c{n}",
                "order": n,
                "part": "qa",
                "spans": [
                    Span(source_id=transcript.source_id, start=turn.start, end=turn.end)
                    for turn in turns[2 * n : 2 * n + 2]
                ],
            }
        )
        for n in range(30)
    ]
    config = small_config(input_limit=3000, instruction_tokens=100, final_tokens=50)
    splits = make_splits(
        sections=[],
        transcripts=[transcript],
        turns=turns,
        chunks=chunks,
        config=config,
        tokenizer=TOKENS,
        model_view=plain_view,
    )
    assert len(splits) > 1
    assert all(split.text.startswith("第") and "の質問" in split.text[:8] for split in splits)

    heads = "".join(f"({n}) 見出し\n" + "市場は広い。" * 60 + "\n" for n in range(1, 9))
    row = section("policy", heads)
    found = [heads.index(f"({n}) 見出し") for n in range(1, 9)]
    row = row.model_copy(
        update={
            "headings": [
                SectionHeading(level=1, text=heads[at : at + 7], start=at, end=at + 7)
                for at in found
            ]
        }
    )
    parts = splits_of([row], config=config)
    assert len(parts) > 1
    assert all(part.text.startswith("(") for part in parts)
