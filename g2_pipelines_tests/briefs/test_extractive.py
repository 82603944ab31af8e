"""The embedded engine: the source's own sentences, in budget, each for one aspect."""

from __future__ import annotations

import random

import pytest

from g2_pipelines.briefs.config import load_config
from g2_pipelines.briefs.extractive import ExtractivePreSummarizer
from g2_pipelines.briefs.ports import NOTHING_FOUND
from g2_pipelines.briefs.pre_summaries import pre_summarize
from g2_pipelines.text.overlap import ngram_overlap
from g2_pipelines.text.spans import slice_span
from g2_pipelines_tests.briefs.material import (
    COMPANY,
    MDNA,
    POLICY,
    TOKENS,
    both_sections,
    call,
    extractive_brief,
    run,
    section,
    small_config,
    splits_of,
    texts_of,
)

ASPECTS = ("environment", "issues", "outlook", "strengths")


def sentences_of(aspect: str, **options: bool) -> list[str]:
    splits = splits_of(both_sections(), **options)
    _, final = extractive_brief(splits, load_config(None), aspect)
    return [final.text[one.start : one.end] for one in final.sentences]


@pytest.mark.parametrize(
    ("aspect", "words", "never"),
    [
        ("environment", ["取り巻く事業環境", "我が国経済"], ["売上高は", "資金は"]),
        ("issues", ["巻線工の不足", "価格改定の交渉を急ぐ必要"], ["強みは"]),
        ("outlook", ["2028年３月期までに"], ["となりました"]),
        ("strengths", ["強みは、巻線の自社一貫生産", "特許を31件"], ["必要があります"]),
    ],
)
def test_each_aspect_gets_the_sentences_that_speak_of_it(
    aspect: str, words: list[str], never: list[str]
) -> None:
    text = "".join(sentences_of(aspect))
    assert all(word in text for word in words)
    assert not any(word in text for word in never)


@pytest.mark.parametrize("aspect", ASPECTS)
@pytest.mark.parametrize("simple", [False, True])
def test_every_sentence_is_the_characters_of_its_spans(aspect: str, simple: bool) -> None:
    """A citation that is off by one shows the reader another sentence than was quoted."""
    rows = both_sections()
    texts = texts_of(rows, call()[0])
    splits = splits_of(rows, with_call=True)
    pre, final = extractive_brief(splits, load_config(None), aspect, simple=simple)
    for summary in [*pre, final]:
        if summary.nothing_found:
            continue
        for one in summary.sentences:
            said = summary.text[one.start : one.end]
            assert said == "".join(slice_span(span, texts) for span in one.spans)


def test_no_sentence_serves_two_aspects() -> None:
    taken: dict[str, str] = {}
    for aspect in ASPECTS:
        for sentence in sentences_of(aspect, with_call=True):
            assert taken.setdefault(sentence, aspect) == aspect


def test_a_statement_told_in_two_sections_serves_one_aspect_in_both() -> None:
    """A report repeats itself; two aspects of its brief must not."""
    told = "急激な環境の変化を受け、収益性の向上をより強力に進めるため、本計画をさらに強化する必要が出てきています。"
    again = "急激な環境の変化を受け、収益性の向上をより強力に進めるため、本計画の見直しを目指してまいります。"
    rows = [
        section("policy", f"(1) 対処すべき課題\n{told}\n"),
        section("mdna", f"(1) 中期経営計画\n{again}\n"),
    ]
    config = load_config(None)
    texts = [
        final.text
        for aspect in ASPECTS
        if not (final := extractive_brief(splits_of(rows), config, aspect)[1]).nothing_found
    ]
    assert len(texts) == 1
    assert ngram_overlap(told, again) > 0.5


def test_a_question_is_never_said_by_the_company() -> None:
    """「人手不足は深刻な課題」 asked by a reporter is not the company's admission."""
    text = "".join(sentences_of("issues", with_call=True))
    assert "採用難が一番の課題" in text
    assert "巻線工の不足が最大の課題" not in text
    assert "ないでしょうか" not in text


def test_a_questioners_words_are_not_in_the_simple_baseline_either() -> None:
    pre, _ = extractive_brief(
        splits_of([], with_call=True), load_config(None), "issues", simple=True
    )
    assert not any("最大の課題" in row.text for row in pre)


def test_in_the_questions_part_a_speaker_of_unknown_role_is_not_quoted() -> None:
    transcript, turns, chunks = call()
    unknown = [turn.model_copy(update={"role": "unknown"}) for turn in turns]
    from g2_pipelines.briefs.sources import make_splits
    from g2_pipelines_tests.briefs.material import plain_view

    config = load_config(None)
    splits = make_splits(
        sections=[],
        transcripts=[transcript],
        turns=unknown,
        chunks=[chunk for chunk in chunks if chunk.part == "qa"],
        config=config,
        tokenizer=TOKENS,
        model_view=plain_view,
    )
    _, final = extractive_brief(splits, config, "issues")
    assert final.nothing_found


