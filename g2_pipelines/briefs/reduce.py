"""Texts that are too long for one prompt, grouped level by level until one is left.

Here: ``groups``, the pure plan of one level, and its error. The calls are ``prompted``'s.
Importable by briefs only.

It ends: a level must leave fewer texts than it got, else it is refused (a collapse loop
without that proof is a known fault of others: langchain#16251). With n texts there are
fewer than n levels.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.errors import LimitError


class ReduceStalledError(LimitError):
    """Summaries are so long that no two of them fit one prompt."""

    code = "reduce_stalled"


def groups(tokens: Sequence[int], limit: int) -> list[list[int]]:
    """Group texts, in order, so that each group holds at most ``limit`` tokens.

    Args:
        tokens: Tokens of each text.
        limit: Tokens of text that a prompt can hold.

    Returns:
        Groups of indices, as even as their order allows; one group when all fit.

    Raises:
        ReduceStalledError: grouping would not leave fewer texts than there are.
    """
    if sum(tokens) <= limit:
        return [list(range(len(tokens)))]
    share = sum(tokens) / -(-sum(tokens) // limit) if limit > 0 else 0.0
    result = _packed(tokens, limit, share)
    if len(result) >= len(tokens):
        # Even groups did not help: as many texts a group as fit.
        result = _packed(tokens, limit, limit)
    if len(result) >= len(tokens):
        raise ReduceStalledError(
            f"{len(tokens)} part summaries of {max(tokens)} tokens do not fit {limit} by twos",
            place="reduce",
            remedy="Raise input_limit or lower pre_summary_tokens",
        )
    return result


def _packed(tokens: Sequence[int], limit: int, share: float) -> list[list[int]]:
    """Groups in order; a new one where ``limit`` would be passed or ``share`` is reached."""
    result: list[list[int]] = []
    taken = 0
    for index, count in enumerate(tokens):
        if not result or taken + count > limit or taken >= share:
            result.append([])
            taken = 0
        result[-1].append(index)
        taken += count
    return result
