"""What a reference points to: a term in a neighbour's own content.

Here: ``resolve``, ``title_of`` and ``topic_of``, by rules over section, caption, refers_to and reading-order neighbours. It
reads the neighbours' contents, which no round changes, so that an evolved graph resolves to
the same terms again and comes to rest. Only the extractive evolver imports this module.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from g2_pipelines.graph.guards import foreign_numbers
from g2_pipelines.graph.phrases import SECTION_HEADS, Implicit
from g2_pipelines.graph.ports import Candidate, Tie
from g2_pipelines.graph.vocabulary import Content, Vocabulary
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.terms import content_words

HEADING_ABOVE = Tie("section", "in")
#: Ties by which a neighbour may hold an antecedent; likeness and links are none, since they
#: change from round to round.
_NEAR = frozenset({"reading_order", "section", "refers_to", "caption_of", "continued_on"})
_LABEL = re.compile(
    r"^\s*(?:(?:figure|fig\.?|table|tab\.?|chart|図表?|表|写真)\s*[（(]?[\d０-９一二三四五六七八九十.\-－]+[)）]?"
    r"|(?:第\s*)?[\d０-９]+(?:[.．\-－][\d０-９]+)*\s*(?:章|節|項)?[.．)）]?)[\s:：.．。、]*",
    re.IGNORECASE,
)
_PLAIN_HEADING = re.compile(
    r"^(?:はじめに|まえがき|序論|緒言|背景|目的|概要|方法|手法|実験|結果|考察|結論|まとめ|おわりに|"
    r"参考文献|謝辞|付録|introduction|background|methods?|materials?(?: and methods?)?|experiments?|"
    r"results?(?: and discussion)?|discussion|conclusions?|summary|references|appendix|abstract|"
    r"overview|evaluation)\W*$",
    re.IGNORECASE,
)
_EN_STOP = re.compile(
    r"an?|the|this|that|these|those|our|its|their|his|her|such|same|of|in|on|for|to|with|and|or|by|"
    r"is|are|was|as|at|from|using|used|proposed|above|said|new|each|any|no|one",
    re.IGNORECASE,
)
_EN_METHODS = frozenset({"method", "approach", "technique", "algorithm", "procedure", "scheme"})
_EN_METHOD_TITLE = re.compile(
    r"\b(?:methods?|approach|technique|algorithm|procedure|scheme|\w+(?:ization|isation|mation))\b",
    re.IGNORECASE,
)
_JA_METHODS = frozenset(
    re.split(
        r"\|",
        "手法|方法|方式|アルゴリズム|工法|製法|測定法|評価法|技術|機能|制度|サービス|システム",
    )
)
_JA_OTHER_TITLE = re.compile(
    r"(?:結果|考察|概要|状況|推移|課題|影響|方針|目的|背景|比較|評価|まとめ|について|とは|か)[？?]?$"
)
_LONGEST, _MOST_WORDS = 40, 12  # characters of a Japanese title, words of an English one
_ASIDE = re.compile(r"[（(。:：]|\.\s")  # a title ends where its remarks begin


@dataclass(frozen=True)
class Antecedent:
    """A term that stands in ``candidate``'s content."""

    term: str
    candidate: Candidate


def resolve(
    reference: Implicit, candidates: Sequence[Candidate], own: Content, vocabulary: Vocabulary
) -> Antecedent | None:
    """The antecedent of ``reference``, or None where no rule finds one.

    A picture: the nearest table or figure on the side that the phrase points to. A noun: the
    nearest earlier neighbour with a longer term that ends in the noun, else the title of the
    section where that can be the thing's name. None also where the node itself names it before
    the phrase.
    """
    near = _near(candidates)
    if reference.picture is not None:
        return _picture(reference, near, own, vocabulary)
    if reference.head in SECTION_HEADS:
        return _section_title(near, own, vocabulary)
    if _ending(own.text[: reference.start], reference.head):
        return None
    for candidate in near:
        if candidate.position < 0 or Tie("refers_to", "out") in candidate.ties:
            text = vocabulary.contents[candidate.node_id].text
            term = _usable(_ending(text, reference.head), own)
            if term:
                return Antecedent(term, candidate)
    named = _section_title(near, own, vocabulary)
    return named if named and _names_one(named.term, reference.head) else None


