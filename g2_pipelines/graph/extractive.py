"""The evolver that works without a model: references resolved and links found by rules.

Here: ``ExtractiveEvolver`` (the task port). It resolves implicit references by
``antecedents`` and proposes links by explicit reference, resolved reference and shared rare
terms, with the relation that cue words of the sentence name. All of it reads contents, not
other nodes' evolved attributes, so a second round on an evolved graph changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from g2_pipelines.graph.antecedents import Antecedent, resolve
from g2_pipelines.graph.config import EvolutionConfig
from g2_pipelines.graph.extract import ENGINE, MODEL
from g2_pipelines.graph.guards import is_too_long
from g2_pipelines.graph.phrases import Implicit, implicit_references, relation_of
from g2_pipelines.graph.ports import Candidate, NodeContext, Proposal, ProposedLink, Tie
from g2_pipelines.graph.vocabulary import Content, Vocabulary
from g2_pipelines.models.errors import Failure
from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.language import language
from g2_pipelines.text.sentences import sentences

_READ = 4_000
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
    reference: Implicit
    antecedent: Antecedent


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
    if context.node.kind == "heading":
        return []
    found: list[_Resolution] = []
    for reference in implicit_references(own.text[:_READ]):
        antecedent = resolve(reference, context.candidates, own, vocabulary)
        if antecedent is not None:
            found.append(_Resolution(reference, antecedent))
    return found


def _attributes(
    context: NodeContext, resolutions: Sequence[_Resolution], config: EvolutionConfig
) -> tuple[str, tuple[str, ...]]:
    """Summary with each resolved phrase explained in brackets, keywords with the terms."""
    state = context.state
    summary, keywords = state.summary, list(state.keywords)
    for item in resolutions:
        term = item.antecedent.term
        explained = _explained(summary, item.reference.text, term)
        if not is_too_long(explained, config):
            summary = explained
        if all(fold_text(term) != fold_text(word) for word in keywords):
            # Own keywords give way from the end, so that a resolved term always finds room.
            keywords = [*keywords[: config.keywords - 1], term]
    return summary, tuple(keywords)


def _explained(summary: str, phrase: str, term: str) -> str:
    at = summary.find(phrase)
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
    antecedents = {item.antecedent.candidate.label for item in resolutions}
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
