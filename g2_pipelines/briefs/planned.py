"""The calls that a company's brief would make, without making one.

Here: ``plan_calls``. It runs the prompted summarizers themselves with an asker that notes each
request and answers with a stand-in: the document's own beginning, as long as the budget
allows. So a plan has every part, level and prompt of a real run, and its only guess is how
long answers are and that none is asked for again. Importable by defs and cli.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from g2_pipelines.briefs.asking import Answer, Asked, Asking, Language
from g2_pipelines.briefs.config import AspectSpec, BriefConfig
from g2_pipelines.briefs.final_summaries import finalize
from g2_pipelines.briefs.grounded import Items, Selection
from g2_pipelines.briefs.joint import PromptedJoint, joint_schema
from g2_pipelines.briefs.parts import cut
from g2_pipelines.briefs.ports import Draft, PreSummaryTask
from g2_pipelines.briefs.pre_summaries import AS_IT_STANDS, pre_summarize, pre_summarize_jointly
from g2_pipelines.briefs.prompted import PromptedPreSummarizer
from g2_pipelines.briefs.prompted_final import PromptedFinalSummarizer
from g2_pipelines.models.ports import Completion, CompletionRequest, CompletionResult
from g2_pipelines.models.prompts import PromptSet
from g2_pipelines.models.structured import Structured, schema_text
from g2_pipelines.tables.line1 import Company, SourceSplit, Strategy, Summary
from g2_pipelines.tables.rows import Row
from g2_pipelines.text.tokens import Tokenizer

M = TypeVar("M", bound=BaseModel)
T = TypeVar("T")
#: Sentences that a stand-in for a choice among sentences holds.
_STAND_IN_SENTENCES = 25


class PlannedCall(Row):
    """A call as it would be sent.

    source_type is "" for a final summary, aspect "" for a call that serves no single one.
    prompt_tokens: of all messages, without what a server's chat template adds.
    answer_tokens: the budget asked for; ``request.max_tokens`` is the most it can be. exact:
    the prompt is the very one of a run; else it holds stand-ins for answers.
    """

    strategy: Strategy
    aspect: str
    source_type: str
    request: CompletionRequest
    prompt_tokens: int
    answer_tokens: int
    exact: bool


def plan_calls(
    splits: Sequence[SourceSplit],
    *,
    company: Company,
    config: BriefConfig,
    tokenizer: Tokenizer,
    strategies: Sequence[Strategy] | None = None,
    aspects: Sequence[str] | None = None,
    prompts: PromptSet | None = None,
) -> list[PlannedCall]:
    """Every call of a prompted engine for one company and fiscal year, in the order sent.

    Args:
        splits: The parts of the year's sources.
        company: X of the queries.
        config: Aspects, source types, budgets.
        tokenizer: The model's own.
        strategies: Those planned; None takes the configuration's own and those compared.
        aspects: Keys of those planned; None takes all.
        prompts: The prompt files; None takes the shipped ones.

    Returns:
        Pre-summaries of each strategy, then final summaries. A source that is passed through
        and an aspect of which no source says anything have no call. What ``retrieval`` would
        keep is not looked up: its sources are taken at their configured length.

    Raises:
        BriefConfigError: no such aspect.
        PromptTooLongError, ReduceStalledError: as a run would.
    """
    chosen = [config.aspect(key) for key in aspects] if aspects is not None else config.aspects
    plan = _Plan(tokenizer, prompts)
    pre: dict[tuple[Strategy, str], list[Summary]] = {}
    known: dict[str, Any] = {"company": company, "config": config, "tokenizer": tokenizer}
    wanted = strategies if strategies is not None else (config.strategy, *config.compare)
    for strategy in wanted:
        plan.strategy = strategy
        for aspect_key, rows in _pre_summaries(plan, splits, chosen, strategy, known).items():
            pre[strategy, aspect_key] = rows
    for strategy in wanted:
        for aspect in chosen:
            rows = pre[strategy, "" if strategy == "simple" else aspect.key]
            if not rows:
                continue
            plan.strategy = strategy
            plan.exact = all(row.finish_reason == AS_IT_STANDS for row in rows)
            final = _Final(plan)
            done = finalize(
                rows, aspect=aspect, summarizer=final, strategy=rows[0].strategy, **known
            )
            _driven(done)
    return plan.calls


def _pre_summaries(
    plan: _Plan,
    splits: Sequence[SourceSplit],
    aspects: Sequence[AspectSpec],
    strategy: Strategy,
    known: Mapping[str, Any],
) -> dict[str, list[Summary]]:
    plan.exact = strategy != "retrieval"
    if strategy == "simple":
        simple = pre_summarize(splits, aspect=None, summarizer=_Pre(plan), **known)
        return {"": _driven(simple)}
    if strategy == "retrieval":
        splits = _shortened(splits, known["config"].retrieval.tokens, plan.tokenizer)
    found: dict[str, list[Summary]] = {}
    if strategy == "joint":
        prose = [aspect for aspect in aspects if aspect.form == "prose"]
        joint = pre_summarize_jointly(splits, aspects=prose, summarizer=_Joint(plan), **known)
        found = _driven(joint)
        aspects = [aspect for aspect in aspects if aspect.form != "prose"]
    for aspect in aspects:
        one = pre_summarize(splits, aspect=aspect, summarizer=_Pre(plan), **known)
        found[aspect.key] = _driven(one)
    return found


def _shortened(
    splits: Sequence[SourceSplit], tokens: int, tokenizer: Tokenizer
) -> list[SourceSplit]:
    """Of each source the first parts up to about ``tokens``."""
    by_source: dict[str, list[SourceSplit]] = {}
    for split in splits:
        by_source.setdefault(split.source_type, []).append(split)
    kept: list[SourceSplit] = []
    for own in by_source.values():
        pieces = cut(own, max(1, tokens // 4), tokenizer)
        spent = 0
        for piece in pieces:
            if spent and spent + piece.tokens > tokens:
                break
            spent += piece.tokens
            kept.append(piece)
    return kept


class _Plan:
    """What was asked so far, and the port that must not be used."""

    engine = "planned"
    model = "none"

    def __init__(self, tokenizer: Tokenizer, prompts: PromptSet | None) -> None:
        self.tokenizer = tokenizer
        self.prompts = prompts
        self.calls: list[PlannedCall] = []
        self.strategy: Strategy = "aspect"
        self.exact = True

    async def complete(self, requests: Sequence[CompletionRequest]) -> list[CompletionResult]:
        """No call is made."""
        raise NotImplementedError

    def note(self, asked: Asked, request: CompletionRequest) -> None:
        """Take in a call."""
        count = self.tokenizer.count
        self.calls.append(
            PlannedCall(
                strategy=self.strategy,
                aspect=asked.aspect,
                source_type=asked.source_type,
                request=request,
                prompt_tokens=sum(count(message.text) for message in request.messages),
                answer_tokens=min(asked.most or asked.budget, request.max_tokens),
                exact=self.exact,
            )
        )

    def stand_in(self, asked: Asked) -> Answer:
        """The beginning of what was shown, within the budget."""
        text = (asked.document or asked.text)[: asked.budget * 6]
        while text and (count := self.tokenizer.count(text)) > asked.budget:
            text = text[: max(len(text) * asked.budget // count - 1, 0)]
        return Answer(text.strip() or "。", "stop", [])


class _Noting(Asking):
    """Asking that notes instead."""

    def __init__(self, plan: _Plan) -> None:
        super().__init__(plan, plan.prompts)
        self.plan = plan

    async def ask(self, asked: Sequence[Asked], tokenizer: Tokenizer) -> list[Answer]:
        """Note each call; its answer is a stand-in."""
        for one in asked:
            self.plan.note(one, self.request(one, tokenizer))
        return [self.plan.stand_in(one) for one in asked]

    async def ask_as(
        self,
        asked: Sequence[Asked],
        schema: type[M],
        tokenizer: Tokenizer,
        *,
        check: Callable[[int, M], str | None],  # noqa: ARG002  of the overridden method
    ) -> list[Structured[M]]:
        """Note each call; its answer is the first sentences shown, or no item."""
        values: list[Structured[M]] = []
        for one in asked:
            request = self.request(one, tokenizer)
            closed = request.model_copy(update={"json_schema": schema_text(schema)})
            self.plan.note(one, closed)
            values.append(_answered(schema))
        return values


class _Pre(_Noting, PromptedPreSummarizer):
    async def brought_together(
        self, tasks: Sequence[PreSummaryTask], parts: list[list[Answer]], tokenizer: Tokenizer
    ) -> list[Draft]:
        """The levels above the first are asked about stand-ins."""
        before, self.plan.exact = self.plan.exact, False
        try:
            return await super().brought_together(tasks, parts, tokenizer)
        finally:
            self.plan.exact = before


class _Joint(_Pre, PromptedJoint):
    async def _ask_jointly(
        self,
        asked: Sequence[Asked],
        aspects: Sequence[AspectSpec],
        spoken: Language,  # noqa: ARG002  of the overridden method
        tokenizer: Tokenizer,
    ) -> list[Mapping[str, Answer]]:
        keys = tuple(one.key for one in aspects)
        schema = schema_text(joint_schema(keys, self.characters(asked[0].budget)))
        for one in asked:
            request = self.request(one, tokenizer)
            self.plan.note(one, request.model_copy(update={"json_schema": schema}))
        return [{key: self.plan.stand_in(one) for key in keys} for one in asked]


class _Final(_Noting, PromptedFinalSummarizer):
    pass


def _answered(schema: type[M]) -> Structured[M]:
    value: dict[str, object] = {}
    if issubclass(schema, Selection):
        shown = schema.model_json_schema()["properties"]["sentences"]["items"]["maximum"]
        value = {"sentences": list(range(1, min(shown, _STAND_IN_SENTENCES) + 1))}
    elif issubclass(schema, Items):
        value = {"items": []}
    completion = Completion(
        text="{}",
        finish_reason="stop",
        prompt_tokens=0,
        completion_tokens=0,
        cached_tokens=0,
        call_key="",
        engine="planned",
        model="none",
    )
    made = schema.model_construct(**value)  # type: ignore[arg-type]
    return Structured(value=made, completion=completion, attempts=1, call_keys=())


def _driven(coroutine: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that waits for nothing."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    coroutine.close()
    raise AssertionError("a plan waited for something")
