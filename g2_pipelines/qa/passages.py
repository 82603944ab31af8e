"""Sentences and captions of evidence as candidates for an answer.

Here: ``Passage``, ``passages_of`` and ``passage_hits``. A sentence is judged by the words it
holds itself and by what stands around it: its neighbours, its caption, its section's
headings. Used by ``find``; table cells stand in ``cells``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from g2_pipelines.qa.asked_kind import names_extreme
from g2_pipelines.qa.asked_part import amounts_of, asked_part
from g2_pipelines.qa.asking import denial
from g2_pipelines.qa.bare_labels import lacks_doer, names_fields
from g2_pipelines.qa.enumerated import items_in
from g2_pipelines.qa.evidence import Evidence
from g2_pipelines.qa.figures import Figure
from g2_pipelines.qa.forms import lacks_colour, tells_change
from g2_pipelines.qa.grounding import is_instruction
from g2_pipelines.qa.hits import FAR_FOR_VALUES, IN_CONTEXT, IN_NODE, Hit, Scope
from g2_pipelines.qa.item import about_topic, compares, narrowed, only_changes, qualifier
from g2_pipelines.qa.matching import Prepared, Word, held, misspelt, prepared
from g2_pipelines.qa.pinned import Around
from g2_pipelines.qa.ports import Quote
from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.sentences import is_prose, sentences

_MAX_CHARS = 600  #: a longer «sentence» is a table's or a list's run without ends
_BREAK = re.compile(r"\s*\n\s*")
_BETWEEN_JAPANESE = re.compile(
    r"(?<=[\u3000-\u9fff\uff00-\uffef])[ \t]+(?=[\u3000-\u9fff\uff00-\uffef])"
)
_REASON = re.compile(
    r"ため(?!の|に|、)|からである|からだ|ので|because|due to|\bsince\b|owing|as a result of"
)
_BULLET = re.compile(r"^[\ue000-\uf8ff•●○◆➢➡]+\s*")
_ABOUT = re.compile(
    r"約\s*\d|[~∼〜]\s*\d|(?:about|around|roughly|approximately|almost|nearly|only) [~∼]?\s*\d"
)
#: Three things in a row, or two that are said to be both.
_ITEMS = re.compile(
    r", (?!\d)[^,.;]{2,60},? (?:and|or|&) |\bboth\b.{2,60}\band\b|、[^、。]{1,30}(?:、|及び|および|並びに)|・[^・。]{1,20}・"
)
#: Xとは何: the sentence «「X」とは、…» says it.
_DEFINED = re.compile(r"^「?([^、。]{1,30}?)」?とは、?(?:何|なに|どのような|どういう|どんな)")
_DEFINES = 0.5
_FEW, _LONG_FOR_FEW, _LONG_FOR_ONE = 2, 160, 240
_YEAR = re.compile(r"(?:19|20)\d\d")
_HELD = 0.5
_TITLE = 60  #: letters of a page's title
_LONG = 30  #: a list item this long tells something, also without a predicate
_OWN_REASON = 0.2
_OWN = 0.3  #: a sentence holds at least this weighted share itself


@dataclass(frozen=True)
class Passage:
    """A candidate: its text, where it stands, and what stands around it."""

    node: DocumentNode
    text: str
    before: str
    after: str
    context: str
    caption: bool = False


def one_line(text: str) -> str:
    """PDF text as one line: white space as one space, none between Japanese letters, no bullet."""
    return _BULLET.sub("", _BETWEEN_JAPANESE.sub("", " ".join(text.split())))


@lru_cache(maxsize=8192)
def _parts(text: str, *, joined: bool) -> tuple[str, ...]:
    """The sentences of ``text``; ``joined`` undoes line breaks inside sentences first."""
    whole = _BREAK.sub(" ", text) if joined else text
    return tuple(one_line(whole[start:end]) for start, end in sentences(whole))


def passages_of(evidence: Sequence[Evidence]) -> list[Passage]:
    """All candidates of ``evidence`` in its order; sentences that address a model left out."""
    result: list[Passage] = []
    titles = _page_titles(evidence)
    for item in evidence:
        node = item.node
        if node.kind == "furniture":
            continue
        title = titles.get((node.document_id, node.page), "")
        headings = " ".join([*node.section_path, title])
        if node.caption:
            result.append(Passage(node, one_line(node.caption), "", "", headings, caption=True))
        around = f"{headings} {node.caption or ''}"
        texts = [node.text] if node.kind != "table" else []
        if node.ocr_text:
            texts.append(node.ocr_text)
        for text in texts:
            result += _of_text(node, text, around)
    return [passage for passage in result if not is_instruction(passage.text)]


def _page_titles(evidence: Sequence[Evidence]) -> dict[tuple[str, int], str]:
    """The first line of each page, where it is short and no sentence, as on a slide."""
    first: dict[tuple[str, int], DocumentNode] = {}
    for item in evidence:
        node = item.node
        key = (node.document_id, node.page)
        if node.order >= 0 and (key not in first or node.order < first[key].order):
            first[key] = node
    return {
        key: node.text.strip()
        for key, node in first.items()
        if len(node.text) <= _TITLE and node.kind in ("heading", "paragraph")
        if not is_prose(node.text.strip())
    }


def _of_text(node: DocumentNode, text: str, around: str) -> list[Passage]:
    parts = _parts(text, joined=node.kind in ("paragraph", "footnote", "caption"))
    caption = node.kind == "caption"
    return [
        Passage(
            node=node,
            text=part,
            before=parts[place - 1] if place else "",
            after=parts[place + 1] if place + 1 < len(parts) else "",
            context=around,
            caption=caption,
        )
        for place, part in enumerate(parts)
        if len(part) <= _MAX_CHARS
    ]


def passage_hits(scope: Scope, passages: Sequence[Passage]) -> list[Hit]:
    """The passages that answer the question, best first (earlier evidence first in a tie)."""
    hits = [_hit(scope, passage) for passage in passages]
    return sorted((hit for hit in hits if hit is not None), key=lambda hit: -hit.score)


def _hit(scope: Scope, passage: Passage) -> Hit | None:
    own = prepared(passage.text)
    mine = _share(scope, passage)
    if mine < (_OWN_REASON if scope.asked.why else _OWN) or not _tells(scope, passage):
        return None
    far = IN_NODE if scope.asked.kind == "text" else FAR_FOR_VALUES
    layers = [
        (1.0, own),
        (IN_CONTEXT, prepared(passage.before)),
        (IN_CONTEXT, prepared(passage.context)),
        (far, prepared(passage.after)),
        (far * 0.7, prepared(passage.node.text if len(passage.node.text) < 4000 else "")),
    ]
    coverage, unmet = scope.coverage(layers, near=(own, prepared(passage.context)))
    if unmet or coverage < scope.enough:
        return None
    if not _is_about(scope, passage, own):
        return None
    amounts = amounts_of(scope, passage)
    dated = any(word.is_figure and _YEAR.fullmatch(word.text) for word in scope.words)
    if scope.asked.kind == "value" and dated and not amounts and not scope.asked.several:
        return None
    if scope.asked.kind == "value" and only_changes(scope, passage.text, amounts):
        return None
    short, value = asked_part(scope, passage)
    if scope.asked.several and scope.asked.kind in ("label", "value", "text"):
        short = "\n".join(items_in(passage.text, _noun(scope)))
    if scope.asked.kind in ("number", "date") and not short:
        return None
    score = coverage + 0.4 * mine + _bonus(scope, passage) - min(0.1, len(passage.text) / 4000)
    return Hit(
        short=short,
        answer=passage.text,
        quotes=(Quote(node_id=passage.node.node_id, text=passage.text),),
        coverage=coverage,
        score=score,
        values=(value,) if value else (),
        around=Around(
            own=(passage.text,),
            caption=(passage.node.caption or "",),
            headings=tuple(reversed(passage.node.section_path)),
        ),
        qualified=scope.asked.kind in ("number", "value")
        and bool(amounts)
        and _aimed(scope, passage.text, _meant(amounts, short)),
    )


def _aimed(scope: Scope, text: str, amounts: Sequence[Figure]) -> bool:
    """True where every amount is a target or forecast, as one that is said before them all."""
    first = qualifier(scope, amounts[0], text)
    ahead = bool(first) and first in fold_text(text[: amounts[0].start])
    return ahead or all(qualifier(scope, amount, text) for amount in amounts)


def _is_about(scope: Scope, passage: Passage, own: Prepared) -> bool:
    """False for a sentence about a part of the item, without a word of it, or off the topic."""
    asked = scope.asked
    if narrowed(scope, passage.text) or (asked.kind == "number" and not _names(scope, own)):
        return False
    if asked.kind in ("number", "value") and not _holds_item(scope, passage):
        return False
    if asked.open and not compares(scope, own):
        return False
    return about_topic(scope, (own, prepared(passage.before), prepared(passage.context)))


def _holds_item(scope: Scope, passage: Passage) -> bool:
    """True for a sentence that lacks no word of the item whose value is asked for: in English it
    has them itself where a year is asked for, else with what stands around it.
    """
    own = prepared(passage.text)
    dated = any(word.is_figure and _YEAR.fullmatch(word.text) for word in scope.words)
    texts = [own]
    if scope.asked.language == "ja" or not dated or scope.asked.several:
        beside = (passage.before, passage.after, passage.context, passage.node.text)
        texts += [prepared(text) for text in beside]
    plain = [w for w in scope.words if not w.is_figure and not w.strict and len(w.text) > 1]
    return all(
        max(held(word, text) for text in (*texts, scope.topic)) >= _HELD
        or any(misspelt(word.text, text) for text in texts)
        for word in plain
    )


def _noun(scope: Scope) -> list[Word]:
    """The noun that several are asked for of («which categories»)."""
    return [word for word in scope.asked.head if word in scope.words][-1:]


def _names(scope: Scope, own: Prepared) -> bool:
    """True for a text that has a word of the question beside its years and figures."""
    named = [word for word in scope.words if not word.is_figure]
    return not named or any(held(word, own) >= 0.5 for word in named)


def _meant(amounts: Sequence[Figure], short: str) -> Sequence[Figure]:
    """The amount that the answer gives, or all where it gives the sentence."""
    return [item for item in amounts if item.text == short] or amounts


def _tells(scope: Scope, passage: Passage) -> bool:
    """True for a passage that can be an answer, not a label that announces one."""
    text = passage.text.rstrip()
    if text.endswith((":", "：")) or passage.node.kind == "heading":
        return False
    if lacks_colour(fold_text(scope.asked.core), fold_text(text)):
        return False
    if names_fields(scope, text) or lacks_doer(scope, text):
        return False
    if scope.asked.open and text.startswith("※"):  # a note to something else
        return False
    if scope.asked.extreme and scope.asked.kind != "text" and not names_extreme(text):
        return False
    if scope.asked.change and not tells_change(fold_text(text)):
        return False
    if scope.asked.kind in ("label", "value") and not _is_short_enough(scope, text):
        return False
    if scope.asked.kind != "text":
        denied = scope.asked.negated
        return _says_more(scope, text) and (not denied or denial(denied, text) is not None)
    if passage.caption:
        return scope.asked.caption or bool(scope.asked.references)
    return is_prose(text) or (len(text) >= _LONG and not scope.asked.which)


def _is_short_enough(scope: Scope, text: str) -> bool:
    """With one or two words to go by a long sentence is about something else; several things
    are asked for of a sentence that names several.
    """
    if len(text) > (_LONG_FOR_FEW if len(scope.words) <= _FEW else _LONG_FOR_ONE):
        return False
    return not scope.asked.several or _ITEMS.search(text) is not None


def gives_reason(passage: Passage) -> bool:
    """True for a sentence worded as a reason (ため, because, due to)."""
    return _REASON.search(fold_text(passage.text)) is not None


def _says_more(scope: Scope, text: str) -> bool:
    """True when the passage holds more than the question's own words (GOVERNOR is no name)."""
    own = prepared(text)
    known = sum(len(word.text) for word in scope.words if held(word, own) >= 0.5)
    return len(own.squeezed) - known >= 4


def _share(scope: Scope, passage: Passage) -> float:
    """The weighted share of the question's words that the passage holds itself, those of its
    headings and caption counted half; 0 when it holds none.
    """
    own, around = prepared(passage.text), prepared(passage.context)
    total = sum(scope.weights.values())
    mine = {word: held(word, own) for word in scope.words}
    if not total or not any(mine.values()):
        return 0.0
    got = sum(
        weight * max(mine[word], 0.5 * held(word, around)) for word, weight in scope.weights.items()
    )
    return got / total


def _bonus(scope: Scope, passage: Passage) -> float:
    folded = fold_text(passage.text)
    bonus = 0.0
    if scope.asked.why and _REASON.search(folded):
        bonus += 0.3
    if scope.asked.kind == "number" and _ABOUT.search(folded):
        bonus -= 0.15
    defined = _DEFINED.match(scope.asked.core)
    if defined and re.search(rf"{re.escape(fold_text(defined[1]))}」?(?:\([^)]*\))?とは", folded):
        bonus += _DEFINES
    if passage.caption:
        bonus += 0.3 if scope.asked.caption else -0.1
    return bonus
