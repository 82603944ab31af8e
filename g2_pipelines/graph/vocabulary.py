"""The words of one document: in how many of its nodes each occurs, and who holds which.

Here: ``Vocabulary``, built once a round from the nodes' contents (never from model output, so
that it is the same in every round), and ``Content``, in which terms and figures are looked up.
Used by the extractive implementations for keywords and by the guards for telling a document's
own terms from invented ones.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from g2_pipelines.graph.figures import figures
from g2_pipelines.graph.silent import is_silent
from g2_pipelines.index.content import content_text
from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.terms import content_words

#: Sentence encoders average what they read; a long tail blurs what a node is about and
#: costs the embedded one most of a round.
_EMBEDDED = 600
_LATIN_EDGE = re.compile(r"[a-z0-9]")


class Content:
    """One node's content, folded, as terms are looked up in it."""

    def __init__(self, text: str) -> None:
        self.text = text

    @property
    def clipped(self) -> str:
        """What of the text is embedded: its first 600 characters."""
        return self.text[:_EMBEDDED]

    @cached_property
    def folded(self) -> str:
        """Folded text with every run of white space as one space."""
        return " ".join(fold_text(self.text).split())

    @cached_property
    def squeezed(self) -> str:
        """Folded text without white space: line joins leave spaces inside Japanese terms."""
        return "".join(self.folded.split())

    @cached_property
    def figures(self) -> frozenset[str]:
        """Keys of its figures and words of number (``figures``)."""
        return frozenset(key for key, _ in figures(self.folded))

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """Content words as they stand, in order."""
        return tuple(content_words(self.text))

    @cached_property
    def words(self) -> frozenset[str]:
        """Folded content words."""
        return frozenset(fold_text(word) for word in self.terms)

    def holds(self, term: str) -> bool:
        """True if ``term`` stands in the content; Latin ends must be word borders."""
        folded = " ".join(fold_text(term).split())
        if not folded:
            return True
        if folded in self.words:
            return True
        if _LATIN_EDGE.match(folded[0]) is None and _LATIN_EDGE.match(folded[-1]) is None:
            return "".join(folded.split()) in self.squeezed
        return any(
            _bordered(self.folded, at, at + len(folded)) for at in _places(self.folded, folded)
        )


def _places(text: str, piece: str) -> list[int]:
    out: list[int] = []
    at = text.find(piece)
    while at >= 0:
        out.append(at)
        at = text.find(piece, at + 1)
    return out


def _bordered(text: str, start: int, end: int) -> bool:
    def splits(a: str, b: str) -> bool:
        return not (_LATIN_EDGE.match(a) and _LATIN_EDGE.match(b))

    before = start == 0 or splits(text[start - 1], text[start])
    return before and (end == len(text) or splits(text[end - 1], text[end]))


@dataclass(frozen=True)
class Vocabulary:
    """A document's folded content words: how many nodes hold each, and the nodes' contents."""

    nodes: int
    frequency: Mapping[str, int]
    contents: Mapping[str, Content]  # by node_id
    silent: frozenset[str] = frozenset()  # node_ids of texts that state nothing

    def idf(self, word: str) -> float:
        """Inverse document frequency over nodes, ln(1 + (N - n + 0.5) / (n + 0.5)), ≥ 0."""
        count = self.frequency.get(word, 0)
        return math.log1p((self.nodes - count + 0.5) / (count + 0.5))

    def holders(self, word: str) -> int:
        """How many nodes hold a folded word."""
        return self.frequency.get(word, 0)

    def is_rare(self, word: str) -> bool:
        """True for a word of at most a tenth of the nodes (two may always hold it).

        A word that two nodes share and few others hold is worth a link; one in every tenth
        node is what the document is about, and would join everything to everything.
        """
        return 0 < self.frequency.get(word, 0) <= max(2, self.nodes // 10)


def own_content(node: DocumentNode, content: Content) -> Content:
    """All that may be said of a node: its content, and cells that its text does not show."""
    cells = [cell.text for cell in node.cells if cell.text.strip() and not content.holds(cell.text)]
    return Content("\n".join([content.text, *cells])) if cells else content


def vocabulary_of(nodes: Sequence[DocumentNode]) -> Vocabulary:
    """The vocabulary of a document's body nodes."""
    contents = {node.node_id: Content(content_text(node)) for node in nodes}
    counts = Counter(word for content in contents.values() for word in content.words)
    silent = frozenset(node.node_id for node in nodes if is_silent(node))
    return Vocabulary(len(nodes), dict(counts), contents, silent)
