"""All aspects of a source in one call: the strategy ``joint``.

Here: ``PromptedJoint``, one call a part of a source whose answer has one bounded text an
aspect, and its shortening. What is merged afterwards, and how, is ``prompted``'s. It costs
about a third of the input of a call an aspect; each text is written with less attention,
which is the paper's very point: to be compared, not a default. Importable by ``build``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from pydantic import BaseModel, Field, create_model

from g2_pipelines.briefs.asking import (
    Answer,
    Asked,
    Language,
    PromptTooLongError,
    instruction_of,
    names,
)
from g2_pipelines.briefs.config import AspectSpec, hard_tokens
from g2_pipelines.briefs.parts import cut
from g2_pipelines.briefs.ports import (
    NOTHING_FOUND,
    Draft,
    PreSummaryTask,
    says_nothing,
    without_nothing,
)
from g2_pipelines.briefs.prompted import PromptedPreSummarizer, spoken_in, subject_of
from g2_pipelines.models.ports import CompletionRequest, Message
from g2_pipelines.models.structured import Structured, schema_text
from g2_pipelines.models.textfaults import content_fault, text_fault
from g2_pipelines.text.tokens import Tokenizer

#: Most characters of a token of prose; the bound of a field, in characters, follows from it.
_CHARACTERS_A_TOKEN = 5
#: Name, quotes and escapes of one field.
_FIELD_TOKENS = 48
#: A document cut smaller than this has no context left.
_LEAST_ROOM = 200


@lru_cache(maxsize=256)
def joint_schema(aspects: tuple[str, ...], characters: int) -> type[BaseModel]:
    """The answer of a joint call: one text an aspect, of at most so many characters."""
    text = (str, Field(min_length=1, max_length=characters))
    fields = dict.fromkeys(aspects, text)
    return create_model("JointPreSummary", **fields)  # type: ignore[call-overload, no-any-return]


class PromptedJoint(PromptedPreSummarizer):
    """Pre-summaries of all aspects of a source by one call."""

    async def pre_summarize_jointly(
        self, tasks: Sequence[PreSummaryTask], *, tokenizer: Tokenizer
    ) -> list[Draft]:
        """One draft a task, in order; ``tasks`` are the aspects of one source, all prose.

        Raises:
            PromptTooLongError, ReduceStalledError, BadStructureError and others of the model.
        """
        first = tasks[0]
        spoken = spoken_in(first)
        aspects = [task.aspect for task in tasks if task.aspect is not None]
        most = len(tasks) * (hard_tokens(first.budget) + _FIELD_TOKENS)
        empty = self._asked(first, aspects, spoken, "", most=most)
        fixed = tokenizer.count(self.prompts.render("system", spoken)) + tokenizer.count(empty.text)
        # The part's number makes the instruction a little longer than the empty one.
        room = first.input_limit - fixed - most - 32
        if room < _LEAST_ROOM:
            raise PromptTooLongError(
                f"one call for {len(tasks)} aspects leaves {room} tokens for the document",
                file=subject_of(first),
                place="joint",
                remedy="Raise input_limit, lower pre_summary_tokens, or use the strategy aspect",
            )
        splits = cut(first.splits, room, tokenizer)
        asked = [
            self._asked(first, aspects, spoken, split.model_text, (split.k, split.n), most=most)
            for split in splits
        ]
        parts = await self._ask_jointly(asked, aspects, spoken, tokenizer)
        own = [[part[aspect.key] for part in parts] for aspect in aspects]
        # All that came of a call is named by each of its texts.
        return await self.brought_together(tasks, own, tokenizer)

    def _asked(
        self,
        task: PreSummaryTask,
        aspects: Sequence[AspectSpec],
        spoken: Language,
        document: str,
        part: tuple[int, int] = (1, 1),
        *,
        most: int,
    ) -> Asked:
        fields = [{"key": one.key, **_named(task, one, spoken)} for one in aspects]
        ja = spoken == "ja"
        text = self.prompts.render(
            "joint_pre_summary",
            spoken,
            source=task.source.label if ja else task.source.label_english,
            document=document,
            part=part[0],
            parts=part[1],
            company=names(task.company, aspects[0], spoken)["company"],
            fields=fields,
            budget=task.budget,
            directions=task.source.directions if ja else task.source.directions_english,
            nothing_found=NOTHING_FOUND,
        )
        return Asked(
            task="pre_summary",
            subject=subject_of(task),
            text=text,
            language=spoken,
            budget=task.budget,
            input_limit=task.input_limit,
            document=document,
            most=most,
        )

    @staticmethod
    def characters(budget: int) -> int:
        """Most characters of one text."""
        return hard_tokens(budget) * _CHARACTERS_A_TOKEN

    async def _ask_jointly(
        self,
        asked: Sequence[Asked],
        aspects: Sequence[AspectSpec],
        spoken: Language,
        tokenizer: Tokenizer,
    ) -> list[Mapping[str, Answer]]:
        """A text an aspect for each prompt; texts over their budget are asked for once more."""
        budget = asked[0].budget
        keys = tuple(one.key for one in aspects)
        schema = joint_schema(keys, self.characters(budget))

        requests = [self.request(one, tokenizer) for one in asked]
        instructions = [
            instruction_of(request, one) for request, one in zip(requests, asked, strict=True)
        ]

        def fault_of(n: int, found: BaseModel) -> str | None:
            for key, text in _texts(found).items():
                if says_nothing(text):
                    continue
                fault = text_fault(text, spoken) or content_fault(text, instructions[n])
                if fault:
                    return f"{key}: {fault}"
            return None

        first = await self.complete_as(requests, schema, check=fault_of)
        over = [
            (n, long)
            for n, answer in enumerate(first)
            if (long := _over(_texts(answer.value), budget, tokenizer))
        ]
        again = [
            self._shorter_fields(requests[n], schema, first[n], long, asked[n]) for n, long in over
        ]
        places = [n for n, _ in over]
        second = (
            await self.complete_as(again, schema, check=lambda i, found: fault_of(places[i], found))
            if again
            else []
        )
        shorter = {n: answer for (n, _), answer in zip(over, second, strict=True)}
        return [
            _answers(answer, shorter.get(n), budget, tokenizer) for n, answer in enumerate(first)
        ]

    def _shorter_fields(
        self,
        request: CompletionRequest,
        schema: type[BaseModel],
        answer: Structured[BaseModel],
        over: Mapping[str, int],
        asked: Asked,
    ) -> CompletionRequest:
        demand = self.prompts.render(
            "shorten_fields",
            asked.language,
            fields=[{"key": key, "tokens": tokens} for key, tokens in over.items()],
            budget=asked.budget,
        )
        said = (
            Message(role="assistant", text=answer.value.model_dump_json()),
            Message(role="user", text=demand),
        )
        return request.model_copy(
            update={
                "messages": (*request.messages, *said),
                "json_schema": schema_text(schema),
            }
        )


def _named(task: PreSummaryTask, aspect: AspectSpec, spoken: Language) -> dict[str, object]:
    known = names(task.company, aspect, spoken)
    return {
        "label": known["aspect"],
        "meaning": known["meaning"],
        "directions": known["directions"],
    }


def _texts(found: BaseModel) -> dict[str, str]:
    return {key: str(text) for key, text in found.model_dump().items()}


def _over(texts: Mapping[str, str], budget: int, tokenizer: Tokenizer) -> dict[str, int]:
    counts = {key: tokenizer.count(text) for key, text in texts.items()}
    return {key: count for key, count in counts.items() if count > budget}


def _answers(
    first: Structured[BaseModel],
    second: Structured[BaseModel] | None,
    budget: int,
    tokenizer: Tokenizer,
) -> dict[str, Answer]:
    """Of each text the shorter of two answers, where the first is over its budget."""
    keys = [*first.call_keys, *(second.call_keys if second else ())]
    other = _texts(second.value) if second else {}
    made: dict[str, Answer] = {}
    for key, text in _texts(first.value).items():
        best = text.strip()
        if tokenizer.count(best) > budget and key in other and not says_nothing(other[key]):
            best = min(best, other[key].strip(), key=tokenizer.count)
        excess = tokenizer.count(best) - budget
        notes = [f"{excess} tokens over the budget of {budget}"] if excess > 0 else []
        made[key] = Answer(without_nothing(best), "stop", list(keys), notes)
    return made
