"""A model that says its instruction again, or that a summary follows: asked once more, then named."""

from __future__ import annotations

import json

import pytest

from g2_pipelines.briefs.config import load_layers, shipped
from g2_pipelines.briefs.joint import PromptedJoint
from g2_pipelines.briefs.ports import NOTHING_FOUND, FinalTask
from g2_pipelines.briefs.pre_summaries import pre_summarize_jointly
from g2_pipelines.briefs.prompted_final import PromptedFinalSummarizer
from g2_pipelines.models.errors import BadStructureError, BadTextError
from g2_pipelines.models.ports import CompletionRequest
from g2_pipelines_tests.briefs.material import COMPANY, POLICY, TOKENS, run, section, splits_of
from g2_pipelines_tests.briefs.scripted import ANSWER, Scripted, brief_config
from g2_pipelines_tests.briefs.test_prompted import final, pre

SPLITS = [section("policy", POLICY)]


def echo(request: CompletionRequest) -> str:
    """The last paragraphs of the prompt, as a weak model gives them back."""
    return request.messages[1].text.rsplit("】\n", 1)[-1].strip()[:150]


def test_an_echo_is_asked_again_with_its_fault_and_the_second_answer_is_used() -> None:
    port = Scripted(lambda r: ANSWER if len(r.messages) > 2 else echo(r))
    [row] = pre(port, splits_of(SPLITS))
    assert row.text == ANSWER
    assert len(row.call_keys) == 2
    assert "instruction_echo" in port.calls[1].messages[-1].text


@pytest.mark.parametrize("said", ["以下の通りです。", "青嶺電機の事業の環境を要約します。"])
def test_an_announcement_twice_is_a_failure_with_its_name(said: str) -> None:
    port = Scripted(lambda _: said)
    with pytest.raises(BadTextError, match="no_content"):
        pre(port, splits_of(SPLITS))
    assert len(port.calls) == 2


def test_a_final_text_that_repeats_the_pre_summaries_is_no_echo() -> None:
    """The documents are not the instruction, whichever of them is copied."""
    port = Scripted(lambda _: ANSWER)
    rows = pre(port, splits_of(SPLITS))
    other = "静音設計の技術力が強みであり、特許を31件保有している。"
    pair = [rows[0], rows[0].model_copy(update={"source_type": "filing_mdna", "text": other})]
    for said in (ANSWER, other):
        assert final(Scripted(lambda _, said=said: said), pair).text == said
    with pytest.raises(BadTextError, match="instruction_echo"):
        final(Scripted(echo), pair)


def test_that_nothing_was_found_is_an_answer_though_the_instruction_says_it() -> None:
    [row] = pre(Scripted(lambda _: f"「{NOTHING_FOUND}」"), splits_of(SPLITS))
    assert row.nothing_found


def test_a_field_of_a_joint_answer_that_echoes_is_named() -> None:
    config = brief_config(input_limit=6_000, instruction_tokens=1_500)
    keys = [aspect.key for aspect in config.aspects]

    def said(request: CompletionRequest) -> str:
        texts = dict.fromkeys(keys, ANSWER)
        return json.dumps({**texts, keys[1]: "以下の通りです。"}, ensure_ascii=False)

    port = Scripted(said)
    with pytest.raises(BadStructureError, match=rf"{keys[1]}: .*no_content"):
        run(
            pre_summarize_jointly(
                splits_of(SPLITS, config=config),
                company=COMPANY,
                aspects=config.aspects,
                config=config,
                summarizer=PromptedJoint(port),
                tokenizer=TOKENS,
            )
        )
    assert len(port.calls) == 2


def test_every_final_prompt_ends_with_its_instruction() -> None:
    """What tells the documents from the instruction, and makes the shared prefix."""
    summarizer = PromptedFinalSummarizer(Scripted(lambda _: ANSWER))
    config = load_layers(
        [(name, shipped()[name]) for name in ("sales_talk", "risks", "earnings_points")]
    )
    made = 0
    for aspect in config.aspects:
        if aspect.form == "grounded":
            continue
        rows = pre(Scripted(lambda _: ANSWER), splits_of(SPLITS))
        task = FinalTask(
            company=COMPANY,
            fiscal_year="2025-03",
            aspect=aspect,
            aspects=config.aspects,
            sources=config.source_types,
            pre=tuple(rows),
            strategy="aspect",
            budget=600,
            input_limit=30_000,
        )
        for spoken in ("ja", "en"):
            documents = [{"source": "方針", "text": "一文。"}, {"source": "分析", "text": "二文。"}]
            whole = summarizer._prompt(task, spoken, documents)
            tail = summarizer._prompt(task, spoken, [])
            assert whole.endswith(tail)
            assert whole.removesuffix(tail).rstrip().endswith("二文。")
            made += 1
    assert made >= 10
