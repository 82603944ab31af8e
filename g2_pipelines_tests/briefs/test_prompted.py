"""Summaries by a model, against a scripted completion function."""

from __future__ import annotations

import pytest

from g2_pipelines.briefs.asking import PromptTooLongError, says_nothing
from g2_pipelines.briefs.build import build_summarizers
from g2_pipelines.briefs.config import BriefConfig, load_config
from g2_pipelines.briefs.final_summaries import finalize
from g2_pipelines.briefs.ports import NOTHING_FOUND
from g2_pipelines.briefs.pre_summaries import pre_summarize
from g2_pipelines.briefs.prompted import PromptedPreSummarizer
from g2_pipelines.briefs.prompted_final import PromptedFinalSummarizer
from g2_pipelines.errors import ModelError
from g2_pipelines.models.errors import TruncatedAnswerError
from g2_pipelines.models.ports import CompletionRequest
from g2_pipelines.tables.line1 import SourceSplit, Summary
from g2_pipelines.text.spans import slice_span
from g2_pipelines_tests.briefs.material import (
    COMPANY,
    POLICY,
    TOKENS,
    both_sections,
    run,
    section,
    splits_of,
    texts_of,
)
from g2_pipelines_tests.briefs.scripted import ANSWER, Scripted, brief_config, many_parts


def prompt(request: CompletionRequest) -> str:
    return request.messages[-1].text


def pre(
    port: Scripted,
    splits: list[SourceSplit],
    *,
    config: BriefConfig | None = None,
    aspect: str | None = "environment",
) -> list[Summary]:
    config = config or brief_config()
    return run(
        pre_summarize(
            splits,
            company=COMPANY,
            aspect=config.aspect(aspect) if aspect else None,
            config=config,
            summarizer=PromptedPreSummarizer(port),
            tokenizer=TOKENS,
        )
    )


def final(port: Scripted, rows: list[Summary], *, config: BriefConfig | None = None) -> Summary:
    config = config or brief_config()
    return run(
        finalize(
            rows,
            company=COMPANY,
            aspect=config.aspect("environment"),
            config=config,
            summarizer=PromptedFinalSummarizer(port),
            tokenizer=TOKENS,
            strategy="aspect",
        )
    )


def test_the_document_comes_first_and_the_instruction_last() -> None:
    """Aspects of one source share their prefix only if nothing variable stands before it."""
    port = Scripted(lambda _: ANSWER)
    splits = splits_of([section("policy", POLICY)])
    for aspect in ("environment", "issues", None):
        pre(port, splits, aspect=aspect)
    texts = [prompt(call) for call in port.calls]
    head = texts[0][: texts[0].index(POLICY) + len(POLICY)]
    assert all(text.startswith(head) for text in texts)
    assert COMPANY.name not in head.replace(POLICY, "")
    assert "「環境」" in texts[0][len(head) :]
    assert "「課題」" in texts[1][len(head) :]
    assert COMPANY.name not in texts[2]
    assert [call.messages[0] for call in port.calls] == [port.calls[0].messages[0]] * 3


def test_the_budget_stands_in_the_prompt_and_bounds_the_answer() -> None:
    port = Scripted(lambda _: ANSWER)
    pre(port, splits_of([section("policy", POLICY)]))
    assert "60トークン" in prompt(port.calls[0])
    assert 60 < port.calls[0].max_tokens <= 60 + 64
    assert port.calls[0].task == "pre_summary"
    assert port.calls[0].subject == "E99009/2025-03/filing_policy"


def test_a_source_under_its_budget_is_taken_as_it_stands_without_a_call() -> None:
    port = Scripted(lambda _: ANSWER)
    rows = both_sections()
    made = pre(port, splits_of(rows), config=brief_config(pre_tokens=2000))
    assert port.calls == []
    assert made[0].text == POLICY.strip()
    assert {row.finish_reason for row in made} == {"pass_through"}
    texts = texts_of(rows, None)
    for row in made:
        for one in row.sentences:
            said = row.text[one.start : one.end]
            assert said == "".join(slice_span(span, texts) for span in one.spans)


def test_an_answer_cut_at_its_limit_is_a_typed_failure_never_a_summary() -> None:
    port = Scripted(lambda _: TruncatedAnswerError("cut"))
    with pytest.raises(TruncatedAnswerError):
        pre(port, splits_of([section("policy", POLICY)]))


