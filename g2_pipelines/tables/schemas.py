"""Schemas of tables that were written before a model grew.

Here: whether a stored schema is one that its model had before columns with defaults were added.
Not here: reading (``store``), today's schema (``rows``). Used by ``store``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import Any, get_args, get_origin

import polars as pl
from pydantic import BaseModel

from g2_pipelines.tables.rows import Row, dtype_of


def is_earlier(stored: Mapping[str, pl.DataType], model: type[Row]) -> bool:
    """Whether ``stored`` lacks nothing of ``model`` but fields that have a default.

    The columns that are there are the model's, of its types and in its order; the values nested
    in them may lack such fields too. An unknown column, or one of another type, is no earlier
    state of the model: a column renamed or removed needs a new schema version.
    """
    return _lacks_defaults_only(stored, model)


def _lacks_defaults_only(stored: Mapping[str, pl.DataType], model: type[BaseModel]) -> bool:
    fields = model.model_fields
    return list(stored) == [name for name in fields if name in stored] and all(
        _fits(stored[name], field.annotation) if name in stored else not field.is_required()
        for name, field in fields.items()
    )


def _fits(stored: pl.DataType, annotation: Any) -> bool:
    if stored == dtype_of(annotation):
        return True
    inner = [part for part in get_args(annotation) if part is not NoneType]
    if get_origin(annotation) is list:
        return isinstance(stored, pl.List) and _fits(_inner(stored), inner[0])
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return isinstance(stored, pl.Struct) and _lacks_defaults_only(
            {field.name: _whole(field.dtype) for field in stored.fields}, annotation
        )
    return len(inner) == 1 and _fits(stored, inner[0])  # optional


def _inner(stored: pl.List) -> pl.DataType:
    return _whole(stored.inner)


def _whole(dtype: Any) -> pl.DataType:
    """Polars names a type without parameters by its class."""
    made: pl.DataType = dtype() if isinstance(dtype, type) else dtype
    return made
