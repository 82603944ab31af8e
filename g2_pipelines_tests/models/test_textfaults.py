"""Texts that are none: echoes of their instruction, announcements, short Chinese."""

from __future__ import annotations

import pytest

from g2_pipelines.models.textfaults import content_fault, text_fault

INSTRUCTION = (
    "この後、青嶺精機株式会社の事業の「課題」についての要約を書きます。その下準備として、上の資料から"
    "「課題」の説明に要る内容だけを残した文章を、136トークン以内で書いてください。\n"
    "ここで「課題」とは、会社が対処すべきこと、不足、リスク、その理由と対応を指します。"
)
ENGLISH = (
    "A summary of the issues of the business of Aomine Seiki will be written next. To prepare it, "
    "write a text of at most 136 tokens that keeps from the document above only what is needed."
)


@pytest.mark.parametrize(
    "text",
    [
        INSTRUCTION,
        "青嶺精機株式会社の事業の「課題」についての要約を書きます。",
        "青嶺精機株式会社の事業の課題についての要約",  # the quotes left out
        "その下準備として、上の資料から「課題」の説明に要る内容だけを残した文章を、136トークン以内で",
        "以下の通りです。この後、青嶺精機株式会社の事業の「課題」についての要約を書きます。",
    ],
)
def test_an_instruction_said_again_is_an_echo(text: str) -> None:
    assert "instruction_echo" in (content_fault(text, INSTRUCTION) or "")


def test_an_english_echo_is_found_too() -> None:
    said = (
        "Write a text of at most 136 tokens that keeps from the document above only what is needed."
    )
    assert "instruction_echo" in (content_fault(said, ENGLISH) or "")


@pytest.mark.parametrize(
    "text",
    [
        "以下の通りです。",
        "青嶺精機の課題は、以下のとおりである。",
        "課題は次の三つの文で要約されます。",
        "課題を、三つの文で要約します。第一文では、人材の状況を説明します。第二文では、調達の状況を説明します。",
        "事前要約です。",
        "Here is the summary:",
        "Sure! Here are the issues of the company.",
    ],
)
def test_an_announcement_alone_has_no_content(text: str) -> None:
    assert "no_content" in (content_fault(text, "別の依頼です。") or "")


@pytest.mark.parametrize(
    "text",
    [
        "青嶺精機株式会社の事業の課題は、熟練工の不足である。",
        "課題は以下の通りです。熟練工が不足し、再雇用を進めている。",
        "会社が対処すべきことは銅価格の上昇であり、価格改定の交渉を急いでいる。",
        "決算説明会で社長は来期の見通しを説明した。売上高は12,300百万円を見込む。",
        "Here is what matters: orders fell by 12% and the company cut its capital spending.",
        "人手不足。",
        "不足",  # a word of the instruction, alone
    ],
)
def test_a_sentence_that_says_something_is_enough(text: str) -> None:
    """Harm: a good summary refused twice is a brief lost."""
    assert content_fault(text, INSTRUCTION) is None


@pytest.mark.parametrize(
    "text",
    [
        "原材料涨价。",  # 涨 and the like stand in no Japanese character set
        "公司业务环境严峻。",
        "公司面臨原材料價格上漲的壓力。",  # traditional characters are all Japanese ones
        "市场竞争激烈",
    ],
)
def test_short_chinese_is_not_japanese(text: str) -> None:
    expected = None if text == "原材料涨价。" else "the answer is not in Japanese"
    assert text_fault(text, "ja") == expected


@pytest.mark.parametrize(
    "text",
    [
        "増収増益。",
        "売上高12,300百万円",
        "髙島屋、﨑陽軒",
        "小型モータ事業",
        "2028年３月期",
        "国内市場縮小、人材不足",
    ],
)
def test_short_japanese_is_left_alone(text: str) -> None:
    assert text_fault(text, "ja") is None
