"""What the call cache says of a key, and what it is told of a call's end.

Here: plain values. ``cache`` and the ports that wrap engines import this module.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from g2_pipelines.tables.ledger import ModelCall


@dataclass(frozen=True, slots=True)
class Hit:
    """The key's call is complete."""

    payload: bytes


@dataclass(frozen=True, slots=True)
class Claim:
    """The key is ours until finished; a ledger row shows it in flight."""

    key: str
    owner: str


@dataclass(frozen=True, slots=True)
class Held:
    """Another process or thread works on the key."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A claimed call's end. payload: its answer, None if it failed; row: as it ended."""

    claim: Claim
    payload: bytes | None
    row: ModelCall


#: What a turn gives for a call, and for a finished one.
Turned: TypeAlias = Hit | Claim | Held | bytes | None
