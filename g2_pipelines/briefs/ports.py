"""The briefs' task ports: what a pre-summarizer and a final summarizer get and give.

Here: the tasks, the ``Draft`` that comes back, and the two Protocols. Implementations are
``extractive`` and ``prompted``; ``pre_summaries`` and ``final_summaries`` call them and make
rows of the drafts. Importable by briefs only (defs and cli go through ``build``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from g2_pipelines.briefs.config import AspectSpec, SourceTypeSpec
from g2_pipelines.models.ports import Maker
from g2_pipelines.tables.line1 import Company, SourceSplit, Strategy, Summary, SummarySentence
from g2_pipelines.tables.rows import Row
from g2_pipelines.text.sentences import sentences
from g2_pipelines.text.tokens import Tokenizer

#: The whole text of a summary whose sources say nothing of the aspect.
NOTHING_FOUND = "該当する記載なし"
_BARE = re.compile(r"[\s。．.、「」『』\"'()（）*]+")


class PreSummaryTask(Row):
    """Query ② (or ②' when ``aspect`` is None) for one source: all its parts, in order.

    ``budget`` is L in tokens, ``input_limit`` what text, instruction and answer may take
    together. ``aspects`` are all aspects of the brief: a sentence serves only one of them.
    """

    strategy: Strategy = "aspect"

    company: Company
    aspect: AspectSpec | None
    aspects: tuple[AspectSpec, ...]
    source: SourceTypeSpec
    splits: tuple[SourceSplit, ...]
    budget: int
    input_limit: int


class FinalTask(Row):
    """Query ③: the pre-summaries of one fiscal year, for one aspect.

    Pre-summaries that found nothing are not among ``pre``.
    """

    company: Company
    fiscal_year: str
    aspect: AspectSpec
    aspects: tuple[AspectSpec, ...]
    sources: tuple[SourceTypeSpec, ...]
    pre: tuple[Summary, ...]
    strategy: Strategy
    budget: int
    input_limit: int


class Draft(Row):
    """A text as an implementation gives it; sentences are ranges of ``text``, in order."""

    text: str
    sentences: list[SummarySentence]
    finish_reason: str
    nothing_found: bool = False
    call_keys: list[str] = []
    warnings: list[str] = []


class PreSummarizer(Maker, Protocol):
    """Makes pre-summaries. A bad task raises; the caller decides what that sinks."""

    def version_of(self, aspect: AspectSpec | None, strategy: Strategy, /) -> str:
        """``prompt_version`` of what such a pre-summary depends on."""
        ...

    @property
    def passes_through(self) -> bool:
        """Whether a source that is shorter than L is taken as it stands, without a call."""
        ...

    async def pre_summarize(
        self, tasks: Sequence[PreSummaryTask], *, tokenizer: Tokenizer
    ) -> list[Draft]:
        """One draft a task, in order."""
        ...


class FinalSummarizer(Maker, Protocol):
    """Makes final summaries out of pre-summaries."""

    def version_of(self, aspect: AspectSpec, strategy: Strategy, /) -> str:
        """``prompt_version`` of what such a final summary depends on."""
        ...

    async def finalize(self, task: FinalTask, *, tokenizer: Tokenizer) -> Draft:
        """The final text of one aspect."""
        ...


def says_nothing(text: str) -> bool:
    """True where a text is only the sentence that nothing was found."""
    return _BARE.sub("", text) == NOTHING_FOUND


def without_nothing(text: str) -> str:
    """``text`` without sentences that nothing was found, where it says something besides.

    A model that reads several sources may answer for each: that one of them is silent is no
    statement about the company, and is false beside what another says.
    """
    ranges = sentences(text)
    silent = [(a, b) for a, b in ranges if says_nothing(text[a:b])]
    if not silent or len(silent) == len(ranges):
        return text
    for start, end in reversed(silent):
        text = text[:start] + text[end:].lstrip()
    return text.strip()


def nothing_found_draft(**fields: list[str]) -> Draft:
    """The draft of a source that says nothing of the aspect."""
    text = NOTHING_FOUND
    sentence = SummarySentence(start=0, end=len(text))
    return Draft(
        text=text, sentences=[sentence], finish_reason="stop", nothing_found=True, **fields
    )
