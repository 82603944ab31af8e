"""The report over stored tables: any two sides, equal bytes, one bad company costs itself alone."""

from __future__ import annotations

import hashlib
import json
import threading
from pathlib import Path

import dagster as dg
import httpx
import polars as pl
import pytest
from upath import UPath

from g2_pipelines.commands.report import make_sheet, read_sheets, report_words
from g2_pipelines.commands.report import report as report_command
from g2_pipelines.commands.serve import pages_server
from g2_pipelines.defs.assets.report import COMPLETE, EVALUATION_REPORT, build_report
from g2_pipelines.defs.judging import judge_report
from g2_pipelines.defs.report_cases import UnknownSideError, half, type_of
from g2_pipelines.defs.reporting import ReportPlan, make_report
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import InputError, NotYetError
from g2_pipelines.evaluation.judge import CRITERIA, JudgeIsGeneratorError
from g2_pipelines.evaluation.report import Judged
from g2_pipelines.settings import Settings
from g2_pipelines.tables.line1 import (
    BriefEvaluation,
    Filing,
    FilingSection,
    QaChunk,
    Summary,
)
from g2_pipelines.tables.report import Comparison, ReportRun, ReportText
from g2_pipelines.tables.rows import Span
from g2_pipelines.tables.store import read_table, write_atomic, write_table
from g2_pipelines_tests.evaluation.judged import SOURCE_TEXT, claim, judged
from g2_pipelines_tests.models.server import ModelServer, chat

YEAR = "2025-03"
COMPANIES = ("E99001", "E99002", "E99003")
ALTERED_TEXT = "売上高は48,602百万円となりました。"


def put(ws: Workspace, company: str, texts: list[Judged]) -> None:
    """Store judged texts and the section that they stand in, as the steps would."""
    write_table(
        ws.home.table("brief_evaluations", company), [t.evaluation for t in texts], BriefEvaluation
    )
    for text in texts:
        summary = text.summary
        name = "final_summaries" if summary.strategy == "aspect" else "simple_summaries"
        write_table(ws.home.table(f"{name}/{summary.aspect}", company), [summary], Summary)
    section = FilingSection(
        edinet_code=company,
        fiscal_year=YEAR,
        document_id="S9000A01",
        document_type="120",
        section="mdna",
        element="jpcrp_cor:X",
        context="c",
        page_file="p.htm",
        order=0,
        text=SOURCE_TEXT,
        status="found",
    )
    write_table(ws.home.table("filing_sections", company), [section], FilingSection)


def texts_of(company: str, *, bad: bool = True, model: str = "extractive/1") -> list[Judged]:
    wrong = [claim("number", "altered", "48,602百万円", 4)]
    return [
        judged(company=company, aspect="environment", model=model),
        judged(company=company, aspect="issues", model=model),
        judged(
            ALTERED_TEXT if bad else "別の文です。",
            wrong if bad else [],
            company=company,
            aspect="environment",
            strategy="simple",
            gate=not bad,
            model=model,
        ),
        judged("ほかの文です。", company=company, aspect="issues", strategy="simple", model=model),
    ]


@pytest.fixture
def filled(ws: Workspace) -> Workspace:
    for company in COMPANIES:
        put(ws, company, texts_of(company))
    write_atomic(
        ws.home.companies_csv,
        "edinet_code,name\nE99001,青嶺精機\nE99002,みなと食品\n".encode(),
    )
    return ws


def digests(ws: Workspace) -> dict[str, str]:
    folder = Path(str(ws.home.pages))
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def numbers(rows: list[Comparison]) -> Comparison:
    [row] = [r for r in rows if r.check == "numbers_altered" and r.scope == "all"]
    return row


