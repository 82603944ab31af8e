"""Blind sheets: nobody can tell whose a text is, no cell runs, no vote is guessed."""

from __future__ import annotations

import csv
import io
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from g2_pipelines.evaluation.sheet import (
    Sheet,
    SheetError,
    SheetPair,
    key_csv,
    make_sheet,
    read_key,
    safe_cell,
    sheet_csv,
)
from g2_pipelines.evaluation.sheet_answers import read_answers
from g2_pipelines.evaluation.sheet_page import sheet_page

CRITERIA = {"faithfulness": "忠実性", "coverage": "網羅性"}
HOSTILE = '=HYPERLINK("http://evil.example","x")'


def pairs(count: int = 8) -> list[SheetPair]:
    return [
        SheetPair(
            edinet_code=f"E9900{n}",
            fiscal_year="2025-03",
            aspect="issues",
            company=f"青嶺{n}",
            year_label="2025年3月期",
            label="課題",
            left=f"左の文{n}。",
            right=f"右の文{n}。",
            evidence=(f"資料{n}。",),
        )
        for n in range(count)
    ]


def sheet(count: int = 8, seed: int = 3, **more: object) -> Sheet:
    given: dict = {"left": "aspect", "right": "simple", "criteria": tuple(CRITERIA.values())}
    return make_sheet(pairs(count), seed=seed, **(given | more))


def rows_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def filled(made: Sheet, votes: list[dict[str, str]], encoding: str = "utf-8-sig") -> bytes:
    """The sheet's CSV with columns of each row replaced."""
    rows = rows_of(sheet_csv(made))
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(rows[0]), quoting=csv.QUOTE_ALL)
    writer.writeheader()
    for row, more in zip(rows, votes, strict=False):
        writer.writerow(row | more)
    return out.getvalue().encode(encoding)


def test_the_order_and_the_sides_are_the_seeds_and_half_are_turned():
    one, again, other = sheet(seed=3), sheet(seed=3), sheet(seed=4)
    assert sheet_csv(one) == sheet_csv(again)
    assert sheet_csv(one) != sheet_csv(other)
    assert sum(row.a == "left" for row in one.key) == 4
    turned = make_sheet(
        pairs()[::-1], seed=3, left="aspect", right="simple", criteria=tuple(CRITERIA.values())
    )
    assert sheet_csv(turned) == sheet_csv(one)


def test_the_key_tells_whose_a_text_is_and_the_sheet_does_not():
    made = sheet()
    for item, key in zip(made.items, made.key, strict=True):
        assert item.text_a.startswith("左" if key.a == "left" else "右")
    shown = sheet_csv(made).decode("utf-8-sig") + sheet_page(made)
    for word in ("simple", "aspect", "left", "right", "seed"):
        assert word not in shown.replace("text-align:left", "").replace("border-left", "").replace(
            "left:0; right:0", ""
        ).replace("margin-right", ""), word
    assert read_key(key_csv(made), file="key.csv") == made.key


def test_equal_texts_are_left_out_and_counted():
    same = [*pairs(2), SheetPair("E9", "2025-03", "issues", "n", "y", "l", "同じ。", "同じ。")]
    made = make_sheet(same, seed=1, left="a", right="b", criteria=("忠実性",))
    assert (len(made.items), made.equal) == (2, 1)
    with pytest.raises(SheetError):
        make_sheet(same[2:], seed=1, left="a", right="b", criteria=("忠実性",))


def test_a_limit_takes_a_part_by_the_seed():
    whole, part = sheet(8), sheet(8, limit=3)
    assert [i.company for i in part.items] == [i.company for i in whole.items[:3]]


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1", "＋1", "－1", "＠x", "|x", "%x"],
)
def test_no_cell_is_a_formula(text: str):
    assert safe_cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["売上高は△120百万円", "1,200", "", "環境", "「=」", "5%"])
def test_plain_cells_stay_as_they_are(text: str):
    assert safe_cell(text) == text


@given(st.text(max_size=30))
def test_a_cell_never_begins_with_what_a_spreadsheet_runs(text: str):
    cell = safe_cell(text)
    assert cell.lstrip()[:1] not in set("=+-@|%＝＋－＠") or not cell.lstrip()
    assert cell in (text, f"'{text}")


