"""How large the atoms of a document are: over-long text is cut, tiny pieces may be joined.

Here: ``chunked``. The atoms stay what the layout found (a paragraph, a list, a table, a figure
with its caption), as G2-Reader has them, but for two bounds in tokens: a paragraph or list
above the upper one is cut between sentences or items, and paragraphs below the lower one are
joined with the next in their section. Tables, figures, headings and section borders are never
crossed. No character is lost or doubled. Pure functions; for ``worker``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from g2_pipelines.pdf.geometry import Block, Box, Run, around
from g2_pipelines.pdf.glyphs import visual_lines
from g2_pipelines.text.splits import split_ranges
from g2_pipelines.text.tokens import Tokenizer


def chunked(
    blocks: Sequence[Block], *, most: int, least: int, tokenizer: Callable[[], Tokenizer]
) -> list[Block]:
    """The blocks with paragraphs and lists of at most ``most`` tokens.

    Args:
        blocks: The document's flow, texts and section paths set.
        most: Upper bound of a paragraph or list; 0: none.
        least: Paragraphs below it are joined, never past ``most``; 0: none are.
        tokenizer: Gives the counter; called only when a text may be too long or too short.

    Raises:
        InputError: There is no such tokenizer.
    """
    result: list[Block] = []
    for block in blocks:
        if most and block.kind in ("paragraph", "list") and _may_exceed(block.text, most):
            result += _cut(block, most, tokenizer())
        else:
            result.append(block)
    return _with_joins(result, most, least, tokenizer()) if least else result


def _may_exceed(text: str, most: int) -> bool:
    """False where no tokenizer finds that many tokens: it saves loading one (0.2 s)."""
    plain = sum(char.isascii() for char in text)
    return plain / 1.5 + 2 * (len(text) - plain) > most


def _cut(block: Block, most: int, tokenizer: Tokenizer) -> list[Block]:
    ranges = split_ranges(block.text, most, tokenizer)
    if len(ranges) < 2:
        return [block]
    pieces = []
    for k, (start, end) in enumerate(ranges):
        regions = _regions(block, start, end)
        pieces.append(
            replace(
                block,
                page=regions[0][0],
                box=regions[0][1],
                regions=regions,
                text=block.text[start:end].strip(),
                warnings=[
                    *block.warnings,
                    f"part {k + 1} of {len(ranges)} of a {block.kind} of more than {most} tokens",
                ],
            )
        )
    return pieces


def _regions(block: Block, start: int, end: int) -> list[tuple[int, Box]]:
    """Where the characters [start, end) stand: by lines, or all of a text over several regions."""
    regions = block.regions or [(block.page, block.box)]
    if len(regions) > 1 or not block.runs:
        return list(regions)
    before = len("".join(block.text[:start].split()))
    inside = len("".join(block.text[start:end].split()))
    lines: list[list[Run]] = []
    at = 0
    for line in visual_lines(block.runs):
        chars = sum(run.chars for run in line)
        if at + chars > before and at < before + inside:
            lines.append(line)
        at += chars
    if not lines:
        return list(regions)
    return [(block.page, around(run.box for line in lines for run in line))]


def _with_joins(
    blocks: Sequence[Block], most: int, least: int, tokenizer: Tokenizer
) -> list[Block]:
    result: list[Block] = []
    sizes: list[int] = []
    for block in blocks:
        size = tokenizer.count(block.text) if block.kind == "paragraph" else 0
        before = result[-1] if result else None
        fits = not most or (bool(sizes) and sizes[-1] + size <= most)
        if before is not None and _joinable(before, block) and sizes[-1] < least and fits:
            result[-1] = replace(
                before,
                text=f"{before.text}\n{block.text}",
                regions=_together(before, block),
                runs=[*before.runs, *block.runs],
                warnings=[*before.warnings, *block.warnings],
            )
            sizes[-1] += size
        else:
            result.append(block)
            sizes.append(size)
    return result


def _joinable(before: Block, block: Block) -> bool:
    return (
        before.kind == block.kind == "paragraph"
        and before.section_path == block.section_path
        and before.engine == block.engine
    )


def _together(before: Block, block: Block) -> list[tuple[int, Box]]:
    first = before.regions or [(before.page, before.box)]
    return [*first, *(block.regions or [(block.page, block.box)])]
