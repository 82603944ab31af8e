"""Tuples from a table's rows and columns, and from tagged facts."""

from __future__ import annotations

from typing import Any

import pytest

from g2_pipelines.evaluation.check import check_text
from g2_pipelines.evaluation.fact_index import FactTable
from g2_pipelines.evaluation.grids import heads
from g2_pipelines.evaluation.sources import Source
from g2_pipelines.tables.line1 import Claim, FilingFact

TABLE = """（単位：百万円）
\t前連結会計年度\t当連結会計年度\t増減率
売上高\t45,696\t48,620\t6.4％
営業利益\t3,379\t3,815\t12.9％
セグメント\t売上高\t\tセグメント利益\t
\t金額\t前期比\t金額\t前期比
工作機械事業\t29,870\t3.1％\t1,790\t△4.2％
計測制御事業\t12,340\t14.8％\t1,520\t28.6％
"""
SEGMENTS = ["工作機械事業", "計測制御事業"]
SOURCE = Source(source_id="filing:S1:mdna:0", text=TABLE)


def status(text: str, **more: Any) -> list[tuple[str, str]]:
    claims = check_text(text, [SOURCE], segments=SEGMENTS, **more).claims
    return [(claim.text, claim.status) for claim in claims if claim.kind == "number"]


def test_a_cell_is_named_by_its_row_and_the_heads_above_it() -> None:
    found = {
        TABLE[at:].split("\t", maxsplit=1)[0].split("\n", maxsplit=1)[0]: head
        for at, head in heads(TABLE).items()
    }
    assert found["48,620"].row == "売上高"
    assert found["48,620"].columns[-1] == "当連結会計年度"
    assert (found["1,520"].row, found["1,520"].columns) == (
        "計測制御事業",
        ("セグメント利益", "金額"),
    )


@pytest.mark.parametrize(
    ("text", "figure", "expected"),
    [
        ("当連結会計年度の売上高は486億2,000万円だった。", "486億2,000万円", "supported_local"),
        ("前連結会計年度の売上高は486億2,000万円だった。", "486億2,000万円", "altered"),
        ("当連結会計年度の営業利益は486億2,000万円だった。", "486億2,000万円", "altered"),
        ("計測制御事業のセグメント利益は15億2,000万円だった。", "15億2,000万円", "supported_local"),
        ("工作機械事業のセグメント利益は15億2,000万円だった。", "15億2,000万円", "altered"),
        ("計測制御事業の売上高は15億2,000万円だった。", "15億2,000万円", "altered"),
        ("売上高は29億24百万円の増加となった。", "29億24百万円", "derived"),
        ("売上高は29億24百万円だった。", "29億24百万円", "missing"),
    ],
)
def test_a_tables_tuple_bears_a_figure_out_or_not(text: str, figure: str, expected: str) -> None:
    assert (figure, expected) in status(text)


def fact(element: str, value: str, end: str, context: str = "CurrentYearDuration") -> FilingFact:
    return FilingFact(
        edinet_code="E99001",
        fiscal_year="2025-03",
        document_id="S1",
        element=element,
        context=context,
        period_end=end,
        value=value,
        unit="JPY",
        decimals="-6",
        label=None,
    )


FACTS = FactTable(
    [
        fact("jppfs_cor:GrossProfit", "12345000000", "2025-03-31"),
        fact("jppfs_cor:GrossProfit", "11001000000", "2024-03-31", "Prior1YearDuration"),
        fact("jppfs_cor:OrdinaryIncome", "3902000000", "2025-03-31"),
        fact("jppfs_cor:OrdinaryIncome", "3512000000", "2024-03-31", "Prior1YearDuration"),
        fact("jppfs_cor:Broken", "n/a", "2025-03-31"),
    ]
)


def one(text: str) -> Claim:
    claims = check_text(text, [SOURCE], segments=SEGMENTS, facts=FACTS).claims
    (claim,) = [claim for claim in claims if claim.kind == "number"]
    return claim


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("当期の売上総利益は12,345百万円だった。", "supported_elsewhere"),
        ("当期の売上総利益は約123億円だった。", "rounded"),
        ("売上総利益は前期に比べ1,344百万円増加した。", "derived"),
        ("当期の経常利益は12,345百万円だった。", "altered"),
        ("当期の経常利益は3,999百万円だった。", "altered"),
        ("来期の経常利益は3,999百万円を計画している。", "missing"),
    ],
)
def test_a_figure_that_no_text_has_is_looked_up_in_the_facts(text: str, expected: str) -> None:
    assert one(text).status == expected


def test_a_claim_names_the_fact_that_bears_it_out() -> None:
    claim = one("当期の売上総利益は12,345百万円だった。")
    (evidence,) = claim.facts
    assert (evidence.element, evidence.value) == ("jppfs_cor:GrossProfit", "12345000000")
    assert claim.evidence == []


def test_a_tag_outweighs_a_text_that_has_the_figure_of_another_year() -> None:
    source = Source(source_id="s", text="経常利益は3,512百万円、3,902百万円でした。")
    claims = check_text("当期の経常利益は3,512百万円だった。", [source], facts=FACTS).claims
    assert [c.status for c in claims if c.kind == "number"] == ["altered"]
