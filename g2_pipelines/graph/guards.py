"""Guards of an update's texts: nothing invented, nothing borrowed without a trace, no chatter.

Here: ``check_update``, a pure function of one proposal, the node's content and the contents of
the nodes it may borrow from. Not here: likeness by embedding, which needs the new vector
(``evolve``), nor links (``links``).

Rules, first fault first: a length, nothing hidden, no tags, the language of the node or its
document, no comparison with other nodes, figures only from the own node, nothing denied that it
affirms (or the reverse), terms only from the own node or from one reached by refers_to, section,
caption_of or an accepted reference link, and then recorded as resolved.

What a model claims to have read in a picture and that stands in no text of the node cannot be
checked: it is refused like anything invented, under reasons of its own (``picture_only_…``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from g2_pipelines.graph.config import EvolutionConfig
from g2_pipelines.graph.figures import figures
from g2_pipelines.graph.polarity import turned
from g2_pipelines.graph.vocabulary import Content, Vocabulary
from g2_pipelines.graph.wording import has_markup, hidden, in_other_language
from g2_pipelines.tables.line2 import Resolved
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.language import language
from g2_pipelines.text.terms import content_words

Refusal = Literal[
    "empty",
    "too_long",
    "hidden_character",
    "markup",
    "other_language",
    "comparison",
    "invented_number",
    "picture_only_number",
    "turned_negation",
    "foreign_term",
    "picture_only_term",
]

_WORD = re.compile(r"\S+")
_SAID = re.compile(r"[^\W_]")  # a letter or a figure
_COMPARISON = re.compile(
    r"(?:他|別|隣|前後|周辺|近傍|隣接)(?:の|する|した)?(?:ノード|段落|節|箇所|記述)"
    r"|(?:前|次|隣)の(?:ノード|段落|節)と(?:異な|比|同じ|違)"
    r"|\b(?:other|neighbou?ring|adjacent|previous|surrounding) (?:nodes?|notes?|chunks?|paragraphs?)\b"
    r"|\bunlike (?:the )?(?:other|previous|neighbou?r)",
    re.IGNORECASE,
)
# Places too short for the rule above: prefectures, and countries that reports name.
_PLACE = re.compile(
    "青森|岩手|宮城|秋田|山形|福島|茨城|栃木|群馬|埼玉|千葉|東京|神奈川|新潟|富山|石川|福井|山梨|長野|岐阜|静岡|愛知"
    "|三重|滋賀|京都|大阪|兵庫|奈良|和歌山|鳥取|島根|岡山|広島|山口|徳島|香川|愛媛|高知|福岡|佐賀|長崎|熊本|大分県"
    "|宮崎|鹿児島|沖縄|北海道|横浜|名古屋|神戸|札幌|仙台|米国|英国|中国|韓国|台湾|香港|欧州|北米|南米|豪州|東南亜"
)
_STEM = 5
# Words by which a summary opens without saying anything particular.
_OPENER = re.compile(
    r"[A-Z][a-z]+(?:ing|ed|ly|tion|tions|ment|ments|ness|able|ive|ical)"
    r"|(?:Describ|Explain|Summari[sz]|List|Show|Present|Introduc|Discuss|Defin|Giv|Stat|Report|Compar|Detail"
    r"|Outlin|Provid|Illustrat|Contain|Cover|Identif|Highlight|Argu|Propos|Not|Nam|Tell|Not)(?:e|es|s|ies)?"
    r"|(?:Table|Figure|Chart|Graph|Diagram|Picture|Image|Photo|Equation|Formula|Bar|Line|Pie|Map|Data|Result"
    r"|Method|Overview|Summary|Detail|Number|Value|Rate|Share|Total|Amount|Item|Step|Note|Part|Section|Text"
    r"|Paragraph|Heading|Caption|Column|Row|List|Example|Reason|Topic|Document|Report|Company|People|Several"
    r"|Many|Various|Different|Key|Main|Most|New|Another|Every|Each|Among|According|Due|Since|Despite|Although"
    r"|Today|Here|There|First|Next|Finally|Overall|How|Why|What|When|Where|Who|Whether|Some|Such|Both)s?"
)
# Names: several capitals or a digit among letters, katakana of three or more, kanji of four.
_NAME = re.compile(
    r"[A-Z].*[A-Z0-9]|[A-Za-z]+[-.]?\d|[\u30a1-\u30fa\u30fc]{3}|[\u3400-\u4dbf\u4e00-\u9fff]{4}"
)


@dataclass(frozen=True)
class CheckedUpdate:
    """An update that may stand: its texts, what it borrowed, which keywords were dropped."""

    summary: str
    keywords: tuple[str, ...]
    resolved: tuple[Resolved, ...]
    keywords_dropped: Mapping[str, int]  # by reason


def check_update(
    summary: str,
    keywords: Sequence[str],
    *,
    own: Content,
    lenders: Mapping[str, Content],
    vocabulary: Vocabulary,
    config: EvolutionConfig,
    language: str = "",
    pictured: bool = False,
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
        language: Of the document; a summary may be in it, or in the node's own.
        pictured: A picture was shown, too: names the reasons.
    """
    text = " ".join(summary.split())
    fault = _fault_of(text, own, config, language)
    if fault is not None:
        return "picture_only_number" if pictured and fault == "invented_number" else fault
    borrowed: dict[str, str] = {}
    for term in _terms(text, vocabulary):
        if own.holds(term):
            continue
        lender = _lender(term, lenders)
        if lender is None:
            return "picture_only_term" if pictured else "foreign_term"
        borrowed[term] = lender
    kept, dropped, lent = _sifted(keywords, own, lenders, config.keywords)
    borrowed = lent | borrowed
    resolved = tuple(
        Resolved(term=term, from_node=source) for term, source in _maximal(borrowed).items()
    )
    return CheckedUpdate(text, kept, resolved, dropped)


