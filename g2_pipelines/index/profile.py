"""What ranking needs to know of a document: its pages' terms, windows, headings, captions.

Here: ``NodeTerms`` (what is read of an index row), ``Profile`` (made from them) and
``Profiles`` (a bounded cache by the digest of the document's rows, for all threads). Terms are
numbers in one flat array in reading order, so that a question costs a few array passes.
``lance`` and ``pages`` import this module.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from g2_pipelines.index.query import is_stop

WINDOW = 150  # terms of a window: a page's best one counts beside the whole page
GRAM = 5  # characters of a character run, Latin letters and figures only

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class NodeTerms:
    """The columns of an index row that ranking reads."""

    document_id: str
    node_id: str
    kind: str
    label: str | None
    order: int
    page: int
    printed_page: int | None
    pages: int  # of the document
    page_terms: int  # terms of all rows of the page
    caption_terms: str
    search_text: str

    @property
    def id(self) -> str:
        """The row's primary key."""
        return f"{self.document_id}/{self.node_id}"


Page = tuple[str, int]  # document_id, physical page


class Profile:
    """Pages as arrays: of one document, or of the best pages of many. Nodes in any order."""

    def __init__(self, nodes: Sequence[NodeTerms]) -> None:
        self.nodes = sorted(
            nodes, key=lambda node: (node.document_id, node.page, node.order, node.node_id)
        )
        self.by_page: dict[Page, list[NodeTerms]] = {}
        self.last_page: dict[str, int] = {}
        #: Physical pages by document and printed number.
        self.printed: dict[Page, list[int]] = {}
        for node in self.nodes:
            key = node.document_id, node.page
            if key not in self.by_page:
                self.by_page[key] = []
                self.last_page[node.document_id] = node.pages
                if node.printed_page is not None:
                    number = node.document_id, node.printed_page
                    self.printed.setdefault(number, []).append(node.page)
            self.by_page[key].append(node)
        self.pages = list(self.by_page)
        self._read()

    def _read(self) -> None:
        flat: list[str] = []
        heads: list[tuple[str, int]] = []
        captions: list[tuple[str, int]] = []
        sizes: list[int] = []  # of parts: a node, or a window's length of it
        part_page: list[int] = []
        part_window: list[int] = []
        window_page: list[int] = []
        for at, nodes in enumerate(self.by_page.values()):
            filled = WINDOW
            for node in nodes:
                words = node.search_text.split()
                flat += words
                if node.kind == "heading":
                    heads += [(word, at) for word in words]
                if node.caption_terms:
                    captions += [(word, at) for word in node.caption_terms.split()]
                # A short node shares a window with its neighbours; a long one is cut.
                for start in range(0, len(words), WINDOW):
                    size = min(WINDOW, len(words) - start)
                    if filled + size > WINDOW:
                        window_page.append(at)
                        filled = 0
                    filled += size
                    sizes.append(size)
                    part_page.append(at)
                    part_window.append(len(window_page) - 1)
        known = dict.fromkeys(flat)
        known |= dict.fromkeys(word for word, _ in captions)
        self.vocabulary = {word: number for number, word in enumerate(known)}
        number_of = self.vocabulary.__getitem__
        self.flat = np.fromiter(map(number_of, flat), dtype=np.int32, count=len(flat))
        self.page_of = np.repeat(np.array(part_page, dtype=np.int32), sizes)
        self.window_of = np.repeat(np.array(part_window, dtype=np.int32), sizes)
        self.window_page = np.array(window_page, dtype=np.int32)
        # As stored: of some pages only the nodes that a search found are here.
        self.lengths = np.array(
            [max(node.page_terms for node in nodes) for nodes in self.by_page.values()],
            dtype=np.float64,
        )
        self.window_lengths = np.bincount(self.window_of, minlength=len(window_page)).astype(float)
        self.heads = _field((number_of(word), at) for word, at in heads)
        self.captions = _field((number_of(word), at) for word, at in captions)

    @cached_property
    def content(self) -> NDArray[np.bool_]:
        """Which places of ``flat`` are no English stop words: neighbours are counted over them."""
        # A vocabulary numbers its terms in its own order.
        stop = np.fromiter(map(is_stop, self.vocabulary), dtype=bool, count=len(self.vocabulary))
        kept: NDArray[np.bool_] = ~stop[self.flat]
        return kept

    def grams(self, codes: Ints) -> tuple[Floats, Floats]:
        """How often each of ``codes`` (sorted) stands on each page, and the pages' lengths."""
        out = np.zeros((len(codes), len(self.pages)))
        all_codes, marks, pages, lengths = self._grams
        if len(codes) and len(all_codes):
            # Nearly all of a document's runs are none of the question's: told by 16 bits.
            asked = np.zeros(1 << 16, dtype=bool)
            asked[_mark(codes)] = True
            likely = np.flatnonzero(asked[marks])
            found = all_codes[likely]
            at = np.minimum(np.searchsorted(codes, found), len(codes) - 1)
            same = codes[at] == found
            np.add.at(out, (at[same], pages[likely[same]]), 1.0)
        return out, lengths

    @cached_property
    def page_of_id(self) -> dict[str, int]:
        """The place among ``pages`` of each row's page, by the row's id."""
        return {node.id: at for at, nodes in enumerate(self.by_page.values()) for node in nodes}

    @cached_property
    def _grams(self) -> tuple[Ints, NDArray[np.uint16], NDArray[np.int32], Floats]:
        """All character runs: codes, marks, their pages, and how many each page has."""
        texts = [
            " ".join(filter(None, (_ascii_words(node.search_text) for node in nodes)))
            for nodes in self.by_page.values()
        ]
        # A break as long as a run, so that none reaches over two pages.
        codes = gram_codes((" " * GRAM).join(texts))
        sizes = np.array([len(text) + GRAM for text in texts])
        pages = np.repeat(np.arange(len(texts), dtype=np.int32), sizes)[: len(codes)]
        return codes, _mark(codes), pages, np.maximum(sizes - 2.0 * GRAM + 1, 0.0)


