"""A figure belongs to an item and a time; a change of it is not the amount itself."""

from __future__ import annotations

import pytest

from g2_pipelines.evaluation.times import times_differ
from g2_pipelines_tests.evaluation.pairs import cases, judged, told

# source → texts and what they are: "ok", "bad", or the status and words of the note.
PAIRS = {
    "営業利益は24億円で、前期の26億円から減益となりました。": [
        ("営業利益は26億円である。", "bad"),
        ("営業利益は26億円の増益となった。", "bad"),
        ("営業利益は24億円で減益だった。", "ok"),
        ("前期の営業利益は26億円であった。", "ok"),
        ("営業利益は前期の26億円から24億円に減少した。", "ok"),
        ("営業利益は前期比2億円の減益である。", "ok"),
        ("営業利益は前期比2億円の増益である。", "sign_conflict"),
        ("営業利益は24億円の減益となった。", "bad"),
        ("当期の営業利益は26億円となった。", "bad"),
        ("前期の営業利益は24億円であった。", "bad"),
        ("営業利益は24億円に増加した。", "sign_conflict"),
    ],
    "売上高は前期比2億円増加し、48億円となりました。": [
        ("売上高は2億円であった。", "bad"),
        ("売上高は48億円増加した。", "bad"),
        ("売上高は48億円で、前期から2億円増えた。", "ok"),
        ("売上高は2億円増の48億円である。", "ok"),
        ("売上高は増収となり、48億円に達した。", "ok"),
    ],
    "売上高は48億円（前期は45億円）となりました。": [
        ("売上高は45億円となった。", "bad"),
        ("売上高は前期の45億円から48億円に増加した。", "ok"),
    ],
    "2025年3月期の営業利益は24億円、2024年3月期の営業利益は26億円でした。": [
        ("2025年3月期の営業利益は26億円であった。", "bad"),
        ("営業利益は24億円であった。", "ok"),
    ],
    "当期の営業利益は24億円となりました。来期の営業利益は30億円を見込んでおります。": [
        ("営業利益は30億円となった。", "bad"),
        ("来期の営業利益は30億円を見込む。", "ok"),
        ("営業利益は30億円を計画している。", "ok"),
    ],
    "経常利益は前期の12億円から15億円へ増加しました。": [
        ("経常利益は12億円となった。", "bad"),
        ("経常利益は3億円増加した。", "ok"),
        ("経常利益は3億円減少した。", "sign_conflict"),
        ("経常利益は25％増加した。", "ok"),
    ],
    "上期の売上高は22億円、下期の売上高は26億円でした。": [
        ("上期の売上高は26億円だった。", "bad"),
        ("下期の売上高は26億円だった。", "ok"),
    ],
    "上期の売上高は22億円、通期の売上高は48億円でした。": [
        ("通期の売上高は22億円だった。", "bad"),
    ],
    "当第2四半期の売上高は22億円、前年同期の売上高は20億円でした。": [
        ("当第2四半期の売上高は20億円だった。", "bad"),
    ],
    "営業損失は3億円（前期は営業損失5億円）と赤字幅が縮小しました。": [
        ("営業損失は前期の5億円から3億円に縮小した。", "ok"),
        ("営業赤字は3億円に縮小した。", "ok"),
    ],
    "営業損失は3億円（前期は営業利益5億円）となりました。": [
        ("営業利益は5億円となった。", "bad"),
        ("前期の営業利益は5億円であった。", "ok"),
        ("営業損益は前期の5億円の利益から3億円の損失となった。", "ok"),
    ],
    "2026年3月期の配当は60円を予定しております。2025年3月期の配当は50円といたしました。": [
        ("2025年3月期の配当は60円である。", "bad"),
    ],
    "2026年3月期の売上高は51,000百万円、営業利益は4,200百万円を計画しております。当期の売上高は48,620百万円でした。": [
        ("売上高は51,000百万円となった。", "bad"),
        ("来期の売上高は51,000百万円を計画する。", "ok"),
        ("来期は売上高510億円、営業利益42億円を見込む。", "ok"),
        ("2026年3月期は増収を計画する。", "ok"),
    ],
    "\t2024年3月期\t2025年3月期\n売上高（百万円）\t45,696\t48,620\n営業利益（百万円）\t3,380\t3,815\n自己資本比率（％）\t62.0\t63.5\n": [
        ("自己資本比率は62.0％である。", "bad"),
        ("自己資本比率は63.5％に上昇した。", "ok"),
        ("2024年3月期の売上高は48,620百万円である。", "bad"),
        ("営業利益は12.9％増の38億円となった。", "ok"),
        ("営業利益は435百万円減少した。", "sign_conflict"),
        ("売上高は456億円から486億円へ増加した。", "ok"),
    ],
    "工作機械事業の営業利益は5億円（前期は7億円）、計測制御事業の営業利益は9億円（前期は6億円）でした。": [
        ("工作機械事業の営業利益は7億円である。", "bad"),
        ("計測制御事業の営業利益は5億円である。", "bad"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("source", "text", "expected"), cases(PAIRS))
def test_a_text_is_judged_as_a_reader_would(source: str, text: str, expected: str) -> None:
    assert told(judged(source, text), expected)


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("current", "previous", True),
        ("previous", "same_last_year", False),
        ("FY2025-03", "FY2024-03", True),
        ("FY2025-03", "FY2025-03-Q2", False),
        ("FY2025-03-Q2", "FY2025-03-Q3", True),
        ("H1", "H2", True),
        ("Q2", "H1", False),
        ("full", "H1", True),
        ("current", "FY2025-03", False),  # may be the same
        ("2025-03-31", "2024-03-31", False),  # dates are judged as periods of their own
    ],
)
def test_two_keys_mean_two_times(one: str, other: str, *, differ: bool) -> None:
    assert times_differ(one, other) is differ
    assert times_differ(other, one) is differ


def test_what_a_sentence_before_speaks_of_goes_on() -> None:
    source = "営業利益は24億円で、前期の26億円から減益となりました。"
    assert judged(source, "前期の業績を述べる。営業利益は26億円であった。") == []
    assert told(judged(source, "当期の業績を述べる。営業利益は26億円であった。"), "altered:24億円")


def test_the_year_that_the_sources_report_on_is_the_current_one() -> None:
    """FY2025-03 is told of twice, the plan's year once: 前期 is the year before FY2025-03."""
    source = (
        "2025年3月期の売上高は48億円、2025年3月期の受注高は50億円でした。"
        "自己資本比率は前連結会計年度末の62.0％から63.5％となりました。"
        "2028年3月期は売上高58億円を計画しております。"
    )
    said = "2025年3月期の売上高は48億円であった。自己資本比率は"
    assert judged(source, f"{said}63.5％となった。") == []
    assert told(judged(source, f"{said}62.0％となった。"), "altered:63.5％")
    assert told(judged(source, f"{said}68.0％となった。"), "altered:63.5％")
