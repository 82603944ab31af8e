"""Blocks of an engine that hold more than one thing, cut apart; listings told from prose.

Here: a region over several columns of the page, a heading in one region with the text or
heading below it, and text in a typewriter's letters. No character is lost: the pieces hold
the block's runs. Also what is no equation, no code and no footnote. Pure functions; for
``blocks`` only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from g2_pipelines.pdf.geometry import Block, Run, around
from g2_pipelines.pdf.glyphs import is_cjk, visual_lines

#: Lines whose letters differ by this ratio in height are not of one paragraph.
OTHER_SIZE = 1.12
#: … and this one where a line's height of white stands between large ones.
OTHER_SIZE_APART = 1.06
#: Letters of a line of words that an engine may take for an equation.
MIN_WORDS = 20
#: A footnote's mark: a figure, a star, 注, 出典; continued ones are set in small letters.
_NOTE = re.compile(
    r"\s*(?:\d{1,3}(?!\d)|[*＊∗†‡§¶※⁎✝]|[¹²³⁰-⁹₀-₉]|[(（\[［〔]?\s*(?:注|\d{1,3}|[a-z])\s*\d*\s*[)）\]］〕]"
    r"|注|備考|出典|出所|資料|sources?\b|notes?\b)",
    re.IGNORECASE,
)
#: Letters of at least this share of the text's are none of a footnote's.
AS_LARGE = 0.95
_MATHS = frozenset("=<>≤≥±×∑∫√∞≈∂^|")
#: A piece of a column has at least so many characters a line: no labels, no values.
COLUMN_CHARS = 10
MAX_TITLE = 60
_SIGNS = frozenset("{}()[];=<>+*/_&|#\"'")


def column_pieces(block: Block, others: Sequence[Block]) -> list[Block]:
    """The block cut where a white gutter runs between columns that ``others`` show.

    pl_fedreg: one region over a heading and strips of the two columns beside it, whose lines
    would be read across.
    """
    if block.kind != "paragraph" or len(block.runs) < 4:
        return [block]
    groups: list[list[Run]] = []
    reach = float("-inf")
    for run in sorted(block.runs, key=lambda run: run.box.x0):
        if run.box.x0 - reach >= 0.8 * run.box.height:
            groups.append([])
        groups[-1].append(run)
        reach = max(reach, run.box.x1)
    if len(groups) < 2:
        return [block]
    pieces = [_piece(block, _in_order(block.runs, group)) for group in groups]
    proven = False
    for piece in pieces:
        lines = len(visual_lines(piece.runs))
        if lines < 2 or piece.chars < COLUMN_CHARS * lines:
            return [block]
        proven = proven or any(
            other is not block
            and abs(other.box.x0 - piece.box.x0) < 1.5 * block.size
            and abs(other.box.x1 - piece.box.x1) < 1.5 * block.size
            for other in others
        )
    return pieces if proven else [block]


def size_pieces(block: Block, body: float) -> list[Block]:
    """The block cut where the letters' height changes; a short piece of large ones is a heading.

    ja_vivlio_2020: the chapter's title and the section's below it in one region. ``body`` is
    the usual height of the page's letters in points.
    """
    if block.kind != "paragraph" or len(block.runs) < 2:
        return [block]
    lines = visual_lines(block.runs)
    groups = [lines[:1]]
    for before, line in pairwise(lines):
        low, high = sorted((_height(before), _height(line)))
        gap = around(run.box for run in line).y0 - around(run.box for run in before).y1
        apart = gap > 0.9 * low and high > 1.2 * body
        ratio = OTHER_SIZE_APART if apart else OTHER_SIZE
        # Letters of two scripts differ in height within one paragraph.
        if (
            high >= ratio * low
            and min(_chars(before), _chars(line)) >= 4
            and _is_japanese(before) == _is_japanese(line)
        ):
            groups.append([line])
        else:
            groups[-1].append(line)
    if len(groups) == 1:
        return [block]
    pieces = [_piece(block, [run for line in group for run in line]) for group in groups]
    for piece in pieces:
        text = "".join(run.text for run in piece.runs)
        if (
            piece.size >= OTHER_SIZE * body
            and len(text) <= MAX_TITLE
            and not text.endswith(("。", ".", "、", ",", ":", "："))
            and any(char.isalpha() for char in text)
        ):
            piece.kind = "heading"
    return pieces


def is_words(block: Block) -> bool:
    """True for an «equation» of words: letters of a length without a sign of mathematics."""
    text = "".join(run.text for run in block.runs)
    letters = sum(char.isalpha() for char in text)
    return letters >= MIN_WORDS and letters >= 0.75 * block.chars and not _MATHS & set(text)


def is_note(block: Block, body: float, *, low: bool) -> bool:
    """True for a footnote with a note's mark, or in small letters at the foot of the page.

    docvortex calls the last lines of a slide footnotes, which are read after all else.
    """
    first = visual_lines(block.runs)[0][0].text if block.runs else ""
    return _NOTE.match(first) is not None or (low and block.size < AS_LARGE * body)


def is_code(block: Block) -> bool:
    """True for two lines or more in a typewriter's letters with a program's signs."""
    if block.kind != "paragraph":
        return False
    glyphs = [glyph for run in block.runs for glyph in run.glyphs]
    latin = [glyph for glyph in glyphs if glyph.text.isascii()]
    if len(latin) < max(25, 0.9 * len(glyphs)) or len(visual_lines(block.runs)) < 2:
        return False
    signs = sum(glyph.text in _SIGNS for glyph in latin)
    narrow = [g.box.width for g in latin if g.text in "ijl.,;:'"]
    widths = sorted(glyph.box.width for glyph in latin)
    usual = widths[len(widths) // 2]
    even = all(abs(width - usual) < 0.05 * usual for width in widths[len(widths) // 20 : -2])
    return signs >= 3 and len(narrow) >= 2 and even and abs(narrow[0] - usual) < 0.05 * usual


def _piece(block: Block, runs: list[Run]) -> Block:
    return replace(block, box=around(run.box for run in runs), runs=runs, warnings=[])


def _in_order(runs: Sequence[Run], chosen: Sequence[Run]) -> list[Run]:
    keep = {id(run) for run in chosen}
    return [run for run in runs if id(run) in keep]


def _height(line: Sequence[Run]) -> float:
    heights = sorted(glyph.box.height for run in line for glyph in run.glyphs)
    return heights[len(heights) // 2] if heights else 0.0


def _is_japanese(line: Sequence[Run]) -> bool:
    glyphs = [g for run in line for g in run.glyphs if not g.text.isdigit()]
    return 2 * sum(is_cjk(glyph.text[0]) for glyph in glyphs) > len(glyphs)


def _chars(line: Sequence[Run]) -> int:
    return sum(run.chars for run in line)
