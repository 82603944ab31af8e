"""Preferences and agreement: every value below is worked out by hand from the formulas."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from g2_pipelines.evaluation.preferences import (
    agreements,
    judge_totals,
    kappa,
    preferences,
    reader_totals,
)
from g2_pipelines.tables.report import JudgeVerdict, Preference, ReaderVote

PREFERENCE = st.sampled_from(("left", "right", "tie"))


def vote(reader: str, item: int, said: Preference, criterion: str = "coverage") -> ReaderVote:
    return ReaderVote(
        sheet_id="s",
        reader=reader,
        item=item,
        edinet_code="E99001",
        fiscal_year="2025-03",
        aspect="issues",
        left_digest="l",
        right_digest="r",
        criterion=criterion,
        vote=said,
    )


def verdict(first: Preference, second: Preference, criterion: str = "coverage") -> JudgeVerdict:
    return JudgeVerdict(
        engine="openai",
        model="m",
        prompt_version="p",
        edinet_code="E99001",
        fiscal_year="2025-03",
        aspect="issues",
        criterion=criterion,
        first=first,
        second=second,
        verdict=first if first == second else "tie",
        flipped=first != second,
        reason_first="",
        reason_second="",
        left_digest="l",
        right_digest="r",
        seed=0,
    )


def test_wins_and_losses_are_tested_by_their_signs():
    # 7 wins, 1 loss, 2 ties: p = 2 (C(8,0) + C(8,1)) / 2^8 = 18/256.
    found = preferences("coverage", ["left"] * 7 + ["right"] + ["tie"] * 2)
    assert (found.n, found.left.count, found.tie.count, found.right.count) == (10, 7, 2, 1)
    assert found.p_value == pytest.approx(18 / 256, abs=1e-6)
    assert found.left.rate == 0.7
    # Wilson for 7/10 by hand: centre (0.7 + 0.19207)/1.38415, half 1.95996·√(0.021+0.0096036)/1.38415
    assert (found.left.low, found.left.high) == pytest.approx((0.3968, 0.8922), abs=2e-4)


def test_flips_and_the_pull_of_the_first_place():
    rows = [
        verdict("left", "left"),
        verdict("left", "right"),  # the first place both times
        verdict("tie", "right"),  # a flip towards the first place once
        verdict("right", "left"),  # the second place both times
    ]
    [found] = judge_totals(rows)
    assert found.flips is not None
    assert found.first_place is not None
    assert (found.left.count, found.tie.count, found.right.count) == (1, 3, 0)
    assert found.flips.count == 3
    # sided verdicts: 2 + 2 + 1 + 2 = 7; for the first place: 1 + 2 + 1 + 0 = 4
    assert (found.first_place.count, found.first_place.rate) == (4, pytest.approx(4 / 7, abs=1e-6))


def test_kappa_is_cohens():
    # 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: observed 0.7, chance 0.5·0.6 + 0.5·0.4 = 0.5.
    pairs: list[tuple[Preference, Preference]] = (
        [("left", "left")] * 20
        + [("left", "right")] * 5
        + [("right", "left")] * 10
        + [("right", "right")] * 15
    )
    found = kappa("coverage", ("a", "b"), pairs)
    assert (found.n, found.observed) == (50, 0.7)
    assert found.kappa == pytest.approx(0.4, abs=1e-6)
    # standard error √(0.7·0.3 / (50·0.5²)) = 0.129615
    assert found.low == pytest.approx(0.4 - 1.959964 * 0.129615, abs=1e-5)


def test_kappa_is_undefined_where_both_always_say_the_same():
    found = kappa("coverage", ("a", "b"), [("tie", "tie")] * 5)
    assert (found.observed, found.kappa) == (1.0, None)


def test_readers_agree_pair_by_pair_on_the_items_that_both_answered():
    votes = [vote("b", 1, "left"), vote("a", 1, "left"), vote("a", 2, "right"), vote("c", 9, "tie")]
    [found] = agreements(votes)
    assert (found.readers, found.n) == (("a", "b"), 1)


def test_an_item_counts_once_however_many_read_it():
    votes = [vote("a", 1, "left"), vote("b", 1, "left"), vote("c", 1, "right")]
    votes += [vote("a", 2, "left"), vote("b", 2, "right")]
    [found] = reader_totals(votes)
    assert (found.n, found.left.count, found.tie.count) == (2, 1, 1)


@given(st.lists(st.tuples(PREFERENCE, PREFERENCE), min_size=1, max_size=40))
def test_kappa_is_symmetric_and_bounded(pairs: list[tuple[Preference, Preference]]):
    one = kappa("c", ("a", "b"), pairs)
    other = kappa("c", ("b", "a"), [(b, a) for a, b in pairs])
    assert (one.observed, one.kappa) == (other.observed, other.kappa)
    if one.kappa is not None:
        assert -1 <= one.kappa <= 1
        assert (one.kappa == 1) == (one.observed == 1)


@given(st.lists(st.tuples(PREFERENCE, PREFERENCE), min_size=1, max_size=40))
def test_turning_the_sides_turns_the_result(pairs: list[tuple[Preference, Preference]]):
    turn = {"left": "right", "right": "left", "tie": "tie"}
    [one] = judge_totals([verdict(a, b) for a, b in pairs])
    # The sides exchanged: what was the second order is now the first.
    [other] = judge_totals([verdict(turn[b], turn[a]) for a, b in pairs])  # type: ignore[arg-type]
    assert (one.left, one.right, one.tie, one.p_value) == (
        other.right,
        other.left,
        other.tie,
        other.p_value,
    )
    assert (one.flips, one.first_place) == (other.flips, other.first_place)
