"""The prompt files: both languages, document first, nothing variable before it."""

from __future__ import annotations

from importlib import resources
from typing import Any

import jinja2
import pytest
from jinja2 import meta

from g2_pipelines.briefs.asking import PACKAGE
from g2_pipelines.briefs.config import AspectSpec, load_config, shipped
from g2_pipelines.briefs.joint import PromptedJoint
from g2_pipelines.briefs.prompted import PromptedPreSummarizer, pre_prompts
from g2_pipelines.briefs.prompted_final import PromptedFinalSummarizer, final_prompts
from g2_pipelines.models.prompts import PromptSet
from g2_pipelines_tests.briefs.scripted import ANSWER, Scripted

FOLDER = resources.files(PACKAGE) / "prompts"
FILES = sorted(
    file.name.removesuffix(".jinja") for file in (FOLDER / "ja").iterdir() if file.is_file()
)
DOCUMENT = "事業の記録。" * 3
VALUES: dict[str, Any] = {
    "source": "SOURCE",
    "document": DOCUMENT,
    "sentences": [f"[1] {DOCUMENT}"],
    "documents": [
        {"source": "SOURCE", "text": DOCUMENT, "sentences": [{"id": 1, "text": DOCUMENT}]}
    ],
    "part": 2,
    "parts": 3,
    "company": "<COMPANY>",
    "aspect": "<ASPECT>",
    "meaning": "<MEANING>",
    "directions": "<DIRECTIONS>",
    "query": "<QUERY>",
    "budget": 987,
    "most": 8,
    "nothing_found": "<NOTHING>",
    "fields": [
        {
            "key": "<KEY>",
            "label": "<ASPECT>",
            "meaning": "<MEANING>",
            "directions": "<DIRECTIONS>",
            "tokens": 1234,
        }
    ],
    "tokens": 1234,
    "excess": 247,
}
VARIABLE = ("<", "987", "1234")
WITH_DOCUMENT = [
    name
    for name in FILES
    if name not in ("system", "sales_talk_system", "query", "document")
    and not name.startswith("shorten")
]


def test_every_prompt_is_there_in_both_languages_with_the_same_values() -> None:
    environment = jinja2.Environment(autoescape=False)

    def variables(language: str, name: str) -> set[str]:
        text = (FOLDER / language / f"{name}.jinja").read_text("utf-8")
        return meta.find_undeclared_variables(environment.parse(text))

    english = sorted(file.name.removesuffix(".jinja") for file in (FOLDER / "en").iterdir())
    assert english == FILES
    for name in FILES:
        assert variables("ja", name) == variables("en", name) <= VALUES.keys(), name


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("name", FILES)
def test_a_prompt_renders_without_a_trace_of_its_template(name: str, language: str) -> None:
    text = PromptSet(PACKAGE).render(name, language, **VALUES)
    assert text.strip()
    assert "{{" not in text
    assert "{%" not in text
    without = PromptSet(PACKAGE).render(name, language, **VALUES | {"directions": ""})
    assert "\n\n\n" not in without


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("name", WITH_DOCUMENT)
def test_the_document_comes_first_and_nothing_that_varies_before_it(
    name: str, language: str
) -> None:
    """One company's name before the document, and no prefix cache ever serves it again."""
    text = PromptSet(PACKAGE).render(name, language, **VALUES)
    head = text[: text.index(DOCUMENT)]
    assert not any(mark in head for mark in VARIABLE)
    tail = text[text.rindex(DOCUMENT) :]
    assert "987" in tail


@pytest.mark.parametrize("language", ["ja", "en"])
def test_the_queries_about_one_source_begin_with_the_same_bytes(language: str) -> None:
    prompts = PromptSet(PACKAGE)
    texts = [
        prompts.render(name, language, **VALUES)
        for name in ("pre_summary", "simple_pre_summary", "joint_pre_summary")
    ]
    document = prompts.render("document", language, **VALUES)
    assert all(text.startswith(document) for text in texts)


def every_aspect() -> list[AspectSpec]:
    names = [name for name in shipped() if name != "default"]
    return list(load_config(f"extends: [{', '.join(names)}]").aspects)


def test_every_prompt_file_is_part_of_some_version() -> None:
    """A file that no version covers could be changed without anything being made again."""
    covered = {"document"}  # by those that include it
    for aspect in [None, *every_aspect()]:
        for strategy in ("aspect", "simple", "joint", "retrieval"):
            if aspect is not None or strategy == "simple":
                covered |= {*pre_prompts(aspect, strategy)}  # type: ignore[arg-type]
            if aspect is not None:
                covered |= {*final_prompts(aspect, strategy)}  # type: ignore[arg-type]
    assert covered == set(FILES)


def test_a_makers_own_version_names_its_files() -> None:
    port = Scripted(lambda _: ANSWER)
    versions = {
        maker(port).prompt_version
        for maker in (PromptedPreSummarizer, PromptedFinalSummarizer, PromptedJoint)
    }
    assert len(versions) == 2, "a joint call is a pre-summary"
