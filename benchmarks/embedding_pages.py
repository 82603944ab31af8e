"""The embedded embedding against character bigrams: which finds a question's page?

Questions with their gold pages (``FOLDER/qa/{japanese,mmlongbench}``): the pages of the
question's document are ranked by their best window of 300 characters, once by the cosine of
``models.embedded``, once by TF-IDF of character bigrams on the same windows, once by both
(reciprocal ranks). Figures are the mean reciprocal rank of the first gold page and the share
of questions with a gold page among the first five. Questions without gold page are left out.
"""

from __future__ import annotations

import ast
import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.report import progress
from g2_pipelines.models.embedded import vector_of, windows

_FUSED = 60  # the usual constant of reciprocal rank fusion


@dataclass(frozen=True)
class Question:
    """A question, its document's file, and its gold pages, 1-based."""

    file: Path
    text: str
    pages: frozenset[int]


def questions(folder: Path, name: str) -> list[Question]:
    """Those of one set that have a gold page."""
    found = []
    for line in (folder / "qa" / name / "questions.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        pages = [row["page"]] if "page" in row else ast.literal_eval(row["evidence_pages"])
        if pages:
            file = folder / "qa" / name / (row.get("file") or row["doc_id"])
            found.append(Question(file, row["question"], frozenset(pages)))
    return found


def pages_of(file: Path) -> list[str]:
    """The text layer, page by page."""
    import pypdfium2

    document = pypdfium2.PdfDocument(file)
    return [document[n].get_textpage().get_text_bounded() for n in range(len(document))]


def _bigrams(text: str) -> Counter[str]:
    text = "".join(text.lower().split())
    return Counter(text[n : n + 2] for n in range(len(text) - 1))


class Bigrams:
    """TF-IDF of character bigrams: log-scaled counts, smoothed document frequencies."""

    def __init__(self, units: Sequence[str]) -> None:
        self._counts = [_bigrams(unit) for unit in units]
        frequency = Counter(gram for count in self._counts for gram in count)
        self._weight = {
            gram: math.log((1 + len(units)) / (1 + seen)) + 1 for gram, seen in frequency.items()
        }
        self._vectors = [self._vector(count) for count in self._counts]

    def _vector(self, count: Counter[str]) -> dict[str, float]:
        raw = {
            gram: (1 + math.log(times)) * self._weight[gram]
            for gram, times in count.items()
            if gram in self._weight
        }
        norm = math.sqrt(sum(value * value for value in raw.values())) or 1.0
        return {gram: value / norm for gram, value in raw.items()}

    def scores(self, text: str) -> list[float]:
        """Cosine of ``text`` with each unit."""
        asked = self._vector(_bigrams(text))
        return [sum(unit.get(gram, 0.0) * w for gram, w in asked.items()) for unit in self._vectors]


def measure(folder: Path, name: str, *, most_characters: int) -> dict[str, float | int]:
    """Figures of one set, over its documents of at most ``most_characters``."""
    rows = questions(folder, name)
    ranks: dict[str, list[int]] = {"embedded": [], "bigrams": [], "fused": []}
    for file in sorted({row.file for row in rows}):
        texts = pages_of(file)
        if sum(map(len, texts)) > most_characters:
            continue
        units = [(page, part) for page, text in enumerate(texts, 1) for part in windows(text)]
        vectors = np.array([vector_of(part) for _, part in units])
        bigrams = Bigrams([part for _, part in units])
        for row in (row for row in rows if row.file == file):
            embedded = ranked(units, [float(x) for x in vectors @ vector_of(row.text)])
            lexical = ranked(units, bigrams.scores(row.text))
            for way, order in (
                ("embedded", embedded),
                ("bigrams", lexical),
                ("fused", _fuse(embedded, lexical)),
            ):
                ranks[way].append(min(order.index(page) + 1 for page in row.pages if page in order))
        progress(f"{name} {file.name[:40]}: {len(texts)} pages")
    found: dict[str, float | int] = {f"{name}_questions": len(ranks["embedded"])}
    for way, places in ranks.items():
        if places:
            found[f"{way}_mrr_{name}"] = round(sum(1 / rank for rank in places) / len(places), 3)
            within = sum(rank <= 5 for rank in places)
            found[f"{way}_page_at_5_{name}"] = round(within / len(places), 3)
    return found


def ranked(units: Sequence[tuple[int, str]], scores: Sequence[float]) -> list[int]:
    """Pages by their best unit, best first; ties by page."""
    best: dict[int, float] = {}
    for (page, _), score in zip(units, scores, strict=True):
        best[page] = max(score, best.get(page, -math.inf))
    return sorted(best, key=lambda page: (-best[page], page))


def _fuse(one: list[int], other: list[int]) -> list[int]:
    def score(page: int) -> float:
        return 1 / (_FUSED + one.index(page)) + 1 / (_FUSED + other.index(page))

    return sorted(one, key=lambda page: (-score(page), page))


def _sets() -> Iterator[str]:
    yield from ("japanese", "mmlongbench")


def both(folder: Path, *, quick: bool) -> dict[str, float | int]:
    """Figures of both sets; empty where the data are not there."""
    if not (folder / "qa").is_dir():
        return {}
    most = 12_000 if quick else 400_000
    found: dict[str, float | int] = {}
    for name in _sets():
        found |= measure(folder, name, most_characters=most)
    return found
