"""What tells the aspects apart in a sentence: modality, subject, results, headings."""

from __future__ import annotations

import pytest

from g2_pipelines.briefs.config import load_config
from g2_pipelines.briefs.lexicon import FIT, Lexicon, rivals

CONFIG = load_config(None)
JAPANESE = Lexicon(CONFIG.aspects, "ja")
ENGLISH = Lexicon(CONFIG.aspects, "en")


def best(text: str, *headings: str, lexicon: Lexicon = JAPANESE) -> str:
    scores = lexicon.scores(text, headings)
    key = max(scores, key=lambda name: scores[name])
    return key if scores[key] >= FIT else ""


@pytest.mark.parametrize(
    ("text", "aspect"),
    [
        ("工作機械の市場は、電気自動車への移行により縮小が続いております。", "environment"),
        ("当社が主に事業を展開する国内の塗料市場は、競争が激化しております。", "environment"),
        ("人材の確保が重要な課題であると認識しております。", "issues"),
        ("販売の体制を見直す必要が出てきております。", "issues"),
        ("2030年３月期までに売上高500億円を目指してまいります。", "outlook"),
        ("来期の営業利益は42億円を見込んでおります。", "outlook"),
        ("当社の強みである一貫生産により、短納期を実現しております。", "strengths"),
        ("世界で最も広く採用されている制御技術の特許を保有しております。", "strengths"),
        ("当社の自社ブランドは、独自の製法により他社との差別化を実現しております。", "strengths"),
        # Sold under the customer's own brand now: lost, and no strength.
        ("実際、缶詰は、ある小売店様の自社ブランドに替わりました。", ""),
        # Results and pointers are for no aspect.
        ("売上高は12,300百万円（前期比2.1％増）となりました。", ""),
        ("営業活動によるキャッシュ・フローは840百万円の増加となりました。", ""),
        ("経営成績の概要は次のとおりであります。", ""),
    ],
)
def test_a_sentence_is_known_by_its_modality_subject_and_words(text: str, aspect: str) -> None:
    assert best(text) == aspect


def test_wanting_an_advantage_is_not_having_one() -> None:
    has = JAPANESE.scores("当社は国内で首位のシェアを有しております。")["strengths"]
    wants = JAPANESE.scores("当社は国内で首位のシェアを目指してまいります。")["strengths"]
    assert has >= FIT > wants


def test_what_was_done_is_no_outlook() -> None:
    plan = JAPANESE.scores("中期経営計画を推進してまいります。")["outlook"]
    done = JAPANESE.scores("中期経営計画を推進してまいりました。")["outlook"]
    assert plan >= FIT
    assert done < plan - 3


def test_a_heading_lends_its_aspect_to_a_sentence_without_words_of_its_own() -> None:
    text = "塗装工程の作業者の半数が五年以内に定年を迎えます。"
    assert best(text) == ""
    assert best(text, "(4) 対処すべき課題", "① 技能の継承") == "issues"
    assert best(text, "(3) 当社グループの強み") == "strengths"


def test_a_heading_that_names_two_aspects_is_shared_by_them() -> None:
    text = "塗装工程の作業者の半数が五年以内に定年を迎えます。"
    alone = JAPANESE.scores(text, ["対処すべき課題"])["issues"]
    shared = JAPANESE.scores(text, ["経営環境及び対処すべき課題"])["issues"]
    assert shared < alone


def test_full_width_and_half_width_writing_score_alike() -> None:
    assert JAPANESE.scores("ＲＯＥ１０％を目標としております。") == JAPANESE.scores(
        "ROE10%を目標としております。"
    )


@pytest.mark.parametrize(
    ("text", "aspect"),
    [
        ("Demand for machine tools remained weak as the economy slowed.", "environment"),
        ("We must secure skilled workers to keep our plants running.", "issues"),
        ("We expect net sales of 51 billion yen in fiscal 2026.", "outlook"),
        ("Our main strength is a patented compensation technology.", "strengths"),
        ("Net sales increased 6.4% compared with the previous year.", ""),
        ("See note 5 for details of our strategy.", ""),
    ],
)
def test_english_is_told_apart_too(text: str, aspect: str) -> None:
    assert best(text, lexicon=ENGLISH) == aspect


def test_built_in_aspects_share_sentences_out_and_added_ones_stand_aside() -> None:
    added = CONFIG.aspects[0].model_copy(update={"key": "risks"})
    aspects = (*CONFIG.aspects, added)
    assert rivals(aspects, "issues") == ("environment", "issues", "outlook", "strengths")
    assert rivals(aspects, "risks") == ("risks",)
