"""docs/schemas says what the commands print; G2_RENEW_SCHEMAS=1 writes it anew."""

import json
import os
from pathlib import Path

import pytest

from g2_pipelines.commands.outputs import OUTPUTS

FOLDER = Path(__file__).parents[1] / "docs" / "schemas"


@pytest.mark.parametrize("command", sorted(OUTPUTS))
def test_the_schema_in_the_docs_is_the_commands_own(command: str):
    """Programs read our JSON by these files: a field that goes must be seen in a review."""
    schema = OUTPUTS[command].model_json_schema()
    path = FOLDER / f"{command}.json"
    if os.environ.get("G2_RENEW_SCHEMAS"):
        path.write_text(json.dumps(schema, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    assert json.loads(path.read_text(encoding="utf-8")) == schema


def test_no_schema_is_left_over():
    assert {path.stem for path in FOLDER.glob("*.json")} == set(OUTPUTS)