def _ascii_words(text: str) -> str:
    words = text.split()
    return " ".join(words if text.isascii() else filter(str.isascii, words))


def _field(pairs: Iterable[tuple[int, int]]) -> Ints:
    """Distinct (term, page) pairs of a field, as rows."""
    return np.array(sorted(set(pairs)), dtype=np.int64).reshape(-1, 2)


def gram_codes(text: str) -> Ints:
    """The character runs of an ASCII text, each as one number of 35 bits."""
    data = np.frombuffer(text.encode("ascii"), dtype=np.uint8).astype(np.int64)
    if len(data) < GRAM:
        return np.zeros(0, dtype=np.int64)
    codes = np.zeros(len(data) - GRAM + 1, dtype=np.int64)
    for at in range(GRAM):
        codes = (codes << 7) | data[at : len(data) - GRAM + 1 + at]
    return codes


def _mark(codes: Ints) -> NDArray[np.uint16]:
    """16 bits of each code, evenly spread (Fibonacci hashing; Knuth, TAOCP 3, 6.4)."""
    spread = codes.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return (spread >> np.uint64(48)).astype(np.uint16)


class Profiles:
    """The profiles used last, up to ``most_nodes`` nodes in all; safe for threads."""

    def __init__(self, most_nodes: int) -> None:
        self._most = most_nodes
        self._held: OrderedDict[str, Profile] = OrderedDict()
        self._lock = Lock()

    def get(
        self, digests: Sequence[str], make: Callable[[Sequence[str]], dict[str, Profile]]
    ) -> list[Profile]:
        """The profiles of these digests, in their order; ``make`` makes those not held.

        What is made is content-addressed, so two threads that make the same lose only time.
        """
        with self._lock:
            found = {digest: self._held[digest] for digest in digests if digest in self._held}
        missing = [digest for digest in digests if digest not in found]
        if missing:
            found |= make(missing)
        with self._lock:
            for digest in digests:
                self._held[digest] = found[digest]
                self._held.move_to_end(digest)
            held = sum(len(profile.nodes) for profile in self._held.values())
            while held > self._most and len(self._held) > 1:
                _, dropped = self._held.popitem(last=False)
                held -= len(dropped.nodes)
        return [found[digest] for digest in digests]
