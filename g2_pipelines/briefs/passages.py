"""The sentences of a source with their place: headings above, who speaks, what stands before.

Here: ``Passage`` and ``read_passages`` over the parts of a source. Not here: what a sentence
says (``lexicon``) or whether it is taken (``selection``). Importable by briefs only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from g2_pipelines.briefs.lists import Listing, entry, introduces, marker
from g2_pipelines.briefs.sources import ROLE_MARKS
from g2_pipelines.tables.line1 import SourceSplit
from g2_pipelines.tables.rows import Span
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.language import language
from g2_pipelines.text.sentences import is_prose, sentences
from g2_pipelines.text.spans import map_back, sub_spans

_MARKS = {mark.strip(): role for role, marks in ROLE_MARKS.items() for mark in marks}
_MARK = re.compile("|".join(re.escape(mark) for mark in _MARKS))
_LINE = re.compile(r"[^\n]+")
#: Kinds of headings; a heading ends the one of its own kind and all below that.
_HEADING_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("title", re.compile(r"^\d*\s*【")),
    ("(1)", re.compile(r"^\(\d{1,2}\)")),
    ("(a)", re.compile(r"^\([a-zア-ンivx]{1,4}\)")),
    ("1", re.compile(r"^\d{1,2}(\.\d{1,2})*[.、:\s]")),
    ("a", re.compile(r"^[a-zア-ン][.、:\s]")),
    ("(…)", re.compile(r"^\(.*\)$")),
    ("<…>", re.compile(r"^[<〈《≪].*[>〉》≫]$")),
    ("[…]", re.compile(r"^[\[〔].*[\]〕]$")),
    ("「…」", re.compile(r"^[「『].*[」』]$")),
)
_CIRCLED = re.compile(r"^[\u2460-\u2473\u3251-\u325f]")
_BULLET = re.compile(r"^[・･●○◆■□▪•※＊*\-–—→⇒✓]")
_NOT_A_HEADING = re.compile(r"[\t。｡]|単位|百万円|千円|^\d[\d,.]*$|^\(?注")
_NOTE = re.compile(r"^\s*(?:[（(]?注|※|＊|\*)")
_ENDS = re.compile(r"(?:[。｡！？!?．.]|ます|です|した|である)[）)」』】”\"']*$")
_MAX_HEADINGS = 5
_MAX_HEADING_CHARS = 60


class Passage(NamedTuple):
    """One sentence. ``text`` is the source's characters, exactly those of ``spans``.

    order: place among the source's sentences; paragraph: number of its line or turn;
    headings: above it, outermost first, the section's own title left out; role: who speaks,
    "" in a filing; complete: it can stand as a sentence of a summary; introduced: order of the
    sentence that introduces the list of which this is an entry, else -1; mark: number of the
    nearest line, its own or one above, that is a heading or opens as an entry, else 0.
    """

    order: int
    text: str
    spans: tuple[Span, ...]
    headings: tuple[str, ...]
    role: str
    paragraph: int
    complete: bool
    language: Literal["ja", "en"]
    introduced: int = -1
    mark: int = 0


def read_passages(splits: Sequence[SourceSplit]) -> list[Passage]:
    """The sentences of one source, in order, over all its parts (sorted by k here).

    Table rows and headings are no passages, unless a heading is the entry of a list that a
    sentence introduces. A sentence that a part's border cuts is not complete.
    """
    result: list[Passage] = []
    headings: list[tuple[str, str]] = []
    lists = _Lists()
    role = ""
    paragraph = mark_line = 0
    for split in sorted(splits, key=lambda split: split.k):
        for begin, end in _lines(split.model_text):
            paragraph += 1
            mark = _MARK.match(split.model_text, begin, end)
            start = mark.end() if mark else begin
            role = _MARKS[mark.group()] if mark else role
            line = split.model_text[start:end].strip()
            kind = None if role else heading_kind(line)
            introduced = lists.introduction(line, kind)
            if not line or "\t" in line:
                continue
            if kind is not None or (not role and marker(line) is not None):
                mark_line = paragraph
            if kind is not None:
                _push(headings, kind, line)
                if introduced < 0:
                    continue
            above = tuple(text for kind, text in headings if kind != "title")
            for passage in _of_line(split, start, end, introduced):
                result.append(
                    passage._replace(
                        order=len(result),
                        headings=above,
                        role=role,
                        paragraph=paragraph,
                        mark=mark_line,
                    )
                )
                lists.look(result[-1], headings)
    return result


class _Lists:
    """The list that is being read, where the last sentence of a line introduced one."""

    def __init__(self) -> None:
        self._listing: Listing | None = None
        self._outer: frozenset[str] = frozenset()
        self._paragraph = -1

    def introduction(self, line: str, kind: str | None) -> int:
        """Order of the sentence that introduces this line as an entry, else -1."""
        if self._listing is None or not line:
            return -1
        if self._listing.take(line):
            return self._listing.introduction
        if not self._listing.open or kind in self._outer:
            self._listing = None
        return -1

    def look(self, passage: Passage, headings: Sequence[tuple[str, str]]) -> None:
        """Open a list after a sentence that introduces one; a report's, not a speaker's."""
        told = passage.complete and not passage.role and passage.language == "ja"
        if told and passage.introduced < 0 and introduces(passage.text):
            self._listing = Listing(passage.order)
            self._outer = frozenset(kind for kind, _ in headings) | {"title"}
            self._paragraph = passage.paragraph
        elif passage.paragraph == self._paragraph:
            self._listing = None  # the sentence above points elsewhere: its line goes on


def _of_line(split: SourceSplit, start: int, end: int, introduced: int) -> Iterator[Passage]:
    """The sentences of a line; what follows in a note's line belongs to the note."""
    line = split.model_text[start:end]
    note = _NOTE.match(line.strip()) is not None
    for a, b in _pieces(line, listed=introduced >= 0):
        passage = _passage(split, start + a, start + b)
        if passage is not None:
            whole = passage.complete and not note
            yield passage._replace(complete=whole, introduced=introduced)
            introduced = -1


