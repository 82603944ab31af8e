"""The extractive engine on real annual reports: what the brief promises holds there too."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2_pipelines.briefs.config import load_config
from g2_pipelines.briefs.extractive import ExtractivePreSummarizer
from g2_pipelines.briefs.extractive_final import ExtractiveFinalSummarizer
from g2_pipelines.briefs.final_summaries import finalize
from g2_pipelines.briefs.page import brief_page
from g2_pipelines.briefs.pre_summaries import pre_summarize
from g2_pipelines.briefs.sources import make_splits
from g2_pipelines.edinet.filing import read_filing
from g2_pipelines.tables.line1 import Company, Summary
from g2_pipelines.text.overlap import ngram_overlap
from g2_pipelines.text.spans import slice_span
from g2_pipelines.text.tokens import tokenizer
from g2_pipelines_tests.briefs.material import plain_view, run
from g2_pipelines_tests.briefs.test_page import read

SMALL = ["S100TMMG", "S100U4EY"]
LARGE = [
    "S100AJZW",
    "S100DE5C",
    "S100MMP3",
    "S100T45G",
    "S100TBUZ",
    "S100TP3N",
    "S100TQWG",
    "S100TR7I",
]


@pytest.mark.parametrize(
    "document",
    [*SMALL, *(pytest.param(one, marks=pytest.mark.slow) for one in LARGE)],
)
def test_a_real_report_gives_a_brief_of_its_own_sentences(shared_data: Path, document: str) -> None:
    """Budgets hold, spans lead to their characters, and no two aspects read alike."""
    filing = read_filing(shared_data / "edinet" / "filings" / f"{document}.zip", with_facts=False)
    config, count = load_config(None), tokenizer("qwen3")
    company = Company(edinet_code=filing.filing.edinet_code, name=filing.filing.filer_name)
    splits = make_splits(
        sections=filing.sections,
        transcripts=[],
        turns=[],
        chunks=[],
        config=config,
        tokenizer=count,
        model_view=plain_view,
    )
    texts = {row.source_id: row.text for row in filing.sections}
    finals: list[Summary] = []
    for aspect in config.aspects:
        pre = run(
            pre_summarize(
                splits,
                company=company,
                aspect=aspect,
                config=config,
                summarizer=ExtractivePreSummarizer(),
                tokenizer=count,
            )
        )
        assert all(
            row.tokens <= config.source_type(row.source_type).pre_summary_tokens for row in pre
        )
        finals.append(
            run(
                finalize(
                    pre,
                    company=company,
                    aspect=aspect,
                    config=config,
                    summarizer=ExtractiveFinalSummarizer(),
                    tokenizer=count,
                    strategy="aspect",
                )
            )
        )
    said = [row for row in finals if not row.nothing_found]
    assert {row.aspect for row in said} >= {"environment", "outlook"}
    for row in said:
        assert row.tokens <= config.final_tokens
        for one in row.sentences:
            quoted = "".join(slice_span(span, texts) for span in one.spans)
            assert quoted == row.text[one.start : one.end]
    for place, left in enumerate(said):
        for right in said[place + 1 :]:
            assert ngram_overlap(left.text, right.text) <= 0.25
    reader = read(
        brief_page(
            company=company,
            fiscal_year=filing.filing.fiscal_year,
            config=config,
            summaries=finals,
            sections=filing.sections,
        )
    )
    assert set(reader.links) <= {f"#{one}" for one in reader.ids}
