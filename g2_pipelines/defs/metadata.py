"""Metadata that lets the UI explain itself: column schemas, previews, links, counts.

Here: plain values turned into Dagster metadata. What is reported stands with each asset.

https://docs.dagster.io/guides/build/assets/metadata-and-tags
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import dagster as dg
import polars as pl
from upath import UPath

from g2_pipelines.tables.paths import Home
from g2_pipelines.tables.rows import Row, schema_of

PREVIEW_ROWS = 5
PREVIEW_CHARACTERS = 120


def column_schema(model: type[Row]) -> dg.TableSchema:
    """The table's columns and types as Dagster shows them in the catalogue."""
    return dg.TableSchema(
        columns=[
            dg.TableColumn(name=name, type=_short(dtype))
            for name, dtype in schema_of(model).items()
        ]
    )


def _short(dtype: pl.DataType) -> str:
    if isinstance(dtype, pl.List):
        inner = dtype.inner
        return f"List[{_short(inner) if isinstance(inner, pl.DataType) else inner}]"
    return "Struct" if isinstance(dtype, pl.Struct) else str(dtype)


def clip(text: str, length: int = PREVIEW_CHARACTERS) -> str:
    """``text`` on one line, at most ``length`` characters, with … where it was cut."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1] + "…"


def preview(rows: Sequence[Row], columns: Sequence[str]) -> dg.MarkdownMetadataValue:
    """The first rows as a Markdown table of some columns, cells clipped and escaped."""
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    for row in rows[:PREVIEW_ROWS]:
        cells = (_cell(getattr(row, name)) for name in columns)
        lines.append("| " + " | ".join(cells) + " |")
    if len(rows) > PREVIEW_ROWS:
        lines.append(f"\n{len(rows) - PREVIEW_ROWS} more rows")
    return dg.MetadataValue.md("\n".join(lines))


def _cell(value: object) -> str:
    text = clip(str(value) if value is not None else "")
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def table_metadata(
    rows: Sequence[Row], columns: Sequence[str], path: UPath, **more: Any
) -> Mapping[str, Any]:
    """Row count, preview, place and ``more`` for one stored table."""
    return {
        "dagster/row_count": len(rows),
        "dagster/uri": str(path),
        "preview": preview(rows, columns),
        **more,
    }


def page_link(home: Home, page: UPath, pages_url: str) -> dg.UrlMetadataValue:
    """A link that opens a page below G2_HOME/pages in the browser."""
    relative = str(page).removeprefix(str(home.pages)).lstrip("/")
    return dg.MetadataValue.url(f"{pages_url.rstrip('/')}/{relative}")


def picture(svg: str) -> dg.MarkdownMetadataValue:
    """An SVG as a Markdown picture."""
    data = base64.b64encode(svg.encode()).decode()
    return dg.MetadataValue.md(f"![plot](data:image/svg+xml;base64,{data})")
