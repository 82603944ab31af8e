"""Parsing of untrusted XML: no entities, no DTD, no network, bounded depth and text size.

Here: bytes to an lxml tree, with every leniency reported as a warning. Not here: what the
elements mean. Used by this package only.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html.entities import name2codepoint
from typing import Any

from lxml import etree

from g2_pipelines.edinet.errors import UnsafeArchiveError

IX_2008 = "http://www.xbrl.org/2008/inlineXBRL"
IX_2013 = "http://www.xbrl.org/2013/inlineXBRL"
XHTML = "http://www.w3.org/1999/xhtml"
XBRLI = "http://www.xbrl.org/2003/instance"
XBRLDI = "http://xbrl.org/2006/xbrldi"
XLINK = "http://www.w3.org/1999/xlink"
XSI_NIL = "{http://www.w3.org/2001/XMLSchema-instance}nil"

_NAMED = re.compile(rb"&([A-Za-z][A-Za-z0-9]{1,31});")
_XML_NAMES = {b"amp", b"lt", b"gt", b"quot", b"apos"}
_DECLARED_UTF8 = re.compile(rb"""^\s*<\?xml[^>]*encoding=["'](?i:utf-8)["']""")
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")


def _parser(*, recover: bool) -> etree.XMLParser:
    # huge_tree off keeps libxml2's own limits on depth, text size and entity growth.
    return etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        dtd_validation=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        recover=recover,
    )


def parse_xml(content: bytes, *, file: str, place: str, warnings: list[str]) -> etree._Element:
    """The root element of ``content``; leniencies are appended to ``warnings``.

    A BOM before the declaration (on every EDINET page, measured) is no fault. Undeclared HTML
    entities (``&nbsp;``) are replaced; bytes that are not UTF-8 are read as cp932; a page that
    is not well-formed is read as far as it can be.

    Raises:
        UnsafeArchiveError: the document declares entities (XXE, billion laughs).
        etree.XMLSyntaxError: nothing at all can be read.
    """
    try:
        root = etree.fromstring(content, _parser(recover=False))
    except etree.XMLSyntaxError:
        root = _parse_leniently(content, place=place, warnings=warnings)
    dtd: Any = root.getroottree().docinfo.internalDTD  # the stubs know only its validation
    if dtd is not None and any(True for _ in dtd.iterentities()):
        raise UnsafeArchiveError(
            "The page declares entities of its own",
            file=file,
            place=place,
            remedy="Download the document again from EDINET (type 1)",
        )
    return root


def _parse_leniently(content: bytes, *, place: str, warnings: list[str]) -> etree._Element:
    repaired = _named_entities_to_numbers(content)
    if repaired != content:
        warnings.append(f"{place}: HTML entities replaced by their characters")
    if _DECLARED_UTF8.match(repaired.removeprefix(b"\xef\xbb\xbf")):
        repaired = _as_utf8(repaired, place=place, warnings=warnings)
    try:
        return etree.fromstring(repaired, _parser(recover=False))
    except etree.XMLSyntaxError as error:
        root = etree.fromstring(repaired, _parser(recover=True))
        if root is None or not _is_text(root):
            raise
        warnings.append(f"{place}: not well-formed (line {error.lineno}); read as far as possible")
        return root


def _is_text(root: etree._Element) -> bool:
    """Whether all that a lenient parse left can be read: it may keep bytes that are no text."""
    try:
        for element in root.iter():
            _ = (element.tag, element.text, element.tail, element.items())
    except UnicodeDecodeError:
        return False
    return True


def _named_entities_to_numbers(content: bytes) -> bytes:
    def number(match: re.Match[bytes]) -> bytes:
        name = match.group(1)
        point = None if name in _XML_NAMES else name2codepoint.get(name.decode("ascii"))
        return match.group(0) if point is None else b"&#%d;" % point

    return _NAMED.sub(number, content)


def _as_utf8(content: bytes, *, place: str, warnings: list[str]) -> bytes:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        try:
            text = content.decode("cp932")
        except UnicodeDecodeError:
            warnings.append(f"{place}: bytes that are not UTF-8 are replaced by U+FFFD")
            return content.decode("utf-8", "replace").encode()
        warnings.append(f"{place}: declared as UTF-8 but read as cp932")
        return _DECLARATION.sub("", text).encode()
    return content


@lru_cache(maxsize=4096)
def local_name(qualified: str) -> str:
    """``jpcrp_cor:X`` or ``{namespace}X`` → ``X``."""
    return qualified.rpartition("}")[2].rpartition(":")[2]
