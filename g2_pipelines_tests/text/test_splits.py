"""Splits: a lost character or a part over the limit is a silently truncated source."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2_pipelines.errors import InputError, StateError
from g2_pipelines.tables.rows import Offset, Span
from g2_pipelines.text.spans import map_back, merge_spans, shift, slice_span, sub_spans
from g2_pipelines.text.splits import split_ranges
from g2_pipelines.text.tokens import TOKENIZERS, tokenizer


class Characters:
    """A token a character."""

    name = "characters"

    def count(self, text: str) -> int:
        return len(text)


class Greedy:
    """Not additive: a text has one token more than its characters halved."""

    name = "greedy"

    def count(self, text: str) -> int:
        return (len(text) + 1) // 2 + (1 if len(text) > 6 else 0)


@given(
    st.text(alphabet="あい。\n 1,a「」", max_size=120),
    st.integers(1, 40),
    st.lists(st.integers(-3, 130), max_size=6),
    st.lists(st.integers(-3, 130), max_size=6),
    st.sampled_from([Characters(), Greedy()]),
)
@settings(max_examples=300, derandomize=True, deadline=None)
def test_parts_partition_the_text_within_the_limit(
    text: str,
    limit: int,
    borders: list[int],
    paragraphs: list[int],
    counter: Characters | Greedy,
) -> None:
    parts = split_ranges(text, limit, counter, borders, paragraphs)
    assert "".join(text[a:b] for a, b in parts) == text
    assert all(a < b for a, b in parts)
    assert all(counter.count(text[a:b]) <= limit or b - a == 1 for a, b in parts)


def test_a_text_within_the_limit_is_one_part() -> None:
    assert split_ranges("短い文。", 10, Characters()) == [(0, 4)]
    assert split_ranges("", 10, Characters()) == []


def test_parts_are_even_and_cut_at_a_given_border() -> None:
    text = "あいうえおかきくけ。" * 10
    parts = split_ranges(text, 60, Characters(), borders=[48])
    assert parts == [(0, 48), (48, 100)]


def test_without_a_border_the_cut_is_at_a_line_then_at_a_sentence() -> None:
    lines = "あいうえおかきくけ。" * 4 + "あいうえおかきく。\n" + "あいうえおかきくけ。" * 5
    assert split_ranges(lines, 60, Characters()) == [(0, 50), (50, 100)]
    text = "あいうえおかきくけ。" * 10
    assert split_ranges(text, 60, Characters()) == [(0, 50), (50, 100)]


def test_a_border_is_better_than_a_paragraph_and_that_than_a_sentence() -> None:
    text = "あいうえおかきくけ。" * 10
    assert split_ranges(text, 60, Characters(), [44], [52]) == [(0, 44), (44, 100)]
    assert split_ranges(text, 60, Characters(), [], [44]) == [(0, 44), (44, 100)]
    # A border far from the middle is worth an uneven cut, a paragraph there is not.
    assert split_ranges(text, 75, Characters(), [30]) == [(0, 30), (30, 100)]
    assert split_ranges(text, 75, Characters(), [], [30]) == [(0, 50), (50, 100)]


@given(
    st.lists(st.integers(4, 20), min_size=4, max_size=80),
    st.integers(100, 400),
)
@settings(max_examples=100, derandomize=True, deadline=None)
def test_parts_of_sentences_are_as_few_and_even_as_sentences_allow(
    lengths: list[int], limit: int
) -> None:
    """Sentences of up to a fifth of the limit: sizes stay within half of the even share."""
    text = "".join("あ" * (length - 1) + "。" for length in lengths)
    parts = split_ranges(text, limit, Characters())
    sizes = [b - a for a, b in parts]
    least = -(-len(text) // limit)
    assert len(parts) <= least + 1
    assert all(text[b - 1] == "。" for _, b in parts)
    if len(parts) > 1:
        share = len(text) / len(parts)
        assert min(sizes) >= share / 2
        assert max(sizes) <= min(limit, share * 1.5)


def test_a_figure_is_not_cut_while_there_is_another_place() -> None:
    text = "合計は442億9,600万円と" * 40
    for start, _ in split_ranges(text, 100, Characters())[1:]:
        assert not (text[start - 1] in "0123456789," and text[start] in "0123456789,")


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(InputError):
        split_ranges("a", 0, Characters())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["qwen3", "cl100k"])
def test_ten_megabytes_are_split_into_full_parts(name: str) -> None:
    sentence = "当社グループを取り巻く事業環境は、原材料価格の高騰など{}%となりました。"
    text = "".join(sentence.format(i) + ("\n" if i % 7 == 0 else "") for i in range(93_000))
    assert len(text.encode()) > 9_500_000
    parts = split_ranges(text, 30_000, tokenizer(name))
    sizes = [tokenizer(name).count(text[a:b]) for a, b in parts]
    assert max(sizes) <= 30_000
    assert min(sizes) >= 25_000


@pytest.mark.parametrize("name", TOKENIZERS)
def test_special_token_names_in_a_text_are_plain_text(name: str) -> None:
    assert tokenizer(name).count("<|im_start|>") > 1
    assert tokenizer(name).count("") == 0
    assert tokenizer(name) is tokenizer(name)


def test_a_long_text_is_counted_piecewise_to_the_same_number() -> None:
    counter = tokenizer("qwen3")
    line = "売上高は増加しました。\n"
    assert counter.count(line * 5000) == 5000 * counter.count(line)


def test_an_unknown_tokenizer_is_named_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="qwen3"):
        tokenizer("gpt-9")


def span(start: int, end: int, source: str = "s") -> Span:
    return Span(source_id=source, start=start, end=end)


def test_a_span_gives_its_characters_or_an_error_never_an_empty_quote() -> None:
    assert slice_span(span(1, 3), {"s": "abcd"}) == "bc"
    with pytest.raises(StateError, match="unknown"):
        slice_span(span(1, 3, "t"), {"s": "abcd"})
    with pytest.raises(StateError, match="leaves"):
        slice_span(span(1, 9), {"s": "abcd"})


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 9), st.sampled_from("st")), max_size=8)
)
@settings(max_examples=150, derandomize=True, deadline=None)
def test_merging_spans_is_idempotent_and_covers_the_same(raw: list[tuple[int, int, str]]) -> None:
    spans = [span(start, start + length, source) for start, length, source in raw]
    merged = merge_spans(spans)
    assert merge_spans(merged) == merged == merge_spans(reversed(spans))

    def cover(items: list[Span]) -> set[tuple[str, int]]:
        return {(s.source_id, i) for s in items for i in range(s.start, s.end)}

    assert cover(merged) == cover(spans)


def test_offsets_and_joined_spans_lead_back() -> None:
    offsets = [
        Offset(start=3, source_start=10, length=4),
        Offset(start=7, source_start=14, length=2),
    ]
    assert map_back(offsets, 0, 3) == []
    assert map_back(offsets, 4, 8) == [(11, 15)]
    assert sub_spans([span(10, 14), span(20, 25)], 2, 6) == [span(12, 14), span(20, 22)]
    assert shift(span(1, 2), 5) == span(6, 7)
