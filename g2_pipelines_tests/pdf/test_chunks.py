"""The bounds of atoms in tokens."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from g2_pipelines.pdf.chunks import chunked
from g2_pipelines.pdf.geometry import Block, Box, around
from g2_pipelines.text.tokens import Tokenizer
from g2_pipelines_tests.pdf.conftest import run


class Characters:
    """A character is a token."""

    name = "characters"

    def count(self, text: str) -> int:
        return len(text)


def characters() -> Tokenizer:
    return Characters()


def never() -> Tokenizer:
    msg = "no tokenizer is needed here"
    raise AssertionError(msg)


def paragraph(*lines: str, top: float = 100, path: tuple[str, ...] = ()) -> Block:
    runs = [run(text, 50, top + 12 * k) for k, text in enumerate(lines)]
    return Block(
        kind="paragraph",
        page=1,
        box=around(r.box for r in runs),
        runs=runs,
        text=" ".join(lines),
        section_path=list(path),
    )


LONG = paragraph(
    "The mill sold more wood.",
    "Iron fell by two tons.",
    "Prices rose a little.",
    "Staff was stable.",
)


def test_a_long_paragraph_is_cut_between_sentences_and_each_part_stands_on_its_lines() -> None:
    first, second = chunked([LONG], most=50, least=0, tokenizer=characters)
    assert first.text == "The mill sold more wood. Iron fell by two tons."
    assert second.text == "Prices rose a little. Staff was stable."
    assert first.regions == [(1, Box(50, 100, 290, 122))]
    assert second.regions == [(1, Box(50, 124, 260, 146))]
    assert second.warnings == ["part 2 of 2 of a paragraph of more than 50 tokens"]


def test_a_list_is_cut_between_its_items() -> None:
    block = Block(
        kind="list", page=1, box=Box(0, 0, 9, 9), text="• one two\n• three four\n• five six"
    )
    parts = chunked([block], most=24, least=0, tokenizer=characters)
    assert len(parts) == 2
    assert "\n".join(part.text for part in parts) == block.text


def test_tables_and_figures_are_never_cut() -> None:
    table = Block(kind="table", page=1, box=Box(0, 0, 9, 9), text="a b c d e f " * 200)
    assert chunked([table], most=5, least=0, tokenizer=never) == [table]


def test_short_texts_need_no_tokenizer() -> None:
    assert chunked([LONG], most=1000, least=0, tokenizer=never) == [LONG]


def test_tiny_paragraphs_are_joined_within_a_section_only() -> None:
    one, two = paragraph("One two.", path=("A",)), paragraph("Three four.", top=130, path=("A",))
    other = paragraph("Five.", top=160, path=("B",))
    joined, last = chunked([one, two, other], most=0, least=9, tokenizer=characters)
    assert joined.text == "One two.\nThree four."
    assert joined.regions == [(1, one.box), (1, two.box)]
    assert last == other


def test_a_table_between_two_tiny_paragraphs_keeps_them_apart() -> None:
    table = Block(kind="table", page=1, box=Box(0, 120, 9, 129), text="a\tb")
    blocks = [paragraph("One."), table, paragraph("Two.", top=140)]
    assert chunked(blocks, most=0, least=9, tokenizer=characters) == blocks


def test_a_join_never_passes_the_upper_bound() -> None:
    blocks = [paragraph("One two three."), paragraph("Four five.", top=130)]
    assert len(chunked(blocks, most=20, least=30, tokenizer=characters)) == 2


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    st.lists(st.text(alphabet="ab 。.木", min_size=1, max_size=30).filter(str.strip), max_size=6),
    st.integers(1, 8),
    st.integers(0, 8),
)
def test_no_character_is_lost_and_no_part_is_too_long(
    texts: list[str], most: int, least: int
) -> None:
    blocks = [paragraph(" ".join(t.split()), top=100 + 20 * k) for k, t in enumerate(texts)]
    parts = chunked(blocks, most=most, least=least, tokenizer=characters)
    assert "".join("".join(p.text.split()) for p in parts) == "".join("".join(texts).split())
    cut = [p for p in parts if any("part " in w for w in p.warnings)]
    assert all(len(p.text) <= most for p in cut if "\n" not in p.text)
