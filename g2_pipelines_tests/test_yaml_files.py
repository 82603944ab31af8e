"""YAML that people write: no bomb, no key twice, no error but the one that is documented."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from g2_pipelines.briefs.config import BriefConfigError, load_config
from g2_pipelines.models.errors import BadModelSettingsError
from g2_pipelines.models.prices import read_prices
from g2_pipelines.transcripts.overrides import BadRolesError, read_overrides
from g2_pipelines.yaml_files import MAX_BYTES, YamlFault, read_yaml

LAUGHS = "E99001:\n  a:\n  - &a0 [ha, ha]\n" + "".join(
    f"  - &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9)
)
BAD = {
    "aliases that stand for 10^9 values": (LAUGHS, "stands for more than"),
    "one long word by alias": (f"a: &w {'x' * 50_000}\nb: [{'*w,' * 100}]", "stands for more"),
    "a value that holds itself": ("E99001: &x {a: *x}", "holds itself"),
    "deep": ("E99001: " + "[" * 100_000, "nested more than 50 deep"),
    "deep mappings": ("{a: " * 5_000, "nested more than 50 deep"),
    "too long": ("# " + "x" * MAX_BYTES, "more than 1,000,000 bytes"),
    "a key twice": ("E99001: {a: answer}\nE99001: {b: answer}", "stands twice"),
    "a key that is a list": ("? [a, b]\n: c", "unhashable"),
    "no such month": ("a: 2025-13-45", "none of its type"),
    "no timestamp": ("!!timestamp abc", "none of its type"),
    "no truth": ("a: !!bool abc", "none of its type"),
    "no number": ("a: !!int abc", "none of its type"),
    "5,000 digits": ("a: " + "9" * 5_000, "none of its type"),
    "code": ("a: !!python/object/apply:os.system [id]", "constructor"),
    "a null byte": ("a: \0", "not valid YAML"),
}


@pytest.mark.parametrize(("text", "message"), BAD.values(), ids=BAD)
def test_what_is_wrong_is_said(text: str, message: str) -> None:
    with pytest.raises(YamlFault) as caught:
        read_yaml(text)
    assert message in caught.value.message
    assert len(caught.value.message) < 400


@pytest.mark.parametrize("text", [text for text, _ in BAD.values()], ids=BAD)
@pytest.mark.parametrize(
    ("read", "error"),
    [
        (lambda text: read_overrides(text.encode(), "f.yaml"), BadRolesError),
        (lambda text: read_prices(text, file="f.yaml"), BadModelSettingsError),
        (lambda text: load_config(text, file="f.yaml"), BriefConfigError),
    ],
    ids=["roles", "prices", "aspects"],
)
def test_each_file_names_itself(
    read: Callable[[str], object], error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=r"f\.yaml"):
        read(text)


def test_aliases_merges_and_json_are_read_as_they_are_meant() -> None:
    assert read_yaml("a: &a {x: 1}\nb: *a\nc: {<<: *a, y: 2}") == {
        "a": {"x": 1},
        "b": {"x": 1},
        "c": {"x": 1, "y": 2},
    }
    assert read_yaml('{"a": [1, 2.5, null, true]}') == {"a": [1, 2.5, None, True]}
    assert read_yaml("") is None
