"""What a reply says, checked against the evidence by code: quotes, values, numbers.

Here: ``find_quote`` (the node's own characters for a quote), ``value_stands`` (a copied value
occurs in its node), ``unsupported_numbers`` (numbers of an answer that no source holds) and
``is_instruction`` (sentences of a document that talk to a model). Matching is on folded text
without white space, since PDF text breaks lines anywhere; what is returned is always the
node's own text. Imported inside ``qa``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from g2_pipelines.qa.amounts import DIGITS, Held, amounts_in, canonical, plain_text
from g2_pipelines.qa.evidence import node_parts
from g2_pipelines.tables.line2 import CopiedValue, DocumentNode
from g2_pipelines.text.fold import fold, fold_text

_TELLING = 4
_INSTRUCTION = re.compile(
    r"(?:ignore|disregard|forget|override)\b.{0,60}\b(?:instruction|question|prompt|rule|above)"
    r"|system prompt|you are (?:now )?(?:an? )?(?:ai|assistant|language model)"
    r"|(?:指示|質問|命令|プロンプト)(?:は|を|に).{0,20}(?:無視|忘れ|従わ|破棄)"
    r"|(?:無視|忘れ)(?:し|せ).{0,20}(?:答え|回答|出力)"
    r"|システムプロンプト"
)


@lru_cache(maxsize=4096)
def _squeezed(text: str) -> tuple[str, tuple[int, ...]]:
    """Folded text without white space, and each character's place in the folded text."""
    folded = fold_text(text)
    places = tuple(place for place, char in enumerate(folded) if not char.isspace())
    return "".join(folded[place] for place in places), places


def squeeze(text: str) -> str:
    """Folded, without white space: the form in which texts are compared."""
    return _squeezed(text)[0]


def find_quote(quote: str, node: DocumentNode) -> str | None:
    """The characters of ``node`` that ``quote`` repeats, or None if they do not stand there.

    White space and folding (NFKC, case) do not count. A quote never begins or ends inside a
    number: ``12`` does not stand in ``2012``.
    """
    wanted = squeeze(quote)
    if not wanted:
        return None
    for part in node_parts(node):
        squeezed, places = _squeezed(part)
        start = _bounded_find(squeezed, places, wanted)
        if start >= 0:
            first, last = places[start], places[start + len(wanted) - 1] + 1
            begin, end = fold(part).original(first, last)
            return part[begin:end].strip()
    return None


def _bounded_find(text: str, places: tuple[int, ...], wanted: str) -> int:
    start = text.find(wanted)
    while start >= 0:
        borders = (start, start + len(wanted))
        if not any(_splits_number(text, places, border) for border in borders):
            return start
        start = text.find(wanted, start + 1)
    return -1


def _splits_number(text: str, places: tuple[int, ...], border: int) -> bool:
    """True when ``border`` lies inside a number that no white space divides."""
    if border <= 0 or border >= len(text) or places[border] != places[border - 1] + 1:
        return False
    before, after = text[border - 1], text[border]
    if before in ",.":
        return after.isdigit() and border >= 2 and text[border - 2].isdigit()
    if after in ",.":
        return before.isdigit() and border + 1 < len(text) and text[border + 1].isdigit()
    return before.isdigit() and after.isdigit()


def tells(quote: str, node: DocumentNode) -> bool:
    """True for a quote long enough to point at a place: four signs (two in Japanese), or a
    whole cell, line or text.
    """
    wanted = squeeze(quote)
    signs = sum(2 if "\u3040" <= c <= "\u9fff" else 1 for c in wanted if c.isalnum())
    if signs >= _TELLING:
        return True
    lines = (line for part in node_parts(node) for line in re.split(r"[\n\t]", part))
    return signs > 0 and any(squeeze(line) == wanted for line in lines)


def value_stands(value: CopiedValue, node: DocumentNode) -> bool:
    """True when the value's text stands in ``node`` as a number or word of its own."""
    return value.node_id == node.node_id and find_quote(value.text, node) is not None


def unsupported_numbers(
    answer: str, sources: Iterable[str], nodes: Sequence[DocumentNode] = ()
) -> list[str]:
    """Numbers of ``answer`` that stand in none of ``sources`` and ``nodes``, in order, each once.

    A number is supported by the same amount in the same or another scale or unit (120百万円 and
    1.2億円), rightly rounded, or by the same digits where no unit tells them apart; numbers in
    words and kanji count as in digits. Citation marks like ``[e1]`` and the numbers of a list's
    items (1., 2., …) are no numbers of the answer.
    """
    return unfounded(answer, Held(sources, nodes))


def unfounded(answer: str, held: Held) -> list[str]:
    """As ``unsupported_numbers``, of sources that were read before."""
    plain = plain_text(answer)
    missing: list[tuple[int, str]] = []
    covered: list[tuple[int, int]] = []
    for amount in amounts_in(plain):
        covered.append((amount.start, amount.end))
        if not held.support(amount) and not held.only_digits(amount):
            missing += [(amount.start, m) for m in DIGITS.findall(amount.text)]
    for match in DIGITS.finditer(plain):
        if any(start <= match.start() and match.end() <= end for start, end in covered):
            continue
        if canonical(match[0]) not in held.digits:
            missing.append((match.start(), match[0]))
    return list(dict.fromkeys(digits for _, digits in sorted(missing)))


def unquoted(answer: str, held: Held, quotes: Iterable[str]) -> list[str]:
    """Amounts of ``answer`` that the sources hold, but in none of their ``quotes``."""
    digits = Held(quotes).digits
    return [
        amount.text.strip()
        for amount in amounts_in(plain_text(answer))
        if (found := held.support(amount)) and not any(one.digits in digits for one in found)
    ]


def is_instruction(sentence: str) -> bool:
    """True for a sentence that addresses a model instead of telling something.

    Such sentences are never picked as an answer: a document is data. The list is short on
    purpose; the safety of a model rests on closed schemas and checked values, not on it.
    """
    return _INSTRUCTION.search(fold_text(sentence)) is not None


def quotes_of(nodes: Sequence[DocumentNode]) -> list[str]:
    """All texts that a quote of ``nodes`` may come from."""
    return [part for node in nodes for part in node_parts(node)]
