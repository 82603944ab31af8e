"""What a changed prompt or aspect marks as stale: its own assets, and what it is asked in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from g2_pipelines.briefs.config import BriefConfig, default_yaml, load_config
from g2_pipelines.defs.assets.summaries import build_summaries
from g2_pipelines.models.prompts import PromptSet
from g2_pipelines_tests.briefs.prompt_copies import changed_prompts

ASPECTS = ("environment", "issues", "outlook", "strengths")
PRE = {f"pre_summaries/{aspect}" for aspect in ASPECTS}
FINAL = {f"final_summaries/{aspect}" for aspect in ASPECTS}
SIMPLE = {f"simple_summaries/{aspect}" for aspect in ASPECTS}
SIMPLE_PRE = {"simple_pre_summaries"}
EVERYTHING = PRE | FINAL | SIMPLE | SIMPLE_PRE


@pytest.fixture
def changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], PromptSet]:
    """The shipped prompts with one file changed, as a package of its own."""

    def change(file: str) -> PromptSet:
        return changed_prompts(tmp_path, monkeypatch, file)

    return change


def versions(
    config: BriefConfig | None = None, prompts: PromptSet | None = None, engine: str = "openai"
) -> dict[str, str]:
    step = build_summaries(config or load_config(None), 10, engine=engine, prompts=prompts)
    found = {spec.key.to_user_string(): str(spec.code_version) for spec in step.specs}
    assert all(found.values())
    return found


def stale(before: dict[str, str], after: dict[str, str]) -> set[str]:
    assert before.keys() == after.keys()
    return {key for key, version in after.items() if version != before[key]}


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("", set()),
        # ② stands in ③ too, where pre-summaries do not fit one prompt; likewise ②'.
        ("ja/pre_summary", PRE | FINAL),
        ("en/pre_summary", PRE | FINAL),
        ("ja/simple_pre_summary", SIMPLE_PRE | SIMPLE),
        ("ja/final_summary", FINAL | SIMPLE),
        ("en/query", FINAL | SIMPLE),
        ("ja/system", EVERYTHING),
        ("ja/shorten", EVERYTHING),
        ("ja/document", EVERYTHING),
        ("ja/joint_pre_summary", set()),
        ("ja/grounded_summary", set()),
        ("ja/sales_talk", set()),
    ],
)
def test_a_changed_prompt_marks_what_it_is_asked_in(
    changed: Callable[[str], PromptSet], file: str, expected: set[str]
) -> None:
    assert stale(versions(), versions(prompts=changed(file))) == expected


def test_a_changed_prompt_does_not_concern_the_extractive_engine(
    changed: Callable[[str], PromptSet],
) -> None:
    before = versions(engine="extractive")
    after = versions(engine="extractive", prompts=changed("ja/system"))
    assert stale(before, after) == set()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "会社が対処すべきこと",
            "会社が急ぐべきこと",
            {"pre_summaries/issues", "final_summaries/issues", "simple_summaries/issues"},
        ),
        ("final_tokens: 600", "final_tokens: 500", FINAL | SIMPLE),
        ("label: 決算説明会（説明）", "label: 説明会", EVERYTHING),
        ("transcript_kinds: [full_year]", "transcript_kinds: [full_year, quarter]", set()),
    ],
)
def test_a_changed_aspect_or_budget_marks_its_own(old: str, new: str, expected: set[str]) -> None:
    text = default_yaml()
    assert old in text
    after = versions(load_config(text.replace(old, new, 1)))
    assert stale(versions(), after) == expected


def test_a_further_aspect_leaves_the_others_as_they_are() -> None:
    before, after = versions(), versions(load_config("extends: risks"))
    # The plain pre-summaries read the new source type too; nothing else does.
    known = {key: version for key, version in after.items() if key in before}
    assert stale(before, known) == SIMPLE_PRE


def test_the_engine_is_part_of_the_versions() -> None:
    assert stale(versions(), versions(engine="extractive")) == EVERYTHING
