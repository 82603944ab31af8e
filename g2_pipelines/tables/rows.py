"""What every row is made of: the base model, its Polars schema, and the shared values.

Here: ``Row``, ``schema_of``, ``to_frame``, ``from_frame``, ``Span``, ``Bbox`` and the closed
sets that several tables share. The tables themselves stand in ``line1``, ``line2`` and
``ledger``. No file is touched here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

if TYPE_CHECKING:
    # Imported where it is used: it takes longer than all else in the processes that read a PDF.
    import polars as pl


class Row(BaseModel):
    """A frozen row or nested value of a table; unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


R = TypeVar("R", bound=Row)


class Span(Row):
    """A half-open range [start, end) in Unicode code points of a stored clean text.

    ``source_id`` is ``filing:{document_id}:{section}:{order}``,
    ``transcript:{transcript_id}``, ``text:{text_id}`` or ``node:{node_id}``.
    """

    source_id: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)


class Offset(Row):
    """One run of an offset map: ``length`` characters at ``start`` come from ``source_start``.

    Used by clean text → original and by model_text → text; runs are ascending in ``start``.
    """

    start: int
    source_start: int
    length: int


class Bbox(Row):
    """A box in points, top-left origin, of the displayed page (after rotation)."""

    x0: float
    y0: float
    x1: float
    y1: float


class Cell(Row):
    """One table cell at its top-left grid position, 0-based, with its spans.

    ``start``/``end`` is its range in the text of the row that holds the table (0, 0 if none).
    """

    row: int
    col: int
    rowspan: int = 1
    colspan: int = 1
    text: str = ""
    header: bool = False
    start: int = 0
    end: int = 0


class Made(Row):
    """Who made a row: every model-made row derives from this.

    engine is ``extractive``, ``openai`` or ``vllm``; model its name and revision
    (``extractive/1``); prompt_version the hash of the prompt files; call_keys the call
    cache's keys (none for extractive).
    """

    engine: str
    model: str
    prompt_version: str
    call_keys: list[str] = []


Aspect = str  #: key of an aspect: environment, issues, outlook, strengths, or configured
Round = int


def dtype_of(annotation: Any) -> pl.DataType:
    """The column type of a field's annotation; TypeError where there is none."""
    import polars as pl

    origin, args = get_origin(annotation), get_args(annotation)
    if origin in (Union, UnionType):
        inner = [arg for arg in args if arg is not NoneType]
        if len(inner) != 1:
            msg = f"unions other than optional have no column type: {annotation}"
            raise TypeError(msg)
        return dtype_of(inner[0])
    if origin is Literal:
        return pl.String()
    if origin is list:
        return pl.List(dtype_of(args[0]))
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return pl.Struct(
            [pl.Field(k, dtype_of(f.annotation)) for k, f in annotation.model_fields.items()]
        )
    plain: Mapping[Any, pl.DataType] = {
        str: pl.String(),
        int: pl.Int64(),
        float: pl.Float64(),
        bool: pl.Boolean(),
        bytes: pl.Binary(),
    }
    if annotation in plain:
        return plain[annotation]
    msg = f"no column type for {annotation}"
    raise TypeError(msg)


@cache
def schema_of(model: type[Row]) -> pl.Schema:
    """The Polars schema of a row model, columns in field order."""
    import polars as pl

    return pl.Schema({k: dtype_of(f.annotation) for k, f in model.model_fields.items()})


@cache
def _many(model: type[R]) -> TypeAdapter[list[R]]:
    """All rows of a table in one call: half the time of one row after the other."""
    return TypeAdapter(list[model])  # type: ignore[valid-type]


def dump(rows: Sequence[R], model: type[R]) -> list[dict[str, Any]]:
    """Rows as plain values.

    Raises:
        TypeError: a row is of another model, whose values would be lost silently.
    """
    if other := next((row for row in rows if type(row) is not model), None):
        msg = f"a row of {type(other).__name__} in a table of {model.__name__}"
        raise TypeError(msg)
    dumped: list[dict[str, Any]] = _many(model).dump_python(list(rows))
    return dumped


def to_frame(rows: Iterable[R], model: type[R]) -> pl.DataFrame:
    """Rows as a Polars frame with exactly the model's schema (also when there are none)."""
    import polars as pl

    return pl.DataFrame([row.model_dump() for row in rows], schema=schema_of(model))


def from_frame(frame: pl.DataFrame, model: type[R]) -> list[R]:
    """A frame's rows as validated models; raises pydantic.ValidationError on a misfit."""
    return _many(model).validate_python(frame.rows(named=True))
