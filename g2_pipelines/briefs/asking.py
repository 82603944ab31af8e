"""Asking a language model for a text of limited length: prompts, budgets, shortening.

Here: what both prompted summarizers share. Not here: which documents are asked about
(``prompted``), engines, cache and retries (``models``). Importable by ``prompted`` only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from g2_pipelines.briefs.config import AspectSpec, SourceTypeSpec, hard_tokens
from g2_pipelines.briefs.ports import NOTHING_FOUND, says_nothing, without_nothing
from g2_pipelines.errors import LimitError
from g2_pipelines.models.ports import CompletionPort, CompletionRequest, Message
from g2_pipelines.models.prompts import PromptSet
from g2_pipelines.models.structured import TextAnswer, complete_text
from g2_pipelines.tables.line1 import Company
from g2_pipelines.text.tokens import Tokenizer

PACKAGE = "g2_pipelines.briefs"

Language = Literal["ja", "en"]


class PromptTooLongError(LimitError):
    """Document, instruction and answer budget together exceed the input limit."""

    code = "prompt_too_long"


@dataclass
class Asked:
    """A prompt with its budget: what one call is made of."""

    task: str
    subject: str
    text: str
    language: Language
    budget: int
    input_limit: int


@dataclass
class Answer:
    """A text as the model gave it, with the calls that it took."""

    text: str
    finish_reason: str
    call_keys: list[str]
    warnings: list[str] = field(default_factory=list)

    @property
    def nothing(self) -> bool:
        """Whether it says that nothing was found."""
        return says_nothing(self.text)


class Asking:
    """What both summarizers share: rendering, asking, shortening."""

    def __init__(self, port: CompletionPort, prompts: PromptSet | None = None) -> None:
        self.port = port
        self.prompts = prompts or PromptSet(PACKAGE)

    @property
    def engine(self) -> str:
        """The port's engine."""
        return self.port.engine

    @property
    def model(self) -> str:
        """The port's model and revision."""
        return self.port.model

    async def ask(self, asked: Sequence[Asked], tokenizer: Tokenizer) -> list[Answer]:
        """One answer a prompt; a text over its budget is asked once to be shortened.

        Raises the first failure of the batch; what was answered stays in the call cache.
        """
        requests = [self._request(one, tokenizer) for one in asked]
        answers = await self._complete(requests, asked)
        over = [
            (place, count)
            for place, answer in enumerate(answers)
            if (count := tokenizer.count(answer.text)) > asked[place].budget
        ]
        if not over:
            return answers
        again = [
            self._shorter(asked[place], requests[place], answers[place].text, count)
            for place, count in over
        ]
        shorter = await self._complete(again, [asked[place] for place, _ in over])
        for (place, count), answer in zip(over, shorter, strict=True):
            keys = [*answers[place].call_keys, *answer.call_keys]
            left = tokenizer.count(answer.text)
            best = answer if left < count else answers[place]
            excess = min(left, count) - asked[place].budget
            note = f"{excess} tokens over the budget of {asked[place].budget}"
            warnings = [note] if excess > 0 else []
            answers[place] = Answer(best.text, best.finish_reason, keys, warnings)
        return answers

    async def _complete(
        self, requests: Sequence[CompletionRequest], asked: Sequence[Asked]
    ) -> list[Answer]:
        by_language: dict[Language, list[int]] = {}
        for place, one in enumerate(asked):
            by_language.setdefault(one.language, []).append(place)
        answers: dict[int, Answer] = {}
        for spoken, places in by_language.items():
            made = await complete_text(self.port, [requests[p] for p in places], language=spoken)
            for place, answer in zip(places, made, strict=True):
                if isinstance(answer, Exception):
                    raise answer
                answers[place] = _answer(answer)
        return [answers[place] for place in range(len(asked))]

    def _request(self, asked: Asked, tokenizer: Tokenizer) -> CompletionRequest:
        system = self.prompts.render("system", asked.language)
        most = hard_tokens(asked.budget)
        used = tokenizer.count(system) + tokenizer.count(asked.text) + most
        if used > asked.input_limit:
            raise PromptTooLongError(
                f"a prompt of {used} tokens with its answer exceeds the limit of {asked.input_limit}",
                file=asked.subject,
                place=asked.task,
                remedy="Raise instruction_tokens or input_limit in the briefs' configuration",
            )
        return CompletionRequest(
            task=asked.task,
            subject=asked.subject,
            messages=(
                Message(role="system", text=system),
                Message(role="user", text=asked.text),
            ),
            max_tokens=most,
        )

    def _shorter(
        self, asked: Asked, request: CompletionRequest, text: str, count: int
    ) -> CompletionRequest:
        demand = self.prompts.render(
            "shorten",
            asked.language,
            tokens=count,
            budget=asked.budget,
            excess=count - asked.budget,
        )
        said = (Message(role="assistant", text=text), Message(role="user", text=demand))
        return request.model_copy(update={"messages": (*request.messages, *said)})

    def pre_prompt(
        self,
        document: str,
        *,
        company: Company,
        aspect: AspectSpec | None,
        source: SourceTypeSpec,
        spoken: Language,
        budget: int,
        part: int = 1,
        parts: int = 1,
    ) -> str:
        """Query ② for one text, or ②' where ``aspect`` is None."""
        values: dict[str, object] = {
            "source": source.label if spoken == "ja" else source.label_english,
            "document": document,
            "part": part,
            "parts": parts,
            "budget": budget,
        }
        if aspect is None:
            return self.prompts.render("simple_pre_summary", spoken, **values)
        values |= names(company, aspect, spoken)
        values["nothing_found"] = NOTHING_FOUND
        return self.prompts.render("pre_summary", spoken, **values)


def _answer(answer: TextAnswer) -> Answer:
    return Answer(
        without_nothing(answer.value), answer.completion.finish_reason, list(answer.call_keys)
    )


def names(company: Company, aspect: AspectSpec, spoken: Language) -> dict[str, object]:
    """X and T of the queries, in the prompt's language."""
    if spoken == "ja":
        return {"company": company.name, "aspect": aspect.label, "meaning": aspect.meaning}
    return {
        "company": company.name_english or company.name,
        "aspect": aspect.label_english,
        "meaning": aspect.meaning_english,
    }