def test_a_sentence_that_points_back_comes_with_what_it_points_to() -> None:
    sentences = sentences_of("issues")
    at = next(i for i, one in enumerate(sentences) if one.startswith("この課題に対応するため"))
    assert "重要な経営課題であると認識" in sentences[at - 1]


def test_a_sentence_that_points_back_to_a_table_is_left_out() -> None:
    text = "(1) 対処すべき課題\n区分\t金額\nこれにより、人員の不足が重要な課題であると認識しております。\n"
    _, final = extractive_brief(splits_of([section("policy", text)]), load_config(None), "issues")
    assert final.nothing_found


def issues_of(text: str, **limits: int) -> list[str]:
    splits = splits_of([section("policy", text)])
    _, final = extractive_brief(splits, small_config(**limits), "issues")
    return [final.text[one.start : one.end] for one in final.sentences]


BEFORE = "巻線の検査記録の一部が社内の基準と異なる方法で作られていました。"
LEANING = (
    "対象は二つの機種における検査記録の不備であり、再発防止が重要な課題であると認識しています。"
)


def test_what_a_sentence_leans_on_is_taken_with_it_or_neither_is() -> None:
    text = f"(1) 対処すべき課題\n{BEFORE}{LEANING}\n"
    assert issues_of(text) == [BEFORE, LEANING]
    assert issues_of(text, final_tokens=len(LEANING) + 5) == [NOTHING_FOUND]
    assert issues_of(f"(1) 対処すべき課題\n区分\t件数\n{LEANING}\n") == [NOTHING_FOUND]


def test_a_sentence_that_leans_on_another_aspects_is_left_out() -> None:
    market = "わが国経済は、物価の上昇により先行きが不透明な状況が続いております。"
    leaning = "このような中、人材の確保が重要な課題であると認識しています。"
    assert issues_of(f"(1) 概況\n{market}{leaning}\n") == [NOTHING_FOUND]


@pytest.mark.parametrize("budget", [60, 120, 250])
@pytest.mark.parametrize("aspect", ASPECTS)
def test_budgets_hold(aspect: str, budget: int) -> None:
    config = small_config(final_tokens=budget)
    sources = tuple(
        source.model_copy(update={"pre_summary_tokens": budget * 2})
        for source in config.source_types
    )
    config = config.model_copy(update={"source_types": sources})
    pre, final = extractive_brief(splits_of(both_sections(), with_call=True), config, aspect)
    assert all(row.tokens <= budget * 2 for row in pre)
    assert final.tokens <= budget


def test_the_summary_keeps_the_sources_order() -> None:
    splits = splits_of(both_sections(), with_call=True)
    for aspect in ASPECTS:
        pre, final = extractive_brief(splits, load_config(None), aspect)
        for row in pre:
            starts = [one.spans[0].start for one in row.sentences if one.spans]
            assert starts == sorted(starts)
        seen = [one.spans[0].source_id for one in final.sentences if one.spans]
        assert len(list(dict.fromkeys(seen))) == sum(
            1 for i, one in enumerate(seen) if i == 0 or one != seen[i - 1]
        )


@pytest.mark.parametrize("aspect", ASPECTS)
def test_shuffled_input_gives_the_same_bytes(aspect: str) -> None:
    splits = splits_of(both_sections(), with_call=True)
    expected = extractive_brief(splits, load_config(None), aspect)
    shuffled = random.Random(7)
    for _ in range(4):
        shuffled.shuffle(splits)
        assert extractive_brief(splits, load_config(None), aspect) == expected


def test_a_source_that_says_nothing_says_so() -> None:
    text = "(1) 生産実績\n生産実績は次のとおりであります。\n品目\t金額\nモータ\t12\n"
    splits = splits_of([section("policy", text)])
    for aspect in ASPECTS:
        pre, final = extractive_brief(splits, load_config(None), aspect)
        assert [row.text for row in pre] == [NOTHING_FOUND]
        assert final.text == NOTHING_FOUND
        assert final.nothing_found
        assert final.sentences[0].spans == []


def test_a_repeated_sentence_is_taken_once() -> None:
    rows = both_sections()
    line = "当社グループを取り巻く事業環境は、原材料価格の高騰と人手不足により厳しい状況が続いております。"
    rows[1] = section("mdna", f"(1) 経営環境\n{line}\n")
    _, final = extractive_brief(splits_of(rows), load_config(None), "environment")
    assert final.text.count(line) == 1


