"""Links by reference, connective and shared particular terms; the cap on links into a node."""

from __future__ import annotations

import asyncio

import pytest

from g2_pipelines.graph.analyse import analyse
from g2_pipelines.graph.build import build_tasks
from g2_pipelines.graph.config import EvolutionConfig
from g2_pipelines.graph.evolve import evolve
from g2_pipelines.graph.links import Link, cap_in_degree
from g2_pipelines.graph.relations import opening_relation, relation_at
from g2_pipelines.graph.silent import is_silent
from g2_pipelines.graph.state import is_structural
from g2_pipelines_tests.graph.samples import HashedWords, node

#: Hashed words are a coarse embedding: here only rules are looked at.
LOOSE = EvolutionConfig(delta=0.8, epsilon=0.8)


def evolved(nodes):
    analyst, evolver = build_tasks(None)
    embedding = HashedWords()

    async def go():
        state = await analyse(nodes, analyst=analyst, embedding=embedding)
        return await evolve(nodes, state, evolver=evolver, embedding=embedding, config=LOOSE)

    return asyncio.run(go())


def links(nodes):
    edges = evolved(nodes).edges
    return [(e.source, e.target, e.kind) for e in edges if not is_structural(e)]


def filler(start, count):
    return [node(f"x{at}", at, f"第{at}の話題は別である。") for at in range(start, start + count)]


def test_an_explicit_reference_is_linked_with_the_relation_that_stands_at_it():
    """A cue elsewhere in the sentence says nothing of the table."""
    nodes = [
        node("t", 0, "月\t受注\n4\t12", "table", caption="表1 受注"),
        node("p", 1, "受注の減少は、表1のとおり、円高のためである。", refers=[("表1", "t")]),
        node("q", 2, "表1に基づき計画を改める。", refers=[("表1", "t")]),
    ]
    assert set(links(nodes)) >= {("p", "t", "reference"), ("q", "t", "dependency")}


def test_a_name_that_two_nodes_alone_share_links_the_later_to_the_earlier():
    nodes = [
        node("a", 0, "静圧軸受は油膜で支える。"),
        *filler(1, 4),
        node("b", 5, "静圧軸受に比べ玉軸受は安価である。"),
    ]
    assert links(nodes) == [("b", "a", "contrast")]


def test_an_uncommon_verb_that_two_nodes_share_is_no_reason():
    nodes = [
        node("a", 0, "Oil flow depends on how the pump behaves overall."),
        node("m", 1, "Sales of lathes grew in every single region."),
        node("n", 2, "The workshop opened a canteen for its staff."),
        node("b", 3, "Customers rarely complain when a lathe behaves badly."),
    ]
    assert links(nodes) == []


def test_an_opening_connective_links_to_the_text_before_it():
    nodes = [
        node("a", 0, "旋盤の受注は伸びている。"),
        node("b", 1, "一方、研削盤は横ばいである。"),
        node("c", 2, "そのため、工場の人員を移す。"),
    ]
    assert set(links(nodes)) == {("b", "a", "contrast"), ("c", "b", "causal")}


def test_a_picture_beside_a_text_needs_less_in_common_than_one_far_away():
    def made(between):
        return [
            node("p", 0, "回転数と冷却油流量の関係を測った。"),
            *filler(1, between),
            node("f", 90, "", "chart", caption="冷却油流量の推移"),
            node("x", 91, "冷却油流量は別の章でも述べる。"),
            node("y", 92, "冷却油流量の単位は別に示す。"),
        ]

    assert ("p", "f", "elaboration") in links(made(1))
    assert ("p", "f", "elaboration") not in links(made(9))


def test_reference_lists_notes_and_signatures_join_nothing():
    """They recur and share names with everything: they would be the hubs of the graph."""
    nodes = [
        node("p", 0, "We follow Kanda and use thermal lattice models of spindles."),
        node("h", 1, "References", "heading", level=1),
        *(
            node(
                f"r{at}",
                at + 2,
                f"Taro Kanda, Jiro Mori. 20{at + 10}. Thermal lattice models of spindles {at}. In "
                f"Proceedings of the Conference on Spindles, pages {at}0-{at}9.",
            )
            for at in range(6)
        ),
        node("s", 20, "Kanda & Co. Chartered Accountants"),
        node("t", 21, "Kanda & Co. Chartered Accountants"),
        node("u", 22, "※ 前四半期末の過剰気味社数構成比を示したものである。"),
        node("v", 23, "※ 前四半期末の不足気味社数構成比を示したものである。"),
    ]
    assert links(nodes) == []


