"""The choice of sentences: chains, budget, no repetition."""

from __future__ import annotations

import pytest

from g2_pipelines.briefs.selection import Chain, Sentence, chains, choose, leans


def sentence(place: int, text: str, score: float, heading: str = "") -> Sentence:
    return Sentence((place,), text, score, "group", heading, (place,), "ja")


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("これにより収益は改善します。", "ja", True),
        ("また、この課題に対応します。", "ja", True),
        ("同社は海外に強い。", "ja", True),
        ("これまで培った技術があります。", "ja", False),
        ("このような環境の中、投資を続けます。", "ja", False),
        ("その他の市場は横ばいです。", "ja", False),
        ("それぞれの市場が伸びています。", "ja", False),
        ("市場は拡大しています。", "ja", False),
        ("対象は生産中の二機種です。", "ja", True),
        ("それにより、余力が生まれました。", "ja", True),
        ("これらの結果、受注は増えました。", "ja", True),
        ("そのひとつとして、工場を移します。", "ja", True),
        ("その考えのもと、投資を続けます。", "ja", True),
        ("このような中、当社は成長を図ります。", "ja", True),
        ("本計画は三年にわたります。", "ja", True),
        ("日本の市場は広い。", "ja", False),
        ("This could harm us.", "en", True),
        ("The market grows.", "en", False),
    ],
)
def test_a_sentence_that_leans_on_the_one_before_is_known(
    text: str, language: str, expected: bool
) -> None:
    assert leans(text, language) is expected


def test_leaning_sentences_join_their_antecedent_and_orphans_are_dropped() -> None:
    texts = ["課題がある。", "これに対応する。", "市場は広い。", "それは続く。"]
    found = chains(texts, ["ja"] * 4, lambda index: index != 3)
    assert [chain.members for chain in found] == [(0, 1), (2,)]


def test_the_best_sentences_within_the_budget_come_in_source_order() -> None:
    rows = [
        sentence(0, "第一の工場の建設について述べる長い文である。", 5),
        sentence(1, "北の港の倉庫を借りて在庫を置くことにした。", 9),
        sentence(2, "海外の販売網に若い人材を新しく送り出す。", 7),
    ]
    found = [Chain((0,)), Chain((1,)), Chain((2,))]
    chosen = choose(rows, found, fits=lambda indices: len(indices) <= 2, floor=1, share=0)
    assert chosen == [1, 2]


def test_what_was_said_is_not_said_again() -> None:
    rows = [
        sentence(0, "工場の自動化を進めて人手不足に備える計画である。", 9),
        sentence(1, "工場の自動化を進めて人手不足に備える計画です。", 8),
        sentence(2, "海外の販売網に若い人材を新しく送り出す。", 5),
    ]
    found = [Chain((index,)) for index in range(3)]
    assert choose(rows, found, fits=lambda _: True, floor=1, share=0) == [0, 2]


def test_sentences_far_below_the_good_ones_are_left_out() -> None:
    rows = [
        sentence(0, "工場の自動化を進めて人手不足に備える計画である。", 10),
        sentence(1, "北の港の倉庫を借りて在庫を置くことにした。", 10),
        sentence(2, "海外の販売網に若い人材を新しく送り出す。", 10),
        sentence(3, "秋の展示会には例年どおり出展しております。", 4),
    ]
    found = [Chain((index,)) for index in range(4)]
    assert choose(rows, found, fits=lambda _: True, floor=1, share=0.5) == [0, 1, 2]


def test_nothing_to_choose_from_is_nothing_chosen() -> None:
    assert choose([], [], fits=lambda _: True, floor=0, share=0) == []


@pytest.mark.parametrize(
    ("before", "after", "spoken"),
    [
        ("国内の需要は回復しました。", "しかし、海外は弱い動きが続きました。", "ja"),
        ("国内の需要は回復しました。", "一方、海外は弱い動きが続きました。", "ja"),
        ("国内の需要は回復しました。", "ただし、海外は弱い動きが続きました。", "ja"),
        ("Demand recovered at home.", "However, exports stayed weak.", "en"),
    ],
)
def test_a_contrast_keeps_its_other_half_or_is_left_out(before: str, after: str, spoken: str):
    both = chains([before, after], [spoken] * 2, lambda _: True)
    assert [chain.members for chain in both] == [(0, 1)]
    parted = chains([before, after], [spoken] * 2, lambda _: False)
    assert [chain.members for chain in parted] == [(0,)]


def test_an_addition_and_a_word_that_only_looks_like_a_contrast_stand_alone():
    texts = ["需要は回復しました。", "また、輸出も伸びました。", "一方向の通信を用います。"]
    found = chains(texts, ["ja"] * 3, lambda _: True)
    assert [chain.members for chain in found] == [(0,), (1,), (2,)]
