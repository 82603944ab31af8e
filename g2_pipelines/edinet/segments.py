"""Names of a filing's reportable segments.

Here: from the members of the segments' axis and the filer's label linkbase, else from the
table rows that carry the members' facts, else from the sentence of the segment note that
lists them. Not here: facts themselves (``facts``). Used by ``filing``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from lxml import etree

from g2_pipelines.edinet.facts import Context
from g2_pipelines.edinet.xml import IX_2008, IX_2013, XLINK, local_name

_AXIS = "OperatingSegmentsAxis"
_MEMBER = re.compile(r"ReportableSegments?Member$")
_STANDARD = re.compile(r"^(jpcrp|jppfs|jpigp)_cor:")
_ROLE_LABEL = "http://www.xbrl.org/2003/role/label"
_LABEL_END = re.compile(r"(?:[、,\s　]*報告セグメント)?[\s　]*[\[［](?:メンバー|member)[\]］]$")
_SENTENCE_END = re.compile(r"[。\n]")
_WORD = "報告セグメント"
#: A name without hiragana behind a particle or a comma: a cut name would be worse than none.
_BUSINESS = r"(?<=[はが、，,。\s])[一-鿿々ァ-ヶーA-Za-zＡ-Ｚａ-ｚ0-9０-９・＆&]{1,28}"
_SINGLE = re.compile(
    rf"(?:「(?P<quoted>[^「」]{{2,30}})」|(?P<name>{_BUSINESS}?(?:事業|業|サービス)))"
    r"(?:のみ)?の(?:みの)?(?:単一|１つ|１|1)(?:の)?(?:報告|事業)?セグメント"
)
_QUOTED = re.compile(r"「([^「」]{2,30})」")
_FACT = (f"{{{IX_2008}}}nonFraction", f"{{{IX_2013}}}nonFraction")


def labels_of(root: etree._Element) -> dict[str, str]:
    """Japanese labels of a label linkbase by the element's local name; the standard role wins."""
    link = f"{{{XLINK}}}"
    elements: dict[str, str] = {}
    texts: dict[str, tuple[int, str]] = {}
    arcs: list[tuple[str, str]] = []
    for node in root.iter():
        if not isinstance(node.tag, str):
            continue
        name = local_name(node.tag)
        if name == "loc":
            fragment = (node.get(f"{link}href") or "").rpartition("#")[2]
            elements[node.get(f"{link}label") or ""] = fragment.rpartition("_")[2]
        elif name == "label" and node.text:
            rank = 0 if node.get(f"{link}role") == _ROLE_LABEL else 1
            texts[node.get(f"{link}label") or ""] = (rank, node.text.strip())
        elif name == "labelArc":
            arcs.append((node.get(f"{link}from") or "", node.get(f"{link}to") or ""))
    best: dict[str, tuple[int, str]] = {}
    for source, target in arcs:
        if source in elements and target in texts:
            element = elements[source]
            best[element] = min(best.get(element, (9, "")), texts[target])
    return {element: _LABEL_END.sub("", text) for element, (_, text) in best.items()}


def segment_members(
    used: Iterable[str], contexts: Mapping[str, Context], period_end: str
) -> list[str]:
    """Local names of the filer's own segment members in the order of the facts that use them.

    ``used`` are context ids of facts in document order. Members of the current period come
    alone if there are any: a prior period may show segments that no longer exist.
    """
    current: dict[str, None] = {}
    every: dict[str, None] = {}
    for identifier in used:
        context = contexts.get(identifier)
        if context is None:
            continue
        for dimension, qualified in zip(context.dimensions, context.members, strict=True):
            if dimension.axis != _AXIS or _STANDARD.match(qualified):
                continue
            if _MEMBER.search(dimension.member):
                every[dimension.member] = None
                if context.end == period_end:
                    current[dimension.member] = None
    return list(current or every)


def row_names(root: etree._Element, contexts: Mapping[str, Context]) -> dict[str, str]:
    """Segment member → text of the first cell of a table row that holds a fact of it.

    Only rows whose facts all belong to one member count (the table of employees by segment).
    """
    names: dict[str, str] = {}
    for row in root.iter("{*}tr"):
        members = {
            dimension.member
            for fact in row.iter(*_FACT)
            if (context := contexts.get(fact.get("contextRef") or "")) is not None
            for dimension in context.dimensions
            if dimension.axis == _AXIS
        }
        cells = [c for c in row if isinstance(c.tag, str) and local_name(c.tag) in {"td", "th"}]
        if len(members) == 1 and cells:
            text = "".join("".join(map(str, cells[0].itertext())).split())
            if text and not text[0].isdigit():
                names.setdefault(members.pop(), text)
    return names


def names_in_note(text: str) -> list[str]:
    """Segment names that a text's own words list; empty where it names none.

    First the names in 「」 of the first sentence about 報告セグメント that quotes at least two.
    Else the one segment of a company that has one: 「X」 … 単一の報告セグメント, Xの単一
    セグメント, or 「X事業」 in a sentence that says what the 報告セグメント is.
    """
    quoted = [
        list(dict.fromkeys(_QUOTED.findall(sentence)))
        for sentence in _SENTENCE_END.split(text)
        if _WORD in sentence
    ]
    if several := next((names for names in quoted if len(names) > 1), None):
        return several
    if match := _SINGLE.search(text):
        return [match["quoted"] or match["name"]]
    lone = (names[0] for names in quoted if len(names) == 1)
    return [name for name in lone if name.endswith(("事業", "セグメント"))][:1]
