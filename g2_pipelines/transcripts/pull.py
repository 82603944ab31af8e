"""Fetching a transcript from its address, politely and safely.

Here: one GET with ETag and Last-Modified, robots.txt, a pace per host, limits of size and
time, and no address inside our own network. What is kept of an answer, and when to ask, is
``defs``'s affair, which alone imports this module; nothing is fetched unless it is switched
on.

Server-side request forgery is kept out by connecting to the very address that was checked:
the name is resolved once, every answer must be public, and the request goes to that address
with the name in the Host header and in TLS (a second resolution could tell another one).
"""

from __future__ import annotations

import ipaddress
import re
import socket
import threading
import time
import zlib
from collections.abc import Callable
from typing import ClassVar, NamedTuple, Self
from urllib.robotparser import RobotFileParser

import httpx

from g2_pipelines.errors import InputError, LimitError, ModelError
from g2_pipelines.transcripts.pull_answer import Deadline, read_body

AGENT = "g2_pipelines"
MAX_REDIRECTS = 5
MAX_ROBOTS_BYTES = 500_000
_REDIRECTS = frozenset([301, 302, 303, 307, 308])
_UNCHANGED, _OK, _MISSING, _BUSY, _SERVER = 304, 200, 400, 429, 500

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
#: The only IPv6 range that is given out for the Internet (IANA), which leaves out site-local,
#: IPv4-compatible, translated and local-use NAT64 addresses, whatever Python calls them.
_GIVEN_OUT = ipaddress.ip_network("2000::/3")
#: Not of the Internet, though Python 3.11 calls some of them global: protocol assignments with
#: Teredo and Oracle's metadata, documentation, 6to4's anycast, Azure's own wire server.
_SPECIAL = [
    ipaddress.ip_network(net)
    for net in (
        "2001::/23", "2001:db8::/32", "3fff::/20", "192.0.0.0/24", "192.88.99.0/24",
        "168.63.129.16/32",
    )
]  # fmt: skip

Resolver = Callable[[str, int], list[str]]


class AddressRefusedError(InputError):
    """The address is not one that may be fetched."""

    code: ClassVar[str] = "address_refused"


class RobotsRefusedError(InputError):
    """The site's robots.txt does not allow it."""

    code: ClassVar[str] = "robots_refused"


class PullFailedError(ModelError):
    """The site did not answer with the file."""

    code: ClassVar[str] = "pull_failed"


class PullTooLargeError(LimitError):
    """The answer is larger, or takes longer, than a transcript may."""

    code: ClassVar[str] = "pull_too_large"


class Validators(NamedTuple):
    """What a site said of the version that we have."""

    etag: str | None = None
    last_modified: str | None = None


class Pulled(NamedTuple):
    """The file, or None where it has not changed; and what to ask with next time."""

    content: bytes | None
    validators: Validators


