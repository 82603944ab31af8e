"""Final summaries: one text per aspect out of a fiscal year's pre-summaries.

Here: ``finalize``, the paper's query ③, for all strategies: ``aspect`` (pre-summaries made
for the aspect) and ``simple`` (made for none; the same ③ follows), and for ``joint`` and
``retrieval``, whose pre-summaries are made for the aspect too. Importable by defs, cli.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.briefs.config import AspectSpec, BriefConfig
from g2_pipelines.briefs.ports import (
    FinalSummarizer,
    FinalTask,
    nothing_found_draft,
    says_nothing,
)
from g2_pipelines.errors import InputError, NotYetError
from g2_pipelines.tables.line1 import Company, Strategy, Summary
from g2_pipelines.text.spans import merge_spans
from g2_pipelines.text.tokens import Tokenizer


class NoPreSummariesError(NotYetError):
    """There is no pre-summary to make a final summary of: the year has no source."""

    code = "no_pre_summaries"


class WrongPreSummariesError(InputError):
    """The pre-summaries are of several years or companies, or made for another aspect."""

    code = "wrong_pre_summaries"


async def finalize(
    pre: Sequence[Summary],
    *,
    company: Company,
    aspect: AspectSpec,
    config: BriefConfig,
    summarizer: FinalSummarizer,
    tokenizer: Tokenizer,
    strategy: Strategy,
) -> Summary:
    """Make the final summary of one aspect.

    Args:
        pre: All pre-summaries of one company and fiscal year: of this aspect, or the simple
            ones where ``strategy`` is ``simple``. Their order does not matter.
        company: X of the query.
        aspect: T of the query.
        config: Budget and source types.
        summarizer: The implementation.
        tokenizer: Counts the summary's tokens.
        strategy: How the pre-summaries were made.

    Returns:
        The row, source_type "". 該当する記載なし with ``nothing_found`` where no pre-summary
        holds anything: no call is made then.

    Raises:
        NoPreSummariesError: ``pre`` is empty.
        WrongPreSummariesError: they do not belong together or not to the aspect.
        ModelError, LimitError: the implementation failed.
    """
    own = {source.key for source in config.sources_of(aspect)}
    pre = [one for one in pre if one.source_type in own]
    if not pre:
        raise NoPreSummariesError(
            "no source of the year could be read",
            file=company.edinet_code,
            remedy="Add the annual report or a transcript of that fiscal year",
        )
    _check(pre, aspect, strategy)
    order = {source.key: place for place, source in enumerate(config.source_types)}
    ordered = sorted(pre, key=lambda one: (order.get(one.source_type, len(order)), one.source_type))
    # A source that says nothing takes no part, in whatever words a model left that.
    used = tuple(one for one in ordered if not one.nothing_found and not says_nothing(one.text))
    warnings = list(dict.fromkeys(warning for one in ordered for warning in one.warnings))
    if used:
        task = FinalTask(
            company=company,
            fiscal_year=used[0].fiscal_year,
            aspect=aspect,
            aspects=config.aspects,
            sources=config.sources_of(aspect),
            pre=used,
            strategy=strategy,
            budget=config.final_tokens_of(aspect),
            input_limit=config.input_limit,
        )
        draft = await summarizer.finalize(task, tokenizer=tokenizer)
    else:
        draft = nothing_found_draft()
    return Summary(
        engine=summarizer.engine,
        model=summarizer.model,
        prompt_version=summarizer.version_of(aspect, strategy),
        call_keys=draft.call_keys,
        edinet_code=ordered[0].edinet_code,
        fiscal_year=ordered[0].fiscal_year,
        source_type="",
        aspect=aspect.key,
        strategy=strategy,
        text=draft.text,
        nothing_found=draft.nothing_found,
        tokens=tokenizer.count(draft.text),
        finish_reason=draft.finish_reason,
        sentences=draft.sentences,
        spans=merge_spans(span for one in ordered for span in one.spans),
        warnings=list(dict.fromkeys([*warnings, *draft.warnings])),
    )


def _check(pre: Sequence[Summary], aspect: AspectSpec, strategy: Strategy) -> None:
    years = sorted({(one.edinet_code, one.fiscal_year) for one in pre})
    if len(years) > 1:
        raise WrongPreSummariesError(
            "the pre-summaries of one final summary are of one company and fiscal year",
            place=", ".join(f"{code} {year}" for code, year in years),
            remedy="Make one final summary a fiscal year",
        )
    wanted = "" if strategy == "simple" else aspect.key
    wrong = [one for one in pre if one.aspect != wanted or one.strategy != strategy]
    if wrong:
        raise WrongPreSummariesError(
            f"a pre-summary for {wrong[0].aspect or 'no aspect'} (strategy {wrong[0].strategy}) "
            f"cannot serve the strategy {strategy} of the aspect {aspect.key}",
            place=wrong[0].source_type,
            remedy=f"Make the pre-summaries for {wanted or 'no aspect'} by {strategy}",
        )
