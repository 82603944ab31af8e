"""Figures: values worked out by hand; a misread amount makes every later check worthless."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2_pipelines.text.numbers import Number, numbers


def read(text: str) -> list[tuple[str, str]]:
    """(plain value, unit) of every figure."""
    return [(f"{n.value:f}", n.unit) for n in numbers(text)]


AMOUNTS = [
    ("442億9,600万円", "44296000000", "円"),
    ("3兆9,769億円", "3976900000000", "円"),
    ("1,041百万円", "1041000000", "円"),
    ("1,041 百万円", "1041000000", "円"),
    ("１，０４１百万円", "1041000000", "円"),
    ("△1,041百万円", "-1041000000", "円"),
    ("▲1,041百万円", "-1041000000", "円"),
    ("−1,041百万円", "-1041000000", "円"),
    ("マイナス3,300万円", "-33000000", "円"),
    ("△68.4％", "-68.4", "%"),
    ("76億2百万円", "7602000000", "円"),
    ("486億2千万円", "48620000000", "円"),
    ("5,000千円", "5000000", "円"),
    ("1.5兆円", "1500000000000", "円"),
    ("48.6億円", "4860000000", "円"),
    ("2兆円超", "2000000000000", "円"),
    ("三兆二千億円", "3200000000000", "円"),
    ("二十億円", "2000000000", "円"),
    ("150円25銭", "150.25", "円"),
    ("三割", "30", "%"),
    ("3割5分", "35", "%"),
    ("12.3パーセント", "12.3", "%"),
    ("5・3%", "5.3", "%"),
    ("0.3ポイント", "0.3", "ポイント"),
    ("1.5倍", "1.5", "倍"),
    ("約1,200名", "1200", "人"),
    ("2,217人", "2217", "人"),
    ("10万株", "100000", "株"),
    ("3千株", "3000", "株"),
    ("6,200台", "6200", "台"),
    ("38拠点", "38", "拠点"),
    ("3カ国", "3", "カ国"),
    ("3ヶ月", "3", "月"),
    ("３年間", "3", "年"),
    ("-60℃", "-60", "℃"),
    ("0.3μm", "0.3", "μm"),
    ("225百万米ドル", "225000000", "ドル"),
    ("¥48.6 billion", "48600000000", "円"),
    ("$3.4 million", "3400000", "ドル"),
    ("48,620 million yen", "48620000000", "円"),
    ("3.2 percent", "3.2", "%"),
    ("5億円の赤字", "-500000000", "円"),
    ("3億円の営業損失", "-300000000", "円"),
    ("営業損失は300百万円", "-300000000", "円"),
    ("営業損失△300百万円", "-300000000", "円"),
    ("減損損失は500百万円", "500000000", "円"),
    ("△1,041", "-1041", ""),
]


@pytest.mark.parametrize(("text", "value", "unit"), AMOUNTS)
def test_an_amount_is_read_with_its_unit_and_sign(text: str, value: str, unit: str) -> None:
    assert read(text) == [(value, unit)]


NO_AMOUNTS = [
    "2025年3月期",
    "２０２５年３月３１日",
    "令和7年3月",
    "当第3四半期",
    "FY2025",
    "3月末",
    "第58期",
    "1【事業の内容】",
    "１　【経営方針】",
    "(1) 経営方針",
    "（３）研究開発活動",
    "①市場環境 ②競合",
    "1. 概要",
    "１．発言要旨",
    "1-2．方針",
    "03-1234-5678",
    "0120-123-456",
    "100-0001-22",
    "第3工場",
    "第三者割当",
    "図3",
    "表2",
    "(注)1",
    "※2",
    "No. 5",
    "ISO9001",
    "S100TP3N",
    "COVID-19",
    "5G",
    "10:30開始",
    "10時30分",
    "3分の1",
    "https://www.example.co.jp/2024/ir123",
    "単位：百万円",
    "(千円)",
    "一部の三菱",
    "十分な数十億円",
    "十数人",
    "1株当たり",
    "法第74条の２",
]


@pytest.mark.parametrize("text", NO_AMOUNTS)
def test_what_is_no_amount_is_left_out(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5〜6億円", [("500000000", "円"), ("600000000", "円")]),
        ("5億～6億円", [("500000000", "円"), ("600000000", "円")]),
        ("100〜200百万円", [("100000000", "円"), ("200000000", "円")]),
        ("10~15%", [("10", "%"), ("15", "%")]),
        ("2-3%", [("2", "%"), ("3", "%")]),
    ],
)
def test_both_ends_of_a_range_have_the_unit(text: str, expected: list[tuple[str, str]]) -> None:
    assert read(text) == expected


def test_a_row_of_table_digits_is_read_cell_by_cell() -> None:
    assert read("売上高\t48,620\t45,696\t△1,200\t6.4") == [
        ("48620", ""), ("45696", ""), ("-1200", ""), ("6.4", ""),
    ]  # fmt: skip


def test_a_date_beside_an_amount_does_not_swallow_it() -> None:
    text = "2025年3月期の売上高は48,620百万円（前年同期比6.4％増）、期末人員は1,486名です。"
    assert read(text) == [("48620000000", "円"), ("6.4", "%"), ("1486", "人")]


def test_the_grouped_year_is_not_a_period() -> None:
    assert read("2,003年度") == [("2003", "")]


@pytest.mark.parametrize(
    ("text", "change"),
    [("12.5%減", -1), ("3.2%の増加", 1), ("100百万円減少", -1), ("0.3ポイント低下", -1),
     ("6.4%増収", 1), ("sales rose by 3.2%", 1), ("12%", 0), ("5億円の増減", 0), ("12.5%減価", 0)],
)  # fmt: skip
def test_words_of_change_are_kept_beside_the_value(text: str, change: int) -> None:
    (number,) = numbers(text)
    assert number.change == change
    assert number.value > 0


def test_a_decrease_and_its_triangle_are_the_same_signed_value() -> None:
    (words,), (sign,) = numbers("12.5%減"), numbers("△12.5％")
    assert words.signed == sign.signed == Decimal("-12.5")


@pytest.mark.parametrize(
    ("text", "quantum"),
    [("442億9,600万円", 10**4), ("48.6億円", 10**7), ("1,041百万円", 10**6), ("6.4%", "0.1")],
)
def test_the_quantum_is_the_last_digit_written(text: str, quantum: int | str) -> None:
    (number,) = numbers(text)
    assert number.quantum == Decimal(quantum)


@pytest.mark.parametrize("text", ["約1,200名", "1,200名程度", "2兆円超", "about 5 percent"])
def test_approximate_figures_say_so(text: str) -> None:
    (number,) = numbers(text)
    assert number.approximate


def test_the_range_of_a_figure_is_that_of_the_source() -> None:
    text = "当期は、△１，０４１百万円（約６．４％減）でした。"
    for number in numbers(text):
        assert text[number.start : number.end] == number.text
    assert [number.text for number in numbers(text)] == ["△１，０４１百万円", "６．４％"]


@given(st.text(alphabet="0123456789,.億万百円%△-~ 第期年月(1)【\n\tABkg約減", max_size=60))
@settings(max_examples=200, derandomize=True, deadline=None)
def test_figures_are_ordered_disjoint_and_of_the_text(text: str) -> None:
    found: list[Number] = numbers(text)
    for number in found:
        assert text[number.start : number.end] == number.text
        assert number.scale > 0
    assert all(a.end <= b.start for a, b in pairwise(found))


@given(st.integers(1, 10**13), st.sampled_from(["", "△"]))
@settings(max_examples=100, derandomize=True, deadline=None)
def test_any_amount_in_yen_is_read_back_from_three_spellings(value: int, sign: str) -> None:
    wanted = Decimal(-value if sign else value)
    oku, rest = divmod(value, 10**8)
    man, yen = divmod(rest, 10**4)
    parts = [f"{oku:,}億" if oku else "", f"{man:,}万" if man else "", f"{yen:,}" if yen else ""]
    wide = str.maketrans("0123456789,", "０１２３４５６７８９，")
    for text in (f"{sign}{value:,}円", f"{sign}{value}円", f"{sign}{value:,}円".translate(wide),
                 sign + "".join(parts) + "円"):  # fmt: skip
        (number,) = numbers(f"売上高は{text}である。")
        assert (number.value, number.unit) == (wanted, "円")


@pytest.mark.parametrize(
    "piece",
    [
        "1",
        "十",
        "1,",
        "1-",
        "△",
        "億",
        "a1",
        "(1",
        "2025年",
        "1.",
        "、1",
        " ",
        "a",
        "あ",
        "a-",
        "1 ",
        "第",
        "-",
        "~",
        "1/",
        "1:",
        "@",
        "http://",
    ],
)
def test_hostile_repetition_stays_linear(piece: str) -> None:
    text = piece * (20_000 // len(piece))
    assert all(0 <= n.start < n.end <= len(text) for n in numbers(text))  # quadratic: minutes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("累計販売本数6,397万本", ["6,397万本"]),
        ("販売台数6,397万台", ["6,397万台"]),
        ("従業員数7,724名", ["7,724名"]),
        ("従業員数100名", ["100名"]),
        ("子会社数77社", ["77社"]),
        ("ダウンロード数1,000万件", ["1,000万件"]),
        ("818万本（累計販売本数6,197万本）", ["818万本", "6,197万本"]),
        ("数千名", []),
        ("数10億円", []),
        ("約数十社", []),
        ("年数百万円", []),
        ("何十社", []),
        ("。数100社", []),
        ("第6,397号", []),
    ],
)
def test_a_noun_that_ends_in_kazu_carries_a_figure_and_several_does_not(
    text: str, expected: list[str]
):
    """本数6,397万本 went unchecked: a changed digit passed as true."""
    assert [number.text for number in numbers(text)] == expected


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("面積は十二・七四ヘクタール", "12.74", "ヘクタール"),
        ("保証料は九千六百万ポンド", "96000000", "ポンド"),
        ("相対取引は八三・五％", "83.5", "%"),
        ("深さは〇・五四メートル", "0.54", "メートル"),
        ("百メートルの岸壁", "100", "メートル"),
        ("七人制の会場", "7", "人"),
    ],
)
def test_measures_in_kanji_are_figures(text: str, value: str, unit: str) -> None:
    assert [(str(n.value), n.unit) for n in numbers(text)] == [(value, unit)]


@pytest.mark.parametrize("text", ["二人三脚で進む", "一社の例", "単位は百万円", "三菱の一部"])
def test_words_with_kanji_numerals_are_no_figures(text: str) -> None:
    assert numbers(text) == []


def test_the_first_of_a_range_counts_what_the_first_digits_of_the_second_count() -> None:
    first = numbers("5〜8億7,000万円")[0]
    assert (first.value, first.unit) == (500_000_000, "円")


def test_a_bracket_between_an_amount_and_its_change_is_seen_through() -> None:
    assert [n.change for n in numbers("3兆4,375億円（19.6％）の増収")] == [1, 1]
