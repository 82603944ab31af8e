"""A chain that a shell runs itself is not run again by the sensors; equal rows start nothing."""

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from g2_pipelines.commands.runs import run_chain
from g2_pipelines.defs import specs
from g2_pipelines.defs.instance import open_instance
from g2_pipelines.defs.joints import JOINT, PARENT
from g2_pipelines.defs.manifest import read_manifest
from g2_pipelines.defs.orphans import PROCESS, process_tags
from g2_pipelines.defs.partitions import companies
from g2_pipelines.defs.register import register
from g2_pipelines.defs.shell_chains import NEXT, ShellChain, will_run
from g2_pipelines.defs.steps import op_name
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines_tests.defs.sensing import Ticker
from g2_pipelines_tests.defs.test_chain import TARGET, event_of

SUMMARIES, JUDGEMENT = "summaries_after_sources", "judgement_after_summaries"
JOINTS = (SUMMARIES, JUDGEMENT, "graph_after_documents")
STEPS = ("sources", "summaries", "judgement")


@pytest.fixture
def real(ws: Workspace, sample: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ticker]:
    """Both companies' files registered, and the sensors on the home's own instance."""
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    for row in read_manifest((sample / "manifest.csv").read_bytes(), "manifest.csv").values():
        if not row.file.startswith("pdfs/"):
            name = Path(row.file).name
            register(ws, (sample / row.file).read_bytes(), row.model_copy(update={"file": name}))
    with open_instance(ws.home) as instance:
        yield Ticker(ws, instance)


def shell_run(ticker: Ticker, chain: ShellChain, **other: str) -> None:
    """The run of ``sources`` of a shell's chain, which ended and reported the splits of A."""
    ticker.instance.add_dynamic_partitions(companies.name, ["A"])
    tags = {**process_tags(), **chain.tags("sources"), **other}
    run = ticker.run("sources", tags, dg.DagsterRunStatus.STARTED)
    event_of(ticker, run, specs.SOURCE_SPLITS, "A")
    ticker.instance.report_run_failed(run)


def test_a_chain_run_by_a_shell_is_not_asked_for_again_nor_when_its_rows_are_equal(real: Ticker):
    for keys in (["E99001"], ["E99001"], ["E99001", "E99002"], ["E99002"]):
        outcomes = run_chain(real.ws, "companies", keys)
        assert [outcome.success for outcome in outcomes] == [True, True, True]
        assert [real.words(joint) for joint in JOINTS] == ["Nothing new"] * 3


def test_a_step_that_the_shell_left_out_is_asked_for(real: Ticker):
    run_chain(real.ws, "companies", ["E99001"], steps=["sources"])
    assert real.asked(SUMMARIES) == [["E99001"]]


def test_between_two_steps_of_a_shell_its_later_steps_are_its_own(ticker: Ticker):
    chain = ShellChain(STEPS)
    shell_run(ticker, chain)
    assert ticker.words(SUMMARIES) == "Nothing new"
    ticker.report(TARGET, "A", "s1", {"source_splits": "v1"})
    chain.end(ticker.instance)
    assert ticker.words(SUMMARIES) == "Nothing new"


def test_what_a_shell_did_not_come_to_is_asked_for_once_it_ended(ticker: Ticker):
    chain = ShellChain(STEPS)
    shell_run(ticker, chain)
    assert ticker.words(SUMMARIES) == "Nothing new"
    chain.end(ticker.instance)
    assert ticker.asked(SUMMARIES) == [["A"]]


def test_a_killed_shells_later_steps_are_asked_for(ticker: Ticker):
    shell_run(ticker, ShellChain(STEPS), **{PROCESS: "999999999:1"})
    assert ticker.asked(SUMMARIES) == [["A"]]


def test_what_is_in_no_chain_is_nobodys():
    assert not will_run(process_tags(), "")
    assert not will_run(process_tags(), "summaries")
    assert will_run(process_tags() | ShellChain(STEPS).tags("sources"), "summaries")
    assert not will_run(process_tags() | ShellChain(STEPS).tags("sources"), "graph")


def test_a_chain_names_what_follows_each_of_its_steps():
    chain = ShellChain(STEPS)
    assert [chain.tags(step).get(NEXT, "") for step in STEPS] == [
        "summaries,judgement",
        "judgement",
        "",
    ]


def test_a_run_that_began_after_its_input_was_made_is_not_asked_for_twice(ticker: Ticker):
    ticker.instance.add_dynamic_partitions(companies.name, ["A", "B"])
    for key in "AB":
        ticker.report(specs.SOURCE_SPLITS, key, "v1")
    run = ticker.run("summaries", {"dagster/partition": "B"}, dg.DagsterRunStatus.STARTING)
    from dagster._core.events import DagsterEvent

    ticker.instance.report_dagster_event(
        DagsterEvent(dg.DagsterEventType.RUN_START.value, run.job_name), run.run_id
    )
    assert ticker.asked(SUMMARIES) == [["A"]]


def test_a_requested_run_leaves_what_was_made_before_it_started(real: Ticker):
    """And does it where somebody launches the same run again."""
    run_chain(real.ws, "companies", ["E99001", "E99002"], steps=["sources"])
    requests, _ = real.tick(SUMMARIES)
    assert {request.tags[JOINT] for request in requests} == {SUMMARIES}
    run_chain(real.ws, "companies", ["E99001"], steps=["summaries"])
    made: list[tuple[list[str], set[str]]] = []
    for again in ({}, {PARENT: "another"}):
        for request in requests:
            result = real.defs.resolve_job_def("summaries").execute_in_process(
                instance=real.instance,
                tags={**request.tags, **again},
                run_config=request.run_config,
            )
            assert result.success
            assert op_name("summaries") in request.run_config["ops"]
            records = real.instance.fetch_materializations(
                dg.AssetRecordsFilter(specs.final_summaries("issues")), limit=100
            ).records
            mine = {r.partition_key for r in records if r.run_id == result.run_id}
            made.append((real.keys(request.tags), {key for key in mine if key}))
    half = len(requests)
    assert made[:half] == [(keys, set(keys) - {"E99001"}) for keys, _ in made[:half]]
    assert made[half:] == [(keys, set(keys)) for keys, _ in made[half:]]
