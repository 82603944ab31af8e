"""The command line: one JSON document, typed failures, exit codes by whose fault it is."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from g2_pipelines.cli import app
from g2_pipelines.cli import run as run_command
from g2_pipelines.commands.demo import corpus
from g2_pipelines.commands.filing_text import filing_text
from g2_pipelines.commands.outputs import OUTPUTS, FilingSectionsOutput
from g2_pipelines.errors import InputError

runner = CliRunner()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, and no setting of this machine."""
    for name in list(__import__("os").environ):
        if name.startswith("G2_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("G2_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str, output: str = "") -> tuple[int, dict]:
    """The exit code and the one JSON document of a command, valid by its schema."""
    result = runner.invoke(app, [*words, "--json"])
    document = json.loads(result.stdout)
    model = OUTPUTS["error" if "error" in document else output]
    model.model_validate(document)
    return result.exit_code, document


def test_a_filings_sections_are_printed_with_their_place():
    code, document = run(
        "filing", "sections", str(corpus() / "filings/S9000B01.zip"), output="filing-sections"
    )
    assert code == 0
    assert document["dei"]["EDINETCodeDEI"] == "E99002"
    sections = {s["section"]: s for s in document["sections"]}
    assert sections["mdna"]["element"].startswith("jpcrp030000-asr_E99002-000:")
    assert sections["policy"]["status"] == "found"
    assert document["segments"] == ["冷凍食品事業", "水産加工事業", "低温物流事業"]
    assert document["facts"] == []


def test_facts_are_printed_on_wish_with_their_value_and_unit():
    code, document = run(
        "filing",
        "sections",
        str(corpus() / "filings/S9000A01.zip"),
        "--facts",
        output="filing-sections",
    )
    assert code == 0
    values = {
        f["value"]
        for f in document["facts"]
        if f["element"].endswith("NetSalesSummaryOfBusinessResults") and not f["dimensions"]
    }
    assert "48620000000" in values


def test_facts_and_warnings_are_printed_for_people_too():
    """An option that does nothing without --json looks like a filing without facts."""
    result = runner.invoke(
        app, ["filing", "sections", str(corpus() / "filings/S9000A01.zip"), "--facts"]
    )
    assert result.exit_code == 0
    assert (
        "売上高\t48620000000\tJPY\t2025-03-31\tsales\tjpcrp_cor:NetSalesSummaryOfBusinessResults"
        "\tCurrentYearDuration\n"
    ) in result.stdout
    missing = FilingSectionsOutput(
        dei={}, document_id="S", edinet_code="E99001", fiscal_year="2025-03", sections=[],
        segments=[], warnings=["the .xbrl instance is missing"],
    )  # fmt: skip
    assert filing_text(missing) == "! the .xbrl instance is missing"


def test_a_transcripts_chunks_are_printed():
    code, document = run(
        "transcript",
        "chunks",
        str(corpus() / "transcripts/minato_fy2019_full_year.txt"),
        output="transcript-chunks",
    )
    assert code == 0
    assert document["segmentation"] == "labelled"
    assert {c["part"] for c in document["chunks"]} == {"presentation", "qa"}


