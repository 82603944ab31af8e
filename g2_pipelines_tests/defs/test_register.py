"""Files are taken in once, under their own company, and say what they lack."""

import io
import zipfile
from pathlib import Path

import pytest

from g2_pipelines.defs.manifest import ManifestError, ManifestRow, manifest_row, read_manifest
from g2_pipelines.defs.register import (
    UnassignedFileError,
    WrongOwnerError,
    file_type,
    members,
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
        ("file,url\nx,javascript:alert(1)\n", "line 2"),
        ("file,url\nx,file:///etc/passwd\n", "line 2"),
        ("file,url\nx,https://a:secret@calls.example/x\n", "line 2"),
        ("file,url\nx,http://[\n", "line 2"),
    ],
)
def test_a_wrong_manifest_names_the_line(text: str, place: str):
    with pytest.raises(ManifestError) as caught:
        read_manifest(text.encode(), "manifest.csv")
    assert caught.value.place == place
    assert "document_kind" in caught.value.remedy
    assert "secret" not in str(caught.value)


def test_a_file_of_two_minds_is_refused():
    """The last line would win, and nobody would be told."""
    with pytest.raises(ManifestError, match="something else of 'x'") as caught:
        read_manifest(b"file,edinet_code\nx,E1\ny,E1\nx,E2\n", "manifest.csv")
    assert caught.value.place == "line 4"


def test_a_document_id_of_two_files_is_refused():
    """The second would replace the first, and both would be called done."""
    with pytest.raises(ManifestError, match=r"'a\.pdf' has the document id 'D1' already"):
        read_manifest(b"file,document_id\na.pdf,D1\nb.pdf,D1\n", "manifest.csv")
    same = b"file,document_id\na.pdf,D1\na.pdf,D1\n"
    assert list(read_manifest(same, "manifest.csv")) == ["a.pdf"]


CALL = ManifestRow(file="call.txt", edinet_code="E99001", fiscal_year="2025-03")


@pytest.mark.parametrize("bad", [b"", b"\xe3\x80\x80\n", bytes(range(256)) * 20])
def test_a_transcript_that_cannot_be_read_gives_way_to_a_good_one(ws: Workspace, bad: bytes):
    """Its partition fails by name, and adding the good file is the whole remedy."""
    fault = register(ws, bad, CALL).fault
    assert fault is not None
    assert fault.file == "call.txt"
    good = register(ws, "社長：増収となりました。".encode(), CALL)
    assert good.fault is None
    [entry] = ws.registry.transcripts("E99001")
    assert entry.digest != ""
    assert ws.registry.original(entry.raw, entry.digest).startswith("社長".encode())


def test_readable_transcripts_of_one_name_and_other_years_are_kept(ws: Workspace):
    for text in ("社長：増収。", "社長：減収。"):
        register(ws, text.encode(), CALL)
    register(ws, b"", CALL.model_copy(update={"fiscal_year": "2024-03"}))
    register(ws, b"", CALL.model_copy(update={"file": "other.txt"}))
    register(ws, "社長：横ばい。".encode(), CALL)
    assert len(ws.registry.transcripts("E99001")) == 4


def test_a_corrupt_filing_without_an_id_gives_way_to_a_good_one(ws: Workspace, sample: Path):
    """Its id holds the digest, so that the good file has another."""
    row = ManifestRow(file="annual.zip", edinet_code="E99001")
    assert register(ws, zip_of(sample)[:5000], row).fault is not None
    register(ws, zip_of(sample), row)
    [entry] = ws.registry.filings("E99001")
    assert entry.fiscal_year == "2025-03"


@pytest.mark.parametrize("year", ["2025", "2025-13", "2025-3", "FY2025", "../..", "2025-03\n"])
def test_a_year_that_is_none_is_refused(ws: Workspace, year: str):
    """A transcript of a year without a report would never be read, and nobody told."""
    row = CALL.model_copy(update={"fiscal_year": year})
    with pytest.raises(InputError, match="is not a fiscal year") as caught:
        register(ws, b"x", row)
    assert caught.value.file == "call.txt"


@pytest.mark.parametrize(
    "given", [{"edinet_code": "E 1"}, {"type": "pdf", "document_id": "../x"}], ids=str
)
def test_a_refused_key_names_the_file_and_keeps_nothing(ws: Workspace, given: dict[str, str]):
    with pytest.raises(InputError, match="not a valid") as caught:
        register(ws, b"x", CALL.model_copy(update=given))
    assert caught.value.file == "call.txt"
    assert not ws.home.raw.exists()


def test_a_file_name_that_is_no_text_is_taken_in(ws: Workspace):
    """A name's bytes need not be UTF-8: Python gives half characters for them."""
    registered = register(ws, b"%PDF-1.7", ManifestRow(file="a\udcff.pdf", type="pdf"))
    assert registered.file == "a?.pdf"
    assert ws.registry.pdf(registered.key).name == "a?.pdf"


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


def _zip(files: dict[str, str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return stream.getvalue()


def test_a_zip_of_transcripts_is_its_files_each_with_its_own_line():
    """What is said of the zip holds for all; the zip's own manifest knows better."""
    content = _zip(
        {
            "2024/q1.txt": "Q：売上は？\nA：増えました。",
            "year.md": "Q：利益は？\nA：減りました。",
            "manifest.csv": "file,fiscal_year,kind,document_kind\n2024/q1.txt,2024-06,quarter,edited\n",
        }
    )
    row = ManifestRow(file="calls.zip", edinet_code="E99001", fiscal_year="2025-03")
    assert file_type(content, "calls.zip") == "transcript"
    found = {own.file: own for _, own in members(content, row)}
    assert set(found) == {"q1.txt", "year.md"}
    first, other = found["q1.txt"], found["year.md"]
    assert (first.fiscal_year, first.kind, first.document_kind) == ("2024-06", "quarter", "edited")
    assert (other.fiscal_year, other.kind, other.document_kind) == ("2025-03", "full_year", None)
    assert {first.edinet_code, other.edinet_code} == {"E99001"}


def test_a_filing_is_passed_on_whole(sample: Path):
    content = zip_of(sample)
    row = ManifestRow(file="S9000A01.zip")
    assert list(members(content, row)) == [(content, row)]
