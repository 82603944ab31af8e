"""Levels of summaries: they end whatever a model answers, and no text is lost on the way."""

from __future__ import annotations

import itertools

from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from g2_pipelines.briefs.config import BriefConfig, hard_tokens, load_config
from g2_pipelines.briefs.final_summaries import finalize
from g2_pipelines.briefs.pre_summaries import pre_summarize
from g2_pipelines.briefs.prompted import PromptedPreSummarizer
from g2_pipelines.briefs.prompted_final import PromptedFinalSummarizer
from g2_pipelines.models.ports import CompletionRequest
from g2_pipelines.text.tokens import tokenizer
from g2_pipelines_tests.briefs.material import COMPANY, TOKENS, run, section, splits_of
from g2_pipelines_tests.briefs.scripted import Scripted


def config_of(budget: int, limit: int, final: int = 60) -> BriefConfig | None:
    """A valid configuration with these limits, or None where the file would be refused."""
    given = load_config(None).model_dump()
    given |= {"input_limit": limit, "instruction_tokens": 800, "final_tokens": final}
    for source in given["source_types"]:
        source["pre_summary_tokens"] = budget
    try:
        return BriefConfig.model_validate(given)
    except ValidationError:
        return None


class Wordy(Scripted):
    """Answers each call at the model's hard limit, shortens nothing, and marks each answer."""

    def __init__(self, budget: int) -> None:
        super().__init__(self.say)
        self.budget = budget
        self.number = itertools.count()
        self.said: list[str] = []

    def say(self, request: CompletionRequest) -> str:
        mark = f"《{next(self.number)}》"
        filler = "".join(f"第{n}の工場では人手が足りない。" for n in range(self.budget))
        text = mark + filler[: hard_tokens(self.budget) - len(mark) - 1] + "。"
        assert len(text) <= request.max_tokens
        if len(request.messages) == 2:  # its other answers are as long, and so are not taken
            self.said.append(mark)
        return text


#: A failing case is small as it is, and shrinking it takes minutes.
_PHASES = (Phase.explicit, Phase.generate)


@settings(derandomize=True, max_examples=25, deadline=None, phases=_PHASES)
@given(st.integers(50, 400), st.integers(0, 1500), st.integers(2, 24))
def test_levels_end_with_answers_at_the_hard_limit(budget: int, more: int, parts: int) -> None:
    """A merge that never ends loses money, one that drops a part loses content: silently."""
    config = config_of(budget, 800 + 3 * hard_tokens(budget) + more)
    assume(config is not None)
    assert config is not None
    source = config.source_types[0]
    line = "市場の動きを述べる文である。\n"
    text = line * (parts * config.text_limit(source) // len(line))
    splits = splits_of([section("policy", text)], config=config)
    port = Wordy(budget)
    [row] = run(
        pre_summarize(
            splits,
            company=COMPANY,
            aspect=config.aspects[0],
            config=config,
            summarizer=PromptedPreSummarizer(port),
            tokenizer=TOKENS,
        )
    )
    # Each text costs a call and one to shorten it; n texts are brought together by n - 1.
    assert len(port.calls) <= 2 * (2 * len(splits) - 1)
    read = "".join(call.messages[1].text for call in port.calls)
    lost = [mark for mark in port.said if mark not in read and mark not in row.text]
    assert not lost, "a part's answer took no part"
    for call in port.calls:
        if len(call.messages) == 2:
            used = sum(len(message.text) for message in call.messages) + call.max_tokens
            assert used <= config.input_limit


@settings(derandomize=True, max_examples=15, deadline=None, phases=_PHASES)
@given(st.integers(200, 600), st.integers(0, 600))
def test_final_texts_of_many_long_pre_summaries_end(budget: int, more: int) -> None:
    config = config_of(budget, 800 + 3 * hard_tokens(budget) + more, final=budget)
    assume(config is not None)
    assert config is not None
    port = Wordy(budget)
    known = {"company": COMPANY, "config": config, "tokenizer": TOKENS}
    aspect = config.aspects[0]
    splits = splits_of([section("policy", "市場の動きを述べる文である。" * 100)], config=config)
    [row] = run(
        pre_summarize(splits, aspect=aspect, summarizer=PromptedPreSummarizer(port), **known)
    )
    rows = [row.model_copy(update={"source_type": one.key}) for one in config.source_types]
    port.calls.clear()
    made = run(
        finalize(
            rows,
            aspect=aspect,
            summarizer=PromptedFinalSummarizer(port),
            strategy="aspect",
            **known,
        )
    )
    assert made.text
    assert 1 <= len(port.calls) <= 2 * 2 * len(rows)


def test_the_limit_counts_instructions_and_answer_with_the_models_tokenizer() -> None:
    counter = tokenizer("qwen3")
    config = config_of(100, 2000)
    assert config is not None
    lines = [f"第{n}四半期の市場は、原材料価格の高騰により縮小しました。" for n in range(400)]
    splits = splits_of([section("policy", "\n".join(lines))], config=config)
    port = Scripted(lambda _: "市場は縮小した。")
    run(
        pre_summarize(
            splits,
            company=COMPANY,
            aspect=config.aspects[0],
            config=config,
            summarizer=PromptedPreSummarizer(port),
            tokenizer=counter,
        )
    )
    used = [
        sum(counter.count(message.text) for message in call.messages) + call.max_tokens
        for call in port.calls
    ]
    assert max(used) <= 2000
    read = "".join(call.messages[1].text for call in port.calls)
    assert all(line in read for line in lines)
