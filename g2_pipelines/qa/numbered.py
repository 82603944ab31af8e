"""Numbers that only count a table's columns or rows. Here: ``counts_columns`` and ``counts_rows``.

Official tables number their columns in a row of their own, «(1) (2) (3)», below the headers, and
their rows in the first column, «1. 2. 3.». Neither is a value or a label. Used by ``grids``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.text.fold import fold_text

_BRACKETED = re.compile(r"\((\d{1,2})\)")
_SERIAL = re.compile(r"\(?(\d{1,4})[.)]?")
_FEWEST = 3


def counts_columns(row: Sequence[str]) -> bool:
    """True for «(1)», «(2)», … over all columns."""
    found = [_BRACKETED.fullmatch(fold_text(cell).strip()) for cell in row]
    return len(row) >= _FEWEST and [match and int(match[1]) for match in found] == list(
        range(1, len(row) + 1)
    )


def counts_rows(cells: Sequence[str]) -> bool:
    """True for 1, 2, 3 … in a column, each one more than the last, from 1."""
    found = [_SERIAL.fullmatch(fold_text(cell).strip()) for cell in cells]
    return len(cells) >= _FEWEST and [match and int(match[1]) for match in found] == list(
        range(1, len(cells) + 1)
    )
