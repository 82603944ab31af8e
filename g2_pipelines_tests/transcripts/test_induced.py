"""Label shapes that no rule lists are found from the document alone; prose is left whole."""

from __future__ import annotations

from itertools import pairwise

import pytest

from g2_pipelines.tables.line1 import TranscriptSegmentation, Turn
from g2_pipelines.transcripts.induced import induce
from g2_pipelines.transcripts.induced_shapes import heads, may_name
from g2_pipelines.transcripts.lines import lines_of
from g2_pipelines.transcripts.make import make_transcript
from g2_pipelines.transcripts.segment import segment
from g2_pipelines_tests.transcripts.induced_prose import PROSE
from g2_pipelines_tests.transcripts.induced_shapes import CALL, CASTS, SHAPES, Rendered, rendered

#: Of 2,100 renderings 97.7 % were right when this was written.
WANTED = 0.95
STEP = 11
NAMES = CASTS["names"]


def _cut(text: str) -> tuple[list[Turn], TranscriptSegmentation]:
    transcript, clean = make_transcript(
        text.encode(),
        "a.txt",
        edinet_code="E99001",
        fiscal_year="2025-03",
        kind="other",
        document_kind=None,
    )
    return segment(transcript, clean.timings)


def _tight(words: str) -> str:
    return "".join(words.split())


def _right(one: Rendered) -> bool:
    turns, _ = _cut(one.text)
    got = [_tight(turn.text) for turn in turns]
    # A cell's end or a time may stand behind the words.
    return len(got) == len(one.said) and all(
        words.startswith(_tight(said)) and len(words) <= len(_tight(said)) + 8
        for words, said in zip(got, one.said, strict=True)
    )


def test_calls_in_unlisted_shapes_give_their_turns() -> None:
    assert len(SHAPES) >= 60
    every = list(rendered())[::STEP]
    wrong = [one.name for one in every if not _right(one)]
    assert len(wrong) <= (1 - WANTED) * len(every), wrong


@pytest.mark.parametrize("name", sorted(PROSE))
def test_lines_that_begin_alike_are_not_cut_by_an_induced_shape(name: str) -> None:
    _, segmentation = _cut(PROSE[name])
    assert "induced" not in segmentation.style


def test_an_induced_style_stands_in_the_votes_with_its_confidence() -> None:
    text = "\n".join(f"☞ {NAMES[who]} ┆ {said}" for who, said in CALL)
    turns, segmentation = _cut(text)
    [vote] = [v for v in segmentation.votes if v.chosen]
    assert (vote.style, vote.lines, vote.labels) == ("induced", 13, 5)
    assert segmentation.segmentation == "labelled"
    [warning] = segmentation.warnings
    assert "induced" in warning
    assert [t.speaker for t in turns[:3]] == ["深沢", "小林", "三枝"]


def test_shares_of_a_grammar() -> None:
    text = "\n".join(f"☞ {NAMES[who]} ┆ {said}" for who, said in CALL)
    lines = lines_of(text)
    found = induce(text, lines, [None] * len(lines), ())
    assert found is not None
    assert found.shape == "…┆"
    assert [m.label for m in found.marks] == [NAMES[who] for who, _ in CALL]
    # Every label comes again (1), all have a name's form and none shows a party (0.8), all words
    # are said (1), every question has another behind (1), no label follows itself (1).
    assert found.confidence == pytest.approx((1 + 0.8 + 1 + 1 + 1) / 5)


def test_known_styles_stay_where_they_explain_the_text() -> None:
    text = "\n".join(f"{'記者' if who[0] == 'q' else '社長'}：{said}" for who, said in CALL)
    _, segmentation = _cut(text)
    assert segmentation.style == "name_colon"
    assert segmentation.warnings == []


def test_questions_without_another_speaker_behind_are_no_dialogue() -> None:
    text = "\n".join(f"{'甲' if i < 6 else '乙'} ┆ どうしてそうなるのですか。" for i in range(12))
    _, segmentation = _cut(text)
    assert segmentation.segmentation == "unsegmented"


@pytest.mark.parametrize(
    ("line", "below", "shape", "label"),
    [
        ("0:03:12 東都新聞 田端記者／理由は何ですか。", False, "…／", "東都新聞 田端記者"),
        ("参加者 1 00:00", True, "=ownt", "参加者 1"),
        ("司会　　　お待たせしました。", False, "…　", "司会"),
        ("広報室長　狩野", True, "=own", "広報室長　狩野"),
        ("[03] <社長> こんにちは。", False, "<…>", "社長"),
        ("Jane Doe, CFO -> Thank you.", False, "…->", "Jane Doe, CFO"),
    ],
)
def test_heads_of_lines(line: str, below: bool, shape: str, label: str) -> None:
    found = heads(line, 0, len(line), below=below)
    assert (shape, label) in [(head.shape, head.label) for head in found]


@pytest.mark.parametrize(
    ("label", "wanted"),
    [
        ("三枝社長", True),
        ("東都新聞 記者", True),
        ("Ichiro Saegusa", True),
        ("参加者 1", True),
        ("2024年4月", False),
        ("第3条", False),
        ("1,204", False),
        ("営業利益", False),
        ("なお", False),
        ("新工場の稼働は", False),
        ("the export no longer stops", False),
        ("社長 @00", False),
    ],
)
def test_what_may_name_somebody(label: str, wanted: bool) -> None:
    assert may_name(label) is wanted


def test_many_distinct_labels_stay_bounded_and_uncut() -> None:
    text = "\n".join(f"声{i} ┆ 第{i}の話でした。" for i in range(10_000))
    lines = lines_of(text)
    assert induce(text, lines, [None] * len(lines), ()) is None


def test_every_character_is_in_a_turn_or_dropped() -> None:
    for one in list(rendered())[::97]:
        turns, segmentation = _cut(one.text)
        spans = sorted(
            [(t.start, t.end) for t in turns] + [(d.start, d.end) for d in segmentation.dropped]
        )
        assert all(a[1] <= b[0] for a, b in pairwise(spans))
        held = sum(len(_tight(one.text[a:b])) for a, b in spans)
        assert held == len(_tight(one.text))
