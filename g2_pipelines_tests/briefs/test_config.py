"""The briefs' configuration: the default loads, mistakes are named by place."""

from __future__ import annotations

import pytest

from g2_pipelines.briefs.config import BriefConfigError, default_yaml, load_config


def test_the_shipped_default_has_the_papers_aspects_and_sources() -> None:
    config = load_config(None)
    assert [aspect.label for aspect in config.aspects] == ["環境", "課題", "展望", "強み"]
    assert [source.key for source in config.source_types] == [
        "filing_policy",
        "filing_mdna",
        "transcript_presentation",
        "transcript_qa",
    ]


def test_a_further_aspect_is_only_a_yaml_entry() -> None:
    extra = "\n".join(
        [
            "  - key: risks",
            "    label: リスク",
            "    label_english: Risks",
            "    meaning: 損失につながるおそれ",
            "    meaning_english: what may cause a loss",
            "    cues:",
            "      - weight: 5",
            "        patterns: ['リスク']",
        ]
    )
    text = default_yaml().replace("\nsource_types:", f"\n{extra}\n\nsource_types:", 1)
    assert load_config(text).aspect("risks").cues[0].weight == 5


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("aspects:", "aspects: [", "line"),
        ("key: issues", "key: Issues!", "aspects.1.key"),
        ("    label: 課題", "    labell: 課題", "aspects.1.label"),
        ("select: mdna", "select: nowhere", "source_types.1"),
        ("reader: transcript_part", "reader: a_website", "source_types.2.reader"),
        ("final_tokens: 600", "final_tokens: many", "final_tokens"),
        ("input_limit: 30000", "input_limit: 30000\ninput_limit: 2", "line"),
        ("input_limit: 30000", "input_limit: 3000", "top level"),
        ("key: strengths", "key: outlook", "top level"),
    ],
)
def test_a_mistake_in_the_yaml_is_named_by_its_place(old: str, new: str, place: str) -> None:
    """A team that adds an aspect must see which line of its file is wrong."""
    with pytest.raises(BriefConfigError) as caught:
        load_config(default_yaml().replace(old, new, 1), file="team.yaml")
    assert caught.value.file == "team.yaml"
    assert caught.value.place.startswith(place)
    assert caught.value.remedy


def test_a_pattern_that_does_not_compile_is_refused_at_load() -> None:
    text = default_yaml().replace(
        "    label: 課題", "    cues: [{weight: 1, patterns: ['(']}]\n    label: 課題", 1
    )
    with pytest.raises(BriefConfigError) as caught:
        load_config(text)
    assert caught.value.place == "aspects.1.cues.0.patterns.0"


@pytest.mark.parametrize("text", ["", "- a", "just words"])
def test_a_yaml_that_is_no_mapping_is_refused(text: str) -> None:
    with pytest.raises(BriefConfigError):
        load_config(text)


def test_an_unknown_aspect_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(BriefConfigError) as caught:
        load_config(None).aspect("colour")
    assert "environment (環境)" in caught.value.remedy


def test_an_aspect_is_found_by_the_label_that_readers_see_as_by_its_key() -> None:
    config = load_config(None)
    assert config.aspect_called("強み").key == config.aspect_called("strengths").key == "strengths"
    with pytest.raises(BriefConfigError, match="no aspect '弱み'"):
        config.aspect_called("弱み")
