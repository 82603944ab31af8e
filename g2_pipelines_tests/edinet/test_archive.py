"""Hostile and damaged archives are refused by name, before anything is unpacked."""

from __future__ import annotations

import io
import stat
import warnings
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest

from g2_pipelines.edinet import archive as archive_module
from g2_pipelines.edinet.archive import open_archive
from g2_pipelines.edinet.errors import CorruptArchiveError, NotAFilingError, UnsafeArchiveError
from g2_pipelines.edinet.filing import read_filing
from g2_pipelines.keys import digest_of
from g2_pipelines_tests.edinet.builder import (
    LONG,
    POLICY,
    block,
    filing_members,
    page,
    write_zip,
    zip_bytes,
)


@pytest.mark.parametrize(
    "name",
    ["../evil.htm", "XBRL/../../x", "/etc/x", "C:\\x", "..\\x", "a\\..\\..\\b", "\\\\host\\x"],
)
def test_a_path_out_of_the_archive_is_refused(name: str) -> None:
    with pytest.raises(UnsafeArchiveError, match="out of the archive"):
        open_archive(zip_bytes({name: b"x"}), "slip.zip")


def test_a_bomb_is_refused_before_it_is_read() -> None:
    content = zip_bytes({"XBRL/PublicDoc/a_ixbrl.htm": b"0" * 30_000_000})
    assert len(content) < 100_000
    with pytest.raises(UnsafeArchiveError, match="compressed"):
        open_archive(content, "bomb.zip")


def test_too_many_members_or_bytes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    content = zip_bytes({f"a{n}": b"xx" for n in range(10)})
    monkeypatch.setattr(archive_module, "MAX_MEMBERS", 9)
    with pytest.raises(UnsafeArchiveError, match="10 members"):
        open_archive(content)
    monkeypatch.setattr(archive_module, "MAX_MEMBERS", 10)
    monkeypatch.setattr(archive_module, "MAX_TOTAL_BYTES", 19)
    with pytest.raises(UnsafeArchiveError, match="20 bytes"):
        open_archive(content)


def test_a_member_over_the_limit_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_module, "MAX_MEMBER_BYTES", 100)
    with pytest.raises(UnsafeArchiveError, match="over the limit of 100"):
        read_filing(write_zip(tmp_path, filing_members(block(POLICY, LONG))))


def test_links_and_double_names_are_refused() -> None:
    buffer = io.BytesIO()
    with ZipFile(buffer, "w") as archive:
        link = ZipInfo("link")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(UnsafeArchiveError, match="symbolic link"):
        open_archive(buffer.getvalue())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with ZipFile(buffer := io.BytesIO(), "w") as archive:
            archive.writestr("a", b"1")
            archive.writestr("a", b"2")
    with pytest.raises(UnsafeArchiveError, match="twice"):
        open_archive(buffer.getvalue())


def test_a_nested_zip_is_ignored(tmp_path: Path) -> None:
    members = filing_members(block(POLICY, LONG))
    inner = zip_bytes({"../x": b"x"})
    read = read_filing(write_zip(tmp_path, members | {"XBRL/PublicDoc/inner.zip": inner}))
    assert [r.status for r in read.sections if r.section == "policy"] == ["found"]


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04" + b"\0" * 40])
def test_a_file_that_is_no_zip_names_the_file_and_the_remedy(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "S100ZZ01.zip"
    path.write_bytes(content)
    with pytest.raises(CorruptArchiveError) as caught:
        read_filing(path)
    assert caught.value.file == "S100ZZ01.zip"
    assert caught.value.remedy


def test_a_damaged_member_names_itself(tmp_path: Path) -> None:
    path = write_zip(tmp_path, filing_members(block(POLICY, LONG)))
    content = bytearray(path.read_bytes())
    content[120:160] = b"\xff" * 40
    path.write_bytes(bytes(content))
    with pytest.raises(CorruptArchiveError) as caught:
        read_filing(path)
    assert "PublicDoc" in caught.value.place


@pytest.mark.parametrize("cut", [0.3, 0.9, 0.99])
def test_a_zip_cut_short_is_corrupt(tmp_path: Path, cut: float) -> None:
    content = zip_bytes(filing_members(block(POLICY, LONG)))
    path = tmp_path / "S100ZZ01.zip"
    path.write_bytes(content[: int(len(content) * cut)])
    with pytest.raises(CorruptArchiveError):
        read_filing(path)


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE html [<!ENTITY a "aa"><!ENTITY b "&a;&a;&a;">]>',
        '<!DOCTYPE html [<!ENTITY % p SYSTEM "http://127.0.0.1:1/x"> %p;]>',
    ],
)
def test_entity_declarations_are_refused(tmp_path: Path, doctype: str) -> None:
    members = filing_members(block(POLICY, LONG))
    name = next(n for n in members if "honbun" in n)
    prolog = f'<?xml version="1.0" encoding="utf-8"?>{doctype}'
    members[name] = page(block(POLICY, f"{LONG}"), prolog=prolog)
    with pytest.raises(UnsafeArchiveError, match="entities"):
        read_filing(write_zip(tmp_path, members))


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotAFilingError, match=r"no such file.*gone\.zip"):
        read_filing(tmp_path / "gone.zip")


def test_the_digest_is_the_zips_and_a_folders_depends_on_its_content(tmp_path: Path) -> None:
    members = filing_members(block(POLICY, LONG))
    path = write_zip(tmp_path, members)
    assert read_filing(path).filing.digest == digest_of(path.read_bytes())
    digests = set()
    for name, extra in (("a", b"1"), ("b", b"1"), ("c", b"2")):
        folder = tmp_path / name
        ZipFile(path).extractall(folder)
        (folder / "more.txt").write_bytes(extra)
        digests.add(read_filing(folder, document_id="S100ZZ01").filing.digest)
    assert len(digests) == 2


def test_a_zip_in_another_compression_is_read(tmp_path: Path) -> None:
    path = tmp_path / "S100ZZ01.zip"
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, content in filing_members(block(POLICY, LONG)).items():
            archive.writestr(name, content, compress_type=0)
    assert read_filing(path).filing.edinet_code == "E99009"
