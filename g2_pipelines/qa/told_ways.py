"""How an answer tells its numbers: from one to the other, yes or no, most, now, as a fact.

Here: ``other_ways``. Each is held against what the source itself lays out: the order of its two
amounts, the row of years that the question is about, the part beside its whole, the words of a
forecast. Used by ``checks``.
"""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import pairwise

from g2_pipelines.qa.agreement import Place, Sources
from g2_pipelines.qa.amounts import Amount, Held
from g2_pipelines.qa.grids import Grid
from g2_pipelines.qa.multiples import amounts_of_text, joined
from g2_pipelines.qa.told import Told, folded_sentences, names, told
from g2_pipelines.qa.told_periods import equal, periods_of
from g2_pipelines.text.fold import fold_text

_UP = re.compile(
    r"\b(?:rose|rise[sn]?|grew|grow[ns]?|increas\w*|climb\w*|higher|up)\b|増|上昇|伸び|拡大|上が"
)
_DOWN = re.compile(
    r"\b(?:fell|falls?|fallen|declin\w*|decreas\w*|drop\w*|reduc\w*|lower|down|shr[aiu]nk)\b|減|低下|下落|縮小|下が"
)
_YES = re.compile(r"\s*(?:yes\b|はい|ええ)")
_NO = re.compile(r"\s*(?:no\b[,.]|いいえ|いえ)")
_NOT = re.compile(r"\b(?:not|never)\b|n['’]t\b|ません|なかった|ではな|でな[いか]")
_MOST = re.compile(
    r"\b(?:most(?! recent| likely)(?: of)?(?= [a-z]+)|(?:the|a) majority|more than half)\b|大半|過半|大部分|ほとんど"
)
_PART = re.compile(r"\bof (?:these|them|which|whom|those)\b[^.;]*$|うち[^。]*$")
_NOW = re.compile(r"\b(?:now|current(?:ly)?|at present|today|latest)\b|現在|足元|直近|いまは|今は")
_PAST = re.compile(
    r"\b(?:was|were|came to|amounted to|totall?ed|reached|earned|made|stood)\b|でした|だった|ました|となった"
)
_AHEAD = re.compile(
    r"\b(?:expect\w*|forecast\w*|project(?:s|ed|ion)|plan(?:s|ned)?\b|target\w*|guidance|aim(?:s|ed)?|will|would"
    r"|estimat\w*|budget\w*|outlook|anticipat\w*)|見込|予想|計画|目標|予定|見通|目指"
)
_AHEAD_AFTER = re.compile(
    r"見込|予想|見通|目指|計画|予定|目標|\b(?:is|are) (?:expected|forecast|planned)"
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?![\d年])")
_FEW_YEARS = 2


def other_ways(answer: str, sources: Sources, *, asked: str, free: Held) -> list[str]:
    """What ``answer`` (folded) tells of its numbers that its sources tell otherwise."""
    question = fold_text(asked)
    faults: list[str] = []
    spans = folded_sentences(answer)
    said = told(answer)
    for start, end in spans:
        text = answer[start:end]
        faults += _turned(text, sources)
        own = [one for one in said if start <= one.amount.start < end]
        if not own:
            faults += _most(text, sources)
    for one in said:
        if free.support(one.amount):
            continue
        start, end = spans[one.sentence]
        alone = sum(other.sentence == one.sentence for other in said) == 1
        faults += _of_one(one, answer[start:end], sources, alone=alone)
    return faults + _direction(answer, question, sources)


def _of_one(said: Told, text: str, sources: Sources, *, alone: bool) -> list[str]:
    places = sources.places(said.amount)
    shown = said.amount.text.strip()
    if not places:
        return []
    faults: list[str] = []
    if _PAST.search(text) and not _AHEAD.search(text) and all(_ahead(p, sources) for p in places):
        faults.append(f"{shown} is a forecast or target in what is cited")
    if not alone:
        return faults
    if _NOW.search(text) and all(_earlier(place, sources) for place in places):
        faults.append(f"{shown} is the earlier value in what is cited")
    if _NOT.search(text) and all(_affirmed(said, place, sources) for place in places):
        faults.append(f"{shown} is denied, but stands in what is cited")
    if all(_of_whole(said, place, sources) for place in places):
        faults.append(f"{shown} is the whole, not the part, in what is cited")
    return faults


