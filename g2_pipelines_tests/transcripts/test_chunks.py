"""Rules, policies, sizes and ids of chunks."""

from __future__ import annotations

import pytest

from g2_pipelines.errors import LimitError
from g2_pipelines.transcripts.segment import segment
from g2_pipelines_tests.transcripts.helpers import chunked, segmented, transcript_of

NAMED = """○三枝社長　社長の三枝です。業績をご説明します。
○田中委員　融資の残高を伺います。
○三枝社長　二億円です。
○田中委員　今の答弁に関連して、返済の遅れを伺います。
○三枝社長　ありません。
○宮本委員　三点お尋ねします。一点目は人員、二点目は費用、三点目は場所です。
○三枝社長　順に申し上げます。
○佐々木部長　補足します。
"""


def test_a_follow_up_names_its_parent_and_shares_the_exchange() -> None:
    _, first, second, other = chunked(NAMED)
    assert (second.parent_id, second.is_followup) == (first.chunk_id, True)
    assert second.exchange_id == first.exchange_id != other.exchange_id
    assert (other.parent_id, other.is_followup) == (None, False)


def test_the_counted_questions_and_answerers_are_kept() -> None:
    other = chunked(NAMED)[3]
    assert (other.pattern, other.n_questions, other.n_answers) == ("QAA", 3, 2)
    assert other.answerers == ["三枝社長", "佐々木部長"]


def test_an_exchange_is_all_of_one_questioner() -> None:
    chunks = chunked(NAMED, policy="exchange")
    assert [(c.pattern, c.questioner) for c in chunks] == [
        ("", None),
        ("QAQA", "田中委員"),
        ("QAA", "宮本委員"),
    ]


def test_a_turn_is_a_chunk_by_policy_turn() -> None:
    assert [c.pattern for c in chunked(NAMED, policy="turn")] == [
        "",
        "Q",
        "A",
        "Q",
        "A",
        "Q",
        "A",
        "A",
    ]


def test_one_member_after_another_without_answers_is_no_giant_chunk() -> None:
    """Five statements that nobody answers were one chunk of 24,460 characters."""
    text = "○司会　質疑に移ります。\n○三枝社長　はじめにご説明します。\n" + "".join(
        f"○{name}委員　{'意見を申し上げます。' * 30}この点を伺います。\n" for name in "甲乙丙丁戊"
    )
    chunks = [
        c
        for c in chunked(text + "○三枝社長　承りました。\n○司会　終わります。\n")
        if c.part == "qa"
    ]
    assert [c.pattern for c in chunks] == ["Q", "Q", "Q", "Q", "QA"]
    assert [c.warnings for c in chunks[:4]] == [["unanswered"]] * 4


LONG = (
    "【質疑応答】\nQ："
    + "新工場の立ち上がりについて、教えてください。\nA："
    + ("一つ目の建屋は、442億9,600万円を投じ、計画どおりに動いています。" * 40)
    + "\n"
)


@pytest.mark.parametrize("cap", [60, 200, 1000])
def test_no_part_is_above_the_cap_and_nothing_is_lost(cap: int) -> None:
    transcript, turns, _ = segmented(LONG)
    chunks = chunked(LONG, max_tokens=cap)
    first, *rest = chunks
    question = LONG.split("\n")[1].removeprefix("Q：")
    asked = [transcript.text[s.start : s.end] for s in first.question]
    assert asked == ([question] if 4 * len(question) <= cap else [])
    header = len("".join(asked)) + 1 if asked else 0
    assert first.tokens == len(first.text) <= cap
    assert all(c.tokens == header + len(c.text) <= cap for c in rest)
    assert all(c.question == first.question for c in rest)
    kept = "".join(transcript.text[s.start : s.end] for c in chunks for s in c.spans)
    assert kept == "".join(turn.text for turn in turns)
    assert not any(c.text.startswith(("億", "万", ",")) for c in chunks)


