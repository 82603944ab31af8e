"""The shipped examples: each is off until it is named, and then works with both engines."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import dagster as dg
import pytest

from g2_pipelines.briefs.config import load_config, shipped
from g2_pipelines.commands.add import add_files
from g2_pipelines.commands.demo import corpus
from g2_pipelines.defs import specs
from g2_pipelines.defs.assets.texts import COMPANY_TEXTS, make_company_texts
from g2_pipelines.defs.build import build_definitions
from g2_pipelines.defs.steps import StepRun
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import InputError
from g2_pipelines.settings import Settings
from g2_pipelines.tables.line1 import (
    BriefEvaluation,
    CompanyText,
    FilingSection,
    SourceSplit,
    Summary,
    Transcript,
)
from g2_pipelines.tables.store import read_table
from g2_pipelines_tests.models.server import ModelServer, Reply, ServerRequest, chat

EXAMPLES = ("earnings_points", "issue_suggestions", "sales_talk", "risks", "strength_sources")
ADDED = ("earnings_points", "issue_suggestions", "sales_talk", "risks")
PRODUCT = """測定データ管理システム「ミハリ」

「ミハリ」は、工作機械と測定機の稼働データを一か所に集め、設備の不調を事前に知らせる製品です。
熟練者の加工条件を記録し、若手の技能者が手順を確かめながら作業できるように支援します。
"""


def workspace(home: Path, examples: str, **settings: str) -> Workspace:
    given = {"home": str(home), "aspects_file": examples, **settings}
    return Workspace(Settings(_env_file=None, **given))  # type: ignore[arg-type]


def keys(ws: Workspace) -> set[str]:
    defs = build_definitions(workspace=ws)
    return {key.to_user_string() for key in defs.resolve_asset_graph().get_all_asset_keys()}


def test_every_shipped_file_is_an_example_here() -> None:
    assert set(shipped()) == {"default", *EXAMPLES}


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_is_off_until_it_is_named_and_then_adds_its_assets(
    tmp_path: Path, example: str
) -> None:
    """The paper's four aspects and sources stay what they are."""
    plain, with_it = keys(workspace(tmp_path, "")), keys(workspace(tmp_path, example))
    assert not any(example in key for key in plain)
    added = {
        f"{kind}/{example}" for kind in ("pre_summaries", "final_summaries", "simple_summaries")
    }
    texts = {"company_texts"} if example == "sales_talk" else set()
    assert with_it - plain == ((added if example in ADDED else set()) | texts)
    before, after = load_config(None), workspace(tmp_path, example).brief_config
    for aspect in before.aspects:
        if aspect.key != "strengths" or example != "strength_sources":
            assert after.sources_of(after.aspect(aspect.key)) == before.sources_of(aspect)


def test_several_examples_go_together_and_with_a_file(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("final_tokens: 500\n", encoding="utf-8")
    config = workspace(tmp_path, f"earnings_points, sales_talk, {own}").brief_config
    assert [aspect.key for aspect in config.aspects][4:] == ["earnings_points", "sales_talk"]
    assert config.final_tokens == 500


def test_a_name_that_is_neither_file_nor_example_is_named_with_the_examples(
    tmp_path: Path,
) -> None:
    with pytest.raises(InputError) as caught:
        _ = workspace(tmp_path, "sales_tolk").brief_config
    assert "sales_talk" in (caught.value.remedy or "")


def script(request: ServerRequest) -> Reply | None:
    """Answers as a model gives them: chosen sentences, items with grounds, else prose."""
    schema = request.schema
    if schema is None:
        return chat("売上高は、受注が増えたことにより前の期を上回った。")
    fields = schema["properties"]
    if "sentences" in fields:
        most = fields["sentences"]["items"]["maximum"]
        return chat(json.dumps({"sentences": list(range(1, min(most, 3) + 1))}))
    if "items" in fields:
        items = [
            {
                "title": "技能の継承",
                "explanation": "熟練者の退職が続くと見られる。",
                "grounds": [1, 2],
            },
            {"title": "採算", "explanation": "価格転嫁が遅れている。", "grounds": [3]},
        ]
        return chat(json.dumps({"items": items}, ensure_ascii=False))
    return None


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Workspace]:
    """A home an engine, with all examples on and a product's text registered."""
    folder = tmp_path_factory.mktemp("examples")
    product = folder / "mihari.txt"
    product.write_text(PRODUCT, encoding="utf-8")
    alone = folder / "alone.yaml"
    alone.write_text("compare: []\n", encoding="utf-8")
    names = ",".join([*EXAMPLES, str(alone)])
    made: dict[str, Workspace] = {}
    with ModelServer(script) as server:
        for engine in ("extractive", "openai"):
            model = {"base_url": server.base_url, "model": "test"} if engine == "openai" else {}
            ws = workspace(folder / engine, names, engine=engine, **model)
            texts = {"company": "E99001", "fiscal_year": None, "manifest": None}
            add_files(ws, [product], kind="product_text", run=False, **texts)  # type: ignore[arg-type]
            files = {"company": None, "fiscal_year": None, "run": False}
            manifest = corpus() / "manifest.csv"
            add_files(ws, [], manifest=manifest, **files)  # type: ignore[arg-type]
            output, codes = add_files(ws, [product], kind="product_text", run=True, **texts)  # type: ignore[arg-type]
            assert codes == [0], output
            made[engine] = ws
    return made


