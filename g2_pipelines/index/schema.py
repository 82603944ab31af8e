"""The Arrow schema of the index table, and rows to and from it.

Here: ``arrow_schema``, ``to_table``, ``from_record``. Only edinet_code, label, printed_page and
image are nullable: lancedb accepts a nullable primary key and then refuses every merge.
pyarrow is imported on first use. Only ``lance`` imports this module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from g2_pipelines.index.labels import own_label
from g2_pipelines.index.rows import Packed, search_terms
from g2_pipelines.tables.line2 import IndexRow

if TYPE_CHECKING:
    import pyarrow as pa

VERSION = "2"
META_VERSION, META_MODEL, META_DIMENSION = b"g2_schema", b"g2_embedding_model", b"g2_dimension"
#: What is read back. Vectors stay in the table: no reader needs them, and turning 512 floats
#: a hit into Python objects took most of a search.
READ_COLUMNS = [name for name in IndexRow.model_fields if name != "vector"]


def row_id(document_id: str, node_id: str) -> str:
    """Primary key: a node_id is unique within its document only."""
    return f"{document_id}/{node_id}"


def arrow_schema(embedding_model: str, dimension: int) -> pa.Schema:
    """The table's schema; embedding model, dimension and version stand in its metadata."""
    import pyarrow as pa

    def field(name: str, kind: pa.DataType, *, nullable: bool = False) -> pa.Field[Any]:
        return pa.field(name, kind, nullable=nullable)

    text = pa.string()
    box = pa.struct([field(name, pa.float64()) for name in ("x0", "y0", "x1", "y1")])
    return pa.schema(
        [
            field("id", text),
            field("document_id", text),
            field("document_digest", text),
            field("edinet_code", text, nullable=True),
            field("node_id", text),
            field("round", pa.int32()),
            field("kind", text),
            field("label", text, nullable=True),
            field("order", pa.int32()),
            field("text", text),
            field("caption", text),
            field("caption_terms", text),
            field("summary", text),
            field("keywords", pa.list_(field("item", text))),
            field("search_text", text),
            # lancedb stores the items of a vector as nullable, whatever is asked.
            field("vector", pa.list_(pa.float32(), dimension)),
            field("embedding_model", text),
            field("dimension", pa.int32()),
            field("page", pa.int32()),
            field("printed_page", pa.int32(), nullable=True),
            field("pages", pa.int32()),
            field("page_terms", pa.int32()),
            field("bbox", box),
            field("image", text, nullable=True),
        ],
        metadata={
            META_VERSION: VERSION.encode(),
            META_MODEL: embedding_model.encode(),
            META_DIMENSION: str(dimension).encode(),
        },
    )


def to_table(rows: Sequence[IndexRow], packed: Packed, schema: pa.Schema) -> pa.Table:
    """Rows of one document, with the same packed, as an Arrow table of ``schema``."""
    import pyarrow as pa

    values: dict[str, Any] = {name: [row[name] for row in packed.plain] for name in READ_COLUMNS}
    values["id"] = [row_id(row.document_id, row.node_id) for row in rows]
    values["document_digest"] = [packed.digest] * len(rows)
    values["label"] = [own_label(row.kind, row.text) for row in rows]
    values["caption_terms"] = [caption_terms(row) for row in rows]
    # Vectors go in as one flat buffer: a list of lists costs 20 times as long.
    flat = packed.vectors.reshape(-1)
    columns = [
        pa.FixedSizeListArray.from_arrays(pa.array(flat), type=field.type)
        if field.name == "vector"
        else pa.array(values[field.name], type=field.type)
        for field in schema
    ]
    return pa.Table.from_arrays(columns, schema=schema)


def caption_terms(row: IndexRow) -> str:
    """Search terms of what captions a figure or table: a bound caption, or a caption node."""
    return row.search_text if row.kind == "caption" else " ".join(search_terms(row.caption))


def from_record(record: Mapping[str, Any]) -> IndexRow:
    """A stored record as a row, its ``vector`` left empty."""
    return IndexRow.model_validate({name: record[name] for name in READ_COLUMNS} | {"vector": []})
