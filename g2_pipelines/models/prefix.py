"""The order of calls that begin alike: one goes first, the others follow its answer.

Here: ``PrefixOrder``, which ``cached`` asks before it sends. A server's prefix cache holds a
document only once a call with it was worked on: four calls sent together would compute it
four times. What the call cache answers was not sent and warms nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass


@dataclass
class Turn:
    """A call's turn; ``answered`` is set by whoever got an answer from the engine."""

    answered: bool = False


class PrefixOrder:
    """Holds calls of one ``prefix_key`` back until one of them was answered by the engine.

    A leader that fails, is cancelled or was served from the cache hands the lead to the next
    that waits. Calls without a key, or of a key that is warm, never wait. Order never changes
    an answer.
    """

    def __init__(self) -> None:
        self._warm: set[str] = set()
        self._leaders: dict[tuple[int, str], asyncio.Event] = {}

    @asynccontextmanager
    async def turn(self, prefix_key: str | None) -> AsyncIterator[Turn]:
        """Wait until a call of this key may be sent."""
        turn = Turn()
        if prefix_key is None:
            yield turn
            return
        # Per event loop: what waits in one cannot be woken from another.
        place = (id(asyncio.get_running_loop()), prefix_key)
        while prefix_key not in self._warm and place in self._leaders:
            await self._leaders[place].wait()
        if prefix_key in self._warm:
            yield turn
            return
        self._leaders[place] = asyncio.Event()
        try:
            yield turn
        finally:
            if turn.answered:
                self._warm.add(prefix_key)
            self._leaders.pop(place).set()
