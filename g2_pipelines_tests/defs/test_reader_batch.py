"""The job reader_batch on two invented documents that are parsed and indexed by hand."""

from __future__ import annotations

import asyncio
import hashlib
import json
import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from g2_pipelines.defs.assets.answers import answered_from
from g2_pipelines.defs.assets.graph import _Models, make_node_index, make_round
from g2_pipelines.defs.reader_answers import VariantReader, answer_batch, read_kept
from g2_pipelines.defs.reader_batch import BatchRun, build_reader_batch
from g2_pipelines.defs.registry import PdfEntry
from g2_pipelines.defs.steps import StepRun
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.evaluation.reader.load import load_cases
from g2_pipelines.evaluation.reader.variants import VARIANTS, UnknownVariantError, variant_of
from g2_pipelines.settings import Settings
from g2_pipelines.tables.line2 import DocumentNode, DocumentPage, PdfDocument
from g2_pipelines.tables.store import write_table
from g2_pipelines_tests.models.server import ModelServer, Reply, ServerRequest, chat
from g2_pipelines_tests.qa.builders import ENGLISH, JAPANESE

ANSWERED = "g2_pipelines.defs.reader_answers.answered_from"
QUESTIONS = [
    {"id": "sway", "question": "What is the mean sway of Cedar?", "documents": ["cable.pdf"],
     "answer": "12.9", "kind": "float", "pages": [3], "format": "number"},
    {"id": "cabins", "question": "How many cabins carry an accelerometer?",
     "documents": ["cable.pdf"], "answer": 26, "pages": [2], "format": "number"},
    {"id": "price", "question": "What is the price of a cabin?", "documents": ["cable.pdf"],
     "answer": None, "format": "number"},
    {"id": "vibration", "question": "適応制御の残留振動は何μmですか。", "documents": ["gear.pdf"],
     "answer": "0.62", "kind": "float", "pages": [3], "format": "number"},
    {"id": "lost", "question": "What is written in it?", "documents": ["absent.pdf"], "answer": 1},
    {"id": "sway", "question": "What is the mean sway of Cedar?", "documents": ["cable.pdf"],
     "answer": "12.9", "kind": "float", "pages": [3], "format": "number"},
]  # fmt: skip


def put(ws: Workspace, name: str, nodes: Sequence[DocumentNode]) -> None:
    """Store a parsed document, its graph of two rounds and its rows in the index."""
    key = name.removesuffix(".pdf")
    rows = [
        node.model_copy(update={"document_id": key, "order": at}) for at, node in enumerate(nodes)
    ]
    ws.registry.add_pdf(PdfEntry(name=name, digest="0" * 64, raw=f"pdfs/{name}", document_id=key))
    document = PdfDocument(
        document_id=key, file=name, name=name, digest="0" * 64, size_bytes=1, pages=4
    )
    pages = [
        DocumentPage(
            document_id=key,
            page=page,
            width_pt=595,
            height_pt=842,
            rotation=0,
            text_chars=100,
            source="text",
            engine="test",
        )
        for page in range(1, 5)
    ]
    write_table(ws.home.table("pdf_documents", key), [document], PdfDocument)
    write_table(ws.home.table("document_pages", key), pages, DocumentPage)
    write_table(ws.home.table("document_nodes", key), rows, DocumentNode)

    async def make() -> None:
        models = _Models(ws, StepRun())
        for round_ in range(ws.settings.rounds + 1):
            await make_round(models, round_, key)
        await make_node_index(models, key)

    asyncio.run(make())


def workspace(home: Path, **settings: object) -> Workspace:
    return Workspace(Settings.model_validate({"home": str(home), "rounds": 1, **settings}))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("reader") / "home"
    ws = workspace(home)
    put(ws, "cable.pdf", ENGLISH)
    put(ws, "gear.pdf", JAPANESE)
    (home / "mine.jsonl").write_text(
        "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in QUESTIONS), encoding="utf-8"
    )
    return home


@pytest.fixture
def home(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path / "home")
    return tmp_path / "home"


def launch(ws: Workspace, home: Path, **config: object) -> dg.ExecuteInProcessResult:
    given = {"file": str(home / "mine.jsonl"), **config}
    with dg.DagsterInstance.ephemeral() as instance:
        return build_reader_batch().execute_in_process(
            instance=instance,
            resources={"workspace": ws},
            run_config={"ops": {"answer_benchmark": {"config": given}}},
            raise_on_error=False,
        )


def answers_of(home: Path, variant: str = "full") -> dict[str, dict[str, Any]]:
    lines = (home / "outbox" / "benchmarks" / "own" / f"{variant}.jsonl").read_text("utf-8")
    rows = [json.loads(line) for line in lines.splitlines()]
    return {row["case"]["case_id"]: row for row in rows}


