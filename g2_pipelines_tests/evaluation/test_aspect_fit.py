"""Which aspect a sentence speaks of, by the judge's own words."""

from __future__ import annotations

import pytest

from g2_pipelines.evaluation.aspect_fit import aspect_fit, other_aspect
from g2_pipelines.tables.rows import Span
from g2_pipelines_tests.evaluation.pairs import judged


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


def _at(section: str) -> list[Span]:
    return [Span(source_id=f"filing:S9000A01:{section}:0", start=0, end=9)]


@pytest.mark.parametrize(
    ("sentence", "aspect", "section", "spoken"),
    [
        ("熟練技能者の確保が課題であると認識しております。", "strengths", "policy", "issues"),
        ("原材料価格が高騰するリスクがあります。", "strengths", "risks", "issues"),
        ("翌連結会計年度の売上高は520億円を見込んでおります。", "issues", "mdna", "outlook"),
        # the aspect's own words, or not enough of another's: no finding
        ("熟練技能者の確保が課題であると認識しております。", "issues", "risks", None),
        ("リスクを抑える独自の技術が強みであります。", "strengths", "risks", None),
        ("従業員数は1,486名であります。", "strengths", "business", None),
    ],
)
def test_a_sentence_of_another_aspect_is_told_by_words_and_section(
    sentence: str, aspect: str, section: str, spoken: str | None
) -> None:
    assert other_aspect(sentence, aspect, _at(section)) == spoken


def test_one_word_counts_where_the_section_leans_the_same_way() -> None:
    """One match of 課題's words: 1 + 1 from 事業等のリスク is sure, 1 + 0 - 0.5 from 事業の内容 is not."""
    sentence = "鋳物の不足が生じております。"
    assert other_aspect(sentence, "strengths", _at("risks")) == "issues"
    assert other_aspect(sentence, "strengths", _at("business")) is None


def test_a_configured_aspect_has_no_other() -> None:
    assert other_aspect("人材の確保が課題であります。", "governance", _at("risks")) is None


@pytest.mark.parametrize(
    ("source", "text", "note"),
    [
        ("専門人材の確保が課題であると認識しております。", "専門人材が当社の強みである。", "aspect: 強み here, 課題 in the source"),
        ("熟練技能者による加工技術が当社の強みであります。", "加工技術に課題がある。", "aspect: 課題 here, 強み in the source"),
    ],
)  # fmt: skip
def test_a_problem_told_as_a_strength_is_altered(source: str, text: str, note: str) -> None:
    assert [(claim.status, claim.note) for claim in judged(source, text)] == [("altered", note)]
