"""Whether a summary speaks of its aspect, by words of the judge's own.

Here: ``aspect_fit``, the share of a text, and ``other_aspect``, the finding of one sentence. The words stand in ``aspect_words.yaml`` and are not those by which the
extractive engine selects. Only modules of this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources

import yaml

from g2_pipelines.tables.rows import Span
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


#: How much a section's sentences lean to an aspect, in matches of its words. Ours.
_PRIORS: dict[str, dict[str, float]] = {
    "risks": {"issues": 1.0},
    "policy": {"issues": 0.5, "outlook": 0.5, "environment": 0.5},
    "mdna": {"environment": 0.5, "outlook": 0.25},
    "business": {"strengths": 0.5},
    "research": {"strengths": 0.5, "outlook": 0.25},
    "sustainability": {"issues": 0.25, "outlook": 0.25},
}
_SURE = 1.5  # matches by which another aspect must lead


def other_aspect(sentence: str, aspect: str, evidence: Sequence[Span] = ()) -> str | None:
    """The aspect that ``sentence`` clearly speaks of where it says nothing of ``aspect``.

    ``evidence`` are its places in the sources, best first: the section of the first one leans to
    some aspects (a sentence of 事業等のリスク is likelier a 課題 than a 強み). None where the sentence
    fits, or where that is not sure; None too for an aspect without words of its own.
    """
    words = lexicon(language(sentence))
    if aspect not in words:
        return None
    counts = _counts(fold_text(sentence), words)
    if counts[aspect]:
        return None
    prior = _PRIORS.get(_section(evidence), {})
    leads = {
        key: count + prior.get(key, 0.0) - prior.get(aspect, 0.0)
        for key, count in counts.items()
        if count
    }
    best = max(leads, key=lambda key: (leads[key], key), default=None)
    return best if best is not None and leads[best] >= _SURE else None


def _section(evidence: Sequence[Span]) -> str:
    parts = evidence[0].source_id.split(":") if evidence else []
    return parts[2] if len(parts) > 2 and parts[0] == "filing" else ""


def _counts(folded: str, words: Mapping[str, tuple[re.Pattern[str], ...]]) -> dict[str, int]:
    return {
        key: sum(len(pattern.findall(folded)) for pattern in patterns)
        for key, patterns in words.items()
    }


def _speaks(sentence: str, aspect: str, label: str) -> bool:
    words = lexicon(language(sentence))
    folded = fold_text(sentence)
    if aspect not in words:
        return not label or fold_text(label) in folded
    counts = _counts(folded, words)
    return counts[aspect] > 0 and counts[aspect] >= max(counts.values())
