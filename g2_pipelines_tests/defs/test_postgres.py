"""Dagster's storage and the call cache on Postgres; skipped where no server can be started.

``make test-postgres`` runs it: a throw-away cluster on loopback, once for the module.
"""

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
import sqlalchemy as sa

from benchmarks import cluster
from g2_pipelines.defs import specs
from g2_pipelines.defs.instance import ENVIRONMENT
from g2_pipelines.defs.partitions import companies
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.models.build import open_ledger
from g2_pipelines.models.config import CacheConfig
from g2_pipelines.settings import Settings
from g2_pipelines_tests.defs.sensing import Ticker
from g2_pipelines_tests.defs.test_batch import FIRST, SECOND, Work, chain, run, step

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not cluster.is_there(), reason="Postgres or its driver is not installed"),
]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with cluster.cluster() as found:
        yield found


@pytest.fixture(scope="module")
def instance(url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dg.DagsterInstance]:
    """Storage as docs/scale.md says it."""
    home = tmp_path_factory.mktemp("dagster")
    (home / "dagster.yaml").write_text(
        f'telemetry: {{enabled: false}}\nstorage:\n  postgres:\n    postgres_url: "{url}"\n'
    )
    with dg.DagsterInstance.from_config(str(home)) as found:
        yield found


def test_a_batch_reports_every_partition_with_version_and_lineage(
    instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
):
    """Dagster's own bulk write keeps only the last asset's latest event of a mixed group."""
    for name, value in ENVIRONMENT.items():  # else planned events go in one by one
        monkeypatch.setenv(name, value)
    keys = [f"E{n:05}" for n in range(150)]
    work = Work()
    assert run(instance, [step("sources", chain(work))], keys).success
    for key in (FIRST, SECOND):
        assert instance.get_materialized_partitions(key) == set(keys)
        last = instance.get_latest_materialization_event(key)
        assert last is not None
        assert last.asset_materialization.asset_key == key
    [record] = instance.fetch_materializations(
        dg.AssetRecordsFilter(SECOND, asset_partitions=["E00123"]), limit=1
    ).records
    [before] = instance.fetch_materializations(
        dg.AssetRecordsFilter(FIRST, asset_partitions=["E00123"]), limit=1
    ).records
    tags = record.asset_materialization.tags
    assert tags["dagster/data_version"] == "v1-second-E00123"
    assert tags["dagster/input_data_version/first"] == "v1-first-E00123"
    assert tags["dagster/input_event_pointer/first"] == str(before.storage_id)


def test_a_joint_asks_for_what_changed(instance: dg.DagsterInstance, tmp_path: Path):
    ticker = Ticker(Workspace(Settings(_env_file=None, home=str(tmp_path))), instance)
    instance.add_dynamic_partitions(companies.name, ["P1", "P2"])
    target = specs.pre_summaries("environment")
    ticker.report(target, "P1", "s1", {"source_splits": "v1"})
    for key in ("P1", "P2"):
        ticker.report(specs.SOURCE_SPLITS, key, "v1")
    assert ticker.asked("summaries_after_sources") == [["P2"]]


@pytest.mark.parametrize("scheme", ["postgresql+psycopg2"])
def test_the_call_cache_opens_on_the_same_server(url: str, scheme: str):
    ledger = open_ledger(CacheConfig(url=url.replace("postgresql+psycopg2", scheme)))
    assert ledger.read() == []


def test_a_plain_url_is_read_as_psycopg_3(url: str):
    """The trap of which docs/scale.md warns; when this fails, take the warning out."""
    with pytest.raises(ModuleNotFoundError, match="psycopg"):
        sa.create_engine(url.replace("postgresql+psycopg2", "postgresql"))
