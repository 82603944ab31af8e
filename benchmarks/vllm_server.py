"""A real vLLM server on CPU with a tiny model, for measurements and tests.

``make test-vllm`` makes the environment (``.venv-vllm``) that ``ready`` looks for. The
server's command is a module: vLLM's own ``serve`` looks its version up under a name that the
CPU build does not have.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
ENVIRONMENT = ROOT / ".venv-vllm"
MODELS = ENVIRONMENT / "models"
#: Room for some 30,000-token prompts of a tiny model, one thread that may run on any core
#: (two that wait for each other are slower than one where others work too), and no word to
#: anybody.
SETTINGS = {
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "VLLM_CPU_OMP_THREADS_BIND": "nobind",
    "OMP_NUM_THREADS": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "DO_NOT_TRACK": "1",
    "HF_HUB_OFFLINE": "1",
    "VLLM_LOGGING_LEVEL": "WARNING",
}
START_S = 600.0


@dataclass(frozen=True)
class Server:
    """A running server. base_url ends with /v1; name is what it calls its model."""

    base_url: str
    name: str
    process: subprocess.Popen[bytes]

    def counters(self) -> dict[str, float]:
        """Its own counters by name, summed over their labels."""
        found: dict[str, float] = {}
        text = _read(self.base_url.removesuffix("/v1") + "/metrics")
        for name, value in re.findall(r"^(vllm:[a-z_]+)(?:\{[^}]*\})? (\S+)$", text, re.MULTILINE):
            found[name] = found.get(name, 0.0) + float(value)
        return found


def ready() -> bool:
    """Whether the environment with vLLM and the tiny models is there."""
    return (ENVIRONMENT / "bin" / "python").exists() and (MODELS / "qwen3").is_dir()


@contextmanager
def serve(model: Path, *options: str, log: Path, start_s: float = START_S) -> Iterator[Server]:
    """Run a server of ``model`` until the block ends; its words go to ``log``.

    Raises RuntimeError with the log's end if it does not answer within ``start_s``.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command: Sequence[str] = [
        *(str(ENVIRONMENT / "bin" / "python"), "-m", "vllm.entrypoints.openai.api_server"),
        *("--model", str(model), "--served-model-name", model.name),
        *("--host", "127.0.0.1", "--port", str(port)),
        *("--dtype", "bfloat16", "--enforce-eager", "--enable-prompt-tokens-details"),
        *("--structured-outputs-config.backend", "xgrammar"),
        *("--structured-outputs-config.disable_any_whitespace", "true"),
        *options,
    ]
    environment = {**SETTINGS, **os.environ}
    with log.open("ab") as words:
        process = subprocess.Popen(command, stdout=words, stderr=words, env=environment)
    try:
        url = f"http://127.0.0.1:{port}"
        _wait(url, process, log, start_s)
        yield Server(f"{url}/v1", model.name, process)
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(url: str, process: subprocess.Popen[bytes], log: Path, start_s: float) -> None:
    end = time.monotonic() + start_s
    while time.monotonic() < end and process.poll() is None:
        try:
            _read(f"{url}/health")
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.5)
        else:
            return
    last = log.read_text(encoding="utf-8", errors="replace")[-3_000:]
    msg = f"The vLLM server did not start within {start_s:.0f} s; its last words:\n{last}"
    raise RuntimeError(msg)


def _read(url: str) -> str:
    with urllib.request.urlopen(url, timeout=10) as answer:
        return str(answer.read().decode("utf-8"))
