"""The evolver that works without a model: references resolved and links found by rules.

Here: ``ExtractiveEvolver`` (the task port). It resolves implicit references by
``antecedents`` and proposes links, best first: to what a reference names or is resolved to; to
the text before, where a text opens with a connective; to what is about the same particular
thing (keywords of both). The relation is what the words at the reference or term name. All of
it reads contents and own keywords, nothing that rounds borrow, so that a second round on an
evolved graph changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from g2_pipelines.graph.antecedents import Antecedent, resolve, title_of, topic_of
from g2_pipelines.graph.config import EvolutionConfig
from g2_pipelines.graph.extract import ENGINE
from g2_pipelines.graph.guards import is_name, is_too_long
from g2_pipelines.graph.phrases import implicit_references, opens_with_pronoun
from g2_pipelines.graph.ports import Candidate, NodeContext, Proposal, ProposedLink, Tie
from g2_pipelines.graph.relations import opening_relation, relation_at
from g2_pipelines.graph.vocabulary import Content, Vocabulary
from g2_pipelines.models.errors import Failure
from g2_pipelines.tables.line2 import DocumentNode, SemanticKind
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.language import language
from g2_pipelines.text.sentences import sentences

#: Of these rules; a change of what they find raises it.
MODEL = "extractive/2"
_READ = 4_000
_MOST = 4  # resolved terms of a node
#: What two nodes must share for a link, in names that only these two hold (``_shared``).
_ENOUGH = 1.0
_EXPLICIT, _RESOLVED, _CONNECTED = 100.0, 90.0, 80.0
_VISUAL = frozenset({"table", "figure", "chart"})
_TEXT = frozenset({"paragraph", "list"})
#: What states something: listings, formulas, headings and captions are linked by structure.
_SPEAKING = _VISUAL | _TEXT
_PLAIN, _REST = 0.4, 0.5
_CALENDAR = re.compile(
    r"january|february|march|april|may|june|july|august|september|october|november|december"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|[年度月期末日同前当翌]+"
)
_REPEATED = 0.6  # of the shorter text's words: then one repeats the other
_BESIDE = 3  # nodes between a text and a picture that it may speak of
_REFERS = Tie("refers_to", "out")


class ExtractiveEvolver:
    """Evolver by rules; deterministic, never fails."""

    engine = ENGINE
    model = MODEL
    prompt_version = ""

    def __init__(self, config: EvolutionConfig | None = None) -> None:
        self._config = config or EvolutionConfig()

    async def evolve(
        self, contexts: Sequence[NodeContext], vocabulary: Vocabulary
    ) -> list[Proposal | Failure]:
        """See Evolver; never fails."""
        return [propose(context, vocabulary, self._config) for context in contexts]


@dataclass(frozen=True)
class _Resolution:
    """A phrase of the node and what it stands for; ``implicit`` makes it a link, too."""

    phrase: str
    antecedent: Antecedent
    implicit: bool


def propose(context: NodeContext, vocabulary: Vocabulary, config: EvolutionConfig) -> Proposal:
    """One node's proposal, from its content, its attributes and its candidates."""
    own = vocabulary.contents[context.node.node_id]
    resolutions = _resolutions(context, own, vocabulary)
    summary, keywords = _attributes(context, resolutions, config)
    state = context.state
    return Proposal(
        links=_links(context, resolutions, vocabulary, config.out_degree),
        update=summary != state.summary or keywords != tuple(state.keywords),
        summary=summary,
        keywords=keywords,
    )


def _resolutions(context: NodeContext, own: Content, vocabulary: Vocabulary) -> list[_Resolution]:
    """Implicit references, explicit ones by what they name, and at last a bare pronoun."""
    if context.node.kind == "heading":
        return []
    found: list[_Resolution] = []
    for reference in implicit_references(own.text[:_READ]):
        antecedent = resolve(reference, context.candidates, own, vocabulary)
        if antecedent is not None:
            found.append(_Resolution(reference.text, antecedent, implicit=True))
    named = {c.node_id: c for c in context.candidates if _REFERS in c.ties}
    for explicit in context.node.references:
        target = named.get(explicit.target or "")
        antecedent = title_of(target, own, vocabulary) if target else None
        if antecedent is not None:
            found.append(_Resolution(explicit.text, antecedent, implicit=False))
    if not found and opens_with_pronoun(context.state.summary):
        antecedent = topic_of(context.candidates, own, vocabulary)
        if antecedent is not None:
            found.append(_Resolution("", antecedent, implicit=False))
    return list({item.antecedent.term: item for item in reversed(found)}.values())[::-1][:_MOST]


def _attributes(
    context: NodeContext, resolutions: Sequence[_Resolution], config: EvolutionConfig
) -> tuple[str, tuple[str, ...]]:
    """Summary with each resolved phrase explained in brackets, keywords with the terms.

    Own keywords give way from the end, so that resolved terms always find room; the same
    resolutions lead to the same keywords however often they are applied.
    """
    state = context.state
    summary = state.summary
    terms = [item.antecedent.term for item in resolutions][: config.keywords - 1]
    for item in resolutions:
        explained = _explained(summary, item.phrase, item.antecedent.term)
        if not is_too_long(explained, config):
            summary = explained
    folded = {fold_text(term) for term in terms}
    own = [word for word in state.keywords if fold_text(word) not in folded]
    return summary, (*own[: config.keywords - len(terms)], *terms)


