"""Finding turns by a language model: a closed set of sentence numbers, nothing else.

Here: ``PromptedTurnFinder``, the task port on a completion port. Prompts are
``prompts/{ja,en}/find_turns.jinja``. Retries and broken JSON are ``models.structured``'s.
``defs`` may import this module.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from g2_pipelines.models.ports import CompletionPort, CompletionRequest, Failure, Message
from g2_pipelines.models.prompts import PromptSet
from g2_pipelines.models.structured import Structured, complete_as, schema_text
from g2_pipelines.text.language import language
from g2_pipelines.transcripts.ports import FoundRole, FoundTurns, TurnStart, Window

_PROMPTS = PromptSet("g2_pipelines.transcripts")
TOKENS_PER_START = 16
BASE_TOKENS = 200
SHOWN = 400  # characters of a sentence; longer ones are shown by both their ends


class StartReply(BaseModel):
    """A start by label; ``sentence`` is closed over by ``turns_reply``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sentence: str = Field(max_length=5)
    role: FoundRole


class TurnsReply(BaseModel):
    """The starts of one window."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    starts: list[StartReply] = Field(max_length=1)


@cache
def turns_reply(sentences: int) -> type[TurnsReply]:
    """The schema for a window of that many sentences: ``sentence`` is one of s1…sN."""
    labels: Any = Literal[tuple(f"s{number}" for number in range(1, sentences + 1))]
    start: Any = create_model(f"StartReply{sentences}", __base__=StartReply, sentence=(labels, ...))
    return create_model(
        f"TurnsReply{sentences}",
        __base__=TurnsReply,
        starts=(list[start], Field(max_length=sentences)),
    )


class PromptedTurnFinder:
    """TurnFinder by a language model."""

    def __init__(self, port: CompletionPort) -> None:
        self._port = port
        self.engine = port.engine
        self.model = port.model
        self.prompt_version = _PROMPTS.version("find_turns")

    async def find(self, windows: Sequence[Window]) -> list[FoundTurns | Failure]:
        """See TurnFinder. Numbers out of order or given twice are a fault, asked again once."""
        groups: dict[int, list[int]] = defaultdict(list)
        for at, window in enumerate(windows):
            groups[len(window.sentences)].append(at)
        found: dict[int, FoundTurns | Failure] = {}
        for size, members in groups.items():
            results = await complete_as(
                self._port,
                [_request(windows[at]) for at in members],
                turns_reply(size),
                check=lambda _, reply: _fault(reply),
            )
            for at, result in zip(members, results, strict=True):
                found[at] = _found(result) if isinstance(result, Structured) else result
        return [found[at] for at in range(len(windows))]


def _request(window: Window) -> CompletionRequest:
    spoken = "".join(window.sentences)
    prompt = _PROMPTS.render(
        "find_turns",
        "ja" if language(spoken) == "ja" else "en",
        before=[_shown(sentence) for sentence in window.before],
        role=window.role or "?",
        sentences=[_shown(sentence) for sentence in window.sentences],
    )
    return CompletionRequest(
        task="find_turns",
        subject=window.subject,
        messages=(Message(role="user", text=prompt),),
        json_schema=schema_text(turns_reply(len(window.sentences))),
        schema_name="turns",
        max_tokens=BASE_TOKENS + TOKENS_PER_START * len(window.sentences),
    )


def _shown(sentence: str) -> str:
    line = " ".join(sentence.split())
    return line if len(line) <= SHOWN else f"{line[: SHOWN // 2]} … {line[-SHOWN // 2 :]}"


def _numbers(reply: TurnsReply) -> list[int]:
    return [int(start.sentence[1:]) - 1 for start in reply.starts]


def _fault(reply: TurnsReply) -> str | None:
    numbers = _numbers(reply)
    if numbers != sorted(set(numbers)):
        return "starts must be in ascending order, each sentence once"
    return None


def _found(result: Structured[TurnsReply]) -> FoundTurns:
    reply = result.value
    starts = zip(_numbers(reply), reply.starts, strict=True)
    return FoundTurns(
        tuple(TurnStart(number, start.role) for number, start in starts), result.call_keys
    )
