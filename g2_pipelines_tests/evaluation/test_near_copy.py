"""A sentence nearly copied: one word in another's place must show, whatever else is true."""

from __future__ import annotations

import pytest

from g2_pipelines.evaluation.check import check_text
from g2_pipelines.evaluation.polarity import opposite, polar
from g2_pipelines.evaluation.sources import Source
from g2_pipelines.tables.line1 import Claim

SEGMENTS = ["工作機械事業", "計測制御事業"]
TEXT = """当連結会計年度の売上高は48,620百万円（前期比6.4％増）、営業利益は3,815百万円（前期比12.9％増）となりました。
工作機械事業の売上高は29,870百万円（前期比3.1％増）、セグメント利益は1,790百万円（前期比4.2％減）となりました。
計測制御事業の売上高は12,340百万円（前期比14.8％増）、セグメント利益は1,520百万円（前期比28.6％増）となりました。
営業損失は300百万円（前期は営業損失120百万円）となりました。
流動資産は、前連結会計年度末に比べ28億円増加し、228億円となりました。
半導体製造装置向けの需要が堅調に推移し、受注は増加しました。
為替相場は円安に推移し、輸出の採算が改善いたしました。
熟練技能者の育成が必要であり、新たな協力先を確保しております。
株式会社北星と共同で、大阪府の工場に「アオリンク」を導入しております。
海外では、ドイツの販売会社がサーボモータの販売を開始し、東邦産業株式会社が代理店となりました。
なお、当該事象による業績への影響は見込んでおりません。
"""
SOURCE = Source(source_id="filing:S1:mdna:0", text=TEXT)


def bad(text: str) -> list[Claim]:
    claims = check_text(text, [SOURCE], segments=SEGMENTS).claims
    fine = {"supported_local", "supported_elsewhere", "rounded", "derived"}
    return [claim for claim in claims if claim.status not in fine]


@pytest.mark.parametrize(
    ("old", "new", "kind", "status"),
    [
        # two figures exchanged: each stands in the source, none where it is said
        ("28億円増加し、228億円", "228億円増加し、28億円", "number", "altered"),
        ("6.4％増）、営業利益は3,815百万円（前期比12.9％", "12.9％増）、営業利益は3,815百万円（前期比6.4％", "number", "altered"),
        # a right figure on another item, segment or period
        ("、営業利益は3,815", "、経常利益は3,815", "number", "altered"),
        ("計測制御事業の売上高は12,340", "工作機械事業の売上高は12,340", "number", "altered"),
        ("流動資産は、前連結", "流動負債は、前連結", "number", "altered"),
        ("当連結会計年度の売上高は48,620", "前連結会計年度の売上高は48,620", "period", "altered"),
        # sign
        ("前期比4.2％減", "前期比4.2％増", "number", "sign_conflict"),
        ("営業利益は3,815百万円（", "営業利益は△3,815百万円（", "number", "sign_conflict"),
        # unit and scale
        ("1,790百万円", "1,790千円", "number", "scale_conflict"),
        ("前期比14.8％増", "前期比14.8ポイント増", "number", "unit_conflict"),
        # directions and denials without a figure
        ("受注は増加しました", "受注は減少しました", "statement", "sign_conflict"),
        ("円安に推移", "円高に推移", "statement", "sign_conflict"),
        ("採算が改善", "採算が悪化", "statement", "sign_conflict"),
        ("育成が必要であり", "育成が不要であり", "statement", "sign_conflict"),
        ("確保しております。", "確保しておりません。", "statement", "altered"),
        ("影響は見込んでおりません。", "影響を見込んでおります。", "statement", "altered"),
        # names
        ("株式会社北星", "東邦産業株式会社", "company", "altered"),
        ("大阪府の工場", "ドイツの工場", "place", "altered"),
        ("「アオリンク」", "「フクロウ」", "product", "altered"),
        ("サーボモータ", "ステッピングモータ", "name", "altered"),
    ],
)  # fmt: skip
def test_one_word_in_anothers_place_is_found(old: str, new: str, kind: str, status: str) -> None:
    (line,) = [line for line in TEXT.split("\n") if old in line]
    found = bad(line.replace(old, new))
    assert (kind, status) in {(claim.kind, claim.status) for claim in found}, found


@pytest.mark.parametrize(
    "text",
    [
        # a clause left out, or two of them in another order
        "当連結会計年度の営業利益は3,815百万円（前期比12.9％増）となりました。",
        "工作機械事業のセグメント利益は1,790百万円（前期比4.2％減）、売上高は29,870百万円（前期比3.1％増）となりました。",
        # the figure on its item's other side
        "計測制御事業は123億円の売上高となりました。",
        # other words for the same
        "受注は伸長しました。",
        "熟練技能者の育成が欠かせず、新たな協力先を確保しています。",
        "流動資産は、前連結会計年度末から28億円増え、228億円となりました。",
        "株式会社北星とともに、大阪府の工場へ「アオリンク」を導入しています。",
        "業績への影響は見込んでいません。",
    ],
)
def test_the_same_in_fewer_or_other_words_raises_no_alarm(text: str) -> None:
    assert bad(text) == []


def test_every_line_of_the_source_stands_as_it_is() -> None:
    assert [claim for line in TEXT.split("\n") if line for claim in bad(line)] == []


def test_a_figure_carries_what_it_is_said_of() -> None:
    text = "計測制御事業の当連結会計年度の売上高は12,340百万円でした。"
    claims = check_text(text, [SOURCE], segments=SEGMENTS).claims
    (number,) = [claim for claim in claims if claim.kind == "number"]
    assert (number.item, number.segment, number.period) == ("売上高", "計測制御事業", "current")


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("増加", "減少", True),
        ("増収", "縮小", True),
        ("増加", "拡大", False),
        ("縮小", "改善", False),  # 赤字の縮小 is its 改善
        ("必要", "不要", True),
        ("可能", "不可能", True),
        ("国内", "増加", False),
    ],
)
def test_opposites_share_an_axis(one: str, other: str, *, expected: bool) -> None:
    assert opposite(polar(one), polar(other)) is expected
    assert opposite(polar(other), polar(one)) is expected
