"""Ranking of pages: orders worked out by hand on small invented documents."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest

from g2_pipelines.index.pages import RANKING, PageRanking, rank
from g2_pipelines.index.profile import GRAM, WINDOW, NodeTerms, Profile, gram_codes
from g2_pipelines.index.query import asked
from g2_pipelines.index.rows import search_terms

WORDS_ONLY = PageRanking(
    window=0, headings=0, captions=0, pairs=0, grams=0, vector=0, named=0, clean=False
)


def node(page, text, *, kind="paragraph", label=None, printed=None, caption="", **values):
    words = " ".join(search_terms(text))
    given = {
        "document_id": "doc",
        "node_id": f"n{page}",
        "kind": kind,
        "label": label,
        "order": page,
        "page": page,
        "printed_page": printed,
        "pages": 9,
        "page_terms": len(words.split()),
        "caption_terms": " ".join(search_terms(caption)),
        "search_text": words,
        **values,
    }
    return NodeTerms(**given)


def pages(question, nodes, ranking=RANKING, **values):
    query = asked(question, clean=ranking.clean, stemmed=ranking.stemmed, names=bool(ranking.named))
    return [page.page for page in rank(query, [Profile(nodes)], ranking=ranking, **values).pages]


def test_bm25_over_pages_by_hand():
    """Two pages of 4 and 2 terms; idf = ln(1 + 1.5/1.5) of «oil», which one page holds twice."""
    nodes = [node(1, "oil oil pump seal"), node(2, "valve seal")]
    (page,) = rank(
        asked("oil", clean=False), [Profile(nodes)], ranking=replace(WORDS_ONLY, k1=2.0, b=0.75)
    ).pages
    assert page.page == 1
    assert page.score == 1.0  # the best page of a part has all of it
    both = rank(asked("seal oil", clean=False), [Profile(nodes)], ranking=WORDS_ONLY).pages
    one = math.log(1 + 1.5 / 1.5)  # oil: in one of two pages
    two = math.log(1 + 0.5 / 2.5)  # seal: in both
    long, short = 2 * (0.25 + 0.75 * 4 / 3), 2 * (0.25 + 0.75 * 2 / 3)
    first = one * 2 * 3 / (2 + long) + two * 1 * 3 / (1 + long)
    second = two * 1 * 3 / (1 + short)
    assert [page.page for page in both] == [1, 2]
    assert both[1].score == pytest.approx(second / first, abs=1e-9)


def test_a_short_node_on_a_long_page_is_found_by_its_window():
    """Page 1 holds both words apart in 600 terms, page 2 together among as many."""
    filler = [f"w{at}" for at in range(4 * WINDOW)]
    apart = " ".join(["spindle", *filler[:-2], "growth"])
    together = " ".join([*filler[:300], "spindle", "growth", *filler[300:-2]])
    nodes = [node(1, apart), node(2, together), node(3, "other words")]
    assert pages("spindle growth", nodes, replace(WORDS_ONLY, window=0.5)) == [2, 1]
    assert pages("spindle growth", nodes, WORDS_ONLY) == [1, 2]  # equal: by page


def test_headings_captions_and_pairs_lift_their_page():
    plain = node(1, "cold store capacity was measured")
    heading = node(2, "capacity cold was store measured", kind="heading")
    caption = node(3, "capacity measured store was cold", caption="cold store capacity")
    for part, page in (("headings", 2), ("captions", 3), ("pairs", 1)):
        ranking = replace(WORDS_ONLY, **{part: 0.3})
        assert pages("cold store capacity", [plain, heading, caption], ranking)[0] == page


def test_character_runs_find_parts_of_words():
    nodes = [node(1, "a thermometer stands there"), node(2, "nothing of it stands here")]
    assert pages("thermometry", nodes, WORDS_ONLY) == []
    assert pages("thermometry", nodes, replace(WORDS_ONLY, grams=0.3)) == [1]


REFERRED = [
    node(1, "Annual report of Minato Foods"),
    node(2, "revenue by segment grew", printed=1),
    node(3, "cold store capacity", kind="figure", label="figure:2", printed=2),
    node(4, "see figure 2 and the revenue by segment", printed=3),
    node(5, "3.2 revenue by region", kind="heading", label="section:3.2", printed=4),
    node(9, "address of the head office", printed=8),
]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What does figure 2 say of revenue by segment?", [3, 4]),
        ("Which revenue is in section 3.2?", [5]),
        ("What is the revenue on page 4?", [5, 4]),  # printed and physical, the words decide
        ("What stands on the last page about revenue?", [9]),
        ("Whose revenue is on the cover page?", [1]),
        ("Which revenue is on slide 3?", [4, 3]),
        ("図2の売上は", [3]),
        ("表紙には何がありますか", [1]),
        ("3.2節の revenue", [5]),
    ],
)
def test_places_that_the_question_names_come_first(question, first):
    assert pages(question, REFERRED)[: len(first)] == first


def test_a_section_goes_on_up_to_the_next_heading():
    nodes = [
        node(1, "stores and revenue"),
        node(2, "Appendix B stores", kind="heading", label="appendix:b"),
        node(3, "goes on"),
        node(4, "Appendix C plants", kind="heading", label="appendix:c"),
        node(5, "stores and stores"),
    ]
    assert pages("How many stores are in Appendix B?", nodes)[:2] == [2, 3]


def test_a_figure_without_caption_is_found_where_it_is_mentioned():
    nodes = [node(1, "revenue by segment revenue"), node(2, "revenue see fig. 7 there")]
    assert pages("What revenue does figure 7 show?", nodes)[0] == 2


def test_named_places_are_lifted_in_the_documents_that_the_words_point_to():
    """Every document has a figure 2; thirty others have nothing to do with the question."""
    meant = [
        node(at, f"spindle growth {at}", document_id="meant", node_id=f"m{at}")
        for at in range(1, 6)
    ]
    meant.append(node(7, "curve", kind="figure", label="figure:2", document_id="meant"))
    others = [
        node(1, "figure of stores", label="figure:2", kind="figure", document_id=f"other{at}")
        for at in range(30)
    ]
    found = rank(asked("spindle growth in figure 2"), [Profile(meant), Profile(others)]).pages
    assert found[0].key == ("meant", 7)
    assert {page.document_id for page in found if page.named == "figure:2"} == {"meant"}


def test_japanese_pages_by_bigrams_and_names():
    nodes = [
        node(1, "売上高は増収となった。海事行政の概要。"),
        node(2, "海事行政DXの推進に取り組む背景"),
        node(3, "設備投資の状況について"),
    ]
    assert pages("海事行政DXの推進に取り組む背景は何ですか。", nodes)[:2] == [2, 1]
    assert pages("設備投資について教えてください", nodes)[0] == 3


def test_vectors_order_what_words_leave_open_and_no_more():
    nodes = [node(1, "oil pump"), node(2, "valve"), node(3, "seal")]
    vectors = {"doc/n2": 0.2, "doc/n3": 0.9}
    assert pages("oil", nodes, vectors=vectors) == [1, 3, 2]
    assert pages("unheard", nodes, vectors=vectors) == [3, 2]


def test_inside_a_page_the_best_node_has_the_pages_score():
    nodes = [
        node(1, "the pump needs oil", node_id="a", order=0),
        node(1, "oil pump pressure", node_id="b", order=1),
        node(2, "pressure", node_id="c"),
        node(1, "nothing at all", node_id="d", order=2),
    ]
    found = rank(asked("oil pump pressure"), [Profile(nodes)])
    assert [page.page for page in found.pages] == [1, 2]
    ids = [item.node.node_id for item in found.nodes]
    assert ids[0] == "b"
    assert set(ids) == {"a", "b", "c"}
    scores = {item.node.node_id: item.score for item in found.nodes}
    assert scores["b"] == found.pages[0].score
    assert 0 < scores["a"] <= RANKING.mate * scores["b"]


def test_the_order_of_documents_and_nodes_changes_nothing():
    """Float sums and ties must not depend on the order in which rows are read."""
    nodes = [
        node(page, f"oil pump seal {page % 3}", document_id=f"d{page % 4}", node_id=f"n{page}")
        for page in range(1, 40)
    ]
    query = asked("oil pump seal 1 on page 3")

    def ranked(shuffled):
        grouped = {}
        for item in shuffled:
            grouped.setdefault(item.document_id, []).append(item)
        return rank(query, [Profile(group) for group in grouped.values()])

    expected = ranked(nodes)
    for seed in range(5):
        mixed = list(nodes)
        random.Random(seed).shuffle(mixed)
        assert ranked(mixed) == expected
    keys = [(-page.score, page.document_id, page.page) for page in expected.pages]
    assert keys == sorted(keys)


def test_nothing_asked_finds_nothing():
    assert rank(asked("???"), [Profile([node(1, "oil")])]).pages == []
    assert rank(asked("oil"), []).nodes == []


@pytest.mark.parametrize("seed", range(5))
def test_character_runs_are_counted_as_by_hand(seed):
    """Runs are told apart by 16 bits first: no count may be lost or gained by that."""
    chosen = random.Random(seed)
    texts = [" ".join("".join(chosen.choices("abc", k=6)) for _ in range(40)) for _ in range(4)]
    nodes = [node(at + 1, "", search_text=text) for at, text in enumerate(texts)]
    wanted = ["abcab", "cabba", "xyzzy", "aaaaa", "ab ca", "bcabc"]
    codes = np.unique([gram_codes(run)[0] for run in wanted])
    counts, lengths = Profile(nodes).grams(codes)

    def runs(text):
        return [text[at : at + GRAM] for at in range(len(text) - GRAM + 1)]

    by_code = {int(gram_codes(run)[0]): run for run in wanted}
    by_hand = [[runs(text).count(by_code[int(code)]) for text in texts] for code in codes]
    assert counts.tolist() == by_hand
    assert lengths.tolist() == [len(runs(text)) for text in texts]
