"""How many labelled parts a document has: figures, tables, appendices, exhibits, quizzes.

Here: ``label_hit``. A count is given only where the labels are numbered without a gap from 1
(or from A): then the last one's number is how many there are, and the labels themselves are the
evidence; of figures and tables none that the text speaks of lacks its caption. Counting what merely looks like a part would be a guess. Used by ``find``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.qa.evidence import Evidence
from g2_pipelines.qa.hits import Hit
from g2_pipelines.qa.ports import Quote
from g2_pipelines.qa.wording import counted
from g2_pipelines.tables.line2 import CopiedValue, DocumentNode
from g2_pipelines.text.fold import fold, fold_text

_FEWEST, _MOST = 2, 200
_CAPTIONED = {
    "figure": r"fig(?:ure|\.)?",
    "table": r"tab(?:le|\.)",
    "chart": r"chart",
    "図": r"図",
    "表": r"表",
    "図表": r"図表",
}
#: Figure 4 of Mori (2019): another work's.
_ELSEWHERE = re.compile(r"[a-z]?\s*(?:of|in|from|by)\s[^.]{1,40}?(?:(?:19|20)\d\d|et al)")
_ENDINGS = (("ices", "ix"), ("zzes", "z"), ("ies", "y"), ("xes", "x"), ("sses", "ss"), ("s", ""))


def singular(noun: str) -> str:
    """One of what an English plural names; any other word as it is."""
    for ending, kept in _ENDINGS:
        if noun.endswith(ending) and len(noun) - len(ending) >= 2:
            return noun[: len(noun) - len(ending)] + kept
    return noun


def label_pattern(noun: str) -> re.Pattern[str]:
    """A label of the counted part, in folded text: its number or letter is the group 1 or 2."""
    one = singular(noun)
    name = _CAPTIONED.get(one, re.escape(one) + r"(?:es|s)?")
    edge = r"\b" if one.isascii() else ""
    return re.compile(
        rf"{edge}{name}\s*(?:#|no\.?|-)?\s*(?:[a-z]-)?(?:(\d{{1,3}})(?![\d.,]*\d)|([a-z])\b(?!['’]))"
    )


def label_hit(noun: str, nodes: Sequence[Evidence], *, language: str) -> Hit | None:
    """The count of ``noun`` over ``nodes``, which hold every label of one document."""
    pattern = label_pattern(noun)
    captioned = singular(noun) in _CAPTIONED
    numbers: dict[int, tuple[DocumentNode, str]] = {}
    letters: dict[int, tuple[DocumentNode, str]] = {}
    for item in nodes:
        for text in _texts(item.node, captioned=captioned):
            folded = fold(text)
            for match in pattern.finditer(folded.text):
                begin, end = folded.original(match.start(), match.end())
                found = (item.node, text[begin:end])
                if match[1]:
                    _keep(numbers, int(match[1]), found)
                elif not captioned:
                    _keep(letters, ord(match[2]) - ord("a") + 1, found)
                if captioned:
                    break  # a caption has one label, at its beginning
    chosen = numbers if len(numbers) >= len(letters) else letters
    count = max(chosen, default=0)
    if not _FEWEST <= count <= _MOST or set(chosen) != set(range(1, count + 1)):
        return None
    if captioned and _mentioned(pattern, nodes) - set(chosen):
        return None  # the text speaks of one more than the captions show
    labels = [chosen[place] for place in sorted(chosen)]
    values = tuple(
        CopiedValue(label=" ".join(text.split()), text=text, node_id=node.node_id)
        for node, text in labels
    )
    return Hit(
        short=str(count),
        answer=counted(language, count, values[0].label, values[-1].label),
        quotes=tuple(Quote(node_id=node.node_id, text=text) for node, text in labels),
        coverage=1.0,
        score=2.0,
        values=values,
        operation="count",
    )


def _mentioned(pattern: re.Pattern[str], nodes: Sequence[Evidence]) -> set[int]:
    """The numbers of the parts that running text speaks of."""
    texts = (fold_text(item.node.text) for item in nodes if item.node.kind != "furniture")
    return {
        int(match[1])
        for text in texts
        for match in pattern.finditer(text)
        if match[1] and not _ELSEWHERE.match(text, match.end())
    }


def _keep(
    places: dict[int, tuple[DocumentNode, str]], number: int, found: tuple[DocumentNode, str]
) -> None:
    """The place that a reader would point at: the part's own heading, not a table of contents."""
    known = places.get(number)
    if known is None or _rank(*found) < _rank(*known):
        places[number] = found


def _rank(node: DocumentNode, label: str) -> int:
    begins = node.text.strip().startswith(label)
    return 0 if begins and node.kind == "heading" else 1 if begins else 2


def _texts(node: DocumentNode, *, captioned: bool) -> list[str]:
    """Where labels are looked for: of figures and tables the captions alone, at their start."""
    if node.kind == "furniture":
        return []
    if not captioned:
        return [node.text, node.caption or ""]
    caption = node.caption or (node.text if node.kind == "caption" else "")
    return [caption[:40]] if caption else []
