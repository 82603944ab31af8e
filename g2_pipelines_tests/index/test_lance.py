"""The node index on a real LanceDB folder."""

from __future__ import annotations

import multiprocessing
import random
from datetime import timedelta

import pytest

from g2_pipelines.index.lance import IndexMismatchError, NodeIndex
from g2_pipelines.index.lock import IndexBusyError, writer_lock
from g2_pipelines.index.rows import IndexInputError
from g2_pipelines_tests.index.samples import DIMENSION, MODEL, rows

A = ["売上高は増収となった。", "設備投資は減少した。", "コンピューターの稼働率は85%だった。"]
B = ["Revenue grew by 12.5% in fiscal 2025.", "京都の工場にAIを入れた。", "利益"]


@pytest.fixture
def index(tmp_path):
    return NodeIndex.open(str(tmp_path / "lance"), MODEL, DIMENSION)


@pytest.fixture
def filled(index):
    index.replace_document("doc-a", rows("doc-a", A, edinet_code="E99001"))
    index.replace_document("doc-b", rows("doc-b", B, edinet_code="E99002"))
    return index


def found(index, text, **scope):
    values = {"documents": None, "edinet_code": None, "top": 10, "vector": None, **scope}
    return [f"{hit.row.document_id}/{hit.row.node_id}" for hit in index.search(text=text, **values)]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("売上高", ["doc-a/n0"]),
        ("利益", ["doc-b/n2"]),
        ("京都", ["doc-b/n1"]),
        ("増", ["doc-a/n0"]),  # one character inside a longer run
        ("益", ["doc-b/n2"]),
        ("AI", ["doc-b/n1"]),
        ("ＡＩ", ["doc-b/n1"]),  # full width
        ("85%", ["doc-a/n2"]),
        ("12.5%", ["doc-b/n0"]),
        ("REVENUES", ["doc-b/n0"]),
        ("コンピュータ", ["doc-a/n2"]),  # the long mark is missing
        ("'; DROP TABLE nodes --", []),
        ('"AND" OR (', []),
        ("", []),
        ("。、", []),
    ],
)
def test_words_of_any_script_and_length_are_found(filled, question, expected):
    """The default tokenizers answer 2 of 16 such queries, ngrams none of one character."""
    assert found(filled, question) == expected


def test_a_replaced_document_leaves_no_old_row_and_no_other_document_alone(filled):
    assert filled.replace_document("doc-a", rows("doc-a", ["受注残高は過去最高である。"]))
    assert found(filled, "売上高") == []
    assert found(filled, "受注残高") == ["doc-a/n0"]
    assert found(filled, "利益") == ["doc-b/n2"]
    assert filled.count() == 4


def test_the_same_rows_again_write_nothing(filled):
    version = filled._table.version
    assert not filled.replace_document("doc-a", rows("doc-a", A, edinet_code="E99001"))
    assert filled._table.version == version


def test_replacing_is_one_commit(filled):
    version = filled._table.version
    filled.replace_document("doc-a", rows("doc-a", A[:1]))
    assert filled._table.version == version + 1


def test_a_changed_vector_or_keyword_is_a_change(filled):
    turned = rows("doc-a", A, edinet_code="E99001", vectors=[[0, 1, 0, 0]] * 3)
    assert filled.replace_document("doc-a", turned)
    worded = rows("doc-a", A, edinet_code="E99001", vectors=[[0, 1, 0, 0]] * 3, keywords=["主軸"])
    assert filled.replace_document("doc-a", worded)
    assert len(found(filled, "主軸")) == 3


def test_deleting_removes_one_document_and_says_whether_it_was_there(filled):
    assert filled.delete_document("doc-a")
    assert not filled.delete_document("doc-a")
    assert list(filled.documents()) == ["doc-b"]


def test_an_empty_replacement_deletes(filled):
    assert filled.replace_document("doc-a", [])
    assert list(filled.documents()) == ["doc-b"]


def test_a_quote_in_an_id_touches_only_that_document(index):
    """An unescaped quote would end the SQL literal and could delete every document."""
    nasty = "x' OR '1'='1"
    index.replace_document("doc-a", rows("doc-a", A))
    index.replace_document(nasty, rows(nasty, ["奇妙な文書である。"]))
    index.replace_document(nasty, rows(nasty, ["別の文書である。"]))
    assert index.count() == 4
    assert found(index, "文書", documents=[nasty]) == [f"{nasty}/n0"]
    assert index.delete_document(nasty)
    assert list(index.documents()) == ["doc-a"]


