"""Asking a language model for a text of limited length: prompts, budgets, shortening.

Here: what both prompted summarizers share. Not here: which documents are asked about
(``prompted``), engines, cache and retries (``models``). Importable by ``prompted`` only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from pydantic import BaseModel

from g2_pipelines.briefs.config import AspectSpec, SourceTypeSpec, hard_tokens
from g2_pipelines.briefs.ports import NOTHING_FOUND, says_nothing, without_nothing
from g2_pipelines.errors import LimitError
from g2_pipelines.keys import digest_of
from g2_pipelines.models.ports import CompletionPort, CompletionRequest, Message
from g2_pipelines.models.prompts import PromptSet
from g2_pipelines.models.structured import Structured, TextAnswer, complete_as, complete_text
from g2_pipelines.models.textfaults import content_fault
from g2_pipelines.tables.line1 import Company
from g2_pipelines.text.tokens import Tokenizer

PACKAGE = "g2_pipelines.briefs"

Language = Literal["ja", "en"]
M = TypeVar("M", bound=BaseModel)


class PromptTooLongError(LimitError):
    """Document, instruction and answer budget together exceed the input limit."""

    code = "prompt_too_long"


@dataclass
class Asked:
    """A prompt with its budget: what one call is made of.

    ``document``: what of ``text`` comes before the instruction, up to where its last words
    end; prompts that share it are sent one first, the others after its answer. ``most``: what
    the model may at most answer, where that is not ``hard_tokens`` of the budget.
    """

    task: str
    subject: str
    text: str
    language: Language
    budget: int
    input_limit: int
    document: str = ""
    system: str = "system"
    most: int | None = None

    @property
    def shared(self) -> str:
        """The prompt up to the document's end: what other aspects' prompts begin with too."""
        if not self.document:
            return ""
        return self.text[: self.text.index(self.document) + len(self.document)]


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
        requests = [self.request(one, tokenizer) for one in asked]
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

    async def ask_as(
        self,
        asked: Sequence[Asked],
        schema: type[M],
        tokenizer: Tokenizer,
        *,
        check: Callable[[int, M], str | None],
    ) -> list[Structured[M]]:
        """One object of ``schema`` a prompt; raises the first failure of the batch."""
        return await self.complete_as(
            [self.request(one, tokenizer) for one in asked], schema, check=check
        )

    async def complete_as(
        self,
        requests: Sequence[CompletionRequest],
        schema: type[M],
        *,
        check: Callable[[int, M], str | None],
    ) -> list[Structured[M]]:
        """As ``ask_as``, for requests that are made already."""
        values: list[Structured[M]] = []
        for value in await complete_as(self.port, requests, schema, check=check):
            if isinstance(value, Exception):
                raise value
            values.append(value)
        return values

    async def _complete(
        self, requests: Sequence[CompletionRequest], asked: Sequence[Asked]
    ) -> list[Answer]:
        by_language: dict[Language, list[int]] = {}
        for place, one in enumerate(asked):
            by_language.setdefault(one.language, []).append(place)
        answers: dict[int, Answer] = {}
        for spoken, places in by_language.items():
            made = await complete_text(
                self.port,
                [requests[p] for p in places],
                language=spoken,
                check=self._check([requests[p] for p in places], [asked[p] for p in places]),
            )
            for place, answer in zip(places, made, strict=True):
                if isinstance(answer, Exception):
                    raise answer
                answers[place] = _answer(answer)
        return [answers[place] for place in range(len(asked))]

    @staticmethod
    def _check(
        requests: Sequence[CompletionRequest], asked: Sequence[Asked]
    ) -> Callable[[int, str], str | None]:
        """Whether an answer says something: not its instruction again, not that it follows."""

        def check(index: int, text: str) -> str | None:
            if says_nothing(text):
                return None
            return content_fault(text, instruction_of(requests[index], asked[index]))

        return check

    def request(self, asked: Asked, tokenizer: Tokenizer) -> CompletionRequest:
        """The call of a prompt.

        Raises:
            PromptTooLongError: prompt and answer together exceed the input limit.
        """
        system = self.prompts.render(asked.system, asked.language)
        most = asked.most or hard_tokens(asked.budget)
        messages = (Message(role="system", text=system), Message(role="user", text=asked.text))
        # Of the messages, not of the texts given: names of control tokens are longer there.
        used = sum(tokenizer.count(message.text) for message in messages) + most
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
            prefix_key=_prefix_key(system, asked.shared),
            messages=messages,
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
            "directions": source.directions if spoken == "ja" else source.directions_english,
        }
        if aspect is None:
            return self.prompts.render("simple_pre_summary", spoken, **values)
        own = values["directions"]
        values |= names(company, aspect, spoken)
        values["directions"] = "\n".join(filter(None, (str(values["directions"]), str(own))))
        values["nothing_found"] = NOTHING_FOUND
        return self.prompts.render("pre_summary", spoken, **values)


def instruction_of(request: CompletionRequest, asked: Asked) -> str:
    """What a call's prompt demands: the rules, what follows the document, what was asked after.

    Where the prompt names no document, nothing of its first question: to repeat what one was
    given is no echo.
    """
    said = [message.text for message in request.messages if message.role != "assistant"]
    own = asked.text[len(asked.shared) :] if asked.document else ""
    return "\n".join([said[0], own, *said[2:]])


def _prefix_key(system: str, shared: str) -> str | None:
    if not shared:
        return None
    return digest_of(f"{system}\0{shared}".encode("utf-8", "surrogatepass"))[:32]


def _answer(answer: TextAnswer) -> Answer:
    return Answer(
        without_nothing(answer.value), answer.completion.finish_reason, list(answer.call_keys)
    )


def names(company: Company, aspect: AspectSpec, spoken: Language) -> dict[str, object]:
    """X and T of the queries, in the prompt's language, and the aspect's directions."""
    if spoken == "ja":
        return {
            "company": company.name,
            "aspect": aspect.label,
            "meaning": aspect.meaning,
            "directions": aspect.directions,
        }
    return {
        "company": company.name_english or company.name,
        "aspect": aspect.label_english,
        "meaning": aspect.meaning_english,
        "directions": aspect.directions_english,
    }
