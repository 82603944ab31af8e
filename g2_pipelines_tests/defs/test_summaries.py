"""The step ``summaries`` on a model server: the order of its calls, its strategies, its assets."""

from __future__ import annotations

import json
import threading
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from g2_pipelines.briefs.config import default_yaml
from g2_pipelines.defs import specs
from g2_pipelines.defs.assets.summaries import build_summaries, strategy_in_force
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.settings import Settings
from g2_pipelines.tables.line1 import SourceSplit, Summary
from g2_pipelines.tables.store import read_table, write_table
from g2_pipelines_tests.briefs.material import (
    MDNA,
    POLICY,
    YEAR,
    section,
    splits_of,
)
from g2_pipelines_tests.models.server import ModelServer, Reply, ServerRequest

ASPECTS = ("environment", "issues", "outlook", "strengths")
END = "【資料ここまで】"
#: Short budgets, so that no source is passed through.
CONFIG = default_yaml().replace("pre_summary_tokens: 1000", "pre_summary_tokens: 60")


def home_of(
    tmp_path: Path, companies: Sequence[str], *, config: str = CONFIG, **settings: Any
) -> Workspace:
    """A home in which the sources of these companies are split."""
    home = tmp_path / "home"
    home.mkdir(exist_ok=True)
    (tmp_path / "aspects.yaml").write_text(config, encoding="utf-8")
    lines = ["edinet_code,name", *(f"{code},{code}株式会社" for code in companies)]
    (home / "companies.csv").write_text("\n".join(lines), encoding="utf-8")
    given = {"home": str(home), "aspects_file": str(tmp_path / "aspects.yaml"), **settings}
    ws = Workspace(Settings(_env_file=None, **given))
    for code in companies:
        # Each company's text is its own: equal prompts would be one call.
        rows = [
            section("policy", POLICY.replace("紅葉谷", code) + f"{code}の市場は広い。\n"),
            section("mdna", MDNA + f"{code}の売上高は増加しました。\n"),
        ]
        splits = [
            row.model_copy(update={"edinet_code": code})
            for row in splits_of(rows, config=ws.brief_config)
        ]
        write_table(ws.home.table("source_splits", code), splits, SourceSplit)
    return ws


def prompted(server: ModelServer) -> dict[str, Any]:
    return {"engine": "openai", "base_url": server.base_url, "model": "test", "max_attempts": 1}


def materialize(
    ws: Workspace,
    companies: Sequence[str],
    selection: Sequence[dg.AssetKey] | None = None,
    **run: Any,
) -> dg.ExecuteInProcessResult:
    step = build_summaries(
        ws.brief_config,
        100,
        engine=ws.settings.engine,
        strategy=strategy_in_force(ws),
        concurrency=ws.settings.concurrency,
    )
    ends = {
        "dagster/asset_partition_range_start": companies[0],
        "dagster/asset_partition_range_end": companies[-1],
    }
    with dg.DagsterInstance.ephemeral() as instance:
        instance.add_dynamic_partitions("companies", list(companies))
        return dg.materialize(
            [step],
            instance=instance,
            selection=list(selection) if selection else None,
            partition_key=companies[0] if len(companies) == 1 else None,
            tags=ends if len(companies) > 1 else None,
            resources={"workspace": ws},
            run_config={"ops": {"summaries_step": {"config": {"fiscal_year": YEAR, **run}}}},
            raise_on_error=False,
        )


def prefix(request: ServerRequest) -> str:
    """What a prompt begins with, up to the document's end."""
    said = request.prompt
    return said[: said.index(END)]


def is_pre(request: ServerRequest) -> bool:
    return "の要約】" not in request.prompt


class Watched:
    """A server's script that knows whether the first call about a document was answered.

    ``leaders`` and ``followers`` are how many calls must be in flight at once: each waits for
    the others, and a call that never comes breaks the wait.
    """

    def __init__(self, leaders: int, followers: int) -> None:
        self.first = threading.Barrier(leaders, timeout=10)
        self.others = threading.Barrier(followers, timeout=10)
        self.answered: set[str] = set()
        self.seen: set[str] = set()
        self.too_early: list[int] = []
        self.lock = threading.Lock()

    def __call__(self, request: ServerRequest) -> Reply | None:
        if not is_pre(request):
            return None
        about = prefix(request)
        with self.lock:
            leads = about not in self.seen
            self.seen.add(about)
            if not leads and about not in self.answered:
                self.too_early.append(request.number)
        (self.first if leads else self.others).wait()
        if leads:
            with self.lock:
                self.answered.add(about)
        return None


def test_the_first_aspect_of_a_source_goes_alone_and_the_others_together_after_it(
    tmp_path: Path,
) -> None:
    """Sent together, four calls would compute one document four times; one after the other,
    they would take four times as long.
    """
    companies = ["E99001", "E99002", "E99003"]
    # Two sources a company: six calls lead at once, and each is followed by four.
    watch = Watched(leaders=6, followers=4)
    with ModelServer(watch) as server:
        ws = home_of(tmp_path, companies, concurrency=64, **prompted(server))
        assert materialize(ws, companies).success
        pre = [request for request in server.requests if is_pre(request)]
    assert watch.too_early == []
    by_document: dict[str, list[ServerRequest]] = defaultdict(list)
    for request in pre:
        by_document[prefix(request)].append(request)
    assert [len(calls) for calls in by_document.values()] == [5] * 6
    texts = [POLICY.replace("紅葉谷", code) for code in companies]
    assert sum(any(text in about for text in texts) for about in by_document) == 3


