"""A registered filing, read; the last few are kept for the stages that follow.

Here: from registry entry to ``ReadFiling``. What is read stands in ``edinet``, who reads it in
``assets.filings`` and ``assets.sources``. Nothing here knows Dagster.

``filings`` and ``filing_sections`` of a company need the same filings one after the other,
and reading one costs as much as storing all that comes of it.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from g2_pipelines.defs.registry import Registry

if TYPE_CHECKING:
    from g2_pipelines.edinet.filing import ReadFiling

#: A company's year is a report and its corrections; each held takes some megabytes.
_KEPT = 4


class FilingReader:
    """Reads originals of one registry by their digest."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._kept: OrderedDict[tuple[str, str, str, str | None], ReadFiling] = OrderedDict()

    def read(
        self, *, digest: str, raw: str, document_id: str, document_type: str, amends: str | None
    ) -> ReadFiling:
        """The filing with its facts; errors as ``edinet.filing.read_filing`` and the registry.

        Kept ones are known by the original's digest and by what the reading was told, so that
        a kept one is never another.
        """
        from g2_pipelines.edinet.filing import read_filing

        key = (digest, document_id, document_type, amends)
        if key not in self._kept:
            with self._registry.local_copy(digest, raw) as file:
                self._kept[key] = read_filing(
                    file, document_id=document_id, document_type=document_type, amends=amends
                )
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return self._kept[key]