def test_scopes_hold_for_words_and_vectors(filled):
    vector = [1.0, 0.0, 0.0, 0.0]
    one = found(filled, "利益 売上高", documents=["doc-b"], vector=vector)
    assert {name.split("/")[0] for name in one} == {"doc-b"}
    company = found(filled, "利益 売上高", edinet_code="E99001", vector=vector)
    assert {name.split("/")[0] for name in company} == {"doc-a"}
    assert found(filled, "利益", documents=["doc-a"], edinet_code="E99002", vector=vector) == []
    assert found(filled, "利益", documents=[], vector=vector) == []


def test_hits_say_what_found_them(filled):
    hits = filled.search(
        text="売上高", vector=[1.0, 0, 0, 0], documents=["doc-a"], edinet_code=None, top=3
    )
    assert [(h.row.node_id, h.by) for h in hits] == [
        ("n0", ("text", "vector")),
        ("n1", ("vector",)),  # n0 to n2 turn away from the question's vector
        ("n2", ("vector",)),
    ]


def test_equal_rows_come_by_id(index):
    for name in ("doc-c", "doc-a", "doc-b"):
        index.replace_document(name, rows(name, ["同じ文である。"]))
    assert found(index, "同じ文") == ["doc-a/n0", "doc-b/n0", "doc-c/n0"]
    vector = [1.0, 0.0, 0.0, 0.0]
    assert found(index, "", vector=vector) == ["doc-a/n0", "doc-b/n0", "doc-c/n0"]


def test_history_and_optimizing_do_not_change_scores(tmp_path):
    """An answer must not depend on the order in which documents came."""
    question = {"vector": [1.0, 0.2, 0, 0], "documents": None, "edinet_code": None, "top": 6}
    first = NodeIndex.open(str(tmp_path / "one"), MODEL, DIMENSION)
    first.replace_document("doc-a", rows("doc-a", A))
    first.replace_document("doc-b", rows("doc-b", B))
    second = NodeIndex.open(str(tmp_path / "two"), MODEL, DIMENSION)
    second.replace_document("doc-b", rows("doc-b", ["古い設備投資の文。"] * 9))
    second.replace_document("doc-b", rows("doc-b", B))
    second.replace_document("doc-a", rows("doc-a", A))
    second.optimize()
    one = first.search(text="設備投資と利益", **question)
    two = second.search(text="設備投資と利益", **question)
    assert [(h.row, h.score) for h in one] == [(h.row, h.score) for h in two]


def test_what_one_handle_writes_another_sees(tmp_path):
    reader = NodeIndex.open(str(tmp_path), MODEL, DIMENSION)
    writer = NodeIndex.open(str(tmp_path), MODEL, DIMENSION)
    writer.replace_document("doc-a", rows("doc-a", A))
    assert found(reader, "売上高") == ["doc-a/n0"]


def test_another_embedding_is_refused_with_the_remedy(tmp_path):
    """Vectors of two models in one table make every distance meaningless, silently."""
    NodeIndex.open(str(tmp_path), MODEL, DIMENSION)
    with pytest.raises(IndexMismatchError, match="materialize node_index again"):
        NodeIndex.open(str(tmp_path), "other/2", DIMENSION)
    with pytest.raises(IndexMismatchError, match="dimension 4, the settings say 8"):
        NodeIndex.open(str(tmp_path), MODEL, 8)


def test_a_row_of_another_document_or_embedding_is_refused(index):
    with pytest.raises(IndexInputError, match="belongs to doc-a"):
        index.replace_document("doc-b", rows("doc-a", A))
    foreign = [row.model_copy(update={"embedding_model": "x"}) for row in rows("doc-a", A)]
    with pytest.raises(IndexInputError, match="embedded by x"):
        index.replace_document("doc-a", foreign)
    with pytest.raises(IndexInputError, match="two rows"):
        index.replace_document("doc-a", [*rows("doc-a", A), rows("doc-a", A)[0]])
    assert index.count() == 0


def test_a_question_of_another_dimension_is_refused(filled):
    with pytest.raises(IndexInputError, match="has 3 values, the index 4"):
        found(filled, "x", vector=[1.0, 0.0, 0.0])


