"""The answer page: one self-contained HTML file for a person.

Here: ``answer_page``. Question, answer or refusal, citations with the page's picture and the
box drawn on it, the plan as a picture, every sub-answer with its evidence. Pictures are
inlined, nothing is fetched, everything is escaped by the template (``templates``). The
same answer gives the same bytes. Called by ``defs`` and ``cli``.
"""

from __future__ import annotations

import base64
import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import jinja2

from g2_pipelines.qa.page_labels import LABELS, note_words, place_words, retry_words, worth_words
from g2_pipelines.qa.plan_picture import FONT_SIZE, picture_of
from g2_pipelines.qa.showing import media_type
from g2_pipelines.tables.line2 import Answer, Citation
from g2_pipelines.tables.rows import Bbox
from g2_pipelines.text.language import language
from g2_pipelines.text.pages import page_templates

_ZOOM_HEIGHT = 340  #: pixels at most of an enlarged box
_ZOOM = 2.2  #: pixels at most for a point of the page: beyond, there is nothing more to see


@dataclass(frozen=True)
class Mark:
    """A numbered citation and its box in percent of the page, None where the size is unknown.

    ``shared``: the numbers of all citations with this box, where this is the first of them; empty
    for the later ones, whose box is drawn already. ``claim``: what it carries, where that is neither
    its own quote nor what the one before it carries.
    """

    number: int
    citation: Citation
    cells: tuple[str, ...]
    left: float | None
    top: float | None
    width: float | None
    height: float | None
    shared: tuple[int, ...] = ()
    claim: str = ""

    @property
    def box_label(self) -> str:
        """What stands at the box: one number, several, or the first and last of a run."""
        first, last = self.shared[0], self.shared[-1]
        run = len(self.shared) > 2 and last - first == len(self.shared) - 1
        return f"{first}–{last}" if run else ", ".join(map(str, self.shared))

    def zoom(self, page: CitedPage) -> str:
        """CSS that shows only the box, enlarged, out of the page's picture; "" without one."""
        known = self.left is not None and self.top is not None
        if not (known and self.width and self.height and page.height):
            return ""
        ratio = self.width * page.width / (self.height * page.height)
        size = f"{10_000 / self.width:.2f}% {10_000 / self.height:.2f}%"
        across = (self.left or 0.0) / max(0.01, 100 - self.width) * 100
        down = (self.top or 0.0) / max(0.01, 100 - self.height) * 100
        most = min(ratio * _ZOOM_HEIGHT, self.width / 100 * page.width * _ZOOM)
        shape = f"aspect-ratio: {ratio:.4f}; width: min(100%, {most:.0f}px)"
        return f"{shape}; background-size: {size}; background-position: {across:.2f}% {down:.2f}%"


@dataclass(frozen=True)
class CitedPage:
    """A page with the citations that stand on it; ``source`` is a data URI, "" for none."""

    document: str
    page: int
    source: str
    width: float
    height: float
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class Piece:
    """A run of the answer's text with the numbers of the citations that carry it."""

    text: str
    numbers: tuple[int, ...]


def answer_page(
    answer: Answer,
    *,
    documents: Mapping[str, str],
    page_images: Callable[[str, int], bytes | None],
    page_sizes: Mapping[tuple[str, int], tuple[float, float]],
) -> str:
    """The page of ``answer`` as HTML text.

    Args:
        answer: The stored answer.
        documents: Names of documents for people, by document_id; an id stands for itself.
        page_images: Loads the PNG or JPEG picture of (document_id, page), None if there is
            none; the citation then stands without a picture.
        page_sizes: (width, height) in points of (document_id, page), for the boxes.
    """
    spoken = language(answer.question)
    pages = _cited_pages(answer.citations, documents, page_images, page_sizes)
    versions = [
        (version, picture_of(version, answer.sub_answers)) for version in answer.plan_versions
    ]
    return _template().render(
        answer=answer,
        spoken=spoken,
        say=LABELS[spoken],
        pieces=[] if answer.unanswerable else _pieces(answer.answer, answer.citations),
        pages=pages,
        versions=versions,
        note_words=functools.partial(note_words, language=spoken),
        retry_words=functools.partial(retry_words, language=spoken),
        worth_words=functools.partial(worth_words, language=spoken),
        gaps=list({(gap.kind, gap.text): gap for gap in answer.gaps}.values()),
        numbers_of=_numbers_of(answer.citations),
        place_words=functools.partial(place_words, language=spoken),
        font_size=FONT_SIZE,
        documents=[(name, documents.get(name, name)) for name in answer.documents],
        names=documents,
    )