def _pieces(line: str, *, listed: bool) -> list[tuple[int, int]]:
    """The sentences of a line; where it is listed the first is the entry."""
    found = entry(line) if listed else None
    if found is None:
        return sentences(line)
    return [found, *((a, b) for a, b in sentences(line) if a >= found[1])]


def _opens(passage: Passage) -> bool:
    return passage.complete and passage.language == "ja" and introduces(passage.text)


def _lines(text: str) -> Iterator[tuple[int, int]]:
    for match in _LINE.finditer(text):
        yield match.start(), match.end()


def _passage(split: SourceSplit, start: int, end: int) -> Passage | None:
    """The sentence [start, end) of a part's model_text; its place is not known here."""
    ranges = map_back(split.model_offsets, start, end)
    text = "".join(split.text[a:b] for a, b in ranges)
    if not text.strip():
        return None
    spans = tuple(span for a, b in ranges for span in sub_spans(split.spans, a, b))
    return Passage(
        order=0,
        text=text,
        spans=spans,
        headings=(),
        role="",
        paragraph=0,
        complete=is_complete(text),
        language=language(text),
    )


def is_complete(text: str) -> bool:
    """True for a whole sentence of prose: not a bullet, note, label or cut piece."""
    body = text.strip()
    if _BULLET.match(body) or _ENDS.search(body) is None or not is_prose(body):
        return False
    return all(
        body.count(opening) == body.count(closing)
        for opening, closing in ("「」", "『』", "（）", "()", "【】")
    )


def heading_kind(line: str) -> str | None:
    """What kind of heading a line of a report is, or None where it is none."""
    folded = fold_text(line).strip()
    if (
        not 2 <= len(folded) <= _MAX_HEADING_CHARS
        or _NOT_A_HEADING.search(folded)
        or _BULLET.match(folded)
    ):
        return None
    if _CIRCLED.match(line.strip()):
        return None if is_prose(line.strip()[1:]) else "①"
    for kind, pattern in _HEADING_KINDS:
        if pattern.match(folded):
            bare = folded if kind == "title" else pattern.sub("", folded, count=1)
            return None if bare and is_prose(bare) else kind
    if is_prose(line) or len(folded) > 30 or not re.search(r"[a-zぁ-んァ-ヶ一-龠]", folded):
        return None
    return None if folded.endswith((",", "、", ";", ":")) else "plain"


def _push(headings: list[tuple[str, str]], kind: str, text: str) -> None:
    """Open a heading: it closes the last of its own kind and what stood below that."""
    kinds = [known for known, _ in headings]
    if kind == "title":
        headings.clear()
    elif kind in kinds:
        del headings[kinds.index(kind) :]
    del headings[_MAX_HEADINGS:]
    headings.append((kind, text))
