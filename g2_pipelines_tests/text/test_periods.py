"""Periods: a wrong fiscal year in a brief is as bad as a wrong amount."""

from __future__ import annotations

import pytest

from g2_pipelines.text.numbers import numbers, periods

CASES = [
    ("2025年3月期", "FY2025-03"),
    ("２０２５年３月期", "FY2025-03"),
    ("25年3月期", "FY2025-03"),
    ("2025/3期", "FY2025-03"),
    ("平成31年3月期", "FY2019-03"),
    ("2024年3月期第2四半期", "FY2024-03-Q2"),
    ("2025年3月期通期", "FY2025-03-full"),
    ("2024年度", "FY2024"),
    ("令和7年3月31日", "2025-03-31"),
    ("2025年3月31日", "2025-03-31"),
    ("2025/3/31", "2025-03-31"),
    ("2025-03-31", "2025-03-31"),
    ("2025年3月", "2025-03"),
    ("2025年", "2025"),
    ("1899年", "1899"),
    ("令和元年", "2019"),
    ("二〇二五年", "2025"),
    ("3月期", "--03"),
    ("6月26日", "--06-26"),
    ("第58期", "term58"),
    ("当連結会計年度", "current"),
    ("当連結会計年度末", "current"),
    ("当事業年度", "current"),
    ("前連結会計年度", "previous"),
    ("前々連結会計年度", "before_previous"),
    ("翌連結会計年度", "next"),
    ("当第3四半期連結累計期間", "current-Q3"),
    ("第2四半期", "Q2"),
    ("2Q", "Q2"),
    ("前年同期", "same_last_year"),
    ("来期", "next"),
    ("当期", "current"),
    ("前期末", "previous"),
    ("上期", "H1"),
    ("下半期", "H2"),
    ("通期", "full"),
    ("FY2025", "FY2025"),
    ("FY2025/3", "FY2025-03"),
    ("FY25 Q2", "FY2025-Q2"),
    ("fiscal 2025", "FY2025"),
    ("March 31, 2025", "2025-03-31"),
    ("March 2025", "2025-03"),
    ("the second quarter", "Q2"),
]


@pytest.mark.parametrize(("text", "key"), CASES)
def test_a_period_has_one_key_however_it_is_written(text: str, key: str) -> None:
    assert [p.key for p in periods(f"、{text}。")] == [key]


@pytest.mark.parametrize(
    "text",
    [
        "当期純利益",
        "前年同期比",
        "前期比",
        "3年間",
        "3カ月",
        "長期",
        "定期",
        "2,003年度",
        "第2次",
        "期待",
        "3年連続",
    ],
)
def test_items_comparisons_and_lengths_are_no_periods(text: str) -> None:
    assert periods(text) == []


def test_each_end_of_a_range_is_a_period() -> None:
    keys = [p.key for p in periods("2024年4月1日から2025年3月31日まで、2024～2026年度")]
    assert keys == ["2024-04-01", "2025-03-31", "2024", "FY2026"]


def test_ranges_are_those_of_the_source() -> None:
    text = "前連結会計年度（２０２４年３月期）に比べ"
    assert [text[p.start : p.end] for p in periods(text)] == ["前連結会計年度", "２０２４年３月期"]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("2203年10月に発売しました", "2203-10"),
        ("2208年3月期の売上高", "FY2208-03"),
        ("1024年12月31日現在", "1024-12-31"),
        ("2302年度の計画", "FY2302"),
        ("2203年に設立", "2203"),
    ],
)
def test_a_year_that_no_text_means_is_a_period_and_no_amount(text: str, key: str) -> None:
    assert [p.key for p in periods(text)] == [key]
    assert numbers(text) == []


@pytest.mark.parametrize("text", ["1000年企業", "3000年前の地層", "約5000年の歴史"])
def test_a_long_time_is_no_year(text: str) -> None:
    assert periods(text) == []
