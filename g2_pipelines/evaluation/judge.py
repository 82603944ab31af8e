"""A model as judge: two texts on one aspect, in both orders, by four criteria.

Here: ``judge_pairs`` (prompts in ``prompts/``, answers by a closed schema). Not here: what the
verdicts come to (``judge_totals``), which pairs are judged (``defs``), engines and the call cache
(``models``). ``defs`` and ``cli`` may import this module.

A judge prefers what stands first, and texts like its own (arXiv 2602.07673: models of 1-12B).
So each pair is asked in both orders, verdicts that differ are a tie, and the judge must not
be the model that wrote one of the texts.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from g2_pipelines.errors import InputError
from g2_pipelines.keys import digest_of
from g2_pipelines.models.ports import (
    CompletionPort,
    CompletionRequest,
    Failure,
    Message,
)
from g2_pipelines.models.prompts import PromptSet
from g2_pipelines.models.structured import Structured, complete_as
from g2_pipelines.tables.report import JudgeVerdict, Preference
from g2_pipelines.text.language import language

#: The criteria and what people call them, in the order in which they are asked.
CRITERIA = {
    "faithfulness": "忠実性",
    "coverage": "網羅性",
    "aspect_fit": "観点適合",
    "readability": "読みやすさ",
}
_PROMPTS = ("judge_system", "judge")
_ANSWER_TOKENS = 900
#: Characters of source passages shown with a pair; what is left out is counted in the prompt.
EVIDENCE_CHARACTERS = 6_000

Said = Literal["A", "B", "tie"]
Language = Literal["ja", "en"]


class JudgeIsGeneratorError(InputError):
    """The judge is the model that wrote texts that it would judge."""

    code = "judge_is_generator"


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class OneVerdict(_Closed):
    """The reason comes first: a model that decides first argues for what it has decided."""

    reason: str = Field(max_length=300)
    better: Said


class Verdicts(_Closed):
    """What the judge answers in one order."""

    faithfulness: OneVerdict
    coverage: OneVerdict
    aspect_fit: OneVerdict
    readability: OneVerdict


@dataclass(frozen=True)
class JudgePair:
    """Two texts on one aspect of one company, and the source passages of both.

    ``evidence`` must not show which text a passage is from: in the sources' order, each once.
    """

    edinet_code: str
    fiscal_year: str
    aspect: str
    company: str
    label: str
    meaning: str
    left: str
    right: str
    left_digest: str
    right_digest: str
    evidence: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        """Whom a call is about, for the ledger."""
        return f"{self.edinet_code}/{self.fiscal_year}/{self.aspect}"


class _Judge(NamedTuple):
    """Who judges, as every verdict names it."""

    engine: str
    model: str
    version: str
    seed: int


@dataclass(frozen=True)
class Unjudged:
    """A pair without a verdict, and the failure that it met."""

    pair: JudgePair
    failure: Failure


def refuse_own_judge(judge: str, generators: Collection[str], *, allowed: bool = False) -> None:
    """Refuse a judge that is one of the texts' makers.

    Names are compared without revision, folder and letter case (``Qwen/Qwen3-8B@main`` is
    ``qwen3-8b``).

    Raises:
        JudgeIsGeneratorError: unless ``allowed``.
    """
    own = sorted(name for name in generators if _plain(name) == _plain(judge))
    if own and not allowed:
        raise JudgeIsGeneratorError(
            f"The judge {judge} wrote texts that it would judge ({', '.join(own)})",
            place="G2_JUDGE_MODEL",
            remedy="Name another model, or set G2_JUDGE_ALLOW_SAME_MODEL=true and say so beside"
            " the result",
        )


def _plain(model: str) -> str:
    return model.split("@", 1)[0].rstrip("/").rsplit("/", 1)[-1].strip().lower()


async def judge_pairs(
    port: CompletionPort,
    pairs: Sequence[JudgePair],
    *,
    generators: Collection[str],
    seed: int = 0,
    allow_same_model: bool = False,
    prompts: PromptSet | None = None,
) -> tuple[list[JudgeVerdict], list[Unjudged]]:
    """The verdicts of the pairs, four each, and the pairs that could not be judged.

    A pair of which one order failed has no verdict: half of it would be the order's bias.
    Equal texts are a tie by themselves and are not asked.

    Raises:
        JudgeIsGeneratorError: the judge wrote one of the texts.
    """
    refuse_own_judge(port.model, generators, allowed=allow_same_model)
    prompts = prompts or PromptSet("g2_pipelines.evaluation")
    judge = _Judge(port.engine, port.model, prompts.version(*_PROMPTS), seed)
    asked = [pair for pair in pairs if pair.left != pair.right]
    requests = [
        _request(pair, left_first=left_first, prompts=prompts, seed=seed)
        for pair in asked
        for left_first in (True, False)
    ]
    answers = iter(await complete_as(port, requests, Verdicts)) if requests else iter(())
    verdicts: list[JudgeVerdict] = []
    failed: list[Unjudged] = []
    for pair in pairs:
        if pair.left == pair.right:
            verdicts += _same(pair, judge)
            continue
        first, second = next(answers), next(answers)
        if isinstance(first, Structured) and isinstance(second, Structured):
            verdicts += _verdicts(pair, first, second, judge)
        else:
            failure = second if isinstance(first, Structured) else first
            assert not isinstance(failure, Structured)  # noqa: S101 - narrows the type
            failed.append(Unjudged(pair, failure))
    return verdicts, failed


def _request(
    pair: JudgePair, *, left_first: bool, prompts: PromptSet, seed: int
) -> CompletionRequest:
    spoken: Language = language(pair.left + pair.right)
    shown = shown_evidence(pair.evidence)
    a, b = (pair.left, pair.right) if left_first else (pair.right, pair.left)
    text = prompts.render(
        "judge",
        spoken,
        company=pair.company,
        aspect=pair.label,
        meaning=pair.meaning,
        evidence=[_fenced(passage) for passage in shown],
        left_out=len(pair.evidence) - len(shown),
        text_a=_fenced(a),
        text_b=_fenced(b),
    )
    system = prompts.render("judge_system", spoken)
    return CompletionRequest(
        task="judge",
        subject=pair.subject,
        # Both orders begin alike, up to the first text: a server's prefix cache serves it.
        prefix_key=digest_of(f"{system}\0{pair.subject}\0{shown}".encode())[:32],
        messages=(Message(role="system", text=system), Message(role="user", text=text)),
        max_tokens=_ANSWER_TOKENS,
        seed=seed,
        schema_name="verdicts",
    )


def _fenced(text: str) -> str:
    """``text`` as it may stand between the prompt's fences: it cannot end one."""
    return text.replace("<<<", "\u2039\u2039\u2039")


