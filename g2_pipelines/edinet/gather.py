"""One pass over a filing's files: everything found, nothing interpreted yet.

Here: which pages need a tree, which a scan, when the instance is opened. Not here: rows
(``filing``). Used by ``filing`` only.

Pages are read one by one and their trees dropped, so memory is that of the largest page; only
a block that continues elsewhere keeps its tree until the chain is complete.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from lxml import etree

from g2_pipelines.edinet.archive import Archive
from g2_pipelines.edinet.blocks import (
    FoundBlock,
    blocks_of_instance,
    blocks_of_page,
    continuations_of_page,
    follow,
)
from g2_pipelines.edinet.captions import captions_of
from g2_pipelines.edinet.clean import CleanBlock, clean
from g2_pipelines.edinet.csvfile import blocks_and_facts
from g2_pipelines.edinet.eras import BLOCKS
from g2_pipelines.edinet.facts import (
    Context,
    RawFact,
    contexts_of,
    dei_of,
    facts_of_instance,
    numeric_of,
    plain_contexts,
    units_of,
)
from g2_pipelines.edinet.figures import known
from g2_pipelines.edinet.pages import FilingFiles
from g2_pipelines.edinet.scan import places_of_numbers, scan_page
from g2_pipelines.edinet.segments import labels_of, names_in_note, row_names
from g2_pipelines.edinet.xml import local_name, parse_xml
from g2_pipelines.tables.line1 import SectionName

_BLOCK_NAMES = frozenset(name.encode() for name in BLOCKS)
_ASCII_LIKE = re.compile(rb"<html\b", re.IGNORECASE)
_SEGMENT_WORDS = re.compile("報告セグメント|単一セグメント|単一の|セグメント情報".encode())
_PARAGRAPH = re.compile(rb"</(?:p|tr|div|h\d)\s*>")
_TAGS = re.compile(rb"<[^<>]*>")
#: Bytes of a page read around such words: a sentence in its markup is some thousand long.
_BEFORE, _AFTER = 3_000, 8_000
_MOST_PLACES = 40


@dataclass
class Gathered:
    """What the pages and the instance hold."""

    blocks: list[tuple[FoundBlock, CleanBlock]] = field(default_factory=list)
    dei: dict[str, str] = field(default_factory=dict)
    numeric: list[RawFact] = field(default_factory=list)
    contexts: dict[str, Context] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    captions: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def sections(self) -> set[SectionName]:
        """Names of the sections found so far."""
        return {found.block.section for found, _ in self.blocks}


class Gatherer:
    """Reads one filing's files into ``Gathered``."""

    def __init__(self, archive: Archive, files: FilingFiles, *, with_facts: bool) -> None:
        self.archive = archive
        self.files = files
        self.with_facts = with_facts
        self.out = Gathered(warnings=list(files.warnings))
        self._plain: set[str] | None = None  # made anew when contexts come
        self._continued: list[tuple[int, str]] = []
        self._continuations: dict[str, etree._Element] = {}

    def pages(self) -> None:
        """Read all inline pages in order, then complete what continues across them."""
        for member in self.files.pages:
            self._page(member)
        for index, continued_at in self._continued:
            found, _ = self.out.blocks[index]
            whole = follow(found, continued_at, self._continuations)
            self.out.blocks[index] = (whole, clean(whole.parts))
        self._continuations.clear()

    def _page(self, member: str) -> None:
        content = self.archive.read(member)
        place = PurePosixPath(member).name
        scanned = scan_page(content, with_facts=self.with_facts)
        if scanned is not None and _BLOCK_NAMES.isdisjoint(scanned.text_names):
            self.out.numeric.extend(fact for fact, _ in scanned.numeric)
            self._read_captions(
                content, ((local_name(f.name), f.context, at) for f, at in scanned.numeric)
            )
            return
        root = self._tree(content, place)
        if root is not None:
            cut = _ASCII_LIKE.search(content) and not content.rstrip().endswith(b"</html>")
            self._read_tree(root, place, cut=bool(cut))
            if self.with_facts:
                self._read_captions(content, places_of_numbers(content))

    def _read_captions(self, content: bytes, places: Iterable[tuple[str, str, int]]) -> None:
        there = self.out.captions
        if self._plain is None:
            self._plain = plain_contexts(self.out.contexts)
        there |= captions_of(
            content,
            places,
            plain=self._plain,
            wanted=lambda name: name not in there and known(name) is None,
        )

    def _tree(self, content: bytes, place: str) -> etree._Element | None:
        try:
            return parse_xml(
                content, file=self.archive.name, place=place, warnings=self.out.warnings
            )
        except etree.XMLSyntaxError as error:
            self.out.warnings.append(f"{place}: not readable as XML ({error.msg}); left out")
            return None

    def _read_tree(self, root: etree._Element, place: str, *, cut: bool) -> None:
        for found, continued_at in blocks_of_page(root, place, cut=cut):
            if continued_at is None:
                self.out.blocks.append((_without_parts(found), clean(found.parts)))
            else:
                self._continued.append((len(self.out.blocks), continued_at))
                self.out.blocks.append((found, CleanBlock("", [], [], frozenset())))
        self._continuations |= continuations_of_page(root)
        for name, text in dei_of(root).items():
            self.out.dei.setdefault(name, text)
        if self.with_facts:
            self.out.numeric.extend(numeric_of(root))
        # Always: segment names come from contexts, and they are few.
        self._know(contexts_of(root), place)
        self.out.units = units_of(root) | self.out.units

    def _know(self, contexts: dict[str, Context], place: str) -> None:
        """Add contexts; one that is declared twice must say the same twice."""
        if not contexts:
            return
        self._plain = None
        there = self.out.contexts
        twice = [i for i, context in contexts.items() if there.get(i, context) != context]
        if twice:
            self.out.warnings.append(
                f"{place}: {len(twice)} contexts are declared again with other content"
                f" ({twice[0][:80]}); the first counts"
            )
        self.out.contexts = contexts | there

    def instance(self, member: str, *, sections: set[SectionName], facts: bool) -> None:
        """Take from an instance the ``sections`` named, the DEI that are not there and, if
        wanted, its facts beside those there; the same fact is one row later.
        """
        place = PurePosixPath(member).name
        root = self._tree(self.archive.read(member), place)
        if root is None:
            return
        for found in blocks_of_instance(root, place):
            if found.block.section in sections:
                self.out.blocks.append((_without_parts(found), clean(found.parts)))
        numeric, dei = facts_of_instance(root)
        self.out.dei = dei | self.out.dei
        if facts:
            self.out.numeric.extend(numeric if self.with_facts else ())
            self._know(contexts_of(root), place)
            self.out.units = units_of(root) | self.out.units

    def table(self, member: str) -> None:
        """Take blocks, DEI and facts from a type=5 CSV."""
        read_csv = blocks_and_facts(self.archive.read(member), PurePosixPath(member).name)
        self.out.blocks.extend(
            (found, CleanBlock(text, [], [], frozenset())) for found, text in read_csv.blocks
        )
        self.out.dei = read_csv.dei | self.out.dei
        self.out.labels = read_csv.labels | self.out.labels
        self.out.warnings.extend(read_csv.warnings)
        if self.with_facts:
            self.out.numeric.extend(read_csv.numeric)

    def read_labels(self) -> None:
        """Read the filer's Japanese label linkbases."""
        for member in self.files.labels:
            root = self._tree(self.archive.read(member), PurePosixPath(member).name)
            if root is not None:
                self.out.labels = labels_of(root) | self.out.labels

    def names_in_rows(self) -> dict[str, str]:
        """Segment member → row name, from all pages with a fact of a segment."""
        names: dict[str, str] = {}
        for member in self.files.pages:
            content = self.archive.read(member)
            if b"ReportableSegment" in content:
                root = self._tree(content, PurePosixPath(member).name)
                if root is not None:
                    names = row_names(root, self.out.contexts) | names
        return names

    def names_in_notes(self) -> list[str]:
        """Segment names that the words of a page's notes list, the first page that names any.

        IFRS and US GAAP notes of older filings are not tagged (measured on one of FY2017), so
        the words around 報告セグメント and 単一セグメント are read, wherever they stand.
        """
        for member in self.files.pages:
            content = self.archive.read(member)
            place = -1
            for _ in range(_MOST_PLACES):
                match = _SEGMENT_WORDS.search(content, place + _AFTER if place >= 0 else 0)
                if match is None:
                    break
                place = match.start()
                if names := names_in_note(_words_around(content, place)):
                    return names
        return []


def _words_around(content: bytes, place: int) -> str:
    """Text of the page around a place, tags dropped; paragraphs end in a newline."""
    cut = content[max(0, place - _BEFORE) : place + _AFTER]
    cut = cut[cut.find(b">") + 1 : cut.rfind(b"<")]
    text = _TAGS.sub(b"", _PARAGRAPH.sub(b"\n", cut)).decode("utf-8", "replace")
    return html.unescape(text).replace("\u00a0", " ")


def _without_parts(found: FoundBlock) -> FoundBlock:
    """Let go of the tree once the text is clean."""
    return replace(found, parts=())
