"""Every rule of the scorers, with values worked out by hand."""

from __future__ import annotations

import pytest

from g2_pipelines.evaluation.reader.bootstrap import difference, interval
from g2_pipelines.evaluation.reader.japanese import rule_verdict
from g2_pipelines.evaluation.reader.places import places_of
from g2_pipelines.evaluation.reader.typed import anls, split_list, totals, typed_score
from g2_pipelines.evaluation.reader.words import bigram_f1, word_f1


@pytest.mark.parametrize(
    ("answer", "right", "f1"),
    [
        ("the Birch tower", ["Birch Tower."], 1.0),
        # 2 shared of 4 and 3 words: 2*2/7
        ("Birch is 34 metres", ["34 metres high"], 4 / 7),
        # Counted as often as both have it: "la la la" and "la la" share two.
        ("la la la", ["la la"], 4 / 5),
        ("nothing here", ["else"], 0.0),
        ("", ["x"], 0.0),
        ("", ["the"], 1.0),
        # The best of the right ones.
        ("Yes", ["No", "yes!"], 1.0),
    ],
)
def test_word_f1(answer: str, right: list[str], f1: float) -> None:
    assert word_f1(answer, right) == pytest.approx(f1)


def test_bigrams_of_japanese() -> None:
    # 売上・上高・高は and 売上・上高: 2*2/5
    assert bigram_f1("売上高は", ["売上 高"]) == pytest.approx(4 / 5)


@pytest.mark.parametrize(
    ("answer", "right", "score"),
    [
        ("26", "26", 1),
        ("26 cabins", "26", 1),
        ("1,200", "1200", 1),
        ("three", "3", 1),
        ("26.0", "26", 1),
        ("27", "26", 0),
        ("126", "26", 0),
        ("-26", "26", 0),
        ("推定は10ミリ秒ごとに行い、0.1刻みで加える。", "10", 1),
        ("AV-650 weighs 5,900 kg", "5900", 1),
        ("△3百万円", "-3", 1),
        ("many", "26", 0),
        ("", "26", 0),
    ],
)
def test_integers_are_equal_or_wrong(answer: str, right: str, score: int) -> None:
    assert typed_score("int", answer, right=[right]) == score


@pytest.mark.parametrize(
    ("answer", "right", "score"),
    [
        ("34.3", "34.0", 1),  # 0.3 of 34.3 is 0.9 %
        ("34.4", "34.0", 0),  # 0.4 of 34.4 is 1.2 %
        ("18.29%", "0.1829", 1),  # one side as a percentage
        ("0.1829", "18.29%", 1),
        ("18.29", "0.1829", 0),  # stricter than the benchmark's code: neither is a percentage
        ("18.29", "18.29%", 1),
        ("-2.5", "2.5", 0),
        ("about 3.5 m", "3.5", 1),
        ("0", "0", 1),
        ("0.001", "0", 0),
    ],
)
def test_floats_within_one_percent(answer: str, right: str, score: int) -> None:
    assert typed_score("float", answer, right=[right]) == score


@pytest.mark.parametrize(
    ("answer", "right", "score"),
    [
        ("Birch", "birch.", 1.0),
        ("Birsh", "Birch", 0.8),  # one of five letters
        ("abcd", "abxy", 0.0),  # exactly a half is not above it
        ("abcd", "abcx", 0.75),
        ("The answer is Birch", "Birch", 0.0),  # 14 more letters of 19
        # Every character matters: one wrong digit is another thing.
        ("https://w.wiki/6gc", "https://w.wiki/6gb", 0.0),
        ("10:09AM", "10:08AM", 0.0),
        ("10:08 am", "10:08AM", 1.0),
        ("2015-06", "2015-07", 0.0),
        ("ask@x.org", "asc@x.org", 0.0),
        ("page 12", "page 13", 0.0),
        ("+49 30 1234567", "+49 30 1234568", 0.0),
    ],
)
def test_strings_by_anls_above_a_half(answer: str, right: str, score: float) -> None:
    assert typed_score("str", answer, right=[right]) == pytest.approx(score)


