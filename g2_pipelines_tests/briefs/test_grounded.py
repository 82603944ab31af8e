"""Items with their grounds: closed over the sentences shown, and exact in their spans."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

import pytest

from g2_pipelines.briefs.config import AspectSpec, BriefConfig, load_config, shipped
from g2_pipelines.briefs.final_summaries import finalize
from g2_pipelines.briefs.pre_summaries import pre_summarize
from g2_pipelines.briefs.prompted import PromptedPreSummarizer
from g2_pipelines.briefs.prompted_final import PromptedFinalSummarizer
from g2_pipelines.models.errors import BadStructureError
from g2_pipelines.models.ports import CompletionRequest
from g2_pipelines.tables.line1 import SourceSplit, Summary
from g2_pipelines.text.spans import slice_span
from g2_pipelines_tests.briefs.material import (
    COMPANY,
    POLICY,
    TOKENS,
    call,
    run,
    section,
    splits_of,
    texts_of,
)
from g2_pipelines_tests.briefs.scripted import Scripted

SHORTAGE = "熟練した巻線工の不足が重要な経営課題であると認識しております。"
PRICES = "銅価格の上昇分の転嫁が遅れており、価格改定の交渉を急ぐ必要があります。"
_SHOWN = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)


def grounded_config(pre_tokens: int = 120, **limits: int) -> BriefConfig:
    config = load_config(shipped()["issue_suggestions"])
    sources = tuple(
        source.model_copy(update={"pre_summary_tokens": pre_tokens})
        for source in config.source_types
    )
    return config.model_copy(update={"source_types": sources, **limits})


def aspect_of(config: BriefConfig) -> AspectSpec:
    return config.aspect("issue_suggestions")


def shown(request: CompletionRequest) -> dict[int, str]:
    """The numbered sentences of a prompt."""
    return {int(n): text for n, text in _SHOWN.findall(request.messages[1].text)}


def choosing(*wanted: str) -> Callable[[CompletionRequest], str]:
    """Chooses the sentences that hold one of ``wanted``."""

    def answer(request: CompletionRequest) -> str:
        found = [n for n, text in shown(request).items() if any(one in text for one in wanted)]
        return json.dumps({"sentences": found})

    return answer


def pre(port: Scripted, splits: Sequence[SourceSplit], config: BriefConfig) -> list[Summary]:
    return run(
        pre_summarize(
            splits,
            company=COMPANY,
            aspect=aspect_of(config),
            config=config,
            summarizer=PromptedPreSummarizer(port),
            tokenizer=TOKENS,
        )
    )


def final(port: Scripted, rows: Sequence[Summary], config: BriefConfig) -> Summary:
    return run(
        finalize(
            rows,
            company=COMPANY,
            aspect=aspect_of(config),
            config=config,
            summarizer=PromptedFinalSummarizer(port),
            tokenizer=TOKENS,
            strategy="aspect",
        )
    )


def chosen() -> tuple[list[Summary], BriefConfig]:
    config = grounded_config()
    splits = splits_of([section("policy", POLICY)], config=config)
    return pre(Scripted(choosing(SHORTAGE, PRICES)), splits, config), config


def test_the_pre_summary_is_the_chosen_sentences_word_for_word() -> None:
    [row], _ = chosen()
    assert row.text == f"{SHORTAGE}\n{PRICES}"
    texts = texts_of([section("policy", POLICY)], None)
    for one in row.sentences:
        said = row.text[one.start : one.end]
        assert said == "".join(slice_span(span, texts) for span in one.spans)


def test_a_number_that_was_not_shown_cannot_be_chosen() -> None:
    """The schema closes the set, and the consumer checks it again."""
    config = grounded_config()
    splits = splits_of([section("policy", POLICY)], config=config)
    port = Scripted(lambda _: json.dumps({"sentences": [999]}))
    with pytest.raises(BadStructureError):
        pre(port, splits, config)
    schema = json.loads(port.calls[0].json_schema or "")
    numbers = schema["properties"]["sentences"]["items"]
    assert (numbers["minimum"], numbers["maximum"]) == (1, max(shown(port.calls[0])))


def test_a_questioners_words_are_shown_without_a_number() -> None:
    """Then no answer can give them as a ground, whatever a model thinks of them."""
    config = grounded_config(pre_tokens=60)
    splits = splits_of([], with_call=True, config=config)
    qa = [split for split in splits if split.source_type == "transcript_qa"]
    port = Scripted(choosing("採用難が一番の課題"))
    [row] = pre(port, qa, config)
    [request] = port.calls
    asked = "人手不足は深刻な課題ではないでしょうか"
    assert f"\n【質問】{asked}" in request.messages[1].text
    assert not any(asked in text for text in shown(request).values())
    transcript, _, _ = call()
    texts = texts_of([], transcript)
    assert "採用難が一番の課題" in slice_span(row.sentences[0].spans[0], texts)


def test_too_many_sentences_are_asked_for_again_not_cut() -> None:
    config = grounded_config(pre_tokens=60)
    splits = splits_of([section("policy", POLICY)], config=config)
    port = Scripted(lambda request: json.dumps({"sentences": list(shown(request))}))
    with pytest.raises(BadStructureError, match="choose fewer"):
        pre(port, splits, config)
    assert len(port.calls) == 2


def test_a_long_source_is_shown_in_parts_until_one_holds_what_was_chosen() -> None:
    # Each part may leave ~370 characters and holds ~1,400: eight parts are two, then one.
    config = grounded_config(pre_tokens=300, input_limit=4_000, final_tokens=300)
    lines = [f"第{n}工場では熟練工の不足が続いており、採用を急いでいます。" for n in range(320)]
    splits = splits_of([section("policy", "\n".join(lines))], config=config)

    def answer(request: CompletionRequest) -> str:
        return json.dumps({"sentences": sorted(shown(request))[:10]})

    port = Scripted(answer)
    [row] = pre(port, splits, config)
    parts = [request for request in port.calls if "第0工場" in request.messages[1].text]
    assert len(parts) >= 2, "what was chosen is shown again"
    seen = {text for request in port.calls for text in shown(request).values()}
    assert set(lines) <= seen, "no sentence is left out unseen"
    assert len(row.sentences) == 10
    for request in port.calls:
        used = sum(TOKENS.count(message.text) for message in request.messages)
        assert used + request.max_tokens <= 4_000


def items(*rows: tuple[str, str, list[int]]) -> str:
    made = [{"title": t, "explanation": e, "grounds": g} for t, e, g in rows]
    return json.dumps({"items": made}, ensure_ascii=False)


def test_an_item_is_a_line_whose_spans_are_its_grounds() -> None:
    rows, config = chosen()
    port = Scripted(
        lambda _: items(
            ("技能の継承", "巻線工の不足が続いている。", [1]),
            ("採算", "銅価格の転嫁が遅れ、人手も足りない。", [2, 1]),
        )
    )
    made = final(port, rows, config)
    assert made.text == (
        "技能の継承：巻線工の不足が続いている。\n採算：銅価格の転嫁が遅れ、人手も足りない。"
    )
    texts = texts_of([section("policy", POLICY)], None)
    first, second = made.sentences
    assert [slice_span(span, texts) for span in first.spans] == [SHORTAGE]
    assert [slice_span(span, texts) for span in second.spans] == [SHORTAGE, PRICES]
    assert list(shown(port.calls[0]).values()) == [SHORTAGE, PRICES]


@pytest.mark.parametrize(
    "bad",
    [
        items(("課題", "説明である。", [])),
        items(("課題", "説明である。", [3])),
        items(("課題", "", [1])),
        items(("課題", "巻線工の不足が", [1])),
        items(("課題", "The explanation is written in another language than asked.", [1])),
        items(("課題", "人手が足りない状況が続いている。" * 6, [1])),
    ],
    ids=["no grounds", "not shown", "empty", "cut", "other language", "loop"],
)
def test_an_item_that_cannot_stand_is_asked_for_again_and_then_fails(bad: str) -> None:
    rows, config = chosen()
    answers = iter([bad, items(("人手", "巻線工が足りない。", [1]))])
    assert final(Scripted(lambda _: next(answers)), rows, config).text.startswith("人手：")
    with pytest.raises(BadStructureError):
        final(Scripted(lambda _: bad), rows, config)


def test_no_ground_and_no_item_are_said_as_nothing_found() -> None:
    config = grounded_config()
    splits = splits_of([section("policy", POLICY)], config=config)
    [row] = pre(Scripted(lambda _: json.dumps({"sentences": []})), splits, config)
    assert row.nothing_found
    rows, config = chosen()
    assert final(Scripted(lambda _: items()), rows, config).nothing_found
