"""The pages that a question names by figure, table, section, page, slide, first or last.

Here: ``named_pages``. Only ``pages`` imports this module.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from g2_pipelines.index.labels import Mentions
from g2_pipelines.index.profile import Page, Profile

#: What a page that only mentions figure 2 has of what the figure's own page gets.
_MENTION = 0.3
#: A section or appendix goes on over the pages behind its heading, up to the next one's.
_LASTING = frozenset({"section", "appendix"})
_GOES_ON, _PAGES_ON = 0.5, 3
_WORDS = {
    "figure": ("figure", "figur", "fig", "chart", "graph", "exhibit", "図"),
    "table": ("table", "tabl", "表"),
    "equation": ("equation", "eq", "式"),
    "section": ("section", "chapter", "part"),
    "appendix": ("appendix", "付録"),
}


@dataclass(frozen=True)
class Named:
    """How strongly a page is named, 0…1, by what, and the nodes that are meant on it."""

    share: float
    name: str
    node_ids: frozenset[str] = frozenset()


def named_pages(
    names: Mentions, profiles: Sequence[Profile], documents: Collection[str]
) -> dict[Page, Named]:
    """The named pages of ``documents``; the strongest name of each.

    A page number means the printed page and the physical one alike: which, nobody can tell.
    """
    out: dict[Page, Named] = {}
    for profile in profiles:
        for page, named in _named(names, profile):
            if page[0] not in documents or page not in profile.by_page:
                continue
            if page not in out or named.share > out[page].share:
                out[page] = named
    return out


def _named(names: Mentions, profile: Profile) -> Iterator[tuple[Page, Named]]:
    for document, last in profile.last_page.items():
        for place in names.places:
            page = place if place > 0 else last + 1 + place
            yield (document, page), Named(1.0, f"page:{page}")
        for number in names.pages:
            physical = profile.printed.get((document, number), [])
            for page in dict.fromkeys((*physical, number)):
                yield (document, page), Named(1.0, f"page:{page}")
    for label in names.labels:
        yield from _labelled(label, profile)


def _labelled(label: str, profile: Profile) -> Iterator[tuple[Page, Named]]:
    found: dict[Page, set[str]] = {}
    for node in profile.nodes:
        if node.label == label:
            found.setdefault((node.document_id, node.page), set()).add(node.node_id)
    for page, node_ids in found.items():
        yield page, Named(1.0, label, frozenset(node_ids))
    kind, number = label.split(":", 1)
    if kind in _LASTING:
        yield from _continued(label, profile, found)
    second = profile.vocabulary.get(number)
    if second is None:
        return
    captioned = {document for document, _ in found}
    pages: set[Page] = set()
    for word in _WORDS.get(kind, ()):
        if (first := profile.vocabulary.get(word)) is not None:
            hits = np.flatnonzero((profile.flat[:-1] == first) & (profile.flat[1:] == second))
            pages.update(profile.pages[at] for at in profile.page_of[hits])
    for page in sorted(pages - found.keys()):
        # Mentions weigh more where no caption was bound: they are all there is.
        yield page, Named(_MENTION if page[0] in captioned else 2 * _MENTION, label)


def _continued(
    label: str, profile: Profile, found: Mapping[Page, object]
) -> Iterator[tuple[Page, Named]]:
    for document, page in found:
        for behind in range(page + 1, page + 1 + _PAGES_ON):
            nodes = profile.by_page.get((document, behind))
            if nodes is None:
                break
            ends = any(
                node.kind == "heading"
                and node.label is not None
                and node.label.split(":", 1)[0] in _LASTING
                and not node.label.startswith(f"{label}.")
                for node in nodes[:2]
            )
            if ends:
                break
            yield (document, behind), Named(_GOES_ON, label)
