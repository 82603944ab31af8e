"""Tagged facts of a filing: contexts, units, numbers, DEI.

Here: from inline pages or an instance to ``FilingFact``. Not here: text blocks (``blocks``),
names of segments (``segments``), reading without a tree (``scan``). Used by ``filing``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from lxml import etree
from pydantic import TypeAdapter

from g2_pipelines.edinet.figures import figure_of, known
from g2_pipelines.edinet.transforms import number_text
from g2_pipelines.edinet.xml import IX_2008, IX_2013, XBRLDI, XBRLI, XSI_NIL, local_name
from g2_pipelines.tables.line1 import DimensionMember, FilingFact

_NON_FRACTION = (f"{{{IX_2008}}}nonFraction", f"{{{IX_2013}}}nonFraction")
_NON_NUMERIC = (f"{{{IX_2008}}}nonNumeric", f"{{{IX_2013}}}nonNumeric")
_EXCLUDE = (f"{{{IX_2008}}}exclude", f"{{{IX_2013}}}exclude")


NON_CONSOLIDATED = "NonConsolidatedMember"
#: DEI stand in this context in every filing (measured).
DEI_CONTEXT = "FilingDateInstant"


@dataclass
class Names:
    """What to call an element: our table's label, else the filer's own, else a row's caption.

    Ours first: filers relabel standard elements for one place alone (合計 for the revenue).
    """

    labels: Mapping[str, str]
    captions: Mapping[str, str]

    def label(self, local: str) -> str | None:
        """The label of an element by local name, None where nobody names it."""
        row = known(local)
        if row is not None:
            return row.label
        return self.labels.get(local) or self.captions.get(local)


@dataclass(frozen=True)
class Context:
    """A context's period (start None for an instant) and explicit dimensions."""

    start: str | None
    end: str | None
    dimensions: tuple[DimensionMember, ...]
    members: tuple[str, ...]  # qualified names, for the filer's own members


@dataclass(frozen=True)
class RawFact:
    """A numeric fact as tagged, before contexts and units are known."""

    name: str
    context: str
    unit: str
    decimals: str | None
    scale: str | None
    sign: str | None
    form: str
    text: str
    nil: bool


def contexts_of(root: etree._Element) -> dict[str, Context]:
    """Contexts of a page or instance by id."""
    return {c.get("id") or "": _context(c) for c in root.iter(f"{{{XBRLI}}}context") if c.get("id")}


_START, _END, _INSTANT = (f"{{{XBRLI}}}{name}" for name in ("startDate", "endDate", "instant"))
_MEMBER = f"{{{XBRLDI}}}explicitMember"


def _context(element: etree._Element) -> Context:
    dates: dict[str, str] = {}
    members: list[tuple[str, str]] = []
    for node in element.iter(_START, _END, _INSTANT, _MEMBER):
        text = (node.text or "").strip()
        if node.tag == _MEMBER:
            members.append((node.get("dimension") or "", text))
        elif text:
            dates.setdefault(str(node.tag), text)
    return Context(
        start=dates.get(_START),
        end=dates.get(_END) or dates.get(_INSTANT),
        dimensions=tuple(_dimension(axis, name) for axis, name in members),
        members=tuple(name for _, name in members),
    )


@lru_cache(maxsize=1024)
def _dimension(axis: str, name: str) -> DimensionMember:
    return DimensionMember(axis=local_name(axis), member=local_name(name))


def units_of(root: etree._Element) -> dict[str, str]:
    """Units of a page or instance by id: ``JPY``, ``pure``, ``JPY/shares``."""
    units = {}
    for unit in root.iter(f"{{{XBRLI}}}unit"):
        measures = [local_name(m.text or "").strip() for m in unit.iter(f"{{{XBRLI}}}measure")]
        if identifier := unit.get("id"):
            units[identifier] = "/".join(measures)
    return units


def dei_of(root: etree._Element) -> dict[str, str]:
    """DEI facts of an inline page, by local name; nil ones left out."""
    found: dict[str, str] = {}
    for element in root.iter(*_NON_NUMERIC, *_NON_FRACTION):
        name = local_name(element.get("name") or "")
        if not name.endswith("DEI") or element.get(XSI_NIL) in {"true", "1"}:
            continue
        text = "".join(map(str, element.itertext())).strip()
        form = local_name(element.get("format") or "").lower()
        if form in {"booleantrue", "booleanfalse", "fixed-true", "fixed-false"}:
            text = "true" if form.endswith("true") else "false"
        if text:
            found.setdefault(name, text)
    return found


def numeric_of(root: etree._Element) -> Iterator[RawFact]:
    """Numeric facts of an inline page's tree, in document order."""
    for element in root.iter(*_NON_FRACTION):
        yield RawFact(
            name=element.get("name") or "",
            context=element.get("contextRef") or "",
            unit=element.get("unitRef") or "",
            decimals=element.get("decimals"),
            scale=element.get("scale"),
            sign=element.get("sign"),
            form=local_name(element.get("format") or "").lower(),
            text=_shown(element),
            nil=element.get(XSI_NIL) in {"true", "1"},
        )


def _shown(element: etree._Element) -> str:
    parts = [element.text or ""]
    for child in element:
        if child.tag not in _EXCLUDE:
            parts.append(_shown(child))
        parts.append(child.tail or "")
    return "".join(parts)


