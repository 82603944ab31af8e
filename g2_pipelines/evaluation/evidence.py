"""Where the sources have a figure, and under which item, segment and period they have it.

Here: ``Evidence``. What follows for a claim stands in ``number_claims``. Only modules of this
package import it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from g2_pipelines.evaluation.breakdowns import name_of
from g2_pipelines.evaluation.corpus import LONGEST_SENTENCE, Corpus, Found, digits
from g2_pipelines.evaluation.directions import Direction, directions
from g2_pipelines.evaluation.figures import CELL_UNITS, Agreement, agree, significant, step_of
from g2_pipelines.evaluation.items import OF_THE_COMPANY
from g2_pipelines.evaluation.labels import (
    Label,
    label_at,
    labels_differ,
    last_segment,
    period_of,
    stem_of,
)
from g2_pipelines.evaluation.senses import Role, heads_a_change, role_of, side_of
from g2_pipelines.evaluation.sides import BALANCE, opposed, sides_of
from g2_pipelines.evaluation.verdicts import Verdict
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.numbers import Number, periods

FALLS = re.compile(
    r"損失|赤字|(?<!増)減|低下|下落|縮小|支出|使用|マイナス|△|▲|悪化|下回|loss|decreas|declin|fell|down"
)
_YEN = re.compile(r"[(（\[](?:単位[:：])?(?P<scale>十億|億|百万|千|万|)円[)）\]]")
SCALES = {"": 1, "千": 10**3, "万": 10**4, "百万": 10**6, "億": 10**8, "十億": 10**9}
_DOLLAR = re.compile(r"ドル|USD|US\$|\$")
_COUNTER = re.compile(r"[\u30a1-\u30fa\u4e00-\u9fff]")
_SIGN = re.compile(r"[△▲\-−]")
_GAIN = re.compile(r"(?:利益|黒字)[はがも]?、?(?:約)?$")
_ROWS = 8
_TABLE_ROWS, _CELL = 24, 24  # rows above, and characters of a row that is one cell
_COARSE = 60  # figures near in size that are looked at
#: A heading's line; behind it a segment's part is over.
_HEADING = re.compile(
    r"\n[ \u3000]*(?:[(\[【<]?(?:\d{1,2}|[一二三四五六七八九十]|[a-z]|[ivx]{1,4})[)\]】>.、 ]|[(\[【<■◆○●・])[^\n。]{1,28}(?=\n)"
)
#: 5,808百万円(前期比9.2％増): what is compared with the period before is this one's.
_COMPARED = re.compile(r"[(（](?:対?前(?:年|期|年度|連結会計年度|事業年度)(?:同期)?比|同[\d０-９])")
_EARLIER = re.compile(
    r"(?:up|down|increased|decreased|rose|fell|grew|declined)(?: [^;]{1,40})? from (?:about )?[¥$]?$"
)
_CARRY = 800  # characters that a segment's heading reaches


class Evidence:
    """Look-ups in one corpus for the figures of one text; ``segments`` are folded names."""

    def __init__(self, corpus: Corpus, segments: Sequence[str]) -> None:
        self.corpus = corpus
        self.segments = segments
        self.stems = {stem_of(name): name for name in reversed(segments)}
        self._labels: dict[tuple[int, int], Label] = {}
        self._directions: dict[int, list[Direction]] = {}

    def local(self, places: Sequence[int]) -> list[Found]:
        """The figures of ``places`` in the order of these."""
        indices = (i for place in places for i in self.corpus.by_place.get(place, ()))
        return [self.corpus.figures[i] for i in indices]

    def same(self, place: int, number: Number) -> list[Found]:
        """The place's figures with the digits of ``number``."""
        own = digits(number.value)
        return [found for found in self.local([place]) if digits(found.number.value) == own]

    def agreements(
        self, number: Number, around: str, found: Iterable[Found]
    ) -> list[tuple[Agreement, Found]]:
        """How each of ``found`` agrees with ``number``, which stands in the words ``around``."""
        claim_falls = FALLS.search(around) is not None
        out: list[tuple[Agreement, Found]] = []
        for item in found:
            scales = self.corpus.scales[item.source]
            there = self._in_its_unit(item)
            kind = agree(number, there, scales, claim_falls=claim_falls, found_falls=True)
            if kind in {"exact", "rounded"} and number.value < 0 and not self._falls(item):
                kind = agree(number, there, scales, claim_falls=claim_falls)
            if kind in {"exact", "rounded"} and self._of_another_unit(number, item, there):
                kind = "unit"
            if kind in {"exact", "rounded"} and self._on_the_other_side(number, around, item):
                kind = "sign"
            if kind:
                out.append((kind, item))
        return out

    def _in_its_unit(self, found: Found) -> Number:
        """A cell's figure in the unit that its row's or column's head gives: 2,484 of （百万円）."""
        number = found.number
        cell = None if number.unit else self.corpus.heads_of(found)
        given = (
            [m for head in (*cell.columns, cell.row) for m in _YEN.finditer(head)] if cell else []
        )
        if not given:
            return number
        scale = SCALES[given[-1]["scale"] or ""]
        update = {"value": number.value * scale, "scale": number.scale * scale, "unit": "円"}
        return number.model_copy(update=update)

    def _of_another_unit(self, number: Number, found: Found, there: Number) -> bool:
        """Dollars where no head says so, and 31％ for 31タイトル."""
        if there.unit or not number.unit:
            return False
        text = self.corpus.sources[found.source].text
        cell = self.corpus.heads_of(found)
        if cell is None:
            counter = text[found.number.end : found.number.end + 1]
            return number.unit == "%" and _COUNTER.match(counter) is not None
        if number.unit != "ドル":
            return False
        before = text[max(0, found.number.start - _CARRY) : found.number.start]
        return _DOLLAR.search(" ".join((cell.row, *cell.columns, before))) is None

    def _on_the_other_side(self, number: Number, around: str, found: Found) -> bool:
        """評価損失は31億円 for 評価利益は31億円: the words right before, where no sign is written."""
        if _SIGN.match(number.text):
            return False
        before, _, after = around.partition(number.text)
        text, at = self.corpus.sources[found.source].text, found.number.start
        there = text[max(0, at - 24) : at], text[found.number.end : found.number.end + 24]
        if opposed(sides_of(before, after), self._sides(found, *there)):
            return True
        if _SIGN.match(found.number.text):
            return False
        return side_of(before, after) * side_of(there[0][-16:], there[1]) < 0

    def _sides(self, found: Found, before: str, after: str) -> dict[str, int]:
        """As ``sides_of``; in a table by the row's words, of a balance of cash by the sign."""
        cell = self.corpus.heads_of(found)
        if cell is not None and found.number.value and BALANCE.search(fold_text(cell.row)):
            return {"cash": 1 if found.number.value > 0 else -1}
        if _SIGN.match(found.number.text):  # 営業利益は△3億円 is a loss
            return {}
        return sides_of(before, after) if cell is None else sides_of(cell.row, "")

    def _falls(self, found: Found) -> bool:
        """Whether the words that a figure is of speak of a loss or decrease.

        In a table these are its heads, not the cells beside; a 利益 right before says that it
        is none.
        """
        cell = self.corpus.heads_of(found)
        if cell is not None:
            return any(FALLS.search(head) for head in (cell.row, *cell.columns, found.number.text))
        place = self.corpus.places[found.place]
        text, at = self.corpus.text(found.place), found.number.start - place.start
        if _GAIN.search(text, max(0, at - 8), at):
            return FALLS.search(found.number.text) is not None
        return FALLS.search(around(text, found.number, place.start)) is not None

    def everywhere(self, number: Number, around_it: str) -> list[Found]:
        """The figures of all sources that are exactly ``number``."""
        same = [self.corpus.figures[i] for i in self.corpus.by_digits.get(digits(number.value), ())]
        if number.unit and significant(number) < 3:  # any table holds a 100 or a 12
            same = [found for found in same if found.number.unit]
        return [f for kind, f in self.agreements(number, around_it, same) if kind == "exact"]

    def rounded(self, number: Number, around_it: str, label: Label) -> list[Found]:
        """The figures of all sources that ``number``, said of ``label``, is a rounded form of.

        Some figure of a long report is always near to 57億円; so one counts that the source
        gives of the same item, else one of three digits that it gives of none.
        """
        size, step = abs(number.value), step_of(number)
        near = self.corpus.near_in_size(number.unit, size - step, size + step)[:_COARSE]
        if number.unit in CELL_UNITS:  # a table's cell has its unit in the head, or beside
            for scale in (1, 10**3, 10**6):
                low, high = (size - step) / scale, (size + step) / scale
                near += self.corpus.near_in_size("", low, high)[:_COARSE]
        found = [f for kind, f in self.agreements(number, around_it, near) if kind == "rounded"]
        sure = significant(number) >= (2 if number.approximate else 3)
        if label.item is None:
            return found if sure else []
        labels = [self.label(item) for item in found]
        fitting = [
            item
            for item, other in zip(found, labels, strict=True)
            if other.item is not None and labels_differ(label, other) not in {"item", "segment"}
        ]
        if fitting or significant(number) < 3:
            return fitting
        return [f for f, other in zip(found, labels, strict=True) if other.item is None]

    def directions(self, place: int) -> list[Direction]:
        """The directions that a place tells, read once; a table's row tells none."""
        if place not in self._directions:
            text = self.corpus.text(place)
            plain = "\t" not in text and len(text) <= LONGEST_SENTENCE
            found = directions(fold_text(text), self.segments, self.corpus.items) if plain else ()
            self._directions[place] = list(found)
        return self._directions[place]

    def segment_around(self, place: int) -> str | None:
        """The segment whose part of the text a place stands in."""
        if not self.segments:
            return None
        source, start, _ = self.corpus.places[place]
        before = self.corpus.sources[source].text[max(0, start - _CARRY) : start]
        return self._carried(fold_text(before))

    def label(self, found: Found) -> Label:
        """What the source says that its figure is of; in a table by its row and columns."""
        key = found.source, found.number.start
        if key not in self._labels:
            self._labels[key] = self._label(found)
        return self._labels[key]

    def _label(self, found: Found) -> Label:
        corpus = self.corpus
        place = corpus.places[found.place]
        text = corpus.text(found.place)
        label = label_at(text, found.number, place.start, self.segments, corpus.items)
        cell = corpus.heads_of(found)
        if cell is not None:
            label = self._cell_label(cell.row, cell.columns, label)
            if label.period is None:
                label = label._replace(period=self._caption_period(found))
            return label
        if "\t" in text:  # a table's row: its first cell names it, often by the stem alone
            return label._replace(segment=self.segment_named(text.partition("\t")[0]))
        if label.segment is None and self.segments and label.item not in OF_THE_COMPANY:
            label = label._replace(segment=self.segment_around(found.place))
        if label.period is None and _COMPARED.match(text, found.number.end - place.start):
            label = label._replace(period="current")
        if label.period is None and _EARLIER.search(text, 0, found.number.start - place.start):
            label = label._replace(period="previous")
        return label

    def role(self, found: Found) -> Role:
        """Whether the source tells a change or the amount itself; of a cell by its row alone."""
        cell = self.corpus.heads_of(found)
        if cell is not None:  # which column a cell is under is not always sure
            return "change" if heads_a_change(cell.row) else ""
        place = self.corpus.places[found.place]
        text, at = self.corpus.text(found.place), found.number.start - place.start
        end = found.number.end - place.start
        return role_of(text[max(0, at - 48) : at], text[end : end + 48], found.number)

    def in_changes(self, found: Found) -> bool:
        """Whether a figure is a change, or stands in a column of such."""
        cell = self.corpus.heads_of(found)
        if cell is not None and any(heads_a_change(head) for head in cell.columns):
            return True
        return self.role(found) == "change"

    def _caption_period(self, found: Found) -> str | None:
        """The one period that the line before a table names (当連結会計年度における販売実績)."""
        text = self.corpus.sources[found.source].text
        start = text.rfind("\n", 0, found.number.start)
        for _ in range(_TABLE_ROWS):
            before = text.rfind("\n", 0, max(0, start))
            line = text[before + 1 : max(0, start)]
            if start < 0 or ("\t" not in line and len(line) > _CELL):
                break
            start = before
        else:
            return None
        keys = {period.key for period in periods(line)}
        return keys.pop() if len(keys) == 1 else None

    def _carried(self, before: str) -> str | None:
        """The segment whose part of the text goes on here."""
        name = last_segment(before, self.segments)
        if name is None:
            return None
        rest = before[before.rfind(name) :]
        return None if _HEADING.search(rest, rest.find("\n")) else name

    def _cell_label(self, row: str, columns: Sequence[str], label: Label) -> Label:
        item = segment = period = None
        for head in (*columns, row):
            folded = fold_text(head)
            named = self.corpus.items.find(folded)
            item = named[-1][2] if named else item
            segment = self.segment_named(head) or segment
            period = period_of("".join(head.split())) or period  # cells are broken into lines
        return Label(item=item or label.item, segment=segment, period=period)

    def rows(self, item: str | None, sentence: str) -> list[int]:
        """The rows of tables that give ``item``, or are called by words of the sentence."""
        folded = fold_text(sentence)
        named = [r for n, rows in self.corpus.row_heads.items() if n in folded for r in rows]
        return [*named[:_ROWS], *self.corpus.rows_of.get(item or "", [])[:_ROWS]]

    def segment_named(self, head: str) -> str | None:
        """The segment that a cell of a table names, also by its stem (自動車 for 自動車事業)."""
        stem = stem_of(name_of(head) or fold_text(head).strip())
        return self.stems.get(stem) if stem else None

    def wrong(self, number: Number, label: Label, found: Sequence[Found]) -> Verdict | None:
        """``altered`` where ``found`` have the figure under another label than the claim."""
        kind, said = self.wrong_label(label, number, found)
        if not kind:
            return None
        return Verdict(
            "altered", found, f"{kind}: {getattr(label, kind)} here, {said} in the source"
        )

    def wrong_label(
        self, claimed: Label, number: Number, found: Sequence[Found]
    ) -> tuple[str, str]:
        """(kind, what the source says) where the figure's places have it under another label.

        With three digits or more a figure is hardly there by chance: then a place that names
        another item or segment counts unless some place names the claimed one, and places
        that name none do not excuse it. With fewer, or for a period, all must differ. ('', '')
        where the label is right or not said.
        """
        if claimed == Label():
            return "", ""
        labels = [self.label(item) for item in dict.fromkeys(found)]
        kinds = [labels_differ(claimed, label) for label in labels]
        kind = kinds[0] if kinds and all(kinds) else ""
        if significant(number) >= 3:
            # A figure of four digits is hardly that of two periods.
            kinds_of = ("item", "segment", *(("period",) if significant(number) >= 4 else ()))
            kind = next((k for k in kinds_of if _contradicted(claimed, labels, k)), kind)
        if not kind:
            return "", ""
        said = next(getattr(x, kind) for x in labels if labels_differ(claimed, x) == kind)
        return kind, said


def _contradicted(claimed: Label, labels: Sequence[Label], kind: str) -> bool:
    """True where some labels name another ``kind`` than the claimed one and none the same."""
    said = getattr(claimed, kind)
    if said is None:
        return False
    alone = Label(**{kind: said})
    if getattr(labels[0], kind) is None:  # the best place says of nothing else
        return False
    there = [label for label in labels if getattr(label, kind) is not None]
    if any(not labels_differ(alone, label) for label in there):
        return False
    return any(labels_differ(claimed, label) == kind for label in labels)


def around(text: str, number: Number, offset: int, *, reach: int = 16) -> str:
    """``text``, which begins at ``offset``, from ``reach`` before the figure to ``reach`` behind."""
    start, end = number.start - offset, number.end - offset
    return text[max(0, start - reach) : end + reach]
