"""What a figure is a figure of: item, segment and period, read from the words around it.

Here: ``Label`` and ``label_at``. A right figure on a wrong label is the mistake that a
comparison of figures alone cannot see (measured). The reading is shallow on purpose and
says None rather than guess: only two known labels that differ are a finding. Only modules
of this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from g2_pipelines.evaluation.items import ITEMS, Items, items_differ
from g2_pipelines.evaluation.times import times_differ
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.numbers import Number, periods

SUFFIX = re.compile(r"(?:事業部門|事業部|事業|セグメント|部門)$")
_BREAKS = re.compile(r"[・/\-\s、&]|及び|および|と")
_AFTER = re.compile(r"(?:の|と)")
_OTHER = re.compile(r"(?:その他の?|うち)$")
_REASON = re.compile(
    r"(?:により|によって|ため|ことから|に伴い|を受けて?|影響で|を含め|を含み|を除[きく])"
)
_TOPIC = re.compile(
    r"(?!(?:[当前今来昨翌]期|前年|昨年|同期|年度|通期|[上下]期|年間|月期|[期度月年]末)は)[\u30a1-\u30fa\u30fc\u4e00-\u9fff]{2}は"
)
_COMPARED = re.compile(r"の?[^、。]{0,30}?(?:比|に対し|から|より|を上回|を下回|と同)")
#: 売上高及び営業利益はそれぞれ…: the order of words no longer binds.
_CROSSED = re.compile(r"それぞれ|各々|respectively")


_CLOSED = re.compile(r"[(（][^()（）]*[)）]")
#: A bracket that tells something of its own, not (2025年3月期).
_ASIDE = re.compile(r"[(（][^()（）]*(?:は|円|%|％)[^()（）]*[)）]")
_REST = re.compile(r"その他")
_REACH = 400  # characters before a figure in which a name may bind it


class Label(NamedTuple):
    """Item, segment and period key that a figure is bound to; None where not said."""

    item: str | None = None
    segment: str | None = None
    period: str | None = None


def label_at(
    sentence: str, number: Number, offset: int, segments: Sequence[str], items: Items = ITEMS
) -> Label:
    """What ``number`` of ``sentence`` is bound to.

    ``offset`` is where the sentence begins in the text that the number's range is of;
    ``segments`` are folded names. The last name before the figure binds it, unless
    それぞれ crosses the order; an item right behind (38億円の営業利益) binds first.
    """
    begin, end = number.start - offset, number.end - offset
    near = sentence[max(0, begin - _REACH) : begin]
    before, after = fold_text(near), fold_text(sentence[end : end + 30])
    if _CROSSED.search(before) or _CROSSED.search(sentence, end, end + _REACH):
        return Label()
    return Label(
        item=_item(before, after, items),
        segment=last_segment(before, segments),
        period=last_period(near),
    )


def period_of(text: str) -> str | None:
    """The key of the first period that ``text``, a table's head, names."""
    found = periods(text)
    return found[0].key if found else None


def last_period(before: str) -> str | None:
    """The last period before a figure that is not what it is compared with (前期に比べ)."""
    # What a closed bracket says is said of what stands before it (前期は1億円).
    outside = _CLOSED.sub(lambda m: "\0" * len(m.group()), before)
    headed = _ASIDE.sub(lambda m: "\0" * len(m.group()), before)
    for text in (outside, headed) if outside != before else (before,):
        for found in reversed(periods(text)):
            if not _COMPARED.match(text, found.end):
                return found.key
    return None


def _item(before: str, after: str, items: Items) -> str | None:
    behind = _AFTER.match(after)
    if behind is not None:
        found = items.pattern.match(after, behind.end())
        if found is not None:
            return items.name(found.group())
    found_before = items.find(before)
    if not found_before:
        return None
    topical = _topic(before, found_before)
    if topical is None:
        return None
    start, end, name = topical
    other = _OTHER.search(before, 0, start)
    if other is not None:  # その他の流動負債 is not 流動負債
        name = other.group() + name
    # 売上高は増加し、手数料は…: another topic has taken over, one not known here.
    topic = _TOPIC.search(before, end + 1)
    if topic is None or before[end : topic.start()] == "の":  # …による資金の増加は is still it
        return name
    return None


def _topic(before: str, items: list[tuple[int, int, str]]) -> tuple[int, int, str] | None:
    """The last item, but not one of a clause that only gives a reason; None with such alone.

    販売費及び一般管理費は、広告宣伝費が増加したことにより4,046百万円…
    """
    last = items[-1]
    if _REASON.search(before, last[1]):
        for item in reversed(items[:-1]):
            if before[item[1] : item[1] + 1] == "は":
                return item
        return None
    return last


_BOUND = r"[a-z0-9&\u30a1-\u30fa\u30fc\u3005\u4e00-\u9fff]"
_BEHIND = rf"(?=(?:事業|地域|市場)?(?:セグメント|部門|向け)?(?!{_BOUND}))"


@lru_cache(maxsize=8)
def segment_pattern(segments: tuple[str, ...]) -> re.Pattern[str]:
    """Where folded text names one of ``segments``, the longest at a place.

    A name without 事業 or the like at its end is one only where a word begins and ends:
    日本 in 日本の売上高, not in 日本銀行 or 国内日本事業.
    """
    parts = [
        re.escape(name) if SUFFIX.search(name) else rf"(?<!{_BOUND}){re.escape(name)}{_BEHIND}"
        for name in sorted(set(segments), key=lambda name: (-len(name), name))
        if name
    ]
    return re.compile("|".join(parts) or r"(?!)")


def last_segment(text: str, segments: Sequence[str]) -> str | None:
    """The one of ``segments`` that stands last in folded ``text``; a longer name wins."""
    last = None
    for match in segment_pattern(tuple(segments)).finditer(text):
        last = match
    # アジアでは…、その他の地域では…: another part has taken over, one without a name.
    return None if last is None or _REST.search(text, last.end()) else last.group()


def stem_of(name: str) -> str:
    """A folded segment name without its suffix and separators (工作機械事業 → 工作機械)."""
    return _BREAKS.sub("", SUFFIX.sub("", name))


def labels_differ(claimed: Label, found: Label) -> str:
    """The kind of label that both know and that differs (item, segment, period), or ''."""
    for kind in ("item", "segment", "period"):
        a, b = getattr(claimed, kind), getattr(found, kind)
        if a is not None and b is not None and a != b and _comparable(kind, a, b):
            return kind
    return ""


def _comparable(kind: str, a: str, b: str) -> bool:
    """Whether two values of a label that are not the same mean two things."""
    if kind == "item":
        return items_differ(a, b)
    return kind != "period" or times_differ(a, b)