@pytest.mark.parametrize(
    ("text", "path", "silent"),
    [
        ("神田太郎. 主軸の熱. 精密学会誌, 第12巻, 2019.", [], True),
        ("Kanda, T., Mori, J. (2019). Heat. Journal of Spindles 12(3): 4-9.", [], True),
        ("Retrieved 4 May 2019 from https://example.invalid/heat", [], True),
        ("何が書かれていてもよい。", ["4 まとめ", "参考文献"], True),
        ("Whatever stands here is a work.", ["7. References"], True),
        ("In 2019 the company opened a plant in Yaizu.", ["2 History"], False),
        ("Kanda et al. (2019) measured heat in spindles.", ["2 Related work"], False),
        ("2019年に焼津工場を開いた。", [], False),
        ("For A.F. MINATO & CO.", [], True),
        ("資料：青嶺精機調べ", [], True),
        ("Source: company data gathered by the staff in Yaizu.", [], True),
    ],
)
def test_what_states_nothing_of_its_own(text, path, silent):
    made = node("a", 0, text).model_copy(update={"section_path": path})
    assert is_silent(made) is silent
    assert not is_silent(made.model_copy(update={"kind": "table"}))


@pytest.mark.parametrize(
    ("sentence", "term", "relation"),
    [
        ("主軸頭から成る装置である。", "主軸頭", "part_whole"),
        ("予測値に基づき補正する。", "予測値", "dependency"),
        ("研削盤の一種である。", "研削盤", "hierarchy"),
        ("熱変位により誤差が残る。", "熱変位", "causal"),
        ("旋盤に次いで多い。", "旋盤", "sequence"),
        ("旋盤と異なり小さい。", "旋盤", "contrast"),
        ("従来の方式と旋盤を示す。", "旋盤", "elaboration"),
        ("It is based on the lattice.", "lattice", "dependency"),
        ("It fails because of friction.", "friction", "causal"),
        ("Smaller than a lathe.", "lathe", "contrast"),
        ("However, the lathe is shown.", "lathe", "elaboration"),
        ("A form of creep.", "creep", "hierarchy"),
    ],
)
def test_the_relation_is_what_stands_at_the_term(sentence, term, relation):
    at = sentence.index(term)
    assert relation_at(sentence, at, at + len(term), "elaboration") == relation


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("一方、旋盤は減った。", "contrast"),
        ("このうち、国内は三割である。", "part_whole"),
        ("次に、研削する。", "sequence"),
        ("例えば、油を替える。", "elaboration"),
        ("これを踏まえ、計画を改めた。", "dependency"),
        ("Therefore, oil is warm.", "causal"),
        ("Yetis are rare.", None),
        ("Theme and variation.", None),
        ("旋盤は一方で減った。", None),
    ],
)
def test_a_connective_counts_at_the_beginning_only(text, relation):
    assert opening_relation(text) == relation


def test_what_the_whole_document_is_about_links_nothing():
    """Shared words, the same field and nearness are no reason for a link."""
    nodes = [node(f"n{at}", at, f"静圧軸受の話{'のうち' * at}である。") for at in range(12)]
    assert links(nodes) == []


def test_links_into_a_node_are_kept_by_rank_then_nearness():
    order = {name: at for at, name in enumerate("abcde")}
    wanted = {
        "a": [Link("e", "causal")],
        "b": [Link("a", "causal"), Link("e", "causal")],
        "c": [Link("e", "contrast")],
        "d": [],
        "e": [],
    }
    capped, dropped = cap_in_degree(wanted, order, 1)
    assert capped == {
        "a": [],
        "b": [Link("a", "causal")],
        "c": [Link("e", "contrast")],
        "d": [],
        "e": [],
    }
    assert dropped == 2
    backwards = dict(reversed(wanted.items()))
    assert cap_in_degree(backwards, order, 1)[0] == capped


def test_an_explicit_reference_brings_the_title_of_what_it_names():
    """«表1 shows» becomes findable by the table's title, with the table as its source."""
    nodes = [
        node("h", 0, "4.2 過渡状態", "heading", level=1),
        node("p", 1, "表1のとおり、増加は小さい。", refers=[("表1", "t")]),
        node("t", 2, "毎分\tμm\n9000\t4", "table", caption="表1 回転数と熱変位"),
        node("q", 3, "これは冷却が効くためである。"),
    ]
    rows = {row.node_id: row for row in evolved(nodes).nodes}
    assert rows["p"].summary == "表1（回転数と熱変位）のとおり、増加は小さい。"
    assert [(r.term, r.from_node) for r in rows["p"].resolved] == [("回転数と熱変位", "t")]
    assert [(r.term, r.from_node) for r in rows["q"].resolved] == [("過渡状態", "h")]
    assert rows["q"].summary == "これは冷却が効くためである。"
