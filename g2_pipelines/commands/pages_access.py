"""Who may read the pages over HTTP, and what of the folder they get.

Here: the checks before the standard library's file server. What is served stands in
``serve``.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import urlsplit

#: Names of this machine on its loopback address.
LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})
#: Seconds that a client may take over its request; the standard library has no limit.
_PATIENCE_S = 30


class GuardedHandler(SimpleHTTPRequestHandler):
    """A file server for this machine's own names and for files that really lie in the folder.

    ``hosts`` are the names by which it may be asked. Without that check a page anywhere on the
    web can let its own name point to 127.0.0.1 and read briefs in the visitor's browser (DNS
    rebinding). Links that lead out of the folder, hidden files and drafts are not there.
    """

    timeout = _PATIENCE_S

    def __init__(self, *args: Any, hosts: frozenset[str] = LOCAL, **options: Any) -> None:
        self._hosts = hosts
        super().__init__(*args, **options)

    def parse_request(self) -> bool:
        """Refuse a request under another name than ours (421, RFC 9110 15.5.20)."""
        if not super().parse_request():
            return False
        named = self.headers.get_all("Host", [])
        if len(named) > 1 or (named and _name_of(named[0]) not in self._hosts):
            self.send_error(421)
            return False
        return True

    def send_head(self) -> io.BytesIO | BinaryIO | None:
        """Give a file of the folder, 404 for all else."""
        if not self._lies_inside():
            self.send_error(404)
            return None
        return super().send_head()

    def _lies_inside(self) -> bool:
        folder = Path(self.directory).resolve()
        try:
            path = Path(self.translate_path(self.path)).resolve()
        except (ValueError, OSError, RuntimeError):  # null byte, long name, links in a circle
            return False
        return path.is_relative_to(folder) and not any(
            part.startswith(".") for part in path.relative_to(folder).parts
        )


def hosts_of(pages_url: str) -> frozenset[str]:
    """The names of the server when people reach it by ``pages_url`` (a proxy's, say)."""
    return LOCAL | {_host(lambda: urlsplit(pages_url).hostname)} - {""}


def _name_of(host: str) -> str:
    return _host(lambda: urlsplit(f"//{host}").hostname)


def _host(read: Callable[[], str | None]) -> str:
    try:
        return (read() or "").rstrip(".").lower()
    except ValueError:  # brackets that do not close
        return ""