def test_the_report_is_pages_tables_and_lines(filled: Workspace):
    made = make_report(filled, ReportPlan())
    assert made.name == "aspect-vs-simple"
    folder = Path(str(made.page)).parent
    assert {p.name for p in (folder / "companies").iterdir()} == {
        f"{c}-{YEAR}.html" for c in COMPANIES
    }
    rows = read_table(filled.home.table("evaluation_report", made.name), Comparison)
    assert (numbers(rows).n, numbers(rows).right.failed) == (6, 3)
    texts = pl.read_parquet(str(filled.home.table("evaluation_report/texts", made.name)))
    assert texts.filter(pl.col("light") == "red")["where"].to_list() == ["right"] * 3
    lines = (folder / "data/claims.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["text"] for line in lines] == ["48,602百万円"] * 3
    assert "青嶺精機" in made.page.read_text("utf-8")
    assert "E99003" in made.page.read_text("utf-8")


def test_the_pages_server_gives_the_report_out_under_its_policy(filled: Workspace):
    made = make_report(filled, ReportPlan())
    with pages_server(Path(str(filled.home.pages)), 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        base = f"http://127.0.0.1:{server.server_address[1]}/reports/{made.name}"
        for file in (
            "index.html",
            "runs.html",
            f"companies/E99001-{YEAR}.html",
            "data/texts.jsonl",
        ):
            answer = httpx.get(f"{base}/{file}")
            assert answer.status_code == 200
            assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert httpx.get(f"{base}/companies/").status_code == 404
        first = httpx.get(f"http://127.0.0.1:{server.server_address[1]}/")
        assert f'href="/reports/{made.name}/index.html"' in first.text
        assert "default-src 'none'" in first.headers["content-security-policy"]
        server.shutdown()


def test_made_again_only_the_page_of_runs_differs(filled: Workspace):
    make_report(filled, ReportPlan(), run_id="a")
    before = digests(filled)
    make_report(filled, ReportPlan(), run_id="b")
    after = digests(filled)
    changed = {name for name in before | after if before.get(name) != after.get(name)}
    assert changed == {"reports/aspect-vs-simple/runs.html"}
    runs = read_table(filled.home.table("evaluation_report/runs", "aspect-vs-simple"), ReportRun)
    assert [run.run_id for run in runs] == ["a", "b"]
    assert runs[0].report_digest == runs[1].report_digest


def test_two_homes_are_two_models_of_one_strategy(filled: Workspace, tmp_path: Path):
    other = Workspace(Settings(_env_file=None, home=str(tmp_path / "gpt home")))
    for company in COMPANIES[:2]:
        put(other, company, texts_of(company, bad=False, model="gpt"))
    made = make_report(filled, ReportPlan("simple", f"simple@{tmp_path / 'gpt home'}"))
    assert numbers(made.report.comparisons).left.failed == 2
    assert made.report.makers["right"].models == ("gpt",)
    assert len(made.report.unpaired) == 2
    assert made.name.startswith("simple-vs-simple-gpt-home-")


def test_a_company_whose_texts_are_newer_than_their_evaluation_is_left_out_and_named(
    filled: Workspace,
):
    path = filled.home.table("simple_summaries/environment", "E99002")
    [row] = read_table(path, Summary)
    write_table(path, [row.model_copy(update={"text": "まったく別。"})], Summary)
    made = make_report(filled, ReportPlan())
    [missing] = made.missing
    assert (missing.edinet_code, missing.code) == ("E99002", "stale_evaluation")
    assert numbers(made.report.comparisons).n == 4
    assert "stale_evaluation" in made.page.read_text("utf-8")


def test_a_damaged_table_costs_its_company_alone(filled: Workspace):
    filled.home.table("brief_evaluations", "E99001").write_bytes(b"PAR1 damaged")
    made = make_report(filled, ReportPlan())
    assert [(m.edinet_code, m.code) for m in made.missing] == [("E99001", "damaged_table")]


def test_damaged_sources_cost_a_company_its_page_and_nothing_else(filled: Workspace):
    filled.home.table("filing_sections", "E99003").write_bytes(b"PAR1 damaged")
    made = make_report(filled, ReportPlan())
    assert [(m.edinet_code, m.code) for m in made.missing] == [("E99003", "damaged_table")]
    assert numbers(made.report.comparisons).n == 6
    html = made.page.read_text("utf-8")
    assert f"companies/E99002-{YEAR}" in html
    assert f"companies/E99003-{YEAR}" not in html


def test_pages_of_companies_that_are_not_due_any_more_go(filled: Workspace):
    make_report(filled, ReportPlan())
    made = make_report(filled, ReportPlan(drilldowns=1))
    folder = Path(str(made.page)).parent / "companies"
    assert [p.name for p in folder.iterdir()] == [f"E99001-{YEAR}.html"]
    assert f"companies/E99002-{YEAR}" not in made.page.read_text("utf-8")


@pytest.mark.parametrize("side", ["best", "", "aspect@/nowhere/at/all", "../aspect"])
def test_a_side_that_is_none_is_a_typed_error(filled: Workspace, side: str):
    with pytest.raises(UnknownSideError) as caught:
        half(filled, side)
    assert caught.value.remedy


def test_nothing_judged_and_equal_sides_are_typed_errors(ws: Workspace, filled: Workspace):
    with pytest.raises(InputError):
        make_report(filled, ReportPlan("aspect", "aspect"))
    with pytest.raises(NotYetError):
        make_report(filled, ReportPlan("joint", "retrieval"))
    with pytest.raises(InputError):
        make_report(filled, ReportPlan(fiscal_year="2025"))
    empty = Workspace(Settings(_env_file=None, home=str(ws.home.root / "empty")))
    with pytest.raises(NotYetError):
        make_report(empty, ReportPlan())


def test_the_reliability_file_of_the_home_is_shown(filled: Workspace, tmp_path: Path):
    text = '{"figures": {"number_recall": 0.87}}'
    write_atomic(filled.home.root / "reliability.json", text.encode())
    assert "87%" in make_report(filled, ReportPlan()).page.read_text("utf-8")
    with pytest.raises(InputError):
        make_report(filled, ReportPlan(reliability=str(tmp_path / "none.json")))


def test_thresholds_are_settings(tmp_path: Path):
    given = Settings(_env_file=None, home=str(tmp_path), thresholds={"aspect_fit": 0.5})
    assert Workspace(given).thresholds.aspect_fit == 0.5
    wrong = Settings(_env_file=None, home=str(tmp_path), thresholds={"beauty": 1.0})
    with pytest.raises(InputError) as caught:
        _ = Workspace(wrong).thresholds
    assert caught.value.place == "G2_THRESHOLDS: beauty"


def test_a_source_type_is_by_section_and_by_part_of_a_call(ws: Workspace):
    chunk = QaChunk(
        edinet_code="E99001",
        fiscal_year=YEAR,
        transcript_id="t",
        chunk_id="c",
        order=0,
        part="qa",
        pattern="QA",
        n_questions=1,
        n_answers=1,
        confidence=1.0,
        spans=[Span(source_id="transcript:t", start=10, end=20)],
        text="x",
        tokens=1,
    )
    write_table(ws.home.table("qa_chunks", "E99001"), [chunk], QaChunk)
    find = type_of(ws, ws.brief_config, "E99001", YEAR)
    assert find("filing:S9000A01:policy:0", 5) == "filing_policy"
    assert find("filing:S9000A01:risks:0", 5) == "other"
    assert find("transcript:t", 12) == "transcript_qa"
    assert find("transcript:t", 25) == "other"
    assert find("filing:odd", 1) == "other"


def test_the_asset_shows_the_scoreboard_and_names_who_is_missing(filled: Workspace):
    row = Filing(
        edinet_code="E99009",
        fiscal_year=YEAR,
        document_id="S9000Z01",
        document_type="120",
        filer_name="x",
        period_end="2025-03-31",
        file="f",
        digest="d",
    )
    write_table(filled.home.table("filings", "E99009"), [row], Filing)
    with dg.DagsterInstance.ephemeral() as instance:
        done = dg.materialize([build_report()], resources={"workspace": filled}, instance=instance)
        assert done.success
        [event] = done.get_asset_materialization_events()
        metadata = event.materialization.metadata
        assert event.asset_key == EVALUATION_REPORT
        assert str(metadata["page"].value).endswith("/reports/aspect-vs-simple/index.html")
        assert "numbers_altered | 6 | 0" in str(metadata["scoreboard"].value)
        [check] = done.get_asset_check_evaluations()
        assert (check.check_name, check.passed) == (COMPLETE, False)
        assert check.metadata["missing"].records[0].data["company"] == "E99009"


def test_a_report_of_nothing_is_a_failure_that_says_so(ws: Workspace):
    with dg.DagsterInstance.ephemeral() as instance:
        done = dg.materialize(
            [build_report()], resources={"workspace": ws}, instance=instance, raise_on_error=False
        )
        assert not done.success
        [failure] = [e for e in done.all_events if e.event_type_value == "STEP_FAILURE"]
        assert "No company's texts are judged yet" in str(failure.step_failure_data)


def test_the_judge_of_the_settings_judges_and_the_report_shows_it(filled: Workspace):
    verdict = {"reason": "理由", "better": "A"}

    def script(request):  # type: ignore[no-untyped-def]
        assert request.headers["authorization"] == "Bearer judge-key"
        return chat(json.dumps(dict.fromkeys(CRITERIA, verdict)))

    with ModelServer(script) as server:
        more = {
            "judge_model": "judge-1",
            "judge_base_url": server.base_url,
            "judge_api_key": "judge-key",
            "judge_seed": 3,
        }
        ws = Workspace(Settings(_env_file=None, home=str(filled.home.root), **more))
        output = report_command(ws, ReportPlan(), judge=True, judge_limit=0)
        assert server.count == 12
        html = UPath(output.page).read_text("utf-8")
        assert "審査員 judge-1｜シード 3" in html
        assert "aspect-vs-simple" in report_words(output)
        put(ws, "E99001", texts_of("E99001", bad=False))
        put(ws, "E99002", texts_of("E99002", bad=False))
        put(ws, "E99003", texts_of("E99003", bad=False))
        made = make_report(ws, ReportPlan())
        assert "文章が変わったため除いた判定 12 件" in made.page.read_text("utf-8")
        own = {**more, "judge_model": "extractive/1"}
        vain = Workspace(Settings(_env_file=None, home=str(filled.home.root), **own))
        with pytest.raises(JudgeIsGeneratorError):
            judge_report(vain, ReportPlan())


def test_a_judge_must_be_named(filled: Workspace):
    with pytest.raises(InputError) as caught:
        judge_report(filled, ReportPlan())
    assert caught.value.place == "G2_JUDGE_MODEL"


def test_a_sheet_goes_out_and_its_votes_come_back_into_the_report(
    filled: Workspace, tmp_path: Path
):
    made = make_sheet(filled, ReportPlan(), out=tmp_path / "out", seed=None, limit=0)
    assert (made.items, made.equal) == (6, 0)
    assert not Path(made.key).is_relative_to(str(filled.home.pages))
    assert not Path(made.key).is_relative_to(tmp_path / "out")
    content = Path(made.csv).read_text("utf-8-sig")
    lines = content.replace('"","","","","",""\n', '"A","B","同","","",""\n')
    for reader in ("hanako", "taro"):
        (tmp_path / f"{reader}.csv").write_text(lines, "utf-8-sig")
    output = read_sheets(filled, [tmp_path / "hanako.csv", tmp_path / "taro.csv"], key=None)
    assert (output.readers, output.votes) == (["hanako", "taro"], 2 * 6 * 3)
    assert {one.observed for one in output.agreement} == {1.0}
    assert [one.criterion for one in output.preferences] == list(CRITERIA)[:3]
    html = make_report(filled, ReportPlan()).page.read_text("utf-8")
    assert "hanako・taro" in html
    put(filled, "E99001", texts_of("E99001", bad=False))
    html = make_report(filled, ReportPlan()).page.read_text("utf-8")
    assert "文章が変わったため除いた投票 6 件" in html


def test_a_sheet_names_the_companies_that_it_has_to_do_without(filled: Workspace, tmp_path: Path):
    filled.home.table("brief_evaluations", "E99002").write_bytes(b"PAR1 damaged")
    made = make_sheet(filled, ReportPlan(), out=tmp_path, seed=1, limit=3)
    assert made.items == 3
    assert [(one.key, one.code) for one in made.skipped] == [("E99002", "damaged_table")]


def test_a_text_row_says_who_made_it(filled: Workspace):
    made = make_report(filled, ReportPlan())
    rows = read_table(filled.home.table("evaluation_report/texts", made.name), ReportText)
    assert {(r.where, r.strategy, r.model) for r in rows} == {
        ("left", "aspect", "extractive/1"),
        ("right", "simple", "extractive/1"),
    }
