"""Asset keys and specs: names, descriptions, owners, kinds, column schemas, groups.

Here: what each asset is called and how the UI explains it. What an asset does stands in
``assets``; partitions in ``partitions``.

https://docs.dagster.io/guides/build/assets/metadata-and-tags
"""

from __future__ import annotations

from enum import StrEnum

import dagster as dg

from g2_pipelines.defs.metadata import column_schema
from g2_pipelines.tables.rows import Row

LINE_1 = "line_1_company_briefs"
LINE_2 = "line_2_g2_reader"


class Owner(StrEnum):
    """Who is asked when an asset fails."""

    FILINGS = "team:filings"
    MODELS = "team:models"
    GRAPH = "team:graph"


def asset_spec(
    key: dg.AssetKey,
    model: type[Row],
    *,
    group: str,
    owner: Owner,
    description: str,
    deps: tuple[dg.AssetKey | dg.AssetDep, ...] = (),
    kinds: tuple[str, ...] = ("polars", "parquet"),
    code_version: str = "1",
) -> dg.AssetSpec:
    """A spec of ours: skippable, because a batch reports its partitions itself."""
    return dg.AssetSpec(
        key,
        deps=deps,
        description=description,
        group_name=group,
        owners=[owner.value],
        kinds=set(kinds),
        code_version=code_version,
        skippable=True,
        metadata={"dagster/column_schema": column_schema(model)},
    )


def key(*path: str) -> dg.AssetKey:
    """An asset key from its path."""
    return dg.AssetKey(list(path))


COMPANIES = key("companies")
EDINET_LISTING = key("edinet_listing")
FILINGS = key("filings")
FILING_SECTIONS = key("filing_sections")
TRANSCRIPTS = key("transcripts")
TRANSCRIPT_TURNS = key("transcript_turns")
QA_CHUNKS = key("qa_chunks")
SOURCE_SPLITS = key("source_splits")
SIMPLE_PRE_SUMMARIES = key("simple_pre_summaries")
BRIEF_EVALUATIONS = key("brief_evaluations")
COMPANY_BRIEFS = key("company_briefs")
PDF_DOCUMENTS = key("pdf_documents")
DOCUMENT_NODES = key("document_nodes")
NODE_INDEX = key("node_index")
QUESTIONS = key("questions")
ANSWERS = key("answers")


def pre_summaries(aspect: str) -> dg.AssetKey:
    """``pre_summaries/{aspect}``."""
    return key("pre_summaries", aspect)


def final_summaries(aspect: str) -> dg.AssetKey:
    """``final_summaries/{aspect}``."""
    return key("final_summaries", aspect)


def simple_summaries(aspect: str) -> dg.AssetKey:
    """``simple_summaries/{aspect}``."""
    return key("simple_summaries", aspect)


def compared_pre_summaries(strategy: str, aspect: str) -> dg.AssetKey:
    """The pre-summaries of a strategy that is made for comparison.

    ``{strategy}_pre_summaries`` where one asset holds all aspects' (``simple`` knows none,
    ``joint`` makes them in one call), else ``{strategy}_pre_summaries/{aspect}``.
    """
    name = f"{strategy}_pre_summaries"
    return key(name) if strategy in ("simple", "joint") else key(name, aspect)


def compared_summaries(strategy: str, aspect: str) -> dg.AssetKey:
    """``{strategy}_summaries/{aspect}``: final texts of a strategy made for comparison."""
    return key(f"{strategy}_summaries", aspect)


def content_graph(round_: int) -> dg.AssetKey:
    """``content_graph/round_{n}``."""
    return key("content_graph", f"round_{round_}")


def table_name(asset: dg.AssetKey) -> str:
    """The name of an asset's main table, as ``Home.table`` takes it."""
    return "/".join(asset.path)
