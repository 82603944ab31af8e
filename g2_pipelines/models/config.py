"""Settings of engines and cache as plain frozen values; ``defs`` and ``cli`` fill them.

No environment is read here. Secrets are SecretStr: printing a config never shows a key.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, SecretStr

from g2_pipelines.models.prices import PriceTable


class _Config(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())


class ServerConfig(_Config):
    """How to reach a server that speaks the OpenAI protocol, and how patiently.

    base_url: with ``/v1``; several URLs separated by commas are used side by side, requests
    with the same first message at the same server (its prefix cache). api_version: set for
    Azure only. concurrency: requests in flight per event loop. connect_timeout_s: until
    the connection stands. timeout_s: one attempt from sending to the last byte, so that a
    drip ends too. max_attempts: tries per request. backoff_s: first pause, doubled each
    time; a server's Retry-After wins, up to max_pause_s. requests_per_minute,
    tokens_per_minute: kept by the client over all tasks of the process, 0 for no limit.
    tokenizer: name or file of the model's tokenizer, which counts for the limits.
    context_tokens: the model's context; what cannot fit is not sent, 0 leaves it to the
    server.
    """

    base_url: str = ""
    api_key: SecretStr = SecretStr("")
    api_version: str = ""
    model: str = ""
    revision: str = ""
    concurrency: int = Field(16, ge=1)
    connect_timeout_s: float = Field(10.0, gt=0)
    timeout_s: float = Field(120.0, gt=0)
    max_attempts: int = Field(4, ge=1)
    backoff_s: float = Field(0.5, ge=0)
    max_pause_s: float = Field(60.0, gt=0)
    max_answer_bytes: int = Field(8_000_000, ge=1_000)
    requests_per_minute: int = Field(0, ge=0)
    tokens_per_minute: int = Field(0, ge=0)
    tokenizer: str = "qwen3"
    context_tokens: int = Field(0, ge=0)


class ModelConfig(ServerConfig):
    """A completion engine. budget_field: newer OpenAI models want max_completion_tokens."""

    engine: Literal["openai"] = "openai"
    budget_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"


class VllmConfig(_Config):
    """The engine ``vllm``: a model in this process, its folder or hub name in ``model``.

    revision: of a hub model; a local folder has a fingerprint of its own. concurrency:
    requests handed to the model at once; a kill costs at most those. max_model_len: tokens of
    prompt and answer together, 0 for what the model was made for. max_images: of one prompt.
    options: further arguments of ``vllm.LLM`` (``tensor_parallel_size``, ``dtype``, ``quantization``,
    ``gpu_memory_utilization``…); template: variables of the chat template
    (``enable_thinking``).
    """

    engine: Literal["vllm"] = "vllm"
    model: str = ""
    revision: str = ""
    concurrency: int = Field(64, ge=1, le=1024)
    max_model_len: int = Field(0, ge=0)
    max_images: int = Field(8, ge=1)
    options: dict[str, JsonValue] = Field(default_factory=dict)
    template: dict[str, JsonValue] = Field(default_factory=dict)


class EmbeddingConfig(ServerConfig):
    """An embedding engine; the ``embedded`` one needs no other field.

    dimension: of the server's model, checked on every vector. batch_texts: texts per request.
    """

    engine: Literal["embedded", "openai"] = "embedded"
    dimension: int = Field(0, ge=0)
    batch_texts: int = Field(32, ge=1, le=2048)


class BudgetConfig(_Config):
    """What may be spent; 0 is no limit. Tokens are prompts' and answers' together.

    run_*: by one run of a step. day_*: by all runs of a day in UTC at one call cache, as
    its ledger says when a run begins and every 5 s from then on, for the model in use; runs
    beside each other can exceed it by what each has in flight meanwhile. prices: needed for money.
    tokenizer: counts a call before it is sent.
    """

    run_tokens: int = Field(0, ge=0)
    run_money: float = Field(0.0, ge=0)
    day_tokens: int = Field(0, ge=0)
    day_money: float = Field(0.0, ge=0)
    prices: PriceTable | None = None
    tokenizer: str = "qwen3"


class CacheConfig(_Config):
    """Where calls are kept: any SQLAlchemy URL (``sqlite:////abs/calls.sqlite``).

    refresh: answers older than this port are not served; a new generation begins.
    generation: a name for it (the run's id): processes of one run, and a resumed run, share
    the generation; empty makes a fresh one. lease_s: how long a silent claim keeps others
    off a key; a living process renews it.
    """

    url: str
    refresh: bool = False
    generation: str = ""
    lease_s: float = Field(60.0, gt=0)
