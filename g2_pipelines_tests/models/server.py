"""A real local HTTP server that speaks the OpenAI protocol, scripted by a function.

``ModelServer`` answers chat completions (an instance of the asked json_schema, else a
deterministic text) and embeddings (deterministic vectors). A script may answer instead:

    def script(request: ServerRequest) -> Reply | None:      # None: the usual answer
        return error(429, "slow down", headers={"Retry-After": "0"}) if request.number < 2 else None

    with ModelServer(script) as server:
        config = ModelConfig(base_url=server.base_url, model="test", backoff_s=0)

``server.requests`` holds all requests in order of arrival, ``server.count`` their number.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True)
class ServerRequest:
    """One request. number: 0, 1, 2… in order of arrival; body: its JSON."""

    number: int
    path: str
    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def prompt(self) -> str:
        """The text of all messages, joined by newlines."""
        texts = []
        for message in self.body.get("messages", []):
            content = message["content"]
            parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
            texts += [part["text"] for part in parts if part["type"] == "text"]
        return "\n".join(texts)

    @property
    def schema(self) -> dict[str, Any] | None:
        """The schema asked for, if any."""
        form = self.body.get("response_format") or {}
        return form["json_schema"]["schema"] if form.get("type") == "json_schema" else None


@dataclass(frozen=True)
class Reply:
    """What the server does. delay_s: before the first byte; reset_after: bytes, then RST;
    drip_s: pause between single bytes."""

    status: int = 200
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    delay_s: float = 0.0
    reset_after: int | None = None
    drip_s: float = 0.0


Script = Callable[[ServerRequest], "Reply | None"]


def chat(text: str | None, finish_reason: str = "stop", **extra: Any) -> Reply:
    """A chat completion with this text; ``extra`` goes to the Reply."""
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": "test",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text},
                "finish_reason": finish_reason,
            }
        ],
        "usage": {
            "prompt_tokens": 7,
            "completion_tokens": 3,
            "total_tokens": 10,
            "prompt_tokens_details": {"cached_tokens": 2},
        },
    }
    return Reply(body=json.dumps(body).encode(), **extra)


def error(status: int, message: str = "no", code: str | None = None, **extra: Any) -> Reply:
    """An error of the protocol."""
    body = {"error": {"message": message, "type": code or "error", "code": code}}
    return Reply(status=status, body=json.dumps(body).encode(), **extra)


def embeddings(vectors: list[list[float]], **extra: Any) -> Reply:
    """An embedding answer with these vectors; NaN is written as Python writes it."""
    body = {
        "object": "list",
        "model": "test",
        "data": [
            {"object": "embedding", "index": index, "embedding": vector}
            for index, vector in enumerate(vectors)
        ],
        "usage": {"prompt_tokens": 1, "total_tokens": 1},
    }
    return Reply(body=json.dumps(body).encode(), **extra)


def vector_of(text: str, dimension: int = 8) -> list[float]:
    """A deterministic vector of ``text``."""
    digest = sha256(text.encode()).digest()
    return [digest[i % 32] / 255 + 0.001 for i in range(dimension)]


def instance_of(schema: dict[str, Any], said: str = "値") -> Any:
    """A small value that fits a schema of ``schema_text``."""
    if "anyOf" in schema:
        return instance_of(schema["anyOf"][0], said)
    if "enum" in schema:
        return schema["enum"][0]
    match schema["type"]:
        case "object":
            return {key: instance_of(child, said) for key, child in schema["properties"].items()}
        case "array":
            count = max(schema.get("minItems", 0), min(1, schema["maxItems"]))
            return [instance_of(schema["items"], said) for _ in range(count)]
        case "string":
            text = said.ljust(schema.get("minLength", 0), "値")
            return text[: schema.get("maxLength", len(text))]
        case "integer" | "number":
            return schema.get("minimum", schema.get("maximum", 0))
        case "boolean":
            return True
        case _:
            return None


def usual(request: ServerRequest, dimension: int = 8) -> Reply:
    """The answer without a script: depends on the request only."""
    if request.path.partition("?")[0].endswith("/embeddings"):
        texts = request.body["input"]
        return embeddings([vector_of(text, dimension) for text in texts])
    mark = sha256(json.dumps(request.body, sort_keys=True).encode()).hexdigest()[:8]
    if request.schema is not None:
        return chat(json.dumps(instance_of(request.schema), ensure_ascii=False))
    return chat(f"これは要約です（{mark}）。")


class ModelServer:
    """Context manager: the server in a thread, on a free port of 127.0.0.1."""

    def __init__(self, script: Script | None = None, *, dimension: int = 8) -> None:
        self.script = script
        self.dimension = dimension
        self.models: list[dict[str, Any]] = [{"id": "test-model", "max_model_len": 32_768}]
        self.requests: list[ServerRequest] = []
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._http = _Http(("127.0.0.1", 0), _handler_of(self))
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )

    @property
    def base_url(self) -> str:
        """With ``/v1``."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def count(self) -> int:
        """Requests received so far."""
        with self._lock:
            return len(self.requests)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def reply(self, path: str, body: dict[str, Any], headers: dict[str, str]) -> Reply:
        """Count a request and say what to do with it."""
        with self._lock:
            request = ServerRequest(len(self.requests), path, body, headers)
            self.requests.append(request)
        reply = self.script(request) if self.script else None
        return reply or usual(request, self.dimension)


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is what some tests are about."""


def _handler_of(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def log_message(self, *args: Any) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            """The list of models, as vLLM gives it."""
            body = json.dumps({"object": "list", "data": server.models}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            reply = server.reply(self.path, json.loads(content or b"{}"), headers)
            if reply.delay_s:
                server.closing.wait(reply.delay_s)
            self.send_response(reply.status)
            named = {"Content-Type": reply.content_type, **reply.headers}
            for name, value in named.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            if reply.reset_after is not None:
                self.wfile.write(reply.body[: reply.reset_after])
                self.wfile.flush()
                linger = struct.pack("ii", 1, 0)
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                self.connection.close()
                self.close_connection = True
            elif reply.drip_s:
                for byte in reply.body:
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
                    if server.closing.wait(reply.drip_s):
                        return
            else:
                self.wfile.write(reply.body)

    return Handler