def test_a_refused_call_is_raised_as_it_is() -> None:
    port = Scripted(lambda _: ModelError("refused"))
    with pytest.raises(ModelError, match="refused"):
        pre(port, splits_of([section("policy", POLICY)]))


def test_a_text_over_its_budget_is_asked_once_to_be_shortened() -> None:
    long = ANSWER * 2

    def answer(request: CompletionRequest) -> str:
        return ANSWER if "超えています" in prompt(request) else long

    port = Scripted(answer)
    (row,) = pre(port, splits_of([section("policy", POLICY)]))
    assert row.text == ANSWER
    assert row.call_keys == ["k1", "k2"]
    assert row.warnings == []
    assert [message.role for message in port.calls[1].messages] == [
        "system",
        "user",
        "assistant",
        "user",
    ]


def test_a_text_that_stays_over_its_budget_is_kept_and_said_so() -> None:
    port = Scripted(lambda _: ANSWER * 2)
    (row,) = pre(port, splits_of([section("policy", POLICY)]))
    assert row.text == ANSWER * 2
    assert row.warnings == [f"{len(ANSWER) * 2 - 60} tokens over the budget of 60"]


def test_an_answer_that_nothing_is_said_is_marked_and_not_handed_on() -> None:
    port = Scripted(lambda _: f"「{NOTHING_FOUND}」。")
    rows = pre(port, splits_of(both_sections()))
    assert all(row.nothing_found and row.text == NOTHING_FOUND for row in rows)
    made = final(port, rows)
    assert made.nothing_found
    assert len(port.calls) == 2, "no call for a final summary of nothing"


@pytest.mark.parametrize("count", [2, 7, 23])
def test_many_parts_are_brought_to_one_text_in_levels(count: int) -> None:
    """A merge that never ends, or drops a part, loses money or content without a word."""
    numbers = iter(range(10_000))
    port = Scripted(lambda _: f"{next(numbers)}番目の文である。" + "あいうえおかきくけこ" * 3)
    splits, config = many_parts(count, 1500)
    (row,) = pre(port, splits, config=config)
    parts = port.calls[: len(splits)]
    assert all(f"{len(splits)}分割の{n}番目" in prompt(call) for n, call in enumerate(parts, 1))
    merges = port.calls[len(splits) :]
    merged = "".join(prompt(call) for call in merges)
    assert all(f"{n}番目の文" in merged for n in range(len(splits)))
    assert row.text.startswith(f"{len(port.calls) - 1}番目")
    assert len(row.call_keys) == len(port.calls)
    assert len(port.calls) < 2 * len(splits) + 1


def test_parts_that_say_nothing_are_left_out_of_the_merge() -> None:
    def answer(request: CompletionRequest) -> str:
        return ANSWER if "の2番目" in prompt(request) else NOTHING_FOUND

    port = Scripted(answer)
    splits, config = many_parts(4, 1500)
    (row,) = pre(port, splits, config=config)
    assert row.text == ANSWER
    assert len(port.calls) == len(splits)


def test_no_prompt_exceeds_the_input_limit() -> None:
    port = Scripted(lambda _: ANSWER)
    splits, config = many_parts(9, 1500)
    pre(port, splits, config=config)
    for call in port.calls:
        used = sum(TOKENS.count(message.text) for message in call.messages) + call.max_tokens
        assert used <= 1500


def test_an_instruction_longer_than_its_share_is_refused_before_the_call() -> None:
    """Others cut the prompt's end in silence, and with it the instruction."""
    port = Scripted(lambda _: ANSWER)
    config = brief_config(input_limit=1000, instruction_tokens=100)
    text = "市場は広い。" * 110
    with pytest.raises(PromptTooLongError) as caught:
        pre(port, splits_of([section("policy", text)], config=config), config=config)
    assert port.calls == []
    assert caught.value.remedy


def test_the_final_prompt_holds_the_pre_summaries_then_the_query() -> None:
    port = Scripted(lambda _: ANSWER)
    rows = pre(port, splits_of(both_sections()))
    made = final(port, rows)
    text = prompt(port.calls[-1])
    order = [
        text.index(row.text, 0 if n == 0 else text.index(ANSWER) + 1) for n, row in enumerate(rows)
    ]
    assert order == sorted(order)
    assert text.index("渡した資料だけを使い") > max(order)
    assert "経営方針、経営環境及び対処すべき課題等の要約" in text
    assert (made.engine, made.model, made.strategy) == ("openai", "scripted@1", "aspect")
    assert made.prompt_version
    assert made.finish_reason == "stop"


