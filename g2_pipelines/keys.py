"""Partition keys and ids: one form, checked in one place.

Here: the pattern that company, document and question keys match, and how a document
gets one. Everyone may import this module.
"""

from __future__ import annotations

import re
import unicodedata
from hashlib import sha256

from g2_pipelines.errors import InputError

KEY_PATTERN = r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}"
_KEY = re.compile(KEY_PATTERN)
_FISCAL_YEAR = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")


def is_key(text: str) -> bool:
    """True when ``text`` can be a partition key as it stands."""
    return _KEY.fullmatch(text) is not None


def check_key(text: str, what: str) -> str:
    """Return ``text`` if it is a key, else raise InputError naming ``what`` it should be."""
    if not is_key(text):
        msg = f"{text[:80]!r} is not a valid {what}"
        raise InputError(
            msg, place=what, remedy=f"Use letters, digits, - and _, at most 64 ({KEY_PATTERN})"
        )
    return text


def check_fiscal_year(text: str) -> str:
    """Return ``text`` if it is a year and month, else raise InputError saying the form."""
    if _FISCAL_YEAR.fullmatch(text) is None:
        msg = f"{text[:80]!r} is not a fiscal year"
        raise InputError(
            msg, place="fiscal year", remedy="Write year and month of its end, e.g. 2025-03"
        )
    return text


def well_formed(text: str) -> str:
    """``text`` with ``?`` for what UTF-8 cannot hold: bytes of a file's name, half a character."""
    return text.encode("utf-8", "replace").decode("utf-8")


def digest_of(content: bytes) -> str:
    """SHA-256 of ``content`` in hex."""
    return sha256(content).hexdigest()


def document_key(stem: str, content_digest: str) -> str:
    """Key of a document: an ASCII slug of its file's stem + ``-`` + 12 hex of its SHA-256."""
    ascii_text = unicodedata.normalize("NFKD", stem).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", ascii_text.lower()).strip("-")[:48].strip("-")
    return f"{slug or 'document'}-{content_digest[:12]}"


def question_key(question_id: str | None, question: str) -> str:
    """A question's own id if it can be a key, else ``q-`` + 16 hex of id and text."""
    if question_id and is_key(question_id):
        return question_id
    return "q-" + digest_of(f"{question_id or ''}\n{question}".encode())[:16]
