"""Files are taken in once, under their own company, and say what they lack."""

from pathlib import Path

import pytest

from g2_pipelines.defs.register import (
    ManifestError,
    ManifestRow,
    UnassignedFileError,
    WrongOwnerError,
    file_type,
    manifest_row,
    read_manifest,
    register,
)
from g2_pipelines.defs.registry import NotRegisteredError, safe_name
from g2_pipelines.defs.workspace import UnknownDocumentError, Workspace
from g2_pipelines.errors import G2Error, InputError, StateError


def zip_of(sample: Path) -> bytes:
    return (sample / "filings" / "S9000A01.zip").read_bytes()


def test_a_filing_names_its_own_company_and_year(ws: Workspace, sample: Path):
    registered = register(ws, zip_of(sample), ManifestRow(file="S9000A01.zip"))
    assert (registered.type, registered.key) == ("filing", "E99001")
    assert (registered.document_id, registered.news) == ("S9000A01", True)
    [entry] = ws.registry.filings("E99001")
    assert (entry.fiscal_year, entry.document_type) == ("2025-03", "120")
    assert ws.registry.original(entry.raw, entry.digest) == zip_of(sample)


def test_registering_twice_changes_nothing(ws: Workspace, sample: Path):
    row = ManifestRow(file="S9000A01.zip")
    register(ws, zip_of(sample), row)
    assert register(ws, zip_of(sample), row).news is False
    assert len(ws.registry.filings("E99001")) == 1


def test_a_filing_for_another_company_is_refused(ws: Workspace, sample: Path):
    """A brief about the wrong company is worse than none."""
    row = ManifestRow(file="S9000A01.zip", edinet_code="E99002")
    with pytest.raises(WrongOwnerError, match="is of E99001, not of E99002"):
        register(ws, zip_of(sample), row)
    assert ws.registry.filings("E99002") == []


def test_a_corrupt_zip_without_a_company_is_refused_by_name(ws: Workspace, sample: Path):
    with pytest.raises(InputError) as caught:
        register(ws, zip_of(sample)[:5000], ManifestRow(file="S9000A01.zip"))
    assert "S9000A01.zip" in str(caught.value)
    assert caught.value.remedy


def test_a_corrupt_zip_of_a_company_is_registered_and_mended_by_a_good_one(
    ws: Workspace, sample: Path
):
    """Its partition then fails by name, and adding the good file is the whole remedy."""
    row = ManifestRow(file="S9000A01.zip", edinet_code="E99001")
    assert register(ws, zip_of(sample)[:5000], row).key == "E99001"
    [entry] = ws.registry.filings("E99001")
    assert entry.fiscal_year is None
    register(ws, zip_of(sample), row)
    [entry] = ws.registry.filings("E99001")
    assert entry.fiscal_year == "2025-03"


def test_a_transcript_must_say_its_company_and_year(ws: Workspace):
    with pytest.raises(UnassignedFileError, match="company and fiscal year"):
        register(ws, "問）…".encode(), ManifestRow(file="call.txt"))


def test_a_pdf_is_found_by_id_name_and_stem_and_nothing_else(ws: Workspace, sample: Path):
    content = (sample / "pdfs" / "minato_cold_chain_en.pdf").read_bytes()
    key = register(ws, content, ManifestRow(file="minato_cold_chain_en.pdf")).key
    assert key.startswith("minato-cold-chain-en-")
    for name in (key, "minato_cold_chain_en.pdf", "minato_cold_chain_en"):
        assert ws.resolve_documents([name]) == [key]
    with pytest.raises(UnknownDocumentError, match="'minato' is not registered"):
        ws.resolve_documents(["minato"])


def test_a_name_that_fits_two_documents_is_not_guessed(ws: Workspace):
    for content in (b"%PDF-1.7 a", b"%PDF-1.7 b"):
        register(ws, content, ManifestRow(file="report.pdf"))
    with pytest.raises(UnknownDocumentError, match="fits report-"):
        ws.resolve_documents(["report.pdf"])


def test_an_original_that_was_changed_is_not_used(ws: Workspace, sample: Path):
    register(ws, zip_of(sample), ManifestRow(file="S9000A01.zip"))
    [entry] = ws.registry.filings("E99001")
    (ws.home.raw / entry.raw).write_bytes(b"PK changed")
    with pytest.raises(StateError, match="was changed"):
        ws.registry.original(entry.raw, entry.digest)


def test_what_was_not_registered_says_so(ws: Workspace):
    with pytest.raises(NotRegisteredError, match="Document 'nothing' is not registered"):
        ws.registry.pdf("nothing")
    with pytest.raises(NotRegisteredError):
        ws.registry.question("nothing")


@pytest.mark.parametrize(
    ("content", "name", "expected"),
    [
        (b"PK\x03\x04", "a.zip", "filing"),
        (b"PK\x03\x04", "a.docx", "transcript"),
        (b"%PDF-1.7", "a", "pdf"),
        (b"junk\n%PDF-1.4", "a.bin", "pdf"),
        (b"not a pdf", "a.pdf", "pdf"),
        (b"damaged", "a.zip", "filing"),
        (b"\xe5\x95\x8f", "a.txt", "transcript"),
    ],
)
def test_a_file_is_known_by_its_first_bytes(content: bytes, name: str, expected: str):
    assert file_type(content, name) == expected


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("name,type\nx,pdf\n", "line 1"),
        ("file,colour\nx,red\n", "line 1"),
        ("file,type\nx,movie\n", "line 2"),
        ("file,kind\nx,full_year\ny,weekly\n", "line 3"),
    ],
)
def test_a_wrong_manifest_names_the_line(text: str, place: str):
    with pytest.raises(ManifestError) as caught:
        read_manifest(text.encode(), "manifest.csv")
    assert caught.value.place == place
    assert "document_kind" in caught.value.remedy


def test_a_manifest_that_is_not_utf8_says_so():
    with pytest.raises(ManifestError, match="not UTF-8"):
        read_manifest("file\n株式会社.txt\n".encode("cp932"), "manifest.csv")


def test_folders_of_the_inbox_stand_for_company_and_year():
    row = manifest_row("call.txt", {}, ["E99001", "2025-03"])
    assert (row.edinet_code, row.fiscal_year, row.kind) == ("E99001", "2025-03", "full_year")
    given = ManifestRow(
        file="call.txt", edinet_code="E99002", fiscal_year="2019-03", kind="quarter"
    )
    assert manifest_row("call.txt", {"call.txt": given}, ["E99001"]) == given


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\x\\報告書.pdf", "報告書.pdf"),
        (".hidden", "hidden"),
        ("a\x00b\n.txt", "a_b_.txt"),
        ("..", "unnamed"),
        ("", "unnamed"),
    ],
)
def test_no_file_name_leads_out_of_its_folder(name: str, expected: str):
    assert safe_name(name) == expected


def test_every_failure_of_taking_in_is_typed(ws: Workspace):
    for row in (
        ManifestRow(file="x.txt", edinet_code="../..", fiscal_year="2025-03"),
        ManifestRow(file="x.txt", edinet_code="E1", fiscal_year="../2025"),
        ManifestRow(file="x.pdf", type="pdf", document_id="a/b"),
    ):
        with pytest.raises(G2Error):
            register(ws, b"x", row)
