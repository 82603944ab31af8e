"""The node index: one LanceDB table of all documents' nodes, searched by words and vectors.

Here: ``NodeIndex``. Full text is over ``search_text``, whose terms ``text.terms`` makes
(character bigrams for Japanese, whole Latin words and figures), split at spaces; vectors are
compared exactly until there are so many that an index pays (``upkeep``). How a question is
ranked stands in ``search`` and ``pages``. lancedb is imported on first use. graph, ``defs`` and ``cli`` import this module.

Writers queue on a lock file (``lock``); readers see the newest commit. The URI is handed to
lancedb as it is: a folder or an object store's URL.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from g2_pipelines.errors import StateError
from g2_pipelines.index.lock import writer_lock
from g2_pipelines.index.pages import RANKING, PageRanking
from g2_pipelines.index.rows import IndexInputError, pack
from g2_pipelines.index.schema import (
    META_DIMENSION,
    META_MODEL,
    META_VERSION,
    READ_COLUMNS,
    VERSION,
    arrow_schema,
    from_record,
    row_id,
    to_table,
)
from g2_pipelines.index.search import Found, Nearest, PageSearch, Scoped, nearest, quoted
from g2_pipelines.index.upkeep import PROBES, REFINE, catch_up, full_text, has_vector_index, tidy
from g2_pipelines.tables.line2 import IndexRow

TABLE = "nodes"


class IndexMismatchError(StateError):
    """The stored index was made with another schema or another embedding."""

    code = "index_mismatch"


@dataclass(frozen=True)
class Hit:
    """A row found (its vector left empty), its score, and what found it.

    ``by``: ``text``, ``vector``, both, or neither where only its page was found. ``named``: how
    the question names it or its page (``figure:2``, ``page:5``), or "".
    """

    row: IndexRow
    score: float
    by: tuple[str, ...]
    named: str = ""


@dataclass(frozen=True)
class Indexed:
    """How a document stands in the index: its rows' digest, their graph's round, their number."""

    digest: str
    round: int
    rows: int
    edinet_code: str | None


class NodeIndex:
    """Open with ``NodeIndex.open``; safe for one writer and many readers."""

    def __init__(
        self, uri: str, table: Any, schema: Any, lock_timeout_s: float, vector_index_rows: int
    ) -> None:
        self._uri = uri
        self._table = table
        self._schema = schema
        self._lock_timeout_s = lock_timeout_s
        self._vector_index_rows = vector_index_rows
        self._known: tuple[int, dict[str, Indexed]] = (-1, {})
        self._ahead = 0  # rows that may be written before the indexes are looked at

    @classmethod
    def open(
        cls,
        uri: str,
        embedding_model: str,
        dimension: int,
        *,
        storage_options: Mapping[str, str] | None = None,
        lock_timeout_s: float = 600.0,
        vector_index_rows: int = 100_000,
    ) -> NodeIndex:
        """The index at ``uri``, made if there is none.

        Args:
            uri: Folder or object store URL of the database.
            embedding_model: Who makes the vectors; recorded and compared.
            dimension: Their length; recorded and compared.
            storage_options: Credentials and the like, handed to the object store.
            lock_timeout_s: How long a writer waits for another one.
            vector_index_rows: Rows from which vectors are searched by an index; 0 is never.

        Raises:
            IndexMismatchError: what is there was made with another embedding or schema.
        """
        import lancedb

        # Interval 0: a reader must see what another process committed a moment ago.
        database = lancedb.connect(
            uri,
            read_consistency_interval=timedelta(0),
            storage_options=dict(storage_options) if storage_options else None,
        )
        schema = arrow_schema(embedding_model, dimension)
        table = _existing(database)
        # A finished one is opened without the lock: a reader waits for no writer, and the
        # folder may be read-only.
        if table is None or not table.list_indices():
            with writer_lock(uri, lock_timeout_s):
                table = _existing(database)
                if table is None:
                    table = database.create_table(TABLE, schema=schema)
                    table.create_index("search_text", config=full_text())
        _check(table.schema, schema, uri)
        return cls(uri, table, schema, lock_timeout_s, vector_index_rows)

    def replace_document(self, document_id: str, rows: Sequence[IndexRow]) -> bool:
        """Make ``rows`` the document's rows, in one commit; False if they already are.

        ``catch_up`` belongs after the last of a batch.

        Args:
            document_id: The document; without rows it is deleted.
            rows: All its rows (``index_rows``).

        Raises:
            IndexInputError: a row of another document, embedding or dimension, or an id twice.
            IndexBusyError: another writer did not finish in time.
        """
        self._check_rows(document_id, rows)
        if not rows:
            return self.delete_document(document_id)
        packed = pack(rows)
        with writer_lock(self._uri, self._lock_timeout_s):
            stored = self._digest_of(document_id)
            if stored == packed.digest:
                return False
            table = to_table(rows, packed, self._schema)
            if stored is None:
                # A merge reads the whole table's ids: for what is new, only an append is needed.
                self._table.add(table)
            else:
                merge = (
                    self._table.merge_insert("id")
                    .when_matched_update_all()
                    .when_not_matched_insert_all()
                    .when_not_matched_by_source_delete(f"document_id = {quoted(document_id)}")
                )
                merge.execute(table)
            self._ahead -= len(rows)
            if self._ahead < 0:
                self._ahead = catch_up(self._table, self._vector_index_rows, midst=True)
        return True

    def catch_up(self) -> None:
        """Bring the indexes up where many rows stand outside, after a batch."""
        with writer_lock(self._uri, self._lock_timeout_s):
            catch_up(self._table, self._vector_index_rows, midst=False)

    def delete_document(self, document_id: str) -> bool:
        """Remove a document's rows in one commit; False if it has none."""
        condition = f"document_id = {quoted(document_id)}"
        with writer_lock(self._uri, self._lock_timeout_s):
            if self._table.count_rows(condition) == 0:
                return False
            self._table.delete(condition)
        return True

    def documents(self) -> dict[str, str]:
        """Digest of each indexed document's rows, by document_id in order."""
        return {document_id: item.digest for document_id, item in self.indexed().items()}

    def indexed(self) -> dict[str, Indexed]:
        """How each document stands in the index, by document_id in order.

        Read once a version of the table: it is asked for with every question.
        """
        version = self._table.version
        if self._known[0] != version:
            columns = ["document_id", "document_digest", "round", "edinet_code"]
            rows = self._table.search().select(columns).limit(None).to_arrow()
            distinct = rows.group_by(columns).aggregate([([], "count_all")]).to_pylist()
            found = {
                row["document_id"]: Indexed(
                    row["document_digest"], row["round"], row["count_all"], row["edinet_code"]
                )
                for row in sorted(distinct, key=lambda row: str(row["document_id"]))
            }
            self._known = (version, found)
        return dict(self._known[1])

    def _digest_of(self, document_id: str) -> str | None:
        query = self._table.search().where(f"document_id = {quoted(document_id)}")
        found = query.select(["document_digest"]).limit(1).to_arrow()
        return str(found["document_digest"][0]) if found.num_rows else None

    def count(self) -> int:
        """Number of rows."""
        return int(self._table.count_rows())

    def optimize(self, keep: timedelta = timedelta(days=1)) -> None:
        """Compact, bring the indexes up to date, drop versions older than ``keep``.

        For a schedule; searches are right without it, only slower.
        """
        with writer_lock(self._uri, self._lock_timeout_s):
            tidy(self._table, self._vector_index_rows, keep)

    @property
    def versions(self) -> int:
        """Stored versions of the table; each write makes one."""
        return len(self._table.list_versions())

    @property
    def approximate(self) -> bool:
        """Whether vectors are searched by an index (and refined) instead of exactly."""
        return has_vector_index(self._table)

    def search(
        self,
        *,
        text: str,
        vector: Sequence[float] | None,
        documents: Sequence[str] | None,
        edinet_code: str | None,
        top: int,
        ranking: PageRanking = RANKING,
    ) -> list[Hit]:
        """The best rows: pages are ranked, then the rows inside their pages.

        The first hits of distinct pages come in the order of the pages. The same state and
        question give the same hits.

        Args:
            text: The question, whole: its places (figure 2, page 5) are read from it.
            vector: Its vector; None searches by words alone.
            documents: Only these; None is all, an empty sequence none.
            edinet_code: Only this company's; None is any.
            top: Most hits.
            ranking: Weights of what is compared.

        Raises:
            IndexInputError: the vector has another dimension than the index.
        """
        found = self.found(
            text=text,
            vector=vector,
            documents=documents,
            edinet_code=edinet_code,
            top=top,
            ranking=ranking,
        )
        rows = self._by_id([item.node.id for item in found])
        return [Hit(rows[item.node.id], item.score, item.by, item.named) for item in found]

    def found(
        self,
        *,
        text: str,
        vector: Sequence[float] | None,
        documents: Sequence[str] | None,
        edinet_code: str | None,
        top: int,
        ranking: PageRanking = RANKING,
    ) -> list[Found]:
        """As ``search``, without the rows themselves: what ranking read of them."""
        scope = [
            Scoped(document_id, item.digest, item.rows)
            for document_id, item in self.indexed().items()
            if (documents is None or document_id in documents)
            and (edinet_code is None or item.edinet_code == edinet_code)
        ]
        where = _scope(documents, edinet_code)
        near = partial(self._nearest, vector, where) if vector is not None else None
        search = PageSearch(self._table, near)
        return search.found(text, scope=scope, where=where, top=top, ranking=ranking)

    def rows_of(self, document_id: str, node_ids: Sequence[str]) -> dict[str, IndexRow]:
        """Rows of one document by node_id; those that are not indexed are left out."""
        rows = self.rows([(document_id, node_id) for node_id in node_ids])
        return {node_id: row for (_, node_id), row in rows.items()}

    def rows(self, keys: Collection[tuple[str, str]]) -> dict[tuple[str, str], IndexRow]:
        """Rows by document_id and node_id; those that are not indexed are left out."""
        found = self._by_id([row_id(*key) for key in sorted(set(keys))])
        return {(row.document_id, row.node_id): row for row in found.values()}

    def _rows(self, where: str) -> list[IndexRow]:
        query = self._table.search().where(where).select(["id", *READ_COLUMNS]).limit(None)
        records = sorted(query.to_list(), key=lambda record: record["id"])
        return [from_record(record) for record in records]

    def _by_id(self, ids: Sequence[str]) -> dict[str, IndexRow]:
        if not ids:
            return {}
        rows = self._rows(f"id IN ({', '.join(map(quoted, ids))})")
        return {row_id(row.document_id, row.node_id): row for row in rows}

    def _nearest(self, vector: Sequence[float], where: str, most: int) -> Nearest:
        """The rows nearest to ``vector`` by cosine, ties by id, as ranking reads them."""
        dimension = int(self._schema.metadata[META_DIMENSION])
        if len(vector) != dimension:
            msg = f"the question's vector has {len(vector)} values, the index {dimension}"
            raise IndexInputError(msg, file=self._uri)
        query = self._table.search(list(vector), vector_column_name="vector")
        # Without a vector index the search is exact, and neither number is looked at.
        query = query.distance_type("cosine").nprobes(PROBES).refine_factor(REFINE)
        query = query.where(where, prefilter=True) if where else query
        return nearest(query, most)

    def _check_rows(self, document_id: str, rows: Sequence[IndexRow]) -> None:
        model = self._schema.metadata[META_MODEL].decode()
        dimension = int(self._schema.metadata[META_DIMENSION])
        for row in rows:
            if row.document_id != document_id:
                msg = f"a row belongs to {row.document_id}"
            elif row.embedding_model != model or len(row.vector) != dimension:
                msg = f"a row was embedded by {row.embedding_model} ({len(row.vector)} values)"
            else:
                continue
            raise IndexInputError(msg, file=document_id, place=row.node_id)
        twice = [node_id for node_id, n in Counter(r.node_id for r in rows).items() if n > 1]
        if twice:
            msg = "a node has two rows"
            raise IndexInputError(msg, file=document_id, place=twice[0])


