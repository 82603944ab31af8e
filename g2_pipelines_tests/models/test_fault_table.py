"""Each fault of a model server ends as the table says, and costs the others nothing."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from g2_pipelines.models.config import ModelConfig
from g2_pipelines.models.errors import ModelTimeoutError
from g2_pipelines.models.openai_engine import OpenAIEngine
from g2_pipelines_tests.models.fault_table import (
    FAULTS,
    Fault,
    full_server,
    outcome_of,
    page,
    promised,
)
from g2_pipelines_tests.models.helpers import KEY, answers, ask

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_its_named_failure_and_the_other_requests_are_answered(fault: Fault) -> None:
    """Harm: one bad answer ends a night's batch, or passes for a good one."""
    found = outcome_of(fault)
    assert dataclasses.replace(found, remedy="", shown="") == promised(fault)
    if fault.failure is not None:
        assert found.remedy
    assert KEY not in found.shown


def test_a_connection_that_never_stands_ends_in_its_own_time() -> None:
    """The queue of a stuck server is full: nothing refuses, nothing answers."""
    with full_server() as url:
        config = ModelConfig(
            base_url=url, model="m", connect_timeout_s=0.3, timeout_s=60, max_attempts=1
        )
        [result] = answers(OpenAIEngine(config), [ask()])
    assert type(result) is ModelTimeoutError


def test_the_docs_table_is_the_one_that_is_tested() -> None:
    assert (DOCS / "model-faults.md").read_text(encoding="utf-8") == page(
        [(fault, promised(fault)) for fault in FAULTS]
    )
