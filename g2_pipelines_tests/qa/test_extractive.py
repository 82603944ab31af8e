"""The extractive tasks on evidence made by hand: cells, captions, hops, refusals."""

from __future__ import annotations

import asyncio
import random

import pytest

from g2_pipelines.qa.answer import answer_question
from g2_pipelines.qa.build import build_tasks
from g2_pipelines.tables.line2 import Answer, DocumentNode
from g2_pipelines_tests.qa.builders import (
    ENGLISH,
    INJECTION,
    JAPANESE,
    FixedSource,
    RankedSource,
    node,
    question,
)

ALL = [*JAPANESE, *ENGLISH]


def ask(text: str, nodes: list[DocumentNode] | None = None, form: str = "number") -> Answer:
    return asyncio.run(
        answer_question(
            question(text, format=form),
            evidence=RankedSource(ALL if nodes is None else nodes, 8),
            **build_tasks(None)._asdict(),
        )
    )


CELLS = [
    ("適応制御の残留振動は何μmですか", "0.62μm"),
    ("適応制御の消費電力はいくらですか", "265 W"),
    ("繰返し制御の最高回転数は何min⁻¹ですか", "6600 min⁻¹"),
    ("What is the mean sway of Cedar?", "12.9 mm"),
    ("How high is the Birch tower?", "34.0 m"),
]
SENTENCES = [
    ("蓄電池の容量はどれくらいですか", "48kWh"),
    ("試験はどのくらいの時間実施しましたか", "1,200時間"),
    ("How many cabins carry an accelerometer?", "26"),
    ("How long are the records kept?", "18 months"),
]
HOPS = [
    ("残留振動が最も小さい制御方式の最高回転数は何min⁻¹ですか", "7200 min⁻¹"),
    ("How many inspections per year has the tower with the largest mean sway?", "12"),
    ("What is the height of the tower with the largest mean sway?", "28.2 m"),
]
CALCULATED = [
    ("適応制御と無制御の残留振動の差は何μmですか", "4.18μm"),
    ("無制御の残留振動は受動減衰の何倍ですか", "1.63倍"),
    ("What is the difference in height between Birch and Alder?", "12.5 m"),
    ("How much higher is Birch than Alder?", "12.5 m"),
]
UNANSWERABLE = [
    "モデル予測制御の残留振動は何μmですか",
    "適応制御の価格はいくらですか",
    "油圧ポンプの圧力は何MPaですか",
    "図7は何を示していますか",
    "2019年の残留振動は何μmですか",
    "What is the mean sway of Spruce?",
    "What is the colour of the cabins?",
    "What does Figure 9 show?",
    "How many cabins were replaced in 2015?",
    "Who designed the cable car?",
]


@pytest.mark.parametrize(("text", "expected"), [*CELLS, *SENTENCES, *HOPS, *CALCULATED])
def test_a_figure_is_found_where_it_stands(text: str, expected: str) -> None:
    answer = ask(text)
    assert (answer.answer, answer.unanswerable) == (expected, False)
    assert answer.citations


@pytest.mark.parametrize("text", UNANSWERABLE)
def test_what_the_evidence_does_not_hold_is_refused_with_the_reason(text: str) -> None:
    answer = ask(text)
    assert answer.unanswerable
    assert answer.verdict == "insufficient"
    assert answer.why
    assert answer.citations == []


def test_the_reason_of_a_refusal_names_the_lacking_word() -> None:
    assert "モデル予測制御" in ask("モデル予測制御の残留振動は何μmですか").why
    assert "spruce" in ask("What is the mean sway of Spruce?").why


def test_a_caption_answers_what_a_figure_shows() -> None:
    answer = ask("図2は何を示していますか", form="sentence")
    assert answer.answer == JAPANESE[3].caption
    assert answer.citations[0].node_id == "j3"
    assert ask("What does Figure 4 show?", form="sentence").answer == ENGLISH[3].caption


def test_a_caption_alone_may_hold_the_figure_that_is_asked() -> None:
    answer = ask("図2で、素子は何個置きましたか")
    assert answer.answer == "3個"
    assert answer.citations[0].quote == JAPANESE[3].caption


