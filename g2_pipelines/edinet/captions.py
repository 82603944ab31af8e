"""The words beside a fact: the caption of the table row in which a page shows it.

Here: a scan of a page's bytes, without a tree. Not here: which facts need one (``gather``).

For an element that neither the filer's linkbase nor our table names, the row's caption is
what a reader sees (現金及び預金, 減価償却費). It is taken from facts without dimensions alone:
in a row of a shareholder or of a component of equity the caption names that, not the item.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Container

from g2_pipelines.edinet.xml import local_name

_FACT = re.compile(rb"<[\w.-]+:nonFraction\s([^<>]*)>")
_NAME = re.compile(rb"""\bname\s*=\s*["']([^"']+)["']""")
_CONTEXT = re.compile(rb"""\bcontextRef\s*=\s*["']([^"']+)["']""")
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


def captions_of(
    content: bytes, *, plain: Container[str], wanted: Callable[[str], bool]
) -> dict[str, str]:
    """Local name → caption for the ``wanted`` names, the first caption of each.

    ``plain`` are the context ids without dimensions (but 個別). Content is the page's bytes
    in UTF-8; a row that cannot be read gives nothing.
    """
    found: dict[str, str] = {}
    for match in _FACT.finditer(content):
        attributes = match.group(1)
        name = _NAME.search(attributes)
        if name is None:
            continue
        local = local_name(name.group(1).decode("utf-8", "replace"))
        if local in found or not wanted(local):
            continue
        context = _CONTEXT.search(attributes)
        if context is None or context.group(1).decode("utf-8", "replace") not in plain:
            continue
        caption = _caption(content, match.start())
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
