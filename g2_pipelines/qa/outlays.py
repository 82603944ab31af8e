"""Lines of costs that accounts print in brackets: how far they rose is told by their size.

Here: ``in_magnitudes``. Used by ``sides``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.tables.line2 import CopiedValue
from g2_pipelines.text.fold import fold_text

_OUTLAY = re.compile(
    r"\b(?:costs?|expens\w*|charges?|tax(?:es|ation)?|depreciation|amorti[sz]ation|impairments?|"
    r"interest paid|purchases?|payments?|capital expenditure|dividends paid|write-?downs?|provisions?)\b"
    r"|原価|費用|[^\W\d_]費|減価償却|税金|法人税|支払|による支出|減損|繰入"
)
#: Lines that hold such a word and are a result all the same.
_RESULT = re.compile(
    r"\b(?:before|after|net of|profit|income from|benefit)\b|前当期|調整前|利益|控除前|控除後"
)
_NEGATIVE = re.compile(
    r"^\s*[$€£¥]?\s*[(（]?\s*[▲△−–-]?\s*[$€£¥]?\s*(?P<size>\d[\d,.]*)\s*[)）]?\s*$"
)


def in_magnitudes(values: Sequence[CopiedValue]) -> list[CopiedValue]:
    """The values of one line of costs, all written as negative, without their signs; any
    others as they are: a cost of (4,365) after (4,000) has risen.
    """
    sizes = [_size(value) for value in values]
    if not all(sizes):
        return list(values)
    return [
        value.model_copy(update={"text": size}) for value, size in zip(values, sizes, strict=True)
    ]


def _size(value: CopiedValue) -> str:
    """The digits of a negative amount of costs, "" for anything else."""
    label, text = fold_text(value.label), value.text
    if not _OUTLAY.search(label) or _RESULT.search(label):
        return ""
    found = _NEGATIVE.match(text)
    if found is None or found["size"] == text.strip():
        return ""
    return found["size"]
