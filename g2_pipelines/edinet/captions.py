"""The words beside a fact: the caption of the table row in which a page shows it.

Here: a scan of a page's bytes, without a tree. Not here: which facts need one (``gather``).

For an element that neither the filer's linkbase nor our table names, the row's caption is
what a reader sees (現金及び預金, 減価償却費). It is taken from facts without dimensions alone:
in a row of a shareholder or of a component of equity the caption names that, not the item.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Container, Iterable

_CELL_START = re.compile(rb"<t[dh]\b", re.IGNORECASE)
_TAG = re.compile(rb"<[^<>]*>")
_SPACE = re.compile(r"\s+")
#: A unit, a note's number, a figure that is not tagged: no caption.
_NO_CAPTION = re.compile(
    r"^[\d０-９\s※*＊注()（）,，、．.:：%％〔〕\[\]△▲\-－―—‐～〜/年月日千百万億円株人名倍銭]*$"
)
_TOTALS = frozenset({"計", "合計", "小計", "総計", "その他", "差引", "差引計"})
_UNIT_END = re.compile(r"[(（][^()（）]*(?:円|株|人|名|％|%|倍|銭|回|年|ドル)[)）]$")
_NOTE_END = re.compile(r"(?:[※＊][\d０-９,，、\s]*)+$")
_MAX_CAPTION = 60
_MAX_ROW_BYTES = 40_000
_MOST_LOOKS = 3_000


def captions_of(
    content: bytes,
    places: Iterable[tuple[str, str, int]],
    *,
    plain: Container[str],
    wanted: Callable[[str], bool],
) -> dict[str, str]:
    """Local name → caption for the ``wanted`` names, the first caption of each.

    ``places`` are local name, context id and offset in ``content`` of the facts; ``plain`` the
    context ids without dimensions (but 個別). A row that cannot be read gives nothing, and
    past some thousand looks no row of the page does.
    """
    found: dict[str, str] = {}
    looks = 0
    for local, context, place in places:
        if local in found or context not in plain or not wanted(local):
            continue
        looks += 1
        if looks > _MOST_LOOKS:
            break
        caption = _caption(content, place)
        if caption:
            found[local] = caption
    return found


def _caption(content: bytes, place: int) -> str | None:
    """The last worded cell of the fact's row before the fact."""
    start = content.rfind(b"<tr", max(0, place - _MAX_ROW_BYTES), place)
    if start < 0 or content.find(b"</tr", start, place) >= 0:
        return None
    # Before the first start is the row's own tag, after the last the fact's own cell.
    for cell in reversed(_CELL_START.split(content[start:place])[1:-1]):
        if b":nonFraction" in cell:
            continue
        text = html.unescape(_TAG.sub(b"", b"<td" + cell).decode("utf-8", "replace"))
        text = _SPACE.sub("", text)
        if len(text) > _MAX_CAPTION * 2:
            return None
        text = _NOTE_END.sub("", _UNIT_END.sub("", text))
        if text and not _NO_CAPTION.match(text):
            return text if len(text) <= _MAX_CAPTION and text not in _TOTALS else None
    return None