def test_pre_summaries_that_exceed_one_prompt_are_first_brought_to_fewer() -> None:
    port = Scripted(lambda _: ANSWER)
    config = brief_config(pre_tokens=400)
    rows = pre(port, splits_of(both_sections(), with_call=True), config=config)
    long = [row.model_copy(update={"text": "環境の文である。" * 60}) for row in rows]
    port.calls.clear()
    tight = brief_config(pre_tokens=400, input_limit=2600, final_tokens=400)
    final(port, long, config=tight)
    assert [call.task for call in port.calls][-1] == "final_summary"
    assert [call.task for call in port.calls][:-1] == ["pre_summary"] * (len(port.calls) - 1)
    assert len(port.calls) > 1


def test_a_written_sentence_names_the_source_sentences_it_comes_from() -> None:
    port = Scripted(lambda _: ANSWER)
    rows = [section("policy", POLICY)]
    (row,) = pre(port, splits_of(rows))
    spans = row.sentences[0].spans
    assert "原材料価格の高騰と人手不足" in slice_span(spans[0], texts_of(rows, None))


def test_a_written_sentence_without_source_names_none() -> None:
    port = Scripted(lambda _: "宇宙旅客機を月面基地へ就航させた。")
    (row,) = pre(port, splits_of([section("policy", POLICY)]))
    assert row.sentences[0].spans == []


def test_english_sources_get_english_prompts() -> None:
    port = Scripted(lambda _: "The market is expanding as demand for housing grows.")
    text = "The small motor market is expanding as housing demand grows. " * 4
    pre(port, splits_of([section("policy", text)]))
    sent = prompt(port.calls[0])
    assert "keeps from the document above" in sent
    assert "Business environment" in sent
    assert COMPANY.name_english is not None
    assert COMPANY.name_english in sent


@pytest.mark.parametrize(
    ("text", "nothing"),
    [
        (NOTHING_FOUND, True),
        (f"「{NOTHING_FOUND}」。\n", True),
        (f"{NOTHING_FOUND}。ただし市場は拡大している。", False),
    ],
)
def test_only_the_bare_sentence_means_that_nothing_was_found(text: str, nothing: bool) -> None:
    assert says_nothing(text) is nothing


def test_without_a_port_the_extractive_engine_is_built_with_one_the_prompted() -> None:
    extractive = build_summarizers(None)
    prompted = build_summarizers(Scripted(lambda _: ANSWER))
    assert [one.engine for one in extractive] == ["extractive", "extractive"]
    assert [one.model for one in prompted] == ["scripted@1", "scripted@1"]
    assert len({prompted[0].prompt_version, prompted[1].prompt_version, ""}) == 3


def test_every_prompt_renders_in_both_languages() -> None:
    maker = PromptedFinalSummarizer(Scripted(lambda _: ANSWER))
    config = load_config(None)
    for spoken in ("ja", "en"):
        for aspect in (None, config.aspects[0]):
            text = maker.pre_prompt(
                "DOC",
                company=COMPANY,
                aspect=aspect,
                source=config.source_types[0],
                spoken=spoken,
                budget=9,
                part=2,
                parts=3,
            )
            assert text.index("DOC") < text.index("9")


@pytest.mark.parametrize(
    "given",
    [
        f"{NOTHING_FOUND}\n{ANSWER}",
        f"{ANSWER}\n\n「{NOTHING_FOUND}」。",
        f"{NOTHING_FOUND}。{ANSWER}",
    ],
)
def test_that_one_source_is_silent_never_stands_beside_what_another_says(given: str) -> None:
    rows = pre(Scripted(lambda _: given), splits_of(both_sections()))
    assert {row.text for row in rows if not row.nothing_found} == {ANSWER}
    made = final(Scripted(lambda _: given), rows)
    assert made.text == ANSWER
    assert not made.nothing_found


def test_a_pre_summary_that_only_says_nothing_takes_no_part() -> None:
    rows = pre(Scripted(lambda _: ANSWER), splits_of(both_sections()))
    silent = rows[0].model_copy(update={"text": f"「{NOTHING_FOUND}」", "sentences": []})
    port = Scripted(lambda _: ANSWER)
    final(port, [silent, *rows[1:]])
    (asked,) = port.calls
    assert brief_config().source_type(rows[1].source_type).label in prompt(asked)
    assert brief_config().source_type(silent.source_type).label not in prompt(asked)
