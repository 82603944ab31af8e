"""Stands in for vLLM where it is not installed: the part of its interface that we call.

The real one runs in ``make test-vllm``. Here a request takes as many steps as its prompt has
words, up to 20; the prompt's words say what happens:

    "unreadable"  enqueue_chat raises, as for a picture that is none
    "broken"      a step raises, as when the memory runs out
    "long"        the answer ends by its token limit
    "empty"       the answer is white space

``LOADED`` and ``ANSWERED`` count models and answers of this process; ``FAIL_LOADING`` is
raised by the next load.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

LOADED: list[dict[str, Any]] = []
ANSWERED: list[str] = []
ABORTED: list[str] = []
FAIL_LOADING: list[BaseException] = []
CONTEXT = 1_000


@dataclass
class SamplingParams:
    max_tokens: int
    temperature: float
    top_p: float
    seed: int | None
    structured_outputs: Any


@dataclass
class _Running:
    given: str
    prompt: str
    steps: int
    params: SamplingParams


@dataclass
class _Engine:
    running: list[_Running] = field(default_factory=list)

    def step(self) -> list[Any]:
        time.sleep(float(os.environ.get("STUB_STEP_S", "0.001")))
        done = []
        for one in list(self.running):
            if "broken" in one.prompt:
                raise RuntimeError("out of memory\n  at layer 3")
            one.steps -= 1
            if one.steps <= 0:
                self.running.remove(one)
                done.append(_finished(one))
        return done

    def abort_request(self, ids: list[str]) -> None:
        ABORTED.extend(ids)
        self.running = [one for one in self.running if one.given not in ids]


def _finished(one: _Running) -> Any:
    ANSWERED.append(one.prompt)
    marks = os.environ.get("STUB_ANSWERED")
    if marks:
        with open(marks, "a", encoding="utf-8") as file:
            file.write(one.prompt + "\n")
    long = "long" in one.prompt
    text = " \n" if "empty" in one.prompt else f"答え: {one.prompt}"
    answer = SimpleNamespace(
        text=text,
        finish_reason="length" if long else "stop",
        token_ids=[0] * (one.params.max_tokens if long else 5),
    )
    return SimpleNamespace(
        request_id=one.given,
        finished=True,
        outputs=[answer],
        prompt_token_ids=[0] * len(one.prompt),
        num_cached_tokens=3,
    )


class LLM:
    def __init__(self, **arguments: Any) -> None:
        if FAIL_LOADING:
            raise FAIL_LOADING.pop()
        LOADED.append(arguments)
        self.llm_engine = _Engine()
        self.model_config = SimpleNamespace(max_model_len=CONTEXT)
        self._count = 0

    def get_tokenizer(self) -> Any:
        def template(messages: list[dict[str, str]], **_: Any) -> list[int]:
            return [0] * sum(len(message["content"]) for message in messages)

        return SimpleNamespace(apply_chat_template=template)

    def get_metrics(self) -> list[Any]:
        return [SimpleNamespace(name="vllm:prefix_cache_hits", value=7)]

    def enqueue_chat(
        self, messages: list[dict[str, Any]], params: SamplingParams, **_: Any
    ) -> list[str]:
        content = messages[-1]["content"]
        prompt = content if isinstance(content, str) else content[-1]["text"]
        if "unreadable" in prompt:
            raise ValueError("Failed to load image: cannot identify image file")
        given = str(self._count)
        self._count += 1
        steps = min(len(prompt.split()), 20)
        self.llm_engine.running.append(_Running(given, prompt, steps, params))
        return [f"{given}-ab12cd34"]
