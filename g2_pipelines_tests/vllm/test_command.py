"""A Dagster run with a model inside, started from a shell as a person would."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from benchmarks.vllm_server import MODELS, ROOT
from g2_pipelines_tests.vllm.test_lines import short_briefs

G2 = Path(sys.executable).parent / "g2"
FILING = ROOT / "g2_pipelines" / "corpus" / "filings" / "S9000A01.zip"


def g2(home: Path, *words: str) -> tuple[int, dict[str, Any]]:
    """Exit code and the one JSON document on stdout."""
    environment = {
        **os.environ,
        "G2_HOME": str(home),
        "G2_ENGINE": "vllm",
        "G2_MODEL": str(MODELS / "qwen3"),
        "G2_VLLM_MAX_MODEL_LEN": "16384",
        "G2_VLLM_OPTIONS": '{"dtype": "bfloat16", "enforce_eager": true}',
        "G2_ASPECTS_FILE": str(home / "aspects.yaml"),
    }
    ended = subprocess.run(
        [str(G2), *words, "--json"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=1_200,
    )
    return ended.returncode, json.loads(ended.stdout)


def test_a_brief_of_a_model_without_sense_is_red_typed_and_counted(tmp_path: Path) -> None:
    """The library's log must not stand in the JSON, and nonsense must not become a brief."""
    config = short_briefs().model_dump(mode="json", exclude_none=True)
    (tmp_path / "aspects.yaml").write_text(yaml.safe_dump(config, allow_unicode=True))
    code, added = g2(tmp_path, "add", str(FILING))
    assert code == 3, added
    (file,) = added["files"]
    assert (file["type"], file["state"]) == ("filing", "failed")
    assert file["error"]["code"] in {"bad_text", "truncated_answer"}
    assert file["error"]["place"] in {"pre_summary", "final_summary"}
    assert file["error"]["remedy"]
    code, costs = g2(tmp_path, "costs")
    assert code == 0
    (row,) = [row for row in costs["rows"] if row["group"] == "pre_summary"]
    assert row["sent"] >= 4
    assert row["prompt_tokens"] > 0
