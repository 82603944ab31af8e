"""Pulling over real HTTP on loopback: validators, robots, limits, and no way inside."""

from __future__ import annotations

import gzip
import socket
import threading
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from g2_pipelines.transcripts.pull import (
    AddressRefusedError,
    Puller,
    PullFailedError,
    PullTooLargeError,
    RobotsRefusedError,
    Validators,
    resolve,
)

TEXT = "Q：売上は？\nA：増えました。\n".encode()


@dataclass
class Site:
    """What the local site answers by path, and what it was asked."""

    port: int = 0
    robots: tuple[int, bytes] = (404, b"")
    asked: list[tuple[str, str | None, str | None]] = field(default_factory=list)

    def url(self, path: str) -> str:
        return f"http://calls.example.test:{self.port}{path}"


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # the name is http.server's
            site.asked.append((self.path, self.headers["If-None-Match"], self.headers["Host"]))
            status, body, headers = self._answer()
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def _answer(self) -> tuple[int, bytes, dict[str, str]]:
            match self.path:
                case "/robots.txt":
                    return *site.robots, {}
                case "/call.txt":
                    if self.headers["If-None-Match"] == '"v1"':
                        return 304, b"", {}
                    return 200, TEXT, {"ETag": '"v1"', "Last-Modified": "x"}
                case "/moved":
                    return 302, b"", {"Location": "/call.txt"}
                case "/loop":
                    return 302, b"", {"Location": "/loop"}
                case "/inside":
                    return 302, b"", {"Location": "http://169.254.169.254/latest/meta-data"}
                case "/bomb":
                    return 200, zlib.compress(b"a" * 2_000_000), {"Content-Encoding": "deflate"}
                case "/twice":
                    packed = gzip.compress(gzip.compress(b"a" * 90_000))
                    return 200, packed, {"Content-Encoding": "gzip, gzip"}
                case "/gzip":  # of two members
                    packed = gzip.compress(TEXT) + gzip.compress(TEXT)
                    return 200, packed, {"Content-Encoding": "gzip"}
                case "/raw-deflate":
                    packer = zlib.compressobj(wbits=-15)
                    packed = packer.compress(TEXT) + packer.flush()
                    return 200, packed, {"Content-Encoding": "deflate"}
                case "/broken-off":
                    return 200, gzip.compress(TEXT)[:-9], {"Content-Encoding": "gzip"}
                case "/to-no-address":
                    return 302, b"", {"Location": f"http://{'a' * 70}.example/"}
                case "/to-no-label":
                    return 302, b"", {"Location": "http://xn--0/"}
                case "/busy":
                    return 503, b"", {}
                case _:
                    return 404, b"", {}

        def log_message(self, *_: object) -> None:
            """Nothing on stderr."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site.port = server.server_address[1]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield site
    server.shutdown()
    server.server_close()


def _resolver(host: str, port: int) -> list[str]:
    return ["127.0.0.1"] if host == "calls.example.test" else [host]


@pytest.fixture
def puller() -> Iterator[Puller]:
    with Puller(interval_s=0, max_bytes=100_000, private=True, resolver=_resolver) as client:
        yield client


def test_the_file_comes_with_what_to_ask_with_next_time(site: Site, puller: Puller) -> None:
    pulled = puller.pull(site.url("/call.txt"))
    assert pulled == (TEXT, Validators('"v1"', "x"))
    assert site.asked[-1][2] == f"calls.example.test:{site.port}"  # by name, not by address


def test_an_unchanged_file_is_not_sent_again(site: Site, puller: Puller) -> None:
    known = Validators('"v1"', None)
    assert puller.pull(site.url("/call.txt"), known) == (None, known)
    assert site.asked[-1][:2] == ("/call.txt", '"v1"')


def test_a_redirect_is_followed_and_a_loop_is_not(site: Site, puller: Puller) -> None:
    assert puller.pull(site.url("/moved")).content == TEXT
    with pytest.raises(PullFailedError, match="sends on"):
        puller.pull(site.url("/loop"))


@pytest.mark.parametrize(
    ("robots", "allowed"),
    [
        ((404, b""), True),
        ((200, b"User-agent: *\nDisallow: /private\n"), True),
        ((200, b"User-agent: *\nDisallow: /call\n"), False),
        ((200, b"User-agent: g2_pipelines\nDisallow: /\n\nUser-agent: *\nAllow: /\n"), False),
        ((503, b""), False),
    ],
)
def test_robots_txt_is_asked_once_and_obeyed(
    site: Site, puller: Puller, robots: tuple[int, bytes], allowed: bool
) -> None:
    """RFC 9309: no file allows all, a server error forbids all."""
    site.robots = robots
    for _ in range(2):
        if allowed:
            assert puller.pull(site.url("/call.txt")).content == TEXT
        else:
            with pytest.raises(RobotsRefusedError):
                puller.pull(site.url("/call.txt"))
    assert [path for path, *_ in site.asked].count("/robots.txt") == 1
    assert allowed or "/call.txt" not in [path for path, *_ in site.asked]


def test_an_answer_that_unpacks_above_the_limit_is_cut_off(site: Site, puller: Puller) -> None:
    with pytest.raises(PullTooLargeError):
        puller.pull(site.url("/bomb"))


def test_an_answer_that_is_packed_twice_is_not_unpacked(site: Site, puller: Puller) -> None:
    """Two turns would make a gigabyte of two kilobytes, before any limit is asked."""
    with pytest.raises(PullFailedError):
        puller.pull(site.url("/twice"))


@pytest.mark.parametrize(
    ("path", "content"), [("/gzip", TEXT + TEXT), ("/raw-deflate", TEXT), ("/call.txt", TEXT)]
)
def test_a_packed_answer_is_unpacked_whole(
    site: Site, puller: Puller, path: str, content: bytes
) -> None:
    assert puller.pull(site.url(path)).content == content


def test_a_packed_answer_that_breaks_off_is_no_file(site: Site, puller: Puller) -> None:
    with pytest.raises(PullFailedError):
        puller.pull(site.url("/broken-off"))


@pytest.mark.parametrize("path", ["/to-no-address", "/to-no-label"])
def test_a_site_that_sends_on_to_no_address_is_refused(site: Site, path: str) -> None:
    def resolver(host: str, port: int) -> list[str]:
        return _resolver(host, port) if host.startswith("calls") else resolve(host, port)

    with (
        Puller(interval_s=0, private=True, resolver=resolver) as client,
        pytest.raises((AddressRefusedError, PullFailedError)),
    ):
        client.pull(site.url(path))


def test_headers_that_never_end_are_cut_off() -> None:
    """A header every 20 ms keeps each read's timeout; only the whole request's ends it."""
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def drip() -> None:
            with server.accept()[0] as connection:
                connection.sendall(b"HTTP/1.1 200 OK\r\n")
                try:
                    while not over.wait(0.02):
                        connection.sendall(b"X: 1\r\n")
                except OSError:
                    over.set()

        thread = threading.Thread(target=drip, daemon=True)
        thread.start()
        with (
            Puller(
                interval_s=0, private=True, timeout_s=60, total_s=0.2, resolver=_resolver
            ) as client,
            pytest.raises(PullTooLargeError, match="takes too long"),
        ):
            client.pull(f"http://calls.example.test:{server.getsockname()[1]}/call.txt")
        over.set()
        thread.join(10)


@pytest.mark.parametrize(("path", "remedy"), [("/gone", "Check the address"), ("/busy", "later")])
def test_a_failure_says_what_to_do(site: Site, puller: Puller, path: str, remedy: str) -> None:
    with pytest.raises(PullFailedError) as caught:
        puller.pull(site.url(path))
    assert remedy in caught.value.remedy


INSIDE = [
    "127.0.0.1", "10.1.2.3", "192.168.0.1", "172.16.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
    "224.0.0.1", "::1", "fe80::1", "fc00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::",
    "::127.0.0.1", "64:ff9b:1::7f00:1", "fec0::1", "::ffff:0:127.0.0.1", "2001::1", "3fff::1",
    "192.0.0.192", "168.63.129.16", "192.88.99.1",
]  # fmt: skip


@pytest.mark.parametrize("address", INSIDE)
def test_no_address_of_our_own_network_is_asked(address: str) -> None:
    """One private answer among public ones is enough: the next look-up might give it."""
    with (
        Puller(interval_s=0, resolver=lambda *_: ["93.184.215.14", address]) as client,
        pytest.raises(AddressRefusedError, match="private network"),
    ):
        client.pull("http://calls.example.test/call.txt")


def test_a_redirect_to_the_inside_is_refused(site: Site) -> None:
    checked: list[str] = []

    def resolver(host: str, port: int) -> list[str]:
        checked.append(host)
        return ["127.0.0.1"] if host == "calls.example.test" else [host]

    class Careful(Puller):
        def _checked(self, address: object) -> str:
            if getattr(address, "host", "") == "calls.example.test":
                return "127.0.0.1"  # stands for a public server
            return super()._checked(address)  # type: ignore[arg-type]

    with (
        Careful(interval_s=0, resolver=resolver) as client,
        pytest.raises(AddressRefusedError, match="private network"),
    ):
        client.pull(site.url("/inside"))
    assert checked == ["169.254.169.254"]


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://a.example/x",
        "call.txt",
        "http://",
        "http://u:secret@a.example/x",
        "http://[",
        "gopher://a",
        "http://xn--0/",
    ],
)
def test_other_schemes_and_credentials_are_refused_without_telling_them(url: str) -> None:
    with (
        Puller(interval_s=0, resolver=_resolver) as client,
        pytest.raises(AddressRefusedError) as caught,
    ):
        client.pull(url)
    assert "secret" not in str(caught.value)


def test_requests_to_one_host_keep_their_distance(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr("g2_pipelines.transcripts.pull.time.sleep", slept.append)
    with Puller(interval_s=50, private=True, resolver=_resolver) as client:
        client.pull(site.url("/call.txt"))
    assert len(slept) == 1  # robots.txt at once, the file after it
    assert 49 < slept[0] <= 50
