"""The joints ask for the next step once a run has ended, for what it changed, and only once."""

from pathlib import Path

import dagster as dg
import pytest

from g2_pipelines.defs import orphans, specs
from g2_pipelines.defs.chain import ChainCursor, new_versions, news
from g2_pipelines.defs.partitions import companies, documents
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.settings import Settings
from g2_pipelines_tests.defs.sensing import Ticker

SUMMARIES = "summaries_after_sources"
TARGET = specs.pre_summaries("environment")


def add(ticker: Ticker, *keys: str) -> None:
    ticker.instance.add_dynamic_partitions(companies.name, list(keys))


def event_of(ticker: Ticker, run: dg.DagsterRun, key: dg.AssetKey, partition: str) -> None:
    """A materialization that ``run`` reported."""
    from dagster._core.events import DagsterEvent, StepMaterializationData

    made = dg.AssetMaterialization(key, partition=partition, tags={"dagster/data_version": "v1"})
    ticker.instance.report_dagster_event(
        DagsterEvent(
            event_type_value=dg.DagsterEventType.ASSET_MATERIALIZATION.value,
            job_name=run.job_name,
            event_specific_data=StepMaterializationData(made),
        ),
        run_id=run.run_id,
    )


def test_the_changed_partitions_are_asked_for_in_ranges(ticker: Ticker):
    add(ticker, "A", "B", "C", "D")
    for key in "ABD":
        ticker.report(specs.SOURCE_SPLITS, key, "v1")
    assert ticker.asked(SUMMARIES) == [["A", "B"], ["D"]]
    assert ticker.words(SUMMARIES) == "Nothing new"


def test_an_unchanged_digest_asks_for_nothing(ticker: Ticker):
    """A filing read again to the same text must not pay for its summaries again."""
    add(ticker, "A", "B")
    for key in "AB":
        ticker.report(specs.SOURCE_SPLITS, key, "v1")
        ticker.report(TARGET, key, "s1", {"source_splits": "v1"})
    ticker.asked(SUMMARIES)
    ticker.report(specs.SOURCE_SPLITS, "A", "v1")
    ticker.report(specs.SOURCE_SPLITS, "B", "v2")
    assert ticker.asked(SUMMARIES) == [["B"]]


def test_what_a_run_reported_waits_for_the_runs_end(ticker: Ticker):
    """Its batch may be about to report more of the same company."""
    add(ticker, "A")
    run = ticker.run("sources", {}, dg.DagsterRunStatus.STARTED)
    event_of(ticker, run, specs.SOURCE_SPLITS, "A")
    assert ticker.words(SUMMARIES) == "Nothing new"
    ticker.instance.report_run_failed(run)
    assert ticker.asked(SUMMARIES) == [["A"]]


def test_a_run_whose_process_is_gone_is_ended_and_what_it_reported_goes_on(ticker: Ticker):
    """Dagster shows it as started for ever, and what waits for its end would wait as long."""
    add(ticker, "A")
    here = orphans.process_tags()
    gone = {**here, orphans.PROCESS: "999999999:1"}
    dead = ticker.run("sources", gone, dg.DagsterRunStatus.STARTED)
    event_of(ticker, dead, specs.SOURCE_SPLITS, "A")
    alive = ticker.run("sources", here, dg.DagsterRunStatus.STARTED)
    elsewhere = {**gone, orphans.HOST: "another-machine"}
    other = ticker.run("sources", elsewhere, dg.DagsterRunStatus.STARTED)
    assert ticker.asked(SUMMARIES) == [["A"]]
    states = [ticker.instance.get_run_by_id(r.run_id).status.value for r in (dead, alive, other)]
    assert states == ["FAILURE", "STARTED", "STARTED"]


def test_a_partition_whose_next_run_waits_to_begin_is_not_asked_for_twice(ticker: Ticker):
    add(ticker, "A", "B")
    for key in "AB":
        ticker.report(specs.SOURCE_SPLITS, key, "v1")
    [request], _ = ticker.tick(SUMMARIES)
    run = ticker.queue(request)
    ticker.report(specs.SOURCE_SPLITS, "A", "v2")
    assert ticker.words(SUMMARIES) == "Nothing new"
    ticker.instance.report_run_failed(run)
    ticker.report(specs.SOURCE_SPLITS, "B", "v2")
    assert ticker.asked(SUMMARIES) == [["B"]]


def test_a_lost_tick_asks_again_under_the_same_run_key(ticker: Ticker):
    add(ticker, "A")
    ticker.report(specs.SOURCE_SPLITS, "A", "v1")
    [first], _ = ticker.tick(SUMMARIES, lost=True)
    [second], _ = ticker.tick(SUMMARIES)
    assert first.run_key == second.run_key


def test_a_key_that_was_taken_away_is_not_asked_for(ticker: Ticker):
    """A range that names it would fail the whole run."""
    add(ticker, "A", "B")
    for key in "AB":
        ticker.report(specs.SOURCE_SPLITS, key, "v1")
    ticker.instance.delete_dynamic_partition(companies.name, "A")
    assert ticker.asked(SUMMARIES) == [["B"]]


def test_a_paid_engine_waits_for_a_person_and_its_judgement_does_not(
    tmp_path: Path, ticker: Ticker
):
    add(ticker, "A")
    ticker.instance.add_dynamic_partitions(documents.name, ["D"])
    ticker.report(specs.SOURCE_SPLITS, "A", "v1")
    ticker.report(specs.DOCUMENT_NODES, "D", "v1")
    ticker.report(specs.final_summaries("issues"), "A", "v1")
    settings = Settings(_env_file=None, home=str(tmp_path / "home"), engine="openai")
    paid = Ticker(Workspace(settings), ticker.instance)
    assert "may cost money" in paid.words(SUMMARIES)
    assert "may cost money" in paid.words("graph_after_documents")
    assert paid.asked("judgement_after_summaries") == [["A"]]


def test_one_changed_aspect_asks_for_the_companys_judgement_once(ticker: Ticker):
    add(ticker, "A")
    for aspect in ("environment", "issues", "outlook", "strengths"):
        ticker.report(specs.final_summaries(aspect), "A", "v1")
    assert ticker.asked("judgement_after_summaries") == [["A"]]


def test_more_events_than_a_tick_reads_come_with_the_next(
    ticker: Ticker, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("g2_pipelines.defs.chain.PAGE", 2)
    for key in "ABCDE":
        ticker.report(specs.SOURCE_SPLITS, key, "v1")
    seen, cursor = [], ChainCursor()
    for _ in range(4):
        found, cursor = new_versions(ticker.instance, [specs.SOURCE_SPLITS], cursor)
        seen.append(sorted(found))
    assert seen == [["A", "B"], ["C", "D"], ["E"], []]


def test_news_reads_every_partitions_own_last_event(
    ticker: Ticker, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("g2_pipelines.defs.chain.PAGE", 2)
    for key in "ABC":
        ticker.report(TARGET, key, "old", {"source_splits": "v0"})
        ticker.report(TARGET, key, "new", {"source_splits": "v1"})
    found = {key: {"source_splits": "v1"} for key in "ABC"} | {"D": {"source_splits": "v1"}}
    assert set(news(ticker.instance, TARGET, found)) == {"D"}
    assert news(ticker.instance, TARGET, {}) == {}


def test_an_unreadable_cursor_starts_from_the_beginning():
    assert ChainCursor.parse("nonsense") == ChainCursor()
    assert ChainCursor.parse(None) == ChainCursor()
