"""Folding: a wrong offset sends a citation to the wrong place."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2_pipelines.text.fold import fold, fold_text

TEXT = st.text(
    alphabet=st.one_of(
        st.sampled_from("㈱ﾃｽﾄｶﾞﾊﾟがか\u3099１２％（ＡＢ〜～△▲⻑⾦ﬁ①½\u3000 ー-−がÉe\u0301"),
        st.characters(),
    ),
    max_size=40,
)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("㈱ﾃｽﾄ　１，２３４百万円（△１２．５％）", "(株)テスト 1,234百万円(△12.5%)"),
        ("▲５", "▲5"),
        ("⻑期・⾦融", "長期・金融"),
        ("ＡＢＣ", "abc"),
        ("Straße", "strasse"),
        ("５〜６～７∼８", "5~6~7~8"),
        ("1‐2–3—4−5", "1-2-3-4-5"),
        ("サーバー", "サーバー"),
        ("か\u3099", "が"),
        ("ｶﾞ", "ガ"),
        ("“a’s”", '"a\'s"'),
    ],
)
def test_folding_unifies_what_readers_take_as_the_same(text: str, folded: str) -> None:
    assert fold_text(text) == folded


def test_the_long_vowel_mark_is_no_dash() -> None:
    assert fold_text("データ") != fold_text("デ-タ")


def test_original_leads_back_to_the_very_characters() -> None:
    text = "前置き㈱ﾃﾞｰﾀ　１２％"
    folded = fold(text)
    place = folded.text.index("データ")
    start, end = folded.original(place, place + 3)
    assert text[start:end] == "ﾃﾞｰﾀ"
    place = folded.text.index("株")
    start, end = folded.original(place, place + 1)
    assert text[start:end] == "㈱"
    assert folded.original(len(folded.text), len(folded.text)) == (len(text), len(text))


def test_a_range_outside_the_text_is_refused() -> None:
    with pytest.raises(IndexError):
        fold("abc").original(1, 9)


@given(TEXT)
@settings(max_examples=200, derandomize=True, deadline=None)
def test_the_fast_path_is_the_same_fold(text: str) -> None:
    assert fold(text).text == fold_text(text)


@given(TEXT, st.data())
@settings(max_examples=200, derandomize=True, deadline=None)
def test_the_original_of_a_range_folds_to_that_range(text: str, data: st.DataObject) -> None:
    folded = fold(text)
    start = data.draw(st.integers(0, len(folded.text)))
    end = data.draw(st.integers(start, len(folded.text)))
    a, b = folded.original(start, end)
    assert 0 <= a <= b <= len(text)
    if start < end:
        assert folded.text[start:end] in fold_text(text[a:b])
