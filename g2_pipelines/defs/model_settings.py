"""The settings of models as the clients take them: writer, judge, embedding, budget.

Here: plain functions from ``Settings`` to the configurations of ``models``. What is built from
them stands in ``workspace``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from g2_pipelines.errors import InputError
from g2_pipelines.settings import Settings

if TYPE_CHECKING:
    from g2_pipelines.models.config import (
        BudgetConfig,
        EmbeddingConfig,
        ModelConfig,
        VllmConfig,
    )
    from g2_pipelines.models.prices import PriceTable


class ClientSettings(TypedDict):
    """What each client of a server takes."""

    concurrency: int
    timeout_s: float
    connect_timeout_s: float
    max_attempts: int
    requests_per_minute: int
    tokens_per_minute: int
    tokenizer: str


def client_settings(given: Settings) -> ClientSettings:
    """How every server is called, whatever for."""
    return {
        "concurrency": given.concurrency,
        "timeout_s": given.timeout_s,
        "connect_timeout_s": given.connect_timeout_s,
        "max_attempts": given.max_attempts,
        "requests_per_minute": given.requests_per_minute,
        "tokens_per_minute": given.tokens_per_minute,
        "tokenizer": given.tokenizer,
    }


def budget(
    given: Settings, prices: PriceTable | None, *, tokens: int = 0, money: float = 0.0
) -> BudgetConfig:
    """What one run may use; 0 leaves it to the settings."""
    from g2_pipelines.models.config import BudgetConfig

    return BudgetConfig(
        run_tokens=tokens or given.run_budget_tokens,
        run_money=money or given.run_budget_money,
        day_tokens=given.day_budget_tokens,
        day_money=given.day_budget_money,
        prices=prices,
        tokenizer=given.tokenizer,
    )


def writer(given: Settings) -> ModelConfig | VllmConfig:
    """The model that writes: a server's, or one of our own process."""
    from g2_pipelines.models.config import ModelConfig, VllmConfig

    if given.engine == "vllm":
        # The default suits a server that others use too; a model of our own takes more.
        chosen = "concurrency" in given.model_fields_set
        return VllmConfig(
            model=given.model,
            revision=given.model_revision,
            max_model_len=given.vllm_max_model_len,
            options=given.vllm_options,
            template=given.vllm_template,
            **({"concurrency": given.concurrency} if chosen else {}),
        )
    return ModelConfig(
        base_url=given.base_url,
        api_key=given.api_key,
        model=given.model,
        revision=given.model_revision,
        api_version=given.api_version,
        context_tokens=given.context_tokens,
        **client_settings(given),
    )


def judge(given: Settings) -> ModelConfig:
    """The model that compares; the writer's key goes to no other server.

    Raises:
        InputError: no judge is configured.
    """
    from g2_pipelines.models.config import ModelConfig

    if not given.judge_model:
        raise InputError(
            "No judge is configured",
            place="G2_JUDGE_MODEL",
            remedy="Name a model that did not write the texts, and its server in G2_JUDGE_BASE_URL",
        )
    return ModelConfig(
        base_url=given.judge_base_url or given.base_url,
        api_key=given.judge_api_key
        if given.judge_api_key.get_secret_value() or given.judge_base_url
        else given.api_key,
        model=given.judge_model,
        **client_settings(given),
    )


def embedding(given: Settings) -> EmbeddingConfig:
    """The embedding: the embedded one, or the writer's server."""
    from g2_pipelines.models.config import EmbeddingConfig

    return EmbeddingConfig(
        engine=given.embedding,
        base_url=given.base_url,
        api_key=given.api_key,
        api_version=given.api_version,
        model=given.embedding_model,
        dimension=given.embedding_dimension,
        **client_settings(given),
    )
