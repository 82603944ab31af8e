"""Characters into runs, runs into lines, lines into text: CJK-aware, hyphens undone.

Here: the only place where white space between characters is decided. PDFium's generated
spaces between Japanese and Latin are dropped (a typesetter's quarter-em gap is no space),
line breaks between Japanese characters vanish, a word broken by a hyphen is put together
again. For the modules of ``pdf`` only; pure functions.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import pairwise

from g2_pipelines.pdf.geometry import Box, Glyph, Run, around
from g2_pipelines.pdf.sideways import is_sideways

#: A gap wider than this many glyph heights ends a run (columns, table cells, tabs).
WIDE_GAP = 1.3
#: A made-up space between Japanese characters is real past this share of the glyph height,
#: and one between Japanese and Latin past that: typesetters put a quarter em there.
CJK_SPACE, MIXED_SPACE = 0.15, 0.42
#: A gap without a space is a lost one past this share of the glyph height.
LOST_SPACE = 0.1
MADE = "made"
#: Signs that seldom stand inside words.
_SIGNS = re.compile(r"[?<>@#$&;=+*!^~|\\]")


def is_cjk(char: str) -> bool:
    """True for kana, kanji, their punctuation and full-width forms: no spaces stand between."""
    code = ord(char)
    return (
        0x2E80 <= code <= 0x30FF
        or 0x3190 <= code <= 0x9FFF
        or 0xF900 <= code <= 0xFAFF
        or 0xFE30 <= code <= 0xFE4F
        or 0xFF00 <= code <= 0xFFEF
        or 0x20000 <= code <= 0x3FFFF
    )


Mark = tuple[str, Box | None, bool]


def glyph_runs(marks: Sequence[Mark]) -> list[Run]:
    """Runs of the text layer's characters, in its order.

    ``marks``: text, box (None for what PDFium made up), whether it is a word-breaking hyphen.
    """
    runs: list[Run] = []
    pieces: list[tuple[Glyph, str]] = []
    soft, broken, space = False, False, ""
    for char, box, hyphen in marks:
        if char in "\r\n":
            broken = True
        elif char.isspace():
            # No-break and thin spaces are spaces; the full-width one is Japanese text.
            kept = char if char == "\u3000" else " "
            space = space or (MADE if box is None or char == "\t" else kept)
        elif box is not None:
            if pieces and (broken or _apart(pieces[-1][0].box, box)):
                runs.append(_run(pieces, soft=soft))
                pieces = []
            pieces.append((Glyph(char, box), space if pieces else ""))
            soft, broken, space = hyphen, False, ""
    if pieces:
        runs.append(_run(pieces, soft=soft))
    return runs


def _run(pieces: Sequence[tuple[Glyph, str]], *, soft: bool) -> Run:
    """Glyphs with the space before each as a run; made-up spaces stay where the gap is wide."""
    glyphs = tuple(glyph for glyph, _ in pieces)
    gaps = [b.box.x0 - a.box.x1 for a, b in pairwise(glyphs)]
    usual = sorted(gaps)[len(gaps) // 2] if gaps else 0.0
    spaces = sorted(gap for (_, space), gap in zip(pieces[1:], gaps, strict=False) if space)
    # PDFium leaves out some spaces of stretched or narrow lines: gaps like those it gives.
    least = (usual + spaces[len(spaces) // 2]) / 2 if len(spaces) > 1 else float("inf")
    text = glyphs[0].text
    for (glyph, space), before, gap in zip(pieces[1:], glyphs, gaps, strict=False):
        if space and (space != MADE or _is_space(before, glyph, gap - usual)):
            text += " " if space == MADE else space
        elif not space and gap > least and _parts_words(before, glyph, gap - usual):
            text += " "
        text += glyph.text
    return Run(text, around(glyph.box for glyph in glyphs), glyphs, soft_hyphen=soft)


def _is_space(before: Glyph, after: Glyph, gap: float) -> bool:
    """Whether a made-up space is one, by how much its gap is wider than the run's usual one."""
    height = max(before.box.height, after.box.height)
    japanese = is_cjk(before.text) + is_cjk(after.text)
    return japanese == 0 or gap > (CJK_SPACE if japanese == 2 else MIXED_SPACE) * height


def _parts_words(before: Glyph, after: Glyph, gap: float) -> bool:
    """Whether a gap without a space is one: between Latin letters, or behind a mark."""
    if gap < LOST_SPACE * max(before.box.height, after.box.height):
        return False
    if is_cjk(before.text) or is_cjk(after.text) or not after.text[0].isalnum():
        return False
    return before.text.isalpha() or (before.text in ".,;:)" and after.text.isalpha())


