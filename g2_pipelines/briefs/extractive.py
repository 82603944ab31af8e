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
from g2_pipelines.briefs.lexicon import FIT, Lexicon
from g2_pipelines.briefs.passages import Passage, read_passages
from g2_pipelines.briefs.ports import (
    Draft,
    FinalTask,
    PreSummaryTask,
    nothing_found_draft,
)
from g2_pipelines.briefs.salience import salience
from g2_pipelines.briefs.selection import Chain, Sentence, chains, choose, value
from g2_pipelines.tables.line1 import Summary, SummarySentence
from g2_pipelines.tables.rows import Span
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.language import language
from g2_pipelines.text.tokens import Tokenizer

ENGINE = "extractive"
MODEL = "extractive/1"
#: Least score as a share of the best sentence's: what is far below it only fills.
_PRE_SHARE = 0.4
_FINAL_SHARE = 0.45


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

    async def pre_summarize(
        self, tasks: Sequence[PreSummaryTask], *, tokenizer: Tokenizer
    ) -> list[Draft]:
        """One draft a task, in order. Tasks of one call share the sentences' aspects: a
        sentence that two sources hold goes to the same aspect in both.
        """
        lexicons: dict[str, Lexicon] = {}
        scored = [_score(task, lexicons) for task in tasks]
        _agree(scored)
        return [_pre_draft(task, one, tokenizer) for task, one in zip(tasks, scored, strict=True)]


class ExtractiveFinalSummarizer:
    """Final summaries out of the pre-summaries' sentences."""

    engine = ENGINE
    model = MODEL
    prompt_version = ""

    async def finalize(self, task: FinalTask, *, tokenizer: Tokenizer) -> Draft:
        """The final text of one aspect; nothing found where no sentence fits it."""
        rows = _final_sentences(task)
        sentences = [row.sentence for row in rows]
        spans = [row.spans for row in rows]
        found = chains(
            [one.text for one in sentences],
            [one.language for one in sentences],
            lambda i: (
                sentences[i].block == sentences[i - 1].block and _touch(spans[i - 1], spans[i])
            ),
        )
        if any(pre.aspect == "" for pre in task.pre):
            # Simple pre-summaries were made for no aspect: only what fits this one is used.
            found = [c for c in found if any(rows[i].own for i in c.members)]
        chosen = _balanced(sentences, found, task.budget, tokenizer)
        return _draft([(sentences[i], spans[i]) for i in chosen])


def _score(task: PreSummaryTask, lexicons: dict[str, Lexicon]) -> _Scored:
    passages = read_passages(task.splits)
    aspects = list(task.aspects)
    scores: list[dict[str, float]] = []
    for passage in passages:
        lexicon = lexicons.setdefault(passage.language, Lexicon(aspects, passage.language))
        scores.append(lexicon.scores(passage.text, passage.headings))
    usable = [_usable(passage, task.source.select) for passage in passages]

    def adjacent(i: int) -> bool:
        before, this = passages[i - 1], passages[i]
        near = this.paragraph - before.paragraph <= 1 and this.headings == before.headings
        return usable[i - 1] and near and this.role == before.role

    found = chains(
        [passage.text for passage in passages], [passage.language for passage in passages], adjacent
    )
    found = [
        Chain(tuple(kept))
        for chain in found
        if usable[chain.members[0]]
        and (kept := [i for i in chain.members if usable[i]]) == list(chain.members)
    ]
    return _Scored(passages, scores, found)


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
    """Give the same sentence in several places its best score per aspect in each of them."""
    best: dict[str, dict[str, float]] = {}
    for one in scored:
        for passage, scores in zip(one.passages, one.scores, strict=True):
            known = best.setdefault(_same_key(passage.text), dict(scores))
            for key, score in scores.items():
                known[key] = max(known[key], score)
    for one in scored:
        one.scores[:] = [best[_same_key(passage.text)] for passage in one.passages]


def _same_key(text: str) -> str:
    return "".join(fold_text(text).split())


def _pre_draft(task: PreSummaryTask, scored: _Scored, tokenizer: Tokenizer) -> Draft:
    passages = scored.passages
    if task.aspect is None:
        points = salience([passage.text for passage in passages])
        floor, share = float("-inf"), 0.0
        candidates = scored.chains
    else:
        key = task.aspect.key
        points = [scores[key] for scores in scored.scores]
        floor, share = FIT, _PRE_SHARE
        candidates = [
            kept
            for chain in scored.chains
            if (kept := _for_aspect(chain, scored.scores, key)) is not None
        ]
    sentences = [
        Sentence(
            place=(passage.order,),
            text=passage.text,
            score=points[i],
            group=task.source.key,
            heading="/".join(passage.headings),
            block=(passage.paragraph,),
            language=passage.language,
        )
        for i, passage in enumerate(passages)
    ]

    def fits(indices: Sequence[int]) -> bool:
        return _fits([sentences[i] for i in indices], task.budget, tokenizer)

    chosen = choose(sentences, candidates, fits=fits, floor=floor, share=share)
    return _draft([(sentences[i], passages[i].spans) for i in chosen])


