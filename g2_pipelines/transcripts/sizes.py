"""Cutting a group of turns at the token cap.

Here: only sizes; which turns belong together is decided in ``chunks``, which alone imports
this module.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from g2_pipelines.errors import LimitError
from g2_pipelines.text.splits import split_ranges
from g2_pipelines.text.tokens import Tokenizer

ATTEMPTS = 6


class Piece(NamedTuple):
    """Ranges of the clean text, none empty; the tokens of them and a repeated header."""

    spans: list[tuple[int, int]]
    tokens: int


def cut(
    text: str,
    spans: Sequence[tuple[int, int]],
    max_tokens: int,
    tokenizer: Tokenizer,
    *,
    header: str = "",
) -> list[Piece]:
    """``spans`` as pieces of at most ``max_tokens``, cut at their borders, then at sentences.

    ``header`` is repeated before every piece but the first, where a model sees it, and is
    counted in these pieces' tokens.

    Raises:
        LimitError: Not even a character fits into ``max_tokens``.
    """
    joined = "\n".join(text[start:end] for start, end in spans)
    tokens = tokenizer.count(joined)
    if tokens <= max_tokens:
        return [Piece(list(spans), tokens)]
    borders, position = [], 0
    for start, end in spans:
        borders.append(position)
        position += end - start + 1
    repeated = f"{header}\n" if header else ""
    limit = max(1, max_tokens - tokenizer.count(repeated))
    for _ in range(ATTEMPTS):
        ranges = split_ranges(joined, limit, tokenizer, borders=borders[1:])
        found = [part for r in ranges if (part := _piece(text, spans, borders, r))]
        pieces = [
            Piece(part, tokenizer.count((repeated if k else "") + _joined(text, part)))
            for k, part in enumerate(found)
        ]
        if all(piece.tokens <= max_tokens for piece in pieces):
            return pieces
        # Tokens at a cut may be counted differently once white space at it is left out.
        limit = max(1, limit * 9 // 10)
    raise LimitError(
        f"The text cannot be cut into parts of {max_tokens} tokens",
        place=f"characters {spans[0][0]}-{spans[-1][1]}",
        remedy="Raise the chunk size",
    )


def _joined(text: str, spans: Sequence[tuple[int, int]]) -> str:
    return "\n".join(text[start:end] for start, end in spans)


def _piece(
    text: str,
    spans: Sequence[tuple[int, int]],
    borders: Sequence[int],
    part: tuple[int, int],
) -> list[tuple[int, int]]:
    found = []
    first = max(0, bisect_right(borders, part[0]) - 1)
    last = bisect_left(borders, part[1])
    for (start, end), border in zip(spans[first:last], borders[first:last], strict=True):
        left = max(part[0], border)
        right = min(part[1], border + end - start)
        if left >= right:
            continue
        piece = text[start + left - border : start + right - border]
        lead = len(piece) - len(piece.lstrip())
        body = piece.strip()
        if body:
            begin = start + left - border + lead
            found.append((begin, begin + len(body)))
    return found
