"""The checks of a brief: a gate that does not close publishes a false figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from pydantic import ValidationError

from g2_pipelines.evaluation.brief import Thresholds, evaluate
from g2_pipelines.evaluation.sources import Source
from g2_pipelines.tables.line1 import BriefEvaluation, Check, Summary, SummarySentence
from g2_pipelines.tables.rows import Span
from g2_pipelines_tests.evaluation.samples import ASPECT, SEGMENTS, SOURCE, summary

GOOD = "2026年3月期は売上高51,000百万円を計画しており、株式会社北星の「アオリンク」を導入してまいります。"


def judged(text: str, *, others: Sequence[Summary] = (), **more: Any) -> BriefEvaluation:
    return evaluate(
        summary(text, **more),
        sources=[SOURCE],
        segments=SEGMENTS,
        others=others,
        aspect=ASPECT,
        budget=100,
    )


def check(evaluation: BriefEvaluation, name: str) -> Check:
    (found,) = [item for item in evaluation.checks if item.name == name]
    return found


def failed(evaluation: BriefEvaluation) -> list[str]:
    return [item.name for item in evaluation.checks if not item.passed]


def test_a_true_and_clean_text_passes_every_check() -> None:
    evaluation = judged(GOOD, engine="extractive")
    assert failed(evaluation) == []
    assert evaluation.passed
    assert {c.name for c in evaluation.checks if c.gate} == {
        "missing_numbers",
        "altered_segments",
        "truncated",
        "empty",
    }


@pytest.mark.parametrize(
    ("text", "more", "gate"),
    [
        ("2026年3月期は売上高57,000百万円を計画しております。", {}, "missing_numbers"),
        ("工作機器事業の拡大を目標としております。", {}, "altered_segments"),
        (GOOD, {"finish_reason": "length"}, "truncated"),
        ("2026年3月期は売上高の増加を計画してお", {}, "truncated"),
        ("", {}, "empty"),
    ],
)
def test_a_gate_that_fails_keeps_the_brief_back(text: str, more: dict[str, Any], gate: str) -> None:
    evaluation = judged(text, **more)
    assert not evaluation.passed
    assert gate in failed(evaluation)
    assert check(evaluation, gate).gate


def test_the_message_of_a_failed_gate_names_the_figure_and_the_source() -> None:
    message = check(judged("売上高は48,920百万円を計画しております。"), "missing_numbers").message
    assert "48,920百万円" in message
    assert "48,620百万円" in message


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("- 売上高51,000百万円を計画\n- 増収を目指す", "bullets"),
        ("## 展望\n増収を計画しております。", "bullets"),
        ("問）来期の計画はどうでしょうか。\n答）増収の計画です。", "conversation"),
        ("ご質問ありがとうございます。増収を計画しております。", "conversation"),
        ("増収を計画しております。増益も計画している。", "mixed_endings"),
        (
            "売上高51,000百万円を計画しております。売上高は51,000百万円を計画しております。",
            "repetition",
        ),
        ("宇宙旅行の販売代理店網を欧州に築く計画です。", "unsupported_sentences"),
        ("株式会社空想との提携を計画しております。", "missing_names"),
        ("1999年に増収を計画しております。", "missing_periods"),
        ("冷凍食品事業の増収を計画しております。", "unknown_segments"),
        ("従業員数は1,486名であります。", "aspect_fit"),
        ("弊社は増収を計画しております。", "first_person"),
        ("売上高51,000百万円を計画。需要は堅調。", "noun_endings"),
        (
            "2026年3月期は増収を計画しており、"
            + "株式会社北星との取り組みを続けており、" * 10
            + "増収となります。",
            "readability",
        ),
        (
            "2026年3月期の売上高は減少を計画しております。2026年3月期は売上高51,000百万円を計画しておりません。",
            "turned_statements",
        ),
        ("要約は以下の通りです。増収を計画しております。", "conversation"),
        ("熟練技能者の不足が課題であり、採算の改善が急務です。", "misplaced"),
        ("公司计划在二零二六年度增加销售额并导入新产品系统。", "language"),
        ("The company expects net sales to rise next year.", "language"),
    ],
)
def test_each_fault_of_form_fails_its_own_check_and_no_gate(text: str, name: str) -> None:
    evaluation = judged(text)
    assert name in failed(evaluation)
    assert not check(evaluation, name).gate


def test_a_text_over_its_budget_fails_the_length_check() -> None:
    assert check(judged(GOOD, tokens=100), "length").passed
    assert not check(judged(GOOD, tokens=101), "length").passed


def test_saying_nothing_is_right_only_when_it_is_marked() -> None:
    silent = judged("該当する記載なし", nothing_found=True)
    assert failed(silent) == []
    assert silent.passed
    assert "nothing_found" in failed(judged("該当する記載はありません。"))
    assert "nothing_found" in failed(judged(GOOD, nothing_found=True))


def test_aspects_that_tell_the_same_fail_the_overlap_check() -> None:
    other = summary(GOOD, aspect="issues")
    found = check(judged(GOOD, others=[other]), "overlap_other_aspects")
    assert (found.passed, found.value) == (False, 1.0)
    assert "issues" in found.message
    assert check(judged(GOOD, others=[]), "overlap_other_aspects").passed


def test_a_models_text_that_copies_fails_and_so_does_a_quote_that_does_not() -> None:
    """A check that no text can fail tells a reader nothing."""
    own_words = "売上高は51,000百万円を見込む計画である。"
    copied = check(judged(GOOD), "copy_rate")
    assert (copied.passed, copied.value) == (False, 1.0)
    assert check(judged(own_words), "copy_rate").passed
    assert check(judged(GOOD, engine="extractive"), "copy_rate").passed
    assert not check(judged(own_words, engine="extractive"), "copy_rate").passed
    with pytest.raises(ValidationError):
        Thresholds(copy_rate=1.0)


def test_thresholds_are_frozen_and_bounded() -> None:
    with pytest.raises(ValidationError):
        Thresholds(unsupported_sentences=1.5)
    limits = Thresholds(missing_numbers=1)
    with pytest.raises(ValidationError):
        limits.missing_numbers = 2  # type: ignore[misc]


def test_a_loosened_threshold_opens_its_gate() -> None:
    evaluation = evaluate(
        summary("売上高は57,777百万円を計画しております。"),
        sources=[SOURCE],
        segments=[],
        others=[],
        aspect=ASPECT,
        thresholds=Thresholds(missing_numbers=1),
    )
    assert evaluation.passed
    assert "length" not in {item.name for item in evaluation.checks}


def test_the_judges_words_are_not_the_extractive_engines() -> None:
    from importlib import resources

    import yaml

    def patterns(node: Any) -> set[str]:
        if isinstance(node, dict):
            return {p for value in node.values() for p in patterns(value)}
        if isinstance(node, list):
            return {p for value in node for p in patterns(value)}
        return {node} if isinstance(node, str) else set()

    own = resources.files("g2_pipelines.evaluation").joinpath("aspect_words.yaml")
    judge = patterns(yaml.safe_load(own.read_text("utf-8")))
    engine: set[str] = set()
    for code in ("ja", "en"):
        path = resources.files("g2_pipelines.briefs").joinpath(f"lexicon_data/{code}.yaml")
        engine |= patterns(yaml.safe_load(path.read_text("utf-8")))
    assert judge
    assert not judge & engine


LIST = Source(
    source_id="filing:S1:policy:0",
    text="次の２点を対処すべき課題としております。\n(ⅰ) 熟練技能者の育成\n(ⅱ) 鋳物価格の転嫁と採算の改善\n",
)


@pytest.mark.parametrize(
    ("entry", "passed"),
    [("(ⅱ) 鋳物価格の転嫁と採算の改善", True), ("(ⅱ) 鋳物価格の転嫁と採", False)],
)
def test_a_text_may_end_with_a_lists_whole_entry_but_not_inside_one(
    entry: str, passed: bool
) -> None:
    """Entries have no 。 in the source either; else such a brief would never be published."""
    first = "次の２点を対処すべき課題としております。"
    text = f"{first}\n{entry}"
    spans = [
        SummarySentence(
            start=text.index(part),
            end=text.index(part) + len(part),
            spans=[
                Span(
                    source_id=LIST.source_id,
                    start=LIST.text.index(part),
                    end=LIST.text.index(part) + len(part),
                )
            ],
        )
        for part in (first, entry)
    ]
    evaluation = evaluate(
        summary(text).model_copy(update={"sentences": spans}),
        sources=[LIST],
        segments=[],
        others=[],
        aspect=ASPECT,
    )
    assert check(evaluation, "truncated").passed is passed
