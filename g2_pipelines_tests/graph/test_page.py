"""The explorer page: self-contained, escaped, complete in every round."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import io
import json
import re

import pytest
from PIL import Image

from g2_pipelines.graph.analyse import analyse
from g2_pipelines.graph.build import build_tasks
from g2_pipelines.graph.evolve import evolve
from g2_pipelines.graph.explorer import shrunk
from g2_pipelines.graph.page import graph_page
from g2_pipelines.graph.plots import round_plots
from g2_pipelines.graph.state import is_structural
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


def data_of(html):
    """The JSON that the page's script reads, as a browser would take it out."""
    [text] = re.findall(r'<script type="application/json" id="data">(.*?)</script>', html)
    return json.loads(text)


def picture(width=40, height=60):
    buffer = io.BytesIO()
    Image.new("RGB", (width, height), "white").save(buffer, "PNG")
    return buffer.getvalue()


def test_every_round_can_be_told_from_what_differs():
    nodes = implicit_nodes()
    made = states(nodes, 2)
    data = data_of(graph_page(nodes, made))
    assert [node["id"] for node in data["nodes"]] == [node.node_id for node in nodes]
    place = {node.node_id: at for at, node in enumerate(nodes)}
    told, links = {}, None
    for state, round_ in zip(made, data["rounds"], strict=True):
        told |= round_["attributes"]
        links = links if round_["links"] is None else round_["links"]
        for row in state.nodes:
            resolved = [[item.term, place[item.from_node]] for item in row.resolved]
            expected = [row.summary, row.keywords, resolved]
            assert told[str(place[row.node_id])] == expected
        assert [[place[e.source], place[e.target], data["relations"].index(e.kind), e.rank]
                for e in state.edges if not is_structural(e)] == links  # fmt: skip
        assert round_["changed"] == [place[row.node_id] for row in state.nodes if row.changed]
    assert data["rounds"][2]["attributes"] == {}  # at rest
    assert len(data["edges"]) == made[0].metrics.structural_edges


def test_a_table_says_what_each_round_did():
    nodes = implicit_nodes()
    html = graph_page(nodes, states(nodes, 2))
    assert re.search(r"<td>1</td><td>12</td><td>5</td>", html)
    assert re.search(r"<td>2</td><td>12</td><td>0</td>", html)


def test_the_page_fetches_nothing_and_runs_one_script_that_holds_no_value():
    nodes = implicit_nodes()
    html = graph_page(nodes, states(nodes, 1), pictures={1: picture()})
    [script] = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    allowed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', html)
    assert f"script-src 'sha256-{allowed}'" in policy
    assert "default-src 'none'" in policy
    assert "img-src data:;" in policy
    other = [node("x", 0, "別の文書である。"), node("y", 1, "短い。")]
    assert script in graph_page(other, states(other, 0))
    outside = re.sub(r"http://www\.w3\.org/2000/svg", "", html)
    assert not re.search(r"https?://", outside)
    assert not re.search(r"\son\w+=", html.replace(script, ""))
    assert "innerHTML" not in script


HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)> & \u2028 は危険である。"


def test_what_a_document_says_cannot_become_markup():
    nodes = [
        node("a", 0, HOSTILE),
        node('"><img src=x>', 1, "別の文である。", caption="<b>x</b>"),
    ]
    html = graph_page(nodes, states(nodes, 1), name="<i>name</i>")
    assert html.count("<script") == 2
    assert html.count("</script") == 2
    assert "<img src=x" not in html
    assert "<b>x" not in html
    assert "<i>" not in html
    assert data_of(html)["nodes"][0]["t"] == HOSTILE
    assert data_of(html)["nodes"][1]["id"] == '"><img src=x>'


def test_a_lone_surrogate_does_not_spoil_the_page():
    nodes = [node("a", 0, "壊れた文字 \ud800 がある。"), node("b", 1, "別の文である。")]
    html = graph_page(nodes, states(nodes, 0))
    assert html.encode()
    assert "壊れた文字" in data_of(html)["nodes"][0]["t"]


def test_pictures_are_made_small_and_there_is_a_limit():
    found = shrunk({page: picture(2_000, 3_000) for page in range(1, 14)})
    assert list(found) == list(range(1, 14))
    for address in found.values():
        data = base64.b64decode(address.removeprefix("data:image/jpeg;base64,"))
        assert Image.open(io.BytesIO(data)).size == (760, 1_140)
    assert len(shrunk({page: picture() for page in range(1, 131)})) == 100
    noise = io.BytesIO()
    Image.effect_noise((1_000, 1_400), 90).save(noise, "PNG")
    many = shrunk({page: noise.getvalue() for page in range(1, 101)})
    assert 0 < len(many) < 100
    assert sum(len(a) for a in many.values()) * 3 / 4 <= 8_000_000


def test_a_long_text_is_cut_and_the_page_stays_small():
    nodes = [node(f"n{at}", at, f"{at} 番目の文は{'長い' * 2_000}。") for at in range(300)]
    html = graph_page(nodes, states(nodes, 1))
    assert all(len(item["t"]) <= 1_201 for item in data_of(html)["nodes"])
    assert len(html.encode()) < 2_500_000


def test_equal_states_give_equal_pages():
    nodes = implicit_nodes()
    one, two = (
        graph_page(nodes, states(nodes, 1), pictures={1: picture(), 2: picture()}) for _ in "ab"
    )
    assert one == two


def test_a_page_of_no_round_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        graph_page(implicit_nodes(), [])


def test_the_plots_write_every_value_out():
    nodes = implicit_nodes()
    made = [state.metrics for state in states(nodes, 2)]
    svg = round_plots(made)
    for metrics in made:
        assert f">{metrics.semantic_edges}<" in svg
        assert f">{metrics.nearest_margin:.3f}<" in svg
    assert svg.count("<polyline") == 6
