"""Single items in, one call for as many as have gathered: for databases and batching engines.

While one group is worked on, the next gathers; alone, an item goes at once. Only this
package's modules import this one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Generic, TypeVar

I = TypeVar("I")  # noqa: E741  an item
R = TypeVar("R")

#: At most so many are committed together, and lost together by a power cut.
GROUP = 64


class _Group(Generic[I, R]):
    def __init__(self) -> None:
        self.items: list[I] = []
        self.task: asyncio.Task[Sequence[R]] | None = None


class Grouped(Generic[I, R]):
    """Collects the items of one event loop; ``work`` gets them in order of arrival."""

    def __init__(self, work: Callable[[list[I]], Awaitable[Sequence[R]]]) -> None:
        self._work = work
        self._gathering: _Group[I, R] | None = None
        self._turn = asyncio.Lock()

    async def do(self, item: I) -> R:
        """The result for ``item``; what ``work`` raises is raised to the whole group.

        A caller that is cancelled leaves its item in the group: it is worked on.
        """
        return await self.put(item)

    def put(self, item: I) -> Coroutine[None, None, R]:
        """Add ``item`` now, so that it is worked on before all that is added later.

        The result is for whoever awaits what is returned, as with ``do``.
        """
        group = self._gathering
        if group is None or len(group.items) >= GROUP:
            group = self._gathering = _Group()
        position = len(group.items)
        group.items.append(item)
        if group.task is None:
            group.task = asyncio.create_task(self._run(group))
        return self._result(group.task, position)

    @staticmethod
    async def _result(task: asyncio.Task[Sequence[R]], position: int) -> R:
        return (await asyncio.shield(task))[position]

    async def _run(self, group: _Group[I, R]) -> Sequence[R]:
        async with self._turn:
            if self._gathering is group:
                self._gathering = None
            return await self._work(group.items)
