"""Every schema that the product asks by is a grammar for vLLM, made in seconds."""

from __future__ import annotations

import time

import pytest
from pydantic import BaseModel

from benchmarks.vllm_server import MODELS
from g2_pipelines.briefs.grounded import items_of, selection_of
from g2_pipelines.briefs.joint import joint_schema
from g2_pipelines.evaluation.judge import Verdicts
from g2_pipelines.graph.replies import AnalysisReply, evolution_reply
from g2_pipelines.models.structured import schema_text
from g2_pipelines.qa.schemas import (
    CheckReply,
    PlanReply,
    reason_schema,
    refine_schema,
    worker_schema,
)
from g2_pipelines.transcripts.prompted import turns_reply

ASPECTS = ("environment", "issues", "outlook", "strengths")
SCHEMAS: dict[str, type[BaseModel]] = {
    "joint": joint_schema(ASPECTS, 5_000),
    "selection": selection_of(800),
    "items": items_of(800),
    "judge": Verdicts,
    "analysis": AnalysisReply,
    "evolution": evolution_reply(24),
    "plan": PlanReply,
    "check": CheckReply,
    "reason": reason_schema(40),
    "refine": refine_schema(("q1", "q2", "q3"), ("r1", "r2", "r3")),
    "work": worker_schema(40),
    "turns": turns_reply(120),
}


@pytest.fixture(scope="module")
def compiler() -> object:
    import xgrammar
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(str(MODELS / "qwen3"))
    return xgrammar.GrammarCompiler(xgrammar.TokenizerInfo.from_huggingface(tokenizer))


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_products_schema_is_taken_and_compiled(name: str, compiler) -> None:
    """One schema that vLLM refuses, and that task never gets an answer there."""
    import json

    from vllm.v1.structured_output.backend_xgrammar import has_xgrammar_unsupported_json_features

    text = schema_text(SCHEMAS[name])
    assert not has_xgrammar_unsupported_json_features(json.loads(text))
    start = time.process_time()
    compiler.compile_json_schema(text, any_whitespace=False)
    print(f"{name}: {time.process_time() - start:.2f} s")
