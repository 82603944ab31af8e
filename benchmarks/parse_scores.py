"""How near a parsed document's Markdown is to the truth's: NID, TEDS and MHS.

Here: the three measures, each a share from 0 (nothing) to 1 (equal); None where the truth has
nothing to compare. Definitions:

- NID: the text in order. White space folded, tables as HTML, pictures left out; the edit
  distance knows insertions and deletions only: 1 - distance / (both lengths).
- TEDS: tables (Zhong et al. 2020). All tables of a document are one tree of tables, rows and
  cells; a node in only one of the two costs 1, a pair whose tag or spans differ 1, else the
  share of the cells' text that differs (Levenshtein).
- MHS: headings in order as one flat list, each with the text up to the next as its child; the
  level is not compared.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from apted import APTED, Config
from lxml import html
from rapidfuzz.distance import Indel, Levenshtein

_PICTURE = re.compile(r"<!--\s*image\s*-->|!\[[^\]]*\]\([^)]*\)")
_DIVIDER = re.compile(r"^\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*\|?\s*$")
_TABLE = re.compile(r"<table.*?</table>", re.DOTALL | re.IGNORECASE)
_FIGURE = re.compile(r"[-+−]?[\d.,]+%?")
#: Share of a row's cells that must hold equally many values.
STACKS = 0.6
_HEADING = re.compile(r"^#{1,6}\s+(.*)$")


@dataclass
class Node:
    """A node of a tree to compare; ``name`` holds all that must be equal, ``text`` what may differ."""

    name: str
    text: str = ""
    children: list[Node] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Nodes of the tree, this one included."""
        return 1 + sum(child.size for child in self.children)


class _Costs(Config):  # type: ignore[misc]
    def rename(self, a: Node, b: Node) -> float:
        """0 for equal nodes, the differing share of their texts, 1 for nodes of other kinds."""
        if a.name != b.name:
            return 1.0
        return float(Levenshtein.normalized_distance(a.text, b.text))

    def children(self, node: Node) -> list[Node]:
        """The node's children in order."""
        return node.children


def similarity(answer: Node, truth: Node) -> float:
    """1 - edit distance of the trees / nodes of the larger one."""
    cost = APTED(answer, truth, _Costs()).compute_edit_distance()
    return 1 - float(cost) / max(answer.size, truth.size)


def nid(answer: str, truth: str) -> float | None:
    """Similarity of two Markdown texts in order, tables as HTML included."""
    mine, theirs = _folded(answer), _folded(truth)
    return float(Indel.normalized_similarity(mine, theirs)) if theirs else None


def teds(answer: str, truth: str) -> float | None:
    """Similarity of all tables of two Markdown texts."""
    theirs = _tables_tree(truth)
    if not theirs.children:
        return None
    mine = _tables_tree(answer)
    return similarity(mine, theirs) if mine.children else 0.0


def split_stacks(markdown: str) -> str:
    """The Markdown with pipe rows that hold several rows of values cut into these.

    A row is one when most of its cells hold equally many words, two or more, figures in most of
    these; a cell of one word belongs to each of them.
    """
    lines = []
    for line in markdown.split("\n"):
        cells = [cell.split() for cell in _cells(line)] if line.startswith("|") else []
        counts = Counter(len(words) for words in cells if len(words) > 1)
        most, times = counts.most_common(1)[0] if counts else (1, 0)
        stacks = [words for words in cells if len(words) == most]
        figures = sum(all(_FIGURE.fullmatch(word) for word in words) for words in stacks)
        if times < STACKS * len(cells) or figures <= len(stacks) / 2 or not cells:
            lines.append(line)
            continue
        for k in range(most):
            row = [words[k] if len(words) == most else " ".join(words) for words in cells]
            lines.append("| " + " | ".join(row) + " |")
    return "\n".join(lines)


def mhs(answer: str, truth: str) -> float | None:
    """Similarity of the headings of two Markdown texts with the text under each."""
    theirs = _headings_tree(truth)
    if not theirs.children:
        return None
    mine = _headings_tree(answer)
    return similarity(mine, theirs) if mine.children else 0.0


def with_html_tables(markdown: str) -> str:
    """The Markdown with each pipe table as an HTML table."""
    lines = markdown.split("\n")
    result: list[str] = []
    at = 0
    while at < len(lines):
        if at + 1 < len(lines) and "|" in lines[at] and _DIVIDER.match(lines[at + 1]):
            rows = [lines[at]]
            at += 2
            while at < len(lines) and lines[at].lstrip().startswith("|"):
                rows.append(lines[at])
                at += 1
            result.append("<table>" + "".join(map(_row, rows)) + "</table>")
        else:
            result.append(lines[at])
            at += 1
    return "\n".join(result)


def _cells(line: str) -> list[str]:
    cells = re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))
    return [cell.strip() for cell in cells]


def _row(line: str) -> str:
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in _cells(line)) + "</tr>"


def _folded(markdown: str) -> str:
    return " ".join(with_html_tables(_PICTURE.sub(" ", markdown)).split())


def _tables_tree(markdown: str) -> Node:
    root = Node("document")
    for found in _TABLE.findall(with_html_tables(markdown)):
        table = Node("table")
        for row in html.fragment_fromstring(found).iter("tr"):
            cells = [
                Node(
                    f"td {cell.get('rowspan') or 1} {cell.get('colspan') or 1}",
                    " ".join("".join(cell.itertext()).split()),
                )
                for cell in row.iterchildren("td", "th")
            ]
            table.children.append(Node("tr", children=cells))
        root.children.append(table)
    return root


def _headings_tree(markdown: str) -> Node:
    root = Node("document")
    body: list[str] = []

    def close() -> None:
        if root.children and (text := _folded("\n".join(body))):
            root.children[-1].children.append(Node("text", text))
        body.clear()

    for line in markdown.split("\n"):
        heading = _HEADING.match(line)
        if heading is None:
            body.append(line)
            continue
        close()
        root.children.append(Node("heading", " ".join(heading[1].split())))
    close()
    return root
