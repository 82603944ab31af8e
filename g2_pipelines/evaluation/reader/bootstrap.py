"""Intervals by bootstrap, paired by question, with a fixed seed.

Here: ``interval`` of a mean and ``difference`` of two means over the same questions, both as
percentile intervals at 95 % of 2,000 resamples. Questions are resampled, one by one: those of
one document are not independent, so the true intervals are rather wider.

Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 13.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from g2_pipelines.tables.rows import Row

RESAMPLES = 2_000
SEED = 20_260_601


class Estimate(Row):
    """A mean over ``n`` questions with its interval at 95 %."""

    n: int
    mean: float
    low: float
    high: float


def interval(values: Sequence[float]) -> Estimate | None:
    """The mean of ``values`` with its interval; None of none."""
    if not values:
        return None
    import numpy as np

    given = np.asarray(values, dtype=np.float64)
    rng = np.random.default_rng(SEED)
    means = np.sort(given[rng.integers(0, len(given), (RESAMPLES, len(given)))].mean(axis=1))
    low, high = means[int(RESAMPLES * 0.025)], means[int(RESAMPLES * 0.975) - 1]
    return Estimate(
        n=len(given),
        mean=round(float(given.mean()), 6),
        low=round(float(low), 6),
        high=round(float(high), 6),
    )


def difference(ours: Mapping[str, float], theirs: Mapping[str, float]) -> Estimate | None:
    """The mean of ours - theirs over the questions that both have; None without any.

    Each resample takes the same questions of both sides. The order of the mappings counts
    for nothing.
    """
    shared = sorted(ours.keys() & theirs.keys())
    return interval([ours[key] - theirs[key] for key in shared])
