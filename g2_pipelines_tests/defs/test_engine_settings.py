"""From settings to an engine's configuration."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.models.config import ModelConfig, VllmConfig
from g2_pipelines.models.errors import BadModelSettingsError
from g2_pipelines.settings import Settings


def config_of(home: Path, **fields: object) -> ModelConfig | VllmConfig:
    settings = Settings.model_validate({"home": str(home), **fields})
    return Workspace(settings).model_config()


def test_a_model_in_process_takes_a_batch_of_its_own_size_unless_one_is_set(
    tmp_path: Path,
) -> None:
    """16 calls at once suit a server that others use; a GPU of our own would idle."""
    given = {"engine": "vllm", "model": "/models/qwen3"}
    config = config_of(tmp_path, **given)
    assert isinstance(config, VllmConfig)
    assert config.concurrency == VllmConfig().concurrency == 64
    assert config_of(tmp_path, concurrency=16, **given).concurrency == 16


def test_context_options_and_template_reach_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("G2_VLLM_OPTIONS", '{"tensor_parallel_size": 2}')
    monkeypatch.setenv("G2_VLLM_TEMPLATE", '{"enable_thinking": false}')
    monkeypatch.setenv("G2_VLLM_MAX_MODEL_LEN", "32768")
    config = config_of(tmp_path, engine="vllm", model="m", model_revision="r1")
    assert isinstance(config, VllmConfig)
    assert config.options == {"tensor_parallel_size": 2}
    assert config.template == {"enable_thinking": False}
    assert (config.max_model_len, config.revision) == (32_768, "r1")


def test_a_server_keeps_its_settings(tmp_path: Path) -> None:
    config = config_of(tmp_path, engine="openai", base_url="http://a/v1", model="m")
    assert isinstance(config, ModelConfig)
    assert (config.base_url, config.concurrency) == ("http://a/v1", 16)


def test_an_engine_without_a_model_is_refused_before_a_run_begins(tmp_path: Path) -> None:
    settings = Settings.model_validate({"home": str(tmp_path), "engine": "vllm"})
    with pytest.raises(BadModelSettingsError) as raised:
        Workspace(settings).completion()
    assert raised.value.place == "model"
