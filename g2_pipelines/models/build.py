"""Engines by configuration: the one place that ``defs`` and ``cli`` call.

Nothing is contacted or opened here; the first call does. Heavy libraries are imported then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from g2_pipelines.models.config import (
    BudgetConfig,
    CacheConfig,
    EmbeddingConfig,
    ModelConfig,
    VllmConfig,
)
from g2_pipelines.models.ports import CompletionPort, EmbeddingPort

if TYPE_CHECKING:
    from g2_pipelines.models.engines import Engine
    from g2_pipelines.models.estimate import AnswerSize, EstimatingCompletion
    from g2_pipelines.models.ledger import Ledger


def build_completion(
    config: ModelConfig | VllmConfig, cache: CacheConfig, budget: BudgetConfig | None = None
) -> CompletionPort:
    """The configured engine behind retry, limits, budget, call cache and ledger.

    Raises:
        BadModelSettingsError: no URL or no model, a key that cannot be one, a budget of money
            without the model's price, or the package of an engine that runs in this process
            is missing.
    """
    from g2_pipelines.models.cache import CallStore
    from g2_pipelines.models.cached import CachedCompletion

    store = CallStore(cache)
    engine = build_engine(config)
    if budget is not None:
        from g2_pipelines.models.budget import budgeted

        engine = budgeted(engine, budget, store)
    return CachedCompletion(engine, store)


def build_estimate(
    config: ModelConfig | VllmConfig,
    cache: CacheConfig,
    tokenizer: str,
    size: AnswerSize,
    *,
    worst: bool = False,
) -> EstimatingCompletion:
    """A port that sends nothing and writes down what the configured engine would be asked."""
    from g2_pipelines.models.cache import CallStore
    from g2_pipelines.models.estimate import EstimatingCompletion
    from g2_pipelines.text.tokens import tokenizer as counter

    return EstimatingCompletion(
        build_engine(config),
        None if cache.refresh else CallStore(cache),
        counter(tokenizer),
        size,
        worst=worst,
    )


def build_engine(config: ModelConfig | VllmConfig) -> Engine:
    """The bare engine; nothing is loaded or contacted yet."""
    if isinstance(config, VllmConfig):
        from g2_pipelines.models.vllm_engine import VllmEngine

        return VllmEngine(config)
    from g2_pipelines.models.openai_engine import OpenAIEngine

    return OpenAIEngine(config)


def open_ledger(cache: CacheConfig) -> Ledger:
    """The ledger of a call cache; its file is made if it is not there yet."""
    from g2_pipelines.models.cache import CallStore
    from g2_pipelines.models.ledger import Ledger

    return Ledger(CallStore(cache))


def build_embedding(config: EmbeddingConfig, cache: CacheConfig | None = None) -> EmbeddingPort:
    """The configured embedding engine; a server's behind the call cache, if one is given.

    Raises:
        BadModelSettingsError: a server's URL, model or dimension is missing.
    """
    match config.engine:
        case "embedded":
            from g2_pipelines.models.embedded import EmbeddedEmbedding

            return EmbeddedEmbedding()
        case "openai":
            from g2_pipelines.models.openai_embedding import OpenAIEmbedding

            server = OpenAIEmbedding(config)
            if cache is None:
                return server
            from g2_pipelines.models.cache import CallStore
            from g2_pipelines.models.cached_embedding import CachedEmbedding

            return CachedEmbedding(server, CallStore(cache))
        case _:
            assert_never(config.engine)
