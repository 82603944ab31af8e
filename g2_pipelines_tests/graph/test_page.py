"""The graph page: self-contained and escaped."""

from __future__ import annotations

import asyncio
import re

import pytest

from g2_pipelines.graph.analyse import analyse
from g2_pipelines.graph.build import build_tasks
from g2_pipelines.graph.evolve import evolve
from g2_pipelines.graph.page import graph_page
from g2_pipelines_tests.graph.samples import HashedWords, implicit_nodes, node


def states(nodes, count):
    analyst, evolver = build_tasks(None)
    embedding = HashedWords()

    async def run():
        out = [await analyse(nodes, analyst=analyst, embedding=embedding)]
        for _ in range(count):
            out.append(await evolve(nodes, out[-1], evolver=evolver, embedding=embedding))
        return out

    return asyncio.run(run())


def test_the_page_shows_nodes_by_page_links_and_each_rounds_metrics():
    nodes = implicit_nodes()
    html = graph_page(nodes, states(nodes, 2))
    assert html.count("<article") == 12
    assert 'id="page-2"' in html
    assert "主軸熱変位補償装置" in html
    assert re.search(r"<td>1</td><td>12</td><td>5</td>", html)
    assert re.search(r"<td>2</td><td>12</td><td>0</td>", html)


def test_the_page_needs_nothing_from_outside_and_runs_nothing():
    nodes = implicit_nodes()
    html = graph_page(nodes, states(nodes, 1))
    assert "<script" not in html
    assert "http://" not in html
    assert "https://" not in html


def test_what_a_document_says_cannot_become_markup():
    nodes = [
        node("a", 0, "<script>alert(1)</script> は危険である。"),
        node('"><img src=x>', 1, "別の文である。", caption="<b>x</b>"),
    ]
    html = graph_page(nodes, states(nodes, 1))
    assert "<script>" not in html
    assert "<img" not in html
    assert "<b>" not in html
    assert "&lt;script&gt;" in html


def test_equal_states_give_equal_pages():
    nodes = implicit_nodes()
    assert graph_page(nodes, states(nodes, 1)) == graph_page(nodes, states(nodes, 1))


def test_a_page_of_no_round_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        graph_page(implicit_nodes(), [])
