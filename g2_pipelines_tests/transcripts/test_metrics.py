"""Measures against values worked out with other programs or by hand.

pk and window_diff: nltk 3.9.4 ``nltk.metrics.segmentation``; boundary similarity: segeval
2.0.11, both run once on these boundaries (units counted from 1 to n - 1).
"""

from __future__ import annotations

import pytest

from g2_pipelines.transcripts import metrics

CASES = [
    ({4, 9, 15, 18}, {4, 10, 15, 20}, 24, 0.285714, 0.285714, 0.5),
    ({5, 10, 15}, set(), 20, 0.529412, 0.529412, 0.0),
    ({5, 10, 15}, {5, 10, 15}, 20, 0.0, 0.0, 1.0),
    ({3, 7, 8, 12, 19}, {3, 6, 8, 13, 16}, 22, 0.35, 0.4, 0.5),
    ({2, 4, 6, 8}, {1, 2, 3, 4, 5, 6, 7, 8, 9}, 10, 0.555556, 0.555556, 0.444444),
    ({6, 12}, {5, 7, 13}, 18, 0.285714, 0.428571, 0.333333),
]


@pytest.mark.parametrize(("gold", "found", "units", "p_k", "difference", "similarity"), CASES)
def test_segmentation_measures_agree_with_nltk_and_segeval(
    gold: set[int], found: set[int], units: int, p_k: float, difference: float, similarity: float
) -> None:
    assert metrics.pk(gold, found, units) == pytest.approx(p_k, abs=1e-6)
    assert metrics.window_diff(gold, found, units) == pytest.approx(difference, abs=1e-6)
    assert metrics.boundary_similarity(gold, found) == pytest.approx(similarity, abs=1e-6)


def test_boundaries_are_counted_exactly_and_within_a_tolerance() -> None:
    exact = metrics.boundary_scores({4, 9, 15}, {4, 10, 11, 16})
    near = metrics.boundary_scores({4, 9, 15}, {4, 10, 11, 16}, tolerance=1)
    assert exact == (1, 4, 3)
    assert near == (3, 4, 3)
    assert (exact.precision, exact.recall) == (0.25, pytest.approx(1 / 3))
    assert near.f1 == pytest.approx(6 / 7)


def test_one_found_boundary_matches_only_one_of_the_gold() -> None:
    assert metrics.boundary_scores({4, 6}, {5}, tolerance=1).matched == 1


def test_counts_of_documents_add_up_to_those_of_the_suite() -> None:
    assert metrics.Scores(1, 2, 3) + metrics.Scores(4, 5, 6) == (5, 7, 9)
    assert metrics.NOTHING.f1 == 1.0


def test_roles_missing_and_unknown_are_errors_of_two_kinds() -> None:
    """Worked by hand: question P 2/2 R 2/3, answer P 1/1 R 1/2: F1 0.8 and 2/3."""
    scores = metrics.role_scores(
        [
            ("question", "question"),
            ("question", "question"),
            ("question", None),
            ("answer", "answer"),
            ("answer", "unknown"),
        ]
    )
    assert scores.accuracy == pytest.approx(0.6)
    assert scores.macro_f1 == pytest.approx((0.8 + 2 / 3) / 2)
    assert scores.unknown_share == pytest.approx(0.4)


def test_even_boundaries_make_equal_segments() -> None:
    assert metrics.even_boundaries(3, 20) == {5, 10, 15}
    assert metrics.no_boundaries() == set()


def test_confidences_fall_into_half_open_bins_and_one_into_the_last() -> None:
    bins = metrics.confidence_bins([(0.5, True), (0.59, False), (1.0, True)], (0.0, 0.5, 0.6, 1.0))
    assert [(b.turns, b.right) for b in bins] == [(0, 0), (2, 1), (1, 1)]
    assert bins[0].accuracy is None


def test_coverage_counts_characters_held_once() -> None:
    """「あ いう え」: い is held twice, え not at all, the spaces do not count."""
    assert metrics.coverage("あ いう え", [(0, 4), (2, 3)]) == pytest.approx(2 / 4)
