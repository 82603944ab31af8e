"""Arithmetic by code, with values calculated by hand."""

from __future__ import annotations

from decimal import Decimal

import pytest

from g2_pipelines.qa.arithmetic import calculate
from g2_pipelines.qa.errors import CalculationError
from g2_pipelines.qa.ports import Operation
from g2_pipelines.tables.line2 import CopiedValue


def values(*texts: str, unit: str = "") -> list[CopiedValue]:
    return [
        CopiedValue(label="ABCDE"[place], text=text, unit=unit, node_id="n")
        for place, text in enumerate(texts)
    ]


@pytest.mark.parametrize(
    ("operation", "texts", "unit", "language", "shown"),
    [
        ("difference", ("48,620", "45,696"), "百万円", "ja", "2,924百万円"),
        ("difference", ("19.4", "3.4"), "μm", "ja", "16.0μm"),
        ("difference", ("3.4", "19.4"), "μm", "ja", "-16.0μm"),
        ("difference", ("41%", "30.5%"), "", "en", "10.5 percentage points"),
        ("difference", ("12.5%", "10.0%"), "", "ja", "2.5ポイント"),
        ("difference", ("1.2億円", "120百万円"), "", "ja", "0円"),
        ("difference", ("△625", "△694"), "百万円", "ja", "69百万円"),
        ("difference", ("287", "96"), "km", "en", "191 km"),
        ("ratio", ("57.0", "38.0"), "", "en", "1.50 times"),
        ("ratio", ("2", "3"), "台", "ja", "0.67倍"),
        ("growth", ("48,620", "45,696"), "百万円", "ja", "6.4%"),
        ("growth", ("1,790", "1,868"), "百万円", "ja", "-4.2%"),
        ("growth", ("10", "-5"), "", "en", "300.0%"),
        ("sum", ("29,870", "12,340", "6,410"), "百万円", "ja", "48,620百万円"),
        ("sum", ("0.1", "0.2"), "", "en", "0.3"),
        ("count", ("7", "8", "9"), "", "en", "3"),
    ],
)
def test_results_agree_with_the_pocket_calculator(
    operation: Operation, texts: tuple[str, ...], unit: str, language: str, shown: str
) -> None:
    result = calculate(
        operation, values(*texts, unit=unit), language="ja" if language == "ja" else "en"
    )
    assert result.text == shown


def test_rank_orders_the_labels_from_the_greatest() -> None:
    result = calculate("rank", values("3.1", "12.9", "7.4", unit="mm"), language="en")
    assert result.text == "B (12.9mm) > C (7.4mm) > A (3.1mm)"
    assert result.value == Decimal("12.9")


def test_the_formula_shows_the_copied_values_with_their_labels() -> None:
    result = calculate("difference", values("5", "3", unit="件"), language="ja")
    assert result.formula == "A 5件 − B 3件"


@pytest.mark.parametrize(
    ("operation", "given", "message"),
    [
        ("difference", values("12%") + values("3円"), "unlike units"),
        ("difference", values("12"), "needs 2 values"),
        ("ratio", values("1", "2", "3"), "needs 2 values"),
        ("ratio", values("1", "0"), "divides by zero"),
        ("growth", values("1", "0.0"), "divides by zero"),
        ("sum", values("none"), "holds no number"),
        ("sum", [], "needs 1 values"),
    ],
)
def test_what_cannot_be_calculated_says_why(
    operation: Operation, given: list[CopiedValue], message: str
) -> None:
    with pytest.raises(CalculationError, match=message):
        calculate(operation, given, language="en")