def resolve(host: str, port: int) -> list[str]:
    """The host's addresses, as the system tells them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class Puller:
    """Fetches files; a context manager, safe to share between threads.

    Args:
        interval_s: least seconds between two requests to one host.
        max_bytes: of one answer, unpacked.
        timeout_s: to connect, and between two pieces of an answer.
        total_s: for one answer.
        private: allow addresses of our own network (an intranet's server).
        resolver: how names become addresses.
    """

    def __init__(
        self,
        *,
        interval_s: float = 2.0,
        max_bytes: int = 64_000_000,
        timeout_s: float = 30.0,
        total_s: float = 300.0,
        private: bool = False,
        resolver: Resolver = resolve,
    ) -> None:
        self._interval_s = interval_s
        self._max_bytes = max_bytes
        self._total_s = total_s
        self._private = private
        self._resolver = resolver
        self._robots: dict[str, RobotFileParser | None] = {}
        self._next: dict[str, float] = {}
        self._lock = threading.Lock()
        # No proxy and no netrc of the environment: the checked address is the one we talk to.
        self._http = httpx.Client(timeout=timeout_s, follow_redirects=False, trust_env=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._http.close()

    def pull(self, url: str, known: Validators | None = None) -> Pulled:
        """The file at ``url``, unless it is the version ``known``.

        Raises:
            AddressRefusedError: Not http(s), credentials in it, no such host, or not public.
            RobotsRefusedError: robots.txt says no.
            PullFailedError: No answer, or another status than 200 and 304.
            PullTooLargeError: Above ``max_bytes`` or ``total_s``.
        """
        known = known or Validators()
        headers = {"If-None-Match": known.etag, "If-Modified-Since": known.last_modified}
        sent = {name: value for name, value in headers.items() if value}
        address = _parse(url)
        for _ in range(MAX_REDIRECTS + 1):
            self._ask_robots(address)
            status, answer, content = self._get(address, sent, self._max_bytes)
            if status in _REDIRECTS and answer.get("location"):
                address = _next(address, answer["location"])
                continue
            if status == _UNCHANGED and sent:
                return Pulled(None, known)
            if status != _OK:
                raise PullFailedError(
                    f"The site answered {status}",
                    file=url,
                    remedy="Try again later"
                    if status in (_BUSY,) or status >= _SERVER
                    else "Check the address",
                )
            return Pulled(content, Validators(answer.get("etag"), answer.get("last-modified")))
        raise PullFailedError(
            f"The site sends on more than {MAX_REDIRECTS} times",
            file=url,
            remedy="Give the final address",
        )

    def _ask_robots(self, address: httpx.URL) -> None:
        origin = f"{address.scheme}://{address.netloc.decode('ascii')}"
        with self._lock:
            known = origin in self._robots
        if not known:
            rules = self._read_robots(httpx.URL(origin).join("/robots.txt"))
            with self._lock:
                self._robots[origin] = rules
        rules = self._robots[origin]
        if rules is not None and not rules.can_fetch(AGENT, str(address)):
            raise RobotsRefusedError(
                "The site's robots.txt does not allow it",
                file=str(address),
                remedy="Ask the site, or save the file by hand",
            )

    def _read_robots(self, address: httpx.URL) -> RobotFileParser | None:
        """The rules; None without any (4xx). A server error forbids all (RFC 9309, 2.3.1.4)."""
        rules = RobotFileParser()
        for _ in range(MAX_REDIRECTS + 1):
            status, answer, content = self._get(address, {}, MAX_ROBOTS_BYTES)
            if status in _REDIRECTS and answer.get("location"):
                address = _next(address, answer["location"])
                continue
            break
        if status >= _SERVER:
            rules.parse(["User-agent: *", "Disallow: /"])
        elif status >= _MISSING or status in _REDIRECTS:
            return None
        else:
            rules.parse(content.decode("utf-8", errors="replace").splitlines())
        return rules

    def _get(
        self, address: httpx.URL, headers: dict[str, str], most: int
    ) -> tuple[int, httpx.Headers, bytes]:
        """Status, headers and body of one request to the checked address."""
        checked = self._checked(address)
        self._wait(address.host)
        deadline = Deadline(self._total_s)
        request = self._http.build_request(
            "GET",
            address.copy_with(host=checked),
            headers={
                "Host": address.netloc.decode("ascii"),
                "User-Agent": AGENT,
                "Accept-Encoding": "gzip, deflate",
                "Connection": "close",
                **headers,
            },
            extensions={"sni_hostname": address.host, "trace": deadline.watch},
        )
        try:
            with deadline:
                answer = self._http.send(request, stream=True)
                try:
                    content = read_body(answer, most)
                finally:
                    answer.close()
        except (httpx.HTTPError, zlib.error, UnicodeError) as error:  # UnicodeError: its Location
            if deadline.passed:
                raise _too_large(most, address) from error
            raise PullFailedError(
                f"The site cannot be reached ({type(error).__name__})",
                file=str(address),
                remedy="Check the address and the network",
            ) from error
        if content is None:
            raise _too_large(most, address)
        return answer.status_code, answer.headers, content

    def _checked(self, address: httpx.URL) -> str:
        """One address of the host; all of them must be public unless ``private``."""
        port = address.port or (443 if address.scheme == "https" else 80)
        try:
            found = self._resolver(address.host, port)
        except (OSError, UnicodeError) as error:  # UnicodeError: a label of 64 characters
            raise AddressRefusedError(
                "There is no such host", file=str(address), remedy="Check the address"
            ) from error
        public = [_is_public(one) for one in found]
        if not found or not (self._private or all(public)):
            raise AddressRefusedError(
                "The address lies inside a private network",
                file=str(address),
                remedy="Save the file by hand, or allow private addresses in the settings",
            )
        return found[0]

    def _wait(self, host: str) -> None:
        with self._lock:
            now = time.monotonic()
            at = max(now, self._next.get(host, now))
            self._next[host] = at + self._interval_s
        if at > now:
            time.sleep(at - now)


def _too_large(most: int, address: httpx.URL) -> PullTooLargeError:
    return PullTooLargeError(
        f"The answer has more than {most:,} bytes or takes too long",
        file=str(address),
        remedy="Save the file by hand",
    )


def _next(address: httpx.URL, location: str) -> httpx.URL:
    """Where a site sends on to."""
    try:
        joined = str(address.join(location))
    except (httpx.InvalidURL, ValueError) as error:
        raise AddressRefusedError(
            "The site sends on to what is no address",
            file=str(address),
            place=location[:200],
            remedy="Save the file by hand",
        ) from error
    return _parse(joined)


def _parse(url: str) -> httpx.URL:
    try:
        address = httpx.URL(url)
        host = address.host  # reads its labels, which may be none (xn--0)
    except (httpx.InvalidURL, TypeError, ValueError) as error:
        raise AddressRefusedError(
            "This is no address", file=url[:200], remedy="Give an http or https address"
        ) from error
    if address.scheme not in ("http", "https") or not host:
        raise AddressRefusedError(
            "Only http and https addresses are fetched",
            file=url[:200],
            remedy="Give an http or https address",
        )
    if address.userinfo:
        raise AddressRefusedError(
            "The address holds a name or password",
            file=re.sub(r"//[^@/]*@", "//***@", url)[:200],
            remedy="Save the file by hand",
        )
    return address


def _is_public(address: str) -> bool:
    """Neither private, loopback, link-local, shared, multicast nor reserved."""
    try:
        one = ipaddress.ip_address(address.split("%", maxsplit=1)[0])
    except ValueError:
        return False
    if isinstance(one, ipaddress.IPv6Address):
        # An IPv4 address in disguise: mapped, 6to4, NAT64.
        inside = one.ipv4_mapped or one.sixtofour
        if inside is None and one in _NAT64:
            inside = ipaddress.IPv4Address(int(one) & 0xFFFFFFFF)
        if inside is None and one not in _GIVEN_OUT:
            return False
        one = inside or one
    if any(one in net for net in _SPECIAL):
        return False
    return one.is_global and not one.is_multicast
