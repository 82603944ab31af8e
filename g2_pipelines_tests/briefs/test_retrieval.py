"""Chunks for an aspect: what a ranking or guidance names stays, and what is left out is said."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from g2_pipelines.briefs.config import BriefConfig, RetrievalSpec
from g2_pipelines.briefs.pre_summaries import StrategyError, pre_summarize
from g2_pipelines.briefs.prompted import PromptedPreSummarizer
from g2_pipelines.briefs.retrieval import Retrieved, has_guidance, retrieve
from g2_pipelines.errors import ModelError
from g2_pipelines.models.ports import EmbeddingResult
from g2_pipelines.tables.line1 import SourceSplit
from g2_pipelines.text.spans import slice_span
from g2_pipelines_tests.briefs.material import (
    COMPANY,
    TOKENS,
    run,
    section,
    small_config,
    splits_of,
)
from g2_pipelines_tests.briefs.scripted import ANSWER, Scripted, brief_config

NEUTRAL = "当事業所の所在地は長野県であり、建物は鉄骨造である。建屋番号{}を使用している。\n"
ISSUE = "熟練した巻線工の不足が重要な経営課題であると認識しております。\n"
GUIDANCE = "翌年度の売上高は１５０億円を見込んでおります。\n"
MEANT = "腕の良い職人が辞めていくことに悩んでいる。\n"
TEXT = (
    "".join(NEUTRAL.format(n) for n in range(20))
    + ISSUE
    + "".join(NEUTRAL.format(n) for n in range(20, 40))
    + GUIDANCE
    + "".join(NEUTRAL.format(n) for n in range(40, 60))
    + MEANT
    + "".join(NEUTRAL.format(n) for n in range(60, 80))
)


class Vectors:
    """An embedding in which the sentence MEANT is near the query, and all else far from it."""

    engine = "embedded"
    model = "two numbers"
    dimension = 2

    def __init__(self, fail: Exception | None = None) -> None:
        self.fail = fail
        self.asked: list[str] = []

    async def embed(self, texts: Sequence[str]) -> list[EmbeddingResult]:
        self.asked += texts
        if self.fail is not None:
            return [self.fail for _ in texts]  # type: ignore[misc]
        near = [text == texts[0] or MEANT.strip() in text for text in texts]
        return [[1.0, 0.0] if one else [0.1, 1.0] for one in near]


def config(tokens: int = 200, top_k: int = 1) -> BriefConfig:
    given = RetrievalSpec(tokens=tokens, chunk_tokens=60, top_k=top_k)
    return small_config().model_copy(update={"retrieval": given})


def found(
    text: str = TEXT,
    settings: BriefConfig | None = None,
    vectors: Vectors | None = None,
    *,
    aspect: str = "issues",
) -> tuple[Retrieved, list[SourceSplit]]:
    settings = settings or config()
    splits = splits_of([section("policy", text)], config=settings)
    kept = run(
        retrieve(
            splits,
            aspect=settings.aspect(aspect),
            config=settings,
            embedding=vectors or Vectors(),
            tokenizer=TOKENS,
        )
    )
    return kept, splits


def test_what_words_lexicon_meaning_or_guidance_name_is_kept() -> None:
    """A filter that drops the one sentence that mattered is worse than no filter."""
    kept, _ = found()
    text = "".join(split.model_text for split in kept.splits)
    assert ISSUE in text
    assert GUIDANCE in text
    assert MEANT in text
    assert "建屋番号5を" not in text


def test_what_is_left_out_is_counted() -> None:
    kept, splits = found()
    read = sum(split.tokens for split in kept.splits)
    assert kept.tokens == sum(split.tokens for split in splits)
    assert kept.tokens - kept.left_out == read
    assert kept.note == (
        f"retrieval left out {kept.left_out} of {kept.tokens} tokens"
        f" ({100 * kept.left_out / kept.tokens:.0f} %)"
    )


def test_kept_chunks_are_the_sources_own_words_in_its_order() -> None:
    kept, _ = found()
    texts = {section("policy", TEXT).source_id: TEXT}
    for split in kept.splits:
        assert "".join(slice_span(span, texts) for span in split.spans) == split.text
        starts = [span.start for span in split.spans]
        assert starts == sorted(starts)


def test_a_source_within_the_limit_is_kept_whole_without_an_embedding() -> None:
    vectors = Vectors()
    kept, splits = found(settings=config(tokens=10_000), vectors=vectors)
    assert (list(kept.splits), kept.left_out, kept.note) == (splits, 0, "")
    assert vectors.asked == []


def test_more_tokens_keep_more_and_never_other_guarded_chunks() -> None:
    few, _ = found(settings=config(tokens=300))
    many, _ = found(settings=config(tokens=1200))
    assert many.left_out < few.left_out
    held = "".join(split.model_text for split in many.splits)
    for line in "".join(split.model_text for split in few.splits).splitlines():
        assert line in held


def test_a_question_stays_with_its_answer() -> None:
    splits = splits_of([], with_call=True)
    qa = [split for split in splits if split.source_type == "transcript_qa"]
    given = config().model_copy(
        update={"retrieval": RetrievalSpec(tokens=200, chunk_tokens=150, top_k=1)}
    )
    long = qa[0].model_copy(
        update={
            "model_text": qa[0].model_text + "\n" + "".join(NEUTRAL.format(n) for n in range(20)),
            "tokens": 2_000,
        }
    )
    kept = run(
        retrieve(
            [long],
            aspect=given.aspect("issues"),
            config=given,
            embedding=Vectors(),
            tokenizer=TOKENS,
        )
    )
    text = "".join(split.model_text for split in kept.splits)
    assert "【質問】" in text
    assert "【回答】" in text


def test_an_embedding_that_fails_is_a_failure_not_a_smaller_choice() -> None:
    with pytest.raises(ModelError, match="no server"):
        found(vectors=Vectors(ModelError("no server")))


@pytest.mark.parametrize(
    ("text", "guidance"),
    [
        ("2026年３月期の売上高は510億円を見込んでおります。", True),
        ("中期経営計画の目標は営業利益率１０％です。", True),
        ("We expect net sales of 51 billion yen.", True),
        ("計画を推進しております。", False),
        ("売上高は47,900百万円となりました。", False),
        ("計画を推進しております。売上高は479億円でした。", False),
    ],
)
def test_guidance_is_a_figure_beside_a_word_of_plans(text: str, *, guidance: bool) -> None:
    assert has_guidance(text) is guidance


def test_a_pre_summary_says_what_was_not_read_and_whose_strategy_it_is() -> None:
    settings = brief_config().model_copy(
        update={"retrieval": RetrievalSpec(tokens=200, chunk_tokens=60, top_k=1)}
    )
    port = Scripted(lambda _: ANSWER)
    known = {
        "company": COMPANY,
        "aspect": settings.aspect("issues"),
        "config": settings,
        "summarizer": PromptedPreSummarizer(port),
        "tokenizer": TOKENS,
        "strategy": "retrieval",
    }
    splits = splits_of([section("policy", TEXT)], config=settings)
    [row] = run(pre_summarize(splits, embedding=Vectors(), **known))
    assert row.strategy == "retrieval"
    assert any(note.startswith("retrieval left out") for note in row.warnings)
    assert sum(span.end - span.start for span in row.spans) < len(TEXT)
    [call] = port.calls
    assert "建屋番号5を" not in call.messages[-1].text
    with pytest.raises(StrategyError, match="embedding"):
        run(pre_summarize(splits, **known))
