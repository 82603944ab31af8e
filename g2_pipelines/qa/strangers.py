"""Names of an answer that no source has, and sentences of it that no claim carries.

Here: ``strangers`` (codes, addresses, names in capitals or in katakana that is no plain word) and ``uncited``. A name is
looked for where the sources are of the answer's language: a translated one cannot be told from
an invented one. Short forms are known by the initials that they are made of. Used by
``verify``, ``conclude`` and ``vouched``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.qa.amounts import amounts_in, plain_text
from g2_pipelines.qa.grounding import squeeze
from g2_pipelines.qa.matching import Prepared, held, prepared, words
from g2_pipelines.qa.plain_words import names_in_katakana
from g2_pipelines.qa.told import names
from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.language import language
from g2_pipelines.text.sentences import sentences

_ADDRESS = re.compile(r"(?:https?:|www\.|mailto:)\S*|\S+@\S+\.\S+")
_SHORT = re.compile(r"[a-z]{2,5}")
_LABEL = re.compile(r"[\[(【]\s*e\d{1,3}(?:\s*[,;、]\s*e\d{1,3})*\s*[\])】]", re.IGNORECASE)
_WORD = re.compile(r"[a-z][a-z'’-]*")
_WHOLE = 0.9
_FEWEST = 2  #: names of a sentence that make it a statement of its own


class Known:
    """All that the sources of an answer say, ready for looking up."""

    def __init__(self, texts: Sequence[str], nodes: Sequence[DocumentNode]) -> None:
        parts = [*texts]
        for node in nodes:
            parts += [node.text, node.caption or "", node.ocr_text or "", *node.section_path]
            parts += [cell.text for cell in node.cells]
        joined = "\n".join(parts)
        self.ready: Prepared = prepared(joined)
        self.language = language("\n".join(part for part in parts[len(texts) :]) or joined)
        self.initials = "".join(word[0] for word in _WORD.findall(fold_text(joined)))


def strangers(text: str, known: Known) -> list[str]:
    """Names of ``text`` that stand nowhere in ``known``, in order, each once."""
    plain = _LABEL.sub(" ", text)
    found = [one for one in _ADDRESS.findall(plain) if squeeze(one) not in known.ready.squeezed]
    same = language(plain) == known.language
    said = [word for start, end in sentences(plain) for word in words(plain[start:end])]
    for word in said:  # a capital that begins a sentence makes no name
        if not word.strict or word.is_figure or held(word, known.ready) >= _WHOLE:
            continue
        coded = any(char.isdigit() for char in word.text)
        short = _SHORT.fullmatch(word.text) is not None and word.text in known.initials
        if (same or coded) and not short:
            found.append(word.text)
    if known.language == "ja":
        found += [
            one for one in names_in_katakana(plain) if squeeze(one) not in known.ready.squeezed
        ]
    return list(dict.fromkeys(found))


def _without_amounts(text: str) -> str:
    plain = plain_text(text)
    for one in amounts_in(plain):
        plain = plain[: one.start] + " " * (one.end - one.start) + plain[one.end :]
    return plain


def uncited(answer: str, carried: Sequence[str]) -> list[str]:
    """The sentences of ``answer`` that share no name with what its claims say and quote.

    A sentence of fewer than two names (Yes. / 以上です。) states nothing of its own.
    """
    ready = frozenset[str]().union(*(names(fold_text(text)) for text in carried))
    joined = "".join(squeeze(text) for text in carried)
    left: list[str] = []
    for start, end in sentences(answer):
        own = names(_without_amounts(answer[start:end]))
        told = own & ready or any(one in joined for one in own if not one.isascii())
        if len(own) >= _FEWEST and not told:
            left.append(answer[start:end])
    return left
