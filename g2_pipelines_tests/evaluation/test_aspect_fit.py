"""Which aspect a sentence speaks of, by the judge's own words."""

from __future__ import annotations

import pytest

from g2_pipelines.evaluation.aspect_fit import aspect_fit


@pytest.mark.parametrize(
    ("sentence", "aspect"),
    [
        ("海外での販売体制を強めるため、語学に通じた人材の獲得が必要となっております。", "issues"),
        ("中期経営計画では、次の三点を主たる対処すべき課題として取り組んでいます。", "issues"),
        (
            "今後も規模の拡大を続けていくため、開発体制の増強が課題であると認識しております。",
            "issues",
        ),
        ("収益性をさらに高める必要があり、調達の仕組みを改めることが求められています。", "issues"),
        ("当社の油圧弁は世界で最も多くの建設機械に採用されております。", "strengths"),
        ("産業用軸受の国内シェアは約40％で、No.1の地位にあります。", "strengths"),
        ("国内最大級の検査設備により、取引先から信頼を得ています。", "strengths"),
        ("円安の進行により、わが国の景気は緩やかに回復しました。", "environment"),
        ("翌連結会計年度の売上高は520億円を見込んでおります。", "outlook"),
    ],
)
def test_a_sentence_speaks_of_its_aspect(sentence: str, aspect: str) -> None:
    assert aspect_fit([sentence], aspect) == 1.0


@pytest.mark.parametrize(
    ("sentence", "aspect"),
    [
        ("従業員数は1,486名であります。", "issues"),
        ("翌連結会計年度の売上高は520億円を見込んでおります。", "strengths"),
        ("円安の進行により、わが国の景気は緩やかに回復しました。", "issues"),
        ("当社の油圧弁は世界で最も多くの建設機械に採用されております。", "outlook"),
    ],
)
def test_a_sentence_speaks_of_no_other_aspect(sentence: str, aspect: str) -> None:
    assert aspect_fit([sentence], aspect) == 0.0
