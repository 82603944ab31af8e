"""What may stand in a summary, rule by rule."""

from __future__ import annotations

import pytest

from g2_pipelines.graph.config import EvolutionConfig
from g2_pipelines.graph.figures import figures
from g2_pipelines.graph.guards import CheckedUpdate, check_update, held_names
from g2_pipelines.graph.polarity import turned
from g2_pipelines.graph.vocabulary import Content, vocabulary_of
from g2_pipelines.tables.line2 import Resolved
from g2_pipelines_tests.graph.samples import node

OWN = "工作機械事業の受注高は1,250百万円で、前期の三割増だった。主軸熱変位補償を標準とした。"
LENDER = "AoLink は稼働監視のサービスで、接続は6,200台ある。計測制御事業が担う。"
VOCABULARY = vocabulary_of([node("a", 0, OWN), node("b", 1, LENDER)])


def check(summary, keywords=(), *, own=OWN, lend=True, **more):
    return check_update(
        summary,
        keywords,
        own=Content(own),
        lenders={"b": Content(LENDER)} if lend else {},
        vocabulary=VOCABULARY,
        config=EvolutionConfig(),
        **more,
    )


@pytest.mark.parametrize(
    "summary",
    [
        "工作機械事業の受注高は1,250百万円。",
        "工作機械事業の受注高は１２５０百万円。",  # other width, without the comma
        "受注高が三割増えたことを述べる。",
        "主軸熱変位補償の標準化について説明する。",  # plain words are anybody's
        "一部の事業の受注高。",  # 一 is no figure here
    ],
)
def test_a_faithful_summary_stands(summary):
    assert isinstance(check(summary), CheckedUpdate)


@pytest.mark.parametrize(
    ("summary", "reason"),
    [
        ("受注高は1,251百万円。", "invented_number"),
        ("受注高は12億円。", "invented_number"),  # a conversion is not the node's figure
        ("受注高が四割増えた。", "invented_number"),
        ("接続は6,200台ある。", "invented_number"),  # the lender's figure
        ("冷凍食品事業の受注高。", "foreign_term"),  # in no node
        ("大阪の受注高。", "foreign_term"),  # a short name
        ("量子アニーリングの受注高。", "foreign_term"),
        ("隣の段落と比べた受注高。", "comparison"),
        ("   ", "empty"),
    ],
)
def test_what_the_node_does_not_say_is_refused(summary, reason):
    assert check(summary) == reason


def test_a_borrowed_term_is_recorded_with_its_lender():
    checked = check("計測制御事業と並ぶ受注高。", ("受注高", "AoLink"))
    assert isinstance(checked, CheckedUpdate)
    assert checked.resolved == (
        Resolved(term="AoLink", from_node="b"),
        Resolved(term="計測制御事業", from_node="b"),
    )


def test_without_a_lender_the_same_term_is_foreign():
    assert check("計測制御事業と並ぶ受注高。", lend=False) == "foreign_term"


def test_keywords_are_kept_dropped_and_counted_one_by_one():
    checked = check(
        "受注高が増えた。", ("受注高", "受注高", "冷凍倉庫", "6,200台", " 主軸熱変位補償 ")
    )
    assert isinstance(checked, CheckedUpdate)
    assert checked.keywords == ("受注高", "主軸熱変位補償")
    assert checked.keywords_dropped == {"foreign_term": 1, "invented_number": 1}


@pytest.mark.parametrize(
    ("own", "summary", "stands"),
    [
        ("The model AX-200 was sold.", "AX-200 was sold.", True),
        ("The model AX-200 was sold.", "AX-300 was sold.", False),
        ("The part was sold.", "The art was sold by Komaki.", False),  # a name within a sentence
        ("Sales rose 12.5% in fiscal 2025.", "Sales rose 12.5% in 2025.", True),
        ("Sales rose 12.5% in fiscal 2025.", "Sales rose 2.5% in 2025.", False),
        ("Sales rose 12.5% in fiscal 2025.", "Describes how sales rose in 2025.", True),
    ],
)
def test_english_names_and_figures(own, summary, stands):
    assert isinstance(check(summary, own=own), CheckedUpdate) is stands


@pytest.mark.parametrize(
    ("content", "term", "held"),
    [
        ("主軸\n熱変位", "主軸熱変位", True),  # a line join inside a term
        ("ＡｏＬｉｎｋ", "aolink", True),
        ("The partial art", "art", True),
        ("The partial", "art", False),
        ("spindle  growth\nmethod", "Spindle growth method", True),
        ("x", "", True),
    ],
)
def test_terms_are_looked_up_folded_and_at_word_borders(content, term, held):
    assert Content(content).holds(term) is held


