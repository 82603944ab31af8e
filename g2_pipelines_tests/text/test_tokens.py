"""Token counts: with the model's own tokenizer, or with a word that it may not be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from g2_pipelines.errors import InputError
from g2_pipelines.text.tokens import doubt, tokenizer

#: Bytes あ = E3 81 82 as byte-level BPE writes them, and one merge of the first two.
BPE = {
    "version": "1.0",
    "added_tokens": [
        {
            "id": 4,
            "content": "<|end|>",
            "special": True,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
        }
    ],
    "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True},
    "model": {
        "type": "BPE",
        "vocab": {
            "ã": 0,
            "ģ": 1,
            "Ĥ": 2,
            "ãģ": 3,
            "<|end|>": 4,
            "<": 5,
            "|": 6,
            ">": 7,
            "e": 8,
            "n": 9,
            "d": 10,
        },
        "merges": ["ã ģ"],
    },
}


def test_a_models_own_tokenizer_file_counts(tmp_path: Path) -> None:
    """あ is the merged first two bytes and the third: two tokens."""
    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps(BPE))
    own = tokenizer(str(file))
    assert own.count("ああ") == 4
    assert own.count("") == 0
    assert own.count("あ" * 20_000) == 40_000


def test_special_tokens_in_a_text_are_plain_text(tmp_path: Path) -> None:
    """Harm: a report that spells <|end|> would be counted short, or end the prompt."""
    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps(BPE))
    assert tokenizer(str(file)).count("<|end|>") == 7
    assert tokenizer("qwen3").count("<|im_start|>") > 1


@pytest.mark.parametrize("content", ["", "{}", "not json"])
def test_a_file_that_is_no_tokenizer_is_refused_by_name(tmp_path: Path, content: str) -> None:
    file = tmp_path / "broken.json"
    file.write_text(content)
    with pytest.raises(InputError) as raised:
        tokenizer(str(file))
    assert raised.value.file == str(file)
    with pytest.raises(InputError):
        tokenizer(str(tmp_path / "missing.json"))


@pytest.mark.parametrize(
    ("name", "model", "sure"),
    [
        ("qwen3", "Qwen/Qwen3-VL-8B-Instruct", True),
        ("qwen2.5", "qwen2.5-coder-1.5b", True),
        ("qwen3.5", "Qwen3.5-9B", True),
        ("o200k", "gpt-4o-mini", True),
        ("o200k", "gpt-5", True),
        ("o200k", "o3-mini", True),
        ("cl100k", "gpt-4-turbo", True),
        ("cl100k", "text-embedding-3-large", True),
        ("qwen3", "gpt-4o-mini", False),
        ("qwen3", "llama-3.3-swallow-70b", False),
        ("/models/tokenizer.json", "llama-3.3-swallow-70b", True),
        ("qwen3", "", True),
    ],
)
def test_a_tokenizer_that_may_not_be_the_models_is_said(name: str, model: str, sure: bool) -> None:
    assert (doubt(name, model) == "") is sure
