"""Lists that a sentence introduces: read whole, cited entry by entry, never lost."""

from __future__ import annotations

import pytest

from g2_pipelines.briefs.config import load_config
from g2_pipelines.briefs.lists import Listing, introduces
from g2_pipelines.text.spans import slice_span
from g2_pipelines_tests.briefs.material import (
    extractive_brief,
    section,
    small_config,
    splits_of,
    texts_of,
)

INTRODUCTION = (
    "2027年度までの中期経営計画を策定し、以下の３つの方針を主たる課題として取り組んでいます。"
)
LISTED = f"""(1) 中期経営計画について
当社は巻線機を製造しております。{INTRODUCTION}
(ⅰ) 熟練工の技能の伝承
(ⅱ) 北部工場の老朽設備の更新
(ⅲ) 銅価格に左右されない調達
2027年度には売上高90億円を目指してまいります。
"""


def issues(text: str, budget: int = 600) -> list[str]:
    """The sentences of the brief's issues; each is checked against its spans."""
    rows = [section("policy", text)]
    config = small_config(final_tokens=budget)
    _, final = extractive_brief(splits_of(rows), config, "issues")
    for one in final.sentences:
        quoted = "".join(slice_span(span, texts_of(rows, None)) for span in one.spans)
        assert final.nothing_found or quoted == final.text[one.start : one.end]
    return [final.text[one.start : one.end] for one in final.sentences]


def test_an_introducing_sentence_brings_its_entries() -> None:
    """They have no predicate and no full stop, yet they are what the company must do."""
    assert issues(LISTED) == [
        INTRODUCTION,
        "(ⅰ) 熟練工の技能の伝承",
        "(ⅱ) 北部工場の老朽設備の更新",
        "(ⅲ) 銅価格に左右されない調達",
    ]


def test_a_list_serves_no_other_aspect() -> None:
    splits = splits_of([section("policy", LISTED)])
    _, outlook = extractive_brief(splits, load_config(None), "outlook")
    assert "90億円" in outlook.text
    assert "技能の伝承" not in outlook.text


@pytest.mark.parametrize(
    ("marks", "between"),
    [
        (("①", "②", "③"), ""),
        (("(1) ", "(2) ", "(3) "), ""),
        (("１．", "２．", "３．"), ""),
        (("ａ．", "ｂ．", "ｃ．"), ""),
        (("イ．", "ロ．", "ハ．"), ""),
        (("・", "・", "・"), ""),
        (("－ ", "－ ", "－ "), ""),
        (("① ", "② ", "③ "), "設備は昭和の末に据え付けたものです。\n"),
    ],
)
def test_entries_are_known_by_any_usual_mark(marks: tuple[str, ...], between: str) -> None:
    names = ("技能の伝承", "設備の更新", "調達の分散")
    lines = [f"{mark}{name}" for mark, name in zip(marks, names, strict=True)]
    head = "当社の対処すべき課題は、以下のとおりであります。"
    text = head + "\n" + "".join(f"{line}\n{between}" for line in lines)
    assert issues(text) == [head, *lines]


def test_an_entry_is_shown_up_to_its_first_full_stop() -> None:
    text = (
        "対処すべき課題は次のとおりです。\n"
        "① 人材を確保すること。工業高校との縁を深めます。\n"
        "② 設備を更新すること。\n"
    )
    assert issues(text)[1:] == ["① 人材を確保すること。", "② 設備を更新すること。"]


def test_what_does_not_count_on_is_no_entry() -> None:
    listing = Listing(0)
    taken = [listing.take(line) for line in ("(1) 人材", "(3) 設備", "説明の文。", "(2) 設備")]
    assert taken == [True, False, False, True]
    assert not Listing(0).take("(2) 設備の更新")
    bullets = Listing(0)
    assert [bullets.take(line) for line in ("・人材確保", "説明の文。", "・設備更新")] == [
        True,
        False,
        False,
    ]


def test_a_list_that_names_no_aspect_is_not_shown() -> None:
    assert issues("セグメント別の業績は、次のとおりであります。\n① 電機事業\n② 物流事業\n") == [
        "該当する記載なし"
    ]


def test_a_pointer_without_a_list_is_not_shown() -> None:
    assert issues("対処すべき課題は次のとおりです。\n区分\t金額\n人材\t12\n") == [
        "該当する記載なし"
    ]


def test_a_budget_too_small_for_the_list_shows_its_beginning() -> None:
    said = issues(LISTED, budget=len(INTRODUCTION) + 20)
    assert said == [INTRODUCTION, "(ⅰ) 熟練工の技能の伝承"]


def test_pointing_words_alone_introduce_a_list() -> None:
    assert introduces("当社が取り組む次の３つの課題を掲げております。")
    assert introduces("重点施策は下記の通りです。")
    assert not introduces("次の世代に技能を伝えます。")


def test_what_stands_under_another_entry_is_set_apart_from_the_list() -> None:
    """Of the second list only prose is chosen: it must not read as said of the first's (ⅲ)."""
    text = f"""(1) 中期経営計画について
{INTRODUCTION}
(ⅰ) 熟練工の技能の伝承
(ⅱ) 北部工場の老朽設備の更新
(ⅲ) 銅価格に左右されない調達
長期契約の比率が低いことが調達の課題であります。
(2) その他の事項
① 南部支店
南部支店では人材の確保が最大の課題となっております。
"""
    _, final = extractive_brief(splits_of([section("policy", text)]), small_config(), "issues")
    listed, _, rest = final.text.partition("\n\n")
    assert listed.endswith(
        "銅価格に左右されない調達\n長期契約の比率が低いことが調達の課題であります。"
    )
    assert rest == "南部支店では人材の確保が最大の課題となっております。"