def facts_of_instance(root: etree._Element) -> tuple[list[RawFact], dict[str, str]]:
    """Numeric facts and DEI of an instance; its numbers are already scaled and signed."""
    numeric: list[RawFact] = []
    dei: dict[str, str] = {}
    for element in root:
        if not isinstance(element.tag, str) or element.get("contextRef") is None:
            continue
        name, text = local_name(element.tag), (element.text or "").strip()
        nil = element.get(XSI_NIL) in {"true", "1"}
        if name.endswith("DEI") and text and not nil:
            dei.setdefault(name, text)
        if element.get("unitRef") is not None:
            prefix = f"{element.prefix}:" if element.prefix else ""
            numeric.append(
                RawFact(
                    name=prefix + name,
                    context=element.get("contextRef") or "",
                    unit=element.get("unitRef") or "",
                    decimals=element.get("decimals"),
                    scale=None,
                    sign=None,
                    form="",
                    text=text,
                    nil=nil,
                )
            )
    return numeric, dei


def make_facts(
    raw: Iterable[RawFact],
    *,
    contexts: Mapping[str, Context],
    units: Mapping[str, str],
    names: Names,
    key: Mapping[str, str],
    consolidated: bool | None,
    has_contexts: bool,
    warnings: list[str],
) -> list[FilingFact]:
    """``FilingFact`` rows in document order, the same fact once.

    ``key`` holds edinet_code, fiscal_year and document_id; ``consolidated`` is what the DEI
    say; ``has_contexts`` is false of a CSV. A number that cannot be read keeps its text, with
    a warning.
    """
    rows: dict[tuple[str, str, str, str | None], dict[str, Any]] = {}
    said: dict[str, dict[str, Any]] = {}  # what a context says of its facts
    plain: set[str] = set()
    unreadable = unknown = nameless = 0
    for fact in raw:
        name = local_name(fact.name)
        if not name:
            nameless += 1
            continue
        value, readable = _value(fact)
        unreadable += not readable
        identity = (name, fact.context, fact.unit, value)
        if identity in rows:
            continue
        context = contexts.get(fact.context)
        lost = context is None and has_contexts
        unknown += lost
        if fact.context not in said:
            said[fact.context] = _said(context, fact.context, prepared=consolidated)
            if lost:  # nobody knows of when or of whom it is
                said[fact.context]["consolidated"] = None
            elif _is_plain(context, fact.context):
                plain.add(fact.context)
        label = names.label(name)
        rows[identity] = {
            **key,
            **said[fact.context],
            "element": fact.name,
            "context": fact.context,
            "value": value,
            "unit": units.get(fact.unit, fact.unit or None),
            "decimals": fact.decimals,
            "label": label,
            "figure": figure_of(name, label) if fact.context in plain else None,
        }
    if nameless:
        warnings.append(f"{nameless} numeric facts name no element; left out")
    if unreadable:
        warnings.append(f"{unreadable} numeric facts cannot be read as numbers")
    if unknown:
        warnings.append(f"{unknown} facts name a context that is not in the filing")
    return _rows().validate_python(list(rows.values()))


def _value(fact: RawFact) -> tuple[str | None, bool]:
    """The fact's number as plain text, else its own text; and whether it could be read."""
    if fact.nil:
        return None, True
    value = number_text(fact.text, form=fact.form, scale=fact.scale, sign=fact.sign)
    return (fact.text.strip(), False) if value is None else (value, True)


@cache
def _rows() -> TypeAdapter[list[FilingFact]]:
    """All rows of a filing in one validation: half the time of one model after the other."""
    return TypeAdapter(list[FilingFact])


def _said(context: Context | None, identifier: str, *, prepared: bool | None) -> dict[str, Any]:
    return {
        "period_start": context.start if context else None,
        "period_end": context.end if context else None,
        "dimensions": list(context.dimensions) if context else [],
        "consolidated": _consolidated(context, identifier, prepared=prepared),
    }


def dei_facts(raw: Mapping[str, str], key: Mapping[str, str]) -> list[FilingFact]:
    """The DEI as rows beside the numbers: text as the filing writes it, no unit, no period."""
    return [
        FilingFact(
            **key,
            element=f"jpdei_cor:{name}",
            context=DEI_CONTEXT,
            value=value,
            label=row.label if (row := known(name)) else None,
        )
        for name, value in raw.items()
    ]


def plain_contexts(contexts: Mapping[str, Context]) -> set[str]:
    """Ids of contexts without dimensions, 個別 (non-consolidated) apart."""
    return {i for i, context in contexts.items() if _is_plain(context, i)}


def _is_plain(context: Context | None, identifier: str) -> bool:
    if context is None:  # a CSV has no contexts: their ids say it, by EDINET's naming rule
        return "_" not in identifier.removesuffix(f"_{NON_CONSOLIDATED}")
    return all(d.member == NON_CONSOLIDATED for d in context.dimensions)


def _consolidated(
    context: Context | None, identifier: str, *, prepared: bool | None
) -> bool | None:
    """False of 個別; True where the filer prepares consolidated statements; else unknown."""
    if context is None:
        separate = NON_CONSOLIDATED in identifier.split("_")
    else:
        separate = any(d.member == NON_CONSOLIDATED for d in context.dimensions)
    if separate:
        return False
    return True if prepared else None