@pytest.mark.parametrize(
    ("words", "code", "kind"),
    [
        (("filing", "sections", "nothing.zip"), 1, "input"),
        (("filing", "sections", "bad.zip"), 1, "input"),
        (("transcript", "chunks", "empty.txt"), 1, "input"),
        (("transcript", "chunks", "nothing.txt"), 1, "input"),
        (("pdf", "nodes", "bad.pdf"), 1, "input"),
        (("brief", "check", "empty.txt"), 1, "input"),
        (("brief", "make", "../x"), 1, "input"),
        (("brief", "make", "E1", "--aspect", "weather"), 1, "input"),
        (("add", "empty.txt"), 1, None),
        (("add", "--manifest", "lines.csv"), 1, "input"),
        (("add", "--manifest", "nul.csv"), 1, "input"),
        (("add", "/dev/null", "--company", "E1", "--fiscal-year", "FY25"), 1, "input"),
        (
            ("add", "empty.txt", "--company", "E1", "--fiscal-year", "2025-03", "--no-run"),
            1,
            "input",
        ),
        (("brief", "make", "E1", "--fiscal-year", "2025"), 1, "input"),
        (("brief", "check", "empty.txt", "--source", "text.txt"), 1, "input"),
        (("ask", "half \udcff"), 1, "input"),
        (("ask", "x", "--company", "E1' OR '1'='1"), 1, "input"),
        (("search", ""), 1, "input"),
        (("search", "half \udcff"), 1, "input"),
        (("search", "x" * 100_001), 1, "input"),
        (("search", "x", "--company", "../x"), 1, "input"),
        (("transcript", "chunks", "half\udcff.txt"), 1, "input"),
        (("pdf", "nodes", "bad.pdf", "--images", "text.txt/x"), 1, "input"),
        (("ask", "  "), 1, "input"),
        (("ask", "x" * 100_001), 1, "input"),
        (("graph", "show", "nothing"), 1, "input"),
        (("search", "x", "--document", "nothing"), 1, "input"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else None,
)
def test_bad_input_is_one_clear_sentence_and_code_1(
    words: tuple[str, ...], code: int, kind: str | None, home: Path
):
    """It names the file and the remedy; nothing else is printed."""
    (home / "bad.zip").write_bytes(b"PK\x03\x04 cut")
    (home / "bad.pdf").write_bytes(b"not a pdf")
    (home / "empty.txt").write_bytes(b"")
    (home / "text.txt").write_bytes(b"x")
    (home / "lines.csv").write_bytes(b"file,type\n")
    (home / "nul.csv").write_bytes(b"file,type\na\0.pdf,pdf\n")
    got, document = run(*words, output="add")
    assert got == code
    error = document["error"] if "error" in document else document["files"][0]["error"]
    assert error["message"]
    assert error["remedy"]
    if kind:
        assert error["kind"] == kind


def test_a_manifest_takes_in_nothing_from_outside_its_folder(home: Path):
    """It comes with the files, from somebody else maybe; given as an argument, the file is."""
    outside = home / "outside.txt"
    outside.write_text("Q：売上は。\nA：増えました。\n")
    folder = home / "delivery"
    folder.mkdir()
    (folder / "link.txt").symlink_to(outside)
    names = [str(outside), "../outside.txt", "link.txt", "nul\0"]
    lines = [f"{name},transcript,E99001,2025-03" for name in names]
    manifest = folder / "m.csv"
    manifest.write_text("\n".join(["file,type,edinet_code,fiscal_year", *lines]))
    code, output = run("add", "--manifest", str(manifest), "--no-run", output="add")
    assert code == 1
    assert [file["error"]["message"] for file in output["files"]] == [
        "The manifest's path leads out of its folder, or is none"
    ] * len(names)
    code, output = run(
        "add", str(outside), "--manifest", str(manifest), "--company", "E99001",
        "--fiscal-year", "2025-03", "--no-run", output="add",
    )  # fmt: skip
    assert output["files"][0]["state"] == "done"


def test_a_failed_file_is_told_whole_and_without_control_characters(home: Path):
    """A name may hold what steers a terminal, or bytes that are no text."""
    (home / "a\x1b[2J.zip").write_bytes(b"PK\x03\x04 cut")
    result = runner.invoke(app, ["add", "a\x1b[2J.zip", "half\udcff.txt", "--no-run"])
    assert result.exit_code == 1
    assert "\x1b" not in result.stdout
    assert "This is not a readable zip" in result.stdout
    assert "Download the document again from EDINET" in result.stdout
    assert "half?.txt" in result.stdout


def test_a_file_without_end_is_not_read_to_the_end(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("g2_pipelines.commands.files.MAX_FILE_BYTES", 1000)
    code, document = run("transcript", "chunks", "/dev/zero")
    assert code == 1
    assert "more than 1,000 bytes" in document["error"]["message"]


def test_a_page_that_cannot_be_written_is_named(home: Path):
    from g2_pipelines.commands.files import write_output

    (home / "file").write_bytes(b"")
    with pytest.raises(InputError, match="cannot be written") as caught:
        write_output(home / "file" / "graph.html", b"x")
    assert caught.value.remedy


def test_an_error_of_ours_is_one_document_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def broken() -> None:
        raise RuntimeError("unforeseen")

    monkeypatch.setattr("g2_pipelines.cli.app", broken)
    monkeypatch.setattr("sys.argv", ["g2", "doctor", "--json"])
    assert run_command() == 3
    output = capsys.readouterr()
    assert json.loads(output.out)["error"]["code"] == "internal"
    assert "Traceback" in output.err


def test_nothing_indexed_is_said_and_is_not_an_empty_result():
    code, document = run("search", "売上高")
    assert code == 1
    assert document["error"]["kind"] == "not_yet"


def test_a_company_without_a_filing_is_not_yet():
    code, document = run("brief", "make", "E99009")
    assert code == 1
    assert document["error"]["kind"] == "not_yet"


def test_wrong_usage_ends_with_2():
    assert runner.invoke(app, ["pdf", "nodes"]).exit_code == 2
    assert runner.invoke(app, ["search", "x", "--top", "0"]).exit_code == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [(["nosuch"], "No such command 'nosuch'."), (["demo", "--bad"], "No such option: --bad")],
)
def test_wrong_usage_is_one_document_with_json(
    words: list[str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.setattr("sys.argv", ["g2", *words, "--json"])
    assert run_command() == 2
    error = OUTPUTS["error"].model_validate_json(capsys.readouterr().out).error
    assert (error.code, error.kind, error.message) == ("usage", "input", message)


def test_the_inbox_is_there_once_a_command_has_opened_the_home(home: Path):
    runner.invoke(app, ["pdf", "nodes", "nothing.pdf"])
    assert not (home / "home").exists()
    run("add", "nothing.pdf", output="add")
    found = {path.name for path in (home / "home" / "inbox").iterdir()}
    assert found == {"filings", "transcripts", "pdfs", "questions"}


def test_a_wrong_setting_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("G2_ROUNDS", "many")
    code, document = run("doctor", output="doctor")
    assert code == 1
    assert document["error"]["place"] == "G2_ROUNDS"


def test_the_doctor_shows_no_secret(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("G2_API_KEY", "sk-very-secret")
    monkeypatch.setenv("G2_EDINET_API_KEY", "edinet-secret")
    result = runner.invoke(app, ["doctor", "--json"])
    assert "secret" not in result.stdout.replace("secrets", "")
    document = json.loads(result.stdout)
    assert document["settings"]["api_key"] == "set"
    assert document["settings"]["edinet_api_key"] == "set"


def test_the_doctor_shows_no_password_of_any_address(monkeypatch: pytest.MonkeyPatch):
    for name, value in {
        "BASE_URL": "http://127.0.0.1:9/v1,http://u:sec@ret@127.0.0.1:9/v1?sig=secret",
        "JUDGE_BASE_URL": "http://u:secret@127.0.0.1:9/v1",
        "EDINET_CODE_LIST_URL": "http://u:secret@127.0.0.1:9/x.zip",
        "CALL_CACHE_URL": "postgresql://u:sec,ret@127.0.0.1:9/db",
        "VLLM_OPTIONS": '{"hf_token": "secret", "dtype": "half"}',
    }.items():
        monkeypatch.setenv(f"G2_{name}", value)
    shown = runner.invoke(app, ["doctor"]).stdout
    assert not re.search("secret|sec@|ret@|sec,|sig=", shown)
    assert "http://127.0.0.1:9/v1,http://***@127.0.0.1:9/v1" in shown
    assert "'dtype': 'half'" in shown


def test_a_schema_can_be_printed_and_an_unknown_one_is_named():
    assert json.loads(runner.invoke(app, ["schema", "pdf-nodes"]).stdout)["title"]
    assert runner.invoke(app, ["schema", "nothing"]).exit_code == 1


def test_a_text_is_checked_against_a_filing(home: Path):
    """The right figure is supported, a digit changed is not."""
    (home / "brief.txt").write_text(
        "当連結会計年度の売上高は48,620百万円となりました。営業利益は3,915百万円となりました。",
        encoding="utf-8",
    )
    code, document = run(
        "brief",
        "check",
        "brief.txt",
        "--source",
        str(corpus() / "filings/S9000A01.zip"),
        output="brief-check",
    )
    assert code == 0
    status = {c["text"]: c["status"] for c in document["claims"] if c["kind"] == "number"}
    assert status["48,620百万円"].startswith("supported")
    assert status["3,915百万円"] == "altered"
