"""Mutations of bytes and of markup that any target may use.

Here: what a damaged, hostile or just odd file may look like. Every function takes the random
generator and returns new bytes; none grows an input past some hundred kilobytes.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

Mutation = Callable[[random.Random, bytes], bytes]
_TAG = re.compile(rb"<[^<>]*>")
_ATTRIBUTE = re.compile(rb'([\w:.-]+)="([^"]*)"')
_NUMBERS = [b"0", b"-1", b"1", b"999999999999", b"1e9", b"NaN", b"Infinity", b"-", b"", b"\xef\xbc\x91",
            b"\xe2\x96\xb35", b"1,2,3", b"0" * 300, b"9" * 300, b"2147483648", b"-32768"]  # fmt: skip
_WORDS = [b"", b" ", b"\x00", b"&nbsp;", b"&lt;", b"&#0;", b"&#xD800;", b"&bogus;", b"\xff\xfe", b"\xe3\x80\x80",
          b"../../x", b"/etc/passwd", b"http://127.0.0.1:9/x", b"file:///etc/passwd", b"true", b"\xf0\x9f\x98\x80",
          b"\xe4\xbb\xa4\xe5\x92\x8c\xe5\x85\x83\xe5\xb9\xb4", b"A" * 5000, b"\xe2\x80\xae", b"\xef\xbf\xbe"]  # fmt: skip


def flip(rng: random.Random, content: bytes) -> bytes:
    """Some bytes changed."""
    out = bytearray(content)
    for _ in range(rng.choice([1, 2, 5, 40])):
        if out:
            out[rng.randrange(len(out))] = rng.randrange(256)
    return bytes(out)


def cut(rng: random.Random, content: bytes) -> bytes:
    """Ended early, or begun late."""
    place = rng.randrange(len(content) + 1)
    return content[:place] if rng.random() < 0.7 else content[place:]


def drop(rng: random.Random, content: bytes) -> bytes:
    """A stretch left out."""
    start = rng.randrange(len(content) + 1)
    return content[:start] + content[start + rng.choice([1, 10, 300, 5000]) :]


def repeat(rng: random.Random, content: bytes) -> bytes:
    """A stretch twice or often."""
    start = rng.randrange(len(content) + 1)
    piece = content[start : start + rng.choice([1, 30, 400])]
    return content[:start] + piece * rng.choice([2, 3, 50]) + content[start:]


def insert(rng: random.Random, content: bytes) -> bytes:
    """A word where none belongs."""
    place = rng.randrange(len(content) + 1)
    return content[:place] + rng.choice(_WORDS + _NUMBERS) + content[place:]


def attribute(rng: random.Random, content: bytes) -> bytes:
    """An attribute's value replaced, doubled or its name changed."""
    found = list(_ATTRIBUTE.finditer(content))
    if not found:
        return flip(rng, content)
    match = rng.choice(found)
    name, value = match.group(1), match.group(2)
    new = rng.choice([
        b'%s="%s"' % (name, rng.choice(_WORDS + _NUMBERS)),
        b'%s="%s" %s="%s"' % (name, value, name, value),
        b'x%s="%s"' % (name, value),
        b'%s="%s"' % (name, rng.choice(found).group(2)),
        b"",
    ])  # fmt: skip
    return content[: match.start()] + new + content[match.end() :]


def tag(rng: random.Random, content: bytes) -> bytes:
    """A tag left out, doubled, self-closed, renamed or moved."""
    found = list(_TAG.finditer(content))
    if not found:
        return flip(rng, content)
    match = rng.choice(found)
    other = rng.choice(found).group()
    text = match.group()
    new = rng.choice([b"", text * 2, text[:-1] + b"/>", b"<" + other[1:], other, text + other])
    return content[: match.start()] + new + content[match.end() :]


def head(rng: random.Random, content: bytes) -> bytes:
    """Another beginning: BOM, encoding, declared entities, external ones."""
    prolog = rng.choice([
        b"\xef\xbb\xbf\xef\xbb\xbf",
        b'<?xml version="1.0" encoding="Shift_JIS"?>',
        b'<?xml version="1.0" encoding="utf-16"?>',
        b'<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        b'<!DOCTYPE html SYSTEM "http://127.0.0.1:9/x.dtd">',
        b'<!DOCTYPE h [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>',
        b"<!-- -- -->", b"\x00\x00", b"  \n",
    ])  # fmt: skip
    body = re.sub(rb"^(?:\xef\xbb\xbf)?(?:<\?xml[^>]*\?>)?", b"", content, count=1)
    return prolog + (body if rng.random() < 0.7 else content)


def nest(rng: random.Random, content: bytes) -> bytes:
    """A tag opened very often in one place."""
    place = rng.randrange(len(content) + 1)
    name = rng.choice([b"div", b"table", b"tr", b"td", b"span", b"ix:nonNumeric", b"ul", b"b"])
    return content[:place] + b"<%s>" % name * rng.choice([3, 200, 3000]) + content[place:]


def encode(rng: random.Random, content: bytes) -> bytes:
    """The same text in another encoding than it says."""
    text = content.decode("utf-8", "replace")
    return text.encode(rng.choice(["cp932", "utf-16", "utf-16-le", "euc_jp", "latin-1"]), "replace")


BYTES: Sequence[Mutation] = (flip, cut, drop, repeat, insert)
MARKUP: Sequence[Mutation] = (*BYTES, attribute, attribute, tag, tag, head, nest, encode)


def mutated(rng: random.Random, content: bytes, ways: Sequence[Mutation]) -> bytes:
    """One to four mutations, one after the other."""
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        content = rng.choice(ways)(rng, content)
    return content
