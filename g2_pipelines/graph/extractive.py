"""The evolver that works without a model: references resolved and links found by rules.

Here: ``ExtractiveEvolver`` (the task port). It resolves implicit references by
``antecedents`` and proposes links by explicit reference, resolved reference and shared rare
terms, with the relation that cue words of the sentence name. All of it reads contents, not
other nodes' evolved attributes, so a second round on an evolved graph changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from g2_pipelines.graph.antecedents import Antecedent, resolve, title_of, topic_of
from g2_pipelines.graph.config import EvolutionConfig
from g2_pipelines.graph.extract import ENGINE
from g2_pipelines.graph.guards import is_too_long
from g2_pipelines.graph.phrases import implicit_references, opens_with_pronoun, relation_of
from g2_pipelines.graph.ports import Candidate, NodeContext, Proposal, ProposedLink, Tie
from g2_pipelines.graph.vocabulary import Content, Vocabulary
from g2_pipelines.models.errors import Failure
from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.language import language
from g2_pipelines.text.sentences import sentences

#: Of these rules; a change of what they find raises it.
MODEL = "extractive/2"
_READ = 4_000
_MOST = 4  # resolved terms of a node
#: Shared rare words a link needs, in words that only these two nodes hold.
_ENOUGH = 1.0
_EXPLICIT, _RESOLVED = 100.0, 90.0
_VISUAL = frozenset({"table", "figure", "chart"})
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
        links=_links(context, own, resolutions, vocabulary, config.out_degree),
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
    own: Content,
    resolutions: Sequence[_Resolution],
    vocabulary: Vocabulary,
    limit: int,
) -> tuple[ProposedLink, ...]:
    antecedents = {item.antecedent.candidate.label for item in resolutions if item.implicit}
    scored: list[tuple[float, int, int, ProposedLink]] = []
    for candidate in context.candidates:
        score, relation = _judged(context.node, candidate, own, antecedents, vocabulary)
        if score > 0:
            link = ProposedLink(candidate.label, relation)
            scored.append((-score, abs(candidate.position), candidate.position, link))
    return tuple(link for *_, link in sorted(scored, key=lambda item: item[:3])[:limit])


def _judged(
    node: DocumentNode,
    candidate: Candidate,
    own: Content,
    antecedents: set[str],
    vocabulary: Vocabulary,
) -> tuple[float, str]:
    if _REFERS in candidate.ties:
        return _EXPLICIT, _explicit_relation(node, candidate, own)
    if candidate.label in antecedents:
        return _RESOLVED, "reference"
    if node.kind == "heading" or candidate.kind == "heading":
        return 0.0, ""
    # Text points back to what it takes up, and to pictures on either side.
    if candidate.position > 0 and not (candidate.kind in _VISUAL and node.kind not in _VISUAL):
        return 0.0, ""
    shared = [
        word
        for word in own.words & vocabulary.contents[candidate.node_id].words
        if vocabulary.is_rare(word)
    ]
    if not shared:
        return 0.0, ""
    unit = vocabulary.rarest
    score = round(sum(sorted(vocabulary.idf(word) for word in shared)) / unit, 6)
    if score < _ENOUGH:
        return 0.0, ""
    term = max(shared, key=lambda word: (vocabulary.idf(word), len(word), word))
    return min(score, _RESOLVED - 1), relation_of(_sentence_with(term, own), "elaboration")


def _explicit_relation(node: DocumentNode, candidate: Candidate, own: Content) -> str:
    for reference in node.references:
        if reference.target == candidate.node_id:
            return relation_of(_sentence_with(fold_text(reference.text), own), "reference")
    return "reference"


def _sentence_with(folded: str, own: Content) -> str:
    for start, end in sentences(own.text[:_READ]):
        sentence = own.text[start:end]
        if folded in fold_text(sentence):
            return sentence
    return ""