def test_an_aspect_made_alone_calls_for_itself_alone(tmp_path: Path) -> None:
    with ModelServer() as server:
        ws = home_of(tmp_path, ["E99001"], **prompted(server))
        keys = [specs.pre_summaries("issues")]
        assert materialize(ws, ["E99001"], keys).success
        assert server.count == 2
        assert all("「課題」" in request.prompt for request in server.requests)
        # What is cached is not sent and warms nothing: of the rest one leads again.
        assert materialize(ws, ["E99001"]).success
        assert len([r for r in server.requests if is_pre(r)]) == 10
        before = server.count
        assert materialize(ws, ["E99001"]).success
        assert server.count == before


def test_a_failed_aspect_stops_its_own_final_text_alone(tmp_path: Path) -> None:
    def script(request: ServerRequest) -> Reply | None:
        refused = is_pre(request) and "「課題」についての" in request.prompt
        return Reply(status=400, body=b'{"error": {"message": "no"}}') if refused else None

    with ModelServer(script) as server:
        ws = home_of(tmp_path, ["E99001"], **prompted(server))
        done = materialize(ws, ["E99001"])
    assert not done.success
    made = {
        event.asset_key.to_user_string()
        for event in done.get_asset_materialization_events()
        if event.asset_key
    }
    everything = {
        f"{kind}/{aspect}"
        for kind in ("pre_summaries", "final_summaries", "simple_summaries")
        for aspect in ASPECTS
    }
    failed = {"pre_summaries/issues", "final_summaries/issues"}
    assert made == everything - failed | {"simple_pre_summaries"}


def summaries(ws: Workspace, asset: dg.AssetKey) -> list[Summary]:
    return read_table(ws.home.table(specs.table_name(asset), "E99001"), Summary)


@pytest.mark.parametrize("how", ["yaml", "setting", "run"])
def test_the_strategy_is_settable_and_stands_in_every_row(tmp_path: Path, how: str) -> None:
    config = CONFIG + ("strategy: joint\n" if how == "yaml" else "")
    settings: dict[str, Any] = {"strategy": "joint"} if how == "setting" else {}
    with ModelServer() as server:
        ws = home_of(tmp_path, ["E99001"], config=config, **settings, **prompted(server))
        run = {"strategy": "joint"} if how == "run" else {}
        keys = [
            make(aspect)
            for make in (specs.pre_summaries, specs.final_summaries)
            for aspect in ASPECTS
        ]
        assert materialize(ws, ["E99001"], keys, **run).success
        # One call a source serves the four aspects.
        assert len([r for r in server.requests if is_pre(r)]) == 2
    for key in keys:
        assert {row.strategy for row in summaries(ws, key)} == {"joint"}


def test_strategies_for_comparison_are_assets_of_their_own(tmp_path: Path) -> None:
    config = (
        CONFIG
        + "compare: [simple, joint, retrieval]\nretrieval: {tokens: 200, top_k: 1, chunk_tokens: 60}\n"
    )
    with ModelServer() as server:
        ws = home_of(tmp_path, ["E99001"], config=config, **prompted(server))
        assert materialize(ws, ["E99001"]).success
    assert {row.aspect for row in summaries(ws, dg.AssetKey("joint_pre_summaries"))} == {*ASPECTS}
    for aspect in ASPECTS:
        assert specs.compared_pre_summaries("retrieval", aspect).path[-1] == aspect
        for strategy in ("simple", "joint", "retrieval"):
            [row] = summaries(ws, specs.compared_summaries(strategy, aspect))
            assert (row.aspect, row.strategy) == (aspect, strategy)
        [published] = summaries(ws, specs.final_summaries(aspect))
        assert published.strategy == "aspect"
    read = summaries(ws, specs.compared_pre_summaries("retrieval", "issues"))
    assert any("retrieval left out" in note for row in read for note in row.warnings)


def test_the_extractive_engine_has_no_joint_call_and_says_what_to_do(tmp_path: Path) -> None:
    ws = home_of(tmp_path, ["E99001"], strategy="joint")
    done = materialize(ws, ["E99001"], [specs.pre_summaries("issues")])
    assert not done.success
    [event] = [e for e in done.all_events if e.is_step_failure]
    said = json.dumps(event.step_failure_data.error.to_string(), ensure_ascii=False)
    assert "strategy_not_offered" in said or "none can be joined" in said


def test_the_extractive_engine_reads_what_retrieval_keeps(tmp_path: Path) -> None:
    config = CONFIG + "retrieval: {tokens: 200, top_k: 1, chunk_tokens: 60}\n"
    ws = home_of(tmp_path, ["E99001"], config=config, strategy="retrieval")
    assert materialize(ws, ["E99001"], [specs.pre_summaries("issues")]).success
    rows = summaries(ws, specs.pre_summaries("issues"))
    assert {row.strategy for row in rows} == {"retrieval"}
    assert all(row.engine == "extractive" for row in rows)


def assets(config: str, tmp_path: Path) -> set[str]:
    ws = home_of(tmp_path, ["E99001"], config=config)
    step = build_summaries(ws.brief_config, 100)
    return {key.to_user_string() for key in step.keys}


def test_an_aspect_in_a_yaml_file_gets_its_assets(tmp_path: Path) -> None:
    """A team adds リスク without a line of code."""
    added = assets("extends: risks\n", tmp_path) - assets("extends: default\n", tmp_path)
    assert added == {"pre_summaries/risks", "final_summaries/risks", "simple_summaries/risks"}
