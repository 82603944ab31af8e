"""``g2 report`` and ``g2 sheet``: one JSON document by its schema, typed failures, exit codes."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from g2_pipelines.cli import app
from g2_pipelines.commands.outputs import OUTPUTS
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.settings import Settings
from g2_pipelines_tests.defs.test_reporting import COMPANIES, put, texts_of

runner = CliRunner()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of three judged companies, and no setting of this machine."""
    for name in list(__import__("os").environ):
        if name.startswith("G2_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("G2_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    ws = Workspace(Settings(_env_file=None, home=str(tmp_path / "home")))
    for company in COMPANIES:
        put(ws, company, texts_of(company))
    return tmp_path


def run(*words: str, output: str = "error") -> tuple[int, dict]:
    result = runner.invoke(app, [*words, "--json"])
    document = json.loads(result.stdout)
    OUTPUTS[output].model_validate(document)
    return result.exit_code, document


def test_the_report_is_printed_and_written():
    code, document = run("report", output="report")
    assert code == 0
    assert Path(document["page"]).exists()
    assert (document["texts"], document["flagged"]) == (12, 3)
    assert {row["scope"] for row in document["comparisons"]} == {"all"}
    words = runner.invoke(app, ["report", "simple", "aspect", "--company", "E99001"])
    assert "numbers_altered" in words.stdout
    assert "simple-vs-aspect: 4 texts" in words.stdout


def test_a_sheet_is_made_and_read(home: Path):
    code, made = run("sheet", "make", "--out", "out", "--items", "4", output="sheet-make")
    assert (code, made["items"]) == (0, 4)
    content = Path(made["csv"]).read_text("utf-8-sig")
    (home / "a.csv").write_text(content.replace('"","",""\n', '"","A",""\n'), "utf-8")
    code, document = run("sheet", "read", "a.csv")
    assert (code, document["error"]["code"]) == (1, "bad_sheet")
    voted = content.replace('"","","","","",""\n', '"A","","","同","x",""\n')
    (home / "b.csv").write_text(voted, "utf-8")
    code, document = run("sheet", "read", "b.csv", output="sheet-read")
    assert (code, document["votes"], document["readers"]) == (0, 8, ["x"])


@pytest.mark.parametrize(
    "words",
    [
        ("report", "best"),
        ("report", "aspect", "aspect"),
        ("report", "--fiscal-year", "2025"),
        ("report", "--company", "../x"),
        ("report", "--reliability", "none.json"),
        ("report", "--judge"),
        ("sheet", "read", "none.csv"),
        ("sheet", "make", "--company", "E00000"),
        ("sheet", "make", "--out", "file/x"),
    ],
    ids=" ".join,
)
def test_bad_input_is_one_clear_sentence_and_code_1(words: tuple[str, ...], home: Path):
    (home / "file").write_text("x", "utf-8")
    code, document = run(*words)
    assert code == 1
    assert document["error"]["message"]
    assert document["error"]["remedy"]