def pages_of(home: Path) -> dict[str, str]:
    root = home / "pages" / "benchmarks"
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*.html"))
        if path.name != "costs.html"
    }


def test_a_question_that_fails_costs_itself_alone(home: Path) -> None:
    result = launch(workspace(home), home)
    assert not result.success  # red: one question's document is not registered
    rows = answers_of(home)
    assert list(rows) == ["sway", "cabins", "price", "vibration", "lost"]
    scores = {name: row["score"] for name, row in rows.items()}
    assert {name: score["failure"] for name, score in scores.items()} == {
        "sway": "",
        "cabins": "",
        "price": "",
        "vibration": "",
        "lost": "failed",
    }
    assert "absent.pdf" in scores["lost"]["why"]
    assert scores["sway"]["cited_right"] == 1
    page = (home / "pages/benchmarks/index.html").read_text("utf-8")
    assert "duplicate" in page
    assert "stand in row 1" in page
    drill = (home / "pages/benchmarks/own/full.html").read_text("utf-8")
    assert 'href="answers/full/sway.html"' in drill
    assert (home / "pages/benchmarks/own/answers/full/sway.html").exists()


def test_a_rerun_answers_nothing_again_and_writes_the_same_bytes(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    launch(workspace(home), home, variants=["full", "plain_rag"])
    before = pages_of(home)
    outbox = answers_of(home)

    async def never(*_: object, **__: object) -> None:
        raise AssertionError("a finished question was answered again")

    with monkeypatch.context() as patched:
        patched.setattr(ANSWERED, never)
        launch(workspace(home), home, variants=["full", "plain_rag"], concurrency=1)
    assert pages_of(home) == before
    assert answers_of(home) == outbox
    cost = json.loads((home / "registry/benchmarks/own/full/cost.json").read_bytes())
    assert cost["made"] == 0


def test_what_shapes_an_answer_voids_it(home: Path) -> None:
    launch(workspace(home), home)
    path = home / "registry" / "benchmarks" / "own" / "full"

    def made() -> int:
        return int(json.loads((path / "cost.json").read_bytes())["made"])

    assert made() == 4
    launch(workspace(home, evidence_tokens=9_000), home)
    assert made() == 4
    (path / "sway.json").write_bytes(b'{"basis": ')  # cut by a full disk
    launch(workspace(home, evidence_tokens=9_000), home)
    assert made() == 1
    launch(workspace(home, evidence_tokens=9_000), home, refresh=True)
    assert made() == 4


def test_a_killed_run_is_taken_up(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run dies at its third question; the next one answers only what is missing."""
    real, asked = answered_from, []

    async def dies(*args: object, **given: object) -> object:
        asked.append(args[1])
        if len(asked) == 3:
            raise KeyboardInterrupt
        return await real(*args, **given)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(ANSWERED, dies)
        reader = VariantReader(workspace(home), BatchRun(file="x"), VARIANTS["full"])
        found = load_cases((home / "mine.jsonl").read_bytes(), "mine.jsonl")
        with pytest.raises(KeyboardInterrupt):
            asyncio.run(answer_batch(reader, "own", found.cases, concurrency=1))
    launch(workspace(home), home)
    cost = json.loads((home / "registry/benchmarks/own/full/cost.json").read_bytes())
    assert cost["made"] == 2  # of four that can be answered two were there


def test_variants_change_what_they_say(home: Path) -> None:
    ws = workspace(home)
    reader = partial(VariantReader, ws, StepRun())
    plain, full = reader(VARIANTS["planning_only"]), reader(VARIANTS["full"])
    assert (plain.ws.settings.seeds, plain.ws.settings.neighbours) == (20, 0)  # 5 * (1 + 3)
    assert (full.ws.settings.seeds, full.ws.settings.neighbours) == (5, 3)
    assert not reader(VARIANTS["no_images"]).ws.settings.vision
    assert not reader(VARIANTS["content_graph_only"]).config.planning
    assert [reader(VARIANTS[f"refinements_{n}"]).config.max_refinements for n in range(4)] == [
        0,
        1,
        2,
        3,
    ]


def test_rounds_are_read_from_an_index_of_their_own(home: Path) -> None:
    ws = workspace(home)
    launch(ws, home, variants=["rounds_0", "full"])
    kept = read_kept(ws.home.root / "registry/benchmarks/own/rounds_0/sway.json")
    full = read_kept(ws.home.root / "registry/benchmarks/own/full/sway.json")
    assert kept is not None
    assert full is not None
    assert kept.answer.index_digest != full.answer.index_digest
    assert (home / "lance-rounds" / "round_0").exists()
    assert ws.index(ws.embedding()).indexed()["cable"].round == 1  # the product's own stays


@pytest.mark.parametrize(("variant", "path"), [("plain_rag", "bm25"), ("zero_shot", "first pages")])
def test_baselines_use_no_graph(home: Path, variant: str, path: str) -> None:
    ws = workspace(home)
    launch(ws, home, variants=[variant])
    kept = read_kept(ws.home.root / f"registry/benchmarks/own/{variant}/cabins.json")
    assert kept is not None
    [sub] = kept.answer.sub_answers
    assert {tuple(item.path) for item in sub.evidence} == {(path,)}
    assert kept.answer.answer == "26"


@pytest.mark.parametrize(
    "config",
    [
        {"variants": ["nothing"]},
        {"file": "/nowhere/x.csv"},
        {"question_set": "nothing"},
        {"name": "../up"},
    ],
)
def test_a_wrong_configuration_is_a_typed_failure(home: Path, config: dict[str, object]) -> None:
    result = launch(workspace(home), home, **config)
    assert not result.success
    assert not (home / "pages" / "benchmarks").exists()


def test_a_judge_marks_and_one_that_is_not_there_costs_nothing(home: Path) -> None:
    def reply(request: ServerRequest) -> Reply:
        wrong = "26" in request.prompt
        return chat(json.dumps({"reason": "as told", "correct": not wrong}))

    with ModelServer(reply) as server:
        ws = workspace(home, judge_model="judge-1", judge_base_url=server.base_url)
        launch(ws, home, judge=True)
    scores = {name: row["score"] for name, row in answers_of(home).items()}
    assert scores["sway"]["judge"] is True
    assert scores["cabins"]["judge"] is False
    assert scores["cabins"]["correct"] == 1.0  # the typed rule's, kept apart
    assert scores["price"]["judge"] is True  # refused as it should, not asked
    launch(workspace(home), home, judge=True)  # none is configured
    scores = {name: row["score"] for name, row in answers_of(home).items()}
    assert scores["sway"]["failure"] == ""
    assert scores["sway"]["judge"] is True  # what was judged stays so
    page = (home / "pages/benchmarks/index.html").read_text("utf-8")
    assert "判定なし: No judge is configured" in page


def test_a_page_shows_no_markup_of_a_question(home: Path) -> None:
    hostile = {
        "id": "x",
        "question": "What is <script>alert(1)</script> of Cedar?",
        "documents": ["cable.pdf"],
        "answer": "<img src=x onerror=alert(2)>",
    }
    (home / "mine.jsonl").write_text(json.dumps(hostile), encoding="utf-8")
    launch(workspace(home), home)
    for path in (home / "pages" / "benchmarks").rglob("*.html"):
        html = path.read_text("utf-8")
        assert "<script>alert" not in html
        assert "<img src=x" not in html


def test_an_unknown_variant_names_those_that_there_are() -> None:
    with pytest.raises(UnknownVariantError, match="no variant") as caught:
        variant_of("x")
    assert "plain_rag" in caught.value.remedy


def test_a_models_calls_and_tokens_are_counted_once(home: Path) -> None:
    """The ledger's tokens by call: a rerun that serves kept answers counts the same."""

    def cost() -> dict[str, Any]:
        found: dict[str, Any] = json.loads(
            (home / "registry/benchmarks/own/content_graph_only/cost.json").read_bytes()
        )
        return found

    with ModelServer() as server:
        ws = workspace(home, engine="openai", base_url=server.base_url, model="reader-1")
        launch(ws, home, variants=["content_graph_only"])
        first, asked = cost(), server.count
        launch(ws, home, variants=["content_graph_only"])
        assert server.count == asked
    assert first["calls"] > 0
    assert first["unknown"] == 0
    assert first["prompt_tokens"] > 0
    again = cost()
    assert {k: again[k] for k in ("calls", "prompt_tokens", "completion_tokens")} == {
        k: first[k] for k in ("calls", "prompt_tokens", "completion_tokens")
    }
    assert (first["made"], again["made"]) == (4, 0)
    scores = {name: row["score"] for name, row in answers_of(home, "content_graph_only").items()}
    assert sum(score["calls"] for score in scores.values()) == first["calls"]


def test_a_server_that_is_away_fails_each_question_and_keeps_the_report(home: Path) -> None:
    ws = workspace(
        home, engine="openai", base_url="http://127.0.0.1:9/v1", model="reader-1", max_attempts=1
    )
    result = launch(ws, home)
    assert not result.success
    assert {row["score"]["failure"] for row in answers_of(home).values()} == {"failed"}
    assert (home / "pages/benchmarks/index.html").exists()