def _sentence(place: Place, sources: Sources) -> tuple[str, int]:
    """The source's sentence around an amount, and where it begins; "" for a cell."""
    if place.told is None:
        return "", 0
    text = sources.held.texts[place.text]
    start, end = folded_sentences(text)[place.told.sentence]
    return text[start:end], start


def _turned(text: str, sources: Sources) -> list[str]:
    """From 5 to 3 where the source goes from 3 to 5."""
    faults: list[str] = []
    for one, two in pairwise(amounts_of_text(text)):
        order = joined(text, one, two)
        if order is None:
            continue
        found = _orders(*order, sources)
        if found and not any(found):
            faults.append(
                f"from {order[0].text.strip()} to {order[1].text.strip()} goes the other way"
                " in what is cited"
            )
    return faults


def _orders(first: Amount, second: Amount, sources: Sources) -> list[bool]:
    """For each place that holds both in an order in time, whether it is theirs."""
    found: list[bool] = []
    for source in sources.held.texts:
        for start, end in folded_sentences(source):
            text = source[start:end]
            for one, two in pairwise(amounts_of_text(text)):
                order = joined(text, one, two)
                if order is None:
                    continue
                same = [
                    sources.held.same(a, b) for a, b in zip((first, second), order, strict=True)
                ]
                back = [
                    sources.held.same(a, b) for a, b in zip((second, first), order, strict=True)
                ]
                found += [True] if all(same) else [False] if all(back) else []
    for left in sources.places(first):
        for right in sources.places(second):
            here, there = left.amount.cell, right.amount.cell
            if here is None or there is None or here[:2] != there[:2]:
                continue
            years = _years(sources.held.grids[here[0]])
            if here[2] in years and there[2] in years and here[2] != there[2]:
                found.append(years[here[2]] < years[there[2]])
    return found


def _years(grid: Grid) -> dict[int, str]:
    """The sortable period of each column that has one, where all are of one kind."""
    found: dict[int, str] = {}
    for column in range(grid.label_columns, len(grid.rows[0])):
        keys = periods_of(fold_text(grid.column_header(column)))
        if len(keys) == 1:
            found[column] = next(iter(keys))
    kinds = {re.sub(r"\d", "0", key) for key in found.values()}
    return found if len(kinds) == 1 and any("0000" in kind for kind in kinds) else {}


def _direction(answer: str, question: str, sources: Sources) -> list[str]:
    """Yes or no, rose or fell, against the row of years that the question is about."""
    up, down = _UP.search(answer), _DOWN.search(answer)
    asks_up, asks_down = _UP.search(question), _DOWN.search(question)
    if bool(asks_up) == bool(asks_down):
        return []
    yes, no = _YES.match(answer), _NO.match(answer)
    if bool(yes) == bool(no):
        return []
    if bool(up) != bool(down) and not _NOT.search(answer):
        rises = bool(up)
    elif not up and not down:
        if no:
            return []  # it may have stayed
        rises = bool(asks_up)
    else:
        return []
    moves = _moves(question, sources)
    if moves and all((move < 0) if rises else (move > 0) for move in moves):
        return [f"the values go {'down' if rises else 'up'} in what is cited"]
    return []


def _moves(question: str, sources: Sources) -> list[int]:
    """The signs of the changes of every row that the question names whole."""
    said, wanted = names(question), periods_of(question) | frozenset(_YEAR.findall(question))
    found: list[int] = []
    for name, grid in sources.held.grids.items():
        years = _years(grid)
        if len(years) < _FEW_YEARS:
            continue
        for row in grid.body():
            label = names(fold_text(grid.row_label(row)))
            if not label or not label <= said:
                continue
            values = {
                one.cell[2]: one.value
                for one in sources.held.amounts
                if one.cell is not None and one.cell[:2] == (name, row)
            }
            series = [(key, values[c]) for c, key in sorted(years.items()) if c in values]
            series.sort(key=lambda item: item[0])
            asked = [v for key, v in series if wanted and equal(frozenset({key}), wanted)]
            if len(asked) == _FEW_YEARS:
                steps = [asked[1] - asked[0]]
            elif wanted or len(series) < _FEW_YEARS:
                continue
            else:
                last, first = series[-1][1], series[0][1]
                steps = [last - series[-2][1]]
                steps += [last - first] if (last - first) * steps[0] <= 0 else []
            found += [(step > 0) - (step < 0) for step in steps]
    return found


