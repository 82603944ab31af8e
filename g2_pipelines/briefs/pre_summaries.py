"""Pre-summaries: one text per (fiscal year, source type), at most L tokens.

Here: ``pre_summarize`` and ``pre_summarize_jointly``: tasks out of splits, pass-through of
short sources, rows out of drafts. Not here: how a text is made (``extractive``, ``prompted``,
``joint``). Importable by defs, cli.

With an aspect this is the paper's query ②, which keeps what the aspect needs; without one
it is ②', the simple baseline (§4.2, §5). The strategies ``retrieval`` (of each source only the
chunks that the aspect needs) and ``joint`` (all aspects in one call) are ours.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from g2_pipelines.briefs.config import AspectSpec, BriefConfig
from g2_pipelines.briefs.ports import Draft, PreSummarizer, PreSummaryTask
from g2_pipelines.errors import InputError
from g2_pipelines.models.control_tokens import control_tokens
from g2_pipelines.models.ports import EmbeddingPort
from g2_pipelines.tables.line1 import Company, SourceSplit, Strategy, Summary, SummarySentence
from g2_pipelines.text.sentences import sentences
from g2_pipelines.text.spans import map_back, merge_spans, sub_spans
from g2_pipelines.text.tokens import Tokenizer

if TYPE_CHECKING:
    from g2_pipelines.briefs.joint import PromptedJoint

#: finish_reason of a source that is shorter than L and taken as it stands.
AS_IT_STANDS = "pass_through"


class StrategyError(InputError):
    """A strategy lacks what it works with."""

    code = "strategy"


async def pre_summarize(
    splits: Sequence[SourceSplit],
    *,
    company: Company,
    aspect: AspectSpec | None,
    config: BriefConfig,
    summarizer: PreSummarizer,
    tokenizer: Tokenizer,
    strategy: Strategy | None = None,
    embedding: EmbeddingPort | None = None,
) -> list[Summary]:
    """Pre-summarize the sources that an aspect is made of, among the splits given.

    Args:
        splits: Parts of any sources of one company; their order does not matter.
        company: X of the query.
        aspect: T of the query, or None for the simple baseline.
        config: Budgets and aspects.
        summarizer: The implementation.
        tokenizer: Counts tokens of sources and summaries.
        strategy: ``aspect`` or ``retrieval``; ``simple`` where there is no aspect. None takes
            ``aspect`` or ``simple``.
        embedding: What ``retrieval`` ranks chunks by.

    Returns:
        One row per fiscal year and source type, years ascending, types in the
        configuration's order. ``spans`` are all the source that was read (with
        ``retrieval`` a warning says how much was not); the sentences' spans say what each
        is drawn from.

    Raises:
        BriefConfigError: a split of an unknown source type.
        StrategyError: ``retrieval`` without an embedding, ``joint``, or a strategy that does
            not go with the aspect.
        ModelError, LimitError: the implementation failed; nothing is returned then.
    """
    strategy = strategy or ("aspect" if aspect else "simple")
    if strategy == "joint" or (aspect is None) != (strategy == "simple"):
        raise StrategyError(
            f"the strategy {strategy} does not make pre-summaries of "
            + ("one aspect" if aspect else "no aspect"),
            place="strategy",
            remedy="Give the strategy that goes with it",
        )
    tasks = _tasks(splits, company=company, aspect=aspect, config=config, strategy=strategy)
    notes: list[str] = [""] * len(tasks)
    if strategy == "retrieval":
        tasks, notes = await _retrieved(tasks, config, embedding, tokenizer)
    drafts: list[Draft | None] = [
        _passed_through(task, tokenizer) if summarizer.passes_through else None for task in tasks
    ]
    open_ = [task for task, draft in zip(tasks, drafts, strict=True) if draft is None]
    made = iter(await summarizer.pre_summarize(open_, tokenizer=tokenizer) if open_ else ())
    return [
        _row(task, draft or next(made), note, summarizer=summarizer, tokenizer=tokenizer)
        for task, draft, note in zip(tasks, drafts, notes, strict=True)
    ]


async def pre_summarize_jointly(
    splits: Sequence[SourceSplit],
    *,
    company: Company,
    aspects: Sequence[AspectSpec],
    config: BriefConfig,
    summarizer: PromptedJoint,
    tokenizer: Tokenizer,
) -> dict[str, list[Summary]]:
    """Pre-summarize every source for all ``aspects`` that are made of it, by one call a part.

    Returns:
        By aspect's key what ``pre_summarize`` gives for it, strategy ``joint``.

    Raises:
        ModelError, LimitError: the implementation failed; nothing is returned then.
    """
    of = {
        aspect.key: _tasks(splits, company=company, aspect=aspect, config=config, strategy="joint")
        for aspect in aspects
    }
    together: dict[tuple[str, str], list[PreSummaryTask]] = defaultdict(list)
    for tasks in of.values():
        for task in tasks:
            together[task.splits[0].fiscal_year, task.source.key].append(task)
    rows: dict[tuple[str, str, str], Summary] = {}
    for (year, source), tasks in together.items():
        passed = _passed_through(tasks[0], tokenizer)
        drafts = (
            [passed] * len(tasks)
            if passed is not None
            else await summarizer.pre_summarize_jointly(tasks, tokenizer=tokenizer)
        )
        for task, draft in zip(tasks, drafts, strict=True):
            key = task.aspect.key if task.aspect else ""
            rows[key, year, source] = _row(
                task, draft, "", summarizer=summarizer, tokenizer=tokenizer
            )
    return {
        key: [rows[key, task.splits[0].fiscal_year, task.source.key] for task in tasks]
        for key, tasks in of.items()
    }


async def _retrieved(
    tasks: Sequence[PreSummaryTask],
    config: BriefConfig,
    embedding: EmbeddingPort | None,
    tokenizer: Tokenizer,
) -> tuple[list[PreSummaryTask], list[str]]:
    """The tasks with what is kept of their sources, and what to say of each."""
    from g2_pipelines.briefs.retrieval import retrieve

    if embedding is None:
        raise StrategyError(
            "the strategy retrieval ranks by an embedding, and there is none",
            place="strategy",
            remedy="Configure one (G2_EMBEDDING)",
        )
    narrowed: list[PreSummaryTask] = []
    notes: list[str] = []
    for task in tasks:
        if task.aspect is None:
            continue
        found = await retrieve(
            task.splits,
            aspect=task.aspect,
            config=config,
            embedding=embedding,
            tokenizer=tokenizer,
        )
        narrowed.append(task.model_copy(update={"splits": found.splits}))
        notes.append(found.note)
    return narrowed, notes


def _tasks(
    splits: Sequence[SourceSplit],
    *,
    company: Company,
    aspect: AspectSpec | None,
    config: BriefConfig,
    strategy: Strategy,
) -> list[PreSummaryTask]:
    grouped: dict[tuple[str, str], list[SourceSplit]] = defaultdict(list)
    for split in splits:
        config.source_type(split.source_type)
        grouped[split.fiscal_year, split.source_type].append(split)
    return [
        PreSummaryTask(
            company=company,
            aspect=aspect,
            aspects=config.aspects,
            source=source,
            splits=tuple(sorted(grouped[year, source.key], key=lambda split: split.k)),
            budget=source.pre_summary_tokens,
            input_limit=config.limit_of(source),
            strategy=strategy,
        )
        for year in sorted({year for year, _ in grouped})
        for source in config.sources_of(aspect)
        if (year, source.key) in grouped
    ]


def _passed_through(task: PreSummaryTask, tokenizer: Tokenizer) -> Draft | None:
    """The source itself, where it is under L: no call, and nothing is paraphrased."""
    if len(task.splits) != 1:
        return None
    split = task.splits[0]
    text = split.model_text.strip()
    if not text or tokenizer.count(text) > task.budget:
        return None
    lead = split.model_text.index(text[0]) if text else 0
    pieces = [
        SummarySentence(
            start=start,
            end=end,
            spans=[
                span
                for a, b in map_back(split.model_offsets, start + lead, end + lead)
                for span in sub_spans(split.spans, a, b)
            ],
        )
        for start, end in sentences(text)
    ]
    return Draft(text=text, sentences=pieces, finish_reason=AS_IT_STANDS)


def _row(
    task: PreSummaryTask,
    draft: Draft,
    note: str,
    *,
    summarizer: PreSummarizer,
    tokenizer: Tokenizer,
) -> Summary:
    first = task.splits[0]
    return Summary(
        engine=summarizer.engine,
        model=summarizer.model,
        prompt_version=summarizer.version_of(task.aspect, task.strategy),
        call_keys=draft.call_keys,
        edinet_code=first.edinet_code,
        fiscal_year=first.fiscal_year,
        source_type=task.source.key,
        aspect=task.aspect.key if task.aspect else "",
        strategy=task.strategy,
        text=draft.text,
        nothing_found=draft.nothing_found,
        tokens=tokenizer.count(draft.text),
        finish_reason=draft.finish_reason,
        sentences=draft.sentences,
        spans=merge_spans(span for split in task.splits for span in split.spans),
        warnings=[*draft.warnings, *filter(None, [note, _disarmed(task, draft)])],
    )


def _disarmed(task: PreSummaryTask, draft: Draft) -> str:
    """What a model was shown otherwise than its source has it, in words."""
    count = sum(control_tokens(split.model_text) for split in task.splits)
    if not count or not draft.call_keys:
        return ""
    return f"{count} names of control tokens were shown to the model in another form"
