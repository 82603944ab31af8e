"""Spaces, line joins and hyphens: where text is made of characters."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from g2_pipelines.pdf.geometry import Box
from g2_pipelines.pdf.glyphs import (
    Mark,
    glyph_runs,
    hyphenated_words,
    join_lines,
    join_runs,
    looks_garbled,
    visual_lines,
)
from g2_pipelines_tests.pdf.conftest import run


def marks(text: str, gaps: dict[int, float] | None = None, *, made: bool = True) -> list[Mark]:
    """Characters of 10 points on one line; a space has no width, ``gaps`` are set before."""
    found: list[Mark] = []
    x = 0.0
    for place, char in enumerate(text):
        x += (gaps or {}).get(place, 0.0)
        if char == " " and made:
            found.append((char, None, False))
            continue
        found.append((char, Box(x, 0, x + 10, 10), False))
        x += 10
    return found


def test_a_made_up_quarter_em_between_japanese_and_latin_is_no_space() -> None:
    [found] = glyph_runs(marks("図 2に", {2: 2.5}))
    assert found.text == "図2に"


def test_a_space_between_names_stays() -> None:
    [found] = glyph_runs(marks("柳沢 徹、宮下 直子", {3: 2.5, 8: 2.5}))
    assert found.text == "柳沢 徹、宮下 直子"


def test_stretched_japanese_gets_no_spaces() -> None:
    text = "主 軸 の 熱 変 位"
    [found] = glyph_runs(marks(text, dict.fromkeys(range(2, len(text), 2), 3.0)))
    assert found.text == "主軸の熱変位"


def test_latin_words_keep_their_spaces_and_a_no_break_space_is_a_space() -> None:
    assert glyph_runs(marks("of the", {3: 2.5}))[0].text == "of the"
    assert glyph_runs(marks("46\u00a0%", made=False))[0].text == "46 %"
    assert glyph_runs(marks("概要\u3000結果", made=False))[0].text == "概要\u3000結果"


def test_a_wide_gap_ends_a_run() -> None:
    assert [r.text for r in glyph_runs(marks("ab cd", {3: 30.0}))] == ["ab", "cd"]


def test_a_broken_word_is_put_together_and_a_written_hyphen_stays() -> None:
    kept = hyphenated_words([run("the cold-chain paper", 0, 0)])
    assert kept == {"cold-chain"}
    assert join_lines([("The dam-", True), ("age is", False)], kept) == "The damage is"
    assert join_lines([("our cold-", False), ("chain, too", False)], kept) == "our cold-chain, too"
    assert join_lines([("years 2019-", False), ("2020", False)], kept) == "years 2019- 2020"


def test_japanese_lines_join_without_a_space_and_english_with_one() -> None:
    assert join_lines([("数μmの", False), ("寸法公差", False)]) == "数μmの寸法公差"
    assert join_lines([("at the", False), ("dock", False)]) == "at the dock"


def test_pieces_of_a_line_are_read_from_left_to_right() -> None:
    runs = [run("right", 100, 0), run("left", 0, 1), run("below", 0, 20)]
    assert [[r.text for r in line] for line in visual_lines(runs)] == [["left", "right"], ["below"]]
    assert join_runs(runs) == "left right below"


@settings(derandomize=True, max_examples=60)
@given(st.text(alphabet="aé図の 。-", min_size=1, max_size=30))
def test_no_character_is_lost_or_moved(text: str) -> None:
    runs = glyph_runs(marks(text))
    assert "".join("".join(r.text.split()) for r in runs) == "".join(text.split(" "))


def test_labels_of_a_font_without_characters_look_garbled_and_code_words_do_not() -> None:
    """pdfjs_tracemonkey, figure 11 (page 10)."""
    lines = "?>9@AJ.D<F@-<>2.@A:0>#3$4,56# ?>9@AJ.0A:</C./8-2#3$4%56# ?>9@AJ.><J/F80-#3$4$56#"
    more = " ?>9@AJ.B<?><#3$4(56# <//2??.A?@2D2#3&4!56#"
    assert looks_garbled(lines + more)
    assert not looks_garbled("売上高（百万円） $1,200 R&D 2019 2020 Number Boolean a=b c++ C# <T>")
    assert not looks_garbled("")


def test_a_gap_like_the_lines_spaces_is_a_lost_one_but_not_within_figures() -> None:
    [found] = glyph_runs(marks("of the restand", {3: 2.5, 7: 2.5, 11: 2.2}))
    assert found.text == "of the rest and"
    [found] = glyph_runs(marks("12 34 5678", {3: 2.5, 6: 2.5, 8: 2.2}))
    assert found.text == "12 34 5678"
