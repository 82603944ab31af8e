"""Names of regions and products that only the sources give: found, and held against."""

from __future__ import annotations

import pytest

from g2_pipelines.evaluation.breakdowns import MOST, breakdowns, name_of
from g2_pipelines.evaluation.check import check_text
from g2_pipelines.evaluation.labels import last_segment
from g2_pipelines.evaluation.sources import Source

REPORT = """地域別の売上高は次のとおりです。
\t2023年３月期\t2024年３月期
金額（百万円）\t金額（百万円）\t伸び率（％）
日本\t41,200\t43,870\t＋6.5
北米\t12,310\t15,644\t＋27.1
その他の地域\t2,105\t2,260\t＋7.4
合計\t55,615\t61,774\t＋11.1
a.東南アジア
売上高は3,218百万円と、前連結会計年度に比べて402百万円の増収となりました。
b.欧州
売上高は9,774百万円と、前連結会計年度に比べて1,135百万円の減収となりました。
業務用冷凍食品の売上高は、新製品の寄与により8,416百万円となりました。
家庭用冷凍食品の売上高は、価格改定により5,093百万円となりました。
"""
SOURCES = [Source(source_id="みなと食品", text=REPORT)]


def _bad(text: str) -> list[tuple[str, str]]:
    good = {"supported_local", "supported_elsewhere", "rounded", "derived"}
    claims = check_text(text, SOURCES).claims
    return [(claim.kind, claim.text) for claim in claims if claim.status not in good]


def test_rows_headings_and_sentences_give_names() -> None:
    assert breakdowns(REPORT) == [
        "日本",
        "北米",
        "東南アジア",
        "欧州",
        "業務用冷凍食品",
        "家庭用冷凍食品",
    ]


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("精密機器（百万円）", "精密機器"),
        ("うち眼科薬", "眼科薬"),
        ("＜海外卸売＞", "海外卸売"),
        ("①法人向けサービス", "法人向けサービス"),
        ("合計", ""),
        ("精密機器　計", ""),
        ("その他の地域", ""),
        ("販売費及び一般管理費", ""),
        ("売上高", ""),
        ("親会社株主に帰属する当期純利益", ""),
        ("流動負債合計", ""),
        ("2024年３月期", ""),
        ("為替変動による減少", ""),
    ],
)
def test_a_label_names_a_part_or_a_count(label: str, name: str) -> None:
    assert name_of(label) == name


@pytest.mark.parametrize(
    "text",
    [
        "2024年３月期の北米の売上高は15,644百万円でした。",
        "欧州の売上高は9,774百万円となりました。",
        "東南アジアでは、売上高が前連結会計年度に比べて402百万円増加しました。",
        "業務用冷凍食品の売上高は84億円となりました。",
    ],
)
def test_a_right_name_is_borne_out(text: str) -> None:
    assert _bad(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "2024年３月期の日本の売上高は15,644百万円でした。",
        "東南アジアの売上高は9,774百万円となりました。",
        "家庭用冷凍食品の売上高は、新製品の寄与により8,416百万円となりました。",
    ],
)
def test_a_figure_of_another_part_is_found(text: str) -> None:
    assert [kind for kind, _ in _bad(text)] in (["number"], ["number", "segment"])


def test_an_altered_name_is_found() -> None:
    assert ("segment", "業務用冷蔵食品") in _bad(
        "業務用冷蔵食品の売上高は、新製品の寄与により8,416百万円となりました。"
    )


def test_a_name_ends_where_its_word_ends() -> None:
    assert last_segment("日本の売上高は", ["日本"]) == "日本"
    assert last_segment("日本銀行の公表は", ["日本"]) is None
    assert last_segment("東日本の売上高は", ["日本"]) is None
    assert last_segment("北米市場の売上高は", ["北米"]) == "北米"
    assert last_segment("金融事業セグメントの営業収益は", ["自動車", "金融"]) == "金融"


def test_rows_without_end_give_a_bounded_number_of_names() -> None:
    rows = "\n".join(f"製品{chr(0x4E00 + i)}群\t{i + 1000}" for i in range(3000))
    assert len(breakdowns(f"{rows}\n合計\t9,999")) == MOST


@pytest.mark.parametrize("end", ["改善", "強化", "推進", "向上", "拡大", "育成", "見直し", "低減"])
def test_what_a_company_does_is_no_part_of_it(end: str) -> None:
    """A heading right before sales or a table's row, which a name would be too."""
    text = f"① 収益性の{end}\n売上高は6,120百万円となりました。\n② 精密部品\n売上高は2,480百万円となりました。\n"
    assert breakdowns(text) == ["精密部品"]


@pytest.mark.parametrize("period", ["来期", "翌年度", "上半期", "前年同期"])
def test_a_period_is_no_part_either(period: str) -> None:
    assert breakdowns(f"{period}の営業利益は30億円を見込んでおります。") == []
