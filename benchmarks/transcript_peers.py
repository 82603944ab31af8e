"""Methods that transcripts are compared with: trivial ones, and rules of public scripts.

The public rules are written anew from their description, since the scripts themselves read
other formats: a Taiwanese earnings-call script takes the first «Q&A» string as the border of
presentation and questions; the reader llama-index-readers-earnings-call-transcript 0.6.0
takes every line's start up to a colon as a speaker.
"""

# ruff: noqa: ARG001  every method takes what any of them needs
from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence

from g2_pipelines.transcripts.metrics import even_boundaries

_FIRST_QA = re.compile(r"Q\s?&\s?A|Ｑ＆Ａ|質疑|(?i:questions? and answers?)")
_COLON = re.compile(r"(?m)^(?P<speaker>[^:：\n]{1,60})[:：][ \t　]*(?=\S)")

#: Text, starts of the gold's turns, number of the gold's inner borders → borders in turns.
Peer = Callable[[str, Sequence[int], int], set[int]]


def none(text: str, starts: Sequence[int], borders: int) -> set[int]:
    """One chunk."""
    return set()


def even(text: str, starts: Sequence[int], borders: int) -> set[int]:
    """As many chunks as the gold has (which no method knows), of equal numbers of turns."""
    return set(even_boundaries(borders, len(starts))) if borders else set()


def first_qa_string(text: str, starts: Sequence[int], borders: int) -> set[int]:
    """Presentation before the first «Q&A», one chunk after it."""
    match = _FIRST_QA.search(text)
    turn = bisect_left(starts, match.start()) if match else 0
    return {turn} if 0 < turn < len(starts) else set()


def line_to_colon(text: str, starts: Sequence[int], borders: int) -> set[int]:
    """A chunk per speaker: wherever a line's start up to a colon stands before a turn."""
    spoken = {match.end() for match in _COLON.finditer(text)}
    return {number for number, start in enumerate(starts) if number and start in spoken}


def colon_turns(text: str) -> list[int]:
    """Starts of the turns that the same rule finds."""
    return [match.end() for match in _COLON.finditer(text)]


PEERS: dict[str, Peer] = {
    "none": none,
    "even": even,
    "first_qa_string": first_qa_string,
    "line_to_colon": line_to_colon,
}
