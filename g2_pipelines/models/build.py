"""Engines by configuration: the one place that ``defs`` and ``cli`` call.

Nothing is contacted or opened here; the first call does. Heavy libraries are imported then.
"""

from __future__ import annotations

from g2_pipelines.models.config import CacheConfig, EmbeddingConfig, ModelConfig
from g2_pipelines.models.ports import CompletionPort, EmbeddingPort


def build_completion(config: ModelConfig, cache: CacheConfig) -> CompletionPort:
    """The configured engine behind retry, limits, call cache and ledger.

    Raises:
        BadModelSettingsError: no URL or no model.
    """
    raise NotImplementedError


def build_embedding(config: EmbeddingConfig) -> EmbeddingPort:
    """The configured embedding engine.

    Raises:
        BadModelSettingsError: a server's URL, model or dimension is missing.
    """
    raise NotImplementedError