def test_two_hops_are_two_steps_with_both_rows_cited() -> None:
    answer = ask("残留振動が最も小さい制御方式の最高回転数は何min⁻¹ですか", form="sentence")
    assert [(item.id, item.depends_on) for item in answer.plan_versions[0].nodes] == [
        ("q1", []),
        ("q2", ["q1"]),
        ("answer", ["q2"]),
    ]
    assert answer.sub_answers[0].operation == "rank"
    assert answer.sub_answers[0].result.endswith("適応制御 (0.62μm)")
    assert (
        answer.answer == "適応制御です（残留振動 0.62μm）。適応制御の最高回転数は7200 min⁻¹です。"
    )


def test_a_total_takes_no_part_in_a_ranking() -> None:
    assert ask("Which tower has the largest height?", form="short").answer == "Birch"


def test_a_calculated_answer_names_its_values_and_cites_both() -> None:
    answer = ask("適応制御と無制御の残留振動の差は何μmですか", form="sentence")
    assert answer.answer == "4.18μmです（無制御 残留振動 4.80μm − 適応制御 残留振動 0.62μm）。"
    assert [item.quote for item in answer.citations] == [
        "適応制御\t0.62\t7200\t265",
        "無制御\t4.80\t6000\t210",
    ]


def test_a_reason_is_given_by_the_sentence_that_gives_it() -> None:
    answer = ask("なぜ適応制御で騒音が増えたのですか", form="sentence")
    assert answer.answer == JAPANESE[4].text


@pytest.mark.parametrize(
    "text", [pair[0] for pair in [*CELLS, *SENTENCES, *HOPS, *CALCULATED]] + UNANSWERABLE
)
def test_a_document_that_gives_orders_changes_no_answer(text: str) -> None:
    """Prompt injection: the node holds the question's words and a false value."""
    assert ask(text, [*ALL, INJECTION]).answer == ask(text).answer


def test_evidence_that_only_gives_orders_answers_nothing() -> None:
    assert ask("適応制御の残留振動は何μmですか", [INJECTION]).unanswerable


def test_two_cells_that_fit_equally_well_are_no_answer() -> None:
    double = node("d", "方式\t振動(μm)\n甲方式\t1.5\n甲方式\t9.5", kind="table", caption="表9 振動")
    answer = ask("甲方式の振動は何μmですか", [double])
    assert answer.unanswerable
    assert answer.gaps[0].kind == "ambiguous"


def test_two_tables_that_contradict_each_other_are_a_conflict_with_both_values() -> None:
    one, other = (
        node(
            name,
            f"方式\t振動(μm)\n甲方式\t{value}\n乙方式\t7",
            kind="table",
            caption=f"{name} 振動",
        )
        for name, value in (("表1", "1.5"), ("表2", "2.5"))
    )
    answer = ask("甲方式の振動は何μmですか", [one, other])
    assert answer.unanswerable
    assert answer.gaps[0].kind == "conflicting"
    assert "1.5μm、2.5μm" in answer.why
    assert ask("表2で、甲方式の振動は何μmですか", [one, other]).answer == "2.5μm"


def test_one_quantity_in_two_units_is_no_conflict() -> None:
    table = node("t", "Rank\tName\tArea (km²)\tArea (sq mi)\n1\tOak Island\t10\t3.9", kind="table")
    answer = ask("How large is Oak Island?", [table], form="sentence")
    assert answer.answer == "Area of Oak Island: 10 km²."


def test_a_row_named_like_a_longer_one_is_not_confused_with_it() -> None:
    table = node("t", "項目\t金額(百万円)\n営業利益率\t7\n営業利益\t3,815", kind="table")
    assert ask("営業利益はいくらですか", [table]).answer == "3,815百万円"


def test_a_table_without_cells_is_read_from_its_text() -> None:
    plain = JAPANESE[2].model_copy(update={"cells": []})
    assert ask("適応制御の残留振動は何μmですか", [plain]).answer == "0.62μm"


def test_columns_may_be_the_things_and_rows_the_attributes() -> None:
    turned = node(
        "t", "\tAlder\tBirch\tCedar\nHeight (m)\t21.5\t34.0\t28.2\nMean sway (mm)\t3.1\t7.4\t12.9",
        kind="table", caption="Table 1: Towers",
    )  # fmt: skip
    assert ask("What is the mean sway of Birch?", [turned]).answer == "7.4 mm"
    assert ask("Which tower has the largest mean sway?", [turned], "short").answer == "Cedar"