ENGLISH = (
    "Because this method needs no camera, it suits small workshops. It reads six sensors at 10 km."
)


@pytest.mark.parametrize(
    ("summary", "said"),
    [
        ("This method needs no camera and suits small workshops.", None),
        ("This method reads 6 sensors.", None),  # six and 6 are one figure
        ("This method reads sensors at 10km.", None),  # a space before a unit or none
        ("One method that suits small workshops.", None),  # «one» alone counts nothing
        ("This method reads ninety-nine sensors.", "invented_number"),
        ("This method reads one hundred and six sensors.", "invented_number"),
        ("This method reads a dozen sensors.", "invented_number"),
        ("This method reads 99x sensors.", "invented_number"),
        ("This method reads ninetynine sensors.", "invented_number"),
        ("A twentyfold gain for small workshops.", "invented_number"),
        ("This method hardly suits small workshops.", "turned_negation"),
        ("This method reads sensors: https://example.invalid/x", "markup"),
        ("This method reads sensors,99 of them.", "invented_number"),
        ("This method reads half the sensors.", "invented_number"),
        ("This method needs a camera.", "turned_negation"),
        ("This method needs no camera and never suits small workshops.", "turned_negation"),
        ("This method cannot read sensors.", "turned_negation"),
        ("Osaka workshops read sensors.", "foreign_term"),  # a name that opens the sentence
        ("Describes a method for small workshops.", None),
        ("This method reads <b>sensors</b>.", "markup"),
        ("This method reads \x1b[31msensors.", "hidden_character"),
        ("This method reads \u202esensors.", "hidden_character"),
        ("この方式は小さな工場に向いている。", "other_language"),
        ("该装置启动后立即开始预测位移。", "other_language"),
        ("Этот метод подходит для мастерских.", "other_language"),
    ],
)
def test_each_way_of_saying_what_the_node_does_not(summary, said):
    checked = check(summary, own=ENGLISH, language="en")
    assert (checked if isinstance(checked, str) else None) == said


@pytest.mark.parametrize(
    ("own", "summary", "said"),
    [
        ("同装置は起動の直後から変位の予測を始める。", "同装置は変位の予測を始めない。", True),
        ("同装置は変位の予測を始めない。", "同装置は変位の予測を始める。", True),
        ("同装置は変位の予測を始める。", "同装置は変位の予測を始めず停止する。", True),
        ("It adopted Update No. 14 in June.", "Update No. 14 was adopted in June.", False),
        ("絶えず温度を測る。", "温度を測る。", False),
        ("同装置は変位の予測を始めない。", "同装置では変位の予測は始まらない。", False),
        ("少ない計算で温度を更新していく。", "温度を少ない計算で更新する。", False),
        ("点検を行わなければならない。", "点検を行うことが必要である。", False),
        ("必ず点検を行う。", "点検を行う。", False),
        ("点検だけでなく清掃も行う。", "点検と清掃を行う。", False),
        ("カメラは不要である。センサは使う。", "カメラを使い、センサは不要とする。", True),
        (
            "Komaki is not open on Sundays. Komaki holds pallets.",
            "Komaki is open on Sundays.",
            True,
        ),
        ("Not only pallets but also boxes are held.", "Pallets and boxes are held.", False),
        ("Store\tOpen\nKomaki\tno\nYaizu\tyes", "Open stores are Komaki and Yaizu.", False),
    ],
)
def test_a_turned_predicate_is_found_and_a_faithful_one_is_not(own, summary, said):
    assert turned(summary, own) is said


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("9,400 pallets", ["9400"]),
        ("ax-200 and b2b", []),
        ("3d printing, 4 layers", ["3d", "4"]),
        ("two hundred and five of 1.5 million", ["1.5", "205", "million"]),
        ("九十九回、三つ、一部、十分", ["99", "3"]),
        ("二〇二五年に三千二百万円", ["2025", "32000000"]),
        ("3つ", ["3"]),
        ("倍増した", ["倍増"]),
    ],
)
def test_figures_by_key(text, keys):
    assert [key for key, _ in figures(text)] == keys


def test_an_entity_must_stand_in_the_node_and_say_something():
    names = ["AoLink", "ACME", "", "...", "\u200b", "AoLink"]
    kept, dropped = held_names(names, Content(LENDER), 12)
    assert kept == ("AoLink",)
    assert dropped == {"foreign_term": 1, "empty": 3}


def test_what_was_read_in_the_picture_alone_has_reasons_of_its_own():
    assert check("受注高は77,777百万円。", pictured=True) == "picture_only_number"
    assert check("冷凍食品事業の受注高。", pictured=True) == "picture_only_term"
