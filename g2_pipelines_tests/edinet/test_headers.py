"""Header rows of tables made of td: by evidence, or none."""

from __future__ import annotations

import pytest

from g2_pipelines.edinet.clean import clean
from g2_pipelines.edinet.headers import is_amount
from g2_pipelines.edinet.xml import parse_xml


def headers(*rows: str) -> list[str]:
    """Texts of header cells of a table given as rows of td, ``|`` between cells."""
    body = "".join(
        "<tr>"
        + "".join(c if c.startswith("<t") else f"<td>{c}</td>" for c in row.split("|"))
        + "</tr>"
        for row in rows
    )
    root = parse_xml(f"<div><table>{body}</table></div>".encode(), file="", place="", warnings=[])
    return [cell.text for cell in clean([root]).tables[0].cells if cell.header and cell.text]


def test_words_above_the_first_amounts_are_the_header() -> None:
    assert headers("区分|金額(百万円)|前期比(％)", "甲事業|1,234|△5.6", "合計|1,234|－") == [
        "区分",
        "金額(百万円)",
        "前期比(％)",
    ]


def test_two_rows_with_spans_are_one_header() -> None:
    found = headers(
        '<td rowspan="2">区分</td>|<td colspan="2">実績</td>',
        "2023年3月期|2024",
        "甲事業|1,234|5,678百万円",
    )
    assert found == ["区分", "実績", "2023年3月期", "2024"]  # a year by itself is no amount


def test_a_row_of_dashes_is_data() -> None:
    assert headers("区分|金額|増減", "甲|―|―", "乙|5|6") == ["区分", "金額", "増減"]


@pytest.mark.parametrize(
    "rows",
    [
        ("事業|内容|会社", "甲事業|製造|甲株式会社"),  # no amounts: no evidence
        ("甲事業|1,234|5", "乙事業|2|3"),  # begins with amounts
        ("主な経営指標", "売上高|1,234", "利益|5"),  # a title names no column
        ("い|ろ", "は|に", "ほ|へ", "と|ち", "り|5"),  # prose before the amounts
    ],
)
def test_without_evidence_there_is_no_header(rows: tuple[str, ...]) -> None:
    assert headers(*rows) == []


def test_th_is_believed() -> None:
    assert headers("<th>事業</th>|内容", "甲|乙") == ["事業"]


@pytest.mark.parametrize(
    "text", ["1,234", "△5.6", "（123）", "26.7％", "+11.0", "3,030億円", "１，２３４"]
)
def test_amounts(text: str) -> None:
    assert is_amount(text)


@pytest.mark.parametrize(
    "text", ["2024", "２０２３", "第15期", "2023年3月期", "－", "", "甲", "(1)環境"]
)
def test_no_amounts(text: str) -> None:
    assert not is_amount(text)
