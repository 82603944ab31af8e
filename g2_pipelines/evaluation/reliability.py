"""How far the checks themselves can be trusted: their measured recall and false alarms.

Here: reading what ``python -m benchmarks.evaluation --json`` printed, for the report to show it
beside its rates. Not here: the measurement. ``defs`` and ``cli`` may import this module.

A rate without it misleads: 2 % altered figures found by a checker that finds half of them are
4 %. Nothing is corrected by it; it stands there to be read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from g2_pipelines.errors import InputError
from g2_pipelines.evaluation.compare import wilson
from g2_pipelines.tables.rows import Row

#: What the report's rows and the benchmark's figures have in common, and how it reads.
FIGURES: Mapping[str, str] = {
    "number_recall": "改変した数値のうち見つけた割合",
    "swap_recall": "科目・期間・セグメントの取り違えのうち見つけた割合",
    "segment_recall": "改変したセグメント名のうち見つけた割合",
    "false_alarms_verbatim": "資料の文そのままに対する誤警報（件）",
    "paraphrase_false_alarm_share": "意味を保った言い換えに対する誤警報の割合",
}


class ReliabilityError(InputError):
    """A reliability file is not what the benchmark prints."""

    code = "bad_reliability"


class KindReliability(Row):
    """Recall on one kind of corruption, or false alarms on one kind of true text.

    found of n, as a rate with its Wilson 95 % interval, and one that resamples whole filings;
    ``wanted`` says whether finding is right (a corruption) or a false alarm. precision: as if
    the kind and true sentences were equally many.
    """

    kind: str
    n: int
    found: int
    rate: float
    low: float
    high: float
    by_filing: tuple[float, float] | None = None
    precision: float | None = None
    wanted: bool = True


class Reliability(Row):
    """The figures of one measurement, and per kind where the file has them.

    held_back: the same figures on filings that the checks were not tuned on.
    """

    figures: dict[str, float]
    held_back: dict[str, float] = {}
    kinds: list[KindReliability] = []


def read_reliability(text: str, *, file: str) -> Reliability:
    """What a benchmark's JSON says.

    ``figures`` by name as in ``FIGURES`` (others are left out), and with ``_held_back``;
    ``peers.kinds``, where there is such an object, by kind: ``n``, ``flagged``, ``by_filing``,
    ``precision``, ``wanted``.

    Raises:
        ReliabilityError: not JSON, no figures, or a value that is none.
    """
    try:
        raw = json.loads(text, parse_constant=_no_number)
        if not isinstance(raw, dict) or not isinstance(raw.get("figures"), dict):
            raise _error("There is no object of figures in it", file, "figures")
        kinds = (raw.get("peers") or {}).get("kinds") or {}
        return Reliability(
            figures=_figures(raw["figures"], ""),
            held_back=_figures(raw["figures"], "_held_back"),
            kinds=[_kind(name, entry) for name, entry in kinds.items()],
        )
    except json.JSONDecodeError as error:
        raise _error(f"It is not JSON: {error.msg}", file, f"line {error.lineno}") from error
    except ValidationError as error:
        place = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise _error(error.errors()[0]["msg"], file, place) from error
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        RecursionError,
        TypeError,
        ValueError,
    ) as error:
        raise _error(f"A value of it is none: {error}", file, "figures, peers.kinds") from error


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no number")


def _figures(raw: Mapping[str, Any], suffix: str) -> dict[str, float]:
    return {
        name: float(raw[f"{name}{suffix}"])
        for name in FIGURES
        if raw.get(f"{name}{suffix}") is not None
    }


def _kind(name: str, entry: Mapping[str, Any]) -> KindReliability:
    n, found = int(entry["n"]), int(entry["flagged"])
    if not 0 <= found <= n:
        raise ValueError(f"{name}: {found} of {n}")
    low, high = wilson(found, n)
    resampled = entry.get("by_filing")
    precision = entry.get("precision")
    return KindReliability(
        kind=str(name),
        n=n,
        found=found,
        rate=found / n if n else 0.0,
        low=low,
        high=high,
        by_filing=(float(resampled[0]), float(resampled[1])) if resampled else None,
        precision=float(precision) if precision is not None else None,
        # Only what must be found has a precision.
        wanted=bool(entry.get("wanted", precision is not None)),
    )


def _error(message: str, file: str, place: str) -> ReliabilityError:
    return ReliabilityError(
        f"The reliability file cannot be used: {message}",
        file=file,
        place=place,
        remedy="Write it with `python -m benchmarks.evaluation --json > FILE`",
    )
