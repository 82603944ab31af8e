"""The embedded default: summaries made of the sources' own sentences, with their spans.

Here: ``ExtractivePreSummarizer`` and ``ExtractiveFinalSummarizer``. No model, no network,
deterministic. Not here: the lexicons (``lexicon``), the choice itself (``selection``).
Importable by ``build`` and tests.

An aspect's pre-summary takes the sentences that fit the aspect best of all aspects (one
sentence serves one aspect only); the simple one takes the most central sentences, whatever
they speak of (the paper's ②', without X and T). The final summary chooses among the
pre-summaries' sentences, balanced over the sources.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from g2_pipelines.briefs.config import AspectSpec
from g2_pipelines.briefs.drafts import budget_of, draft, joined
from g2_pipelines.briefs.lexicon import FIT, lexicon_of, read_with, rivals
from g2_pipelines.briefs.lists import Listing, introduces
from g2_pipelines.briefs.passages import Passage, read_passages
from g2_pipelines.briefs.ports import (
    Draft,
    FinalTask,
    PreSummaryTask,
    nothing_found_draft,
)
from g2_pipelines.briefs.salience import salience
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
from g2_pipelines.text.overlap import ngrams
from g2_pipelines.text.tokens import Tokenizer

ENGINE = "extractive"
MODEL = "extractive/1"
#: Least score as a share of the best sentence's: what is far below it only fills.
_PRE_SHARE = 0.5
_FINAL_SHARE = 0.6
#: A final text that fills less than this share of its budget takes weaker sentences in.
_LITTLE = 0.4
#: Sentences that share more of their 4-grams than this are one statement told twice.
_ALIKE = 0.5
#: A sentence that shares more of its 4-grams with what another aspect took is left out.
_TOLD = 0.33


class _Scored(NamedTuple):
    """Passages of one task with their scores per aspect and the aspect of each chain."""

    passages: list[Passage]
    scores: list[dict[str, float]]
    chains: list[Chain]


class ExtractivePreSummarizer:
    """Pre-summaries out of the source's own sentences."""

    engine = ENGINE
    model = MODEL
    prompt_version = ""
    #: A source shorter than L is still read for the aspect: selecting costs nothing.
    passes_through = False

    def version_of(self, _aspect: AspectSpec | None, _strategy: Strategy, /) -> str:
        """There are no prompts."""
        return ""

    async def pre_summarize(
        self, tasks: Sequence[PreSummaryTask], *, tokenizer: Tokenizer
    ) -> list[Draft]:
        """One draft a task, in order. Tasks of one call share the sentences' aspects: a
        sentence that two sources hold goes to the same aspect in both.
        """
        scored = [_score(task) for task in tasks]
        _agree(scored)
        return [_pre_draft(task, one, tokenizer) for task, one in zip(tasks, scored, strict=True)]


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


def _score(task: PreSummaryTask) -> _Scored:
    passages = read_passages(task.splits)
    scores: list[dict[str, float]] = []
    for passage in passages:
        lexicon = lexicon_of(_aspects(task), passage.language)
        scores.append(lexicon.scores(passage.text, passage.headings))
    usable = [_usable(passage, task.source.select) for passage in passages]
    lists = _lists(task, passages, scores)
    for members in lists.values():
        for i in members:
            usable[i] = False

    def adjacent(i: int) -> bool:
        before, this = passages[i - 1], passages[i]
        near = this.paragraph - before.paragraph <= 1 and this.headings == before.headings
        return usable[i - 1] and usable[i] and near and this.role == before.role

    found = chains(
        [passage.text for passage in passages], [passage.language for passage in passages], adjacent
    )
    found = [
        Chain(tuple(kept))
        for chain in found
        if usable[chain.members[0]]
        and (kept := [i for i in chain.members if usable[i]]) == list(chain.members)
    ]
    return _Scored(passages, scores, with_lists(found, lists))


def _aspects(task: PreSummaryTask) -> tuple[AspectSpec, ...]:
    """The aspects that share this source's sentences out; without an aspect, the first's."""
    return read_with(task.aspects, (task.aspect or task.aspects[0]).key)


def _lists(
    task: PreSummaryTask, passages: Sequence[Passage], scores: list[dict[str, float]]
) -> dict[int, list[int]]:
    """Entries by introducing sentence, of the lists that an aspect can use.

    Such a sentence gets its score here: alone it is a pointer that no aspect shows.
    """
    lists: dict[int, list[int]] = {}
    for at, passage in enumerate(passages):
        if passage.introduced >= 0:
            lists.setdefault(passage.introduced, []).append(at)
    kept: dict[int, list[int]] = {}
    for at, members in lists.items():
        lexicon = lexicon_of(_aspects(task), passages[at].language)
        named = lexicon.introduction(passages[at].text, passages[at].headings)
        if max(named.values()) >= FIT:
            scores[at] = named
            kept[at] = members
    return kept