def test_rows_are_found_by_id(index):
    index.replace_document("doc-a", rows("doc-a", [("heading", "2 結果"), ("figure", "図3 受注")]))
    assert list(index.rows_of("doc-a", ["n1", "gone"])) == ["n1"]
    assert index.rows_of("doc-a", ["n1"])["n1"].text == "図3 受注"


def test_a_second_writer_waits_and_then_says_so(tmp_path):
    index = NodeIndex.open(str(tmp_path), MODEL, DIMENSION, lock_timeout_s=0.1)
    with writer_lock(str(tmp_path), 1), pytest.raises(IndexBusyError, match="busy"):
        index.replace_document("doc-a", rows("doc-a", A))
    assert index.replace_document("doc-a", rows("doc-a", A))


def test_an_object_store_url_is_not_made_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with writer_lock("s3://bucket/lance", 1):
        assert list(tmp_path.iterdir()) == []


def _write(uri: str, name: str) -> None:
    index = NodeIndex.open(uri, MODEL, DIMENSION)
    for turn in range(3):
        index.replace_document(name, rows(name, [f"{name}の文{turn}である。", "共通の文である。"]))


@pytest.mark.slow
def test_two_processes_that_write_lose_and_double_nothing(tmp_path):
    spawn = multiprocessing.get_context("spawn")
    writers = [spawn.Process(target=_write, args=(str(tmp_path), f"doc-{at}")) for at in range(2)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(120)
    index = NodeIndex.open(str(tmp_path), MODEL, DIMENSION)
    assert [writer.exitcode for writer in writers] == [0, 0]
    assert index.count() == 4
    assert sorted(index.documents()) == ["doc-0", "doc-1"]


def many(count):
    """``count`` rows of two documents whose vectors stand around forty centres."""
    chosen = random.Random(4)
    centres = [[chosen.gauss(0, 1) for _ in range(DIMENSION)] for _ in range(40)]
    for name in ("doc-a", "doc-b"):
        texts = [f"第{at}の文である。" for at in range(count // 2)]
        vectors = [[c + 0.05 * chosen.gauss(0, 1) for c in chosen.choice(centres)] for _ in texts]
        yield name, rows(name, texts, vectors=vectors)


def test_vectors_are_compared_exactly_below_the_size_where_an_index_pays(tmp_path):
    index = NodeIndex.open(str(tmp_path), MODEL, DIMENSION)
    for name, made in many(600):
        index.replace_document(name, made)
    index.optimize()
    assert not index.approximate


def test_past_that_size_an_index_finds_the_same_best_rows(tmp_path):
    """Its candidates are ordered anew by their whole vectors; it goes when the rows have gone."""
    exact = NodeIndex.open(str(tmp_path), MODEL, DIMENSION, vector_index_rows=0)
    for name, made in many(1_200):
        exact.replace_document(name, made)
    question = [0.3, -1.0, 0.5, 0.2]
    scope = {"text": "", "documents": None, "edinet_code": None, "top": 5}
    before = [(h.row, h.score) for h in exact.search(vector=question, **scope)]
    assert before
    indexed = NodeIndex.open(str(tmp_path), MODEL, DIMENSION, vector_index_rows=1_000)
    indexed.optimize()
    assert indexed.approximate
    assert [(h.row, h.score) for h in indexed.search(vector=question, **scope)] == before
    indexed.delete_document("doc-a")
    indexed.replace_document("doc-b", rows("doc-b", ["短い文である。"]))
    indexed.optimize()
    assert not indexed.approximate


def test_upkeep_drops_old_versions_and_fragments(tmp_path):
    index = NodeIndex.open(str(tmp_path), MODEL, DIMENSION)
    for at in range(8):
        index.replace_document(f"doc-{at}", rows(f"doc-{at}", A))
    before = index.versions
    index.optimize(timedelta(milliseconds=1))
    assert index.versions < before
    assert index.count() == 8 * len(A)
    assert sorted(index.documents()) == [f"doc-{at}" for at in range(8)]


def test_what_stands_in_the_index_says_its_round(index):
    index.replace_document("doc-a", rows("doc-a", A))
    assert index.indexed()["doc-a"].round == 1
    assert index.indexed()["doc-a"].digest == index.documents()["doc-a"]
