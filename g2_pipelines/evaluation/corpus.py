"""The sources of a check, prepared once: sentences, figures, periods and an index.

Here: ``Corpus`` and ``prepare``. Not here: any judgement (``figures``, ``attribution``). Only
modules of this package import it. A brief's four aspects and the baseline share one corpus
through the cache of ``prepare``, which is what keeps a brief's check well below a second.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cached_property, lru_cache
from itertools import islice
from typing import NamedTuple

from g2_pipelines.evaluation.breakdowns import MOST, breakdowns
from g2_pipelines.evaluation.business_names import Businesses
from g2_pipelines.evaluation.grids import Heads, heads
from g2_pipelines.evaluation.items import Items
from g2_pipelines.evaluation.packed import Packed
from g2_pipelines.evaluation.period_forms import holds
from g2_pipelines.evaluation.senses import is_planned
from g2_pipelines.evaluation.sources import Source
from g2_pipelines.evaluation.style import tongue
from g2_pipelines.evaluation.symbols import Symbol, symbols
from g2_pipelines.evaluation.turns import Turns
from g2_pipelines.tables.rows import Span
from g2_pipelines.text.bm25 import Bm25
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.numbers import Number, Period, numbers, periods
from g2_pipelines.text.sentences import sentences
from g2_pipelines.text.terms import content_words, terms

_DECLARED = re.compile(
    r"(?:単位\s?[:：]?\s?|[(（])(?P<unit>十億円|億円|百万円|千円|万円)(?=[)）、,\s]|$)"
)
_LABEL_END = re.compile(r"\s*[(（][^()（）]{1,12}[)）]$|^(?:うち|\(注\d*\))")
_WORD = re.compile(r"[\u30a1-\u30fa\u30fc\u4e00-\u9fff・]{3,16}")
#: 海外流通額は25,175,835千円: what a sentence gives a figure of.
_SUBJECT = re.compile(
    r"(?P<word>[\u30a1-\u30fa\u30fc\u4e00-\u9fff]{3,12})(?:は|が)、?(?:約)?[△▲]?\d"
)
#: Longer sentences are not laid beside others: they are damage or an attack, not prose.
LONGEST_SENTENCE = 2000
_SCALES = {"十億円": 10**9, "億円": 10**8, "百万円": 10**6, "千円": 10**3, "万円": 10**4}


class Place(NamedTuple):
    """One sentence, heading or table row of a source: [start, end) of that source's text."""

    source: int
    start: int
    end: int


class Found(NamedTuple):
    """A figure of a source and the place that holds it (-1: none)."""

    source: int
    place: int
    number: Number


def digits(value: Decimal) -> str:
    """The significant digits of a value: 48,620百万 and 486億2,000万 share 4862."""
    return "".join(str(digit) for digit in abs(value).as_tuple().digits).strip("0")


