"""All aspects of a source in one call: bounded fields, nothing cut, nothing passed off."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import pytest

from g2_pipelines.briefs.build import StrategyNotOfferedError, build_joint
from g2_pipelines.briefs.config import BriefConfig
from g2_pipelines.briefs.ports import NOTHING_FOUND
from g2_pipelines.briefs.pre_summaries import pre_summarize_jointly
from g2_pipelines.models.errors import BadStructureError
from g2_pipelines.models.ports import CompletionRequest
from g2_pipelines.tables.line1 import SourceSplit, Summary
from g2_pipelines_tests.briefs.material import (
    COMPANY,
    POLICY,
    TOKENS,
    both_sections,
    run,
    section,
    splits_of,
)
from g2_pipelines_tests.briefs.scripted import ANSWER, Scripted, brief_config, many_parts

KEYS = ("environment", "issues", "outlook", "strengths")


def answer(**texts: str) -> str:
    return json.dumps(dict.fromkeys(KEYS, ANSWER) | texts, ensure_ascii=False)


def joint(
    port: Scripted, splits: Sequence[SourceSplit], config: BriefConfig | None = None
) -> dict[str, list[Summary]]:
    config = config or brief_config()
    return run(
        pre_summarize_jointly(
            splits,
            company=COMPANY,
            aspects=config.aspects,
            config=config,
            summarizer=build_joint(port),
            tokenizer=TOKENS,
        )
    )


def scripted(text: str | Callable[[CompletionRequest], str]) -> Scripted:
    return Scripted(text if callable(text) else lambda _: text)


def test_one_call_a_source_gives_every_aspect_its_text() -> None:
    port = scripted(answer(issues="巻線工の不足が重要な課題である。", outlook=NOTHING_FOUND))
    found = joint(port, splits_of(both_sections()))
    assert len(port.calls) == 2
    assert list(found) == list(KEYS)
    for key, rows in found.items():
        assert [row.source_type for row in rows] == ["filing_policy", "filing_mdna"]
        assert {(row.aspect, row.strategy) for row in rows} == {(key, "joint")}
    assert found["issues"][0].text == "巻線工の不足が重要な課題である。"
    assert all(row.nothing_found for row in found["outlook"])


def test_the_schema_has_one_bounded_field_an_aspect_and_the_prompt_names_each() -> None:
    port = scripted(answer())
    joint(port, splits_of([section("policy", POLICY)]))
    [call] = port.calls
    schema = json.loads(call.json_schema or "")
    assert list(schema["properties"]) == list(KEYS) == schema["required"]
    assert schema["additionalProperties"] is False
    assert all(field["maxLength"] > 0 for field in schema["properties"].values())
    said = call.messages[-1].text
    assert said.index(POLICY) < min(said.index(f"- {key}：") for key in KEYS)
    # Room for every text at its hard limit, and for names and quotes.
    assert call.max_tokens >= 4 * (60 + 64)


def test_its_document_is_the_prefix_that_the_aspects_own_calls_have() -> None:
    """A comparison of strategies then computes a document once."""
    from g2_pipelines_tests.briefs.test_prompted import pre

    port, other = scripted(answer()), scripted(ANSWER)
    splits = splits_of([section("policy", POLICY)])
    joint(port, splits)
    pre(other, splits)
    assert port.calls[0].prefix_key == other.calls[0].prefix_key


@pytest.mark.parametrize(
    "bad",
    [
        answer(issues=" "),
        answer(issues="The shortage of winders is the company's most pressing issue today."),
        answer(issues="人手が足りない状況が続いている。" * 8),
        json.dumps({"environment": ANSWER}),
    ],
    ids=["empty", "other language", "loop", "a field missing"],
)
def test_a_bad_field_is_asked_for_once_more_and_then_fails_by_name(bad: str) -> None:
    good = iter([bad, answer()])
    port = scripted(lambda _: next(good))
    assert joint(port, splits_of([section("policy", POLICY)]))["issues"][0].text == ANSWER
    assert len(port.calls) == 2
    with pytest.raises(BadStructureError):
        joint(scripted(bad), splits_of([section("policy", POLICY)]))


def test_texts_over_their_budget_are_asked_once_to_be_shortened() -> None:
    long = (
        "原材料価格の高騰が続いている。人手不足も続き、採用は計画を下回る。銅価格も上がり、転嫁は遅れている。"
        * 2
    )
    port = scripted(
        lambda request: (
            answer(issues="人手が足りない。")
            if "超えています" in request.messages[-1].text
            else answer(issues=long)
        )
    )
    found = joint(port, splits_of([section("policy", POLICY)]))
    assert found["issues"][0].text == "人手が足りない。"
    assert found["issues"][0].warnings == []
    assert "issues（約" in port.calls[1].messages[-1].text
    assert found["issues"][0].call_keys == ["k1", "k2"]
    stubborn = joint(scripted(answer(issues=long)), splits_of([section("policy", POLICY)]))
    assert stubborn["issues"][0].text == long
    assert stubborn["issues"][0].warnings == [f"{len(long) - 60} tokens over the budget of 60"]


def test_a_long_source_is_cut_so_that_all_answers_fit_and_merged_aspect_by_aspect() -> None:
    splits, config = many_parts(4, 3000)
    port = scripted(lambda request: answer() if request.json_schema else ANSWER)
    found = joint(port, splits, config)
    asked = [call for call in port.calls if call.json_schema]
    assert len(asked) > len(splits), "four answers need more room than one"
    merges = [call for call in port.calls if not call.json_schema]
    assert len(merges) >= 4
    for call in port.calls:
        used = sum(TOKENS.count(message.text) for message in call.messages) + call.max_tokens
        assert used <= 3000
    assert {row.text for rows in found.values() for row in rows} == {ANSWER}


def test_a_short_source_passes_through_to_every_aspect() -> None:
    port = scripted(answer())
    found = joint(port, splits_of([section("policy", POLICY)]), brief_config(pre_tokens=2000))
    assert port.calls == []
    assert {row.finish_reason for rows in found.values() for row in rows} == {"pass_through"}


def test_without_a_model_there_is_no_joint_call() -> None:
    with pytest.raises(StrategyNotOfferedError) as caught:
        build_joint(None)
    assert "G2_ENGINE" in (caught.value.remedy or "")
