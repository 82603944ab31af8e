"""Whether an answer says of a number what its source says: the same thing, the same period.

Here: ``disagreements``. A number may stand in what is cited and still be another thing's, or
another year's. That is told only where the source itself shows it: its clause names something
else and the answer names what stands beside another number there, or its period is another. A
name in other words or in another language is no disagreement. Used by ``checks``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from g2_pipelines.qa.amounts import Amount, Held, plain_text
from g2_pipelines.qa.grids import Grid, is_figure, without_unit
from g2_pipelines.qa.told import Told, names, told
from g2_pipelines.qa.told_periods import agree, equal, periods_of, shown
from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines.text.fold import fold_text

#: A cell that begins with a figure.
_FIGURE = re.compile(r"[\s(（△▲+−-]*[¥$€£]?\s?\d[\d,.]*(?!\d*[年月期年度Qq])")
_RELATIVE = re.compile(
    r"\b(?:before|after|since|until|than|compar|from|between|previous|next|prior|follow|chang"
    r"|grow|increas|decreas|rise|rose|fall|fell|earlier|later|by)"
    r"|前|後|以降|以来|まで|から|比|翌|かけて|増|減|推移|変化"
)
_ASIDE = re.compile(
    r"\bother|\bexcept|\bexclud|\bnot\b|\bwithout|\bbesides|\bthan\b|\bwhich\b|\bwhose\b|\bhighest|\blowest"
    r"|\blargest|\bsmallest|\bmost\b|\bleast\b|以外|除|ない|どの|最[大小高低も]|一番|差|合計"
)
_YEAR_WORDS = frozenset({"年度", "年", "期", "月期", "会計年度", "fiscal", "year"})
_SHORT = 2  #: 利益 alone is the end of too many names


@dataclass(frozen=True)
class Place:
    """Where a source holds an amount: in a text (``told``, ``text``) or in a table's cell."""

    amount: Amount
    text: int = -1
    told: Told | None = None


class Sources:
    """The cited nodes, each amount with its names and period."""

    def __init__(self, nodes: Sequence[DocumentNode]) -> None:
        self.held = Held([], nodes)
        beside = [text for one in nodes for text in (*one.section_path, one.caption or "")]
        cells = [cell for grid in self.held.grids.values() for row in grid.rows for cell in row]
        #: Headings, captions and cells, folded.
        self.labels = [fold_text(text) for text in [*beside, *cells] if text]
        self.spoken = [*self.held.texts, *self.labels]
        self._texts = [told(text) for text in self.held.texts]

    @cached_property
    def _places(self) -> list[Place]:
        found: list[Place] = []
        for number, text in enumerate(self._texts):
            found += [Place(amount=one.amount, text=number, told=one) for one in text]
        found += [Place(amount=one) for one in self.held.amounts if one.cell is not None]
        return found

    def places(self, amount: Amount) -> list[Place]:
        """Where ``amount`` stands."""
        return [one for one in self._places if self.held.same(amount, one.amount)]

    @cached_property
    def years_shown(self) -> list[int]:
        """Of each table, how many periods head its columns: «the three years shown»."""
        found: list[int] = []
        for grid in self.held.grids.values():
            heads = [grid.column_header(c) for c in range(grid.label_columns, len(grid.rows[0]))]
            found.append(len({one for head in heads for one in periods_of(fold_text(head))}))
        return sorted({count for count in found if count > 1})

    def called(self, place: Place) -> tuple[str, str]:
        """What the source calls the amount of ``place``, and its period; "" for what is open."""
        if place.told is not None:
            return place.told.label, shown(place.told.periods)
        if place.amount.cell is None:
            return "", ""
        name, row, column = place.amount.cell
        grid = self.held.grids[name]
        head = grid.column_header(column)
        period = shown(periods_of(fold_text(head)))
        parts = [grid.row_label(row), "" if period else head]
        return ", ".join(one for one in parts if one and not is_figure(one)), period

    def beside(self, place: Place) -> list[Told]:
        """The other amounts of the same kind in the text of ``place``."""
        if place.told is None:
            return []
        mine = place.told
        return [
            one
            for one in self._texts[place.text]
            if one.amount.start != mine.amount.start and one.amount.unit == mine.amount.unit
        ]


def disagreements(
    answer: str, sources: Sources, *, asked: str = "", free: Held | None = None
) -> list[str]:
    """Each number of ``answer`` that its sources give to another thing or period, with why.

    Args:
        answer: As it is to be told.
        sources: What it cites.
        asked: The question, whose period counts where the answer names none.
        free: Calculated results; a number that stands there is not looked at.
    """
    period = _asked_period(asked)
    faults: list[str] = []
    spoken = told(plain_text(answer))
    for said in _with_subject(spoken, asked):
        if free is not None and free.support(said.amount):
            continue
        places = sources.places(said.amount)
        if not places:
            continue
        why = [_against(said, place, sources, period) for place in places]
        if all(why):
            faults.append(f"{said.amount.text.strip()} {why[0]}")
    return list(dict.fromkeys(faults))


