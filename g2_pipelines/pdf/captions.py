"""Captions: which text is one, and whose.

Here: the form of a caption's beginning (図1, 表2, Figure 3, Table 4), telling it from a
sentence that begins with a reference (「図2に示すように」, "Table 1 gives"), and binding each
caption to its figure or table by place. One caption goes to one node, one node has one
caption; what touches nothing stays a caption of its own. Pure functions; for ``pdf`` only.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Literal

from g2_pipelines.pdf.geometry import Block, Box
from g2_pipelines.tables.line2 import NodeKind

_SHOWN: tuple[NodeKind, ...] = ("figure", "chart", "table")
LabelKind = Literal["figure", "table"]
_LABEL = re.compile(
    r"(?P<word>図表|図|表|写真|グラフ|figures?|figs?\.?|tables?|tab\.|charts?|exhibits?|scheme|plate)"
    r"\s*(?P<number>(?:[A-Z]{1,3}\s*[-‐–－]\s*|[A-Z])?\d+(?:\s*[-.‐–－．]\s*\d+)*(?:\s*\([a-z]\))?)(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
#: Brackets, marks and drawn-out dashes that may stand before a label.
_BEFORE = " \u3000＜<【[■●◆▼▲▶►•▪◼□—–―─_"
_TABLE_WORDS = ("表", "table", "tab.", "tables")
#: After a number these begin a sentence about the figure, not its caption.
_PARTICLE = re.compile(r"[はがをにのでとへもやか、,)）]|から|より|まで|および|及び|と同|参照")
_TITLE = re.compile(
    r"\s*(?:[.:：．。、|｜–—-]\s*\S|\s+[^\sa-z]|\s*[\u2E80-\u9FFF]|\s*[「『(（【\[]|\s*$)"
)
#: A caption farther than this from every figure and table is bound to none (points).
REACH = 42.0
#: … unless its label says that it is one of that kind.
LABELLED_REACH = 60.0
MAX_LENGTH = 700


def label_of(text: str) -> tuple[LabelKind, str] | None:
    """Kind and normalized number of the label with which a caption begins, None without one."""
    match = _LABEL.match(unicodedata.normalize("NFKC", text).lstrip(_BEFORE))
    if match is None:
        return None
    return kind_of(match["word"]), number_of(match["number"])


def kind_of(word: str) -> LabelKind:
    """Whether a label's word names a table or a figure."""
    return "table" if word.casefold() in _TABLE_WORDS else "figure"


def number_of(text: str) -> str:
    """A label's number in one form: digits and hyphens (「１．２」 → 1-2)."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"\s*[-.‐–]\s*", "-", folded).replace(" ", "")


def is_caption(text: str) -> bool:
    """True when the text begins as a caption does and not as a sentence about a figure."""
    match = _LABEL.match(unicodedata.normalize("NFKC", text).lstrip(_BEFORE))
    if match is None or len(text) > MAX_LENGTH:
        return False
    rest = match["rest"]
    if _PARTICLE.match(rest.lstrip()) and not rest.startswith((" ", "\u3000")):
        return False
    return _TITLE.match(rest) is not None


def bind_captions(blocks: Sequence[Block]) -> list[Block]:
    """Blocks of one page with captions moved to their figures and tables.

    As many captions as can be are bound, and of the ways to do so the one with the least
    distance in all: three tables with their captions under them stand nearer to the caption
    of the one above than the second and third do to their own. The label's kind must fit (図
    to a figure or chart, 表 to a table, or to the picture of one), and a caption must lie over
    or under what it belongs to, or beside.
    """
    targets = [b for b in blocks if b.kind in (*_SHOWN, "code") and b.caption is None]
    captions = [b for b in blocks if b.kind == "caption"]
    pairs = {
        (i, j): distance
        for i, caption in enumerate(captions)
        for j, target in enumerate(targets)
        if (distance := _distance(caption, target)) is not None
    }
    bound = _matched(pairs)
    for i, j in bound.items():
        targets[j].caption = captions[i]
    moved = {id(captions[i]) for i in bound}
    return [block for block in blocks if id(block) not in moved]


def _matched(pairs: Mapping[tuple[int, int], float]) -> dict[int, int]:
    """Target by caption: most pairs, then least distance in all."""
    nearest: dict[int, int] = {}
    for i, j in sorted(pairs, key=lambda pair: (pairs[pair], pair)):
        if i not in nearest and j not in nearest.values():
            nearest[i] = j
    if len(nearest) == len({i for i, _ in pairs}):
        return nearest  # nearest first already binds every caption that touches something
    import networkx as nx

    graph: nx.Graph[tuple[str, int]] = nx.Graph()
    for i, j in sorted(pairs):
        graph.add_edge(("caption", i), ("target", j), weight=1000 - pairs[i, j])
    found = nx.max_weight_matching(graph, maxcardinality=True)
    ends = [dict(pair) for pair in found]
    return {end["caption"]: end["target"] for end in ends}


def _distance(caption: Block, target: Block) -> float | None:
    label = label_of(caption.text)
    misfit, reach = 0.0, REACH
    if target.kind == "code" and (label is None or label[0] == "table"):
        return None  # a listing has a caption only where that is labelled (Figure 1)
    if label is not None:
        fits = (label[0] == "table") == (target.kind == "table")
        if not fits and label[0] == "figure":
            misfit = REACH / 2
        elif not fits:
            # 表1 under a picture: the engine saw no cells, but it is a table all the same.
            misfit = REACH / 4
        else:
            reach = LABELLED_REACH
    gap = _gap(caption.box, target.box)
    if gap is None or gap > reach:
        return None
    above = caption.box.centre[1] < target.box.centre[1]
    usual = above == (target.kind == "table")
    centre = abs(caption.box.centre[0] - target.box.centre[0]) / 50
    return gap + misfit + (0 if usual else 6) + centre


def _gap(caption: Box, target: Box) -> float | None:
    """White space between the two, None when they neither stand over nor beside each other."""
    over = caption.across(target) > 0.3 * min(caption.width, target.width)
    beside = caption.down(target) > 0.5 * caption.height
    if over:
        return max(0.0, -caption.down(target))
    if beside:
        return max(0.0, -caption.across(target)) + 8
    return None


def mark_captions(blocks: Sequence[Block]) -> None:
    """Gives the kind caption to text that begins as one beside a figure or table of its page.

    An engine's own captions keep their kind when they have a label or touch a figure or table;
    else they are paragraphs: a caption that nothing shows cannot be told from text.
    """
    targets = [b for b in blocks if b.kind in (*_SHOWN, "code")]
    for block in blocks:
        if block.kind not in ("caption", "paragraph", "heading", "footnote", "list"):
            continue
        near = any(
            (gap := _gap(block.box, target.box)) is not None and gap <= REACH for target in targets
        )
        if block.kind == "caption":
            if not near and not is_caption(block.text):
                block.kind = "paragraph"
        elif is_caption(block.text) and (near or (targets and len(block.text) < 120)):
            block.kind = "caption"
