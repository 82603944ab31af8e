"""Guards of an update's texts: nothing invented, nothing borrowed without a trace, no chatter.

Here: ``check_update``, a pure function of one proposal, the node's content and the contents of
the nodes it may borrow from. Not here: likeness by embedding, which needs the new vector
(``evolve``), nor links (``links``).

Rules, first fault first: a length, no comparison with other nodes, figures only from the own
node, terms only from the own node or from one reached by refers_to, section, caption_of or an
accepted reference link, and then recorded as resolved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from g2_pipelines.graph.config import EvolutionConfig
from g2_pipelines.graph.vocabulary import Content, Vocabulary
from g2_pipelines.tables.line2 import Resolved
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.language import language
from g2_pipelines.text.terms import content_words

Refusal = Literal["empty", "too_long", "comparison", "invented_number", "foreign_term"]

# A figure that no Latin letter touches: AX-200 and B2B are names and go by the rule of terms.
_NUMBER = re.compile(r"(?<![a-z0-9.,])(?<![a-z]-)\d[\d,]*(?:\.\d+)?(?![a-z0-9]*[a-z])")
# Kanji numerals only before a counter: 一部 and 十分 are words.
_KANJI_NUMBER = re.compile(
    r"[一二三四五六七八九十百千万億兆〇]+(?=割|倍|年|月|日|人|名|件|社|円|台|個|種類|回|本|つの|パーセント|分の)"
)
_WORD = re.compile(r"\S+")
_COMPARISON = re.compile(
    r"(?:他|別|隣|前後|周辺|近傍|隣接)(?:の|する|した)?(?:ノード|段落|節|箇所|記述)"
    r"|(?:前|次|隣)の(?:ノード|段落|節)と(?:異な|比|同じ|違)"
    r"|\b(?:other|neighbou?ring|adjacent|previous|surrounding) (?:nodes?|notes?|chunks?|paragraphs?)\b"
    r"|\bunlike (?:the )?(?:other|previous|neighbou?r)",
    re.IGNORECASE,
)
# Names: several capitals or a digit among letters, katakana of three or more, kanji of four.
_NAME = re.compile(
    r"[A-Z].*[A-Z0-9]|[A-Za-z]+[-.]?\d|[\u30a1-\u30fa\u30fc]{3}|[\u3400-\u4dbf\u4e00-\u9fff]{4}"
)


@dataclass(frozen=True)
class CheckedUpdate:
    """An update that may stand: its texts, what it borrowed, how many keywords were dropped."""

    summary: str
    keywords: tuple[str, ...]
    resolved: tuple[Resolved, ...]
    keywords_dropped: int


def check_update(
    summary: str,
    keywords: Sequence[str],
    *,
    own: Content,
    lenders: Mapping[str, Content],
    vocabulary: Vocabulary,
    config: EvolutionConfig,
) -> CheckedUpdate | Refusal:
    """The update as it may stand, or why it is refused.

    A keyword that is neither the node's own nor borrowed from a lender is dropped and counted;
    a summary with such a term or figure is refused whole, since a sentence cannot be cut.

    Args:
        summary: The proposed summary.
        keywords: The proposed keywords, in order.
        own: The node's content.
        lenders: Contents by node_id that terms may be borrowed from, in order of preference.
        vocabulary: Of the document; a word it does not know and that looks like a name is
            invented, one that it knows from elsewhere is foreign.
        config: Lengths.
    """
    text = " ".join(summary.split())
    fault = _fault_of(text, own, config)
    if fault is not None:
        return fault
    borrowed: dict[str, str] = {}
    for term in _terms(text, vocabulary):
        if own.holds(term):
            continue
        lender = _lender(term, lenders)
        if lender is None:
            return "foreign_term"
        borrowed[term] = lender
    kept, dropped = _keywords(keywords, own, lenders, borrowed, config.keywords)
    resolved = tuple(
        Resolved(term=term, from_node=source) for term, source in _maximal(borrowed).items()
    )
    return CheckedUpdate(text, kept, resolved, dropped)


def is_name(word: str, text: str) -> bool:
    """True for a word of ``text`` that looks like a name or a technical term."""
    return _NAME.search(word) is not None or _capital(word, text)


def is_too_long(summary: str, config: EvolutionConfig) -> bool:
    """True beyond the words (English) or characters (Japanese) a summary may have."""
    if language(summary) == "ja":
        return len(summary) > config.summary_characters
    return len(_WORD.findall(summary)) > config.summary_words


def foreign_numbers(text: str, own: Content) -> list[str]:
    """Figures of ``text`` that do not stand in the own content, without their commas."""
    known = set(_numbers(own.folded))
    return [number for number in _numbers(fold_text(text)) if number not in known]


def _fault_of(text: str, own: Content, config: EvolutionConfig) -> Refusal | None:
    if not text:
        return "empty"
    if is_too_long(text, config):
        return "too_long"
    found = _COMPARISON.search(text)
    if found is not None and not own.holds(found.group()):
        return "comparison"
    return "invented_number" if foreign_numbers(text, own) else None


def _numbers(folded: str) -> Iterator[str]:
    for match in _NUMBER.finditer(folded):
        yield match.group().replace(",", "").rstrip(".")
    for match in _KANJI_NUMBER.finditer(folded):
        yield match.group()


def _terms(text: str, vocabulary: Vocabulary) -> list[str]:
    """Words of ``text`` that say something particular: names, and the document's rare words.

    Plain words (describes, 説明) are anybody's: a summary may phrase freely.
    """
    return [
        word
        for word in content_words(text)
        if is_name(word, text) or vocabulary.is_rare(fold_text(word))
    ]


def _capital(word: str, text: str) -> bool:
    """True for a capitalised word that opens no sentence: a name."""
    if not word[0].isupper():
        return False
    at = text.find(word)
    return at > 0 and not text[:at].rstrip().endswith((".", "!", "?", ":", "。"))


def _lender(term: str, lenders: Mapping[str, Content]) -> str | None:
    return next((node_id for node_id, content in lenders.items() if content.holds(term)), None)


def _keywords(
    keywords: Sequence[str],
    own: Content,
    lenders: Mapping[str, Content],
    borrowed: dict[str, str],
    limit: int,
) -> tuple[tuple[str, ...], int]:
    """Keywords that may stand, without repetition; adds what they borrow to ``borrowed``."""
    kept: list[str] = []
    seen: set[str] = set()
    dropped = 0
    for keyword in keywords:
        word = " ".join(keyword.split())
        key = fold_text(word)
        if not word or key in seen:
            continue
        seen.add(key)
        lender = None if own.holds(word) else _lender(word, lenders)
        foreign = lender is None and not own.holds(word)
        if foreign or foreign_numbers(word, own) or len(kept) >= limit:
            dropped += 1
            continue
        if lender is not None:
            borrowed.setdefault(word, lender)
        kept.append(word)
    return tuple(kept), dropped


def _maximal(borrowed: Mapping[str, str]) -> dict[str, str]:
    """Without terms that are part of a longer one from the same node; sorted by term."""
    return {
        term: source
        for term, source in sorted(borrowed.items())
        if not any(
            term != other and source == of and fold_text(term) in fold_text(other)
            for other, of in borrowed.items()
        )
    }