def _existing(database: Any) -> Any | None:
    try:
        return database.open_table(TABLE)
    except ValueError as error:
        if "not found" in str(error):  # lancedb has no class of its own for it
            return None
        raise


def _check(have: Any, want: Any, uri: str) -> None:
    metadata = have.metadata or {}
    if metadata.get(META_VERSION) != VERSION.encode():
        raise _mismatch("The node index has another schema version", uri)
    for key, what in ((META_MODEL, "embedding model"), (META_DIMENSION, "dimension")):
        if metadata.get(key) != want.metadata[key]:
            stored, wanted = metadata.get(key, b"?").decode(), want.metadata[key].decode()
            raise _mismatch(
                f"The node index was made with {what} {stored}, the settings say {wanted}", uri
            )
    if not have.equals(want):
        raise _mismatch("The node index has other columns than this version", uri)


def _mismatch(message: str, uri: str) -> IndexMismatchError:
    return IndexMismatchError(
        message,
        file=uri,
        place=TABLE,
        remedy="Go back to those settings, or delete this folder and materialize node_index again",
    )


def _scope(documents: Sequence[str] | None, edinet_code: str | None) -> str:
    parts = []
    if documents is not None:
        parts.append(f"document_id IN ({', '.join(map(quoted, sorted(set(documents))))})")
    if edinet_code is not None:
        parts.append(f"edinet_code = {quoted(edinet_code)}")
    return " AND ".join(parts)
