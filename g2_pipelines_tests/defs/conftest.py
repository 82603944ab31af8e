"""A workspace on an empty home, and the sample corpus."""

from pathlib import Path

import pytest

from g2_pipelines.commands.demo import corpus
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.settings import Settings


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    """A workspace with default settings, whatever the environment says."""
    return Workspace(Settings(_env_file=None, home=str(tmp_path / "home")))


@pytest.fixture(scope="session")
def sample() -> Path:
    """The folder of the sample corpus."""
    return corpus()