def best_aspect(scores: dict[str, float]) -> str | None:
    """The one aspect that a sentence serves, or None where it fits none."""
    key = max(scores, key=lambda name: scores[name])  # the first configured wins a tie
    return key if scores[key] >= FIT else None


def _for_aspect(chain: Chain, scores: Sequence[dict[str, float]], key: str) -> Chain | None:
    """The chain cut to what serves the aspect; None where it belongs to another.

    A chain belongs to its first sentence's aspect, or, where that fits none, to the best of
    the others'.
    """
    owner = best_aspect(scores[chain.members[0]])
    if owner is None:
        others = [(max(scores[i].values()), -i) for i in chain.members[1:]]
        if not others:
            return None
        owner = best_aspect(scores[-max(others)[1]])
    if owner != key:
        return None
    last = max((n for n, i in enumerate(chain.members) if best_aspect(scores[i]) == key), default=0)
    return Chain(chain.members[: last + 1])


class _FinalRow(NamedTuple):
    sentence: Sentence
    spans: tuple[Span, ...]
    own: bool  # its best aspect is the task's


def _final_sentences(task: FinalTask) -> list[_FinalRow]:
    order = {source.key: n for n, source in enumerate(task.sources)}
    lexicons: dict[str, Lexicon] = {}
    rows: list[_FinalRow] = []
    pre = sorted(
        task.pre, key=lambda one: (order.get(one.source_type, len(order)), one.source_type)
    )
    for number, summary in enumerate(pre):
        for at, piece in enumerate(summary.sentences):
            text = summary.text[piece.start : piece.end]
            spoken = language(text)
            lexicon = lexicons.setdefault(spoken, Lexicon(list(task.aspects), spoken))
            scores = lexicon.scores(text)
            sentence = Sentence(
                place=(number, at),
                text=text,
                score=scores[task.aspect.key],
                group=summary.source_type,
                heading="",
                block=(number,),
                language=spoken,
            )
            own = best_aspect(scores) == task.aspect.key
            rows.append(_FinalRow(sentence, tuple(piece.spans), own))
    return rows


def _touch(before: Sequence[Span], after: Sequence[Span]) -> bool:
    """Whether one range directly follows the other (white space between them at most)."""
    if not before or not after:
        return False
    left, right = before[-1], after[0]
    return left.source_id == right.source_id and 0 <= right.start - left.end <= 4


def _balanced(
    sentences: Sequence[Sentence], found: Sequence[Chain], budget: int, tokenizer: Tokenizer
) -> list[int]:
    """First each source up to its equal share of the budget, then the best of the rest."""
    groups = list(dict.fromkeys(sentences[chain.members[0]].group for chain in found))
    if not found:
        return []
    best = max(value(sentences, chain) for chain in found)
    floor = min(best, max(FIT, _FINAL_SHARE * best))
    chosen: list[int] = []

    def take(candidates: Sequence[Chain], limit: int) -> list[int]:
        def fits(indices: Sequence[int]) -> bool:
            return _fits([sentences[i] for i in indices], limit, tokenizer)

        return choose(sentences, candidates, fits=fits, floor=floor, share=0.0)

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


def _fits(sentences: Sequence[Sentence], budget: int, tokenizer: Tokenizer) -> bool:
    return tokenizer.count(_joined(sentences)[0]) <= budget


def _joined(sentences: Sequence[Sentence]) -> tuple[str, list[tuple[int, int]]]:
    """The summary's text and each sentence's range: one paragraph a block of the source."""
    text = ""
    ranges: list[tuple[int, int]] = []
    before: Sentence | None = None
    for one in sentences:
        if before is not None:
            together = before.block == one.block and before.group == one.group
            text += ("" if one.language == "ja" else " ") if together else "\n"
        ranges.append((len(text), len(text) + len(one.text)))
        text += one.text
        before = one
    return text, ranges


def _draft(rows: Sequence[tuple[Sentence, tuple[Span, ...]]]) -> Draft:
    if not rows:
        return nothing_found_draft()
    text, ranges = _joined([sentence for sentence, _ in rows])
    return Draft(
        text=text,
        sentences=[
            SummarySentence(start=start, end=end, spans=list(spans))
            for (start, end), (_, spans) in zip(ranges, rows, strict=True)
        ],
        finish_reason="stop",
    )
