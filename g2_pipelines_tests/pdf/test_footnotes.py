"""Numbered notes under a page's text are footnotes, one block each."""

from __future__ import annotations

from g2_pipelines.pdf.footnotes import text_height, with_footnotes
from g2_pipelines.pdf.geometry import Block, Box, Glyph, PageText, Run, around


def line(text: str, y0: float, *, size: float = 10.0, x0: float = 60.0) -> Run:
    glyphs = tuple(
        Glyph(char, Box(x0 + k * size, y0, x0 + (k + 1) * size, y0 + size))
        for k, char in enumerate(text)
    )
    return Run(text, around(glyph.box for glyph in glyphs), glyphs)


def block(*lines: Run, kind: str = "paragraph", role: str = "text") -> Block:
    return Block(
        kind=kind,  # type: ignore[arg-type]
        page=1,
        box=around(run.box for run in lines),
        runs=list(lines),
        role=role,
    )


def sheet(blocks: list[Block]) -> PageText:
    runs = tuple(run for one in blocks for run in one.runs)
    return PageText(
        page=1,
        width=595,
        height=842,
        rotation=0,
        chars=sum(run.chars for run in runs),
        runs=runs,
        images=(),
        rules=(),
    )


def told(blocks: list[Block]) -> list[tuple[str, str]]:
    body = text_height([blocks])
    found = with_footnotes(sheet(blocks), blocks, body)
    return [(one.kind, "".join(run.text for run in one.runs)) for one in found]


BODY = block(*(line("工場の増設は来期に始まる見込みである", 100 + 14 * k) for k in range(8)))


def test_small_notes_with_marks_become_one_footnote_each() -> None:
    notes = block(
        line("＊1 当社の調べによる。", 700, size=8),
        line("対象は国内の工場である。", 709, size=8),
        line("＊2 同上。", 718, size=8),
    )
    assert told([BODY, notes])[1:] == [
        ("footnote", "＊1 当社の調べによる。対象は国内の工場である。"),
        ("footnote", "＊2 同上。"),
    ]


def test_a_last_line_that_an_engine_took_for_the_footer_is_the_notes() -> None:
    note = block(line("※3 協会の統計、", 700, size=8))
    rest = block(line("（2024/2/27参照）", 709, size=8), role="footer")
    number = block(line("46", 800, size=8), role="page_number")
    assert told([BODY, note, rest, number])[1:] == [
        ("footnote", "※3 協会の統計、（2024/2/27参照）"),
        ("paragraph", "46"),
    ]


def test_notes_in_the_size_of_the_text_or_above_text_stay() -> None:
    large = block(line("＊1 当社の調べによる。", 700))
    assert told([BODY, large])[1][0] == "paragraph"
    above = block(line("＊1 当社の調べによる。", 500, size=8))
    after = block(line("次の章では設備の更新を述べる", 700))
    assert [kind for kind, _ in told([BODY, above, after])] == ["paragraph"] * 3


def test_small_text_without_a_mark_stays() -> None:
    source = block(line("出典：協会の統計", 700, size=8))
    assert told([BODY, source])[1] == ("paragraph", "出典：協会の統計")


def test_the_height_of_the_text_is_that_of_most_letters() -> None:
    small = [block(line("小さな図の凡例", 100 + 9 * k, size=6)) for k in range(5)]
    assert text_height([[BODY], small]) == 10.0
    assert text_height([[]]) == 0.0
