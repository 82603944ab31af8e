"""Chunks of a source that an aspect needs: the strategy ``retrieval``.

Here: ``retrieve``: a source cut into chunks, ranked for the aspect by words (BM25), by
meaning (embedding) and by the aspect's lexicon, and what is kept of it. The paper names it
as the way to fewer tokens (§8). It is lossy: so a chunk stays if any ranking has it among
its first k, or if it holds figures of guidance, and what was left out is said. Not here:
how a summary is made of what is kept. Importable by ``pre_summaries``.

The rankings are fused by reciprocal ranks, score(d) = Σ 1 / (60 + rank), to fill up to the
configured tokens.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from g2_pipelines.briefs.config import AspectSpec, BriefConfig, RetrievalSpec
from g2_pipelines.briefs.lexicon import lexicon_of, read_with
from g2_pipelines.briefs.parts import cut, kept, renumbered
from g2_pipelines.briefs.sources import ROLE_MARKS
from g2_pipelines.models.ports import EmbeddingPort
from g2_pipelines.tables.line1 import SourceSplit
from g2_pipelines.text.bm25 import Bm25
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.language import language
from g2_pipelines.text.sentences import sentences
from g2_pipelines.text.splits import split_ranges
from g2_pipelines.text.terms import terms
from g2_pipelines.text.tokens import Tokenizer

_RANK_CONSTANT = 60
#: Words of plans and forecasts: figures beside them are never left out.
_GUIDANCE = re.compile(
    r"予想|見込|見通|計画|目標|ガイダンス|中期|来期|今期|通期|修正"
    r"|guidance|forecast|outlook|target|expect|plan(?:s|ned)?\b|project(?:s|ed)\b"
)
_FIGURE = re.compile(r"\d")
_QUESTIONS = tuple(mark.strip() for mark in ROLE_MARKS["question"])


class Retrieved(NamedTuple):
    """What is kept of a source, and how many of its tokens were left out."""

    splits: tuple[SourceSplit, ...]
    tokens: int
    left_out: int

    @property
    def note(self) -> str:
        """What a reader must know; "" where all was read."""
        if not self.left_out:
            return ""
        share = 100 * self.left_out / self.tokens
        return f"retrieval left out {self.left_out} of {self.tokens} tokens ({share:.0f} %)"


class _Chunk(NamedTuple):
    split: int
    start: int
    end: int
    text: str
    tokens: int


async def retrieve(
    splits: Sequence[SourceSplit],
    *,
    aspect: AspectSpec,
    config: BriefConfig,
    embedding: EmbeddingPort,
    tokenizer: Tokenizer,
) -> Retrieved:
    """Keep of one source what an aspect needs.

    Args:
        splits: The parts of one source.
        aspect: T of the query.
        config: ``retrieval`` says how much is kept.
        embedding: Meaning of chunks and of the aspect.
        tokenizer: Counts chunks.

    Returns:
        Parts whose texts are the chunks kept, in the source's order, and what was left out.
        A source of at most ``retrieval.tokens`` is kept whole, without an embedding.

    Raises:
        ModelError: the embedding failed.
    """
    given = config.retrieval
    ordered = sorted(splits, key=lambda split: split.k)
    total = sum(split.tokens for split in ordered)
    if total <= given.tokens:
        return Retrieved(tuple(ordered), total, 0)
    chunks = _chunks(ordered, given, tokenizer)
    rankings = await _rankings(chunks, aspect, config, embedding)
    chosen = _chosen(chunks, rankings, given)
    parts = []
    for n, split in enumerate(ordered):
        ranges = [(c.start, c.end) for i, c in enumerate(chunks) if i in chosen and c.split == n]
        if ranges:
            parts.append(kept(split, ranges, tokenizer))
    left_out = sum(chunk.tokens for i, chunk in enumerate(chunks) if i not in chosen)
    limit = config.text_limit(config.source_type(ordered[0].source_type))
    fewer = renumbered(cut(parts, limit, tokenizer))
    return Retrieved(tuple(fewer), sum(chunk.tokens for chunk in chunks), left_out)


def _chunks(
    splits: Sequence[SourceSplit], given: RetrievalSpec, tokenizer: Tokenizer
) -> list[_Chunk]:
    """A call's chunks begin at its questions, a filing's at its paragraphs."""
    chunks: list[_Chunk] = []
    for n, split in enumerate(splits):
        text = split.model_text
        for start, end in _exchanges(text):
            lines = [match.end() for match in re.finditer(r"\n", text[start:end])]
            for a, b in split_ranges(text[start:end], given.chunk_tokens, tokenizer, lines):
                piece = text[start + a : start + b]
                chunks.append(_Chunk(n, start + a, start + b, piece, tokenizer.count(piece)))
    return chunks


def _exchanges(text: str) -> list[tuple[int, int]]:
    """A question with all up to the next one; all of a text without questions."""
    starts = [
        match.start()
        for match in re.finditer("|".join(re.escape(mark) for mark in _QUESTIONS), text)
    ]
    borders = sorted({0, *starts, len(text)})
    return [(a, b) for a, b in pairwise(borders) if a < b]


async def _rankings(
    chunks: Sequence[_Chunk], aspect: AspectSpec, config: BriefConfig, embedding: EmbeddingPort
) -> list[list[int]]:
    """Chunks by words, by meaning, by lexicon; best first, what scores nothing left out."""
    spoken = language("".join(chunk.text for chunk in chunks))
    query = (
        f"{aspect.label} {aspect.meaning}"
        if spoken == "ja"
        else f"{aspect.label_english} {aspect.meaning_english}"
    )
    words = Bm25([terms(chunk.text) for chunk in chunks]).scores(terms(query))
    vectors: list[list[float]] = []
    for vector in await embedding.embed([query, *(chunk.text for chunk in chunks)]):
        if isinstance(vector, Exception):
            raise vector
        vectors.append(vector)
    # Rounded, so that a sum's last bit decides no order.
    near = [round(sum(a * b for a, b in zip(vectors[0], v, strict=True)), 6) for v in vectors[1:]]
    lexicon = lexicon_of(read_with(config.aspects, aspect.key), spoken)
    told = [
        max(
            (lexicon.scores(chunk.text[a:b])[aspect.key] for a, b in sentences(chunk.text)),
            default=0.0,
        )
        for chunk in chunks
    ]
    return [_ranked(words), _ranked(near), _ranked(told)]


def _ranked(scores: Sequence[float]) -> list[int]:
    found = [i for i, score in enumerate(scores) if score > 0]
    return sorted(found, key=lambda i: (-scores[i], i))


def _chosen(
    chunks: Sequence[_Chunk], rankings: Sequence[Sequence[int]], given: RetrievalSpec
) -> set[int]:
    chosen = {i for ranking in rankings for i in ranking[: given.top_k]}
    chosen |= {i for i, chunk in enumerate(chunks) if has_guidance(chunk.text)}
    fused = dict.fromkeys(range(len(chunks)), 0.0)
    for ranking in rankings:
        for rank, i in enumerate(ranking, 1):
            fused[i] += 1 / (_RANK_CONSTANT + rank)
    spent = sum(chunks[i].tokens for i in chosen)
    for i in sorted(fused, key=lambda i: (-fused[i], i)):
        if fused[i] == 0 or spent >= given.tokens:
            break
        if i not in chosen and spent + chunks[i].tokens <= given.tokens:
            chosen.add(i)
            spent += chunks[i].tokens
    return chosen


def has_guidance(text: str) -> bool:
    """Whether a sentence of ``text`` has a figure beside a word of plans or forecasts."""
    return any(
        _GUIDANCE.search(said) and _FIGURE.search(said)
        for a, b in sentences(text)
        if (said := fold_text(text[a:b]))
    )