@pytest.mark.parametrize(
    ("sentence", "strength"),
    [
        ("小型巻線機の累計販売本数は61万本となり、順調に推移しました。", False),
        ("当期のミリオンセラータイトルは独自開発のものを含めて4タイトルとなりました。", False),
        ("独自技術を搭載した新型巻線機が販売を牽引し、好調に推移しました。", False),
        ("小型巻線機は国内シェア第１位であり、累計12万台が使われています。", True),
        ("当社は静音設計に強みを有しております。", True),
        ("当社は熟練工による手巻きを強みとし、医療機器にも使われています。", True),
        ("当社は独自の技術に支えられた製品を供給しています。", True),
        ("当社は巻線機で高いシェアを有しています。", True),
        ("静音に関する特許を31件取得しております。", True),
        ("当社は全国の工務店との強固な顧客基盤を有しています。", True),
        ("当社は高いブランド力を背景に販売しています。", True),
    ],
)
def test_a_strength_says_in_what_the_company_is_ahead(sentence: str, strength: bool) -> None:
    """Figures of what was sold are results, however good."""
    splits = splits_of([section("policy", f"(1) 事業の概況\n{sentence}\n")])
    _, final = extractive_brief(splits, load_config(None), "strengths")
    assert (final.text == sentence) is strength
    assert final.nothing_found is not strength


def test_english_sources_work_too() -> None:
    text = (
        "(1) Business environment\nThe small motor market is expanding as housing demand grows.\n"
        "(2) Issues to address\nWe must secure skilled workers to keep our plants running.\n"
        "Net sales increased 6.4% compared with the previous year to 12 billion yen.\n"
        "(3) Strengths\nOur main strength is a proprietary winding process with 31 patents.\n"
        "(4) Outlook\nWe expect net sales of 15 billion yen in fiscal 2028.\n"
    )
    splits = splits_of([section("policy", text)])
    config = load_config(None)
    made = {aspect: extractive_brief(splits, config, aspect)[1].text for aspect in ASPECTS}
    assert made["environment"].startswith("The small motor market")
    assert made["issues"].startswith("We must secure")
    assert made["strengths"].startswith("Our main strength")
    assert made["outlook"].startswith("We expect net sales")


def test_an_added_aspect_is_found_by_its_own_cues() -> None:
    config = load_config(None)
    risk = config.aspects[0].model_validate(
        {
            "key": "copper",
            "label": "銅",
            "label_english": "Copper",
            "meaning": "銅の価格",
            "meaning_english": "copper prices",
            "cues": [{"weight": 9, "patterns": ["銅価格"]}],
        }
    )
    config = config.model_copy(update={"aspects": (*config.aspects, risk)})
    _, final = extractive_brief(splits_of(both_sections()), config, "copper")
    assert final.text.startswith("銅価格の上昇分")


def test_an_added_aspect_without_cues_is_found_by_the_words_of_its_meaning() -> None:
    config = load_config(None)
    noise = config.aspects[0].model_validate(
        {
            "key": "noise",
            "label": "静音",
            "label_english": "Silence",
            "meaning": "静音に関する特許と技術",
            "meaning_english": "patents on silent running",
        }
    )
    config = config.model_copy(update={"aspects": (noise,)})
    _, final = extractive_brief(splits_of(both_sections()), config, "noise")
    assert "静音に関する特許" in final.text


def test_no_splits_are_no_pre_summaries() -> None:
    made = run(
        pre_summarize(
            [],
            company=COMPANY,
            aspect=None,
            config=load_config(None),
            summarizer=ExtractivePreSummarizer(),
            tokenizer=TOKENS,
        )
    )
    assert made == []


@pytest.mark.parametrize("aspect", ["environment", "issues", "outlook", "strengths"])
@pytest.mark.parametrize("simple", [False, True])
def test_an_added_aspect_changes_no_other_aspects_text(aspect: str, *, simple: bool) -> None:
    """Switching an example on must not rewrite what was published."""
    config = load_config("extends: [earnings_points, issue_suggestions, risks, sales_talk]")
    # Of 課題 by its heading alone, which issue_suggestions knows as well.
    by_heading = POLICY.replace(
        "① 人材の確保\n", "上海の部品倉庫を蘇州に統合しております。\n① 人材の確保\n"
    )
    rows = [section("policy", by_heading), section("mdna", MDNA)]
    splits = splits_of(rows, with_call=True)
    before = extractive_brief(splits, load_config(None), aspect, simple=simple)
    assert ("蘇州" in before[1].text) == (aspect == "issues" and not simple)
    assert extractive_brief(splits, config, aspect, simple=simple) == before
