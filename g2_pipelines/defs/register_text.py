"""Taking in a company text: analyst report, product text, news, as a source type reads them.

Here: one file under one type for one company. The types are those of the configured source
types with ``reader: company_text``. Nothing here knows Dagster.
"""

from __future__ import annotations

from g2_pipelines.briefs.config import BriefConfig
from g2_pipelines.defs.registry import TextEntry
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import InputError
from g2_pipelines.keys import check_fiscal_year, check_key


class UnknownTextTypeError(InputError):
    """No configured source type reads texts of this type."""

    code = "unknown_text_type"


def text_types(config: BriefConfig) -> list[str]:
    """The types under which texts are registered, in the configuration's order."""
    return [source.text_type for source in config.source_types if source.reader == "company_text"]


def register_text(
    ws: Workspace,
    content: bytes,
    name: str,
    *,
    text_type: str,
    company: str | None,
    fiscal_year: str | None,
    url: str | None = None,
) -> tuple[TextEntry, bool]:
    """Register a text; (entry, whether it is news). Without a fiscal year it is of every year.

    A text takes the place of the one of its company, type, year and file name.

    Raises:
        InputError: no company, an unknown type, a bad year.
    """
    known = text_types(ws.brief_config)
    if text_type not in known:
        raise UnknownTextTypeError(
            f"No source type reads texts of the type {text_type[:60]!r}",
            file=name,
            place="type",
            remedy=f"Use one of {', '.join(known)}"
            if known
            else "Switch on a source type with reader: company_text, e.g. G2_ASPECTS_FILE=sales_talk",
        )
    if not company:
        raise InputError(
            "A text does not say its company", file=name, remedy="Give --company, or a manifest"
        )
    code = check_key(company, "EDINET code")
    year = check_fiscal_year(fiscal_year) if fiscal_year else None
    kept = ws.registry.keep(content, "texts", name)
    entry = TextEntry(
        **kept.model_dump(), edinet_code=code, fiscal_year=year, text_type=text_type, url=url
    )
    for other in ws.registry.texts(code):
        same = (other.name, other.text_type, other.fiscal_year) == (name, text_type, year)
        if same and other.digest != entry.digest:
            ws.registry.drop_text(other)
    return entry, ws.registry.add_text(entry)
