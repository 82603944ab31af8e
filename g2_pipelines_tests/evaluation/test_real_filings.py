"""The checker on real annual reports: its own false alarms and misses, on a fixed seed.

A false alarm on the source's own words stops a right brief; a missed corruption publishes a
wrong one. The corruptions here are simple; ``benchmarks`` measures them at length.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from g2_pipelines.edinet.filing import read_filing
from g2_pipelines.evaluation.brief import BAD
from g2_pipelines.evaluation.check import check_text
from g2_pipelines.evaluation.sources import Source
from g2_pipelines.text.numbers import numbers
from g2_pipelines.text.sentences import is_prose, sentences

pytestmark = pytest.mark.slow
FILINGS = ("S100U4EY", "S100TMMG", "S100MMP3", "S100T45G", "S100TP3N")
Case = tuple[str, list[Source], list[str]]


@pytest.fixture(scope="module")
def cases(shared_data: Path) -> list[Case]:
    """(sentence, sources, segment names) of prose sentences, the same ones each time."""
    out: list[Case] = []
    for name in FILINGS:
        filing = read_filing(shared_data / "edinet" / "filings" / f"{name}.zip")
        sources = [Source(source_id=s.source_id, text=s.text) for s in filing.sections if s.text]
        found = [s.text[a:b] for s in sources for a, b in sentences(s.text)]
        prose = [text for text in found if is_prose(text)]
        rng = random.Random(name)
        counted = [text for text in prose if any(n.unit for n in numbers(text))]
        picked = rng.sample(prose, 40) + rng.sample(counted, min(25, len(counted)))
        out += [(text, sources, filing.segments) for text in picked]
    return out


def alarms(case: Case, text: str | None = None) -> list[str]:
    sentence, sources, segments = case
    checked = check_text(sentence if text is None else text, sources, segments=segments)
    return [f"{c.kind} {c.text} {c.status} {c.note}" for c in checked.claims if c.status in BAD]


def test_the_sources_own_sentences_raise_no_alarm(cases: list[Case]) -> None:
    assert len(cases) >= 200
    assert [found for case in cases for found in alarms(case)] == []


def corrupted(cases: list[Case]) -> Iterator[tuple[Case, str]]:
    """Each sentence with one digit of one figure with a unit changed."""
    rng = random.Random(5)
    for case in cases:
        text = case[0]
        for number in numbers(text):
            places = [i for i in range(number.start, number.end) if text[i].isdigit()]
            if not number.unit or not places:
                continue
            place = rng.choice(places)
            digit = str((int(text[place]) + rng.randint(1, 8)) % 9 + 1)
            if digit != str(int(text[place])):
                yield case, text[:place] + digit + text[place + 1 :]
                break


def test_nine_of_ten_single_digit_corruptions_are_caught(cases: list[Case]) -> None:
    results = [bool(alarms(case, text)) for case, text in corrupted(cases)]
    assert len(results) >= 80
    assert sum(results) >= 0.9 * len(results)


def test_the_same_value_in_other_words_raises_no_alarm(cases: list[Case]) -> None:
    wide = str.maketrans("0123456789.,%", "０１２３４５６７８９．，％")
    found: list[str] = []
    tried = 0
    for case in cases:
        text = case[0]
        for old, new in ((text, text.translate(wide)), ("％", "パーセント"), ("当社", "同社")):
            if old in text:
                tried += 1
                found += alarms(case, text.replace(old, new))
        for number in numbers(text):
            if number.unit == "円" and number.text.endswith("百万円") and number.value >= 10**8:
                oku, man = divmod(int(number.value) // 10**4, 10**4)
                tried += 1
                same = f"{oku:,}億{man:,}万円" if man else f"{oku:,}億円"
                found += alarms(case, text[: number.start] + same + text[number.end :])
    assert tried >= 200
    assert len(found) <= 0.02 * tried, found


def test_altered_segment_names_are_caught(cases: list[Case]) -> None:
    tried: list[str] = []
    missed: list[str] = []
    for case in cases:
        text, sources, segments = case
        whole = "".join(source.text for source in sources)
        for name in segments:
            if name not in text or not re.search(r".{3,}事業$", name):
                continue
            for altered in (f"総合{name}", f"新{name[1:]}", f"{name[:-3]}連事業"):
                if altered not in whole:
                    tried.append(altered)
                    if not any(
                        "altered" in item for item in alarms(case, text.replace(name, altered, 1))
                    ):
                        missed.append(altered)
    assert len(tried) >= 20
    assert len(missed) <= 0.05 * len(tried), missed
