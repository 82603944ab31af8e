"""Several servers of one model side by side: which call goes where, and who is left alone.

Here: ``Fleet``. A call's lane names its server, so that calls that begin alike meet one
prefix cache, also in other processes and the next run. A server that cannot be reached rests;
its calls go to the others, each of them to the same one, and come back when it answers
again. Not here: sending, limits and retries (``server``, which alone imports this module).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from time import monotonic

from g2_pipelines.keys import digest_of
from g2_pipelines.models.errors import (
    BrokenAnswerError,
    Failure,
    ModelTimeoutError,
    ServerFailedError,
    UnreachableModelError,
)

#: A server is tried again after so long, by one call: a restarted vLLM needs a minute or two.
REST_S = 15.0
#: So many timeouts, 5xx or answers that are none in a row mean the server, not the call.
IN_A_ROW = 3

_OF_THE_SERVER = (UnreachableModelError, ServerFailedError, ModelTimeoutError, BrokenAnswerError)


@dataclass(slots=True)
class _State:
    failed: int = 0
    failed_at: float = 0.0
    rests_until: float = 0.0


class Fleet:
    """The servers of one engine, safe in threads. One server alone never rests."""

    def __init__(self, urls: Sequence[str], clock: Callable[[], float] = monotonic) -> None:
        self._states = {url: _State() for url in urls}
        self._clock = clock
        self._lock = threading.Lock()

    def choose(self, lane: str, tried: Collection[str] = ()) -> str:
        """The server for a call's next attempt.

        The first in the lane's own order (rendezvous hashing: where one server falls out,
        the other lanes stay where they are) that works and has not failed this call yet;
        else one that works; else the next in order that was not tried, in turn.
        """
        order = self._order(lane)
        with self._lock:
            now = self._clock()
            fresh = [url for url in order if url not in tried]
            for urls in (fresh, order):
                for url in urls:
                    state = self._states[url]
                    if state.rests_until <= now:
                        if state.rests_until:  # this call tries it; the others wait for word
                            state.rests_until = now + REST_S
                        return url
        return fresh[0] if fresh else order[len(tried) % len(order)]

    def now(self) -> float:
        """Seconds on the fleet's clock, for ``note``."""
        return self._clock()

    def note(self, url: str, failure: Failure | None, sent_at: float) -> None:
        """Say how an attempt ended that was sent then, by ``now``.

        Any answer, also a refusal, shows that the server lives; one to a call sent before the
        last failure shows that it lived.
        """
        if not isinstance(failure, _OF_THE_SERVER):
            failed = 0
        elif isinstance(failure, UnreachableModelError):
            failed = IN_A_ROW
        else:
            failed = 1
        with self._lock:
            state = self._states[url]
            if failed:
                state.failed_at = self._clock()
            elif sent_at < state.failed_at:
                return
            state.failed = state.failed + failed if failed else 0
            rests = state.failed >= IN_A_ROW and len(self._states) > 1
            state.rests_until = self._clock() + REST_S if rests else 0.0

    def _order(self, lane: str) -> list[str]:
        if len(self._states) == 1:
            return list(self._states)
        lane_bytes = lane.encode("utf-8", "surrogatepass")
        return sorted(self._states, key=lambda url: digest_of(lane_bytes + url.encode()))
