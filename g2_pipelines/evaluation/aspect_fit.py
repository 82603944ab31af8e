"""Whether a summary speaks of its aspect, by words of the judge's own.

Here: ``aspect_fit``. The words stand in ``aspect_words.yaml`` and are not those by which the
extractive engine selects. Only modules of this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib import resources

import yaml

from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.language import language


@cache
def lexicon(language_code: str) -> dict[str, tuple[re.Pattern[str], ...]]:
    """Aspect key → patterns, for ``ja`` or ``en``."""
    raw = resources.files("g2_pipelines.evaluation").joinpath("aspect_words.yaml")
    words: dict[str, dict[str, list[str]]] = yaml.safe_load(raw.read_text("utf-8"))
    return {
        aspect: tuple(re.compile(pattern) for pattern in patterns)
        for aspect, patterns in words[language_code].items()
    }


def aspect_fit(sentences: Sequence[str], aspect: str, label: str = "") -> float:
    """Share 0…1 of ``sentences`` that speak of ``aspect``.

    A sentence counts where no other aspect has more matches; with a tie, where it has any. An
    aspect without words of its own (a configured one) counts by its ``label``. 1.0 for no
    sentences.
    """
    if not sentences:
        return 1.0
    return sum(_speaks(sentence, aspect, label) for sentence in sentences) / len(sentences)


def _speaks(sentence: str, aspect: str, label: str) -> bool:
    words = lexicon(language(sentence))
    folded = fold_text(sentence)
    if aspect not in words:
        return not label or fold_text(label) in folded
    counts = {
        key: sum(len(pattern.findall(folded)) for pattern in patterns)
        for key, patterns in words.items()
    }
    return counts[aspect] > 0 and counts[aspect] >= max(counts.values())
