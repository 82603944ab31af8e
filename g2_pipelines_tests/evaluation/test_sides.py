"""Sides of money: received or spent, paid or refunded; and the figure that an item has instead."""

from __future__ import annotations

import pytest

from g2_pipelines.evaluation.check import check_text
from g2_pipelines.evaluation.sides import opposed, said_with, sides_of
from g2_pipelines.evaluation.sources import Source
from g2_pipelines.tables.line1 import FilingFact

TEXT = """当事業年度の青嶺精機の資金の状況は次のとおりです。
営業活動の結果支出した資金は、417,652千円（前事業年度は583,218千円の支出）となりました。
これは主に、法人税等の還付額127,840千円を計上したことによるものです。
投資活動の結果得られた資金は、293,481千円となりました。これは主に、投資有価証券の売却による収入672,261千円によるものです。
長期借入金の返済による支出は188,120千円となりました。
当期純損失は730,964千円となりました。
\t当事業年度（千円）\t前事業年度（千円）
財務活動によるキャッシュ・フロー\t△188,934\t△153,627
貸倒引当金戻入額\t2,417\t1,263
管理職に占める女性労働者の割合は81.4％、取得率は75.0％です。
"""
GOOD = {"supported_local", "supported_elsewhere", "rounded", "derived"}


def _ratio(value: str, context: str, end: str) -> FilingFact:
    return FilingFact(
        edinet_code="E99001",
        fiscal_year="2025-03",
        document_id="S9000A01",
        element="jpcrp_cor:EquityToAssetRatioSummaryOfBusinessResults",
        context=context,
        unit="pure",
        value=value,
        decimals="3",
        period_end=end,
        label="自己資本比率",
        dimensions=[],
    )


def _wrong(text: str, facts: list[FilingFact] | None = None) -> list[tuple[str, str, str]]:
    claims = check_text(text, [Source(source_id="青嶺精機", text=TEXT)], facts=facts).claims
    return [
        (c.text, c.status, c.note) for c in claims if c.kind == "number" and c.status not in GOOD
    ]


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("営業活動によるキャッシュ・フローは417,652千円の収入であった。", "417,652千円"),
        ("営業活動の結果、417,652千円の資金を獲得した。", "417,652千円"),
        ("投資活動の結果使用した資金は293,481千円となった。", "293,481千円"),
        ("法人税等の支払額は127,840千円であった。", "127,840千円"),
        ("投資有価証券の取得に672,261千円の支出があった。", "672,261千円"),
        ("長期借入れにより188,120千円を調達した。", "188,120千円"),
        ("財務活動によるキャッシュ・フローは188,934千円の収入であった。", "188,934千円"),
        ("貸倒引当金繰入額は2,417千円であった。", "2,417千円"),
    ],
)
def test_a_figure_on_the_other_side_is_a_conflict(text: str, figure: str) -> None:
    assert [(said, status) for said, status, _ in _wrong(text)] == [(figure, "sign_conflict")]


@pytest.mark.parametrize(
    "text",
    [
        "営業活動によるキャッシュ・フローは417,652千円の支出であった。",
        "営業活動には417,652千円の資金を使用した。",
        "投資活動では293,481千円の資金を獲得した。",
        "法人税等127,840千円の還付があった。",
        "投資有価証券を売却し、672,261千円を得た。",
        "長期借入金188,120千円を返済した。",
        "財務活動によるキャッシュ・フローは188,934千円の支出であった。",
        "貸倒引当金の戻入2,417千円があった。",
        "当期純損失は730,964千円であった。",
    ],
)
def test_the_same_side_in_other_words_is_none(text: str) -> None:
    assert _wrong(text) == []


def test_a_loss_told_as_a_profit_is_said_to_be_a_loss() -> None:
    assert _wrong("当期純利益は730,964千円であった。") == [
        ("730,964千円", "sign_conflict", "the source has 当期純損失は730,964千円")
    ]


@pytest.mark.parametrize("figure", ["81.4％", "75.0％", "66.6％"])
def test_the_items_own_tagged_value_comes_before_another_items(figure: str) -> None:
    facts = [
        _ratio("0.732", "CurrentYearInstant_NonConsolidatedMember", "2025-03-31"),
        _ratio("0.715", "Prior1YearInstant_NonConsolidatedMember", "2024-03-31"),
    ]
    said = _wrong(f"自己資本比率は{figure}である。", facts)
    note = "the source has 73.2% (tagged as 自己資本比率, 2025-03-31)"
    assert said == [(figure, "altered", note)]
    assert _wrong("自己資本比率は73.2％である。", facts) == []


def test_only_a_bound_word_is_a_side() -> None:
    assert sides_of("支出した資金は、", "（前期は583千円の支出）") == {"cash": -1}
    assert sides_of("営業キャッシュ・フローは", "の収入であった。") == {"cash": 1}
    assert sides_of("支出が増えたため、売上高は", "となった。") == {}
    assert sides_of("為替差損益は", "となった。") == {}
    assert not opposed({"cash": 1}, {"trade": -1})
    assert not opposed({"cash": 1, "trade": 1}, {"cash": 1, "trade": -1})
    assert said_with("当期純損失は9千円", 6, 9) == "当期純損失は9千円"