@pytest.mark.parametrize(
    ("answer", "items", "score"),
    [
        ("Birch\nAlder", ["Alder", "Birch"], 1.0),
        ("Birch, Alder", ["Alder", "Birch"], 1.0),
        ("Alder and Birch", ["Alder", "Birch"], 1.0),
        ("['Birch', 'Alder']", ["Alder", "Birch"], 1.0),
        ("- Alder\n- Birch", ["Alder", "Birch"], 1.0),
        ("Alder", ["Alder", "Birch"], 0.0),  # shorter
        ("Alder, Birch, Cedar", ["Alder", "Birch"], 0.0),  # longer
        ("Alder, Birsh", ["Alder", "Birch"], 0.8),  # the worst pair
        ("10%, White", ["White", "10%"], 1.0),
        ("11%, White", ["White", "10%"], 0.0),  # a number is equal or wrong
        ("1,200; 34", ["34", "1200"], 1.0),
    ],
)
def test_lists_sorted_and_by_their_worst_pair(answer: str, items: list[str], score: float) -> None:
    assert typed_score("list", answer, right=[], items=items) == pytest.approx(score)


def test_split_keeps_thousands() -> None:
    assert split_list("1,200, 3,400") == ["1,200", "3,400"]


def test_no_answer_is_right_only_when_refused() -> None:
    assert typed_score("none", "26", right=[]) == 0
    assert typed_score("none", "not found", right=[], refused=True) == 1
    assert typed_score("int", "26", right=["26"], refused=True) == 0


def test_kinds_without_a_rule_are_refused() -> None:
    with pytest.raises(ValueError, match="no rule"):
        typed_score("text", "x", right=["x"])


def test_anls_of_long_texts_is_bounded() -> None:
    assert anls("a" * 100_000, "a" * 100_000) == 1.0


def test_totals_by_hand() -> None:
    # Answerable: right, 0.6, refused. Unanswerable: refused, answered.
    rows = [(True, False, 1.0), (True, False, 0.6), (True, True, 0.0), (False, True, 1.0),
            (False, False, 0.0)]  # fmt: skip
    found = totals(rows)
    assert found.accuracy == pytest.approx(2.6 / 5)
    assert found.recall == pytest.approx(1.6 / 3)
    assert found.precision == pytest.approx(1.6 / 3)  # three were answered
    assert found.f1 == pytest.approx(1.6 / 3)
    assert (found.refusal_precision, found.refusal_recall) == (0.5, 0.5)
    assert totals([]).f1 == 0


@pytest.mark.parametrize(
    ("answer", "right", "verdict"),
    [
        ("売上高は48億円でした。", "48億円です。", True),
        ("4,800百万円", "48億円", True),
        ("47億円", "48億円", False),
        ("担当は青嶺精機です", "青嶺精機", True),
        ("みなと食品", "青嶺精機", False),
        ("振動が増えたため", "駆動周波数が筐体の固有振動数に近く、共鳴して騒音が増えたためである。", None),
    ],
)  # fmt: skip
def test_japanese_rules_say_only_what_they_can_see(
    answer: str, right: str, verdict: bool | None
) -> None:
    assert rule_verdict(answer, [right]) is verdict


def test_places_by_hand() -> None:
    found = places_of(
        {("d", 2), ("d", 5)},
        seen={("d", 2), ("d", 3), ("x", 5)},
        cited=[("d", 2), ("d", 2), ("d", 3), ("x", 5)],
    )
    assert (found.page_recall, found.all_evidence, found.document_seen) == (0.5, False, True)
    assert (found.cited, found.cited_right, found.cited_document) == (4, 2, 3)


def test_places_of_a_document_without_pages() -> None:
    found = places_of({("d", 0)}, seen={("x", 1)}, cited=[("d", 7)])
    assert (found.page_recall, found.all_evidence, found.document_seen) == (None, None, False)
    assert (found.cited_right, found.cited_document) == (None, 1)


def test_intervals_are_paired_and_do_not_depend_on_the_order() -> None:
    ours = {f"c{n:02}": float(n % 2) for n in range(40)}
    same = interval(list(ours.values()))
    assert same is not None
    assert (same.n, same.mean) == (40, 0.5)
    assert 0.3 < same.low < 0.4 < 0.6 < same.high < 0.7  # 0.5 ± 1.96 * 0.079
    # Every question one tenth better: the paired interval is a point, whatever their spread.
    theirs = {key: value - 0.1 for key, value in reversed(ours.items())} | {"other": 9.0}
    gap = difference(ours, theirs)
    assert gap is not None
    assert (gap.n, gap.mean, gap.low, gap.high) == (40, 0.1, 0.1, 0.1)
    assert difference({"a": 1.0}, {"b": 1.0}) is None
