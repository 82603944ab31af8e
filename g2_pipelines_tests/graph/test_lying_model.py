"""A model behind a real server of the protocol that invents: what stands, what is counted."""

from __future__ import annotations

import asyncio
import json

import pytest

from g2_pipelines.graph.analyse import analyse
from g2_pipelines.graph.build import build_tasks
from g2_pipelines.graph.config import EvolutionConfig
from g2_pipelines.graph.evolve import evolve
from g2_pipelines.graph.metrics import reasons
from g2_pipelines.graph.state import is_structural
from g2_pipelines.tables.line2 import Cell
from g2_pipelines_tests.graph.samples import HashedWords, implicit_nodes, node
from g2_pipelines_tests.models.helpers import port_at
from g2_pipelines_tests.models.server import ModelServer, chat

CONFIG = EvolutionConfig(delta=2, epsilon=2)
STORES = [
    node("a", 0, "Spindle temperature rises with speed."),
    node(
        "t",
        1,
        "Store\tPallets\nKomaki\t9,400",
        "table",
        caption="Table 3. Cold store capacity",
        cells=[Cell(row=1, col=0, text="Komaki"), Cell(row=2, col=1, text="3,100")],
        image="documents/d/t.png",
    ),
    node("b", 2, "It is measured by six sensors."),
]


def content(request):
    return request.prompt.split("<<<\n", 1)[1].split("\n>>>", 1)[0]


def served(tmp_path, nodes, on, *, analysis=None, evolution=None, rounds=1):
    """States by a server that says the given of the node whose content begins with ``on``."""

    def script(request):
        own = content(request)
        if "entities" in (request.schema or {})["properties"]:
            value = {"summary": own.split("\n")[0], "keywords": [], "entities": []}
            more = analysis
        else:
            value = {"links": [], "update": False, "summary": "", "keywords": []}
            more = evolution
        said = value | (more or {}) if own.startswith(on) else value
        return chat(json.dumps(said, ensure_ascii=False))

    async def go(port):
        analyst, evolver = build_tasks(port, CONFIG)
        given = {
            "embedding": HashedWords(),
            "config": CONFIG,
            "images": {"documents/d/t.png": b"\x89PNG"}.get,
        }
        states = [await analyse(nodes, analyst=analyst, **given)]
        for _ in range(rounds):
            states.append(await evolve(nodes, states[-1], evolver=evolver, **given))
        return states

    with ModelServer(script) as server:
        return asyncio.run(go(port_at(server, tmp_path)))


def row_of(state, node_id):
    return next(row for row in state.nodes if row.node_id == node_id)


def test_a_table_with_a_picture_says_what_its_cells_say_and_nothing_else(tmp_path):
    lie = {
        "summary": "Osaka store holds 77,777 pallets. <script>",
        "keywords": ["Osaka", "88888"],
        "entities": ["ACME Corp"],
    }
    for state in served(tmp_path, STORES, "Table 3", analysis=lie):
        row = row_of(state, "t")
        assert row.summary == "Table 3. Cold store capacity: Store / Pallets"
        assert not {"Osaka", "88888"} & set(row.keywords)
        assert "ACME Corp" not in row.entities
        if state.round == 0:
            assert row.engine == "extractive"
            assert reasons(state.metrics, "update") == {"markup": 1}


def test_a_tables_cells_hold_and_what_else_is_named_beside_them_is_dropped_and_counted(tmp_path):
    mixed = {
        "summary": "Cold store capacity: Komaki holds 9,400 pallets, another store 3,100.",
        "keywords": ["Komaki", "Osaka", "3,100", "88,888"],
        "entities": ["Komaki", "ACME Corp"],
    }
    state = served(tmp_path, STORES, "Table 3", analysis=mixed, rounds=0)[0]
    row = row_of(state, "t")
    assert row.summary == mixed["summary"]
    assert row.keywords == ["Komaki", "3,100"]
    assert row.entities == ["Komaki"]
    assert reasons(state.metrics, "update") == {}
    assert reasons(state.metrics, "keyword") == {"foreign_term": 1, "invented_number": 1}
    assert reasons(state.metrics, "entity") == {"foreign_term": 1}
    assert state.metrics.keywords_rejected == 2


@pytest.mark.parametrize(
    ("on", "node_id", "summary", "reason"),
    [
        ("同装置は起動", "a2", "同装置は変位の予測を始めない。", "turned_negation"),
        (
            "同装置は起動",
            "a2",
            "同装置は起動の直後から\u202e変位の予測を始める。",
            "hidden_character",
        ),
        (
            "同装置は起動",
            "a2",
            "同装置は起動の\x1b[31m直後から変位の予測を始める。",
            "hidden_character",
        ),
        ("同装置は起動", "a2", "The device predicts displacement at once.", "other_language"),
        ("Because this", "d2", "This method needs ninety-nine cameras.", "invented_number"),
        ("Because this", "d2", "This method needs 99x camera.", "invented_number"),
        ("Because this", "d2", "This method needs a camera.", "turned_negation"),
    ],
)
def test_an_update_that_lies_is_refused_by_reason(tmp_path, on, node_id, summary, reason):
    said = {"update": True, "summary": summary}
    before, after = served(tmp_path, implicit_nodes(), on, evolution=said)
    assert row_of(after, node_id).summary == row_of(before, node_id).summary
    assert reasons(after.metrics, "update") == {reason: 1}


def test_a_link_that_was_not_shown_and_loose_keywords_cost_nothing_else(tmp_path):
    said = {
        "links": [{"to": "c99", "relation": "reference"}, {"to": "c1", "relation": "sequence"}],
        "update": True,
        "summary": "同装置は起動の直後から変位の予測を始める。",
        "keywords": ["予測", "9999", "量子計算機", "\u202e起動", "変位"],
    }
    _, after = served(tmp_path, implicit_nodes(), "同装置は起動", evolution=said)
    row = row_of(after, "a2")
    assert (row.degraded, row.keywords) == (False, ["予測", "変位"])
    assert reasons(after.metrics, "link") == {"unknown": 1}
    assert reasons(after.metrics, "keyword") == {
        "foreign_term": 1,
        "hidden_character": 1,
        "invented_number": 1,
    }
    kinds = [(e.source, e.kind) for e in after.edges if not is_structural(e)]
    assert kinds == [("a2", "sequence")]
