"""Pre-summaries: one text per (fiscal year, source type), at most L tokens.

Here: ``pre_summarize``: tasks out of splits, pass-through of short sources, rows out of
drafts. Not here: how a text is made (``extractive``, ``prompted``). Importable by defs, cli.

With an aspect this is the paper's query ②, which keeps what the aspect needs; without one
it is ②', the simple baseline (§4.2, §5).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from g2_pipelines.briefs.config import AspectSpec, BriefConfig
from g2_pipelines.briefs.ports import Draft, PreSummarizer, PreSummaryTask
from g2_pipelines.tables.line1 import Company, SourceSplit, Summary, SummarySentence
from g2_pipelines.text.sentences import sentences
from g2_pipelines.text.spans import map_back, merge_spans, sub_spans
from g2_pipelines.text.tokens import Tokenizer

#: finish_reason of a source that is shorter than L and taken as it stands.
AS_IT_STANDS = "pass_through"


async def pre_summarize(
    splits: Sequence[SourceSplit],
    *,
    company: Company,
    aspect: AspectSpec | None,
    config: BriefConfig,
    summarizer: PreSummarizer,
    tokenizer: Tokenizer,
) -> list[Summary]:
    """Pre-summarize every source of the splits given.

    Args:
        splits: Parts of any sources of one company; their order does not matter.
        company: X of the query.
        aspect: T of the query, or None for the simple baseline.
        config: Budgets and aspects.
        summarizer: The implementation.
        tokenizer: Counts tokens of sources and summaries.

    Returns:
        One row per fiscal year and source type, years ascending, types in the
        configuration's order. ``spans`` are all the source that was read; the sentences'
        spans say what each is drawn from.

    Raises:
        BriefConfigError: a split of an unknown source type.
        ModelError, LimitError: the implementation failed; nothing is returned then.
    """
    tasks = _tasks(splits, company=company, aspect=aspect, config=config)
    drafts: list[Draft | None] = [
        _passed_through(task, tokenizer) if summarizer.passes_through else None for task in tasks
    ]
    open_ = [task for task, draft in zip(tasks, drafts, strict=True) if draft is None]
    made = iter(await summarizer.pre_summarize(open_, tokenizer=tokenizer) if open_ else ())
    return [
        _row(task, draft or next(made), summarizer=summarizer, tokenizer=tokenizer)
        for task, draft in zip(tasks, drafts, strict=True)
    ]


def _tasks(
    splits: Sequence[SourceSplit],
    *,
    company: Company,
    aspect: AspectSpec | None,
    config: BriefConfig,
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
        )
        for year in sorted({year for year, _ in grouped})
        for source in config.source_types
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
    task: PreSummaryTask, draft: Draft, *, summarizer: PreSummarizer, tokenizer: Tokenizer
) -> Summary:
    first = task.splits[0]
    return Summary(
        engine=summarizer.engine,
        model=summarizer.model,
        prompt_version=summarizer.prompt_version,
        call_keys=draft.call_keys,
        edinet_code=first.edinet_code,
        fiscal_year=first.fiscal_year,
        source_type=task.source.key,
        aspect=task.aspect.key if task.aspect else "",
        strategy="aspect" if task.aspect else "simple",
        text=draft.text,
        nothing_found=draft.nothing_found,
        tokens=tokenizer.count(draft.text),
        finish_reason=draft.finish_reason,
        sentences=draft.sentences,
        spans=merge_spans(span for split in task.splits for span in split.spans),
        warnings=draft.warnings,
    )
