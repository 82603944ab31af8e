"""The product's own prompts for a filing or a transcript, without asking any model.

``recorded`` runs line 1's summarizer on a port that writes down what it is asked: the
requests, in the product's order, with the keys that join those that begin alike.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from g2_pipelines.briefs.build import build_summarizers
from g2_pipelines.briefs.config import BriefConfig
from g2_pipelines.briefs.pre_summaries import pre_summarize
from g2_pipelines.briefs.sources import make_splits
from g2_pipelines.edinet.filing import read_filing
from g2_pipelines.models.ports import Completion, CompletionRequest, CompletionResult
from g2_pipelines.tables.line1 import Company, SourceSplit
from g2_pipelines.text.tokens import Tokenizer
from g2_pipelines.transcripts.chunks import chunk
from g2_pipelines.transcripts.make import make_transcript
from g2_pipelines.transcripts.model_view import model_view
from g2_pipelines.transcripts.segment import segment

CHUNK_TOKENS = 4_000

#: Passes the checks of language, length and repetition, whatever it is an answer to.
_STAND_IN = "当社は需要の変化に応じて設備を整え、採算の改善を進めている。"


class Recorder:
    """A completion port that keeps its requests and answers a sentence to each."""

    engine = "recorder"
    model = "recorder"

    def __init__(self) -> None:
        self.requests: list[CompletionRequest] = []

    async def complete(self, requests: Sequence[CompletionRequest]) -> list[CompletionResult]:
        """Write them down."""
        self.requests += requests
        return [
            Completion(
                text=_STAND_IN,
                finish_reason="stop",
                prompt_tokens=0,
                completion_tokens=0,
                cached_tokens=0,
                call_key="0" * 64,
                engine=self.engine,
                model=self.model,
            )
            for _ in requests
        ]


def filing_splits(
    file: Path, config: BriefConfig, counter: Tokenizer
) -> tuple[Company, list[SourceSplit]]:
    """A filing's company and the parts of its sources."""
    read = read_filing(file)
    company = Company(edinet_code=read.filing.edinet_code, name=read.filing.filer_name)
    splits = make_splits(
        sections=read.sections,
        transcripts=(),
        turns=(),
        chunks=(),
        config=config,
        tokenizer=counter,
        model_view=model_view,
    )
    return company, splits


def transcript_splits(
    file: Path, config: BriefConfig, counter: Tokenizer
) -> tuple[Company, list[SourceSplit]]:
    """A transcript's parts; it counts as the results meeting of a company of that name."""
    company = Company(edinet_code="E99999", name=file.stem)
    transcript, clean = make_transcript(
        file.read_bytes(),
        file.name,
        edinet_code=company.edinet_code,
        fiscal_year="2010-03",
        kind="full_year",
        document_kind=None,
    )
    turns, cut = segment(transcript, clean.timings)
    chunks = chunk(
        transcript, turns, cut, policy="paper", max_tokens=CHUNK_TOKENS, tokenizer=counter
    )
    splits = make_splits(
        sections=(),
        transcripts=[transcript],
        turns=turns,
        chunks=chunks,
        config=config,
        tokenizer=counter,
        model_view=model_view,
    )
    return company, splits


def recorded(
    splits: Sequence[SourceSplit], company: Company, config: BriefConfig, counter: Tokenizer
) -> list[tuple[str, CompletionRequest]]:
    """(aspect, request) of every pre-summary of the configured aspects, aspect by aspect."""

    async def of_all() -> list[tuple[str, CompletionRequest]]:
        found: list[tuple[str, CompletionRequest]] = []
        for aspect in config.aspects:
            port = Recorder()
            before, _ = build_summarizers(port)
            await pre_summarize(
                splits,
                company=company,
                aspect=aspect,
                config=config,
                summarizer=before,
                tokenizer=counter,
            )
            found += [(aspect.key, request) for request in port.requests]
        return found

    return asyncio.run(of_all())