def _most(text: str, sources: Sources) -> list[str]:
    """Most of it, where the part stands beside its whole and is less than half."""
    match = _MOST.search(text)
    if match is None:
        return []
    said = names(text)
    shares = [
        part / whole for names_of, part, whole in _parts(sources) if names_of & said and whole
    ]
    if shares and all(share * 2 < 1 for share in shares):
        return [f"{match[0].strip()!r}: it is less than half in what is cited"]
    return []


def _parts(sources: Sources) -> list[tuple[frozenset[str], Decimal, Decimal]]:
    """(names, part, whole) of every part that a text puts beside its whole («Of these, 412»)."""
    found: list[tuple[frozenset[str], Decimal, Decimal]] = []
    for text in sources.held.texts:
        amounts = told(text)
        for part in amounts:
            start = folded_sentences(text)[part.sentence][0]
            if _is_year(part.amount) or not _PART.search(text[start : part.amount.start]):
                continue
            wholes = [
                one.amount.value
                for one in amounts
                if one.amount.start < part.amount.start
                and part.sentence - 1 <= one.sentence
                and one.amount.unit == part.amount.unit
                and not _is_year(one.amount)
            ]
            beside = [one for one in amounts if one.sentence == part.sentence]
            first = next(one for one in beside if not _is_year(one.amount))
            if wholes and first is part:
                found.append((part.names, part.amount.value, max(wholes)))
    return found


def _ahead(place: Place, sources: Sources) -> bool:
    """Whether the source tells the amount as a forecast."""
    if place.amount.cell is not None:
        name, row, column = place.amount.cell
        grid = sources.held.grids[name]
        head = fold_text(f"{grid.column_header(column)} {grid.row_label(row)}")
        return re.search(r"forecast|予想|計画値?|見込|見通", head) is not None
    text, start = _sentence(place, sources)
    if not text:
        return False
    at, end = place.amount.start - start, place.amount.end - start
    others = [one for one in amounts_of_text(text) if one.start != at and not _is_year(one)]
    low = max([one.end for one in others if one.end <= at], default=0)
    high = min([one.start for one in others if one.start >= end], default=len(text))
    before = _AHEAD.search(text[low:at]) if text.isascii() else None
    return before is not None or _AHEAD_AFTER.search(text[end:high]) is not None


def _is_year(amount: Amount) -> bool:
    return not amount.unit and re.fullmatch(r"(?:19|20)\d\d", amount.text.strip()) is not None


def _earlier(place: Place, sources: Sources) -> bool:
    """Whether the amount is the one that another came from."""
    text, start = _sentence(place, sources)
    at = place.amount.start - start
    pairs = [joined(text, one, two) for one, two in pairwise(amounts_of_text(text))]
    return any(pair is not None and pair[0].start == at for pair in pairs)


def _affirmed(said: Told, place: Place, sources: Sources) -> bool:
    """Whether the source says of the same thing, without a not, what is denied."""
    text, _ = _sentence(place, sources)
    if place.told is None or _NOT.search(text) or not said.names:
        return False
    return said.names <= place.told.names


def _of_whole(said: Told, place: Place, sources: Sources) -> bool:
    """Whether a name that the source gives to a part of the amount is told of the whole."""
    if place.told is None:
        return False
    mine = place.told
    text = sources.held.texts[place.text]
    for rival in sources.beside(place):
        if rival.amount.start < mine.amount.start or rival.sentence > mine.sentence + 1:
            continue
        before = text[mine.amount.end : rival.amount.start]
        if not _PART.search(before.rpartition(".")[2]):
            continue
        telling = rival.names - mine.names
        if telling and telling <= said.names and rival.amount.value < mine.amount.value:
            return True
    return False
