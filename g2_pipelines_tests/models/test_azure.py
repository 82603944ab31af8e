"""Azure OpenAI by its own client class: deployment in the path, version in the query, api-key."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest

from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.models.build import build_embedding
from g2_pipelines.models.config import EmbeddingConfig
from g2_pipelines.models.errors import RefusedKeyError
from g2_pipelines.models.openai_engine import OpenAIEngine
from g2_pipelines.models.ports import Completion
from g2_pipelines.settings import Settings
from g2_pipelines_tests.models.helpers import KEY, answers, ask, settings
from g2_pipelines_tests.models.server import ModelServer, error

VERSION = "2025-04-01-preview"
PATH = "/openai/deployments/{}/{}?api-version=" + VERSION


def endpoint(server: ModelServer) -> str:
    """What Azure's portal calls the endpoint: no /v1."""
    return server.base_url.removesuffix("/v1")


def test_chat_goes_to_the_deployments_path_with_the_key_in_its_own_header() -> None:
    with ModelServer() as server:
        config = settings(server, api_version=VERSION).model_copy(
            update={"base_url": endpoint(server), "model": "briefs-4o"}
        )
        [result] = answers(OpenAIEngine(config), [ask()])
        [request] = server.requests
    assert isinstance(result, Completion)
    assert request.path == PATH.format("briefs-4o", "chat/completions")
    assert request.headers["api-key"] == KEY
    assert "authorization" not in request.headers
    assert request.body["messages"][0]["content"] == "要約してください。"


def test_embeddings_go_there_too() -> None:
    with ModelServer() as server:
        config = EmbeddingConfig(
            engine="openai",
            base_url=endpoint(server),
            api_key=KEY,
            api_version=VERSION,
            model="vectors-3",
            dimension=8,
        )
        [vector] = asyncio.run(build_embedding(config).embed(["a"]))
        [request] = server.requests
    assert isinstance(vector, list)
    assert request.path == PATH.format("vectors-3", "embeddings")
    assert request.headers["api-key"] == KEY


def test_a_refused_azure_key_is_shown_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with ModelServer(lambda r: error(401, f"Access denied for key {KEY}")) as server:
        config = settings(server, api_version=VERSION).model_copy(
            update={"base_url": endpoint(server)}
        )
        [result] = answers(OpenAIEngine(config), [ask()])
    assert type(result) is RefusedKeyError
    assert KEY not in f"{result}{result!r}{vars(result)}{caplog.text}"


def test_the_settings_reach_both_engines(tmp_path: Path) -> None:
    """Harm: chat speaks to Azure, and every vector ends in a 404."""
    with ModelServer() as server:
        ws = Workspace(
            Settings(
                _env_file=None,
                home=str(tmp_path),
                engine="openai",
                base_url=endpoint(server),
                api_key=KEY,
                api_version=VERSION,
                model="chat",
                embedding="openai",
                embedding_model="vectors",
                embedding_dimension=8,
            )
        )
        port = ws.completion()
        assert port is not None
        asyncio.run(port.complete([ask()]))
        asyncio.run(ws.embedding().embed(["a"]))
        paths = [request.path for request in server.requests]
    assert paths == [PATH.format("chat", "chat/completions"), PATH.format("vectors", "embeddings")]
