"""Which pre-summaries a final summary may be made of."""

from __future__ import annotations

import pytest

from g2_pipelines.briefs.config import load_config
from g2_pipelines.briefs.extractive_final import ExtractiveFinalSummarizer
from g2_pipelines.briefs.final_summaries import (
    NoPreSummariesError,
    WrongPreSummariesError,
    finalize,
)
from g2_pipelines.tables.line1 import Strategy, Summary
from g2_pipelines_tests.briefs.material import (
    COMPANY,
    TOKENS,
    both_sections,
    extractive_brief,
    run,
    splits_of,
)


def final(rows: list[Summary], aspect: str = "issues", strategy: Strategy = "aspect") -> Summary:
    config = load_config(None)
    return run(
        finalize(
            rows,
            company=COMPANY,
            aspect=config.aspect(aspect),
            config=config,
            summarizer=ExtractiveFinalSummarizer(),
            tokenizer=TOKENS,
            strategy=strategy,
        )
    )


def pre_summaries(aspect: str = "issues", *, simple: bool = False) -> list[Summary]:
    rows, _ = extractive_brief(
        splits_of(both_sections(), with_call=True), load_config(None), aspect, simple=simple
    )
    return rows


def test_no_pre_summary_is_not_yet_and_not_an_empty_text() -> None:
    with pytest.raises(NoPreSummariesError):
        final([])


def test_a_pre_summary_of_another_aspect_is_refused() -> None:
    with pytest.raises(WrongPreSummariesError):
        final(pre_summaries("outlook"), "issues")


def test_simple_pre_summaries_serve_the_simple_strategy_only() -> None:
    rows = pre_summaries(simple=True)
    assert final(rows, strategy="simple").strategy == "simple"
    with pytest.raises(WrongPreSummariesError):
        final(rows)


def test_pre_summaries_of_two_years_are_refused() -> None:
    rows = pre_summaries()
    rows[1] = rows[1].model_copy(update={"fiscal_year": "2024-03"})
    with pytest.raises(WrongPreSummariesError):
        final(rows)


def test_a_final_summary_draws_on_every_source_that_says_something() -> None:
    made = final(pre_summaries("issues"))
    sources = {span.source_id for one in made.sentences for span in one.spans}
    assert sources == {"filing:S9000C01:policy:0", "transcript:call-1"}
    assert made.source_type == ""


def test_simple_pre_summaries_give_only_sentences_of_the_aspect() -> None:
    made = final(pre_summaries(simple=True), "strengths", "simple")
    assert "強み" in made.text
    assert "売上高は" not in made.text


def test_warnings_of_the_pre_summaries_are_kept() -> None:
    rows = [row.model_copy(update={"warnings": ["long"]}) for row in pre_summaries()]
    assert final(rows).warnings == ["long"]
