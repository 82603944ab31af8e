"""The inbox: what is new, what has settled, and nothing twice."""

import os
from pathlib import Path

from upath import UPath

from g2_pipelines.defs.inbox import Cursor, list_inbox, next_files


def put(folder: Path, name: str, text: str, changed_at: float) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (changed_at, changed_at))


def names(folder: Path, cursor: Cursor, now: float, limit: int = 9) -> tuple[list[str], bool]:
    files, more = next_files(list_inbox(UPath(folder)), cursor, limit, now=now)
    return [file.relative for file in files], more


def seen(folder: Path, cursor: Cursor, now: float) -> Cursor:
    files, _ = next_files(list_inbox(UPath(folder)), cursor, 9, now=now)
    return cursor.after({file.relative: file.signature for file in files})


def test_a_missing_inbox_is_an_empty_one(tmp_path: Path):
    assert list_inbox(UPath(tmp_path / "nothing")) == []


def test_files_come_in_order_and_once(tmp_path: Path):
    put(tmp_path, "b.txt", "b", 100)
    put(tmp_path, "E1/a.txt", "a", 100)
    assert names(tmp_path, Cursor(), 200) == (["E1/a.txt", "b.txt"], False)
    cursor = seen(tmp_path, Cursor(), 200)
    assert cursor.generation == 1
    assert names(tmp_path, cursor, 200) == ([], False)


def test_a_file_that_is_still_written_to_waits(tmp_path: Path):
    """Half a question would be refused, half a filing would be called corrupt."""
    put(tmp_path, "a.json", "{", 199)
    assert names(tmp_path, Cursor(), 200) == ([], False)
    assert names(tmp_path, Cursor(), 202) == (["a.json"], False)


def test_a_changed_file_comes_again_also_when_it_changes_back(tmp_path: Path):
    put(tmp_path, "a.json", "1", 100)
    cursor = seen(tmp_path, Cursor(), 200)
    put(tmp_path, "a.json", "2", 101)
    assert names(tmp_path, cursor, 200) == (["a.json"], False)
    after = seen(tmp_path, cursor, 200)
    put(tmp_path, "a.json", "1", 102)
    assert names(tmp_path, after, 200) == (["a.json"], False)


def test_a_burst_comes_in_chunks(tmp_path: Path):
    for n in range(5):
        put(tmp_path, f"{n}.json", "x", 100)
    assert names(tmp_path, Cursor(), 200, limit=3) == (["0.json", "1.json", "2.json"], True)


def test_drafts_hidden_files_and_the_manifest_are_left_alone(tmp_path: Path):
    for name in (".draft-1", ".git/x", "manifest.csv", "E1/manifest.csv", "a.txt"):
        put(tmp_path, name, "x", 100)
    assert names(tmp_path, Cursor(), 200) == (["a.txt"], False)


def test_an_unreadable_cursor_starts_anew():
    """Taking in is idempotent, so beginning again costs time and nothing else."""
    assert Cursor.parse("nonsense") == Cursor()
    assert Cursor.parse(None) == Cursor()
    cursor = Cursor(generation=3, seen={"a": "1:2"})
    assert Cursor.parse(cursor.model_dump_json()) == cursor
