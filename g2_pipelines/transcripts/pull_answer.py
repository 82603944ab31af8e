"""A site's answer, within bounds of time and size whatever the site does.

Here: the deadline of a whole request, and the unpacking of its body. ``pull`` imports this
module.
"""

from __future__ import annotations

import socket
import threading
import zlib
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx


class Deadline:
    """Ends a request after so many seconds, whatever it waits for; a context manager.

    A site that sends a byte of its headers now and then would keep every timeout of a single
    read for weeks: at the end its connection is shut down from another thread.
    """

    def __init__(self, seconds: float) -> None:
        self.passed = False
        self._socket: socket.socket | None = None
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *exc: object) -> None:
        self._timer.cancel()

    def watch(self, event: str, info: dict[str, Any]) -> None:
        """As httpcore's trace: remember the connection that was made."""
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            self._socket = info["return_value"].get_extra_info("socket")
            if self.passed:
                self._end()

    def _end(self) -> None:
        self.passed = True
        if self._socket is not None:
            with suppress(OSError):  # closed already
                # Not SSLSocket's own, which would drop its state under the reading thread.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


def read_body(answer: httpx.Response, most: int) -> bytes | None:
    """The unpacked body; None above ``most`` bytes.

    Unpacked here, and once: httpx unpacks as often as the header says (two turns make a
    gigabyte of 2 KB), and a whole piece of the network at a time.
    """
    named = answer.headers.get("content-encoding", "").strip().lower()
    if named in ("", "identity"):
        return _bounded(answer.iter_raw(), most)
    if named not in ("gzip", "x-gzip", "deflate"):
        raise httpx.DecodingError(f"content-encoding {named[:40]!r} was not asked for")
    return _bounded(_unpacked(answer.iter_raw(), most, gzip=named != "deflate"), most)


def _bounded(pieces: Iterator[bytes], most: int) -> bytes | None:
    kept, size = [], 0
    for piece in pieces:
        size += len(piece)
        if size > most:
            return None
        kept.append(piece)
    return b"".join(kept)


def _unpacked(pieces: Iterator[bytes], most: int, *, gzip: bool) -> Iterator[bytes]:
    unpacker: Any = None
    for piece in pieces:
        rest = piece
        while rest:
            if unpacker is None or (unpacker.eof and gzip):  # gzip may hold several members
                zlib_form = rest[:1] in (b"\x78", b"\x58", b"\x38", b"\x18")
                unpacker = zlib.decompressobj(31 if gzip else 15 if zlib_form else -15)
            elif unpacker.eof:
                break
            yield unpacker.decompress(rest, most + 1)
            rest = unpacker.unconsumed_tail or unpacker.unused_data
    if unpacker is not None and not unpacker.eof:
        raise httpx.DecodingError("the packed answer breaks off")
