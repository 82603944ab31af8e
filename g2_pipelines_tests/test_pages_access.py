"""The pages server: its own names only, and nothing but files that lie in the folder."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from g2_pipelines.commands.pages_access import LOCAL, hosts_of
from g2_pipelines.commands.serve import pages_server


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    pages = tmp_path / "pages"
    (pages / "briefs").mkdir(parents=True)
    (pages / "briefs" / "a.html").write_text("A")
    (pages / "briefs" / ".draft-1").write_text("SECRET")
    (pages / ".hidden").mkdir()
    (pages / ".hidden" / "a.html").write_text("SECRET")
    (tmp_path / "secret.html").write_text("SECRET")
    (pages / "link.html").symlink_to(tmp_path / "secret.html")
    (pages / "out").symlink_to(tmp_path)
    (pages / "circle").symlink_to(pages / "circle")
    (pages / "within.html").symlink_to(pages / "briefs" / "a.html")
    with pages_server(pages, 0, hosts_of("https://briefs.example.test/g2")) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def _ask(
    port: int, path: str, method: str = "GET", hosts: tuple[str, ...] = ("localhost",)
) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.putrequest(method, path, skip_host=True)
    for host in hosts:
        connection.putheader("Host", host)
    connection.endheaders()
    return connection.getresponse()


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.html",
        "/%2e%2e/secret.html",
        "/..%2fsecret.html",
        "/..%5csecret.html",
        "/briefs/../../secret.html",
        "/link.html",
        "/out/secret.html",
        "/circle",
        "/briefs/.draft-1",
        "/.hidden/a.html",
        "/briefs/",
        "/a.html%00",
        "/%00",
        "/%ff",
        "/" + "a" * 5_000,
        "//secret.html",
    ],
)
def test_what_does_not_lie_in_the_folder_is_not_there(port: int, path: str) -> None:
    answer = _ask(port, path)
    assert answer.status == 404
    assert b"SECRET" not in answer.read()


@pytest.mark.parametrize("path", ["/briefs/a.html", "/within.html", "/briefs/a.html?x=/../"])
def test_what_lies_in_it_is_given_out(port: int, path: str) -> None:
    answer = _ask(port, path)
    assert (answer.status, answer.read()) == (200, b"A")
    assert "frame-ancestors 'none'" in (answer.headers["Content-Security-Policy"] or "")


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.0.0.1:3030", "LOCALHOST:3030", "[::1]:3030", "briefs.example.test"],
)
def test_it_answers_by_its_own_names(port: int, host: str) -> None:
    assert _ask(port, "/briefs/a.html", hosts=(host,)).status == 200


@pytest.mark.parametrize(
    "hosts",
    [
        ("evil.example",),
        ("evil.example:3030",),
        ("127.0.0.1.evil.example",),
        ("localhost@evil.example",),
        ("[",),
        ("localhost", "evil.example"),
    ],
)
@pytest.mark.parametrize("path", ["/", "/briefs/a.html"])
def test_another_name_reads_nothing(port: int, hosts: tuple[str, ...], path: str) -> None:
    answer = _ask(port, path, hosts=hosts)
    assert answer.status == 421
    assert answer.read()[:1] != b"A"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"])
def test_nothing_can_be_sent_to_it(port: int, method: str) -> None:
    assert _ask(port, "/briefs/a.html", method).status == 501


def test_a_pages_url_without_a_name_adds_none() -> None:
    assert hosts_of("http://[") == hosts_of("") == LOCAL
