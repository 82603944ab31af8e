"""The embedded default's final summaries: sentences chosen among the pre-summaries'.

Here: ``ExtractiveFinalSummarizer``, balanced over the sources. Not here: what the
pre-summaries took of the sources (``extractive``), the choice itself (``selection``).
Importable by ``build`` and tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from g2_pipelines.briefs.config import AspectSpec
from g2_pipelines.briefs.drafts import budget_of, draft, joined
from g2_pipelines.briefs.extractive import ENGINE, MODEL, best_aspect
from g2_pipelines.briefs.lexicon import FIT, lexicon_of, read_with, rivals
from g2_pipelines.briefs.lists import Listing, introduces
from g2_pipelines.briefs.ports import Draft, FinalTask
from g2_pipelines.briefs.selection import (
    Chain,
    Sentence,
    chains,
    choose,
    typical,
    value,
    with_lists,
)
from g2_pipelines.tables.line1 import Strategy
from g2_pipelines.tables.rows import Span
from g2_pipelines.text.language import language
from g2_pipelines.text.tokens import Tokenizer

#: Least score as a share of the best sentence's: what is far below it only fills.
_FINAL_SHARE = 0.6
#: A final text that fills less than this share of its budget takes weaker sentences in.
_LITTLE = 0.4


class ExtractiveFinalSummarizer:
    """Final summaries out of the pre-summaries' sentences."""

    engine = ENGINE
    model = MODEL
    prompt_version = ""

    def version_of(self, _aspect: AspectSpec, _strategy: Strategy, /) -> str:
        """There are no prompts."""
        return ""

    async def finalize(self, task: FinalTask, *, tokenizer: Tokenizer) -> Draft:
        """The final text of one aspect; nothing found where no sentence fits it."""
        rows = _final_sentences(task)
        sentences = [row.sentence for row in rows]
        spans = [row.spans for row in rows]
        found = chains(
            [one.text for one in sentences],
            [one.language for one in sentences],
            lambda i: _touch(spans[i - 1], spans[i]),
        )
        found = with_lists(found, {i: row.entries for i, row in enumerate(rows) if row.entries})
        if any(pre.aspect == "" for pre in task.pre):
            # Simple pre-summaries were made for no aspect: only what fits this one is used.
            found = [c for c in found if any(rows[i].own for i in c.members)]
        chosen = _balanced(sentences, found, task.budget, tokenizer)
        return draft([(sentences[i], spans[i]) for i in chosen])


class _FinalRow(NamedTuple):
    sentence: Sentence
    spans: tuple[Span, ...]
    own: bool  # its best aspect is the task's
    entries: tuple[int, ...] = ()  # of the list that it introduces, as places among the rows


def _final_sentences(task: FinalTask) -> list[_FinalRow]:
    order = {source.key: n for n, source in enumerate(task.sources)}
    rows: list[_FinalRow] = []
    pre = sorted(
        task.pre, key=lambda one: (order.get(one.source_type, len(order)), one.source_type)
    )
    for number, summary in enumerate(pre):
        texts = [summary.text[piece.start : piece.end] for piece in summary.sentences]
        first = len(rows)
        listed: set[int] = set()
        for at, piece in enumerate(summary.sentences):
            text = texts[at]
            spoken = language(text)
            lexicon = lexicon_of(read_with(task.aspects, task.aspect.key), spoken)
            members = _entries(texts, at)
            listed.update(members)
            entries = tuple(first + i for i in members)
            scores = lexicon.introduction(text) if entries else lexicon.scores(text)
            points = scores[task.aspect.key]
            sentence = Sentence(
                place=(number, at),
                text=text,
                # The aspect's own pre-summary vouches for the fit (it saw the headings); the
                # words alone decide which sentences come first.
                score=FIT + max(0.0, points) / 2 if summary.aspect else points,
                group=summary.source_type,
                heading="",
                block=(number, summary.text.count("\n", 0, piece.start)),
                language=spoken,
                mark=summary.text.count("\n\n", 0, piece.start),
                entry=at in listed,
            )
            among = rivals(task.aspects, task.aspect.key)
            own = best_aspect(scores, among) == task.aspect.key
            rows.append(_FinalRow(sentence, tuple(piece.spans), own, entries))
    return rows


def _entries(texts: Sequence[str], at: int) -> list[int]:
    """Places of the entries of the list that sentence ``at`` introduces."""
    if not introduces(texts[at]):
        return []
    listing = Listing(at)
    return [i for i in range(at + 1, len(texts)) if listing.take(texts[i])]


def _touch(before: Sequence[Span], after: Sequence[Span]) -> bool:
    """Whether one range directly follows the other (white space between them at most)."""
    if not before or not after:
        return False
    left, right = before[-1], after[0]
    return left.source_id == right.source_id and 0 <= right.start - left.end <= 4


def _balanced(
    sentences: Sequence[Sentence], found: Sequence[Chain], budget: int, tokenizer: Tokenizer
) -> list[int]:
    """The final choice: sentences whose own words fit, and where those fill little of the
    budget also those that only their headings made fit.
    """
    if not found:
        return []
    values = [value(sentences, chain) for chain in found]
    least = min(FIT, max(values))
    strict = max(least, min(max(values), _FINAL_SHARE * typical(values)))
    chosen = _shared_out(sentences, found, budget, tokenizer, floor=strict)
    text, _ = joined([sentences[i] for i in chosen])
    if tokenizer.count(text) < _LITTLE * budget:
        return _shared_out(sentences, found, budget, tokenizer, floor=least)
    return chosen


def _shared_out(
    sentences: Sequence[Sentence],
    found: Sequence[Chain],
    budget: int,
    tokenizer: Tokenizer,
    *,
    floor: float,
) -> list[int]:
    """First each source up to its equal share of the budget, then the best of the rest."""

    def take(candidates: Sequence[Chain], limit: int) -> list[int]:
        fits = budget_of(sentences, limit, tokenizer)
        return choose(sentences, candidates, fits=fits, floor=floor, share=0.0)

    groups = list(dict.fromkeys(sentences[chain.members[0]].group for chain in found))
    kept: list[Chain] = []
    for group in groups:
        own = [chain for chain in found if sentences[chain.members[0]].group == group]
        picked = set(take(own, budget // len(groups)))
        kept += [chain for chain in own if set(chain.members) <= picked]
    # A second choice over all: the shares first (as one pool, without duplicates), then more.
    chosen = take(kept, budget)
    have = set(chosen)
    rest = [chain for chain in found if not set(chain.members) & have]
    for chain in sorted(rest, key=lambda c: (-value(sentences, c), c.members)):
        pool = [c for c in found if set(c.members) <= have] + [chain]
        more = take(pool, budget)
        if have < set(more):
            chosen, have = more, set(more)
    return chosen
