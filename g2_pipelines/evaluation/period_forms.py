"""What a period's key also says: when one written period supports another.

Here: ``holds``. Only modules of this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator


def holds(source: str, claim: str) -> bool:
    """True where a source that says ``source`` supports ``claim``."""
    if source == claim:
        return True
    return any(form in set(_forms(source)) for form in (claim, *_names(claim)))


def _forms(key: str) -> Iterator[str]:
    """What a period's key also says: its month and year, and the fiscal year it ends."""
    parts = key.split("-")
    if re.fullmatch(r"\d{4}(?:-\d\d){1,2}", key):
        yield parts[0]
        yield "-".join(parts[:2])
        yield f"FY{parts[0]}-{parts[1]}"
        yield f"--{parts[1]}"
        if len(parts) == 3:
            yield f"--{parts[1]}-{parts[2]}"
    elif re.match(r"FY\d{4}-\d\d", key):
        yield "-".join(parts[:2])
        yield f"{parts[0][2:]}-{parts[1]}"
        yield parts[0][2:]
        yield from parts[2:]
    elif re.fullmatch(r"FY\d{4}(?:-.*)?", key):
        yield parts[0]
        yield parts[0][2:]
        yield from parts[1:]
    yield key


def _names(claim: str) -> Iterator[str]:
    """Other keys by which a source may mean the claimed fiscal year: 2024年度 ends 2025年3月."""
    named = re.fullmatch(r"FY(\d{4})", claim)
    if named:
        year = int(named[1])
        yield f"FY{year + 1}-03"
        yield f"FY{year}-12"
    ended = re.fullmatch(r"FY(\d{4})-(\d\d)", claim)
    if ended:
        yield f"{ended[1]}-{ended[2]}"
        yield f"FY{int(ended[1]) - (1 if int(ended[2]) < 12 else 0)}"
