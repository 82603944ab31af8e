"""The measures of parsed documents, against values worked out by hand."""

from __future__ import annotations

import pytest

from benchmarks.parse_scores import mhs, nid, split_stacks, teds

TABLE = "| a | b |\n| - | - |\n| 1 | 2 |"


def test_nid_counts_insertions_and_deletions_only() -> None:
    # "abcd" and "abxd": c out, x in, so 2 of 8 characters.
    assert nid("abxd", "abcd") == pytest.approx(1 - 2 / 8)


def test_nid_folds_white_space_and_leaves_pictures_out() -> None:
    assert nid("a  b\n\n![plot](x.png)\n", "<!-- image -->\na b") == 1


def test_nid_of_a_table_without_its_cells_cannot_be_whole() -> None:
    html = "<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr></table>"
    assert nid(html, TABLE) == 1
    # Of the truth's characters only "a b 1 2" (4 letters, no blanks in the HTML) are common.
    assert nid("ab12", TABLE) == pytest.approx(2 * 4 / (4 + len(html)))


def test_teds_pays_for_a_missing_cell_and_for_other_text() -> None:
    # Tree: document, table, 2 rows, 4 cells = 8 nodes.
    assert teds(TABLE, TABLE) == 1
    assert teds("| a | b |\n| - | - |\n| 1 |", TABLE) == pytest.approx(1 - 1 / 8)
    # "bx" for "b": Levenshtein 1 of 2.
    assert teds("| a | bx |\n| - | - |\n| 1 | 2 |", TABLE) == pytest.approx(1 - 0.5 / 8)


def test_teds_pays_for_other_spans_whatever_the_text() -> None:
    spanned = "<table><tr><td colspan=2>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr></table>"
    assert teds(spanned, TABLE) == pytest.approx(1 - 1 / 8)


def test_teds_is_none_without_a_table_in_the_truth_and_0_without_one_in_the_answer() -> None:
    assert teds(TABLE, "text") is None
    assert teds("text", TABLE) == 0


def test_mhs_compares_headings_and_the_text_under_them_not_their_levels() -> None:
    truth = "intro\n\n# One\n\nfirst\n\n## Two\n\nsecond"
    assert mhs(truth.replace("## ", "#### "), truth) == 1
    # Root, 2 headings, 2 texts = 5 nodes; the second heading with its text is missing, and
    # "first" has become "first ## second"-like text: "first" against "first Two second".
    answer = "# One\n\nfirst Two second"
    longer = len("first Two second")
    text = (longer - len("first")) / longer
    assert mhs(answer, truth) == pytest.approx(1 - (2 + text) / 5)


def test_mhs_is_none_without_a_heading_in_the_truth() -> None:
    assert mhs("# One", "text") is None
    assert mhs("text", "# One") == 0


def test_the_truths_stacked_rows_are_cut_apart_and_wrapped_text_is_not() -> None:
    truth = "| # layers | kind of wood | score | s |\n| - | - | - | - |\n| 6 | Oak Elm | 0.96 0.97 | 2 5 |"
    assert split_stacks(truth).split("\n")[2:] == [
        "| 6 | Oak | 0.96 | 2 |",
        "| 6 | Elm | 0.97 | 5 |",
    ]
    words = "| Oak Elm | Fir Ash | 1 2 |"
    assert split_stacks(words) == words
