"""What the summaries' assets depend on besides their inputs: their code versions.

Here: one digest an asset over the prompt files, the aspect and the budgets that enter its
calls, so that a changed prompt or aspect marks as stale what it changes and nothing else.
The prompt files that count stand in ``briefs.prompted`` and ``briefs.prompted_final``.

https://docs.dagster.io/guides/build/assets/asset-versioning-and-caching
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from g2_pipelines.briefs.config import AspectSpec, BriefConfig, SourceTypeSpec
from g2_pipelines.keys import digest_of
from g2_pipelines.models.prompts import PromptSet
from g2_pipelines.tables.line1 import Strategy

PACKAGE = "g2_pipelines.briefs"
#: What of an aspect only the embedded engine and the ranking of chunks read.
_LEXICAL = {"cues", "headings"}


class SummaryVersions:
    """Code versions for one configuration and engine.

    Args:
        config: Aspects, source types, budgets.
        engine: ``extractive``, or one that is prompted.
        prompts: The prompt files; None takes the shipped ones.
    """

    def __init__(self, config: BriefConfig, engine: str, prompts: PromptSet | None = None) -> None:
        self._config = config
        self._prompted = engine != "extractive"
        self._prompts = prompts or PromptSet(PACKAGE)

    def pre(self, aspect: AspectSpec | None, strategy: Strategy) -> str:
        """Of pre-summaries for an aspect, or (simple, joint) of all aspects' in one asset."""
        from g2_pipelines.briefs.prompted import pre_prompts

        one = None if strategy == "simple" else aspect
        sources = self._config.sources_of(one)
        told: list[object] = [strategy, *(self._source(source) for source in sources)]
        if strategy == "joint":
            told += [self._aspect(other) for other in self._config.aspects]
        elif one is not None:
            told += [self._aspect(other) for other in self._read_with(one)]
        if strategy == "retrieval":
            told += [self._config.retrieval.model_dump(), one.model_dump() if one else None]
        prompts = pre_prompts(one, strategy) if one or strategy == "simple" else _joint()
        return self._digest(told, prompts)

    def final(self, aspect: AspectSpec, strategy: Strategy) -> str:
        """Of the final summary of an aspect."""
        from g2_pipelines.briefs.prompted_final import final_prompts

        config = self._config
        told = [
            strategy,
            config.final_tokens_of(aspect),
            config.input_limit,
            *(source.label for source in config.sources_of(aspect)),
            *(source.label_english for source in config.sources_of(aspect)),
            *(self._aspect(other) for other in self._read_with(aspect)),
        ]
        return self._digest(told, final_prompts(aspect, strategy))

    def _read_with(self, aspect: AspectSpec) -> Sequence[AspectSpec]:
        """The aspects that decide together what this one's text holds."""
        if self._prompted:
            return [aspect]
        from g2_pipelines.briefs.lexicon import rivals

        among = rivals(self._config.aspects, aspect.key)
        return [other for other in self._config.aspects if other.key in among]

    def _aspect(self, aspect: AspectSpec) -> object:
        hidden = {"sources", "final_tokens", "prompt", "system"}
        return aspect.model_dump(exclude=hidden | (_LEXICAL if self._prompted else set()))

    def _source(self, source: SourceTypeSpec) -> object:
        limit = self._config.limit_of(source)
        return [source.model_dump(exclude={"on_request", "input_limit"}), limit]

    def _digest(self, told: Sequence[object], prompts: Sequence[str]) -> str:
        text = json.dumps(told, ensure_ascii=False, sort_keys=True)
        if self._prompted:
            engine = self._prompts.version(*prompts)
        else:
            from g2_pipelines.briefs.extractive import MODEL

            engine = MODEL
        return digest_of(f"{engine}\0{text}".encode())[:12]


def split_version(config: BriefConfig) -> str:
    """Of the splits: what is a source, and how long a part of it may be."""
    told = [
        [source.key, source.reader, source.select, config.text_limit(source)]
        for source in config.source_types
    ]
    text = json.dumps([told, config.transcript_kinds], ensure_ascii=False)
    return digest_of(text.encode())[:12]


def _joint() -> tuple[str, ...]:
    from g2_pipelines.briefs.prompted import JOINT_PROMPTS

    return JOINT_PROMPTS
