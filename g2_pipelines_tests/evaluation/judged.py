"""Judged texts of invented companies, made claim by claim: every count below is set by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from g2_pipelines.evaluation.report import Case, Judged
from g2_pipelines.tables.line1 import (
    BriefEvaluation,
    Check,
    CheckedSentence,
    Claim,
    Company,
    Summary,
)
from g2_pipelines.tables.rows import Span

ASPECTS = ("environment", "issues")
SOURCE = "filing:S9000A01:mdna:0"
SOURCE_TEXT = "売上高は48,620百万円となりました。計測制御事業は増収となりました。"


def claim(kind: str, status: str, text: str, start: int, **more: Any) -> Claim:
    """A claim at a place of a text, with evidence in the one source."""
    evidence = [Span(source_id=SOURCE, start=4, end=13)] if status != "missing" else []
    fields = {"evidence": evidence, "note": ""} | more
    return Claim(
        kind=kind,  # type: ignore[arg-type]
        status=status,  # type: ignore[arg-type]
        text=text,
        start=start,
        end=start + len(text),
        **fields,
    )


def judged(
    text: str = "売上高は48,620百万円となりました。",
    claims: Sequence[Claim] = (),
    *,
    company: str = "E99001",
    aspect: str = "environment",
    strategy: str = "aspect",
    gate: bool = True,
    check: bool = True,
    supported: bool = True,
    source: str = SOURCE,
    **more: Any,
) -> Judged:
    """A text of one sentence with its evaluation; ``gate`` and ``check`` say what passes."""
    fields: dict[str, Any] = {
        "engine": "extractive",
        "model": "extractive/1",
        "prompt_version": "none",
        "edinet_code": company,
        "fiscal_year": "2025-03",
        "source_type": "",
        "aspect": aspect,
        "strategy": strategy,
        "text": text,
        "tokens": 20,
        "finish_reason": "stop",
        "sentences": [],
        "spans": [],
    }
    evaluation = BriefEvaluation(
        edinet_code=company,
        fiscal_year="2025-03",
        aspect=aspect,
        strategy=strategy,  # type: ignore[arg-type]
        passed=gate,
        claims=list(claims),
        sentences=[
            CheckedSentence(
                start=0,
                end=len(text),
                score=1.0 if supported else 0.1,
                evidence=[Span(source_id=source, start=0, end=18)],
                supported=supported,
            )
        ],
        checks=[
            Check(
                name="missing_numbers",
                passed=gate,
                gate=True,
                value=0.0 if gate else 1.0,
                threshold=0,
                message="48,602百万円 (altered)" if not gate else "fine",
            ),
            Check(
                name="aspect_fit",
                passed=check,
                gate=False,
                value=0.75 if check else 0.25,
                threshold=0.3,
                message="",
            ),
        ],
    )
    return Judged(Summary(**(fields | more)), evaluation)


def case(
    left: Sequence[Judged],
    right: Sequence[Judged],
    *,
    code: str = "E99001",
    name: str = "青嶺精機株式会社",
) -> Case:
    """A company's year; source types by section name."""
    return Case(
        company=Company(edinet_code=code, name=name),
        fiscal_year="2025-03",
        left={one.summary.aspect: one for one in left},
        right={one.summary.aspect: one for one in right},
        type_of=lambda source_id, _: source_id.split(":")[2],
    )
