"""Profit or loss: the sign that an answer gives a number beside the sign of its cell.

Here: ``other_signs``. Accounts write a loss in a row of profits as (380) or △380; told without a
word for it, it has become a profit. And a loss may be told of a cell that holds a profit. Rows of
costs, where brackets are a way of writing, are left alone. Used by ``checks``.
"""

from __future__ import annotations

import re

from g2_pipelines.qa.agreement import Place, Sources
from g2_pipelines.qa.amounts import Amount, Held
from g2_pipelines.qa.told import told
from g2_pipelines.text.fold import fold_text

_PROFIT = re.compile(r"\b(?:profits?|income|earnings|ebitd?a|results?)\b|利益|損益|収支")
_DEDUCTION = re.compile(r"tax|cost|expens|charge|paid|dividend|deduct|税金|費用|原価|控除|配当")
_LOSS = re.compile(r"\b(?:loss|losses|deficit)\b|損失|赤字|欠損")
_LOSS_AFTER = re.compile(
    r"\s*(?:の[一-鿿]{0,4}(?:損失|赤字|欠損)|(?:(?:net|operating|ordinary|pre-?tax|annual) )?(?:loss|deficit)\b)"
)
_LOSS_BEFORE = re.compile(
    r"(?:\b(?:loss|deficit)(?: in \d{4})?(?: (?:of|was|is|were|at|amounted to|came to|stood at|totall?ed))*"
    r"(?: (?:about|around|some|roughly))?|(?:損失|赤字|欠損)(?:額)?(?:は|が|も|:)?約?)\s*$"
)
_NO_LOSS = re.compile(r"(?:no|not an?|without an?|instead of an?) (?:\w+ )?(?:loss|deficit)")


def other_signs(answer: str, sources: Sources, free: Held) -> list[str]:
    """Losses of ``answer`` (folded) told as profits, and profits as losses."""
    faults: list[str] = []
    for said in told(answer):
        amount = said.amount
        if free.support(amount):
            continue
        places = [one for one in sources.places(amount) if one.amount.cell is not None]
        if not places or not all(_of_profit(one, sources) for one in places):
            continue
        if len(places) != len(sources.places(amount)):
            continue
        text = amount.text.strip()
        lost = [_negative(one, sources) for one in places]
        if all(lost) and not _told_negative(answer, amount):
            faults.append(f"{text} stands as a loss in what is cited")
        if not any(lost) and _told_as_loss(answer, amount):
            faults.append(f"{text} stands as no loss in what is cited")
    return faults


def _of_profit(place: Place, sources: Sources) -> bool:
    if place.amount.cell is None:
        return False
    name, row, column = place.amount.cell
    grid = sources.held.grids[name]
    labels = fold_text(f"{grid.row_label(row)} {grid.column_header(column)}")
    return _PROFIT.search(labels) is not None and _DEDUCTION.search(labels) is None


def _negative(place: Place, sources: Sources) -> bool:
    if place.amount.cell is None:
        return False
    name, row, column = place.amount.cell
    cell = fold_text(sources.held.grids[name].rows[row][column]).strip(" $€£¥")
    return place.amount.value < 0 or (cell.startswith("(") and ")" in cell)


def _told_negative(answer: str, amount: Amount) -> bool:
    before, after = answer[: amount.start].rstrip(" $€£¥"), answer[amount.end :].lstrip()
    bracketed = before.endswith("(") and after.startswith(")")
    return amount.value < 0 or amount.falls or bracketed


def _told_as_loss(answer: str, amount: Amount) -> bool:
    before = answer[max(0, amount.start - 40) : amount.start]
    if _NO_LOSS.search(before):
        return False
    return (
        _LOSS_AFTER.match(answer, amount.end) is not None or _LOSS_BEFORE.search(before) is not None
    )
