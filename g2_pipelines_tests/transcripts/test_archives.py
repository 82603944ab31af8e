"""Zips of transcripts: members in order, hostile ones refused by name before anything is read."""

from __future__ import annotations

import io
import stat
import zipfile

import pytest

from g2_pipelines.errors import G2Error
from g2_pipelines.transcripts import archives
from g2_pipelines.transcripts.archives import holds_transcripts, unpack
from g2_pipelines.transcripts.errors import (
    EmptyTranscriptError,
    TranscriptTooLargeError,
    UnreadableTranscriptError,
    UnsupportedTranscriptError,
)


def zip_of(*files: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return stream.getvalue()


def test_members_come_in_order_of_their_names_without_hidden_ones() -> None:
    content = zip_of(
        ("2024/b.txt", "Q：".encode()), ("__MACOSX/2024/._b.txt", b"x"), ("a.md", b"# a"),
        ("2024/.DS_Store", b"x"), ("manifest.csv", b"file\n"),
    )  # fmt: skip
    assert [m.name for m in unpack(content, "c.zip")] == ["2024/b.txt", "a.md", "manifest.csv"]
    assert next(iter(unpack(content, "c.zip"))).content == "Q：".encode()


def test_a_japanese_name_that_windows_wrote_is_read() -> None:
    """Explorer writes cp932 without the UTF-8 flag; zipfile reads it as cp437."""
    name = "決算説明会.txt"
    content = zip_of(("1234567890.txt", b"Q")).replace(b"1234567890.txt", name.encode("cp932"))
    assert [member.name for member in unpack(content, "c.zip")] == [name]


def test_a_filing_or_a_docx_is_no_zip_of_transcripts() -> None:
    assert holds_transcripts(zip_of(("a.txt", b"x")))
    assert not holds_transcripts(zip_of(("word/document.xml", b"<x/>"), ("a.txt", b"x")))
    assert not holds_transcripts(zip_of(("XBRL/PublicDoc/0101010.htm", b"x")))
    assert not holds_transcripts(zip_of(("a.csv", b"x")))
    assert not holds_transcripts(b"PK\x03\x04broken")


def _link() -> zipfile.ZipInfo:
    info = zipfile.ZipInfo("a.txt")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


HOSTILE: list[tuple[str, bytes, type[G2Error], str]] = [
    ("slip", zip_of(("../../etc/a.txt", b"x")), UnsupportedTranscriptError, "../../etc/a.txt"),
    ("backslip", zip_of(("..\\a.txt", b"x")), UnsupportedTranscriptError, "..\\a.txt"),
    ("absolute", zip_of(("/etc/a.txt", b"x")), UnsupportedTranscriptError, "/etc/a.txt"),
    ("drive", zip_of(("C:/a.txt", b"x")), UnsupportedTranscriptError, "C:/a.txt"),
    ("link", zip_of((_link(), b"/etc/passwd")), UnsupportedTranscriptError, "a.txt"),
    ("nested", zip_of(("a.txt", b"x"), ("b.zip", b"PK")), UnsupportedTranscriptError, "b.zip"),
    ("program", zip_of(("a.exe", b"MZ")), UnsupportedTranscriptError, "a.exe"),
    ("bomb", zip_of(("a.txt", b"a" * 3_000_000)), TranscriptTooLargeError, "a.txt"),
    ("damaged", zip_of(("a.txt", b"x" * 100))[:60], UnreadableTranscriptError, ""),
    ("empty", zip_of(("__MACOSX/a", b"x")), EmptyTranscriptError, ""),
]


@pytest.mark.parametrize(
    ("content", "error", "place"), [h[1:] for h in HOSTILE], ids=[h[0] for h in HOSTILE]
)
def test_a_hostile_zip_is_refused_and_names_the_member(
    content: bytes, error: type[G2Error], place: str
) -> None:
    with pytest.raises(error) as caught:
        list(unpack(content, "c.zip"))
    assert (caught.value.file, caught.value.place) == ("c.zip", place)
    assert caught.value.remedy


def test_a_locked_zip_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = bytearray(zip_of(("a.txt", b"x")))
    directory = raw.rindex(b"PK\x01\x02")
    raw[directory + 8] |= 1
    with pytest.raises(UnreadableTranscriptError, match="locked"):
        list(unpack(bytes(raw), "c.zip"))


def test_a_header_that_lies_about_the_size_does_not_help() -> None:
    """The size is counted while unpacking; the central directory says 10 bytes here."""
    raw = bytearray(zip_of(("a.txt", b"a" * 3_000_000)))
    directory = raw.rindex(b"PK\x01\x02")
    raw[directory + 24 : directory + 28] = (10).to_bytes(4, "little")
    with pytest.raises((TranscriptTooLargeError, UnreadableTranscriptError)):
        list(unpack(bytes(raw), "c.zip"))


def test_too_many_members_and_too_much_in_all_are_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    content = zip_of(*((f"{i}.txt", b"12345") for i in range(5)))
    monkeypatch.setattr(archives, "MAX_TOTAL_BYTES", 24)
    with pytest.raises(TranscriptTooLargeError, match="unpacks to more"):
        list(unpack(content, "c.zip"))
    monkeypatch.setattr(archives, "MAX_MEMBERS", 4)
    with pytest.raises(TranscriptTooLargeError, match="more than 4 files"):
        list(unpack(content, "c.zip"))
