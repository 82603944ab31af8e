"""What was read last, kept in memory within a bound of bytes.

Here: ``Kept``. Its keys hold the digest of what was read, so nothing kept is ever out of date.
``evidence`` imports this module.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """Values by key, those used last, up to ``most_bytes`` in all; safe for threads.

    A value that is larger than the bound by itself is given and not kept.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._held: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], T], size: Callable[[T], int]) -> T:
        """The value of ``key``; ``make`` makes it where it is not held, ``size`` its bytes.

        Two threads that make the same lose only time.
        """
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                return self._held[key][0]
        value = make()
        bytes_ = size(value)
        with self._lock:
            if key not in self._held:
                self._held[key] = (value, bytes_)
                self._bytes += bytes_
            while self._bytes > self._most:
                _, (_, dropped) = self._held.popitem(last=False)
                self._bytes -= dropped
        return value

    @property
    def size(self) -> int:
        """Bytes of all that is kept, as ``size`` counted them."""
        return self._bytes
