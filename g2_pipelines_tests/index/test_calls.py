"""How often LanceDB is asked: by a write, a batch of writes, and a question.

Times differ from machine to machine; the number of calls and of rows that they read does not.
"""

from __future__ import annotations

from collections import Counter

import pytest
from lancedb import query, table

from g2_pipelines.index import search, upkeep
from g2_pipelines.index.lance import NodeIndex
from g2_pipelines_tests.index.samples import DIMENSION, MODEL, rows

VECTOR = [1.0, 0.0, 0.0, 0.0]
EVERYTHING = {"documents": None, "edinet_code": None, "top": 10}


@pytest.fixture
def calls(monkeypatch):
    """Calls by name, from now on: ``search`` is any reading of rows."""
    made = Counter()

    def count(owner, attribute, name):
        original = getattr(owner, attribute)

        def counted(*args, **kwargs):
            made[name] += 1
            return original(*args, **kwargs)

        monkeypatch.setattr(owner, attribute, counted)

    for name in ("optimize", "create_index", "index_stats", "count_rows", "add", "merge_insert"):
        count(table.LanceTable, name, name)
    for builder in (
        query.LanceVectorQueryBuilder,
        query.LanceFtsQueryBuilder,
        query.LanceEmptyQueryBuilder,
    ):
        count(builder, "to_arrow", "search")
    return made


def write(index, documents):
    for at in range(documents):
        name = f"doc-{at:03d}"
        index.replace_document(name, rows(name, ["売上高は増収となった。", f"第{at}の文である。"]))


def test_a_batch_brings_the_indexes_up_by_growth(tmp_path, monkeypatch, calls):
    """64 documents of 2 rows; at 8 rows outside, or as many as inside. The first call comes with
    the fifth document (10 > 8, all indexed), then 10 → 22 → 46 → 94 rows: four, not one in five
    documents; the end brings up the 34 rows that are left."""
    monkeypatch.setattr(upkeep, "_UNINDEXED", 8)
    index = NodeIndex.open(str(tmp_path), MODEL, DIMENSION)
    calls.clear()
    write(index, 64)
    assert calls["optimize"] == 4
    assert calls["add"] == 64
    assert calls["index_stats"] <= 2 * calls["optimize"] + 1
    index.catch_up()
    assert calls["optimize"] == 5
    assert index._table.index_stats("search_text_idx").num_unindexed_rows == 0
    index.catch_up()
    assert calls["optimize"] == 5  # nothing stands outside


def test_single_documents_bring_the_indexes_up_once_in_many(tmp_path, monkeypatch, calls):
    """Each with an end of its own, as a document that is added alone: 4 rows outside are left."""
    monkeypatch.setattr(upkeep, "_UNINDEXED", 8)
    for at in range(12):
        index = NodeIndex.open(str(tmp_path), MODEL, DIMENSION)
        index.replace_document(f"doc-{at}", rows(f"doc-{at}", ["一つ。", "二つ。"]))
        index.catch_up()
    assert calls["optimize"] == 2


def test_the_same_rows_again_read_one_row_and_touch_no_index(tmp_path, calls):
    index = NodeIndex.open(str(tmp_path), MODEL, DIMENSION)
    write(index, 3)
    calls.clear()
    write(index, 3)
    assert calls == {"search": 3}


@pytest.mark.parametrize(
    ("question", "whole", "most"),
    [
        ("売上高は増収か", True, 2),  # vectors, the documents' rows
        ("売上高は増収か", False, 3),  # vectors, words, the sample's rows
        ("2ページの売上高は", False, 4),  # and the named places'
    ],
)
def test_a_question_costs_few_calls_and_the_next_one_fewer(
    tmp_path, monkeypatch, calls, question, whole, most
):
    monkeypatch.setattr(search, "_PROFILES", search.Profiles(1_000))
    monkeypatch.setattr(search, "WHOLE_NODES", 1_000 if whole else 0)
    index = NodeIndex.open(str(tmp_path), MODEL, DIMENSION)
    write(index, 20)
    index.indexed()  # read once a version
    calls.clear()
    first = index.found(text=question, vector=VECTOR, **EVERYTHING)
    assert first
    assert calls == {"search": most}
    calls.clear()
    assert index.found(text=question, vector=VECTOR, **EVERYTHING) == first
    assert calls == {"search": most - 1}  # what ranking reads of documents is kept
    calls.clear()
    index.rows([(item.node.document_id, item.node.node_id) for item in first])
    assert calls["search"] == 1
