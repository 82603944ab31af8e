"""Which patterns and formats bound a string that a model writes."""

from __future__ import annotations

import json
from datetime import date, datetime

import pytest
from pydantic import BaseModel, Field, create_model

from g2_pipelines.models.errors import UnboundedSchemaError
from g2_pipelines.models.structured import schema_text


@pytest.mark.parametrize(
    ("pattern", "bounded"),
    [
        ("^[a-z][a-z0-9_]{0,15}$", True),
        ("^(a|b){1,3}$", True),
        (r"^\+[*+]\$$", True),  # escaped, or in a class: characters
        ("^[]+*]{2}$", True),
        ("^a?$", True),
        ("^[a-z]+$", False),
        ("^[a-z]*$", False),
        ("^a{2,}$", False),
        ("[a-z]{1,16}", False),  # not held: anything may stand around it
        ("^a{1,3}", False),
        (r"^a{1,3}\$", False),
        ("^a|b$", False),
    ],
)
def test_a_pattern_is_a_bound_only_if_it_has_an_end(pattern: str, *, bounded: bool) -> None:
    """Harm: a weak model under a grammar without an end fills its budget with one field."""
    schema = create_model("Of", id=(str, Field(pattern=pattern)))
    if bounded:
        assert json.loads(schema_text(schema))["properties"]["id"]["pattern"] == pattern
        return
    with pytest.raises(UnboundedSchemaError, match="endless pattern"):
        schema_text(schema)


def test_a_format_is_a_bound_only_if_it_has_an_end() -> None:
    class Dated(BaseModel):
        day: date

    class Timed(BaseModel):
        at: datetime

    assert "date" in schema_text(Dated)
    with pytest.raises(UnboundedSchemaError, match="date-time"):
        schema_text(Timed)
