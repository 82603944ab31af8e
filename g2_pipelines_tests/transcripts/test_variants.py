"""A call that is rendered in every label style must be parsed to the same turns and chunks.

The gold is the dialogue itself, so that the rules are held to what people may write rather
than to the transcripts that they were found on.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from g2_pipelines.transcripts.chunks import chunk
from g2_pipelines_tests.transcripts import (
    variants,
    variants_en,
    variants_furniture,
    variants_marks,
    variants_pages,
    variants_parts,
    variants_timelines,
)
from g2_pipelines_tests.transcripts.helpers import CharacterTokenizer, segmented, uncovered
from g2_pipelines_tests.transcripts.variants import Rendering

FAMILIES: dict[str, Callable[[], Iterator[Rendering]]] = {
    "named": variants.named,
    "timed": variants.timed,
    "marked": variants_marks.marked,
    "bullets": variants_marks.bullets,
    "officers": variants_marks.officers,
    "hosted": variants_marks.hosted,
    "interviews": variants_marks.interviews,
    "english": variants_en.named,
    "english marks": variants_en.marked,
    "leaders": variants_parts.leaders,
    "rosters": variants_parts.rosters,
    "topics": variants_parts.topics,
    "timelines": variants_parts.timelines,
    "english rosters": variants_parts.rosters_en,
    "furniture": variants_furniture.furniture,
    "tagged": variants_furniture.tagged,
    "reported": variants_timelines.timelines,
    "pages": variants_pages.pages,
}
SHARE = 400


def faults(rendering: Rendering) -> list[str]:
    """What differs from the dialogue, in words; empty if all is found."""
    name = "a.md" if "**" in rendering.text or "## " in rendering.text else "a.txt"
    transcript, turns, segmentation = segmented(rendering.text, name)
    wanted = [(s.role, s.text.split("\n")[0][:12]) for s in rendering.turns]
    found = [(t.role, _start(t.text)) for t in turns]
    wrong = []
    if found != wanted:
        wrong.append(f"turns {found} not {wanted}")
    if uncovered(transcript, turns, segmentation):
        wrong.append("coverage")
    chunks = chunk(transcript, turns, segmentation, max_tokens=4000, tokenizer=CharacterTokenizer())
    inner = {t.start: i for i, t in enumerate(turns) if t.role != "moderator"}
    cut = [[inner[s.start] for s in c.spans if s.start in inner] for c in chunks]
    groups: dict[int, list[int]] = {}
    for order, said in enumerate(rendering.turns):
        if said.chunk is not None:
            groups.setdefault(said.chunk, []).append(order)
    if not wrong and [c for c in cut if c] != list(groups.values()):
        wrong.append(f"chunks {cut} not {list(groups.values())}")
    return wrong


def _start(text: str) -> str:
    return text.replace("[Interpreted] ", "").replace("[Foreign Language] ", "")[:12]


@pytest.mark.parametrize("family", FAMILIES)
def test_the_same_turns_roles_and_chunks_whatever_the_labels_look_like(family: str) -> None:
    renderings = list(FAMILIES[family]())
    share = random.Random(5).sample(renderings, min(SHARE, len(renderings)))
    wrong = {one.name: found for one in share if (found := faults(one))}
    assert len(wrong) * 100 <= len(share), wrong
