"""YAML that people write, read strictly and within bounds.

Here: one reader for every configuration file (aspects, roles, prices). What the values mean
stands with the file's owner. Everyone may import this module.

PyYAML's safe loader runs no code, but it lets a key stand twice, follows aliases without end
(nine lines can stand for 10^9 values: whoever prints or copies them dies), recurses as deep
as the file says, and fails with whatever error Python's own constructors raise.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import yaml

MAX_BYTES, MAX_DEPTH = 1_000_000, 50
#: Values and characters, aliases written out.
MAX_SIZE = 4_000_000


class YamlFault(Exception):  # noqa: N818 - the owner's typed error is made of it
    """What is wrong with a YAML text (after "the file …"), and where."""

    def __init__(self, message: str, place: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.place = place


class _StrictLoader(yaml.SafeLoader):
    """Safe loader that refuses a key given twice, which YAML itself would let pass."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:  # noqa: FBT001, FBT002 - signature of the base class
        seen: set[Hashable] = set()
        for key_node, _ in node.value:
            if key_node.tag == "tag:yaml.org,2002:merge":
                continue
            key = self.construct_object(key_node, deep=True)
            if isinstance(key, Hashable) and key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"key {str(key)[:80]!r} stands twice", key_node.start_mark
                )
            if isinstance(key, Hashable):
                seen.add(key)
        return super().construct_mapping(node, deep)


def read_yaml(text: str) -> Any:
    """The value of a YAML (or JSON) text.

    Raises:
        YamlFault: not YAML, a key twice, a value that is none of its type, more than 1 MB,
            nested more than 50 deep, or more than 4,000,000 characters with its aliases written
            out.
    """
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise YamlFault(f"has more than {MAX_BYTES:,} bytes")
    try:
        _check_depth(text)  # first: composing recurses
        loader = _StrictLoader(text)
        try:
            node = loader.get_single_node()
            if node is None:
                return None
            _check_size(node)
            return loader.construct_document(node)
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        raise YamlFault(f"is not valid YAML: {error.problem}", _place(error)) from error
    except yaml.YAMLError as error:
        raise YamlFault("is not valid YAML", str(error)[:200]) from error
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
        # From the constructors of dates, numbers and tags: !!timestamp x is an AttributeError.
        raise YamlFault(f"holds a value that is none of its type: {str(error)[:200]}") from error


def _place(error: yaml.MarkedYAMLError) -> str:
    mark = error.problem_mark
    return f"line {mark.line + 1}, column {mark.column + 1}" if mark else ""


def _check_depth(text: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MAX_DEPTH:
            mark = event.start_mark
            place = f"line {mark.line + 1}" if mark else ""
            raise YamlFault(f"is nested more than {MAX_DEPTH} deep", place)


def _check_size(root: yaml.Node) -> None:
    """Refuse what has too large once each alias is written out, or holds itself."""
    sizes: dict[int, int] = {}
    within: set[int] = set()

    def size(node: yaml.Node, depth: int) -> int:
        key = id(node)
        if key in within or depth > MAX_DEPTH:
            raise YamlFault("holds itself, or is nested too deep", _line(node))
        if key not in sizes:
            within.add(key)
            parts: list[yaml.Node] = []
            own = 1
            if isinstance(node, yaml.SequenceNode):
                parts = list(node.value)
            elif isinstance(node, yaml.MappingNode):
                parts = [part for pair in node.value for part in pair]
            else:
                own += len(node.value)
            sizes[key] = own + sum(size(part, depth + 1) for part in parts)
            within.discard(key)
        if sizes[key] > MAX_SIZE:
            raise YamlFault(f"stands for more than {MAX_SIZE:,} characters", _line(node))
        return sizes[key]

    size(root, 0)


def _line(node: yaml.Node) -> str:
    return f"line {node.start_mark.line + 1}"
