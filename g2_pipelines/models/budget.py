"""A budget of tokens or money that stops a run before it is exceeded.

Here: what is spent and reserved, and the engine's wrapper that asks before each call. Calls
that the call cache answers cost nothing and are never refused. Only ``build`` and tests
import this module.

Before a call leaves, its most (prompt, whole answer) is reserved; a call that would not fit
waits until those in flight have said what they really used. One that still does not fit ends
the run's paid calls: that and every later one is a typed failure, and what was answered is
kept, so that a run with a new budget goes on from there. Retries of one call are counted,
but not foreseen: they can exceed the budget by their own cost.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic

from g2_pipelines.models.cache import CallStore
from g2_pipelines.models.config import BudgetConfig
from g2_pipelines.models.engines import NO_USAGE, Answered, Engine, Usage
from g2_pipelines.models.errors import BadModelSettingsError, BudgetSpentError
from g2_pipelines.models.ledger import Ledger
from g2_pipelines.models.ports import Completion, CompletionRequest
from g2_pipelines.models.prices import ModelPrice
from g2_pipelines.models.weight import prompt_tokens
from g2_pipelines.text.tokens import Tokenizer, tokenizer

_LOOK_S = 0.05
_AGAIN_S = 5.0


@dataclass(frozen=True, slots=True)
class Amount:
    """Tokens and the money that they cost."""

    tokens: int = 0
    money: float = 0.0

    def __add__(self, other: Amount) -> Amount:
        return Amount(self.tokens + other.tokens, self.money + other.money)

    def __sub__(self, other: Amount) -> Amount:
        return Amount(self.tokens - other.tokens, self.money - other.money)

    def __gt__(self, limit: Amount) -> bool:
        """Above ``limit`` in a number that is limited (0 is no limit)."""
        over_tokens = bool(limit.tokens) and self.tokens > limit.tokens
        # Sums of floats: a budget that is met to the last yen is not exceeded.
        return over_tokens or (bool(limit.money) and self.money > limit.money * (1 + 1e-9))


class Budget:
    """One budget; safe in threads and event loops.

    ``begun`` says, at the first call and off the event loop, what is spent already; with
    ``shared`` it is asked again every 5 s, for what others spend meanwhile.
    """

    def __init__(
        self,
        limit: Amount,
        *,
        name: str,
        price: ModelPrice | None = None,
        currency: str = "",
        begun: Callable[[], Amount] = Amount,
        shared: bool = False,
    ) -> None:
        if limit.money and price is None:
            raise BadModelSettingsError(
                "A budget of money needs the model's price",
                place="prices_file",
                remedy="Name the model in the price table, or give the budget in tokens",
            )
        self.limit, self.name = limit, name
        self._price, self._currency = price, currency
        self._begun: Callable[[], Amount] | None = begun
        self._others = begun if shared else None
        self._looked_at = 0.0
        self._spent = Amount()
        self._reserved = Amount()
        self._stopped = False
        self._lock = threading.Lock()

    @property
    def spent(self) -> Amount:
        """What was used so far."""
        with self._lock:
            return self._spent

    def amount(self, *, prompt: int, completion: int, cached: int = 0) -> Amount:
        """What so many tokens are in this budget."""
        money = 0.0
        if self._price is not None:
            money = self._price.money(prompt=prompt, completion=completion, cached=cached)
        return Amount(prompt + completion, money)

    async def reserve(self, most: Amount) -> bool:
        """Set ``most`` aside, waiting for calls in flight; False when it does not fit."""
        if self._begun is not None:
            await asyncio.to_thread(self._begin)
        elif self._others is not None and monotonic() >= self._looked_at + _AGAIN_S:
            self._looked_at = monotonic()
            await asyncio.to_thread(self._look, self._others)
        while True:
            with self._lock:
                if self._stopped or self._spent + most > self.limit:
                    self._stopped = True
                    return False
                if not self._spent + self._reserved + most > self.limit:
                    self._reserved += most
                    return True
            await asyncio.sleep(_LOOK_S)

    def _begin(self) -> None:
        with self._lock:
            if self._begun is not None:
                self._spent += self._begun()
                self._begun = None
                self._looked_at = monotonic()

    def _look(self, others: Callable[[], Amount]) -> None:
        """Take over what the ledger has, where it is more: our own calls are in it too."""
        known = others()
        with self._lock:
            self._spent = Amount(
                max(self._spent.tokens, known.tokens), max(self._spent.money, known.money)
            )

    def settle(self, most: Amount, used: Amount) -> None:
        """End a reservation with what was used."""
        with self._lock:
            self._reserved -= most
            self._spent += used

    def failure(self, subject: str, place: str) -> BudgetSpentError:
        """Why a call was not sent."""
        spent, limit = self.spent, self.limit
        parts = []
        if limit.tokens:
            parts.append(f"{spent.tokens:,} of {limit.tokens:,} tokens")
        if limit.money:
            parts.append(f"{spent.money:,.2f} of {limit.money:,.2f} {self._currency}")
        return BudgetSpentError(
            f"The budget of {self.name} does not hold another call: {', '.join(parts)} are spent",
            file=subject,
            place=place,
            remedy="Raise the budget, or run again when a new one begins: answers so far are kept",
        )


class BudgetedEngine:
    """An engine that sends only what its budget holds."""

    def __init__(self, engine: Engine, budget: Budget, tokenizer: Tokenizer) -> None:
        self._engine, self._budget, self._tokenizer = engine, budget, tokenizer

    @property
    def engine(self) -> str:
        """The engine's kind."""
        return self._engine.engine

    @property
    def model(self) -> str:
        """The engine's model and revision."""
        return self._engine.model

    @property
    def concurrency(self) -> int:
        """The engine's."""
        return self._engine.concurrency

    def key_of(self, request: CompletionRequest) -> str:
        """The engine's."""
        return self._engine.key_of(request)

    @asynccontextmanager
    async def _session(self) -> AsyncIterator[None]:
        async with self._engine.session():
            yield

    def session(self) -> AbstractAsyncContextManager[None]:
        """The engine's."""
        return self._session()

    async def answer(self, request: CompletionRequest) -> Answered:
        """The engine's answer, or BudgetSpentError for a call that was not sent."""
        prompt = prompt_tokens(request, self._tokenizer)
        most = self._budget.amount(prompt=prompt, completion=request.max_tokens)
        if not await self._budget.reserve(most):
            failure = self._budget.failure(request.subject, request.task)
            return Answered(failure, 0, NO_USAGE, 0.0)
        used = Amount()
        try:
            answered = await self._engine.answer(request)
            used = self._used(answered, prompt)
        finally:
            self._budget.settle(most, used)
        return answered

    def _used(self, answered: Answered, prompt: int) -> Amount:
        usage: Usage = answered.usage
        return self._budget.amount(
            # A server that counts nothing is taken at our own count.
            prompt=usage.prompt_tokens
            or (prompt if isinstance(answered.result, Completion) else 0),
            completion=usage.completion_tokens,
            cached=usage.cached_tokens,
        )


def budgeted(engine: Engine, config: BudgetConfig, store: CallStore) -> Engine:
    """``engine`` behind the budgets of ``config``, if there are any.

    Raises:
        BadModelSettingsError: a budget of money and no price for the engine's model.
    """
    prices = config.prices
    price = prices.price(engine.model) if prices else None
    currency = prices.currency if prices else ""
    counter = tokenizer(config.tokenizer)

    def spent_today() -> Amount:
        midnight = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        spent = Amount()
        for row in Ledger(store).totals(midnight):
            if row.model == engine.model:
                money = 0.0
                if price is not None:
                    money = price.money(
                        prompt=row.prompt_tokens,
                        completion=row.completion_tokens,
                        cached=row.cached_tokens,
                    )
                spent += Amount(row.prompt_tokens + row.completion_tokens, money)
        return spent

    day = Amount(config.day_tokens, config.day_money)
    run = Amount(config.run_tokens, config.run_money)
    made = engine
    for limit, name, begun in ((day, "the day", spent_today), (run, "the run", Amount)):
        if limit != Amount():
            budget = Budget(
                limit,
                name=name,
                price=price,
                currency=currency,
                begun=begun,
                shared=begun is spent_today,
            )
            made = BudgetedEngine(made, budget, counter)
    return made
