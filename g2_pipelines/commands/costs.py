"""``g2 costs``, ``g2 brief estimate``, ``g2 calls``: what models cost, did cost, and kept.

Here: sums of the ledger and of a dry run, with money where the user's price table names the
model; and the call cache's export and pruning.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Literal

from g2_pipelines.commands.outputs import (
    CallsOutput,
    CostRow,
    CostsOutput,
    ErrorRecord,
    EstimateOutput,
)
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import EXIT_CODES, InputError
from g2_pipelines.models.ledger import CallTotals, Group
from g2_pipelines.models.prices import PriceTable

CostsBy = Literal["task", "asset", "company", "day", "model"]
_GROUPS: dict[str, Group] = {
    "task": "task",
    "asset": "asset",
    "company": "partition",
    "day": "day",
    "model": "model",
}


def costs(
    ws: Workspace,
    company: str | None,
    *,
    by: CostsBy = "task",
    since: str | None = None,
    prices_file: Path | None = None,
) -> CostsOutput:
    """Calls, tokens and money from the ledger.

    Raises:
        InputError: ``since`` is no date, or the price table cannot be used.
        CallCacheError: the ledger cannot be read.
    """
    from g2_pipelines.models.build import open_ledger
    from g2_pipelines.models.config import CacheConfig

    prices = _prices(prices_file) if prices_file else ws.prices
    group = _GROUPS[by]
    names: tuple[Group, ...] = (group,) if group == "model" else (group, "model")
    ledger = open_ledger(CacheConfig(url=ws.call_cache_url))
    found = ledger.totals(_day(since), subject=company, by=names)
    grouped: dict[str, list[CallTotals]] = defaultdict(list)
    for row in found:
        grouped[str(getattr(row, group))].append(row)
    unpriced = {row.model for row in found if prices and prices.price(row.model) is None}
    return CostsOutput(
        subject=company or "all",
        by=by,
        rows=[_row(name, rows, prices) for name, rows in grouped.items()],
        total=_row("", found, prices),
        currency=prices.currency if prices else "",
        unpriced=sorted(unpriced),
    )


def _row(name: str, rows: Sequence[CallTotals], prices: PriceTable | None) -> CostRow:
    def total(field: str) -> int:
        return sum(getattr(row, field) for row in rows)

    sent, cached, prompt = total("sent"), total("served"), total("prompt_tokens")
    answered = sent - total("failed") + cached
    return CostRow(
        group=name,
        calls=sent + cached + total("refused") + total("in_flight"),
        sent=sent,
        cached=cached,
        failed=total("failed"),
        refused=total("refused"),
        in_flight=total("in_flight"),
        prompt_tokens=prompt,
        completion_tokens=total("completion_tokens"),
        server_cached_tokens=total("cached_tokens"),
        saved_tokens=total("saved_prompt_tokens") + total("saved_completion_tokens"),
        cached_share=round(cached / answered, 4) if answered else 0.0,
        server_cached_share=round(total("cached_tokens") / prompt, 4) if prompt else 0.0,
        money=_money(rows, prices, saved=False),
        saved_money=_money(rows, prices, saved=True),
    )


def _money(rows: Sequence[CallTotals], prices: PriceTable | None, *, saved: bool) -> float | None:
    """None where a model has no price: a part of a sum would be read as the sum."""
    if prices is None:
        return None
    money = 0.0
    for row in rows:
        price = prices.price(row.model)
        if price is None:
            return None
        money += (
            price.money(prompt=row.saved_prompt_tokens, completion=row.saved_completion_tokens)
            if saved
            else price.money(
                prompt=row.prompt_tokens,
                completion=row.completion_tokens,
                cached=row.cached_tokens,
            )
        )
    return round(money, 6)


def _prices(file: Path) -> PriceTable:
    from g2_pipelines.commands.files import read_input
    from g2_pipelines.models.prices import read_prices

    return read_prices(read_input(file).decode("utf-8", "replace"), file=str(file))


def _day(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise InputError(
            f"{text[:40]!r} is no date", place="--since", remedy="Write it as 2026-04-01"
        ) from error
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def costs_words(output: CostsOutput) -> str:
    """A line a group, and their sum."""
    lines = [f"{output.subject}: {output.total.calls} model calls, by {output.by}"]
    lines += [_cost_words(row, output.currency) for row in output.rows]
    if len(output.rows) > 1:
        lines.append(_cost_words(output.total.model_copy(update={"group": "all"}), output.currency))
    if output.unpriced:
        lines.append(f"No price for {', '.join(output.unpriced)}: no money where they take part")
    elif not output.currency:
        lines.append("No money: set G2_PRICES_FILE, or give --prices (docs/prices.example.yaml)")
    return "\n".join(lines)


def _cost_words(row: CostRow, currency: str) -> str:
    words = (
        f"{row.group or '-':32} {row.calls:7} calls, {row.cached} cached ({row.cached_share:.0%}),"
        f" {row.failed} failed, {row.refused} not sent, {row.prompt_tokens:,} + {row.completion_tokens:,} tokens"
        f" ({row.server_cached_share:.0%} of the prompts in the server's cache)"
    )
    return words + (f", {row.money:,.2f} {currency}" if row.money is not None else "")


def estimate(
    ws: Workspace,
    companies: Sequence[str],
    *,
    everyone: bool,
    by: Literal["asset", "company", "task"],
    fiscal_year: str,
    strategy: str,
    refresh: bool,
) -> tuple[EstimateOutput, list[int]]:
    """What the summaries of companies would ask and cost; and an exit code a failure.

    Raises:
        InputError: no company, or no engine that calls a model.
    """
    from g2_pipelines.defs.estimate import companies_with_sources, estimate_summaries
    from g2_pipelines.defs.steps import StepRun
    from g2_pipelines.keys import check_fiscal_year

    chosen = list(companies) + (companies_with_sources(ws) if everyone else [])
    if not chosen:
        raise InputError(
            "There is no company to estimate",
            remedy="Name companies or give --all; their sources must be there (`g2 add`)",
        )
    if fiscal_year:
        check_fiscal_year(fiscal_year)
    run = StepRun(fiscal_year=fiscal_year, strategy=strategy, refresh=refresh)
    wanted = list(dict.fromkeys(chosen))
    found = estimate_summaries(ws, run, wanted, by="partition" if by == "company" else by)
    failed = [
        ErrorRecord(
            code=one.error.code,
            kind=one.error.kind,
            message=one.error.message,
            file=one.partition,
            place=one.asset.to_user_string(),
            remedy=one.error.remedy,
        )
        for one in found.failed
    ]
    output = EstimateOutput(
        companies=len(wanted),
        model=found.model,
        by=by,
        rows=found.rows,
        total=found.total,
        currency=found.currency,
        notes=found.notes,
        failed=failed,
    )
    return output, [EXIT_CODES[one.error.kind] for one in found.failed]


def estimate_words(output: EstimateOutput) -> str:
    """A line a group: expected, then at most."""
    lines = [f"{output.companies} companies on {output.model}; nothing was sent"]
    for row in [*output.rows, output.total.model_copy(update={"group": "all"})]:
        lines.append(
            f"{row.group or '-':32} {row.calls:6} calls ({row.cached} more are cached),"
            f" {row.prompt_tokens:,} tokens in ({row.certain_prompt_tokens:,} exact),"
            f" {row.completion_tokens:,} out"
            + (f", {row.money:,.2f} {output.currency}" if row.money is not None else "")
        )
        if row.computed_prompt_tokens < row.prompt_tokens:
            share = row.computed_prompt_tokens / row.prompt_tokens
            lines.append(
                f"{'  with a prefix cache':32} {row.computed_prompt_tokens:,} tokens in are computed"
                f" ({share:.0%}), the others found again"
                + (
                    f", {row.money_with_reuse:,.2f} {output.currency}"
                    if row.money_with_reuse is not None and row.money_with_reuse != row.money
                    else ""
                )
            )
        lines.append(
            f"{'  at most':32} {row.most_calls:6} calls, {row.most_prompt_tokens:,} in,"
            f" {row.most_completion_tokens:,} out"
            + (f", {row.most_money:,.2f} {output.currency}" if row.most_money is not None else "")
        )
    lines += [f"※ {note}" for note in output.notes]
    lines += [
        f"failed {one.file} {one.place}: {one.message}. {one.remedy}" for one in output.failed
    ]
    return "\n".join(lines)


def export_calls(ws: Workspace, file: Path) -> CallsOutput:
    """Write every stored answer as a JSON line.

    Raises:
        InputError: the file is there already or cannot be written.
        CallCacheError: the call cache cannot be read.
    """
    from g2_pipelines.models.cache import CallStore
    from g2_pipelines.models.config import CacheConfig

    store = CallStore(CacheConfig(url=ws.call_cache_url))
    if file.exists():
        raise InputError("The file is there already", file=str(file), remedy="Give another name")
    try:
        count = store.export(file)
    except OSError as error:
        raise InputError(
            f"The file cannot be written: {error.strerror}", file=str(file), remedy="Check the path"
        ) from error
    return CallsOutput(done="exported", calls=count, file=str(file))


def prune_calls(ws: Workspace) -> CallsOutput:
    """Delete the answers that a refresh replaced. Raises CallCacheError."""
    from g2_pipelines.models.cache import CallStore
    from g2_pipelines.models.config import CacheConfig

    count = CallStore(CacheConfig(url=ws.call_cache_url)).prune()
    return CallsOutput(done="pruned", calls=count, file="")


def calls_words(output: CallsOutput) -> str:
    """One line."""
    return f"{output.calls} answers {output.done}" + (f" to {output.file}" if output.file else "")