def is_name(word: str, text: str) -> bool:
    """True for a word of ``text`` that looks like a name or a technical term."""
    return _NAME.search(word) is not None or _PLACE.match(word) is not None or _capital(word, text)


def is_too_long(summary: str, config: EvolutionConfig) -> bool:
    """True beyond the words (English) or characters (Japanese) a summary may have."""
    if language(summary) == "ja":
        return len(summary) > config.summary_characters
    return len(_WORD.findall(summary)) > config.summary_words


def foreign_numbers(text: str, own: Content) -> list[str]:
    """Figures and words of number of ``text`` that do not stand in the own content."""
    folded = " ".join(fold_text(text).split())
    return [key for key, _ in figures(folded) if key not in own.figures]


def held_names(
    names: Sequence[str], own: Content, limit: int
) -> tuple[tuple[str, ...], Counter[str]]:
    """Names that stand in the own content, without repetition, and the dropped by reason."""
    kept, dropped, _ = _sifted(names, own, {}, limit)
    return kept, dropped


def _fault_of(text: str, own: Content, config: EvolutionConfig, language_: str) -> Refusal | None:
    if not text:
        return "empty"
    if is_too_long(text, config):
        return "too_long"
    if hidden(text, own.text):
        return "hidden_character"
    if has_markup(text, own.text):
        return "markup"
    # The node's own sentence, cut for its length, may end before its predicate.
    quoted = own.holds(text) or (text.endswith("…") and own.holds(text[:-1]))
    allowed = {language_ or language(own.text), language(own.text)}
    if not quoted and in_other_language(text, allowed):
        return "other_language"
    found = _COMPARISON.search(text)
    if found is not None and not own.holds(found.group()):
        return "comparison"
    if foreign_numbers(text, own):
        return "invented_number"
    return "turned_negation" if not quoted and turned(text, own.text) else None


def _terms(text: str, vocabulary: Vocabulary) -> list[str]:
    """Words of ``text`` that say something particular: names, and the document's rare words.

    Plain words (describes, 説明) are anybody's: a summary may phrase freely.
    """
    return [
        word
        for word in content_words(text)
        if is_name(word, text)
        or vocabulary.is_rare(fold_text(word))
        or _opens_as_name(word, text, vocabulary)
    ]


def _opens_as_name(word: str, text: str, vocabulary: Vocabulary) -> bool:
    """True for a capitalised word at a sentence's beginning that the document does not use and
    that is none of the words by which summaries open: a name as far as anybody can tell.
    """
    if not word[0].isupper() or _capital(word, text) or _OPENER.fullmatch(word):
        return False
    folded = fold_text(word)
    if len(folded) < _STEM:
        return not vocabulary.holders(folded)
    # Increase opens for what the document has as increased.
    return not any(known.startswith(folded[:_STEM]) for known in vocabulary.frequency)


def _capital(word: str, text: str) -> bool:
    """True for a capitalised word that opens no sentence: a name."""
    if not word[0].isupper():
        return False
    at = text.find(word)
    return at > 0 and not text[:at].rstrip().endswith((".", "!", "?", ":", "。"))


def _lender(term: str, lenders: Mapping[str, Content]) -> str | None:
    return next((node_id for node_id, content in lenders.items() if content.holds(term)), None)


def _sifted(
    words: Sequence[str], own: Content, lenders: Mapping[str, Content], limit: int
) -> tuple[tuple[str, ...], Counter[str], dict[str, str]]:
    """Words that may stand, those dropped by reason, and of whom the kept are borrowed."""
    kept: list[str] = []
    seen: set[str] = set()
    dropped: Counter[str] = Counter()
    borrowed: dict[str, str] = {}
    for given in words:
        word = " ".join(given.split())
        key = fold_text(word)
        if key in seen:
            continue
        seen.add(key)
        held = own.holds(word)
        lender = None if held else _lender(word, lenders)
        if _SAID.search(word) is None:
            dropped["empty"] += 1
        elif hidden(word, own.text):
            dropped["hidden_character"] += 1
        elif foreign_numbers(word, own):
            dropped["invented_number"] += 1
        elif not held and lender is None:
            dropped["foreign_term"] += 1
        elif len(kept) >= limit:
            dropped["limit"] += 1
        else:
            kept.append(word)
            if lender is not None:
                borrowed[word] = lender
    return tuple(kept), dropped, borrowed


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
