"""The embedded default: summaries made of the sources' own sentences, with their spans.

Here: ``ExtractivePreSummarizer``. No model, no network, deterministic. Not here: the final
summaries (``extractive_final``), the lexicons (``lexicon``), the choice itself
(``selection``). Importable by ``build``, ``extractive_final`` and tests.

An aspect's pre-summary takes the sentences that fit the aspect best of all aspects (one
sentence serves one aspect only); the simple one takes the most central sentences, whatever
they speak of (the paper's ②', without X and T).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from g2_pipelines.briefs.config import AspectSpec
from g2_pipelines.briefs.drafts import budget_of, draft
from g2_pipelines.briefs.lexicon import FIT, lexicon_of, read_with, rivals
from g2_pipelines.briefs.passages import Passage, read_passages
from g2_pipelines.briefs.ports import (
    Draft,
    PreSummaryTask,
    nothing_found_draft,
)
from g2_pipelines.briefs.salience import salience
from g2_pipelines.briefs.selection import (
    Chain,
    Sentence,
    chains,
    choose,
    with_lists,
)
from g2_pipelines.tables.line1 import Strategy
from g2_pipelines.text.overlap import ngrams
from g2_pipelines.text.tokens import Tokenizer

ENGINE = "extractive"
MODEL = "extractive/1"
#: Least score as a share of the best sentence's: what is far below it only fills.
_PRE_SHARE = 0.5
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
            mark=passage.mark,
            entry=passage.introduced >= 0,
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
