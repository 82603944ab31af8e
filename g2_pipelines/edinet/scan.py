"""A page read without a tree: names of its text facts, its numeric facts, where each stands.

Here: what a scan of the bytes can be sure of, and when it cannot. Not here: trees (``facts``,
``blocks``). Used by ``gather``.

Trees of all pages of S100T45G alone take most of the time that a filing may; most pages
hold no section, and there a scan finds the same (a test compares both on real filings). Every
step goes forward over the bytes once: no page, however made, takes quadratic time.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from g2_pipelines.edinet.facts import RawFact
from g2_pipelines.edinet.xml import local_name

_UTF8_START = re.compile(
    rb"""^\s*(?:<\?xml(?![^>]*encoding)[^>]*\?>|<\?xml[^>]*encoding=["'](?i:utf-8)["'][^>]*\?>)"""
)
_BOUND = re.compile(rb"""xmlns:([\w.-]+)\s*=\s*["']([^"']*inlineXBRL)["']""")
_ATTRIBUTE = re.compile(r"""(?<![\w:.-])([\w:.-]++)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_NAME = re.compile(rb"""(?<![\w:.-])name\s*=\s*["'](?:[^"':]*:)?([^"':]*)["']""")
_NUMBER, _TEXT = b"<ix:nonFraction", b"<ix:nonNumeric"
#: Where the namespaces stand; one declared later is not known to a scan.
_HEAD_BYTES = 20_000
_SPACE = b" \t\r\n"
#: Real tags have some 200 characters; parts of longer ones are not kept.
_LONGEST_TAG = 2_000


@dataclass(frozen=True)
class ScannedPage:
    """Local names of the text facts; numeric facts in document order, each with its offset."""

    text_names: frozenset[bytes]
    numeric: list[tuple[RawFact, int]]


def scan_page(content: bytes, *, with_facts: bool = True) -> ScannedPage | None:
    """The page's facts; None where only a tree is sure of them.

    Sure are UTF-8 pages with the prefix ``ix`` alone, without comment, CDATA, DOCTYPE, header
    (DEI, contexts) or continuation, where every numeric fact holds nothing but text.
    """
    head = content[:_HEAD_BYTES]
    bound = {prefix for prefix, _ in _BOUND.findall(head)}
    if (
        bound != {b"ix"}
        or not _UTF8_START.match(content.removeprefix(b"\xef\xbb\xbf"))
        or content.count(b"inlineXBRL") != head.count(b"inlineXBRL")
        # The single ! first: memchr passes over a page many times faster than a search for <!
        or (b"!" in content and b"<!" in content)
        or b"<ix:header" in content
        or b"<ix:continuation" in content
    ):
        return None
    names = _text_names(content)
    if names is None or any(name.endswith(b"DEI") for name in names):
        return None
    numeric: list[tuple[RawFact, int]] = []
    if with_facts:
        for found in _numbers(content):
            if found is None:
                return None
            numeric.append(found)
    return ScannedPage(names, numeric)


def _tags(content: bytes, start: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Attributes of each tag, its offset, and the offset behind it."""
    place = content.find(start)
    while place >= 0:
        end = content.find(b">", place)
        if end < 0:
            end = len(content)
        yield content[place + len(start) : end], place, end + 1
        place = content.find(start, end)


def _text_names(content: bytes) -> frozenset[bytes] | None:
    names: set[bytes] = set()
    for attributes, _, _ in _tags(content, _TEXT):
        match = _NAME.search(attributes)
        # No name: a > in an attribute before it ended the tag too early for us.
        if match is None or b"continuedAt" in attributes:
            return None
        names.add(match.group(1))
    return frozenset(names)


def _numbers(content: bytes) -> Iterator[tuple[RawFact, int] | None]:
    for attributes, place, after in _tags(content, _NUMBER):
        if attributes[:1] not in _SPACE or b"<" in attributes:
            yield None
        elif attributes.endswith(b"/"):
            yield _fact(attributes[:-1], b""), place
        else:
            end = content.find(b"<", after)
            closed = content[end : end + 18].startswith(b"</ix:nonFraction")
            yield (_fact(attributes, content[after:end]), place) if closed else None


def _attributes(text: str) -> dict[str, str]:
    """Attributes of a tag; where all are in double quotes, as EDINET's are, without a pattern."""
    if "'" in text or "&" in text or len(text) > _LONGEST_TAG:
        found = {name: double or single for name, double, single in _ATTRIBUTE.findall(text)}
        return {name: html.unescape(value) for name, value in found.items()}
    parts = text.split('"')
    return dict(zip(map(_attribute_name, parts[::2]), parts[1::2], strict=False))


@lru_cache(maxsize=1024)
def _attribute_name(before_value: str) -> str:
    return before_value.strip().removesuffix("=").rstrip()


def _fact(raw_attributes: bytes, raw_text: bytes) -> RawFact:
    attributes = raw_attributes.decode("utf-8", "replace")
    text = raw_text.decode("utf-8", "replace")
    found = _attributes(attributes)
    return RawFact(
        name=found.get("name", ""),
        context=found.get("contextRef", ""),
        unit=found.get("unitRef", ""),
        decimals=found.get("decimals"),
        scale=found.get("scale"),
        sign=found.get("sign"),
        form=local_name(found.get("format", "")).lower(),
        text=html.unescape(text) if "&" in text else text,
        nil=found.get("xsi:nil") in {"true", "1"},
    )


def places_of_numbers(content: bytes) -> Iterator[tuple[str, str, int]]:
    """Local name, context id and offset of numeric facts, for a page that needed a tree."""
    for attributes, place, _ in _tags(content, _NUMBER):
        found = _attributes(attributes.decode("utf-8", "replace"))
        yield local_name(found.get("name", "")), found.get("contextRef", ""), place
