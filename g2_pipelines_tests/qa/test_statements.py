"""What an answer says of its numbers: right ones in any words stay, wrong ones are found.

Every source is invented; each case was judged by hand.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from g2_pipelines.qa.answer import answer_question
from g2_pipelines.qa.answer_form import form_faults, items_of
from g2_pipelines.qa.build import build_tasks
from g2_pipelines.qa.checks import faults_of
from g2_pipelines.qa.strangers import Known, strangers
from g2_pipelines.qa.typed import values_of
from g2_pipelines.tables.line2 import AnswerFormat, DocumentNode
from g2_pipelines_tests.models.helpers import port_at
from g2_pipelines_tests.models.server import ModelServer, Reply, ServerRequest, chat
from g2_pipelines_tests.qa.builders import ENGLISH, FixedSource, node, question
from g2_pipelines_tests.qa.test_hostile import REASON, WORK, sound, task_of
from g2_pipelines_tests.qa.test_invented import replied

SEGMENTS = node(
    "t",
    "セグメント\t2030年度\t2031年度\n産業機械\t4,120\t5,240\n搬送装置\t980\t1,310\n合計\t5,100\t6,550",
    kind="table",
    caption="表1 売上高（単位：百万円）",
)
TOWERS = ENGLISH[2]
ACCOUNTS = node(
    "p",
    "Revenue was 4,120 million yen in fiscal 2031, up from 3,580 million yen in fiscal 2030. "
    "The margin was 12.5 percent. Operating profit was 515 million yen. "
    "Of 480 employees, 120 work abroad in four plants and three offices.",
)
STUDY = node(
    "s",
    "Segment A earned 320 million yen and segment B earned 510 million yen. "
    "The drug entered Phase II in 2031. Orders doubled from 2,000 to 4,000. "
    "Support for the plan rose by 2 points.",
)
FISH = node(
    "f",
    "In fiscal 2031 Minato Foods sold 18,400 tonnes of frozen fish, 6 percent more than a year "
    "earlier, while chilled fish fell to 9,100 tonnes. Overseas sales made up 31 percent of the "
    "total. The company, founded in 1987, employs 2,350 people. The net loss was 120 million yen, "
    "against a profit of 80 million yen in fiscal 2030.",
)
SUMMARY = node(
    "j",
    "売上高は4,120百万円（前期は3,580百万円）で、営業利益は515百万円だった。海外比率は12.5%である。"
    "受注は半減し、2,000件から1,000件になった。",
)
AOMINE = node(
    "a",
    "青嶺精機の2031年3月期の連結売上高は48,620百万円（前期比8.4％増）、営業利益は3,912百万円"
    "（同2.1％減）となった。工作機械事業の受注高は31,200百万円で、うち海外が6割を占める。"
    "従業員数は1,245名である。設備投資額は2,480百万円で、前期の1,240百万円から倍増した。",
)


def faults(answer: str, source: DocumentNode, **given: Any) -> list[str]:
    return faults_of(answer, [source], results=given.pop("results", []), **given).faults


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        # two figures swapped between two things
        ("産業機械は1,310百万円、搬送装置は5,240百万円である。", SEGMENTS),
        ("1,310百万円の産業機械と5,240百万円の搬送装置", SEGMENTS),
        ("21.5 m for Birch and 34.0 m for Alder", TOWERS),
        ("Alder (34.0 m) and Birch (21.5 m)", TOWERS),
        ("Segment A earned 510 million yen and segment B 320 million yen.", STUDY),
        ("510 million yen in segment A, 320 million yen in segment B", STUDY),
        ("Frozen fish came to 9,100 tonnes and chilled fish to 18,400 tonnes.", FISH),
        # another thing's figure
        ("Operating profit was 4,120 million yen.", ACCOUNTS),
        ("営業利益は4,120百万円だった。", SUMMARY),
        ("産業機械の2030年度の売上高は1,310百万円", SEGMENTS),
        ("営業利益は前期比8.4％増となった。", AOMINE),
        ("売上高は2.1％減少した。", AOMINE),
        ("It sold 9,100 tonnes of frozen fish.", FISH),
        # another period's
        ("2030年度の産業機械の売上高は5,240百万円", SEGMENTS),
        ("In fiscal 2030 revenue was 4,120 million yen.", ACCOUNTS),
        ("Revenue was 3,580 million yen in fiscal 2031.", ACCOUNTS),
        ("前期の売上高は4,120百万円", SUMMARY),
        ("売上高は3,580百万円、前期は4,120百万円だった。", SUMMARY),
        ("2030年3月期の連結売上高は48,620百万円", AOMINE),
        ("In fiscal 2030 the net loss was 120 million yen.", FISH),
        # multiples and shares in words
        ("産業機械の売上高は倍増した", SEGMENTS),
        ("産業機械の売上高は半減した", SEGMENTS),
        ("Revenue doubled.", ACCOUNTS),
        ("Revenue rose threefold to 4,120 million yen.", ACCOUNTS),
        ("Orders tripled.", STUDY),
        ("Orders halved from 2,000 to 4,000.", STUDY),
        ("受注は倍増した。", SUMMARY),
        ("設備投資額は半減した。", AOMINE),
        ("Half of the employees work abroad.", ACCOUNTS),
        ("A third of the employees work abroad.", ACCOUNTS),
        ("Two thirds of all sales came from overseas.", FISH),
        ("海外比率は8分の3である。", SUMMARY),
        ("海外は受注高の半分である。", AOMINE),
        # direction
        ("Revenue fell from 3,580 to 4,120 million yen.", ACCOUNTS),
        ("Revenue was 3,580 million yen, up from 4,120 million yen.", ACCOUNTS),
        ("受注は2,000件から1,000件に増加した。", SUMMARY),
        # Roman numerals, number words, points, ratios, units
        ("The drug entered Phase III.", STUDY),
        ("The drug entered phase 3 in 2031.", STUDY),
        ("It has three plants and four offices.", ACCOUNTS),
        ("It has two plants.", ACCOUNTS),
        ("The margin was 12.5 percentage points.", ACCOUNTS),
        ("Support for the plan rose by 2 percent.", STUDY),
        ("The margin was 1.25.", ACCOUNTS),
        ("The margin was 0.0125.", ACCOUNTS),
        ("Revenue was 4.12 million yen.", ACCOUNTS),
        ("Revenue was 4,120 billion yen.", ACCOUNTS),
        ("売上高は4,120億円だった。", SUMMARY),
        ("売上高は412億円だった。", SUMMARY),
    ],
)
def test_a_right_number_said_of_something_else_is_found(answer: str, source: DocumentNode) -> None:
    assert faults(answer, source)


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("産業機械は5,240百万円、搬送装置は1,310百万円である。", SEGMENTS),
        ("5,240百万円の産業機械と1,310百万円の搬送装置", SEGMENTS),
        ("2030年度の産業機械の売上高は41.2億円", SEGMENTS),
        ("産業機械は2030年度の4,120百万円から2031年度の5,240百万円に増えた。", SEGMENTS),
        ("合計は6,550百万円で、うち産業機械が5,240百万円です。", SEGMENTS),
        ("34.0 m for Birch and 21.5 m for Alder", TOWERS),
        ("Birch is 34 m high, Alder 21.5 m.", TOWERS),
        ("Birch (34.0 m, 6 inspections) sways 7.4 mm.", TOWERS),
        ("Birch, at 34.0 m, is taller than Alder.", TOWERS),
        ("Segment B earned 510 million yen, segment A 320 million yen.", STUDY),
        ("A: 320 million yen; B: 510 million yen", STUDY),
        ("The drug entered phase 2 in 2031.", STUDY),
        ("Orders rose twofold to 4,000.", STUDY),
        ("Orders went from 2,000 to 4,000, twice as many.", STUDY),
        ("Support increased by 2 percentage points.", STUDY),
        (
            "In fiscal 2030 revenue was 3,580 million yen; in 2031 it was 4,120 million yen.",
            ACCOUNTS,
        ),
        ("Revenue grew to 4.12 billion yen from 3.58 billion yen.", ACCOUNTS),
        ("Revenue in FY2031: **4,120 million yen** (FY2030: 3,580 million yen)", ACCOUNTS),
        ("Operating profit came to 515 million yen on revenue of 4,120 million yen.", ACCOUNTS),
        ("Sales were 4,120 million yen.", ACCOUNTS),
        ("The margin was 0.125.", ACCOUNTS),
        ("A quarter of the employees (120 of 480) work abroad.", ACCOUNTS),
        ("It has four plants and three offices, and 480 employees.", ACCOUNTS),
        ("120 employees work in the plants and offices abroad.", ACCOUNTS),
        ("Frozen fish sales came to 18,400 tonnes in fiscal 2031.", FISH),
        ("It sold 9,100 tonnes of chilled fish, and 18,400 tonnes of frozen fish.", FISH),
        ("Since 1987 the company has grown to 2,350 people.", FISH),
        ("As of fiscal 2031 the company employs 2,350 people.", FISH),
        ("Minato lost 120 million yen in 2031, after a profit of 80 million yen in 2030.", FISH),
        ("The result went from a profit of 80 million yen to a loss of 120 million yen.", FISH),
        ("Nearly a third of sales (31%) came from overseas.", FISH),
        ("Chilled fish, at 9,100 tonnes, was about half of frozen fish (18,400 tonnes).", FISH),
        ("受注は2,000件から1,000件へと半分になった。", SUMMARY),
        ("前期の売上高は3,580百万円", SUMMARY),
        ("売上高は4,120百万円、前期は3,580百万円だった。", SUMMARY),
        ("海外比率は8分の1である。", SUMMARY),
        ("営業利益は5億1,500万円だった。", SUMMARY),
        ("2031年3月期の売上高は486億2,000万円、営業利益は39億1,200万円でした。", AOMINE),
        ("売上高は前期に比べ8.4%増え、48,620百万円となりました。", AOMINE),
        ("2030年度の連結売上高は48,620百万円です。", AOMINE),
        ("営業利益は2.1%減の3,912百万円", AOMINE),
        ("受注高の60%が海外です。", AOMINE),
        ("受注高の5分の3が海外です。", AOMINE),
        ("設備投資は2倍の2,480百万円", AOMINE),
        ("設備投資額は1,240百万円から2,480百万円へ増加した。", AOMINE),
        ("従業員は1,245人です。", AOMINE),
    ],
)
def test_the_same_in_other_words_stays(answer: str, source: DocumentNode) -> None:
    assert faults(answer, source) == []


def test_the_questions_period_counts_where_the_answer_names_none() -> None:
    asked = "What was revenue in fiscal 2030?"
    assert faults("4,120 million yen", ACCOUNTS, asked=asked)
    assert faults("3,580 million yen", ACCOUNTS, asked=asked) == []
    assert faults("5,240百万円", SEGMENTS, asked="2030年度の産業機械の売上高はいくらですか。")
    assert faults("4,120百万円", SEGMENTS, asked="2030年度の産業機械の売上高はいくらですか。") == []
    # A change needs both years' values.
    assert faults("4,120 million yen", ACCOUNTS, asked="How did revenue change after 2030?") == []


def test_a_calculated_result_is_a_number_of_its_own() -> None:
    rise = "Revenue rose by 540 million yen."
    assert faults(rise, ACCOUNTS)
    assert faults(rise, ACCOUNTS, results=["540 million yen"]) == []


@pytest.mark.parametrize(
    "said", ["Birch is three times as high as Alder.", "Alder is 34.0 m and Birch 21.5 m high."]
)
def test_a_model_that_says_so_is_asked_again_and_then_refused(said: str, tmp_path: Path) -> None:
    answer = replied(tmp_path, reason=REASON | {"answer": said})
    assert answer.unanswerable
    assert said not in answer.answer


def test_a_workers_swap_is_no_finding(tmp_path: Path) -> None:
    said = WORK | {"answer": "34.0 m for Alder and 21.5 m for Birch"}
    found = replied(tmp_path, work=said).sub_answers[0]
    assert not found.found
    assert "alder" in found.answer
    assert "34.0 m for Alder" not in json.dumps(found.model_dump(), ensure_ascii=False)


def test_a_ranking_lends_its_values_to_no_other_thing(tmp_path: Path) -> None:
    """Its result repeats the values, and would let a swap of them pass."""
    heights = [("Alder", "21.5"), ("Birch", "34.0")]
    values = [{"source": "e1", "label": n, "text": t, "unit": "m"} for n, t in heights]
    ranked = WORK | {"values": values, "operation": "rank", "answer": "", "short": ""}
    swapped = REASON | {"answer": "Alder is the highest with 34.0 m."}
    assert replied(tmp_path / "a", work=ranked, reason=swapped).unanswerable
    right = REASON | {"answer": "Birch is the highest with 34.0 m."}
    assert replied(tmp_path / "b", work=ranked, reason=right).answer == right["answer"]


def test_an_answers_numbers_are_typed(tmp_path: Path) -> None:
    said = REASON | {"answer": "Birch is 3,400 cm high."}
    [value] = replied(tmp_path / "a", reason=said).values
    assert (value.text, value.value, value.unit) == ("3,400 cm", "3400", "cm")
    assert (value.origin, value.node_id, value.step) == ("cited", "e2", "")
    assert value.label == "Birch, Height (m)"
    heights = [("Birch", "34.0"), ("Alder", "21.5")]
    values = [{"source": "e1", "label": n, "text": t, "unit": "m"} for n, t in heights]
    work = WORK | {"values": values, "operation": "difference", "answer": "", "short": ""}
    answer = replied(tmp_path / "b", work=work, reason=REASON | {"answer": "12.5 m"})
    [value] = answer.values
    assert (value.value, value.unit, value.origin, value.step) == ("12.5", "m", "calculated", "q1")
    assert replied(tmp_path / "c", reason=REASON | {"answer": "34.0 km"}).values == []


def test_a_cells_unit_scale_and_period_are_its_value() -> None:
    checked = faults_of("産業機械は4,120", [SEGMENTS], results=[])
    [value] = values_of(checked.figures, [SEGMENTS], [])
    assert (value.value, value.unit) == ("4120000000", "円")
    assert (value.label, value.period) == ("産業機械", "FY2030")


@pytest.mark.parametrize(
    ("answer", "form", "question", "faulty"),
    [
        ("34.0 m", "number", "How high is Birch?", False),
        ("約34.0メートル", "number", "Birchの高さは？", False),
        ("about 34.0 m", "number", "How high is Birch?", False),
        ("The tower called Birch has a height of 34.0 m.", "number", "How high is Birch?", True),
        ("Birch", "number", "How high is Birch?", True),
        ("Birch", "short", "Which is the highest?", False),
        ("Birch is the highest. It has 34.0 m.", "short", "Which is the highest?", True),
        ("Alder\nBirch", "list", "Which are there?", False),
        ("Alder, Birch, Cedar", "list", "Which are there?", True),
        ("最も高いのはBirchです。", "sentence", "最も高い塔はどれですか。", False),
        ("Birch", "sentence", "最も高い塔はどれですか。", False),
        ("Birch is the highest of all the towers.", "sentence", "最も高い塔はどれですか。", True),
        ("最も高い塔はBirchであるとされている。", "sentence", "Which is the highest?", True),
        ("The report is called 「山の索道」.", "sentence", "What is it called?", False),
    ],
)
def test_the_asked_form_and_language(
    answer: str, form: AnswerFormat, question: str, faulty: bool
) -> None:
    assert bool(form_faults(answer, form, question)) is faulty


def test_a_right_answer_in_another_form_is_asked_again_and_never_refused(tmp_path: Path) -> None:
    said = REASON | {"answer": "The tower that is called Birch has a height of 34.0 m."}

    def script(request: ServerRequest) -> Reply:
        return chat(json.dumps(said)) if task_of(request) == "reason" else sound(request)

    with ModelServer(script) as server:
        tasks = build_tasks(port_at(server, tmp_path))
        asked = question("How high is Birch?", format="number")
        answer = asyncio.run(
            answer_question(asked, evidence=FixedSource([TOWERS]), **tasks._asdict())
        )
        prompts = [r.prompt for r in server.requests if task_of(r) == "reason"]
    assert answer.answer == "34.0 m"
    assert answer.format == "number"
    assert len(prompts) == 2
    assert "not the number with its unit alone" in prompts[1]


def test_the_items_of_a_list_are_given_one_by_one() -> None:
    assert items_of("- Alder\n2) Birch\n\n・Cedar", "list") == ["Alder", "Birch", "Cedar"]
    assert items_of("Alder", "short") == []


@pytest.mark.parametrize(
    ("answer", "strange"),
    [
        ("Birch, built by Qwerty Works, is 34.0 m high.", ["qwerty", "works"]),
        ("Birch is 34.0 m high (see http://tower.example).", ["http://tower.example)."]),
        ("Birch is 34.0 m high, says the model XJ-900.", ["xj-900"]),
        ("Birch is 34.0 m high.", []),
        ("The tower Birch is the tallest, at 34.0 m in Winter.", []),
        ("Birchの高さは34.0メートルです。", []),
        ("バーチの高さは34.0メートルです。", []),
        ("According to the MC system it sways 7.4 mm.", []),
    ],
)
def test_names_that_no_source_has_are_found(answer: str, strange: list[str]) -> None:
    station = node("n", "The Mountain Cable keeps its records at the valley station.")
    assert strangers(answer, Known(["How high is Birch?"], [TOWERS, station])) == strange


def test_an_answer_with_an_invented_name_is_asked_again_and_refused(tmp_path: Path) -> None:
    said = REASON | {"answer": "Birch, built by Qwerty Works, is 34.0 m high."}
    answer = replied(tmp_path, reason=said)
    assert answer.unanswerable
    assert "Qwerty" not in answer.answer


def test_a_sentence_that_no_claim_carries_is_left_out_and_told(tmp_path: Path) -> None:
    """Each statement is cited: one that is not would look as proven as those beside it."""
    claim = {"text": "Birch is 34.0 m high.", "source": "e1", "quote": "Birch\t34.0\t7.4"}
    more = "Birch is 34.0 m high. Painters renewed the railings carefully."
    answer = replied(tmp_path, reason=REASON | {"answer": more, "claims": [claim]})
    assert answer.answer == "Birch is 34.0 m high."
    assert answer.why == "Sentences that cite nothing were left out."