def _apart(before: Box, box: Box) -> bool:
    # Asked for every two characters: no calls.
    x0, y0, x1, y1 = before
    left, top, _, bottom = box
    low, high = y1 - y0, bottom - top
    if high < low:
        low, high = high, low
    if (y1 if y1 < bottom else bottom) - (y0 if y0 > top else top) < 0.3 * low:
        return True
    height = max(high, 1.0)
    return left - x1 > WIDE_GAP * height or left < x0 - 0.5 * height


def visual_lines(runs: Iterable[Run]) -> list[list[Run]]:
    """Runs grouped into lines, top to bottom, each left to right; one that stands sideways is
    a line of its own.
    """
    lines: list[tuple[Box, list[Run]]] = []
    for run in sorted(runs, key=lambda r: (r.box.y0 + r.box.y1, r.box.x0)):
        if is_sideways(run):
            lines.append((Box(run.box.x0, run.box.centre[1], run.box.x0, run.box.centre[1]), [run]))
            continue
        for k in range(len(lines) - 1, max(-1, len(lines) - 4), -1):
            box, members = lines[k]
            low = min(box.height, run.box.height)
            if box.down(run.box) > 0.5 * low and not _covers(members, run):
                members.append(run)
                lines[k] = (around((box, run.box)), members)
                break
        else:
            lines.append((run.box, [run]))
    return [sorted(members, key=lambda r: r.box.x0) for _, members in lines]


def _covers(members: Sequence[Run], run: Run) -> bool:
    """True when a member stands where ``run`` does: then the two are two lines."""
    return any(m.box.across(run.box) > 0.5 * min(m.box.width, run.box.width) for m in members)


def join_runs(runs: Iterable[Run], hyphenated: frozenset[str] = frozenset()) -> str:
    """The text of a paragraph's runs; ``hyphenated`` are words that keep their hyphen."""
    return join_lines([join_row(line) for line in visual_lines(runs)], hyphenated)


def join_row(line: Sequence[Run]) -> tuple[str, bool]:
    """A line's text and whether it ends in a word-breaking hyphen."""
    text = ""
    for before, run in zip([None, *line], line, strict=False):
        if before is not None and text and run.text:
            gap = run.box.x0 - before.box.x1
            limit = MIXED_SPACE if is_cjk(text[-1]) or is_cjk(run.text[0]) else 0.15
            if gap > limit * max(run.box.height, before.box.height):
                text += " "
        text += run.text
    return text, bool(line) and line[-1].soft_hyphen


def join_lines(lines: Sequence[tuple[str, bool]], hyphenated: frozenset[str] = frozenset()) -> str:
    """Lines as one text: no space between Japanese, hyphens undone where a word was broken."""
    text = ""
    for (line, _), (_, soft_before) in zip(lines, [("", False), *lines], strict=False):
        if not line:
            continue
        if not text:
            text = line
        elif _breaks_word(text, line, soft=soft_before):
            word = _last_word(text) + _first_word(line)
            text = (text if word.casefold() in hyphenated else text[:-1]) + line
        elif is_cjk(text[-1]) or is_cjk(line[0]):
            text += line
        else:
            text += " " + line
    return text


def _breaks_word(text: str, line: str, *, soft: bool) -> bool:
    if len(text) < 2 or text[-1] not in "-‐\u00ad":
        return False
    return text[-2].isalpha() and (soft or unicodedata.category(line[0]) == "Ll")


def _last_word(text: str) -> str:
    return text.rsplit(None, 1)[-1]


def _first_word(line: str) -> str:
    return line.split(None, 1)[0].rstrip(".,;:!?)]")


def hyphenated_words(runs: Iterable[Run]) -> frozenset[str]:
    """Words that a document writes with a hyphen inside a line: they keep it at a line's end."""
    words: set[str] = set()
    for run in runs:
        for word in run.text.split():
            bare = word.strip(".,;:!?()[]\"'“”").casefold()
            if "-" in bare[1:-1] and all(part.isalpha() for part in bare.split("-")):
                words.add(bare)
    return frozenset(words)


def looks_garbled(text: str) -> bool:
    """True when most words are shot through with signs: a font whose codes are no characters.

    Some charts' fonts map their glyphs to other characters than they show, which PDFium
    cannot know (pdfjs_tracemonkey: ``?>9@AJ.D<F@``).
    """
    words = [word for word in text.split() if len(word) >= 4]
    odd = sum(len(_SIGNS.findall(word)) >= max(2, 0.2 * len(word)) for word in words)
    return odd >= 5 and odd >= 0.5 * len(words)