def shown_evidence(passages: Sequence[str], limit: int = EVIDENCE_CHARACTERS) -> list[str]:
    """The first passages that fit ``limit`` characters together; never part of one."""
    shown: list[str] = []
    used = 0
    for passage in passages:
        used += len(passage)
        if used > limit:
            break
        shown.append(passage)
    return shown


def _verdicts(
    pair: JudgePair,
    first: Structured[Verdicts],
    second: Structured[Verdicts],
    judge: _Judge,
) -> list[JudgeVerdict]:
    rows = []
    for criterion in CRITERIA:
        ab: OneVerdict = getattr(first.value, criterion)
        ba: OneVerdict = getattr(second.value, criterion)
        one, two = _preferred(ab.better, left="A"), _preferred(ba.better, left="B")
        rows.append(
            _row(
                pair,
                criterion,
                (one, two),
                (ab.reason, ba.reason),
                judge=judge,
                call_keys=[*first.call_keys, *second.call_keys],
            )
        )
    return rows


def _same(pair: JudgePair, judge: _Judge) -> list[JudgeVerdict]:
    said = "The texts are equal; not asked"
    return [
        _row(pair, criterion, ("tie", "tie"), (said, said), judge=judge, call_keys=[])
        for criterion in CRITERIA
    ]


def _row(
    pair: JudgePair,
    criterion: str,
    said: tuple[Preference, Preference],
    reasons: tuple[str, str],
    *,
    judge: _Judge,
    call_keys: list[str],
) -> JudgeVerdict:
    first, second = said
    return JudgeVerdict(
        engine=judge.engine,
        model=judge.model,
        prompt_version=judge.version,
        call_keys=call_keys,
        edinet_code=pair.edinet_code,
        fiscal_year=pair.fiscal_year,
        aspect=pair.aspect,
        criterion=criterion,
        first=first,
        second=second,
        verdict=first if first == second else "tie",
        flipped=first != second,
        reason_first=reasons[0],
        reason_second=reasons[1],
        left_digest=pair.left_digest,
        right_digest=pair.right_digest,
        seed=judge.seed,
    )


def _preferred(said: Said, *, left: Said) -> Preference:
    if said == "tie":
        return "tie"
    return "left" if said == left else "right"
