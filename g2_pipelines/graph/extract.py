"""A node's attributes in its own words: summary, keywords, entities, without a model.

Here: ``extract`` (one node) and ``ExtractiveAnalyst`` (the task port). Deterministic; every
word it returns stands in the node's content, but for the fixed label of a picture without any
text. Also what a node whose model call failed is given, marked degraded.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from g2_pipelines.graph.config import EvolutionConfig
from g2_pipelines.graph.guards import is_too_long
from g2_pipelines.graph.ports import Analysis, NodeView
from g2_pipelines.graph.vocabulary import Content, Vocabulary
from g2_pipelines.models.errors import Failure
from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.language import language
from g2_pipelines.text.sentences import is_prose, sentences
from g2_pipelines.text.terms import content_words

ENGINE = "extractive"
MODEL = "extractive/1"
_KEYWORDS = 8
_ENTITIES = 12
_READ = 4_000  # characters of a node that are weighed; the rest cannot beat its beginning
_PLAIN_KINDS = frozenset({"heading", "caption", "equation", "code"})
_NO_TEXT = {
    ("figure", "ja"): "図（文字なし）",
    ("chart", "ja"): "グラフ（文字なし）",
    ("table", "ja"): "表（文字なし）",
    ("equation", "ja"): "数式（文字なし）",
}
_CLAUSE = re.compile(r"[、，；;]|, ")
_QUOTED = re.compile(r"「([^「」\n]{2,24})」")
_LETTER = r"[A-Za-z0-9&+-]"
_LATIN_NAME = re.compile(
    rf"(?<![A-Za-z0-9])(?:[A-Z]{_LETTER}*(?: [A-Z]{_LETTER}*)+|[A-Za-z]*[A-Z]{_LETTER}*[A-Z0-9]{_LETTER}*)"
)
_JAPANESE_NAME = re.compile(
    r"(?:株式会社)?[\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff]{2,16}"
    r"(?:株式会社|会社|大学|研究所|機構|協会|省|庁|市|県|工場|事業部?|センター)"
    r"|[\u30a1-\u30fa\u30fc]{4,}"
)


class ExtractiveAnalyst:
    """NodeAnalyst on the node's own sentences; needs no key, GPU or download."""

    engine = ENGINE
    model = MODEL
    prompt_version = ""

    def __init__(self, config: EvolutionConfig | None = None) -> None:
        self._config = config or EvolutionConfig()

    async def analyse(
        self, views: Sequence[NodeView], vocabulary: Vocabulary
    ) -> list[Analysis | Failure]:
        """See NodeAnalyst; never fails."""
        return [extract(view.node, view.language, vocabulary, self._config) for view in views]


def extract(
    node: DocumentNode, language_: str, vocabulary: Vocabulary, config: EvolutionConfig
) -> Analysis:
    """The node's analysis in its own words."""
    content = vocabulary.contents[node.node_id]
    return Analysis(
        summary=_summary(node, language_, content, vocabulary, config),
        keywords=_keywords(content, vocabulary),
        entities=_entities(content.text[:_READ]),
    )


def clip(text: str, config: EvolutionConfig) -> str:
    """``text`` on one line, within the length of a summary; cut after a clause, with «…»."""
    line = " ".join(text.split())
    if not is_too_long(line, config):
        return line
    if language(line) == "ja":
        head = line[: config.summary_characters - 1]
        clauses = [match.end() for match in _CLAUSE.finditer(head)]
        # A clause that leaves less than half says too little; then the characters count.
        cut = clauses[-1] if clauses and clauses[-1] * 2 > len(head) else len(head)
        return head[:cut].rstrip("、，；; ") + "…"
    words = line.split()[: config.summary_words]
    clipped = " ".join(words)[: config.summary_words * 12]
    return clipped.rstrip(",;:. ") + "…"


def _summary(
    node: DocumentNode,
    language_: str,
    content: Content,
    vocabulary: Vocabulary,
    config: EvolutionConfig,
) -> str:
    first = content.text.strip().split("\n", 1)[0]
    if not first:
        return _NO_TEXT.get((node.kind, language_), f"{node.kind} without text")
    if node.kind == "table":
        return clip(_table_summary(node), config)
    if node.kind in _PLAIN_KINDS or node.caption:
        return clip(node.caption or content.text, config)
    return _best_sentence(content.text[:_READ], vocabulary, config)


def _table_summary(node: DocumentNode) -> str:
    """Caption and header row: what the table is about and what its columns hold."""
    header = [cell.text.strip() for cell in node.cells if cell.row == 0 and cell.text.strip()]
    if not header:
        header = [part.strip() for part in node.text.split("\n", 1)[0].split("\t") if part.strip()]
    columns = " / ".join(dict.fromkeys(header))
    caption = (node.caption or "").strip()
    return f"{caption}: {columns}" if caption and columns else caption or columns or node.text


def _best_sentence(text: str, vocabulary: Vocabulary, config: EvolutionConfig) -> str:
    """The sentence with the most particular words for its length; earlier ones win ties."""
    ranges = sentences(text)
    pieces = [text[start:end] for start, end in ranges]
    prose = [piece for piece in pieces if is_prose(piece)] or pieces
    fitting = [piece for piece in prose if not is_too_long(piece, config)] or prose
    scored = [
        (round(_weight(piece, vocabulary) * (1.0 if at else 1.15), 6), -at, piece)
        for at, piece in enumerate(fitting)
    ]
    best = max(scored, default=(0.0, 0, text))
    return clip(best[2], config)


def _weight(piece: str, vocabulary: Vocabulary) -> float:
    words = content_words(piece)
    total = sum(vocabulary.idf(fold_text(word)) for word in words)
    # Half-way between the sum, which likes long sentences, and the mean, which likes fragments.
    return total / math.sqrt(max(1, len(words)))


def _keywords(content: Content, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The node's content words with the highest count × idf, in order of that."""
    text = content.text[:_READ]
    folded = content.folded
    words = content_words(text)
    weights = Counter(
        {
            word: math.sqrt(max(1, folded.count(fold_text(word)))) * vocabulary.idf(fold_text(word))
            for word in words
        }
    )
    order = {word: at for at, word in enumerate(words)}
    ranked = sorted(words, key=lambda word: (-round(weights[word], 6), order[word]))
    return tuple(ranked[:_KEYWORDS])


def _entities(text: str) -> tuple[str, ...]:
    """Names as they stand: quoted terms, capitalised Latin runs, organisations, katakana."""
    found: list[tuple[int, str]] = [
        (match.start(), match.group(1) if pattern is _QUOTED else match.group())
        for pattern in (_QUOTED, _LATIN_NAME, _JAPANESE_NAME)
        for match in pattern.finditer(text)
    ]
    return tuple(dict.fromkeys(name.strip() for _, name in sorted(found)))[:_ENTITIES]
