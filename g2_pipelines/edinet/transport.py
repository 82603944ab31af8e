"""What stands between the client and the network: the key, and a broken file's beginning.

Here: adding the key to a request out of sight of everything that logs, and continuing a file
by a range. Not here: requests and retries (``client``, which alone imports this).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import httpx
from pydantic import SecretStr

_RANGE = re.compile(r"bytes (\d+)-\d+/(?:\d+|\*)")


class KeyTransport(httpx.BaseTransport):
    """Adds the key to the query of a copy of the request, out of sight of httpx's log lines.

    httpx logs each request's address at INFO and keeps the request in its exceptions.
    """

    def __init__(self, inner: httpx.BaseTransport, key: SecretStr) -> None:
        self._inner = inner
        self._key = key

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a copy of the request that has the key."""
        keyed = httpx.Request(
            request.method,
            request.url.copy_merge_params({"Subscription-Key": self._key.get_secret_value()}),
            headers=request.headers,
            extensions=request.extensions,
        )
        return self._inner.handle_request(keyed)

    def close(self) -> None:
        """Close the connections below."""
        self._inner.close()


@dataclass
class Received:
    """What came of a file before its connection broke, to be continued by a range.

    Only with a strong ETag: without one the rest might be of another file. The specification
    names no ranges; where a server does not know them, the file is asked for anew.
    """

    etag: str = ""
    content: bytearray = field(default_factory=bytearray)

    def headers(self) -> dict[str, str]:
        """Headers that ask for the rest; none where there is nothing to continue."""
        if not self.content or not self.etag:
            return {}
        return {"Range": f"bytes={len(self.content)}-", "If-Range": self.etag}

    def begin(self, response: httpx.Response) -> None:
        """Keep what is there only if the answer is its continuation."""
        match = _RANGE.match(response.headers.get("content-range", ""))
        if response.status_code == 206 and match and int(match.group(1)) == len(self.content):
            return
        self.content.clear()
        etag = response.headers.get("etag", "")
        plain = not response.headers.get("content-encoding")
        usable = response.status_code == 200 and etag.startswith('"') and plain
        self.etag = etag if usable else ""
