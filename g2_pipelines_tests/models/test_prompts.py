"""Prompt files: strict rendering, versions by content."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from g2_pipelines.models.errors import PromptError
from g2_pipelines.models.prompts import PromptSet


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "prompts_of_a_test"
    (folder / "prompts" / "ja").mkdir(parents=True)
    (folder / "prompts" / "en").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "prompts" / "ja" / "node.jinja").write_text(
        "{% include 'ja/rules.jinja' %}本文: {{ text }}"
    )
    (folder / "prompts" / "ja" / "rules.jinja").write_text("規則。")
    (folder / "prompts" / "en" / "node.jinja").write_text("Text: {{ text }}")
    (folder / "prompts" / "ja" / "other.jinja").write_text("{{ x")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder  # type: ignore[misc]
    sys.modules.pop("prompts_of_a_test", None)


def test_a_prompt_is_rendered_as_it_stands_and_nothing_is_escaped(package: Path) -> None:
    prompts = PromptSet("prompts_of_a_test")
    assert prompts.render("node", "ja", text="<R&D> {{ x }}") == "規則。本文: <R&D> {{ x }}"
    assert prompts.render("node", "en", text="a") == "Text: a"


@pytest.mark.parametrize(("name", "language"), [("node", "en"), ("absent", "ja"), ("other", "ja")])
def test_a_missing_value_or_file_or_a_mistake_is_named(
    package: Path, name: str, language: str
) -> None:
    with pytest.raises(PromptError) as raised:
        PromptSet("prompts_of_a_test").render(name, language)
    assert raised.value.place == f"{language}/{name}.jinja"


def test_the_version_changes_with_the_file_and_what_it_includes_only(package: Path) -> None:
    def version(*names: str) -> str:
        return PromptSet("prompts_of_a_test").version(*names)

    before = version("node"), version("ja/node"), version("en/node")
    assert len(before[0]) == 12
    (package / "prompts" / "ja" / "rules.jinja").write_text("規則！")
    after = version("node"), version("ja/node"), version("en/node")
    assert before[0] != after[0]
    assert before[1] != after[1]
    assert before[2] == after[2]
    assert version("node", "rules") == version("rules", "node")
    with pytest.raises(PromptError):
        version("absent")


def test_the_version_changes_with_the_prompt_that_asks_again(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row may hold a second answer: what asked for it is a part of how the row was made."""
    before = PromptSet("prompts_of_a_test").version("node")
    monkeypatch.setattr("g2_pipelines.models.prompts.asking_again", lambda: b"another")
    assert PromptSet("prompts_of_a_test").version("node") != before


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("structured", [True, False])
def test_the_retry_prompt_names_the_fault(language: str, *, structured: bool) -> None:
    text = PromptSet("g2_pipelines.models").render(
        "retry", language, fault="count: must be ≥ 0", structured=structured
    )
    assert "count: must be ≥ 0" in text
    assert ("JSON" in text) is structured