def final(ws: Workspace, aspect: str) -> Summary:
    table = ws.home.table(specs.table_name(specs.final_summaries(aspect)), "E99001")
    [row] = read_table(table, Summary)
    return row


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["extractive", "openai"])
@pytest.mark.parametrize("aspect", ADDED)
def test_an_example_makes_a_text_that_passes_the_gates(
    homes: dict[str, Workspace], engine: str, aspect: str
) -> None:
    ws = homes[engine]
    row = final(ws, aspect)
    assert row.engine == engine
    assert not row.nothing_found
    assert row.tokens <= ws.brief_config.final_tokens_of(ws.brief_config.aspect(aspect))
    evaluations = read_table(ws.home.table("brief_evaluations", "E99001"), BriefEvaluation)
    [judged] = [e for e in evaluations if (e.aspect, e.strategy) == (aspect, row.strategy)]
    assert judged.passed
    page = ws.home.brief_page("E99001", row.fiscal_year).read_text(encoding="utf-8")
    assert ws.brief_config.aspect(aspect).label in page


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["extractive", "openai"])
def test_suggested_issues_rest_on_sentences_of_the_sources(
    homes: dict[str, Workspace], engine: str
) -> None:
    """A suggestion without grounds, or with grounds that are not there, is an invention."""
    ws = homes[engine]
    sections = read_table(ws.home.table("filing_sections", "E99001"), FilingSection)
    transcripts = read_table(ws.home.table("transcripts", "E99001"), Transcript)
    known = {row.source_id: row.text for row in (*sections, *transcripts)}  # type: ignore[attr-defined]
    row = final(ws, "issue_suggestions")
    assert row.sentences
    for sentence in row.sentences:
        assert sentence.spans
        assert all(known[s.source_id][s.start : s.end].strip() for s in sentence.spans)
    if engine == "openai":
        assert row.text.startswith("技能の継承：熟練者の退職が続くと見られる。\n採算：")


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["extractive", "openai"])
def test_a_products_text_is_read_for_the_sales_talk_alone(
    homes: dict[str, Workspace], engine: str
) -> None:
    ws = homes[engine]
    [text] = read_table(ws.home.table(specs.table_name(COMPANY_TEXTS), "E99001"), CompanyText)
    assert "ミハリ" in text.text
    splits = read_table(ws.home.table("source_splits", "E99001"), SourceSplit)
    [own] = [split for split in splits if split.source_type == "product_text"]
    assert "".join(text.text[s.start : s.end] for s in own.spans) == own.text == text.text
    for aspect in (*ADDED, "issues"):
        asset = specs.table_name(specs.pre_summaries(aspect))
        rows = read_table(ws.home.table(asset, "E99001"), Summary)
        assert ("product_text" in {row.source_type for row in rows}) == (aspect == "sales_talk")
    page = ws.home.brief_page("E99001", "2025-03").read_text(encoding="utf-8")
    assert "製品の説明｜" in page


@pytest.mark.slow
def test_strengths_may_be_read_from_further_sections(homes: dict[str, Workspace]) -> None:
    table = homes["extractive"].home.table("pre_summaries/strengths", "E99001")
    sources = {row.source_type for row in read_table(table, Summary)}
    assert {"filing_business", "filing_research"} <= sources


def test_a_text_of_an_unknown_type_is_refused_with_the_remedy(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text(PRODUCT, encoding="utf-8")
    given = {"company": "E99001", "fiscal_year": None, "manifest": None, "run": False}
    output, codes = add_files(
        workspace(tmp_path / "home", ""), [file], kind="product_text", **given
    )  # type: ignore[arg-type]
    assert codes == [1]
    [row] = output.files
    assert row.error is not None
    assert row.error.code == "unknown_text_type"
    assert "sales_talk" in (row.error.remedy or "")


def test_a_changed_text_takes_the_place_of_the_one_of_its_name(tmp_path: Path) -> None:
    ws = workspace(tmp_path / "home", "sales_talk")
    file = tmp_path / "a.txt"
    given = {"company": "E99001", "fiscal_year": None, "manifest": None, "run": False}
    states = []
    for content in (PRODUCT, PRODUCT, PRODUCT + "価格は月額5万円です。\n"):
        file.write_text(content, encoding="utf-8")
        output, _ = add_files(ws, [file], kind="product_text", **given)  # type: ignore[arg-type]
        states.append(output.files[0].state)
    assert states == ["done", "unchanged", "done"]
    [entry] = ws.registry.texts("E99001")
    assert "月額" in ws.registry.original(entry.raw, entry.digest).decode()


def test_the_texts_asset_stands_before_the_splits(tmp_path: Path) -> None:
    defs = build_definitions(workspace=workspace(tmp_path, "sales_talk"))
    graph = defs.resolve_asset_graph()
    assert COMPANY_TEXTS in graph.get(dg.AssetKey("source_splits")).parent_keys


def test_a_text_of_a_year_is_read_in_that_year_and_one_without_in_every_year(
    tmp_path: Path,
) -> None:
    ws = workspace(tmp_path / "home", "sales_talk")
    given = {"company": "E99001", "manifest": None, "run": False}
    for name, year in (("old.txt", "2024-03"), ("new.txt", "2025-03"), ("all.txt", None)):
        file = tmp_path / name
        file.write_text(PRODUCT + name, encoding="utf-8")
        add_files(ws, [file], kind="product_text", fiscal_year=year, **given)  # type: ignore[arg-type]
    for year in ("2024-03", "2025-03"):
        asyncio.run(make_company_texts(ws, StepRun(fiscal_year=year), "E99001"))
    rows = read_table(ws.home.table("company_texts", "E99001"), CompanyText)
    assert {(row.fiscal_year, row.file) for row in rows} == {
        ("2024-03", "old.txt"),
        ("2024-03", "all.txt"),
        ("2025-03", "new.txt"),
        ("2025-03", "all.txt"),
    }