@cache
def _template() -> jinja2.Template:
    environment = page_templates(jinja2.PackageLoader("g2_pipelines.qa", "templates"))
    return environment.get_template("answer.html.jinja")


def _numbers_of(citations: Sequence[Citation]) -> dict[str, list[int]]:
    """The numbers of the citations of each node."""
    found: dict[str, list[int]] = {}
    for number, citation in enumerate(citations, start=1):
        found.setdefault(citation.node_id, []).append(number)
    return found


def _cited_pages(
    citations: Sequence[Citation],
    documents: Mapping[str, str],
    page_images: Callable[[str, int], bytes | None],
    page_sizes: Mapping[tuple[str, int], tuple[float, float]],
) -> list[CitedPage]:
    """The cited pages in order of their first citation, each picture once."""
    by_page: dict[tuple[str, int], list[Mark]] = {}
    for number, citation in enumerate(citations, start=1):
        key = (citation.document_id, citation.page)
        by_page.setdefault(key, []).append(_mark(number, citation, page_sizes.get(key)))
    pages: list[CitedPage] = []
    for (document, page), marks in by_page.items():
        width, height = page_sizes.get((document, page), (0.0, 0.0))
        pages.append(
            CitedPage(
                document=documents.get(document, document),
                page=page,
                source=_data_uri(page_images(document, page)),
                width=width,
                height=height,
                marks=_shared(marks),
            )
        )
    return pages


def _shared(marks: Sequence[Mark]) -> tuple[Mark, ...]:
    """The marks, each box with the numbers of all that it is the box of."""
    numbers: dict[Bbox, list[int]] = {}
    for mark in marks:
        numbers.setdefault(mark.citation.bbox, []).append(mark.number)
    kept: list[Mark] = []
    before = ""
    for mark in marks:
        first = numbers[mark.citation.bbox][0] == mark.number
        said = mark.citation.claim
        kept.append(
            replace(
                mark,
                shared=tuple(numbers[mark.citation.bbox]) if first else (),
                claim="" if said in (before, mark.citation.quote) else said,
            )
        )
        before = said
    return tuple(kept)


def _mark(number: int, citation: Citation, size: tuple[float, float] | None) -> Mark:
    cells = tuple(filter(None, (cell.strip() for cell in citation.quote.split("\t"))))
    if size is None or min(size) <= 0:
        return Mark(number, citation, cells, None, None, None, None)
    box, (width, height) = citation.bbox, size
    left, top = _percent(box.x0, width), _percent(box.y0, height)
    return Mark(
        number=number,
        citation=citation,
        cells=cells,
        left=left,
        top=top,
        width=round(_percent(box.x1, width) - left, 3),
        height=round(_percent(box.y1, height) - top, 3),
    )


def _percent(place: float, size: float) -> float:
    return round(min(100.0, max(0.0, place / size * 100)), 3)


def _data_uri(image: bytes | None) -> str:
    kind = media_type(image) if image else None
    if not image or kind is None:
        return ""
    return f"data:{kind};base64,{base64.b64encode(image).decode('ascii')}"


def _pieces(text: str, citations: Sequence[Citation]) -> list[Piece]:
    """The answer cut after each claim that it repeats; other citations stand at the end."""
    ends: dict[int, list[int]] = {}
    for number, citation in enumerate(citations, start=1):
        place = text.find(citation.claim) if citation.claim else -1
        end = place + len(citation.claim) if place >= 0 else len(text)
        ends.setdefault(end, []).append(number)
    pieces: list[Piece] = []
    start = 0
    for end in sorted(ends):
        pieces.append(Piece(text[start:end], tuple(ends[end])))
        start = end
    if start < len(text):
        pieces.append(Piece(text[start:], ()))
    return pieces
