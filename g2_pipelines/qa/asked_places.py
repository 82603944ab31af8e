"""Places that a question names: figures, tables and pages, also in words (the third page).

Here: ``Reference``, ``with_page_numbers`` (pages in words written in digits), ``references_of``,
``without_references`` and ``titled_otherwise``. Used by ``asking`` and ``find``.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

ReferenceKind = Literal["figure", "table", "page"]

_REFERENCE = re.compile(
    r"(?P<figure>図表?|figure|fig\.?)\s*(?P<figure_no>\d{1,3}(?:[.-]\d{1,2})?)"
    r"|(?P<table>表|table|tab\.)\s*(?P<table_no>\d{1,3}(?:[.-]\d{1,2})?)"
    r"|(?:page|p\.)\s*(?P<page>\d{1,4})\b|(?P<page_ja>\d{1,4})\s*(?:ページ|頁)",
    re.IGNORECASE,
)
_COUNT_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty"
)
_PAGE_WORDS = {name: str(place) for place, name in enumerate(_COUNT_WORDS.split(), start=1)}
_FIRST_PAGE = re.compile(
    r"\b(?:first|cover) page\b|\bon the cover\b|(?:最初の|1|先頭の)ページ|表紙"
)
_PLACES = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
]
_PLACE_PAGE = re.compile(
    rf"\b(?:the )?(?:({'|'.join(_PLACES)})|(\d{{1,2}})(?:st|nd|rd|th)) page\b", re.IGNORECASE
)
_WORD_PAGE = re.compile(rf"\bpage ({'|'.join(_PAGE_WORDS)})\b", re.IGNORECASE)
#: The title of a table or figure at the beginning of a text: «Table 5.» and 表5、 not «Table 5 shows».
_TITLE = re.compile(
    r"\s*(?:(?P<figure>図表?|figure|fig\.?)|表|table|tab\.)\s*(?P<number>\d{1,3}(?:[.-]\d{1,2})?)"
    r"\s*(?:[.:|]\s|[.:]$|[.:]?\s*(?=[\u30a1-\u30fa\u4e00-\u9fff])|[.:]?\s+(?-i:(?=[A-Z])))",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Reference:
    """A figure, table or page named in the question; ``number`` as it is printed."""

    kind: ReferenceKind
    number: str


def with_page_numbers(core: str) -> str:
    """The question with pages in words as numbers: page three, the third page, the cover."""
    core = _WORD_PAGE.sub(lambda match: f"page {_PAGE_WORDS[match[1].lower()]}", core)
    core = _PLACE_PAGE.sub(_page_name, core)
    return _FIRST_PAGE.sub(" page 1 ", core)


def without_references(core: str) -> str:
    """The question without the places that it names."""
    return _REFERENCE.sub(" ", core)


def _page_name(match: re.Match[str]) -> str:
    place = match[2] or str(_PLACES.index(match[1].lower()) + 1)
    return f"page {place}"


def references_of(core: str) -> list[Reference]:
    """The places that a question names, each once."""
    found: list[Reference] = []
    for match in _REFERENCE.finditer(core):
        if match["figure"]:
            found.append(Reference("figure", match["figure_no"]))
        elif match["table"]:
            found.append(Reference("table", match["table_no"]))
        else:
            found.append(Reference("page", match["page"] or match["page_ja"]))
    return list(dict.fromkeys(found))


def titled_otherwise(reference: Reference, text: str) -> bool:
    """True for a text under the title of another table or figure («Table 325. Arrests …»)."""
    found = _TITLE.match(unicodedata.normalize("NFKC", text))
    if found is None:
        return False
    kind = "figure" if found["figure"] else "table"
    return kind == reference.kind and found["number"].replace("-", ".") != (
        reference.number.replace("-", ".")
    )
