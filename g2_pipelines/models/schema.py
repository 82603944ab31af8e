"""A pydantic model as the JSON schema that server grammar and consumer share.

References are inlined, objects closed, every property required, strings and arrays
bounded: without a bound a constrained model can fill the whole budget with one field
(measured: a random-weight model under xgrammar, 0 of 8 valid without maxLength, 8 of 8
with). A missing bound is refused here instead of being filled in, so that grammar and
consumer never differ. Only ``structured`` imports this module; others take
``schema_text`` from there.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from pydantic import BaseModel

from g2_pipelines.models.errors import UnboundedSchemaError

#: What grammar engines leave out or refuse (vLLM's xgrammar); a consumer that checks them would
#: ask for what no answer was held to.
_NO_GRAMMAR = {
    "multipleOf",
    "uniqueItems",
    "contains",
    "minContains",
    "maxContains",
    "patternProperties",
    "propertyNames",
}
_DROPPED = {"title", "default", "discriminator", "$defs", "examples"}
#: The others have parts of any length (a fraction of a second, a path).
_FINITE_FORMATS = {"date", "uuid", "ipv4", "ipv6"}
_ESCAPE = re.compile(r"\\.", re.DOTALL)
_CLASS = re.compile(r"\[\^?\]?[^\]]*\]")
_ENDLESS = re.compile(r"[*+]|\{\d*,\}")


def finite(pattern: str) -> bool:
    """Whether a pattern bounds a string: held at both ends, and nothing in it repeats for ever."""
    bare = _CLASS.sub("x", _ESCAPE.sub("x", pattern))
    if not (bare.startswith("^") and bare.endswith("$")) or _ENDLESS.search(bare):
        return False
    depth = 0
    for character in bare:
        depth += (character == "(") - (character == ")")
        if character == "|" and depth == 0:  # ^a|b$ holds each side at one end only
            return False
    return True


@cache
def schema_text(schema: type[BaseModel]) -> str:
    """Canonical JSON text of the strict schema of ``schema``.

    Properties keep their order: constrained decoding writes them in it, and a field that
    reasons must come before the field that decides.

    Raises:
        UnboundedSchemaError: a string without max_length, or with a pattern or format that has
            no end, a list without max_length, free keys, a model that contains itself, or what grammar engines cannot hold to (a
            pattern beside a length: put the length into the pattern).
    """
    raw = schema.model_json_schema(mode="validation")
    closed = _Closer(schema.__name__, raw.get("$defs", {})).close(raw, place="")
    closed.pop("description", None)
    return json.dumps(closed, ensure_ascii=False, separators=(",", ":"))


class _Closer:
    def __init__(self, name: str, definitions: dict[str, Any]) -> None:
        self._name = name
        self._definitions = definitions
        self._open: list[str] = []

    def close(self, node: dict[str, Any], *, place: str) -> dict[str, Any]:
        """``node`` with references inlined, objects closed and bounds checked."""
        if "$ref" in node:
            return self._inline(node, place=place)
        kept = {key: value for key, value in node.items() if key not in _DROPPED}
        if "oneOf" in kept:
            kept["anyOf"] = kept.pop("oneOf")
        if "anyOf" in kept:
            kept["anyOf"] = [self.close(option, place=place) for option in kept["anyOf"]]
            return kept
        if "const" in kept:
            kept["enum"] = [kept.pop("const")]
        if "enum" in kept:
            return kept
        self._check_grammar(kept, place=place)
        match kept.get("type"):
            case "object":
                return self._object(kept, place=place)
            case "array":
                return self._array(kept, place=place)
            case "string":
                return self._string(kept, place=place)
            case None:
                raise self._fault(place, "a value of any type")
            case _:
                return kept

    def _string(self, node: dict[str, Any], *, place: str) -> dict[str, Any]:
        if "pattern" in node and not finite(node["pattern"]):
            raise self._fault(place, f"a string of the endless pattern {node['pattern'][:60]!r}")
        if "format" in node and node["format"] not in _FINITE_FORMATS:
            raise self._fault(place, f"a string of the endless format {node['format']!r}")
        if not {"maxLength", "pattern", "format"} & node.keys():
            raise self._fault(place, "a string without max_length")
        return node

    def _check_grammar(self, node: dict[str, Any], *, place: str) -> None:
        refused = sorted(_NO_GRAMMAR & node.keys())
        if refused:
            raise self._fault(place, refused[0])
        if {"pattern", "format"} & node.keys() and {"minLength", "maxLength"} & node.keys():
            raise self._fault(place, "a pattern and a length of one string")

    def _inline(self, node: dict[str, Any], *, place: str) -> dict[str, Any]:
        name = str(node["$ref"]).rsplit("/", 1)[-1]
        if name in self._open:
            raise self._fault(place, f"{name}, which contains itself")
        self._open.append(name)
        closed = self.close(self._definitions[name], place=place)
        self._open.pop()
        closed.pop("description", None)  # a docstring is for developers, a field's is for models
        if "description" in node:
            closed["description"] = node["description"]
        return closed

    def _object(self, node: dict[str, Any], *, place: str) -> dict[str, Any]:
        if "properties" not in node:
            raise self._fault(place, "an object with free keys")
        properties = {
            name: self.close(child, place=f"{place}.{name}".lstrip("."))
            for name, child in node["properties"].items()
        }
        return {
            **node,
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }

    def _array(self, node: dict[str, Any], *, place: str) -> dict[str, Any]:
        if "maxItems" not in node:
            raise self._fault(place, "a list without max_length")
        if "items" not in node:
            raise self._fault(place, "a list of anything, or a fixed tuple")
        return {**node, "items": self.close(node["items"], place=f"{place}[]")}

    def _fault(self, place: str, what: str) -> UnboundedSchemaError:
        return UnboundedSchemaError(
            f"A model answer cannot hold {what}",
            file=self._name,
            place=place,
            remedy="Give the field a bound (Field(max_length=…), or in its pattern) or a closed type",
        )
