"""What may stand in a summary, rule by rule."""

from __future__ import annotations

import pytest

from g2_pipelines.graph.config import EvolutionConfig
from g2_pipelines.graph.guards import CheckedUpdate, check_update
from g2_pipelines.graph.vocabulary import Content, vocabulary_of
from g2_pipelines.tables.line2 import Resolved
from g2_pipelines_tests.graph.samples import node

OWN = "工作機械事業の受注高は1,250百万円で、前期の三割増だった。主軸熱変位補償を標準とした。"
LENDER = "AoLink は稼働監視のサービスで、接続は6,200台ある。計測制御事業が担う。"
VOCABULARY = vocabulary_of([node("a", 0, OWN), node("b", 1, LENDER)])


def check(summary, keywords=(), *, own=OWN, lend=True):
    return check_update(
        summary,
        keywords,
        own=Content(own),
        lenders={"b": Content(LENDER)} if lend else {},
        vocabulary=VOCABULARY,
        config=EvolutionConfig(),
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
    assert checked.keywords_dropped == 2


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
