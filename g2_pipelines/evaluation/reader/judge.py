"""A model as judge of an answer: right or wrong beside the right answer, 1 or 0.

Here: ``AnswerJudge``, the port, and ``PromptedJudge``, which asks a completion port. Prompts in
``evaluation/prompts``. A judgement that fails is a typed failure beside the answer and costs
nothing else. The judge must not be the model that answered, unless it is allowed and said so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import BaseModel, ConfigDict, Field

from g2_pipelines.models.ports import CompletionPort, CompletionRequest, Failure, Maker, Message
from g2_pipelines.models.prompts import PromptSet
from g2_pipelines.models.structured import complete_as
from g2_pipelines.tables.rows import Made
from g2_pipelines.text.language import language

_PROMPTS = ("answer_judge_system", "answer_judge")
_ANSWER_TOKENS = 300
_SHOWN = 6_000


@dataclass(frozen=True)
class ToJudge:
    """An answer beside the right ones; ``unanswerable`` says that there is no right answer."""

    case_id: str
    question: str
    right: Sequence[str]
    answer: str
    refused: bool
    unanswerable: bool


class AnswerVerdict(Made):
    """1 or 0 with the judge's reason."""

    case_id: str
    correct: bool
    reason: str


class AnswerJudge(Maker, Protocol):
    """Judges answers."""

    async def judge(self, answers: Sequence[ToJudge]) -> list[AnswerVerdict | Failure]:
        """A verdict or a typed failure each, in order."""
        ...


class _Reply(BaseModel):
    """The reason comes first: a model that decides first argues for what it has decided."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    reason: str = Field(max_length=300)
    correct: bool


class PromptedJudge:
    """The judge as a prompt on a completion port."""

    def __init__(
        self, port: CompletionPort, *, seed: int = 0, prompts: PromptSet | None = None
    ) -> None:
        self._port = port
        self._seed = seed
        self._prompts = prompts or PromptSet("g2_pipelines.evaluation")
        self.engine = port.engine
        self.model = port.model
        self.prompt_version = self._prompts.version(*_PROMPTS)

    async def judge(self, answers: Sequence[ToJudge]) -> list[AnswerVerdict | Failure]:
        """See AnswerJudge. What rules can tell is not asked: refusals and unanswerable ones."""
        asked = [one for one in answers if not (one.refused or one.unanswerable)]
        requests = [self._request(one) for one in asked]
        replies = iter(await complete_as(self._port, requests, _Reply) if requests else [])
        verdicts: list[AnswerVerdict | Failure] = []
        for one in answers:
            if one.refused or one.unanswerable:
                said = "refused" if one.refused else "answered though not answerable"
                verdicts.append(
                    self._verdict(one, said, (), correct=one.refused and one.unanswerable)
                )
                continue
            reply = next(replies)
            verdicts.append(
                reply
                if isinstance(reply, Exception)
                else self._verdict(
                    one, reply.value.reason, reply.call_keys, correct=reply.value.correct
                )
            )
        return verdicts

    def _verdict(
        self, one: ToJudge, reason: str, call_keys: Sequence[str], *, correct: bool
    ) -> AnswerVerdict:
        return AnswerVerdict(
            engine=self.engine,
            model=self.model,
            prompt_version=self.prompt_version,
            call_keys=list(call_keys),
            case_id=one.case_id,
            correct=correct,
            reason=reason,
        )

    def _request(self, one: ToJudge) -> CompletionRequest:
        spoken = language(one.question)
        text = self._prompts.render(
            "answer_judge",
            spoken,
            question=_fenced(one.question),
            right=[_fenced(text) for text in one.right],
            answer=_fenced(one.answer),
        )
        system = self._prompts.render("answer_judge_system", spoken)
        return CompletionRequest(
            task="judge_answer",
            subject=one.case_id,
            messages=(Message(role="system", text=system), Message(role="user", text=text)),
            max_tokens=_ANSWER_TOKENS,
            seed=self._seed,
            schema_name="verdict",
        )


def _fenced(text: str) -> str:
    """``text`` as it may stand between the prompt's fences, the end of a long one left out."""
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]} […]"
    return shown.replace("<<<", "\u2039\u2039\u2039")
