"""On whose account a call is: the asset and the partition that are being made.

Here: a context that ``defs`` sets around a stage's work, so that the ledger can say what an
asset or a company cost, embeddings too, without each port's knowing of partitions. It
follows asyncio tasks. ``defs``, commands and this package may import this module.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Purpose:
    """What is being made.

    asset: its key in words, ``pre_summaries/environment``; partition: a company, a document,
    a question.
    """

    asset: str = ""
    partition: str = ""


_NOTHING = Purpose()
_PURPOSE: ContextVar[Purpose] = ContextVar("g2_purpose", default=_NOTHING)


@contextmanager
def charged_to(*, asset: str, partition: str) -> Iterator[None]:
    """Calls made inside are on this asset's and partition's account."""
    token = _PURPOSE.set(Purpose(asset, partition))
    try:
        yield
    finally:
        _PURPOSE.reset(token)


def purpose() -> Purpose:
    """What is being made now; empty strings outside of ``charged_to``."""
    return _PURPOSE.get()
