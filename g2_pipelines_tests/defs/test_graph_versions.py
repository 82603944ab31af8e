"""What a changed prompt, model or setting marks as stale: the rounds that it makes."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from g2_pipelines.defs.assets.graph import build_graph
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import InputError
from g2_pipelines.models.prompts import PromptSet
from g2_pipelines.settings import Settings

EVOLVED = {f"content_graph/round_{r}" for r in (1, 2, 3)}
ROUNDS = {"content_graph/round_0"} | EVOLVED
ALL = ROUNDS | {"node_index"}


@pytest.fixture
def changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], PromptSet]:
    """The graph's prompts with one file changed, as a package of its own."""

    def change(file: str) -> PromptSet:
        source = Path(__file__).parents[2] / "g2_pipelines" / "graph" / "prompts"
        name = f"graph_{sha256(str(tmp_path).encode()).hexdigest()[:12]}"
        package = tmp_path / name
        for path in source.glob("*/*.jinja"):
            copy = package / "prompts" / path.parent.name / path.name
            copy.parent.mkdir(parents=True, exist_ok=True)
            more = "x" if str(copy.relative_to(package / "prompts")) == f"{file}.jinja" else ""
            copy.write_text(path.read_text("utf-8") + more, encoding="utf-8")
        (package / "__init__.py").touch()
        monkeypatch.syspath_prepend(str(tmp_path))
        return PromptSet(name)

    return change


def versions(prompts: PromptSet | None = None, **settings: object) -> dict[str, str]:
    ws = Workspace(Settings(_env_file=None, **{"engine": "openai", "model": "m", **settings}))
    step = build_graph(ws, prompts=prompts)
    return {spec.key.to_user_string(): str(spec.code_version) for spec in step.specs}


def stale(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {key for key, version in after.items() if version != before.get(key)}


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("", set()),
        ("ja/analyse", {"content_graph/round_0"}),
        ("en/analyse", {"content_graph/round_0"}),
        ("ja/evolve", EVOLVED),
        ("en/evolve", EVOLVED),
    ],
)
def test_a_changed_prompt_marks_the_rounds_that_ask_it(changed, file, expected):
    assert stale(versions(), versions(changed(file))) == expected


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"model": "other"}, ROUNDS),
        ({"model_revision": "2"}, ROUNDS),
        ({"engine": "vllm"}, ROUNDS),
        ({"vision": False}, ROUNDS),
        ({"embedding": "openai", "embedding_model": "e", "embedding_dimension": 8}, ALL),
        ({"evolution": {"delta": 0.2}}, EVOLVED),
        ({"evolution": {"summary_words": 20}}, ROUNDS),
        ({"evolution": {"batch": 8, "degraded_share": 0.5}}, set()),
        ({"seeds": 9, "base_url": "http://else", "timeout_s": 7}, set()),
        ({"vector_index_rows": 5}, set()),
        ({"rounds": 2}, set()),
    ],
)
def test_a_changed_setting_marks_what_it_enters(settings, expected):
    assert stale(versions(), versions(**settings)) == expected


def test_the_embedded_engine_does_not_ask_prompts(changed):
    before = versions(engine="extractive")
    assert stale(before, versions(changed("ja/evolve"), engine="extractive")) == set()
    assert stale(before, versions()) == ROUNDS


def test_the_index_takes_the_round_that_is_set():
    ws = Workspace(Settings(_env_file=None, rounds=2, index_round=0))
    [index] = [s for s in build_graph(ws).specs if s.key.path == ["node_index"]]
    assert {dep.asset_key.to_user_string() for dep in index.deps} == {
        "content_graph/round_0",
        "document_nodes",
    }
    assert Workspace(Settings(_env_file=None, rounds=2)).index_round == 2
    with pytest.raises(InputError, match="Round 3 is not made"):
        _ = Workspace(Settings(_env_file=None, rounds=2, index_round=3)).index_round


def test_no_rounds_are_a_graph_too():
    ws = Workspace(Settings(_env_file=None, rounds=0))
    keys = {spec.key.to_user_string() for spec in build_graph(ws).specs}
    assert keys == {"content_graph/round_0", "node_index"}


def test_a_wrong_bound_names_the_setting():
    ws = Workspace(Settings(_env_file=None, evolution={"delta": "much"}))
    with pytest.raises(InputError, match="A setting of the content graph is wrong") as caught:
        _ = ws.evolution
    assert caught.value.place == "G2_EVOLUTION: delta"
