"""What was done, not done or only planned, told in other words than the source."""

from __future__ import annotations

import pytest

from g2_pipelines_tests.evaluation.pairs import cases, judged, told

# source → texts and what they are: "ok", "bad", or the status and words of the note.
PAIRS = {
    "新工場の建設を見送りました。": [
        ("新工場を建設した。", "bad"),
        ("新工場の建設を決定した。", "bad"),
        ("新工場の建設は見送られた。", "ok"),
        ("新工場は建設しなかった。", "ok"),
    ],
    "期末配当を実施しました。": [
        ("期末配当を見送った。", "bad"),
    ],
    "期末配当を実施しませんでした。": [
        ("期末配当を実施した。", "bad"),
        ("期末配当は実施しなかった。", "ok"),
    ],
    "当期は自己株式の取得を行いませんでした。": [
        ("自己株式を取得した。", "bad"),
    ],
    "当期は自己株式の取得を行いました。": [
        ("自己株式は取得していない。", "bad"),
    ],
    "米国での販売を開始いたしました。": [
        ("米国での販売開始を断念した。", "bad"),
    ],
    "減損損失は計上しておりません。": [
        ("減損損失を計上した。", "bad"),
        ("減損損失の計上はなかった。", "ok"),
    ],
    "減損損失を計上いたしました。": [
        ("減損損失は計上しなかった。", "bad"),
    ],
    "海外工場からの撤退を決定しました。": [
        ("海外工場からの撤退を見送った。", "bad"),
    ],
    "新工場の建設を計画しております。": [
        ("新工場を建設した。", "bad"),
        ("新工場の建設を計画している。", "ok"),
    ],
    "新工場を建設いたしました。": [
        ("新工場を建設した。", "ok"),
    ],
    "専門人材の確保が課題であると認識しております。": [
        ("専門人材が当社の強みである。", "bad"),
        ("専門人材の確保が課題である。", "ok"),
    ],
    "熟練技能者による加工技術が当社の強みであります。": [
        ("加工技術に課題がある。", "bad"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("source", "text", "expected"), cases(PAIRS))
def test_a_text_is_judged_as_a_reader_would(source: str, text: str, expected: str) -> None:
    assert told(judged(source, text), expected)