def _usable(passage: Passage, part: str) -> bool:
    """Whether a sentence may speak for the company: whole, and no questioner's words.

    In the question-and-answer part only who is known to answer is quoted.
    """
    if not passage.complete:
        return False
    if passage.role in ("question", "moderator"):
        return False
    return part != "qa" or passage.role in ("answer", "presenter")


def _agree(scored: Sequence[_Scored]) -> None:
    """Give sentences that say nearly the same their best score per aspect in every place.

    A report repeats itself (policy and analysis): both places must serve the same aspect,
    else two aspects of the brief would read alike.
    """
    seen: list[tuple[frozenset[str], dict[str, float]]] = []
    for one in scored:
        for at, (passage, scores) in enumerate(zip(one.passages, one.scores, strict=True)):
            if max(scores.values()) < FIT:
                continue
            grams = ngrams(passage.text, 4)
            pooled = next((known for other, known in seen if _alike(grams, other)), None)
            if pooled is None:
                seen.append((grams, dict(scores)))
                one.scores[at] = seen[-1][1]
                continue
            for key, score in scores.items():
                pooled[key] = max(pooled[key], score)
            one.scores[at] = pooled


def _alike(left: frozenset[str], right: frozenset[str]) -> bool:
    small, large = sorted((left, right), key=len)
    # The cheap bound first: most pairs differ too much in length to be told twice.
    return len(small) * 3 >= len(large) and len(small & large) > _ALIKE * len(small)


def _pre_draft(task: PreSummaryTask, scored: _Scored, tokenizer: Tokenizer) -> Draft:
    passages = scored.passages
    if task.aspect is None:
        sentences = _sentences(task, passages, salience([passage.text for passage in passages]))
        chosen = _choose(task, sentences, scored.chains, tokenizer, floor=float("-inf"), share=0.0)
        return draft([(sentences[i], passages[i].spans) for i in chosen])
    told: set[str] = set()
    among = rivals(task.aspects, task.aspect.key)
    for key in among:
        sentences = _sentences(task, passages, [scores[key] for scores in scored.scores])
        candidates = [
            kept
            for chain in scored.chains
            if (kept := _for_aspect(chain, scored.scores, key, among)) is not None
            and not _was_told("".join(passages[i].text for i in kept.members), told)
        ]
        chosen = _choose(task, sentences, candidates, tokenizer, floor=FIT, share=_PRE_SHARE)
        if key == task.aspect.key:
            return draft([(sentences[i], passages[i].spans) for i in chosen])
        told |= ngrams("".join(passages[i].text for i in chosen), 4)
    return nothing_found_draft()


def _was_told(text: str, told: set[str]) -> bool:
    grams = ngrams(text, 4)
    return len(grams & told) > _TOLD * len(grams)


def _sentences(
    task: PreSummaryTask, passages: Sequence[Passage], points: Sequence[float]
) -> list[Sentence]:
    return [
        Sentence(
            place=(passage.order,),
            text=passage.text,
            score=score,
            group=task.source.key,
            heading="/".join(passage.headings),
            block=(passage.paragraph,),
            language=passage.language,
        )
        for passage, score in zip(passages, points, strict=True)
    ]


def _choose(
    task: PreSummaryTask,
    sentences: Sequence[Sentence],
    candidates: Sequence[Chain],
    tokenizer: Tokenizer,
    *,
    floor: float,
    share: float,
) -> list[int]:
    fits = budget_of(sentences, task.budget, tokenizer)
    return choose(sentences, candidates, fits=fits, floor=floor, share=share)


def best_aspect(scores: dict[str, float], among: Sequence[str]) -> str | None:
    """The one of these aspects that a sentence serves, or None where it fits none."""
    key = max(among, key=lambda name: scores[name])  # the first configured wins a tie
    return key if scores[key] >= FIT else None


def _for_aspect(
    chain: Chain, scores: Sequence[dict[str, float]], key: str, among: Sequence[str]
) -> Chain | None:
    """The chain cut to what serves the aspect; None where it belongs to another.

    A chain belongs to its first sentence's aspect, or, where that fits none, to the best of
    the others'.
    """
    if chain.introduction >= 0:
        return chain if best_aspect(scores[chain.introduction], among) == key else None
    best = [best_aspect(scores[i], among) for i in chain.members]
    owner = best[0]
    if owner is None:
        others = [i for i, one in zip(chain.members, best, strict=True) if one is not None]
        if not others:
            return None
        lead = min(others, key=lambda i: (-max(scores[i][name] for name in among), i))
        owner = best_aspect(scores[lead], among)
    if owner != key:
        return None
    last = max((n for n, one in enumerate(best) if one == key), default=0)
    return Chain(chain.members[: last + 1])


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
        for at, piece in enumerate(summary.sentences):
            text = texts[at]
            spoken = language(text)
            lexicon = lexicon_of(read_with(task.aspects, task.aspect.key), spoken)
            entries = tuple(first + i for i in _entries(texts, at))
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
