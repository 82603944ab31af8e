"""Drafts out of chosen sentences: how they are joined, counted and cited.

Here: ``joined``, ``budget_of`` and ``draft``, which the extractive engine uses for both of its
texts. Not here: the choice (``selection``). Importable by ``extractive`` only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from g2_pipelines.briefs.ports import Draft, nothing_found_draft
from g2_pipelines.briefs.selection import Sentence
from g2_pipelines.tables.line1 import SummarySentence
from g2_pipelines.tables.rows import Span
from g2_pipelines.text.tokens import Tokenizer

#: Parts that sum up to this many times the budget do not fit, however they are joined.
_FAR_ABOVE = 1.1


def budget_of(
    sentences: Sequence[Sentence], budget: int, tokenizer: Tokenizer
) -> Callable[[Sequence[int]], bool]:
    """Whether sentences (by index) joined hold the budget.

    Joined texts are counted as they will stand; only what is far above by its parts is
    refused unread, as counting is what a long choice spends its time on.
    """
    parts: dict[int, int] = {}

    def fits(indices: Sequence[int]) -> bool:
        for i in indices:
            if i not in parts:
                parts[i] = tokenizer.count(sentences[i].text)
        if sum(parts[i] for i in indices) > budget * _FAR_ABOVE:
            return False
        return tokenizer.count(joined([sentences[i] for i in indices])[0]) <= budget

    return fits


def joined(sentences: Sequence[Sentence]) -> tuple[str, list[tuple[int, int]]]:
    """The summary's text and each sentence's range: one paragraph a block of the source.

    What follows a list but stands under another heading or entry of the source comes after
    an empty line: else it would read as said of the list's last entry.
    """
    text = ""
    ranges: list[tuple[int, int]] = []
    before: Sentence | None = None
    shown: Sentence | None = None  # the list's last entry
    for one in sentences:
        if before is not None:
            together = before.block == one.block and before.group == one.group
            text += ("" if one.language == "ja" else " ") if together else "\n"
        if one.entry:
            shown = one
        elif shown is not None and (shown.group, shown.mark) != (one.group, one.mark):
            text += "\n" if shown.group == one.group else ""
            shown = None
        ranges.append((len(text), len(text) + len(one.text)))
        text += one.text
        before = one
    return text, ranges


def draft(rows: Sequence[tuple[Sentence, tuple[Span, ...]]]) -> Draft:
    """The draft of these sentences with their spans; nothing found where there are none."""
    if not rows:
        return nothing_found_draft()
    text, ranges = joined([sentence for sentence, _ in rows])
    return Draft(
        text=text,
        sentences=[
            SummarySentence(start=start, end=end, spans=list(spans))
            for (start, end), (_, spans) in zip(ranges, rows, strict=True)
        ],
        finish_reason="stop",
    )
