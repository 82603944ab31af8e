"""Tables are whole or absent, and damage is never read past."""

import multiprocessing
from pathlib import Path
from typing import Literal

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import create_model
from upath import UPath

from g2_pipelines.errors import InputError
from g2_pipelines.tables import ledger, line1, line2, report
from g2_pipelines.tables.line1 import Summary, SummarySentence
from g2_pipelines.tables.paths import Home
from g2_pipelines.tables.rows import Row, Span, from_frame, schema_of, to_frame
from g2_pipelines.tables.store import (
    DamagedTableError,
    MissingTableError,
    read_table,
    rows_digest,
    table_digest,
    write_atomic,
    write_table,
)

MODELS = [
    model
    for module in (line1, line2, ledger, report)
    for model in vars(module).values()
    if isinstance(model, type) and issubclass(model, Row) and model.__module__ == module.__name__
]


def summary(text: str = "△①㈱ 売上高") -> Summary:
    return Summary(
        engine="extractive",
        model="extractive/1",
        prompt_version="none",
        edinet_code="E99001",
        fiscal_year="2025-03",
        source_type="filing_policy",
        aspect="issues",
        strategy="aspect",
        text=text,
        tokens=3,
        finish_reason="stop",
        sentences=[
            SummarySentence(
                start=0, end=3, spans=[Span(source_id="filing:S:policy:1", start=4, end=7)]
            )
        ],
        spans=[],
    )


@pytest.mark.parametrize("model", MODELS, ids=lambda m: m.__name__)
def test_every_row_model_has_a_schema_that_holds_no_rows_too(model: type[Row]):
    assert to_frame([], model).schema == schema_of(model)
    assert schema_of(model).names() == list(model.model_fields)


def test_line_1_begins_with_company_and_year_and_line_2_with_its_document():
    assert list(Summary.model_fields)[4:6] == ["edinet_code", "fiscal_year"]
    for model in (line1.FilingSection, line1.FilingFact, line1.QaChunk, line1.SourceSplit):
        assert list(model.model_fields)[:2] == ["edinet_code", "fiscal_year"]
    for model in (line2.DocumentNode, line2.DocumentPage, line2.GraphEdge, line2.IndexRow):
        assert next(iter(model.model_fields)) == "document_id"


def test_no_row_of_a_table_holds_a_time_or_an_attempt():
    """Equal input must give equal bytes; only the ledger knows times."""
    for model in MODELS:
        if model is not ledger.ModelCall:
            assert not {"latency_s", "attempts", "started_at", "duration_s"} & set(
                model.model_fields
            )


@pytest.mark.parametrize("place", ["local", "memory"])
def test_rows_come_back_as_they_were(place: str, tmp_path: Path):
    path = UPath(tmp_path / "t.parquet") if place == "local" else UPath("memory://store/t.parquet")
    rows = [summary(), summary("改行\nとタブ\t、nbsp\u00a0")]
    digest = write_table(path, rows, Summary)
    assert read_table(path, Summary) == rows
    assert table_digest(path, Summary) == digest == rows_digest(rows)


