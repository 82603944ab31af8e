"""What the evidence has instead of a figure that it has not.

Here: conflicts of sign, unit and scale, and figures that one digit tells apart. What stands in
the figure's own place of a near copy is judged in ``counterparts``. Only modules of this package
import it.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.evaluation.corpus import Corpus, Found
from g2_pipelines.evaluation.evidence import Evidence
from g2_pipelines.evaluation.figures import CELL_UNITS, agree
from g2_pipelines.evaluation.items import items_differ
from g2_pipelines.evaluation.labels import Label, labels_differ
from g2_pipelines.evaluation.senses import is_planned, role_of
from g2_pipelines.evaluation.times import times_differ
from g2_pipelines.evaluation.verdicts import Sentence, Verdict
from g2_pipelines.tables.line1 import ClaimStatus
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.numbers import Number

_TENS = 6  # 百万円 and 円
_CONTEXT = 6  # characters before a figure that make its place the same
STATUS_OF: dict[str, ClaimStatus] = {
    "sign": "sign_conflict",
    "scale": "scale_conflict",
    "unit": "unit_conflict",
}


def as_said(found: Found) -> str:
    """A source's figure as it is said there, for a note."""
    change = {1: " as an increase", -1: " as a decrease"}.get(found.number.change, "")
    return f"{found.number.text}{change}"


def same_digits(near: Sequence[tuple[str, Found]]) -> Verdict | None:
    """A conflict of sign, scale or unit with the aligned evidence, if there is one."""
    for kind, status in STATUS_OF.items():
        found = [item for agreement, item in near if agreement == kind]
        if found:
            return Verdict(status, found, f"the source has {as_said(found[0])}")
    return None


def conflict_of(
    sentence: Sentence,
    number: Number,
    label: Label,
    near: Sequence[tuple[str, Found]],
    evidence: Evidence,
) -> Verdict:
    """What the aligned evidence has instead: best what it has of the same item and period."""
    meant = counterparts_of(sentence, number, label, evidence)
    off = next((found for found in meant if _by_tens(number, found, evidence)), None)
    if off is not None:
        return Verdict("scale_conflict", [off], f"the source has {as_said(off)}")
    sorted_near = sorted(near, key=lambda pair: pair[1] not in meant)
    digits = same_digits(sorted_near)
    if digits is not None:
        return digits
    local = evidence.local(sentence.places)
    closest = [f for f in local if f.number.unit == number.unit and one_edit(f.number, number)]
    if closest:
        fitting = [f for f in closest if f in meant or _may_be(label, f, evidence)]
        alike = [
            f for f in fitting if (f.number.scale, f.number.unit) == (number.scale, number.unit)
        ]
        found = (alike or fitting or meant or closest)[0]
        return Verdict("altered", [found], f"the source has {found.number.text}")
    if meant:
        return Verdict("missing", meant[:1], f"the source has {meant[0].number.text}")
    return Verdict("missing")


def counterparts_of(
    sentence: Sentence, number: Number, label: Label, evidence: Evidence
) -> list[Found]:
    """What the aligned evidence gives of the claim's item, segment and period, best place first.

    A claim that names no period is of the one reported on.
    """
    if label.item is None:
        return []
    before, after = number.start - sentence.start, number.end - sentence.start
    change = role_of(sentence.text[:before], sentence.text[after:], number) == "change"
    told = label.period or ("next" if is_planned(sentence.text) else sentence.carried) or "current"
    if evidence.corpus.is_reported(told):
        told = "current"
    found: list[Found] = []
    for item in evidence.local(sentence.places):
        there = evidence.label(item)
        if there.item is None or items_differ(label.item, there.item):
            continue
        if there.segment != label.segment or times_differ(told, there.period or "current"):
            continue
        unit = item.number.unit
        if unit != number.unit and (unit or number.unit not in CELL_UNITS):
            continue
        if (evidence.role(item) == "change") == change:
            found.append(item)
    return found


def _may_be(label: Label, found: Found, evidence: Evidence) -> bool:
    """Whether nothing says that a figure is of another item or time than the claim's.

    A segment counts only where the claim names one: which part of a text a sentence stands in is
    not always sure.
    """
    there = evidence.label(found)
    told = label._replace(period=label.period or "current")
    if label.segment is None:
        there = there._replace(segment=None)
    return not labels_differ(told, there)


def _by_tens(number: Number, found: Found, evidence: Evidence) -> bool:
    """Whether the claim is the source's figure but for a power of ten (0.02％ told as 2％)."""
    scales = evidence.corpus.scales[found.source]
    if not found.number.unit and not scales:  # a cell whose unit nothing says
        return False
    for power in range(-_TENS, _TENS + 1):
        moved = number.model_copy(
            update={"value": number.value.scaleb(power), "scale": number.scale.scaleb(power)}
        )
        if power and agree(moved, found.number, scales) in {"exact", "rounded"}:
            return True
    return False


def twin(
    sentence: Sentence, number: Number, local: Sequence[Found], corpus: Corpus
) -> Verdict | None:
    """``altered`` where the aligned evidence has the same words around another figure."""
    own = _context(sentence.text, number, sentence.start)
    if len(own[0]) < _CONTEXT:
        return None
    for found in local:
        place = corpus.places[found.place]
        if own == _context(corpus.text(found.place), found.number, place.start):
            status: ClaimStatus = "altered"
            if abs(found.number.value) == abs(number.value):
                same = found.number.unit == number.unit
                status = "sign_conflict" if same else "unit_conflict"
            return Verdict(status, [found], f"the source has {found.number.text}")
    return None


def _context(text: str, number: Number, offset: int) -> tuple[str, str]:
    """The characters right before and behind a figure, folded."""
    start, end = number.start - offset, number.end - offset
    return fold_text(text[max(0, start - _CONTEXT) : start]), fold_text(text[end : end + 2])


def one_edit(found: Number, claim: Number) -> bool:
    """One digit replaced, or two neighbours swapped, in figures of the same length."""
    a, b = str(abs(found.value)), str(abs(claim.value))
    if len(a) != len(b) or len(a) < 2:
        return False
    places = [i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y]
    if len(places) == 2 and places[1] == places[0] + 1:
        return a[places[0]] == b[places[1]] and a[places[1]] == b[places[0]]
    return len(places) == 1