class Corpus:
    """Sources with their sentences, figures and periods. Not changed once made."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = tuple(sources)
        self.places: list[Place] = []
        self.figures: list[Found] = []
        self.by_place: dict[int, list[int]] = defaultdict(list)
        self.by_digits: dict[str, list[int]] = defaultdict(list)
        self.period_places: dict[str, list[int]] = defaultdict(list)
        self.periods_of: dict[int, list[Period]] = defaultdict(list)
        self.scales: list[frozenset[int]] = []
        self._symbols: dict[tuple[int, tuple[str, ...]], list[Symbol]] = {}
        self._terms: dict[int, frozenset[str]] = {}
        self._first: list[int] = []
        self._starts: list[list[int]] = []
        for index, source in enumerate(self.sources):
            self._add(index, source.text)

    def _add(self, index: int, text: str) -> None:
        ranges = sentences(text)
        self._first.append(len(self.places))
        self._starts.append([start for start, _ in ranges])
        self.places += [Place(index, start, end) for start, end in ranges]
        for number in numbers(text):
            place = self.place_at(index, number.start)
            self.by_place[place].append(len(self.figures))
            self.by_digits[digits(number.value)].append(len(self.figures))
            self.figures.append(Found(index, place, number))
        for period in periods(text):
            place = self.place_at(index, period.start)
            self.period_places[period.key].append(place)
            self.periods_of[place].append(period)
        self.scales.append(frozenset(_SCALES[m["unit"]] for m in _DECLARED.finditer(text)))

    def place_at(self, source: int, offset: int) -> int:
        """Index of the place of ``source`` that holds ``offset`` or begins last before it."""
        at = bisect_right(self._starts[source], offset) - 1
        return self._first[source] + at if at >= 0 else -1

    def places_in(self, span: Span) -> list[int]:
        """The places that ``span`` touches; none where its source is not here."""
        out: list[int] = []
        for index in self.source_indices.get(span.source_id, ()):
            first = max(self.place_at(index, span.start), self._first[index])
            last = self.place_at(index, max(span.start, span.end - 1))
            out += [i for i in range(first, last + 1) if self.places[i].end > span.start]
        return out

    @cached_property
    def source_indices(self) -> dict[str, list[int]]:
        """Source id → indices into ``sources``."""
        found: dict[str, list[int]] = defaultdict(list)
        for index, source in enumerate(self.sources):
            found[source.source_id].append(index)
        return dict(found)

    def text(self, place: int) -> str:
        """The characters of a place."""
        source, start, end = self.places[place]
        return self.sources[source].text[start:end]

    def symbols(self, place: int, segments: tuple[str, ...]) -> list[Symbol]:
        """A place as symbols, made once for the same ``segments``."""
        key = place, segments
        if key not in self._symbols:
            _, start, end = self.places[place]
            if end - start > LONGEST_SENTENCE:
                return []
            self._symbols[key] = symbols(
                self.text(place),
                [self.figures[i].number for i in self.by_place.get(place, ())],
                self.periods_of.get(place, ()),
                segments,
                self.items,
                offset=start,
            )
        return self._symbols[key]

    def span(self, place: int) -> Span:
        """A place as a span of its source."""
        source, start, end = self.places[place]
        return Span(source_id=self.sources[source].source_id, start=start, end=end)

    def figure_span(self, found: Found) -> Span:
        """A figure as a span of its source."""
        return Span(
            source_id=self.sources[found.source].source_id,
            start=found.number.start,
            end=found.number.end,
        )

    @cached_property
    def heads(self) -> list[dict[int, Heads]]:
        """Per source: what names the figures of its tables, by the start of their cells."""
        return [heads(source.text) if "\t" in source.text else {} for source in self.sources]

    @cached_property
    def breakdowns(self) -> list[str]:
        """Folded names by which these sources break figures down."""
        found = (name for source in self.sources for name in breakdowns(source.text))
        return list(islice(dict.fromkeys(found), MOST))

    @cached_property
    def businesses(self) -> Businesses:
        """The names of businesses, services and departments in these sources."""
        return Businesses(self.folded)

    @cached_property
    def items(self) -> Items:
        """The items known everywhere, and those by which these sources' own figures go."""
        words: set[str] = set()
        for table in self.heads:
            words |= {_LABEL_END.sub("", fold_text(found.row)).strip() for found in table.values()}
        for source in self.sources:
            words |= {m["word"] for m in _SUBJECT.finditer(fold_text(source.text))}
        words -= set(self.breakdowns)
        return Items(sorted(word for word in words if _WORD.fullmatch(word)))

    @cached_property
    def _by_size(self) -> dict[str, tuple[list[Decimal], list[int]]]:
        """Unit → its figures' absolute values in order, and their indices."""
        units: dict[str, list[tuple[Decimal, int]]] = defaultdict(list)
        for index, found in enumerate(self.figures):
            units[found.number.unit].append((abs(found.number.value), index))
        return {
            unit: ([v for v, _ in ordered], [i for _, i in ordered])
            for unit, pairs in units.items()
            for ordered in [sorted(pairs)]
        }

    def near_in_size(self, unit: str, low: Decimal, high: Decimal) -> list[Found]:
        """The figures in ``unit`` whose absolute value is in [low, high], in the text's order."""
        values, indices = self._by_size.get(unit, ([], []))
        inside = indices[bisect_left(values, low) : bisect_right(values, high)]
        return [self.figures[i] for i in sorted(inside)]

    @cached_property
    def rows_of(self) -> dict[str, list[int]]:
        """Item → the tables' rows that are called so."""
        found: dict[str, list[int]] = defaultdict(list)
        for source, table in enumerate(self.heads):
            for start, cell in table.items():
                named = self.items.find(fold_text(cell.row))
                place = self.place_at(source, start)
                if named and place not in found[named[-1][2]]:
                    found[named[-1][2]].append(place)
        return dict(found)

    @cached_property
    def row_heads(self) -> dict[str, list[int]]:
        """First cells of tables' rows, folded, of two characters or more → the rows."""
        found: dict[str, list[int]] = defaultdict(list)
        for source, table in enumerate(self.heads):
            for start, cell in table.items():
                name = fold_text(cell.row).strip()
                place = self.place_at(source, start)
                if 2 <= len(name) <= 40 and place not in found[name]:
                    found[name].append(place)
        return dict(found)

    def heads_of(self, found: Found) -> Heads | None:
        """What names the figure's cell in a table; None where it stands in none."""
        table = self.heads[found.source]
        text, at = self.sources[found.source].text, found.number.start
        start = max(text.rfind("\t", 0, at), text.rfind("\n", 0, at)) + 1
        return table.get(start)

    @cached_property
    def index(self) -> Bm25:
        """BM25 over the places by character bigrams and Latin words."""
        return Bm25([terms(self.text(place)) for place in range(len(self.places))])

    @cached_property
    def word_index(self) -> Bm25:
        """BM25 over the places by content words."""
        return Bm25(
            [
                [word.casefold() for word in content_words(self.text(place))]
                for place in range(len(self.places))
            ]
        )

    def terms_of(self, place: int) -> frozenset[str]:
        """The terms of a place, made once."""
        if place not in self._terms:
            self._terms[place] = frozenset(terms(self.text(place)))
        return self._terms[place]

    @cached_property
    def turns(self) -> Turns:
        """Who says which place of a transcript."""
        return Turns(self.sources, self._ranges)

    def _ranges(self, source: int, start: int, end: int) -> Iterator[int]:
        """The places of ``source`` that begin in [start, end)."""
        last = self.place_at(source, max(start, end - 1))
        first = max(self.place_at(source, start), self._first[source])
        return (i for i in range(first, last + 1) if self.places[i].start >= start)

    @cached_property
    def reported_year(self) -> str:
        """The key of the fiscal year (FY2025-03) that they tell of most without planning, or ""."""
        told: dict[str, int] = defaultdict(int)
        for key, places in self.period_places.items():
            if re.match(r"FY\d{4}-\d\d", key):
                told[key[:9]] += sum(p >= 0 and not is_planned(self.text(p)) for p in places)
        return max(told, key=lambda key: (told[key], key), default="")

    def is_reported(self, key: str) -> bool:
        """Whether a period's key means the year that the sources report on."""
        return key.startswith("current") or (
            self.reported_year != "" and holds(self.reported_year, key)
        )

    @cached_property
    def tongues(self) -> frozenset[str]:
        """The languages of the sources (ja, en, zh, ko)."""
        return frozenset(tongue(source.text) for source in self.sources if source.text)

    @cached_property
    def folded(self) -> list[str]:
        """Per source: its text, folded."""
        return [fold_text(source.text) for source in self.sources]

    @cached_property
    def packed(self) -> Packed:
        """The sources without white space, to find a stretch of text in."""
        return Packed(self.sources)

    def find(self, text: str) -> Span | None:
        """Where ``text`` stands in the sources, width, case and white space apart."""
        return self.packed.find(text)


@lru_cache(maxsize=2)
def _prepared(sources: tuple[Source, ...]) -> Corpus:
    return Corpus(sources)


def prepare(sources: Sequence[Source]) -> Corpus:
    """The corpus of ``sources``, made once for the same sources in the same order."""
    return _prepared(tuple(sources))
