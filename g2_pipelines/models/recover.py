"""A model's text back into the value it was asked for, in a fixed order of attempts.

Order: the whole text as JSON → without think tags and code fences → the first balanced
object in it. Then the schema. Nothing is repaired: a cut object stays a fault, because a
closed bracket would hide what is missing. Text inside values is not touched (no Unicode
normalization: 「が」 stays as the model wrote it).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, ClassVar, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

from g2_pipelines.errors import ModelError
from g2_pipelines.models.control_tokens import restored

T = TypeVar("T", bound=BaseModel)

_THINK = re.compile(r"<think>.*?</think>", re.DOTALL | re.IGNORECASE)
_OPEN_THINK = re.compile(r"^.*?</think>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[A-Za-z0-9_-]*[ \t]*\r?\n(.*?)```", re.DOTALL)
_OBJECT_START = re.compile(r'\{\s*"')
_MAX_STARTS = 50  # opening braces tried in a text that is mostly prose
_MAX_SEARCHED = 200_000  # characters searched for an object: the search is starts × length


class UnusableAnswerError(ModelError):
    """Why an answer cannot be used, in words that the model can act on."""

    code: ClassVar[str] = "unusable_answer"


def recover(text: str, schema: type[T]) -> T:
    """The value that ``text`` holds.

    Raises:
        UnusableAnswerError: there is no JSON object in it, or the object does not fit; the message names
            the fields and rules, at most five of them.
    """
    fault: UnusableAnswerError | None = None
    for candidate in _candidates(text):
        try:
            value = parse(candidate)
        except UnusableAnswerError as error:
            fault = fault or error
            continue
        return _validated(value, schema)
    raise fault or UnusableAnswerError("the answer holds no JSON object")


def parse(text: str) -> Any:
    """JSON, raw control characters in strings allowed (constrained decoders write tabs).

    Raises:
        UnusableAnswerError: not JSON, a key twice in one object, NaN or infinity, or nested too deep.
    """
    try:
        return json.loads(
            text, strict=False, object_pairs_hook=_unique_keys, parse_constant=_refuse_constant
        )
    except json.JSONDecodeError as error:
        msg = f"not valid JSON: {error.msg} at character {error.pos}"
        raise UnusableAnswerError(msg) from error
    except RecursionError as error:
        msg = "JSON nested too deep"
        raise UnusableAnswerError(msg) from error
    except ValueError as error:  # an integer of more digits than Python converts
        msg = "a number is too long"
        raise UnusableAnswerError(msg) from error


def _candidates(text: str) -> Iterator[str]:
    yield text
    bare = _OPEN_THINK.sub("", _THINK.sub("", text)).strip()
    yield bare
    for fence in _FENCE.finditer(bare):
        yield fence.group(1)
    yield from balanced_objects(bare)


def balanced_objects(text: str) -> Iterator[str]:
    """The outermost ``{…}`` of ``text`` in order, aware of strings.

    An object that is opened and never closed ends the search: what stands inside it is a
    part of a cut answer, not an answer.
    """
    text = text[:_MAX_SEARCHED]
    start = text.find("{")
    tried = 0
    while start >= 0 and tried < _MAX_STARTS:
        tried += 1
        end = _closing(text, start)
        if end is None and _OBJECT_START.match(text, start):
            return
        if end is None:
            start = text.find("{", start + 1)
        else:
            yield text[start:end]
            start = text.find("{", end)


def _closing(text: str, start: int) -> int | None:
    depth, in_string, escaped = 0, False, False
    for position in range(start, len(text)):
        character = text[position]
        if in_string:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                in_string = False
        elif character == '"':
            in_string = True
        elif character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
            if depth == 0:
                return position + 1
    return None


def _validated(value: Any, schema: type[T]) -> T:
    if not isinstance(value, dict):
        msg = f"expected a JSON object, got {type(value).__name__}"
        raise UnusableAnswerError(msg)
    try:
        # Strict in JSON mode: "5" is not 5, but an array is a tuple and a string an enum.
        return schema.model_validate_json(json.dumps(_with_names(value)), strict=True)
    except ValidationError as error:
        faults = [
            f"{'.'.join(str(part) for part in item['loc']) or 'object'}: {item['msg']}"
            for item in error.errors(include_url=False, include_input=False, include_context=False)
        ]
        raise UnusableAnswerError("; ".join(faults[:5])) from error


def _with_names(value: Any) -> Any:
    """Names of control tokens as the source has them, in all strings of an answer."""
    match value:
        case str():
            return restored(value)
        case list():
            return [_with_names(item) for item in value]
        case dict():
            return {key: _with_names(item) for key, item in value.items()}
        case _:
            return value


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        msg = f"the key {twice[:60]!r} stands twice in one object"
        raise UnusableAnswerError(msg)
    return unique


def _refuse_constant(name: str) -> NoReturn:
    msg = f"{name} is not a JSON number"
    raise UnusableAnswerError(msg)
