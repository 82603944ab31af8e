"""Letters that run up or down beside a chart are read as the text they are."""

from __future__ import annotations

from g2_pipelines.pdf.geometry import Box, Glyph, Run
from g2_pipelines.pdf.glyphs import visual_lines
from g2_pipelines.pdf.sideways import is_sideways, with_sideways


def letter(char: str, x0: float, y0: float, x1: float, y1: float) -> Run:
    box = Box(x0, y0, x1, y1)
    return Run(char, box, (Glyph(char, box),))


def stacked(text: str, *, up: bool) -> list[Run]:
    """Letters of size 10 that lie on their side, 5 points each, a space of 3."""
    runs, y = [], 200.0
    for char in text:
        step = 3.0 if char == " " else 5.0
        y0, y1 = (y - step, y) if up else (y, y + step)
        if char != " ":
            runs.append(letter(char, 40, y0, 50, y1))
        y = y0 if up else y1
    return runs


def test_text_up_and_down_the_side_is_one_run_with_its_spaces() -> None:
    for up in (True, False):
        [run] = with_sideways(stacked("Growth (cm a year)", up=up))
        assert run.text == "Growth (cm a year)"
        assert is_sideways(run)
        assert run.box.width == 10


def test_letters_as_high_as_wide_lie_like_the_runs_beside_them() -> None:
    """W, S and J end where the three runs left of them end."""
    beside = [
        [letter(c, x, 100 + 5 * k, x + 10, 105 + 5 * k) for k, c in enumerate("Switch")]
        for x in (0, 20, 60)
    ]
    heights = [("W", 94.0, 104.5), ("S", 104.5, 122.0), ("J", 122.0, 130.0)]
    short = [letter(char, 80, y0, 90, y1) for char, y0, y1 in heights]
    runs = [run for group in beside for run in group]
    assert [r.text for r in with_sideways([*runs, *short])] == ["Switch"] * 3 + ["WSJ"]
    assert [r.text for r in with_sideways([*runs[:12], *short])] == ["Switch"] * 2 + list("WSJ")


def test_digits_of_a_column_stay_cells() -> None:
    column = [letter(char, 40, 100 + 12 * k, 45, 112 + 12 * k) for k, char in enumerate("17053")]
    assert [run.text for run in with_sideways(column)] == list("17053")


def test_japanese_letters_one_under_another_stay_as_they_are() -> None:
    tab = [letter(char, 10, 100 + 14 * k, 24, 114 + 14 * k) for k, char in enumerate("第4章")]
    assert [run.text for run in with_sideways(tab)] == ["第", "4", "章"]


def test_what_turns_round_or_jumps_is_no_text() -> None:
    there, back = stacked("axis", up=True), stacked("axis", up=False)
    assert [run.text for run in with_sideways([*there, *back])] == ["axis", "axis"]
    far = [letter(char, 40, 100 + 60 * k, 50, 105 + 60 * k) for k, char in enumerate("abcd")]
    assert len(with_sideways(far)) == 4


def test_it_is_a_line_of_its_own_beside_the_labels_at_its_height() -> None:
    axis = with_sideways(stacked("Growth (cm a year)", up=True))
    ticks = [
        Run(text, Box(60, y, 80, y + 10), (Glyph(text, Box(60, y, 80, y + 10)),))
        for text, y in (("20", 110.0), ("10", 155.0), ("0", 190.0))
    ]
    lines = [[run.text for run in line] for line in visual_lines([*ticks, *axis])]
    assert ["Growth (cm a year)"] in lines
    assert sorted(line[0] for line in lines if len(line) == 1) == [
        "0",
        "10",
        "20",
        "Growth (cm a year)",
    ]
