"""Sections' text blocks in inline pages and instances: the outermost, each once.

Here: finding blocks by local name, joining ``continuedAt`` chains. Not here: cleaning their
markup. Used by ``filing``.

Both inline namespaces are read (2008 in every EDINET page so far, 2013 allowed for). Block
content of an instance is HTML escaped once: after XML parsing the element's text is HTML.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from lxml import etree
from lxml import html as lxml_html

from g2_pipelines.edinet.eras import BLOCKS, Block
from g2_pipelines.edinet.xml import IX_2008, IX_2013, XSI_NIL, local_name

_NON_NUMERIC = (f"{{{IX_2008}}}nonNumeric", f"{{{IX_2013}}}nonNumeric")
_CONTINUATION = (f"{{{IX_2008}}}continuation", f"{{{IX_2013}}}continuation")


@dataclass(frozen=True)
class FoundBlock:
    """A text block as found: its parts in reading order, on which page it begins."""

    block: Block
    element: str
    context: str
    page: str
    parts: tuple[etree._Element, ...]
    nil: bool
    warnings: tuple[str, ...] = ()
    cut: bool = False  # the source ends inside it


def blocks_of_page(
    root: etree._Element, page: str, *, cut: bool = False
) -> Iterator[tuple[FoundBlock, str | None]]:
    """Blocks of one page in document order, with the id at which each continues (or None).

    ``cut`` says that the page ends too early: the block in which it ends is marked.

    A block inside another of the same section is part of it and not found again; one inside
    another section's block is found (measured: nesting occurs in other blocks).
    """
    open_at_end = set(_last_branch(root)) if cut else set()
    for element in root.iter(*_NON_NUMERIC):
        name = element.get("name") or ""
        block = BLOCKS.get(local_name(name))
        if block is None or _inside_own_section(element, block):
            continue
        yield (
            FoundBlock(
                block=block,
                element=name,
                context=element.get("contextRef") or "",
                page=page,
                parts=(element,),
                nil=element.get(XSI_NIL) in {"true", "1"},
                cut=element in open_at_end,
            ),
            element.get("continuedAt"),
        )


def _last_branch(root: etree._Element) -> Iterator[etree._Element]:
    """The elements still open where a cut page ends: last child by last child."""
    element = root
    while True:
        yield element
        if not len(element) or (element[-1].tail or "").strip():
            return
        element = element[-1]


def _inside_own_section(element: etree._Element, block: Block) -> bool:
    for ancestor in element.iterancestors(*_NON_NUMERIC):
        outer = BLOCKS.get(local_name(ancestor.get("name") or ""))
        if outer is not None and outer.section == block.section:
            return True
    return False


def continuations_of_page(root: etree._Element) -> dict[str, etree._Element]:
    """Continuation elements of a page by id."""
    return {
        identifier: element
        for element in root.iter(*_CONTINUATION)
        if (identifier := element.get("id")) is not None
    }


def follow(
    found: FoundBlock, continued_at: str | None, continuations: dict[str, etree._Element]
) -> FoundBlock:
    """``found`` with the parts of its continuation chain, in the chain's order.

    A chain that leads nowhere or in a circle ends there, with a warning.
    """
    parts, warnings, seen = list(found.parts), list(found.warnings), set[str]()
    at = continued_at
    while at is not None:
        element = continuations.get(at)
        if element is None or at in seen:
            warnings.append(f"the continuation {at[:80]!r} is missing or circular; text may end")
            break
        seen.add(at)
        parts.append(element)
        at = element.get("continuedAt")
    return replace(found, parts=tuple(parts), warnings=tuple(warnings))


def blocks_of_instance(root: etree._Element, file: str) -> list[FoundBlock]:
    """Blocks of an ``.xbrl`` instance; ``element`` is written with the instance's own prefix."""
    found = []
    for element in root:
        if not isinstance(element.tag, str):
            continue
        block = BLOCKS.get(local_name(element.tag))
        if block is None:
            continue
        prefix = f"{element.prefix}:" if element.prefix else ""
        found.append(
            FoundBlock(
                block=block,
                element=prefix + local_name(element.tag),
                context=element.get("contextRef") or "",
                page=file,
                parts=_html_parts(element.text or ""),
                nil=element.get(XSI_NIL) in {"true", "1"},
            )
        )
    return found


def _html_parts(content: str) -> tuple[etree._Element, ...]:
    if not content.strip():
        return ()
    # A tolerant parse: text-block HTML that is not well-formed is a known warning (EC5700W).
    parser = lxml_html.HTMLParser(no_network=True, huge_tree=False, remove_comments=True)
    return (lxml_html.fragment_fromstring(content, create_parent="div", parser=parser),)
