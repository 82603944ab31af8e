"""Hostile and senseless input: bounded time, whole coverage, a reason instead of a guess."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2_pipelines.transcripts.model_view import model_view
from g2_pipelines_tests.transcripts.helpers import chunked, segmented, uncovered

SIZE = 20_000
BOMBS = {
    "one line": "あ" * SIZE,
    "brackets": "（［【〔" * (SIZE // 4),
    "colons": "あ：" * (SIZE // 2),
    "circles": "○" * SIZE,
    "dashes": "ーー―" * (SIZE // 3),
    "spaces": "　" * SIZE + "あ",
    "fillers": "えー、あのー、ですね、" * (SIZE // 11),
    "times": "0:00:01 " * (SIZE // 8),
    "digits": "9" * SIZE + "\n万円",
    "headings": "【】質疑応答" * (SIZE // 6),
    "gates": "これより質疑、" * (SIZE // 7),
    "organisations": "証券の田中様" * (SIZE // 6),
    "questions": "ご質問もう1点ますか" * (SIZE // 10),
    "aliases": "（以下、" * (SIZE // 4),
    "tags": "<" * SIZE,
}


@pytest.mark.parametrize("name", BOMBS)
@pytest.mark.parametrize("file", ["a.txt", "a.md", "a.html"])
def test_no_pattern_backtracks_without_end(name: str, file: str) -> None:
    """Linear patterns need some 20 ms here, quadratic ones minutes."""
    transcript, turns, segmentation = segmented("あ" + BOMBS[name], file)
    model_view(transcript.text)
    assert uncovered(transcript, turns, segmentation) == []


def test_only_labels_is_unsegmented_with_its_reason() -> None:
    transcript, turns, segmentation = segmented("深沢：\n小林：\n" * 50)
    assert segmentation.segmentation == "unsegmented"
    assert segmentation.warnings == ["unsegmented: labels without words"]
    assert uncovered(transcript, turns, segmentation) == []


def test_a_label_on_every_line_of_one_speaker_is_no_dialogue() -> None:
    _, _, segmentation = segmented("深沢：増えました。\n" * 50)
    assert segmentation.segmentation == "unsegmented"
    assert "1 distinct labels in 50 lines" in segmentation.warnings[0]


def test_thousands_of_speakers_are_kept_apart() -> None:
    text = "".join(
        f"話者{i}：費用はいくらになるのでしょうか。\n説明者：{i}円です。\n" for i in range(500)
    )
    chunks = chunked(text)
    assert len(chunks) == 500
    assert {c.pattern for c in chunks} == {"QA"}


def test_right_to_left_marks_do_not_hide_labels() -> None:
    _, turns, _ = segmented("\u200fQ：売上は\u202eどうですか。\n\u202bA：増えました。\n")
    assert [turn.role for turn in turns] == ["question", "answer"]


def test_mixed_styles_are_said() -> None:
    text = "○司会　始めます。\n○三枝社長　増収でした。\n○司会　質疑に移ります。\nQ：利益はいかがですか。\nA：減りました。\n"
    _, turns, segmentation = segmented(text)
    assert [turn.role for turn in turns] == [
        "moderator",
        "presenter",
        "moderator",
        "question",
        "answer",
    ]
    assert segmentation.warnings == ["mixed label styles: circle_○+qa_colon"]


PIECES = st.sampled_from(
    [
        "○社長　",
        "○委員　",
        "問）",
        "答）",
        "Q：",
        "A：",
        "深沢：",
        "小林：",
        "\n",
        "\n\n",
        "　",
        "（拍手）\n",
        "【質疑応答】\n",
        "質疑応答\n",
        "売上は増えました。",
        "いくらですか。",
        "0:00:01 ",
        "――",
        "1\n",
        "（社長）",
        "SPEAKER_00: ",
    ]
)


@settings(max_examples=50, derandomize=True, deadline=None)
@given(st.lists(PIECES, min_size=1, max_size=40))
def test_whatever_the_labels_every_character_is_covered_once(pieces: list[str]) -> None:
    transcript, turns, segmentation = segmented("あ" + "".join(pieces))
    assert uncovered(transcript, turns, segmentation) == []
    chunks = chunked("あ" + "".join(pieces), max_tokens=30)
    spans = [(s.start, s.end) for c in chunks for s in c.spans]
    assert spans == sorted(spans)
    held = {i for start, end in spans for i in range(start, end)}
    wanted = {i for t in turns for i in range(t.start, t.end) if not transcript.text[i].isspace()}
    assert wanted <= held
    assert all(c.tokens <= 30 for c in chunks)
