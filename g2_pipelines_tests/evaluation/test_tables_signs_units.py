"""Bare figures of tables: their sign, their unit, and what is made of two of them."""

from __future__ import annotations

import pytest

from g2_pipelines.evaluation.check import check_text
from g2_pipelines.evaluation.sources import Source

TEXT = """当連結会計年度の経営成績は次のとおりです。
\t当連結会計年度（百万円）\t増減（百万円）\t前連結会計年度（百万円）
工作機械事業\t1,840\t△4,929\t6,769
計測制御事業\t△615\t△1,937\t1,322
合計\t1,225\t△6,866\t8,091
会員向け売上\t(千円)\t265,034\t89.3
当期の新製品は31機種となりました。
法人税等は1,924百万円（前期157百万円）となりました。
修繕費は前連結会計年度に比べ28億円増加し、228億円となりました。
評価損失611百万円を計上しました。
当事業年度の売上高は5,064百万円、営業損失は813百万円（前事業年度は営業損失207百万円）となりました。
"""
GOOD = {"supported_local", "supported_elsewhere", "rounded", "derived"}


def _statuses(text: str) -> list[tuple[str, str]]:
    claims = check_text(
        text,
        [Source(source_id="青嶺精機", text=TEXT)],
        segments=["工作機械事業", "計測制御事業"],
    ).claims
    return [(claim.text, claim.status) for claim in claims if claim.status not in GOOD]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("当連結会計年度の工作機械事業は△1,840百万円でした。", ("△1,840百万円", "sign_conflict")),
        ("当連結会計年度の工作機械事業は1,840百万ドルでした。", ("1,840百万ドル", "unit_conflict")),
        ("当連結会計年度の会員向け売上は265,034円でした。", ("265,034円", "scale_conflict")),
        ("評価利益611百万円を計上しました。", ("611百万円", "sign_conflict")),
        ("前連結会計年度の工作機械事業は1,840百万円でした。", ("1,840百万円", "altered")),
        ("当期の新製品は31％となりました。", ("31％", "unit_conflict")),
    ],
)
def test_a_cells_sign_and_unit_bind(text: str, wrong: tuple[str, str]) -> None:
    assert _statuses(text) == [wrong]


@pytest.mark.parametrize(
    "text",
    [
        "当連結会計年度の工作機械事業は1,840百万円でした。",
        "当連結会計年度の計測制御事業は△615百万円でした。",
        "当連結会計年度の会員向け売上は265,034千円でした。",
        "法人税等は、前期に比べ1,767百万円増加し、1,924百万円となりました。",
        "修繕費は、前連結会計年度の200億円から228億円に増加しました。",
        "当事業年度は、営業損失813百万円（前事業年度は営業損失207百万円）、売上高5,064百万円となりました。",
    ],
)
def test_the_same_in_other_words_is_borne_out(text: str) -> None:
    assert _statuses(text) == []
