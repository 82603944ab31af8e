"""A local EDINET: real HTTP on loopback with the API's shapes and its faults.

Shapes and rules are those of the EDINET API v2 specification: errors under HTTP 200 (3-3), type 1
and 2 of a list (3-1-2), a withdrawal's and an edit's rows (3-1-5 to 3-1-7). Faults of the
network (reset, cut, slow) are those of any server. A document or day takes its faults from
``faults``, one a request, and is good again when they are used up.
"""

from __future__ import annotations

import hashlib
import json
import socket
import struct
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from g2_pipelines_tests.edinet.builder import zip_bytes

Row = dict[str, object]
PDF = b"%PDF-1.4 x\n%%EOF\n"

KEY = "0123456789abcdef-secret-key"
REJECTED = {
    "StatusCode": 401,
    "message": "Access denied due to invalid subscription key.Make sure to provide a valid key "
    "for an active subscription.",
}
MAINTENANCE = "<!DOCTYPE html><html><body>ただいまメンテナンス中です。</body></html>".encode()


def row(number: object, doc_id: object, **more: object) -> Row:
    """A row of a day's list with all 29 fields."""
    names = [
        "edinetCode",
        "secCode",
        "JCN",
        "filerName",
        "fundCode",
        "ordinanceCode",
        "formCode",
        "docTypeCode",
        "periodStart",
        "periodEnd",
        "submitDateTime",
        "docDescription",
        "issuerEdinetCode",
        "subjectEdinetCode",
        "subsidiaryEdinetCode",
        "currentReportReason",
        "parentDocID",
        "opeDateTime",
    ]
    flags = (
        "withdrawalStatus docInfoEditStatus disclosureStatus xbrlFlag pdfFlag attachDocFlag"
        " englishDocFlag csvFlag legalStatus"
    )
    values: Row = dict.fromkeys(names) | dict.fromkeys(flags.split(), "0")
    return {"seqNumber": number, "docID": doc_id} | values | more


@dataclass
class LocalEdinet:
    """What the server holds, which faults are due, and how often it was asked.

    ``faults`` by document, or ``list:DAY``; each is one of ``FAULTS``. ``given`` counts whole
    good answers by document and type, ``sent`` the bytes of a document; ``after_cut`` replaces
    one that was cut. ``as_of`` is the lists' processDateTime.
    """

    url: str = ""
    days: dict[str, list[Row]] = field(default_factory=dict)
    documents: dict[str, bytes] = field(default_factory=dict)
    pdfs: dict[str, bytes] = field(default_factory=dict)
    csvs: dict[str, bytes] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    faults: dict[str, list[str]] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)
    given: Counter[tuple[str, str]] = field(default_factory=Counter)
    sent: Counter[str] = field(default_factory=Counter)
    after_cut: dict[str, bytes] = field(default_factory=dict)
    queries: list[dict[str, list[str]]] = field(default_factory=list)
    as_of: str = "2026-01-05 00:10"
    validators: bool = False
    ranges: bool = False
    slow_s: float = 0.3
    code_list: bytes = b""

    def withdraw(self, document_id: str, notice: str, day: str) -> None:
        """取下書 ``notice`` on ``day``, and the nightly rewriting of the document and its children."""
        number = len(self.days.setdefault(day, [])) + 1
        self.days[day].append(
            blank(number, notice, parentDocID=document_id, withdrawalStatus="1")
            | {"submitDateTime": f"{day} 09:30"}
        )
        for rows in self.days.values():
            for place, listed in enumerate(rows):
                mine, parent = listed["docID"], listed["parentDocID"]
                if document_id in {mine, parent} and listed["withdrawalStatus"] == "0":
                    rows[place] = blank(
                        listed["seqNumber"], mine, parentDocID=parent, withdrawalStatus="2"
                    )
                    self.gone.add(str(mine))

    def fault(self, name: str) -> str:
        """The fault that is due for a document or day, "" if none."""
        due = self.faults.get(name)
        fault = due.pop(0) if due else ""
        assert fault in {"", *FAULTS}
        return fault


#: What can go wrong with one request.
FAULTS = (
    "500", "503", "429", "body500", "html", "empty", "json", "reset", "cut", "cut_zip", "slow",
    "401",
)  # fmt: skip


def blank(number: object, doc_id: object, **more: object) -> Row:
    """A row of which almost all was deleted, as EDINET does on a withdrawal (3-1-5)."""
    return row(number, doc_id) | {"legalStatus": "0"} | more


