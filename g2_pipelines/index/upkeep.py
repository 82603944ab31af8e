"""What keeps the index quick: its secondary indexes, compaction, old versions.

Here: ``catch_up`` after a write and ``tidy`` for a schedule. Searches are right without
either, only slower. Only ``lance`` imports this module, under its writer's lock.

Vectors are compared exactly until the table has so many rows that an index pays. Measured on
clustered vectors: at 10,000 rows an exact search takes 14 ms and an approximate one loses
recall unless it refines; at 100,000 × 512 see ``python -m benchmarks.graph``. Then IVF_RQ,
whose candidates are ordered anew by their whole vectors (``PROBES``, ``REFINE``). Of the exact
ten of 87 questions it found 0.997 among 4,750 nodes of eleven real documents (embedded engine,
512 numbers); 0.964 with half the refinement, and 0.936 where 50 of 72 partitions were looked
at: vectors of texts do not fall into partitions, so all are looked at.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

FULL_TEXT = "search_text"
#: Rows that a search may scan outside the indexes: it costs some 4 ms a thousand (processor time,
#: full text, vectors and look-ups together).
_UNINDEXED = 5_000
#: In the midst of a batch: this share of what is indexed. Bringing up rewrites what is there, so
#: that a fixed number of rows would make the work grow with the square of the table.
_SHARE = 1.0
#: Rows from which a look-up by column is worth an index.
_SCALAR_ROWS = 5_000
_SCALARS = {"id": "btree", "document_id": "bitmap", "page": "btree", "label": "btree"}
_VECTOR = "vector"
PROBES, REFINE = 1_000, 10  # lancedb makes a partition of some 4,000 rows


def full_text() -> Any:
    """Split at spaces and nothing else: ``text.terms`` has folded, cut and stemmed already.

    lancedb's own ngram(2, 2) on the plain text cuts Latin words into letter pairs: page recall
    at 5 on 98 English questions 0.513 here, 0.432 there.
    """
    from lancedb.index import FTS

    return FTS(
        base_tokenizer="whitespace",
        stem=False,
        remove_stop_words=False,
        lower_case=False,
        ascii_folding=False,
        with_position=False,
    )


def catch_up(table: Any, vector_rows: int, *, midst: bool) -> int:
    """Bring the indexes up when too many rows stand outside the full text's.

    ``midst``: of a batch; more rows follow. Returns how many may be written before it is worth
    asking again.
    """
    share = _SHARE if midst else 0.0
    stats = table.index_stats(f"{FULL_TEXT}_idx")
    if stats is not None:
        most = max(_UNINDEXED, int(share * stats.num_indexed_rows))
        if stats.num_unindexed_rows <= most:
            return int(most - stats.num_unindexed_rows)
    _index(table, vector_rows)
    table.optimize()
    return max(_UNINDEXED, int(share * table.count_rows()))


def tidy(table: Any, vector_rows: int, keep: timedelta) -> None:
    """Indexes that the table's size asks for, compaction, versions older than ``keep`` gone."""
    _index(table, vector_rows)
    table.optimize(cleanup_older_than=keep)


def has_vector_index(table: Any) -> bool:
    """Whether vectors are searched by an index."""
    return any(_VECTOR in index.columns for index in table.list_indices())


def _index(table: Any, vector_rows: int) -> None:
    from lancedb.index import Bitmap, BTree, IvfFlat, IvfRq

    rows = table.count_rows()
    there = {column: index.name for index in table.list_indices() for column in index.columns}
    if rows >= _SCALAR_ROWS:
        for column, kind in _SCALARS.items():
            if column not in there:
                table.create_index(column, config=Bitmap() if kind == "bitmap" else BTree())
    if vector_rows and rows >= vector_rows:
        if _VECTOR not in there:
            # IVF_RQ packs eight numbers at a time; other lengths are kept whole.
            packs = table.schema.field(_VECTOR).type.list_size % 8 == 0
            config = IvfRq if packs else IvfFlat
            table.create_index(_VECTOR, config=config(distance_type="cosine"))
    elif _VECTOR in there and 2 * rows < vector_rows:
        # Far below the size where it pays: exact again.
        table.drop_index(there[_VECTOR])