def test_an_empty_table_is_not_a_missing_one(tmp_path: Path):
    """Nothing found and not made are different answers."""
    path = UPath(tmp_path / "t.parquet")
    with pytest.raises(MissingTableError, match="has not been made yet"):
        read_table(path, Summary)
    write_table(path, [], Summary)
    assert read_table(path, Summary) == []


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "text", "other"])
def test_a_damaged_table_is_refused_by_name(damage: str, tmp_path: Path):
    """A wrong number out of a half-written file would end in a brief."""
    path = UPath(tmp_path / "E99001.parquet")
    write_table(path, [summary("営業利益は3,815百万円" * 50)], Summary)
    content = bytearray(path.read_bytes())
    if damage == "cut":
        content = content[: len(content) // 2]
    elif damage == "flip":
        content[40] ^= 0xFF
    elif damage == "empty":
        content = bytearray()
    elif damage == "text":
        content = bytearray(b"not parquet")
    else:
        write_table(path, [line1.Company(edinet_code="E1", name="x")], line1.Company)
        content = bytearray(path.read_bytes())
    path.write_bytes(bytes(content))
    with pytest.raises(DamagedTableError) as caught:
        read_table(path, Summary)
    assert "E99001.parquet" in str(caught.value)


def test_a_plain_parquet_file_is_no_table_of_ours(tmp_path: Path):
    path = UPath(tmp_path / "t.parquet")
    to_frame([summary()], Summary).write_parquet(path)
    with pytest.raises(DamagedTableError, match="not a Summary table"):
        read_table(path, Summary)


def grown(fields: dict[str, object], *, inner: dict[str, object] | None = None) -> type[Row]:
    """A model called Grown; ``parts`` are its nested values, with fields of their own."""
    part = create_model("Part", __base__=Row, name=(str, ...), **(inner or {}))  # type: ignore[call-overload]
    parts = {"parts": (list[part], [])}
    made: type[Row] = create_model("Grown", __base__=Row, key=(str, ...), **fields, **parts)  # type: ignore[call-overload]
    return made


def written_before(path: UPath) -> None:
    old = grown({"count": (int, ...)})
    write_table(path, [old(key="甲", count=7, parts=[{"name": "一"}])], old)


def test_a_table_written_before_a_column_was_added_is_read_with_its_default(tmp_path: Path):
    """Years of backfilled tables must not be made again because a column with a default came."""
    path = UPath(tmp_path / "t.parquet")
    written_before(path)
    new = grown(
        {"mark": (str | None, None), "count": (int, ...), "notes": (list[str], ["none yet"])},
        inner={"level": (int, 3)},
    )
    (row,) = read_table(path, new)
    assert row.model_dump() == {
        "key": "甲",
        "mark": None,
        "count": 7,
        "notes": ["none yet"],
        "parts": [{"name": "一", "level": 3}],
    }
    write_table(path, [row], new)
    assert read_table(path, new) == [row]


def test_an_empty_table_written_before_a_column_was_added_is_empty(tmp_path: Path):
    path = UPath(tmp_path / "t.parquet")
    write_table(path, [], grown({}))
    assert read_table(path, grown({"mark": (str | None, None)})) == []


@pytest.mark.parametrize(
    ("fields", "inner"),
    [
        ({"count": (int, ...), "mark": (str, ...)}, None),  # no default
        ({"count": (int, ...)}, {"level": (int, ...)}),  # nor in a nested value
        ({}, None),  # a column went
        ({"number": (int, 0)}, None),  # a column was renamed
        ({"count": (str, "")}, None),  # another type
        ({"count": (int, ...), "mark": (str, "")}, {"name": (int, 0)}),
    ],
)
def test_a_table_that_differs_otherwise_is_damaged(
    fields: dict[str, object], inner: dict[str, object] | None, tmp_path: Path
):
    """What a required column would hold is not known: no value is made up."""
    path = UPath(tmp_path / "t.parquet")
    written_before(path)
    part = inner or {}
    model = grown(fields, inner={k: v for k, v in part.items() if k != "name"})
    if "name" in part:
        other = create_model("Part", __base__=Row, **part)  # type: ignore[call-overload]
        model = create_model(
            "Grown", __base__=Row, key=(str, ...), **fields, parts=(list[other], [])
        )  # type: ignore[call-overload]
    with pytest.raises(DamagedTableError, match="other columns"):
        read_table(path, model)


def test_a_value_that_the_model_no_longer_allows_is_damage(tmp_path: Path):
    path = UPath(tmp_path / "t.parquet")
    old = create_model("Grown", __base__=Row, kind=(str, ...))
    write_table(path, [old(kind="gone")], old)
    with pytest.raises(DamagedTableError, match=r"0\.kind"):
        read_table(path, create_model("Grown", __base__=Row, kind=(Literal["a", "b"], ...)))


def test_a_row_of_another_model_is_refused(tmp_path: Path):
    """Its values would be lost: Arrow leaves out what the schema does not name."""
    row = line1.Company(edinet_code="E99001", name="青嶺精機")
    with pytest.raises(TypeError, match="Company in a table of Summary"):
        write_table(UPath(tmp_path / "t.parquet"), [row], Summary)  # type: ignore[type-var]


def test_what_is_read_again_after_another_write_is_the_new_table(tmp_path: Path):
    """Small tables are kept once read, by their bytes; lists given out are the caller's own."""
    path = UPath(tmp_path / "t.parquet")
    write_table(path, [summary("old")], Summary)
    read_table(path, Summary).clear()
    assert read_table(path, Summary) == [summary("old")]
    write_table(path, [summary("new")], Summary)
    assert read_table(path, Summary) == [summary("new")]
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(DamagedTableError):
        read_table(path, Summary)


def test_a_failed_write_leaves_the_old_table(tmp_path: Path):
    path = UPath(tmp_path / "t.parquet")
    write_table(path, [summary("old")], Summary)
    with pytest.raises(TypeError):
        write_atomic(path, "not bytes")  # type: ignore[arg-type]
    assert read_table(path, Summary)[0].text == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["t.parquet"]


def _write_many(folder: str, text: str) -> None:
    for _ in range(30):
        write_table(UPath(folder) / "t.parquet", [summary(text * 2_000)], Summary)


@pytest.mark.slow
def test_two_writers_never_leave_a_mixture(tmp_path: Path):
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write_many, args=(str(tmp_path), text)) for text in "甲乙"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    [row] = read_table(UPath(tmp_path / "t.parquet"), Summary)
    assert set(row.text) in ({"甲"}, {"乙"})


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.lists(st.text(st.characters(codec="utf-8")), max_size=4))
def test_the_digest_depends_on_the_rows_alone(texts: list[str]):
    rows = [summary(text) for text in texts]
    frame = to_frame(rows, Summary)
    assert from_frame(frame, Summary) == rows
    assert rows_digest(from_frame(frame, Summary)) == rows_digest(rows)
    assert isinstance(frame, pl.DataFrame)


@pytest.mark.parametrize("key", ["..", "a/b", "", "株", "a,b"])
def test_no_key_leads_out_of_the_home(key: str):
    home = Home(UPath("/srv/g2"))
    for make in (
        lambda k: home.table("filings", k),
        lambda k: home.brief_page(k, "2025-03"),
        lambda k: home.brief_page("E1", k),
        home.answer_page,
        home.document_images,
    ):
        with pytest.raises(InputError):
            make(key)
