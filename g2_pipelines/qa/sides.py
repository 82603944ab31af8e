"""What code carries out on the answers of other steps: calculate, compare, tell a sign.

Here: ``carried_out``. Sides must be of the same kind: two cells of one table, or of tables that
each hold all that its side asks for; sentences that hold the item as it is worded. A result
that rests on a doubtful side is worse than none. Used by the extractive worker.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.qa.arithmetic import calculate, operand
from g2_pipelines.qa.asking import understand
from g2_pipelines.qa.errors import CalculationError
from g2_pipelines.qa.item import in_order
from g2_pipelines.qa.matching import held, prepared
from g2_pipelines.qa.outlays import in_magnitudes
from g2_pipelines.qa.ports import Finding, Language, WorkerReply, WorkerTask
from g2_pipelines.qa.steps import comparison_of, operation_of, sign_of
from g2_pipelines.qa.wording import (
    calculated,
    compared,
    sides_apart,
    sign_told,
    step_missing,
    unlike_sides,
)
from g2_pipelines.tables.line2 import CopiedValue
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.language import language

_CELL = re.compile(r", row \d")
_PICTURE = re.compile(r", picture")
_FALLS = re.compile(r"^\s*[(（]?\s*[▲△−–-]|^\s*[$€£¥]?\s*\([\d$]")
_SIGNED = re.compile(r"^\s*[+＋▲△−–-]|^\s*\(")


def carried_out(task: WorkerTask) -> WorkerReply:
    """The operation that the task names, on the one value of each dependency."""
    spoken = language(task.question.question)
    sides = [finding for finding in task.dependencies if not finding.row.id.startswith("r")]
    lost = [f.row.id for f in sides if not f.row.found or len(f.row.values) != 1]
    if lost:
        return _none(step_missing(spoken, lost))
    values = [finding.row.values[0] for finding in sides]
    if sign_of(task.node.task):
        return _sign(task, sides[0], values[0], spoken)
    if len({(value.node_id, value.place, value.text) for value in values}) < len(values):
        return _none(sides_apart(spoken))  # one place is no two sides
    unlike = _unlike(sides, values, task)
    if unlike:
        return _none(unlike_sides(spoken, unlike))
    return _calculated(task, sides, values, spoken)


def _none(why: str) -> WorkerReply:
    return WorkerReply(answer=why, found=False)


def _unlike(sides: Sequence[Finding], values: Sequence[CopiedValue], task: WorkerTask) -> list[str]:
    """The ids of sides that cannot be set against the others, none where all can."""
    cells = [_is_cell(f, value) for f, value in zip(sides, values, strict=True)]
    if len(set(cells)) > 1:
        return [f.row.id for f, cell in zip(sides, cells, strict=True) if not cell]
    if not cells[0]:
        return [finding.row.id for finding in sides if not _worded(finding)]
    if len({value.node_id for value in values}) == 1:
        return []
    stock = operation_of(task.node.task) in ("cover", "turnover")
    same = values[1:] if operation_of(task.node.task) == "turnover" else values
    lines = stock or all("total current" in finding.row.task for finding in sides)
    if lines and len({value.node_id for value in same}) > 1:
        return [finding.row.id for finding in sides]
    return [finding.row.id for finding in sides if not _whole(finding)]


def _is_cell(finding: Finding, value: CopiedValue) -> bool:
    """True for a cell of a table, or of a picture's line that begins with the value's label."""
    if _CELL.search(value.place):
        return True
    label = prepared(value.label.split(" ")[0]).squeezed
    lines = [prepared(quote.text).squeezed for quote in finding.quotes]
    read = _PICTURE.search(value.place) is not None
    return read and bool(label) and any(line.startswith(label) for line in lines)


def _worded(finding: Finding) -> bool:
    """True for a side whose sentence has the item's words, side by side in English."""
    asked = understand(finding.row.task)
    text = "\n".join(quote.text for quote in finding.quotes)
    ready = prepared(text)
    things = [word for word in asked.words if not word.is_figure]
    return all(held(word, ready) >= 1.0 for word in things) and in_order(things, text)


def _whole(finding: Finding) -> bool:
    """True for a side whose table, with its headings, holds all that it asks for."""
    names = {value.node_id for value in finding.row.values}
    nodes = [item.node for item in finding.evidence if item.node.node_id in names]
    texts = [text for node in nodes for text in (node.text, node.caption or "", *node.section_path)]
    ready = prepared("\n".join([*texts, *(quote.text for quote in finding.quotes)]))
    return all(
        held(word, ready) >= 1.0 for word in understand(finding.row.task).words if word.strict
    )


def _calculated(
    task: WorkerTask, sides: Sequence[Finding], values: list[CopiedValue], spoken: Language
) -> WorkerReply:
    operation = operation_of(task.node.task)
    way = comparison_of(task.node.task)
    try:
        values = in_magnitudes(values) if operation in ("difference", "growth") else values
        result = calculate(operation, values, language=spoken)
        if operation == "difference" and not way and result.value < 0 and _is_plain_gap(task):
            values.reverse()
            result = calculate(operation, values, language=spoken)
        named = [operand(value).named for value in values]
    except CalculationError as error:
        return _none(str(error))
    short, answer = result.text, calculated(spoken, result.text, result.formula)
    if way:
        yes = result.value > 0 if way == "more" else result.value < 0
        sign = ">" if result.value > 0 else "<" if result.value < 0 else "="
        short, answer = compared(spoken, f"{named[0]} {sign} {named[1]}", yes=yes)
    quotes = [quote for finding in sides for quote in finding.quotes]
    return WorkerReply(
        answer=answer,
        found=True,
        short=short,
        cited=list(dict.fromkeys(quote.node_id for quote in quotes)),
        quotes=quotes,
        values=values,
        operation=operation,
    )


def _sign(task: WorkerTask, side: Finding, value: CopiedValue, spoken: Language) -> WorkerReply:
    """Yes or no by the sign of a change; a change without one is none of these."""
    folded = fold_text(value.text)
    if not _SIGNED.search(folded):
        return _none(unlike_sides(spoken, [side.row.id]))
    falls = _FALLS.search(folded) is not None
    yes = falls if sign_of(task.node.task) == "less" else not falls
    short, answer = sign_told(spoken, f"{value.label} {value.text}".strip(), yes=yes)
    return WorkerReply(
        answer=answer,
        found=True,
        short=short,
        cited=list(dict.fromkeys(quote.node_id for quote in side.quotes)),
        quotes=list(side.quotes),
        values=[value],
    )


def _is_plain_gap(task: WorkerTask) -> bool:
    """True when the question asks for a distance (差, gap), not which side is greater."""
    text = task.question.question.casefold()
    return "差" in text or "difference" in text or "gap" in text
