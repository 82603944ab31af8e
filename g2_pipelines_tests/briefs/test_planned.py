"""The plan of a company's calls is what a run sends: an estimate stands on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import pytest

from g2_pipelines.briefs.build import build_joint
from g2_pipelines.briefs.config import BriefConfig
from g2_pipelines.briefs.planned import PlannedCall, plan_calls
from g2_pipelines.briefs.pre_summaries import pre_summarize, pre_summarize_jointly
from g2_pipelines.briefs.prompted import PromptedPreSummarizer
from g2_pipelines.models.ports import CompletionRequest
from g2_pipelines.tables.line1 import SourceSplit, Strategy
from g2_pipelines_tests.briefs.material import COMPANY, TOKENS, both_sections, run, splits_of
from g2_pipelines_tests.briefs.scripted import ANSWER, Scripted, brief_config, many_parts


def plan(
    splits: Sequence[SourceSplit], config: BriefConfig, *strategies: Strategy
) -> list[PlannedCall]:
    return plan_calls(
        splits, company=COMPANY, config=config, tokenizer=TOKENS, strategies=strategies
    )


def sent(
    splits: Sequence[SourceSplit], config: BriefConfig, strategy: Strategy
) -> list[CompletionRequest]:
    """What a run sends for the pre-summaries, when every answer fits."""
    port = Scripted(lambda _: ANSWER)
    known = {"company": COMPANY, "config": config, "tokenizer": TOKENS}
    if strategy == "joint":
        text = "{" + ", ".join(f'"{aspect.key}": "{ANSWER}"' for aspect in config.aspects) + "}"
        port = Scripted(lambda _: text)
        made = pre_summarize_jointly(
            splits, aspects=config.aspects, summarizer=build_joint(port), **known
        )
        run(made)
        return port.calls
    for aspect in config.aspects if strategy == "aspect" else (None,):
        run(pre_summarize(splits, aspect=aspect, summarizer=PromptedPreSummarizer(port), **known))
    return port.calls


@pytest.mark.parametrize("strategy", ["aspect", "simple", "joint"])
def test_the_first_level_of_a_plan_is_what_a_run_sends(strategy: Strategy) -> None:
    splits, config = splits_of(both_sections()), brief_config()
    planned = [call.request for call in plan(splits, config, strategy) if call.exact]
    assert planned == sent(splits, config, strategy)


def test_a_plan_has_every_level_and_the_final_texts() -> None:
    splits, config = many_parts(7, 1500)
    calls = plan(splits, config, "aspect")
    for aspect in config.aspects:
        own = [call for call in calls if call.aspect == aspect.key]
        parts = [call for call in own if call.exact]
        assert len(parts) == len(splits)
        merges = [call for call in own if not call.exact and call.source_type]
        assert merges
        (final,) = [call for call in own if call.request.task == "final_summary"]
        assert not final.exact
    for call in calls:
        assert call.prompt_tokens == sum(len(message.text) for message in call.request.messages)
        assert call.prompt_tokens + call.request.max_tokens <= 1500
        assert call.answer_tokens <= call.request.max_tokens


def test_sources_that_pass_through_leave_the_final_texts_alone_and_exact() -> None:
    calls = plan(splits_of(both_sections()), brief_config(pre_tokens=2000), "aspect", "simple")
    assert [call.request.task for call in calls] == ["final_summary"] * 8
    assert [call.strategy for call in calls] == ["aspect"] * 4 + ["simple"] * 4
    assert all(call.exact for call in calls)


@pytest.mark.parametrize("strategy", get_args(Strategy))
def test_every_strategy_can_be_planned_without_a_call(strategy: Strategy) -> None:
    splits, config = splits_of(both_sections(), with_call=True), brief_config()
    calls = plan(splits, config, strategy)
    assert calls == plan(splits, config, strategy)
    assert {call.strategy for call in calls} == {strategy}
    assert sum(call.request.task == "final_summary" for call in calls) == 4


def test_some_aspects_of_the_configured_strategies_can_be_planned() -> None:
    calls = plan_calls(
        splits_of(both_sections()),
        company=COMPANY,
        config=brief_config(),
        tokenizer=TOKENS,
        aspects=["issues"],
    )
    assert {(call.strategy, call.aspect) for call in calls} == {
        ("aspect", "issues"),
        ("simple", ""),
        ("simple", "issues"),
    }