def _explained(summary: str, phrase: str, term: str) -> str:
    at = summary.find(phrase) if phrase else -1
    if at < 0 or fold_text(term) in fold_text(summary):
        return summary
    end = at + len(phrase)
    note = f"（{term}）" if language(summary) == "ja" else f" ({term})"
    return f"{summary[:end]}{note}{summary[end:]}"


def _links(
    context: NodeContext,
    resolutions: Sequence[_Resolution],
    vocabulary: Vocabulary,
    limit: int,
) -> tuple[ProposedLink, ...]:
    antecedents = {item.antecedent.candidate.label for item in resolutions if item.implicit}
    scored: list[tuple[float, int, int, ProposedLink]] = []
    for candidate in context.candidates:
        score, relation = _judged(context, candidate, antecedents, vocabulary)
        if score > 0:
            link = ProposedLink(candidate.label, relation)
            scored.append((-score, abs(candidate.position), candidate.position, link))
    return tuple(link for *_, link in sorted(scored, key=lambda item: item[:3])[:limit])


def _judged(
    context: NodeContext, candidate: Candidate, antecedents: set[str], vocabulary: Vocabulary
) -> tuple[float, str]:
    """How much a link to ``candidate`` is worth, 0 for none, and its relation."""
    node = context.node
    own = vocabulary.contents[node.node_id]
    if _REFERS in candidate.ties:
        return _EXPLICIT, _explicit_relation(node, candidate, own)
    if candidate.label in antecedents:
        return _RESOLVED, "reference"
    kinds = {node.kind, candidate.kind}
    silent = vocabulary.silent
    if not kinds <= _SPEAKING or node.node_id in silent or candidate.node_id in silent:
        return 0.0, ""
    if candidate.position == -1 and kinds <= _TEXT:
        relation = opening_relation(own.text)
        if relation is not None:
            return _CONNECTED, relation
    # Text points back to what it takes up, and to pictures on either side; a picture to none
    # but an earlier picture, for a link is walked both ways.
    to_text = candidate.kind in _TEXT
    if (node.kind in _VISUAL and to_text) or (
        candidate.position > 0 and (to_text or node.kind in _VISUAL)
    ):
        return 0.0, ""
    return _shared(candidate, context, vocabulary)


def _shared(
    candidate: Candidate, context: NodeContext, vocabulary: Vocabulary
) -> tuple[float, str]:
    """What two nodes that are about the same particular thing are worth to each other.

    A word that n nodes hold counts 1 / (n - 1), so 1 where only these two do; less where it is
    no name (any two texts share an uncommon verb); threefold between a text and a picture
    beside it. Words that are not keywords of both count a third, and little in all. One
    keyword of both there must be, two between pictures. What repeats most of the other's words says nothing more of it: notes
    and forms recur on every page.
    """
    node, state = context.node, context.state
    own, other = vocabulary.contents[node.node_id], vocabulary.contents[candidate.node_id]
    borrowed = {fold_text(item.term) for item in state.resolved}
    mine = {fold_text(word) for word in state.keywords} - borrowed
    both = mine & {fold_text(word) for word in candidate.own_keywords}
    about = {word for word in both if word in other.words and not _CALENDAR.fullmatch(word)}
    pictures = (node.kind in _VISUAL) + (candidate.kind in _VISUAL)
    common = own.words & other.words
    if len(about) < (2 if pictures == 2 else 1) or (
        not pictures and len(common) > _REPEATED * min(len(own.words), len(other.words))
    ):
        return 0.0, ""
    names = {fold_text(word) for word in own.terms if is_name(word, own.text)}
    near = 3.0 if pictures == 1 and abs(candidate.position) <= _BESIDE else 1.0

    def weight(word: str) -> float:
        return (1.0 if word in names else _PLAIN) / (vocabulary.holders(word) - 1)

    rest = sum(sorted(weight(word) for word in common - about)) / 3
    score = round(near * (sum(sorted(map(weight, about))) + min(rest, _REST)), 6)
    if score < _ENOUGH:
        return 0.0, ""
    term = max(about, key=lambda word: (weight(word), len(word), word))
    return min(score, _CONNECTED - 1), _relation_by(term, own, "elaboration")


def _explicit_relation(node: DocumentNode, candidate: Candidate, own: Content) -> str:
    for reference in node.references:
        if reference.target == candidate.node_id:
            return _relation_by(fold_text(reference.text), own, "reference")
    return "reference"


def _relation_by(folded: str, own: Content, default: SemanticKind) -> str:
    """The relation that the words beside the first place of a folded term name."""
    text = fold_text(own.text[:_READ])
    for start, end in sentences(text):
        at = text.find(folded, start, end)
        if at >= 0:
            return relation_at(text[start:end], at - start, at - start + len(folded), default)
    return default
