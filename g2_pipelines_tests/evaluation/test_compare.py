"""The comparison of two designs: wrong statistics would sell noise as a finding."""

from __future__ import annotations

import pytest

from g2_pipelines.evaluation.compare import compare, mcnemar, wilson
from g2_pipelines.tables.line1 import BriefEvaluation, Check


def row(
    company: str, *, passed: bool, strategy: str = "aspect", name: str = "bullets"
) -> BriefEvaluation:
    one = Check(
        name=name, passed=passed, gate=False, value=0.0 if passed else 2.0, threshold=0, message=""
    )
    return BriefEvaluation(
        edinet_code=company,
        fiscal_year="2025-03",
        aspect="issues",
        strategy=strategy,
        passed=True,
        claims=[],
        sentences=[],
        checks=[one],
    )


def test_wilson_agrees_with_published_values() -> None:
    # Wilson (1927) at z = 1.96: 6 of 120 and 2 of 120, computed by hand from the formula.
    assert wilson(6, 120) == pytest.approx((0.02311, 0.10481), abs=2e-5)
    assert wilson(2, 120) == pytest.approx((0.00458, 0.05874), abs=2e-5)
    assert wilson(0, 10) == pytest.approx((0.0, 0.27753), abs=2e-5)
    assert wilson(10, 10) == pytest.approx((0.72247, 1.0), abs=2e-5)
    assert wilson(0, 0) == (0.0, 1.0)


def test_mcnemar_is_the_exact_binomial_test_of_the_discordant_pairs() -> None:
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(1, 1) == 1.0
    assert mcnemar(0, 5) == pytest.approx(2 / 32)
    assert mcnemar(1, 7) == pytest.approx(2 * 9 / 256)


def test_pairs_are_counted_per_check_and_the_unpaired_named() -> None:
    left = [row("E1", passed=True), row("E2", passed=False), row("E3", passed=True)]
    right = [row("E2", passed=False), row("E1", passed=False), row("E9", passed=True)]
    (found,) = compare(left, right)
    assert (found.check, found.n, found.unpaired) == ("bullets", 2, 2)
    assert (found.left.failed, found.right.failed) == (1, 2)
    assert (found.only_left, found.only_right, found.p_value) == (0, 1, 1.0)
    assert (found.left.rate, found.left.mean_value) == (0.5, 1.0)


def test_a_company_counts_once_however_many_of_its_texts_fail() -> None:
    aspects = [f"a{n}" for n in range(8)]
    left = [row("E1", passed=True).model_copy(update={"aspect": a}) for a in aspects]
    right = [row("E1", passed=False).model_copy(update={"aspect": a}) for a in aspects]
    left += [row(f"E{n}", passed=True) for n in (2, 3)]
    right += [row(f"E{n}", passed=False) for n in (2, 3)]
    (found,) = compare(left, right)
    # 10 pairs against 0: 2/2^10; three companies against none: 2/2^3
    assert found.p_value == pytest.approx(2 / 1024, abs=1e-6)
    assert found.p_company == pytest.approx(2 / 8)


def test_the_order_of_the_rows_does_not_matter() -> None:
    left = [row(f"E{i}", passed=i % 2 == 0) for i in range(6)]
    right = [row(f"E{i}", passed=i % 3 == 0) for i in range(6)]
    assert compare(left, right) == compare(left[::-1], right[::-1])


def test_nothing_paired_is_no_comparison() -> None:
    assert compare([row("E1", passed=True)], [row("E2", passed=True)]) == []
    assert compare([row("E1", passed=True)], [row("E1", passed=True, name="other")]) == []
