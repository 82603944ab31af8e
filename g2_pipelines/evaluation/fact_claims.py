"""A figure that no text has, judged by the filing's tagged facts.

Here: ``fact_verdict``. Only ``number_claims`` imports it.
"""

from __future__ import annotations

import re
from decimal import Decimal

from g2_pipelines.evaluation.corpus import digits
from g2_pipelines.evaluation.fact_index import Fact, FactTable
from g2_pipelines.evaluation.figures import agree, derived_from, significant
from g2_pipelines.evaluation.items import items_differ
from g2_pipelines.evaluation.labels import Label
from g2_pipelines.evaluation.senses import AMOUNTS
from g2_pipelines.evaluation.sides import BALANCES, sides_of
from g2_pipelines.evaluation.verdicts import Verdict
from g2_pipelines.text.numbers import Number

_OF_CHANGE = re.compile(r"Increase|Decrease|Change")
_NO_SCALE: frozenset[int] = frozenset({1})
_PLANNED = re.compile(r"計画|予想|見込|見通し|目標|目指|予定|forecast|target|expect|plan|guidance")
_CHANGE = re.compile(r"増|減|比|差|倍|上昇|低下|rose|fell|increase|decrease|up|down")


def fact_verdict(number: Number, label: Label, sentence: str, table: FactTable) -> Verdict | None:
    """Supported, rounded, derived or altered by facts; None where they say nothing of it.

    A figure counts as another item's only where the claimed item is known and every fact of
    three digits or more that has the figure is of another known item.
    """
    same = _agreeing(number, table)
    if same:
        wrong = _wrong_item(number, label, same)
        if wrong is not None:
            return wrong
        fitting = [f for f in same if f.item is not None and f.item == label.item] or same
        exact = abs(fitting[0].number.value) == abs(number.value)
        return Verdict(
            "supported_elsewhere" if exact else "rounded", (), _named(fitting[0]), fitting
        )
    return _derived(number, label, sentence, table) or _contradicted(number, label, sentence, table)


def _agreeing(number: Number, table: FactTable) -> list[Fact]:
    if not number.unit or significant(number) < 2:
        return []
    exact = [
        fact
        for fact in table.by_digits.get(digits(number.value), ())
        if agree(number, fact.number, _NO_SCALE, claim_falls=True) == "exact"
    ]
    if number.change and number.unit in AMOUNTS:  # a change is not the amount itself
        return [fact for fact in exact if _OF_CHANGE.search(fact.row.element)]
    if exact or significant(number) < 3:
        return exact
    return [
        fact
        for fact in table.facts
        if fact.item is not None
        and fact.number.unit == number.unit
        and agree(number, fact.number, _NO_SCALE, claim_falls=True) == "rounded"
    ]


def _wrong_item(number: Number, label: Label, same: list[Fact]) -> Verdict | None:
    known = [fact for fact in same if fact.item is not None]
    if label.item is None or len(known) < len(same) or significant(number) < 3:
        return None
    if all(fact.item is not None and items_differ(label.item, fact.item) for fact in known):
        note = f"item: {label.item} here, {known[0].item} in the source"
        return Verdict("altered", (), note, known)
    return None


def _named(fact: Fact) -> str:
    period = f", {fact.row.period_end}" if fact.row.period_end else ""
    return f"tagged as {fact.row.label or fact.row.element}{period}"


def _of(label: Label, table: FactTable, key: str | None) -> list[Fact]:
    if label.item is None or label.segment is not None or key is None:
        return []
    ends = tuple(table.ends(key))
    return (
        [f for f in table.by_item.get(label.item, ()) if (f.row.period_end or "").startswith(ends)]
        if ends
        else []
    )


def _derived(number: Number, label: Label, sentence: str, table: FactTable) -> Verdict | None:
    if _CHANGE.search(sentence) is None:
        return None
    now = _of(label, table, label.period or "current")
    before = _of(label, table, "previous")
    for a, b in ((a, b) for a in now for b in before if a.row.element == b.row.element):
        made = derived_from(number, [a.number, b.number], _NO_SCALE)
        if made is not None:
            note = f"{made[2]}: a = {made[0].text}, b = {made[1].text}, {_named(a)}"
            return Verdict("derived", (), note, [a, b])
    return None


def _contradicted(number: Number, label: Label, sentence: str, table: FactTable) -> Verdict | None:
    """``altered`` where facts have the item of the period, and none is near the figure."""
    if _PLANNED.search(sentence) or number.change or number.unit not in {"円", "人"}:
        return None
    there = [f for f in _of(label, table, label.period) if f.number.unit == number.unit]
    if not there or any(_within(number.value, f.number.value) for f in there):
        return None
    return Verdict("altered", (), f"tagged is {there[0].number.text} ({_named(there[0])})", there)


def fact_conflict(number: Number, label: Label, sentence: str, table: FactTable) -> Verdict | None:
    """``altered`` where a figure that some text has is tagged as another period's or item's.

    Only where the claimed item and period are tagged with another figure, and this one as what
    it is: two findings that agree.
    """
    if _PLANNED.search(sentence) or number.change or significant(number) < 2:
        return None
    there = [f for f in _of(label, table, label.period) if f.number.unit == number.unit]
    if not there or any(agrees(number, f) for f in there):
        return None
    meant = [
        fact
        for facts in table.by_item.values()
        for fact in facts
        if fact.number.unit == number.unit and agrees(number, fact)
    ]
    same = [fact for fact in meant if fact.item == label.item]
    if same:
        note = f"period: {label.period} here, {same[0].row.period_end} as tagged"
        return Verdict("altered", (), note, [*same, *there])
    exact = [fact for fact in meant if abs(fact.number.value) == abs(number.value)]
    meant = meant if significant(number) >= 4 else exact
    if meant and significant(number) >= 3:
        note = f"item: {label.item} here, {meant[0].item} as tagged"
        return Verdict("altered", (), note, [*meant, *there])
    return None


def fact_side(
    number: Number, label: Label, before: str, after: str, table: FactTable
) -> Verdict | None:
    """``sign_conflict`` where cash is told as received and tagged below zero, or the reverse."""
    if label.item not in BALANCES or number.value < 0:
        return None
    side = sides_of(before, after).get("cash", 0)
    same = [f for f in _of(label, table, label.period or "current") if agrees(number, f)]
    if side and same and all(f.number.value * side < 0 for f in same):
        return Verdict("sign_conflict", (), f"tagged is {same[0].number.text}", same)
    return None


def fact_counterpart(number: Number, label: Label, table: FactTable) -> Verdict | None:
    """What is tagged of the claim's item and period in a figure's place, as ``altered``."""
    there = _of(label, table, label.period or "current")
    there = [f for f in there if f.number.unit == number.unit and not agrees(number, f)]
    if not there:
        return None
    note = f"the source has {there[0].number.text} ({_named(there[0])})"
    return Verdict("altered", (), note, there)


def agrees(number: Number, fact: Fact) -> bool:
    """Whether a figure is a fact's value, exact or rounded, whatever its sign."""
    return agree(number, fact.number, _NO_SCALE, claim_falls=True) in {"exact", "rounded"}


def _within(a: Decimal, b: Decimal) -> bool:
    return bool(b) and abs(abs(a) - abs(b)) <= abs(b) / 200
