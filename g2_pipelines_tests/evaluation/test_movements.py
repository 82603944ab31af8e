"""Amounts, their changes and the amounts before; sides of zero; measures in kanji."""

from __future__ import annotations

import pytest

from g2_pipelines.evaluation.check import check_text
from g2_pipelines.evaluation.sources import Source

# 1,241 - 17 = 1,224; 6,404 + 318 = 6,722; 21兆207億 - 3兆4,375億 = 17兆5,832億; 37.7 - 0.4 = 37.3.
SOURCE = """売上総利益は、前連結会計年度と比べ17億円増加し、1,241億円となりました。
セグメント資産は、前連結会計年度末に比べて318百万円減少し、6,404百万円となりました。
営業収益は21兆207億円と、前連結会計年度に比べて３兆4,375億円（19.6％）の増収となりました。
売上原価率は、前連結会計年度と比べ0.4ポイント増加し、37.7％となりました。
公開投資先について合計42,648百万円の未実現評価益（純額）を計上いたしました。
税引前利益(310億円)の計上により、手元の資金が増えました。
予定地の面積は十二・七四ヘクタール、盛り土の高さは約二・五メートルでございます。
"""
BAD = {"altered", "missing", "sign_conflict", "unit_conflict", "scale_conflict"}


def _bad(text: str) -> list[str]:
    claims = check_text(text, [Source(source_id="s", text=SOURCE)]).claims
    return [f"{claim.text}: {claim.status}" for claim in claims if claim.status in BAD]


@pytest.mark.parametrize(
    "text",
    [
        "売上総利益は1,241億円で、前連結会計年度の1,224億円から17億円増加した。",
        "セグメント資産は6,404百万円で、前連結会計年度末の6,722百万円から減少した。",
        "営業収益は前連結会計年度から3兆4,375億円増加し、21兆207億円となった。",
        "営業収益は21兆207億円で、前連結会計年度の17兆5,832億円から3兆4,375億円増加した。",
        "売上原価率は37.7％で、前連結会計年度の37.3％から上昇した。",
        "予定地は127,400平方メートルでございます。",
        "盛り土の高さは約2.5メートルでございます。",
    ],
)
def test_what_follows_from_an_amount_and_its_change_is_right(text: str) -> None:
    assert _bad(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "売上総利益は1,241億円で、前連結会計年度の17億円から増加した。",
        "売上総利益は1,224億円で、前連結会計年度から17億円増加した。",
        "セグメント資産は6,722百万円で、前連結会計年度末から318百万円減少した。",
        "セグメント資産は6,404百万円で、前連結会計年度末の6,722百万円から増加した。",
        "営業収益は前連結会計年度から3兆4,375億円減少し、21兆207億円となった。",
        "売上原価率は37.7％で、前連結会計年度の0.4％に対し上昇となった。",
        "公開投資先について合計42,648百万円の未実現評価損（純額）を計上いたしました。",
        "税引前損失(310億円)の計上により、手元の資金が増えました。",
        "予定地の面積は十八・七四ヘクタール、盛り土の高さは約二・五メートルでございます。",
        "予定地の面積は十二・七四平方メートル、盛り土の高さは約二・五メートルでございます。",
    ],
)
def test_a_movement_or_measure_told_wrongly_is_flagged(text: str) -> None:
    assert _bad(text)
