"""A workspace on an empty home, and the sample corpus."""

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from g2_pipelines.commands.demo import corpus
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.settings import Settings
from g2_pipelines_tests.defs.sensing import Ticker


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    """A workspace with default settings, whatever the environment says."""
    return Workspace(Settings(_env_file=None, home=str(tmp_path / "home")))


@pytest.fixture(scope="session")
def sample() -> Path:
    """The folder of the sample corpus."""
    return corpus()


@pytest.fixture
def ticker(ws: Workspace) -> Iterator[Ticker]:
    """The sensors of the workspace on an instance of their own."""
    with dg.DagsterInstance.ephemeral() as instance:
        yield Ticker(ws, instance)