@contextmanager
def local_edinet() -> Iterator[LocalEdinet]:
    """A running server; documents choose the fault by their id (see ``_Handler``)."""
    state = LocalEdinet()

    class Handler(_Handler):
        edinet = state

    server = _Server(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state.url = f"http://127.0.0.1:{server.server_address[1]}/api/v2"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a client that went away: that is what some tests are about."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    edinet: LocalEdinet

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Keep quiet."""

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        query = parse_qs(parts.query)
        name = parts.path.rpartition("/")[2]
        if name == "Edinetcode.zip":  # of another host, and without a key
            self._send(200, "application/zip", self.edinet.code_list)
            return
        listing = name == "documents.json"
        subject = f"list:{query['date'][0]}" if listing else name
        self.edinet.asked[subject if listing else name] += 1
        self.edinet.queries.append(query)
        fault = self.edinet.fault(subject)
        if query.get("Subscription-Key") != [KEY] or fault == "401":
            self._json(REJECTED)
        elif fault and fault not in {"slow", "cut", "cut_zip"}:
            self._fault(fault)
        elif listing:
            self._list(query["date"][0], query.get("type", ["1"])[0], fault)
        else:
            self._document(name, query["type"][0], fault)

    def _fault(self, fault: str) -> None:
        binary = "application/octet-stream"
        if fault in {"500", "503"}:
            self._send(int(fault), "text/html", MAINTENANCE)
        elif fault == "429":
            self._send(429, "application/json", b"{}", {"Retry-After": "0"})
        elif fault == "body500":
            self._status("500", "Internal Server Error")
        elif fault == "html":
            self._send(200, "text/html; charset=utf-8", MAINTENANCE)
        elif fault == "empty":
            self._send(200, "text/plain", b"")
        elif fault == "json":
            self._send(200, binary, json.dumps({"metadata": {"status": "404"}}).encode())
        elif fault == "reset":
            self._reset()
        else:
            raise AssertionError(fault)

    def _reset(self) -> None:
        """End the connection as a crash does."""
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()

    def _list(self, day: str, kind: str, fault: str) -> None:
        if day == "2024-12-31":
            self._send(200, "text/html; charset=utf-8", MAINTENANCE)
            return
        rows = self.edinet.days.get(day, [])
        metadata = {
            "title": "提出された書類を把握するためのAPI",
            "parameter": {"date": day, "type": kind},
            "resultset": {"count": len(rows)},
            "processDateTime": self.edinet.as_of,
            "status": "200",
            "message": "OK",
        }
        body: dict[str, object] = {"metadata": metadata}
        if kind == "2":
            body["results"] = rows[:-1] if fault == "cut" and rows else rows
        content = json.dumps(body, ensure_ascii=False).encode()
        headers: dict[str, str] = {}
        if self.edinet.validators:
            headers["ETag"] = f'"{hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16]}"'
            if self.headers.get("If-None-Match") == headers["ETag"]:
                self._send(304, "application/json; charset=utf-8", b"", headers)
                return
        if fault == "slow":
            time.sleep(self.edinet.slow_s)
        self._send(200, "application/json; charset=utf-8", content, headers)

    def _document(self, name: str, kind: str, fault: str) -> None:
        good = zip_bytes({"XBRL/PublicDoc/a.htm": b"x"})
        first = self.edinet.asked[name] == 1
        binary = "application/octet-stream"
        held = {"1": self.edinet.documents, "2": self.edinet.pdfs, "5": self.edinet.csvs}
        known = any(name in each for each in held.values())
        if name in self.edinet.gone or (known and name not in held.get(kind, {})):
            self._status("404", "Not Found")
        elif known:
            self._file(name, kind, held[kind][name], fault)
        elif name == "S100MISS":
            self._status("404", "Not Found")
        elif name == "S100BAD0":
            self._status("400", "Bad Request")
        elif name == "S100HTML":
            self._send(200, "text/html", MAINTENANCE)
        elif name == "S100NONE":
            self._send(200, "text/plain", b"")
        elif name == "S100JSON":
            self._send(200, binary, json.dumps({"metadata": {"status": "404"}}).encode())
        elif name == "S100FLAK" and first:
            self._send(500, "text/html", b"<html>oops</html>")
        elif name == "S100BODY" and first:
            self._status("500", "Internal Server Error")
        elif name == "S100DOWN":
            self._send(503, "text/html", MAINTENANCE)
        elif name == "S100RATE":
            self._send(429, "application/json", b"{}")
        elif name == "S100MOVE":
            self.send_response(302)
            self.send_header("Location", "http://127.0.0.1:1/elsewhere")
            self.end_headers()
        elif name == "S100DROP" and first:
            self.close_connection = True
            self.connection.close()
        elif kind == "2":
            self._send(200, "application/pdf", PDF)
        else:
            self._send(200, binary, good)

    def _file(self, name: str, kind: str, content: bytes, fault: str) -> None:
        """A document; ``cut`` breaks the connection half way, ``cut_zip`` sends a whole half."""
        media = "application/pdf" if kind == "2" else "application/octet-stream"
        if fault == "slow":
            time.sleep(self.edinet.slow_s)
        if fault == "cut_zip":
            self._send(200, media, content[: len(content) // 2])
            return
        headers = {"ETag": f'"{hashlib.sha256(content).hexdigest()[:16]}"'}
        start = 0
        asked = self.headers.get("Range", "")
        if self.edinet.ranges and asked and self.headers.get("If-Range") == headers["ETag"]:
            start = int(asked.removeprefix("bytes=").rstrip("-"))
            headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        rest = content[start:]
        if fault == "cut":
            self._head(206 if start else 200, media, len(rest), headers)
            self.wfile.write(rest[: len(rest) // 2])
            self.wfile.flush()
            self.edinet.sent[name] += len(rest) // 2
            self.close_connection = True
            if name in self.edinet.after_cut:
                self.edinet.documents[name] = self.edinet.after_cut[name]
            return
        self.edinet.sent[name] += len(rest)
        self._send(206 if start else 200, media, rest, headers if self.edinet.ranges else {})
        self.edinet.given[name, kind] += 1

    def _status(self, status: str, message: str) -> None:
        self._json({"metadata": {"title": "書類取得API", "status": status, "message": message}})

    def _json(self, body: object) -> None:
        content = json.dumps(body, ensure_ascii=False).encode()
        self._send(200, "application/json; charset=utf-8", content)

    def _send(
        self, status: int, content_type: str, content: bytes, headers: dict[str, str] | None = None
    ) -> None:
        self._head(status, content_type, len(content), headers or {})
        self.wfile.write(content)

    def _head(self, status: int, content_type: str, size: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(size))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
