"""EDINET's code list from its download page: another host than the API's, and no key.

Here: the download. Not here: reading it (``codelist``), storing it (``defs``).
"""

from __future__ import annotations

import httpx
from tenacity import RetryError, Retrying, retry_if_exception_type, stop_after_attempt
from tenacity.wait import wait_random_exponential

from g2_pipelines.edinet.errors import UnexpectedAnswerError, UnreachableError

MAX_BYTES = 50_000_000
_NAME = "Edinetcode.zip"
_REMEDY = (
    "Try again later; or download Edinetcode.zip by hand into G2_HOME and launch with"
    " `download: false`"
)


def fetch_code_list(
    url: str,
    *,
    timeout_s: float = 60.0,
    attempts: int = 3,
    backoff_s: float = 2.0,
    transport: httpx.BaseTransport | None = None,
) -> bytes:
    """The zip of EDINET's code list (about 0.5 MB).

    Raises:
        UnreachableError: network faults or 5xx to the last try.
        UnexpectedAnswerError: something else than a zip, e.g. a page during maintenance.
    """
    retrying = Retrying(
        stop=stop_after_attempt(attempts),
        wait=wait_random_exponential(multiplier=backoff_s, max=30),
        retry=retry_if_exception_type((httpx.TransportError, httpx.HTTPStatusError)),
    )
    try:
        with httpx.Client(timeout=timeout_s, transport=transport) as http:
            status, content = retrying(_once, http, url)
    except RetryError as error:
        reason = type(error.last_attempt.exception()).__name__
        raise UnreachableError(
            f"EDINET's code list could not be downloaded ({reason}, {attempts} tries)",
            file=_NAME,
            remedy=_REMEDY,
        ) from error
    except httpx.InvalidURL as error:
        raise UnreachableError(
            f"The code list's address is wrong: {error}",
            file=_NAME,
            remedy="Correct G2_EDINET_CODE_LIST_URL",
        ) from error
    if status != 200 or not content.startswith(b"PK"):
        raise UnexpectedAnswerError(
            f"EDINET sent no zip for the code list (HTTP {status})", file=_NAME, remedy=_REMEDY
        )
    return content


def _once(http: httpx.Client, url: str) -> tuple[int, bytes]:
    with http.stream("GET", url) as response:
        if response.status_code >= 500:
            response.raise_for_status()
        content = bytearray()
        for piece in response.iter_bytes():
            content += piece
            if len(content) > MAX_BYTES:
                raise UnexpectedAnswerError(
                    f"The code list is larger than {MAX_BYTES:,} bytes", file=_NAME, remedy=_REMEDY
                )
        return response.status_code, bytes(content)