def test_of_a_long_question_only_the_sentences_that_ask_are_repeated() -> None:
    words = "当社の拡販について背景を述べます。" * 20
    text = f"Q：{words}来期の計画を教えてください。\nA：{'順調に進んでいます。' * 100}\n"
    transcript, _, _ = segmented(text)
    chunks = chunked(text, max_tokens=300)
    assert len(chunks) > 3
    assert {tuple(transcript.text[s.start : s.end] for s in c.question) for c in chunks} == {
        ("来期の計画を教えてください。",)
    }
    assert all(c.tokens <= 300 for c in chunks)


def test_last_words_of_a_questioner_stay_with_his_last_answer() -> None:
    """They were chunks of an unanswered question: 10 in three committee records."""
    text = (
        "○田中委員　残高を伺います。\n○三枝社長　二億円です。\n"
        "○田中委員　なぜそうなったかは聞いてきたとおりです。経営の責任は重いと意見を申し上げます。\n"
        "○宮本委員　人員はいかがですか。\n○三枝社長　百人です。\n"
        "○宮本委員　では、費用はいくらになるのでしょうか。\n○司会　時間です。\n"
    )
    chunks = chunked(text)
    assert [(c.pattern, c.questioner, c.warnings) for c in chunks] == [
        ("QAQ", "田中委員", []),
        ("QA", "宮本委員", []),
        ("Q", "宮本委員", ["unanswered"]),
    ]


def test_a_questioner_whom_the_chair_interrupts_goes_on() -> None:
    text = (
        "○田中委員　残高を伺います。\n○三枝社長　二億円です。\n"
        "○田中委員　それはずいぶん多い残高だと思うわけです。\n○山下委員長　ご静粛に願います。\n"
        "○田中委員　返済の予定を伺います。\n○三枝社長　三年です。\n"
    )
    assert [c.pattern for c in chunked(text)] == ["QA", "QQA"]


def test_parts_know_the_part_that_holds_the_question() -> None:
    head, *rest = chunked(LONG, max_tokens=400)
    assert head.parent_id is None
    assert rest
    assert {c.parent_id for c in rest} == {head.chunk_id}
    assert head.warnings == [f"part 1 of {len(rest) + 1} at the size cap"]
    assert {c.pattern for c in [head, *rest]} == {"QA"}
    assert not any(c.is_followup for c in rest)


def test_an_impossible_cap_is_a_named_limit() -> None:
    class Heavy:
        name = "heavy"

        def count(self, text: str) -> int:
            return 5 * len(text)

    from g2_pipelines.transcripts.chunks import chunk

    transcript, turns, segmentation = segmented("Q：売上は？\nA：増えました。\n")
    with pytest.raises(LimitError):
        chunk(transcript, turns, segmentation, max_tokens=3, tokenizer=Heavy())


def test_ids_depend_on_document_and_place_only() -> None:
    again = [c.chunk_id for c in chunked(NAMED)]
    assert [c.chunk_id for c in chunked(NAMED)] == again
    assert not set(again) & {c.chunk_id for c in chunked(NAMED + "\n")}


def test_unlabelled_text_is_said_to_be_and_cut_by_tokens() -> None:
    text = "売上は増えました。利益は減りました。" * 100
    transcript, turns, segmentation = segmented(text)
    chunks = chunked(text, max_tokens=500)
    assert segmentation.segmentation == "unsegmented"
    assert segmentation.warnings == ["unsegmented: no speaker labels found"]
    assert [turn.role for turn in turns] == ["unknown"]
    assert "".join(c.text for c in chunks) == transcript.text
    assert {tuple(c.warnings[:1]) for c in chunks} == {("unsegmented: cut by tokens only",)}


def test_an_override_by_title_beats_the_lexicon() -> None:
    transcript = transcript_of(NAMED)
    turns, _ = segment(transcript, roles={"部長": "moderator"})
    assert [(t.role, t.role_source) for t in turns if t.speaker == "佐々木部長"] == [
        ("moderator", "override")
    ]


def test_votes_are_shown_for_every_style_seen() -> None:
    _, _, segmentation = segmented(NAMED)
    chosen = [vote for vote in segmentation.votes if vote.chosen]
    assert [(v.style, v.lines, v.labels, v.repeats) for v in chosen] == [("circle_○", 8, 4, 4)]