def test_hostile_texts_reach_neither_the_spreadsheet_nor_the_page():
    evil = SheetPair(
        "E99001",
        "2025-03",
        "issues",
        HOSTILE,
        "y",
        "課題",
        "<script>alert(1)</script>",
        "\"\r\n=cmd|'/c calc'!A1",
        ("</details><img src=x onerror=alert(1)>",),
    )
    made = make_sheet([evil], seed=1, left="a", right="b", criteria=("忠実性",))
    [row] = rows_of(sheet_csv(made))
    assert row["企業"] == f"'{HOSTILE}"
    page = sheet_page(made)
    assert page.count("<script>") == 1
    assert "<img" not in page

    class Tags(HTMLParser):
        found: set[str] = set()

        def handle_starttag(self, tag: str, attrs: list) -> None:
            self.found.add(tag)
            for name, value in attrs:
                assert not name.startswith("on")
                assert not (value or "").startswith(("http", "javascript"))

    Tags().feed(page)
    assert "img" not in Tags.found


def test_votes_come_back_as_sides():
    made = sheet(4)
    content = filled(
        made,
        [
            {"忠実性": "A", "網羅性": "B"},
            {"忠実性": "ｂ", "網羅性": " 同 "},
            {"忠実性": "", "網羅性": "引き分け"},
        ],
    )
    votes = read_answers([("taro.csv", content)], made.key, CRITERIA)
    other = {"left": "right", "right": "left"}
    said = {(v.item, v.criterion): v.vote for v in votes}
    assert said == {
        (1, "faithfulness"): made.key[0].a,
        (1, "coverage"): other[made.key[0].a],
        (2, "faithfulness"): other[made.key[1].a],
        (2, "coverage"): "tie",
        (3, "coverage"): "tie",
    }
    assert {v.reader for v in votes} == {"taro"}


def test_a_sheet_saved_by_a_japanese_spreadsheet_is_read():
    made = sheet(2)
    content = filled(made, [{"忠実性": "Ａ", "読み手": "花子"}, {"忠実性": "B"}], encoding="cp932")
    votes = read_answers([("x.csv", content)], made.key, CRITERIA)
    assert [v.reader for v in votes] == ["花子", "花子"]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"忠実性": "C"}, "row 2, column 忠実性"),
        ({"網羅性": "AB"}, "row 2, column 網羅性"),
        ({"項目": "99"}, "row 2, column 項目"),
        ({"項目": "１e3"}, "row 2, column 項目"),
        ({"項目": "二"}, "row 2, column 項目"),
        ({"シート": "s-000000000000"}, "row 2, column シート"),
    ],
)
def test_what_is_not_understood_names_row_and_column(change: dict[str, str], place: str):
    made = sheet(2)
    with pytest.raises(SheetError) as caught:
        read_answers([("f.csv", filled(made, [{"忠実性": "A"} | change]))], made.key, CRITERIA)
    assert (caught.value.file, caught.value.place) == ("f.csv", place)
    assert caught.value.remedy


def test_a_reader_votes_once_on_an_item():
    made = sheet(2)
    content = filled(made, [{"忠実性": "A"}])
    files = [("a/taro.csv", content), ("b/taro.csv", content)]
    with pytest.raises(SheetError, match=r"has voted on item 1 before, in a/taro\.csv: row 2"):
        read_answers(files, made.key, CRITERIA)


def test_rows_of_several_readers_must_all_be_named():
    made = sheet(3)
    votes = [
        {"忠実性": "A", "読み手": "x"},
        {"忠実性": "A", "読み手": "y"},
        {"忠実性": "A", "読み手": ""},
    ]
    with pytest.raises(SheetError) as caught:
        read_answers([("f.csv", filled(made, votes))], made.key, CRITERIA)
    assert caught.value.place == "row 4, column 読み手"


@pytest.mark.parametrize(
    "content",
    [b"", b"a,b\r\n1,2\r\n", b'"open', b"\xff\xfe\x00\x81", "シート,項目\r\n".encode()],
)
def test_a_file_that_is_no_sheet_is_a_typed_error(content: bytes):
    with pytest.raises(SheetError) as caught:
        read_answers([("f.csv", content)], sheet(1).key, CRITERIA)
    assert caught.value.file == "f.csv"
    assert caught.value.remedy


def test_a_sheet_without_a_vote_is_no_result():
    made = sheet(2)
    with pytest.raises(SheetError, match="No vote"):
        read_answers([("f.csv", sheet_csv(made))], made.key, CRITERIA)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(content: bytes):
    with pytest.raises(SheetError):
        read_answers([("f.csv", content)], KEY, CRITERIA)
    with pytest.raises(SheetError):
        read_key(content, file="k.csv")


KEY = sheet(1).key
