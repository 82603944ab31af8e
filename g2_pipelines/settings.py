"""Typed settings, read from the environment (``G2_*``) and ``.env``, in one place.

Only ``defs`` and ``cli`` import this; they hand plain values to the domain packages.
Secrets are SecretStr and never printed.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """All settings with their defaults; ``g2 doctor`` prints those in force."""

    model_config = SettingsConfigDict(
        env_prefix="G2_", env_file=".env", extra="ignore", frozen=True
    )

    home: str = Field(".g2", description="Where state lies: a folder or an fsspec URL")

    pages_url: str = Field(
        "http://127.0.0.1:3030", description="Where `g2 ui` serves the pages, for links"
    )

    engine: Literal["extractive", "openai", "vllm"] = Field(
        "extractive", description="Who writes summaries, nodes and answers"
    )
    base_url: str = Field(
        "",
        description="OpenAI-compatible server, e.g. http://host:8000/v1; several by commas",
    )
    api_key: SecretStr = Field(SecretStr(""), description="Its key")
    api_version: str = Field("", description="Azure OpenAI's API version; set, Azure is spoken")
    model: str = Field(
        "", description="Model (Azure: deployment) name at the server; for vllm its folder"
    )
    model_revision: str = Field("", description="Its revision, part of the call cache's key")
    chain_paid: bool = Field(
        default=False, description="Let sensors start runs of an engine that may cost money"
    )
    vision: bool = Field(default=True, description="Send page crops to the model")
    concurrency: int = Field(16, ge=1, description="Model requests in flight")
    timeout_s: float = Field(120.0, gt=0, description="Seconds per model request")
    connect_timeout_s: float = Field(10.0, gt=0, description="Seconds until a connection stands")
    requests_per_minute: int = Field(0, ge=0, description="Kept by this process; 0: no limit")
    tokens_per_minute: int = Field(0, ge=0, description="Kept by this process; 0: no limit")
    context_tokens: int = Field(
        0, ge=0, description="The model's context; what cannot fit is not sent. 0: the server says"
    )
    run_budget_tokens: int = Field(0, ge=0, description="What one run may use; 0: no limit")
    run_budget_money: float = Field(0.0, ge=0, description="Likewise, in the table's currency")
    day_budget_tokens: int = Field(0, ge=0, description="What a day's runs may use, in UTC")
    day_budget_money: float = Field(0.0, ge=0, description="Likewise, in the table's currency")
    prices_file: str = Field("", description="YAML or JSON of your prices per million tokens")
    max_attempts: int = Field(4, ge=1, description="Tries per model request")
    vllm_max_model_len: int = Field(
        0, ge=0, description="Tokens of prompt and answer in process; 0: the model's own limit"
    )
    vllm_options: dict[str, JsonValue] = Field(
        default_factory=dict, description='More arguments of vllm.LLM, {"tensor_parallel_size": 2}'
    )
    vllm_template: dict[str, JsonValue] = Field(
        default_factory=dict, description='Its chat template\'s, {"enable_thinking": false}'
    )
    call_cache_url: str = Field("", description="SQLAlchemy URL; default calls.sqlite in home")

    embedding: Literal["embedded", "openai"] = Field("embedded", description="Who embeds")
    embedding_model: str = Field("", description="Embedding model at the server")
    embedding_dimension: int = Field(0, ge=0, description="Its dimension")

    tokenizer: str = Field(
        "qwen3",
        description="qwen3, qwen2.5, qwen3.5, cl100k, o200k, or the path of a tokenizer.json",
    )
    aspects_file: str = Field(
        "",
        description="YAML files of aspects, source types and budgets, or names of shipped ones,"
        " separated by commas; default built in",
    )
    strategy: Literal["", "aspect", "simple", "joint", "retrieval"] = Field(
        "", description="How the brief's pre-summaries are made; default as in the YAML"
    )
    thresholds: dict[str, float] = Field(
        default_factory=dict,
        description='Of a brief\'s checks and gates, {"missing_numbers": 0, "aspect_fit": 0.5}',
    )
    judge_model: str = Field(
        "", description="Model that compares texts in reports, on request; not the writer's"
    )
    judge_base_url: str = Field("", description="Its server; default as base_url")
    judge_api_key: SecretStr = Field(SecretStr(""), description="Its key; default as api_key")
    judge_seed: int = Field(0, ge=0, description="Sent with every judgement, and recorded")
    judge_allow_same_model: bool = Field(
        default=False, description="Let a model judge texts that it wrote itself"
    )
    qa_pattern: Literal["paper", "exchange", "turn"] = "paper"
    chunk_tokens: int = Field(4_000, ge=200, description="Cap of a transcript chunk")

    roles_file: str = Field(
        "", description="YAML of speakers' roles per company, before every lexicon"
    )
    transcript_model: bool = Field(
        default=False,
        description="Let the engine's model choose the turns of transcripts without labels",
    )
    pull: bool = Field(
        default=False, description="Fetch files that a manifest names by url and that are not there"
    )
    pull_interval_s: float = Field(2.0, ge=0, description="Seconds between requests to one host")
    pull_private: bool = Field(
        default=False, description="Let a manifest's url lie in a private network"
    )

    edinet_api_key: SecretStr = Field(SecretStr(""), description="Subscription key of EDINET")
    edinet_base_url: str = "https://api.edinet-fsa.go.jp/api/v2"
    edinet_taxonomy: str = Field(
        "", description="Folder of EDINET taxonomies for the cross-check with Arelle; empty: none"
    )
    edinet_interval_s: float = Field(1.0, ge=0, description="Seconds between EDINET requests")
    edinet_follow: Literal["list", "listed"] = Field(
        "list",
        description="Whom to follow: the companies of companies.csv, or all that are listed on an"
        " exchange by EDINET's code list",
    )
    edinet_reread_days: int = Field(
        7, ge=1, le=3_660, description="Past days whose list is read again each morning"
    )
    edinet_catch_up_days: int = Field(
        60, ge=0, le=3_660, description="So far back days that were never read are made up for"
    )
    edinet_pdfs: Literal["off", "store", "register"] = Field(
        "store", description="A filing's PDF: left, stored, or also made a document of its company"
    )
    edinet_csv_fallback: bool = Field(
        default=False,
        description="Take the CSV form (type 5, cut at 30,000 characters a value) of a filing"
        " without readable XBRL",
    )
    edinet_code_list_url: str = Field(
        "https://disclosure2dl.edinet-fsa.go.jp/searchdocument/codelist/Edinetcode.zip",
        description="Where EDINET's code list is downloaded from; it needs no key",
    )

    rounds: int = Field(3, ge=0, le=9, description="Evolution rounds of the content graph")
    index_round: int = Field(
        -1, ge=-1, le=9, description="Round that index and search take; -1: the last one"
    )
    evolution: dict[str, JsonValue] = Field(
        default_factory=dict,
        description='Bounds of a round, {"delta": 0.3, "epsilon": 0.4, "stop_changed_share": 0.01}',
    )
    vector_index_rows: int = Field(
        100_000, ge=0, description="Rows from which vectors are searched by an index; 0: never"
    )
    pdf_timeout_s: float = Field(300.0, gt=0, description="Seconds one PDF may take")
    pdf_memory_mb: int = Field(3_000, ge=256, description="Memory one PDF may take")
    pdf_max_pages: int = Field(2_000, ge=1)
    pdf_ocr_pages: int = Field(
        60, ge=0, description="Pages of one PDF without usable text that are read by OCR"
    )
    pdf_docling: str = Field(
        "",
        description="Layout by docling: a docling server's URL, or a folder with docling's JSON by"
        " document id or file name; empty: off",
    )
    pdf_paragraph_tokens: int = Field(
        1_000, ge=0, description="Longer paragraphs and lists of a PDF are cut; 0: none"
    )
    pdf_join_tokens: int = Field(
        0, ge=0, description="Shorter paragraphs of a PDF are joined within a section; 0: none"
    )
    pdf_ocr_pictures: int = Field(
        24, ge=0, description="Pictures of one PDF without text of their own that are read by OCR"
    )
    seeds: int = Field(5, ge=1, description="Seed nodes of a readout")
    neighbours: int = Field(3, ge=0, description="Neighbours per seed of a readout")
    evidence_tokens: int = Field(
        15_000, ge=500, description="Tokens of a readout; lowest-ranked nodes are left out whole"
    )
    evidence_images: int = Field(
        20,
        ge=0,
        description="Pictures of a readout; lowest-ranked nodes with one are left out whole",
    )
    questions_keep: int = Field(
        5_000, ge=0, description="Answered questions that stay in Dagster's list; 0: all"
    )
    questions_days: int = Field(
        0, ge=0, description="Days that an answered question stays in Dagster's list; 0: for ever"
    )
    refinements: int = Field(3, ge=0, le=3, description="Refinements of a plan")
    workers: int = Field(
        0, ge=0, description="Processes that read filings in a large batch; 0: one a core"
    )
    batch_size: int = Field(200, ge=1, description="Partitions per run of a backfill")
