"""The official SDK's client with our limits on connections, time and size.

Here: ``open_client``. What is sent through it stands in ``server``, which alone imports this
module.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import cache
from typing import TYPE_CHECKING, Any

from g2_pipelines.models.config import ServerConfig

if TYPE_CHECKING:
    import ssl

    from openai import AsyncOpenAI

#: The HTTP library looks at each idle connection of its pool for every request: with 64 in
#: one pool that was a third of a call's CPU; 16 a pool took 2.5 ms a call, 4 take 2.0.
SLOTS_PER_CLIENT = 4


class TooLargeError(Exception):
    """Raised inside the HTTP client; the SDK wraps only the client's own exceptions."""


@cache
def _certificates() -> ssl.SSLContext:
    """Read once a process: 20 ms each time, and a batch opens several clients."""
    import httpx2

    return httpx2.create_ssl_context()


def open_client(config: ServerConfig, url: str) -> AsyncOpenAI:
    """The SDK's client with our limits; Azure's own class where an api_version is set."""
    import httpx2
    import openai

    async def bound(response: httpx2.Response) -> None:
        response.stream = _bounded_stream(response, config.max_answer_bytes)

    http_client = openai.DefaultAsyncHttpxClient(
        timeout=httpx2.Timeout(config.timeout_s, connect=config.connect_timeout_s, pool=None),
        verify=_certificates(),
        limits=httpx2.Limits(
            max_connections=SLOTS_PER_CLIENT, max_keepalive_connections=SLOTS_PER_CLIENT
        ),
        event_hooks={"response": [bound]},
    )
    # A server without keys ignores the header; an empty one is not a legal header value.
    key = config.api_key.get_secret_value() or "none"
    # Compressed, the size on the wire says nothing about the size in memory.
    headers = {"Accept-Encoding": "identity"}
    if config.api_version:
        return openai.AsyncAzureOpenAI(
            azure_endpoint=url,
            api_version=config.api_version,
            api_key=key,
            max_retries=0,
            http_client=http_client,
            default_headers=headers,
        )
    return openai.AsyncOpenAI(
        base_url=url, api_key=key, max_retries=0, http_client=http_client, default_headers=headers
    )


def _bounded_stream(response: Any, limit: int) -> Any:
    import httpx2

    inner = response.stream
    compressed = response.headers.get("content-encoding", "identity").lower() != "identity"

    class Bounded(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            if compressed:
                msg = "is compressed, though that was not asked for"
                raise TooLargeError(msg)
            size = 0
            async for part in inner:
                size += len(part)
                if size > limit:
                    msg = f"is larger than {limit} bytes"
                    raise TooLargeError(msg)
                yield part

        async def aclose(self) -> None:
            await inner.aclose()

    return Bounded()
