"""A completion port that is a function, and what prompted briefs are tested with."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from g2_pipelines.briefs.config import BriefConfig
from g2_pipelines.errors import ModelError
from g2_pipelines.models.ports import Completion, CompletionRequest
from g2_pipelines.tables.line1 import SourceSplit
from g2_pipelines_tests.briefs.material import section, small_config, splits_of

ANSWER = "原材料価格の高騰と人手不足により、事業環境は厳しい状況が続いている。"


class Scripted:
    """A completion port that is a function request → text or failure; it keeps the calls."""

    engine = "openai"
    model = "scripted@1"

    def __init__(self, answer: Callable[[CompletionRequest], str | ModelError]) -> None:
        self.answer = answer
        self.calls: list[CompletionRequest] = []

    async def complete(
        self, requests: Sequence[CompletionRequest]
    ) -> list[Completion | ModelError]:
        results: list[Completion | ModelError] = []
        for request in requests:
            self.calls.append(request)
            given = self.answer(request)
            if isinstance(given, ModelError):
                results.append(given)
                continue
            results.append(
                Completion(
                    text=given,
                    finish_reason="stop",
                    prompt_tokens=1,
                    completion_tokens=1,
                    cached_tokens=0,
                    call_key=f"k{len(self.calls)}",
                    engine=self.engine,
                    model=self.model,
                )
            )
        return results


def brief_config(pre_tokens: int = 60, **limits: int) -> BriefConfig:
    config = small_config(**limits)
    sources = tuple(
        source.model_copy(update={"pre_summary_tokens": pre_tokens})
        for source in config.source_types
    )
    return config.model_copy(update={"source_types": sources})


def many_parts(count: int, limit: int) -> tuple[list[SourceSplit], BriefConfig]:
    config = brief_config(pre_tokens=50, input_limit=limit, instruction_tokens=900)
    line = "市場の動きを述べる文である。" * 4 + "\n"
    text = line * (count * config.text_limit(config.source_types[0]) // len(line))
    splits = splits_of([section("policy", text)], config=config)
    assert len(splits) >= count
    return splits, config
