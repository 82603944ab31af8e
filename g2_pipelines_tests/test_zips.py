"""Entries of a zip are counted before ``zipfile`` reads them."""

from __future__ import annotations

import io
import struct
import zipfile

import pytest

from g2_pipelines import zips
from g2_pipelines.edinet.answers import RawAnswer, download_of
from g2_pipelines.edinet.archive import open_archive
from g2_pipelines.edinet.errors import UnsafeArchiveError
from g2_pipelines.transcripts.archives import holds_transcripts, unpack
from g2_pipelines.transcripts.errors import TranscriptTooLargeError
from g2_pipelines.transcripts.word import read_docx
from g2_pipelines.zips import entries_at_most


def _zip(names: list[str], *, comment: bytes = b"", content: bytes = b"") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, b"" if name.endswith("/") else content)
        archive.comment = comment
    return file.getvalue()


def _count(content: bytes) -> int:
    return entries_at_most(io.BytesIO(content))


@pytest.mark.parametrize("count", [0, 1, 7, 300])
@pytest.mark.parametrize("comment", [b"", b"made by hand", b"PK\x05\x06" * 3])
def test_the_entries_are_counted(count: int, comment: bytes) -> None:
    content = _zip([f"a{k}.txt" for k in range(count)], comment=comment)
    # zipfile itself takes a signature inside the comment for the end and refuses such a file.
    assert _count(content) == (count if b"PK" not in comment else 0)


def test_folders_count_and_members_of_a_zip_inside_do_not() -> None:
    inner = _zip([f"{k}.txt" for k in range(40)])
    assert _count(_zip(["a/", "b/", "c.zip"], content=inner)) == 3


def test_a_directory_that_states_fewer_entries_is_counted_all_the_same() -> None:
    content = bytearray(_zip([f"{k}/" for k in range(50)]))
    struct.pack_into("<HH", content, len(content) - 14, 1, 1)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert len(archive.infolist()) == 50  # it goes by the directory's size
    assert _count(bytes(content)) == 50


def test_more_than_65535_entries_are_counted() -> None:
    names = [f"{k}/" for k in range(66_000)]
    assert _count(_zip(names)) == 66_000


def test_entries_over_the_border_of_a_block_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    content = _zip([f"{k}" for k in range(60)])
    for block in range(1, 60):
        monkeypatch.setattr(zips, "_BLOCK", block)
        assert _count(content) == 60


@pytest.mark.parametrize(
    "content", [b"", b"PK", b"PK\x05\x06", b"PK\x03\x04 and no end", b"x" * 99]
)
def test_what_is_no_zip_has_none(content: bytes) -> None:
    assert _count(content) == 0


def test_no_reader_opens_a_zip_of_too_many_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    content = _zip([f"{k}/" for k in range(10_001)])

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the zip was opened")

    monkeypatch.setattr(zipfile.ZipFile, "__init__", refuse)
    with pytest.raises(UnsafeArchiveError, match="10001 members"):
        open_archive(content, "a.zip")
    with pytest.raises(TranscriptTooLargeError, match="10,001 entries"):
        next(unpack(content, "a.zip"))
    with pytest.raises(TranscriptTooLargeError, match="10,001 entries"):
        read_docx(content, "a.docx")
    assert not holds_transcripts(content)
    answer = RawAnswer("S100TEST", 200, "application/octet-stream", content)
    assert download_of(answer, 1) == content
