"""One pass over a filing's files: everything found, nothing interpreted yet.

Here: which pages need a tree, which a scan, when the instance is opened. Not here: rows
(``filing``). Used by ``filing`` only.

Pages are read one by one and their trees dropped, so memory is that of the largest page; only
a block that continues elsewhere keeps its tree until the chain is complete.
"""

from __future__ import annotations

import re
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
    scan_numeric,
    units_of,
)
from g2_pipelines.edinet.pages import FilingFiles
from g2_pipelines.edinet.segments import labels_of, names_in_note, row_names
from g2_pipelines.edinet.xml import parse_xml
from g2_pipelines.tables.line1 import SectionName

_TEXT_NAME = re.compile(rb"""nonNumeric\s[^>]*?\bname\s*=\s*["'](?:[^"':]*:)?([^"']*)["']""")
_BLOCK_NAMES = frozenset(name.encode() for name in BLOCKS)
#: Marks of pages whose trees are needed whatever text they hold.
_MARKS = (b"continuation", b"continuedAt", b"DEI", b"context ", b"context\n")
_ASCII_LIKE = re.compile(rb"<html\b", re.IGNORECASE)
_SEGMENT_NOTE = b"NotesSegmentInformation"


@dataclass
class Gathered:
    """What the pages and the instance hold."""

    blocks: list[tuple[FoundBlock, CleanBlock]] = field(default_factory=list)
    dei: dict[str, str] = field(default_factory=dict)
    numeric: list[RawFact] = field(default_factory=list)
    contexts: dict[str, Context] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
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
        if _ASCII_LIKE.search(content) and not _needs_tree(content):
            if not self.with_facts:
                return
            scanned = scan_numeric(content)
            if scanned is not None:
                self.out.numeric.extend(scanned)
                return
        root = self._tree(content, place)
        if root is not None:
            cut = _ASCII_LIKE.search(content) and not content.rstrip().endswith(b"</html>")
            self._read_tree(root, place, cut=bool(cut))

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
        self.out.contexts = contexts_of(root) | self.out.contexts
        self.out.units = units_of(root) | self.out.units

    def instance(self, member: str, *, sections: set[SectionName]) -> None:
        """Take from an instance the ``sections`` named, and DEI and facts if none are there."""
        content = self.archive.read(member)
        place = PurePosixPath(member).name
        root = self._tree(content, place)
        if root is None:
            return
        for found in blocks_of_instance(root, place):
            if found.block.section in sections:
                self.out.blocks.append((_without_parts(found), clean(found.parts)))
        numeric, dei = facts_of_instance(root)
        self.out.dei = dei | self.out.dei
        if not self.files.pages:
            self.out.numeric.extend(numeric)
            self.out.contexts |= contexts_of(root)
            self.out.units |= units_of(root)

    def table(self, member: str) -> None:
        """Take blocks, DEI and facts from a type=5 CSV."""
        read_csv = blocks_and_facts(self.archive.read(member), PurePosixPath(member).name)
        self.out.blocks.extend(
            (found, CleanBlock(text, [], [], frozenset())) for found, text in read_csv.blocks
        )
        self.out.dei = read_csv.dei | self.out.dei
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
        """Segment names that the segment note lists."""
        for member in self.files.pages:
            content = self.archive.read(member)
            if _SEGMENT_NOTE not in content:
                continue
            root = self._tree(content, PurePosixPath(member).name)
            if root is None:
                continue
            for element in root.iter("{*}nonNumeric"):
                if _SEGMENT_NOTE.decode() in (element.get("name") or "") and (
                    names := names_in_note(clean([element]).text)
                ):
                    return names
        return []


def _needs_tree(content: bytes) -> bool:
    return any(mark in content for mark in _MARKS) or not _BLOCK_NAMES.isdisjoint(
        _TEXT_NAME.findall(content)
    )


def _without_parts(found: FoundBlock) -> FoundBlock:
    """Let go of the tree once the text is clean."""
    return replace(found, parts=())