def test_no_evidence_at_all_is_refused() -> None:
    answer = ask("適応制御の残留振動は何μmですか", [])
    assert answer.unanswerable
    assert answer.sub_answers[0].evidence == []


def test_every_number_of_an_answer_stands_in_its_citations_or_is_calculated() -> None:
    for text, _ in [*CELLS, *SENTENCES, *HOPS]:
        answer = ask(text)
        quoted = " ".join(item.quote for item in answer.citations)
        assert answer.answer.split()[0].rstrip("μmkWh時間") in quoted


def test_the_order_in_which_evidence_comes_changes_nothing() -> None:
    class Shuffled(FixedSource):
        async def retrieve(self, query: str) -> list[object]:  # type: ignore[override]
            found = list(await super().retrieve(query))
            random.Random(len(self.queries)).shuffle(found)
            return found  # type: ignore[return-value]

    for text, _ in [*CELLS, *HOPS, *CALCULATED]:
        given = question(text)
        one, other = (
            asyncio.run(answer_question(given, evidence=source, **build_tasks(None)._asdict()))
            for source in (FixedSource(ALL), Shuffled(ALL))
        )
        assert one == other


def test_it_says_who_answered() -> None:
    answer = ask("適応制御の残留振動は何μmですか")
    assert (answer.engine, answer.model, answer.call_keys) == ("extractive", "extractive/2", [])
    assert answer.sub_answers[0].engine == "extractive"


def test_a_list_stands_one_item_a_line() -> None:
    answer = ask("残留振動と消費電力は、適応制御ではそれぞれいくらですか", form="list")
    assert answer.unanswerable or "\n" in answer.answer


@pytest.mark.parametrize(
    "text",
    ["のは" * 16_000, "A" * 99_000, "What is the, " * 7_000, "が最も" * 11_000, "1、" * 25_000],
)
def test_a_question_of_a_hundred_kilobytes_is_answered_or_refused_in_bounded_time(
    text: str,
) -> None:
    assert ask(text).unanswerable


@pytest.mark.parametrize(
    "text", ["What is the colour of the cabins?", "油圧ポンプの圧力は何MPaですか"]
)
def test_a_refusal_says_that_nothing_was_confirmed_not_that_nothing_is_there(text: str) -> None:
    answer = ask(text).answer
    assert answer in (
        "No answer to this question could be confirmed in the documents in scope.",
        "この質問への答えは、対象の文書からは確認できませんでした。",
    )


HABITS = [
    node("h1", "Bakes weekly, no sourdough 30% 44% Do not bake bread", section=["% of villagers"]),
    node("h2", "Some 81% of all villagers bake bread at home today.", section=["Bread"], order=1),
    node("h3", "26%", section=["% of villagers"], order=2),
]


@pytest.mark.parametrize(
    "text",
    [
        "What is the percentage of people who do not bake bread?",
        "What share of villagers do not bake bread?",
        "What percent of villagers don't bake bread?",
    ],
)
def test_the_word_for_the_form_of_the_answer_is_not_required(text: str) -> None:
    assert ask(text, HABITS).answer == "44%"


def test_a_share_of_those_who_do_is_no_share_of_those_who_do_not() -> None:
    assert ask("What is the percentage of people who do not bake bread?", HABITS[1:]).unanswerable


def test_a_label_between_two_values_belongs_to_neither() -> None:
    between = node("h", "30% Do not bake bread 44%", section=["% of villagers"])
    assert ask("What is the percentage of people who do not bake bread?", [between]).unanswerable


def test_several_shares_that_two_words_fit_are_ambiguous() -> None:
    more = node("h4", "In the valley about 52% bake bread daily.", section=["Bread"], order=3)
    answer = ask("What is the percentage of people who bake bread?", [HABITS[1], more])
    assert answer.unanswerable
    assert answer.gaps[0].kind == "ambiguous"


def test_a_count_in_a_table_is_no_percentage() -> None:
    table = node("t", "Village\tBakers\nOakham\t120\nElmton\t80", kind="table")
    assert ask("What is the percentage of bakers in Oakham?", [table]).unanswerable
    assert ask("How many bakers has Oakham?", [table]).answer == "120"


def test_the_japanese_word_for_a_ratio_is_not_required_either() -> None:
    plain = node("p", "村民のうち、毎週パンを焼く世帯は38%である。", section=["パン"])
    assert ask("毎週パンを焼く世帯の比率は何％ですか", [plain]).answer == "38%"
