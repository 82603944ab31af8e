"""A local model server in a process of its own, so that the client is what is measured.

``python -m benchmarks.model_server LATENCY_S`` prints its URL and serves until its stdin
closes. It answers each chat completion after the latency, with a text that depends on the
prompt alone, and ``GET /asked`` says how often each prompt came. One thread, no framework:
a call costs it 0.1 ms of CPU, and the machine's other core is the client's.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256


def mark_of(prompt: str) -> str:
    """What stands for a prompt in the server's count."""
    return sha256(prompt.encode()).hexdigest()[:16]


def text_of(prompt: str) -> str:
    """The server's answer to a prompt."""
    return f"売上高は前年を上回り、{mark_of(prompt)}の課題が残ります。"


class _Connection(asyncio.Protocol):
    def __init__(self, latency_s: float, asked: Counter[str]) -> None:
        self.latency_s, self.asked = latency_s, asked
        self.held = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.held += data
        while True:
            head, found, rest = self.held.partition(b"\r\n\r\n")
            if not found:
                return
            size = 0
            for line in head.split(b"\r\n"):
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    size = int(value)
            if len(rest) < size:
                return
            self.held = rest[size:]
            self._answer(head, rest[:size])

    def _answer(self, head: bytes, content: bytes) -> None:
        if head.startswith(b"GET"):
            self._write(json.dumps(self.asked).encode())
            return
        body = json.loads(content)
        prompt = body["messages"][-1]["content"]
        self.asked[mark_of(prompt)] += 1
        answer = {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": body["model"],
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": text_of(prompt)},
                    "finish_reason": "stop",
                }
            ],
            "usage": {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18},
        }
        content = json.dumps(answer).encode()
        asyncio.get_running_loop().call_later(self.latency_s, self._write, content)

    def _write(self, content: bytes) -> None:
        if not self.transport.is_closing():
            head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
            self.transport.write(head + str(len(content)).encode() + b"\r\n\r\n" + content)


async def _serve(latency_s: float) -> None:
    loop = asyncio.get_running_loop()
    asked: Counter[str] = Counter()
    server = await loop.create_server(lambda: _Connection(latency_s, asked), "127.0.0.1", 0)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
    ended = asyncio.Event()

    def wait() -> None:
        sys.stdin.buffer.read()
        loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=wait, daemon=True).start()
    await ended.wait()


@contextmanager
def model_server(latency_s: float) -> Iterator[str]:
    """The URL of a running server, with ``/v1``."""
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.model_server", str(latency_s)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    assert process.stdout
    try:
        yield process.stdout.readline().strip()
    finally:
        process.stdin.close()
        process.wait()


def asked(url: str) -> Counter[str]:
    """How often each prompt was asked so far, by its mark."""
    with urllib.request.urlopen(url.removesuffix("/v1") + "/asked") as answer:
        return Counter(json.load(answer))


if __name__ == "__main__":
    asyncio.run(_serve(float(sys.argv[1])))
