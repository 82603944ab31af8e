"""A local EDINET: real HTTP on loopback with the API's shapes and its faults."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from g2_pipelines_tests.edinet.builder import zip_bytes

KEY = "0123456789abcdef-secret-key"
REJECTED = {
    "StatusCode": 401,
    "message": "Access denied due to invalid subscription key.Make sure to provide a valid key "
    "for an active subscription.",
}
MAINTENANCE = "<!DOCTYPE html><html><body>ただいまメンテナンス中です。</body></html>".encode()


def row(number: int, doc_id: str, **more: object) -> dict[str, object]:
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
    flags = "withdrawalStatus docInfoEditStatus disclosureStatus xbrlFlag pdfFlag attachDocFlag englishDocFlag csvFlag legalStatus"
    values: dict[str, object] = dict.fromkeys(names) | dict.fromkeys(flags.split(), "0")
    return {"seqNumber": number, "docID": doc_id} | values | more


@dataclass
class LocalEdinet:
    """What the server holds, and how often it was asked."""

    url: str = ""
    days: dict[str, list[dict[str, object]]] = field(default_factory=dict)
    documents: dict[str, bytes] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)
    queries: list[dict[str, list[str]]] = field(default_factory=list)


@contextmanager
def local_edinet() -> Iterator[LocalEdinet]:
    """A running server; documents choose the fault by their id (see ``_Handler``)."""
    state = LocalEdinet()

    class Handler(_Handler):
        edinet = state

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
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


class _Handler(BaseHTTPRequestHandler):
    edinet: LocalEdinet

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Keep quiet."""

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        query = parse_qs(parts.query)
        name = parts.path.rpartition("/")[2]
        self.edinet.asked[name] += 1
        self.edinet.queries.append(query)
        if query.get("Subscription-Key") != [KEY]:
            self._json(REJECTED)
        elif name == "documents.json":
            self._list(query["date"][0])
        else:
            self._document(name, query["type"][0])

    def _list(self, day: str) -> None:
        if day == "2024-12-31":
            self._send(200, "text/html; charset=utf-8", MAINTENANCE)
            return
        rows = self.edinet.days.get(day, [])
        metadata = {"title": "提出された書類を把握するためのAPI", "status": "200", "message": "OK"}
        self._json({"metadata": metadata | {"resultset": {"count": len(rows)}}, "results": rows})

    def _document(self, name: str, kind: str) -> None:
        good = zip_bytes({"XBRL/PublicDoc/a.htm": b"x"})
        first = self.edinet.asked[name] == 1
        binary = "application/octet-stream"
        if name in self.edinet.documents:
            self._send(200, binary, self.edinet.documents[name])
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
            self._send(200, "application/pdf", b"%PDF-1.4 x")
        else:
            self._send(200, binary, good)

    def _status(self, status: str, message: str) -> None:
        self._json({"metadata": {"title": "書類取得API", "status": status, "message": message}})

    def _json(self, body: object) -> None:
        content = json.dumps(body, ensure_ascii=False).encode()
        self._send(200, "application/json; charset=utf-8", content)

    def _send(self, status: int, content_type: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