def _with_subject(spoken: Sequence[Told], asked: str) -> Sequence[Told]:
    """A lone number without a name is told of what the question is about."""
    plain = plain_text(asked)
    bare = len(spoken) == 1 and not spoken[0].names and not spoken[0].periods
    if not bare or not asked or _RELATIVE.search(plain) or _ASIDE.search(plain):
        return spoken
    return [replace(spoken[0], names=names(plain) - _YEAR_WORDS)]


def _against(said: Told, place: Place, sources: Sources, asked: frozenset[str]) -> str:
    """Why ``place`` does not carry what is said, "" where it may."""
    if place.told is None:
        if place.amount.cell is None:
            return ""
        name, row, column = place.amount.cell
        return _against_cell(said, sources.held.grids[name], row, column, asked)
    others = sources.beside(place)
    return _other_period(said, place.told, others, asked) or _other_thing(said, place.told, others)


def _other_period(said: Told, source: Told, others: Sequence[Told], asked: frozenset[str]) -> str:
    rivals = [one for one in others if one.sentence == source.sentence]
    if said.periods:
        named = any(equal(said.periods, one.periods) for one in rivals)
        if not agree(said.periods, source.periods) or (named and not source.periods):
            return f"is not of {shown(said.periods)} in what is cited"
        return ""
    named = any(equal(asked, one.periods) for one in others)
    if asked and named and source.periods and not agree(asked, source.periods):
        return f"is not of {shown(asked)} in what is cited"
    return ""


def _other_thing(said: Told, source: Told, others: Sequence[Told]) -> str:
    if not source.subject or not said.names:
        return ""
    for rival in others:
        theirs = (rival.names - source.names) & said.names
        head = rival.names & source.names & said.names
        if theirs and head and not _share(source.names - rival.names, said.names):
            return f"is not of {' '.join(sorted(theirs))} in what is cited"
    if _share(source.names, said.names):
        return ""
    for rival in others:
        telling = rival.subject - source.names
        if telling and all(_said(one, said.names) for one in telling):
            return f"is not of {' '.join(sorted(telling))} in what is cited"
    return ""


def _share(some: frozenset[str], names_said: frozenset[str]) -> bool:
    """Whether one of ``some`` is said, also as a part of a longer Japanese word."""
    if some & names_said:
        return True
    long = [one for one in some if not one.isascii() and len(one) > 1]
    return any(
        one in other or other in one for one in long for other in names_said if len(other) > 1
    )


def _said(name: str, names_said: frozenset[str]) -> bool:
    """Whether the name is said, of a Japanese one also its end (売上高 of 連結売上高)."""
    if name in names_said:
        return True
    return not name.isascii() and any(
        len(one) > _SHORT and name.endswith(one) for one in names_said
    )


def _against_cell(said: Told, grid: Grid, row: int, column: int, asked: frozenset[str]) -> str:
    if row not in grid.body() or column < grid.label_columns:
        return ""
    columns = {
        c: grid.column_header(c)
        for c in range(grid.label_columns, len(grid.rows[0]))
        if not said.amount.unit or grid.unit(row, c) == grid.unit(row, column)
    }
    rows = {r: grid.row_label(r) for r in grid.body()}
    sides = [(columns, column)]
    if not _FIGURE.match(rows[row]):  # else its first column holds values, no labels
        sides.append((rows, row))
    for heads, at in sides:
        fault = _other_head_period(said, heads, at, asked) or _other_head(said, heads, at)
        if fault:
            return fault
    return ""


def _other_head_period(said: Told, heads: dict[int, str], at: int, asked: frozenset[str]) -> str:
    wanted = said.periods or asked
    own = periods_of(fold_text(heads[at]))
    if not wanted or not own or agree(wanted, own):
        return ""
    if any(equal(wanted, periods_of(fold_text(head))) for head in heads.values()):
        return f"is not of {shown(wanted)} in its table"
    return ""


def _other_head(said: Told, heads: dict[int, str], at: int) -> str:
    own = names(fold_text(without_unit(heads[at])))
    if own & said.names and own - said.names and not _share(own - said.names, said.names):
        for place, head in heads.items():  # 計測機器サービス beside 計測機器
            other = names(fold_text(without_unit(head)))
            named = other - _YEAR_WORDS
            if place != at and named and other < own and other == own & said.names:
                return f"is not of {' '.join(sorted(other))} alone in its table"
    if not own or _share(own, said.names):
        return ""
    for place, head in heads.items():
        telling = names(fold_text(without_unit(head))) - own
        if place != at and telling and all(_said(one, said.names) for one in telling):
            return f"is not of {' '.join(sorted(telling))} in its table"
    return ""


def _asked_period(asked: str) -> frozenset[str]:
    """The one period that a question is about; none where it speaks of more, or of a change."""
    plain = plain_text(asked)
    found = periods_of(plain)
    return found if len(found) == 1 and not _RELATIVE.search(plain) else frozenset()