def title_of(candidate: Candidate, own: Content, vocabulary: Vocabulary) -> Antecedent | None:
    """What an explicitly named node («表1») is called: its caption's or heading's words."""
    first = vocabulary.contents[candidate.node_id].text.strip().split("\n", 1)[0]
    if _PLAIN_HEADING.match(_LABEL.sub("", first)):
        return None
    term = _title(first, own)
    return Antecedent(term, candidate) if term else None


def topic_of(
    candidates: Sequence[Candidate], own: Content, vocabulary: Vocabulary
) -> Antecedent | None:
    """What a node that opens with a bare pronoun is about: the title of its section."""
    return _section_title(_near(candidates), own, vocabulary)


def _near(candidates: Sequence[Candidate]) -> list[Candidate]:
    tied = (c for c in candidates if any(tie.kind in _NEAR for tie in c.ties))
    return sorted(tied, key=lambda c: (abs(c.position), c.position))


def _picture(
    reference: Implicit, near: Sequence[Candidate], own: Content, vocabulary: Vocabulary
) -> Antecedent | None:
    kinds = {"table"} if reference.picture == "table" else {"figure", "chart"}
    for candidate in near:
        if candidate.kind in kinds and candidate.position * reference.side > 0:
            return title_of(candidate, own, vocabulary)
    return None


def _section_title(
    near: Sequence[Candidate], own: Content, vocabulary: Vocabulary
) -> Antecedent | None:
    for candidate in near:
        if HEADING_ABOVE in candidate.ties:
            return title_of(candidate, own, vocabulary)
    return None


def _names_one(title: str, head: str) -> bool:
    """Whether a section of this title can be about the one thing that ``head`` means.

    A method's section is often titled by its name alone; a model, plan or test in a section
    on results or on a question is not what the section is called.
    """
    if fold_text(head) in fold_text(title):
        return True
    if head.isascii():
        return head in _EN_METHODS and _EN_METHOD_TITLE.search(title) is not None
    return head in _JA_METHODS and _JA_OTHER_TITLE.search(title) is None


def _ending(text: str, head: str) -> str:
    """The last term of ``text`` that ends in ``head`` and says more than it; else empty."""
    if head.isascii():
        return _english_ending(text, head)
    words = content_words(text)
    return next(
        (
            w
            for w in reversed(words)
            if fold_text(w).endswith(fold_text(head)) and len(w) > len(head) + 1
        ),
        "",
    )


def _english_ending(text: str, head: str) -> str:
    pattern = re.compile(rf"((?:[A-Za-z][A-Za-z-]*[ \n]){{1,4}}){re.escape(head)}\b", re.IGNORECASE)
    best = ""
    for match in pattern.finditer(text):
        words = match.group(1).split()
        # Everything up to the last small word belongs to the sentence, not to the term.
        start = max((at + 1 for at, w in enumerate(words) if _EN_STOP.fullmatch(w)), default=0)
        if words[start:]:
            best = " ".join([*words[start:], match.group().split()[-1]])
    return best


def _title(line: str, own: Content) -> str:
    """A caption's or heading's words without its label, if short and without foreign figures.

    Else its longest content word: figures may not be borrowed.
    """
    bare = _LABEL.sub("", line.strip().replace("\t", " "))
    title = _ASIDE.split(bare, maxsplit=1)[0].rstrip("．. ")
    short = len(title) <= _LONGEST if not title.isascii() else len(title.split()) <= _MOST_WORDS
    if title and short and _usable(title, own):
        return title
    words = [word for word in content_words(title) if _usable(word, own)]
    return max(words, key=len, default="")


def _usable(term: str, own: Content) -> str:
    if not term or own.holds(term) or foreign_numbers(term, own):
        return ""
    return term
