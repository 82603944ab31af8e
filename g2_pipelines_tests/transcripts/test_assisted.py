"""The model pass: it may choose among sentence numbers only, and is never silent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence

import pytest

from g2_pipelines.models.errors import ModelTimeoutError
from g2_pipelines.models.ports import Completion, CompletionRequest, CompletionResult, Failure
from g2_pipelines.transcripts import assisted
from g2_pipelines.transcripts.assisted import find_turns
from g2_pipelines.transcripts.chunks import chunk
from g2_pipelines.transcripts.ports import FoundRole, FoundTurns, TurnStart, Window
from g2_pipelines.transcripts.prompted import PromptedTurnFinder
from g2_pipelines_tests.transcripts.helpers import CharacterTokenizer, segmented, uncovered

TEXT = (
    "業績をご説明します。売上は増えました。\n質疑応答\n来期の見通しを教えてください。"
    "増収を見込みます。理由は値上げです。配当はこの先どうなるのでしょうか。据え置きます。"
)
STARTS: list[tuple[str, FoundRole]] = [
    ("業績を", "presenter"), ("来期の", "question"), ("増収を", "answer"),
    ("配当は", "question"), ("据え置", "answer"),
]  # fmt: skip


class Knowing:
    """A finder that knows who speaks from which words on."""

    engine, model, prompt_version = "fake", "fake/1", "v1"

    def __init__(self) -> None:
        self.asked: list[Window] = []

    async def find(self, windows: Sequence[Window]) -> list[FoundTurns | Failure]:
        self.asked += windows
        return [FoundTurns(tuple(self._starts(w)), (f"key-{len(self.asked)}",)) for w in windows]

    def _starts(self, window: Window) -> list[TurnStart]:
        return [
            TurnStart(number, role)
            for number, sentence in enumerate(window.sentences)
            for words, role in STARTS
            if sentence.startswith(words)
        ]


@pytest.mark.parametrize("window", [2, 3, 60])
def test_the_choices_become_turns_and_chunks_and_the_row_names_the_model(
    window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assisted, "WINDOW", window)
    transcript, _, before = segmented(TEXT)
    finder = Knowing()
    turns, row = asyncio.run(find_turns(transcript, before, finder))
    assert [(t.role, t.role_source, t.text[:3]) for t in turns] == [
        (role, "model", words) for words, role in STARTS
    ]
    assert (before.segmentation, row.segmentation, row.model) == ("unsegmented", "model", "fake/1")
    assert row.call_keys == [f"key-{n}" for n in range(1, len(finder.asked) + 1)]
    assert "turns chosen by a model (fake/1)" in row.warnings
    assert uncovered(transcript, turns, row) == []
    chunks = chunk(transcript, turns, row, max_tokens=4000, tokenizer=CharacterTokenizer())
    assert [c.pattern for c in chunks] == ["", "QA", "QA"]
    assert finder.asked[-1].role == (None if window == 60 else "question")


def test_a_failed_window_fails_the_transcript() -> None:
    """Half a call's turns by a model and half by nobody would look whole."""

    class Failing(Knowing):
        async def find(self, windows: Sequence[Window]) -> list[FoundTurns | Failure]:
            return [ModelTimeoutError("no answer", file="x") for _ in windows]

    transcript, _, before = segmented(TEXT)
    with pytest.raises(ModelTimeoutError):
        asyncio.run(find_turns(transcript, before, Failing()))


class Answering:
    """A completion port that answers by a function."""

    engine, model = "fake", "fake-chat/1"

    def __init__(self, answer: Callable[[CompletionRequest], str]) -> None:
        self.answer = answer
        self.requests: list[CompletionRequest] = []

    async def complete(self, requests: Sequence[CompletionRequest]) -> list[CompletionResult]:
        self.requests += requests
        return [
            Completion(
                text=self.answer(request), finish_reason="stop", prompt_tokens=1,
                completion_tokens=1, cached_tokens=0, call_key=f"k{len(self.requests)}",
                engine=self.engine, model=self.model,
            )
            for request in requests
        ]  # fmt: skip


def _reply(*starts: tuple[str, str]) -> str:
    return json.dumps({"starts": [{"sentence": s, "role": r} for s, r in starts]})


def test_a_model_is_shown_numbered_sentences_and_a_closed_set() -> None:
    port = Answering(lambda _: _reply(("s1", "question"), ("s2", "answer")))
    window = Window("call-1", ("売上はいくらですか。", "二億円です。"), ("前の文。",), "answer")
    [found] = asyncio.run(PromptedTurnFinder(port).find([window]))
    assert found == FoundTurns((TurnStart(0, "question"), TurnStart(1, "answer")), ("k1",))
    [request] = port.requests
    assert "s1 売上はいくらですか。" in request.messages[0].text
    assert "s2 二億円です。" in request.messages[0].text
    schema = json.loads(request.json_schema or "")
    item = schema["properties"]["starts"]["items"]["properties"]
    assert item["sentence"]["enum"] == ["s1", "s2"]
    assert set(item["role"]["enum"]) == {"presenter", "moderator", "question", "answer"}


@pytest.mark.parametrize(
    "bad",
    [
        _reply(("s3", "question")),
        _reply(("s1", "chair")),
        _reply(("s2", "answer"), ("s1", "question")),
        _reply(("s1", "answer"), ("s1", "question")),
        '{"starts": [{"sentence": "s1", "role": "answer", "text": "別の文"}]}',
        "売上は三億円です。",
    ],
)
def test_any_other_answer_is_a_typed_failure_after_one_retry(bad: str) -> None:
    port = Answering(lambda _: bad)
    [found] = asyncio.run(PromptedTurnFinder(port).find([Window("call-1", ("一。", "二。"))]))
    assert isinstance(found, Exception)
    assert len(port.requests) == 2


def test_the_prompts_version_changes_with_the_files() -> None:
    finder = PromptedTurnFinder(Answering(lambda _: ""))
    assert len(finder.prompt_version) == 12
