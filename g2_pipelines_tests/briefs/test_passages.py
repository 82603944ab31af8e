"""Sentences of a source with their headings, speakers and completeness."""

from __future__ import annotations

import pytest

from g2_pipelines.briefs.passages import heading_kind, is_complete, read_passages
from g2_pipelines.text.spans import slice_span
from g2_pipelines_tests.briefs.material import both_sections, call, section, splits_of, texts_of


def passages(text: str) -> list[tuple[str, tuple[str, ...]]]:
    rows = read_passages(splits_of([section("policy", text)]))
    return [(row.text, row.headings) for row in rows]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("１【経営方針、経営環境及び対処すべき課題等】", "title"),
        ("（３）会社の対処すべき課題", "(1)"),
        ("① 人材の確保", "①"),
        ("ａ．既存事業への投資の集中について", "a"),
        ("＜３か年変革プラン＞", "<…>"),
        ("（売上高及び営業利益）", "(…)"),
        ("モビリティへの変革の「実践」", "plain"),
        ("① 人材を確保してまいります。", None),
        ("売上高は増加しました。", None),
        ("・運営中のゲームでの信頼獲得", None),
        ("（単位：百万円）", None),
        ("1,234", None),
        ("区分\t金額", None),
    ],
)
def test_headings_are_told_from_sentences_labels_and_rows(line: str, kind: str | None) -> None:
    assert heading_kind(line) == kind


def test_a_sentence_stands_under_its_headings_and_a_new_one_closes_those_below() -> None:
    text = (
        "１【表題】\n（１）環境\n市場は拡大しております。\n（２）課題\n① 人材\n採用が難しくなっております。\n"
        "② 価格\n転嫁が遅れております。\n（３）目標\n利益を伸ばしてまいります。\n"
    )
    assert [headings for _, headings in passages(text)] == [
        ("（１）環境",),
        ("（２）課題", "① 人材"),
        ("（２）課題", "② 価格"),
        ("（３）目標",),
    ]


def test_table_rows_are_no_sentences() -> None:
    assert passages("区分\t説明です。\n市場は拡大しております。\n")[0][0].startswith("市場")


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("市場は拡大しております。", True),
        ("・市場は拡大しております。", False),
        ("（注）市場は拡大しております。", False),
        ("「市場は拡大しております。", False),
        ("市場の拡大", False),
        ("The market is expanding quickly.", True),
    ],
)
def test_only_whole_sentences_can_stand_in_a_summary(text: str, complete: bool) -> None:
    assert is_complete(text) is complete


def test_speakers_are_known_and_spans_skip_the_fillers() -> None:
    transcript, _, _ = call()
    splits = splits_of([], with_call=True)
    rows = read_passages([one for one in splits if one.source_type == "transcript_qa"])
    assert {row.role for row in rows} == {"question", "answer"}
    texts = texts_of(both_sections(), transcript)
    for row in rows:
        assert row.text == "".join(slice_span(span, texts) for span in row.spans)
        assert "えー" not in row.text
