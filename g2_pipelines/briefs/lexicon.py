"""How well a sentence fits an aspect: weighted lexicons of Japanese and English.

Here: the built-in lexicons (``lexicon_data/{ja,en}.yaml``) compiled, a configured aspect's own
cues added, and ``Lexicon.scores``. Not here: which sentences are chosen (``selection``).
Importable by briefs, evaluation, defs and cli.

A score is a sum of cues over the sentence, its topic, its ending and the headings above it;
what speaks against the aspect counts negative. ``FIT`` and above fits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import Any, Literal, NamedTuple

import yaml

from g2_pipelines.briefs.config import AspectSpec, Cue
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.terms import content_words

#: Least score of a sentence that fits an aspect.
FIT = 4.0
#: Least weight of a cue that makes a strength of a sentence about results.
_GROUND = 6.0
#: What each further cue of a sentence counts, as a share of the one before.
_DECAY = 0.5
#: What an outer heading counts, as a share of the one below it.
_OUTER = 0.8

_JA_OPENING = re.compile(
    r"^(また|なお|さらに|更に|一方(で)?|しかし(ながら)?|加えて|そして|特に|ただし|その(上|ため)|同時に|"
    r"(当|前)(連結)?(会計|事業)年度(における|において(は)?|の|は)?|当期(における|の|は)?|足元(で)?は?|"
    r"このような[^、]{0,20}|[^、]{0,14}(おいては?|としては|につきましては|については))、?"
)
# は before が: 当社が事業を営む市場は speaks of the market, not of the company.
_JA_TOPIC = re.compile(
    r"^(.{1,60}?)(については|につきましては|においては|では|には|としては|は|も、)"
)
_JA_SUBJECT = re.compile(r"^(.{1,60}?)(が|も)")
_EN_TOPIC = re.compile(
    r"^(.{1,90}?)\b(is|are|was|were|has|have|will|would|may|could|remains?|continues?|grew|"
    r"declined|increased|expects?|plans?|aims?|must|needs?)\b"
)

_Weighted = tuple[float, re.Pattern[str]]


class _Sounds(NamedTuple):
    """The compiled lexicon of one aspect in one language."""

    cues: tuple[_Weighted, ...]
    topics: tuple[_Weighted, ...]
    endings: tuple[_Weighted, ...]
    headings: tuple[_Weighted, ...]
    hollow: re.Pattern[str] | None = None

    def is_hollow(self, folded: str, from_headings: float) -> bool:
        """True for what only looks like the aspect: no cue of weight and no heading says it."""
        if self.hollow is None or self.hollow.search(folded) is None or from_headings >= FIT:
            return False
        return not any(w >= _GROUND and p.search(folded) for w, p in self.cues)


def rivals(aspects: Sequence[AspectSpec], key: str) -> tuple[str, ...]:
    """The aspects that share sentences out among them with ``key``: each goes to one only.

    The built-in ones share. An aspect that a team adds (リスク, near 課題) takes what fits it
    and takes nothing from the others.
    """
    if key not in _data("ja"):
        return (key,)
    return tuple(aspect.key for aspect in aspects if aspect.key in _data("ja"))


def read_with(aspects: Sequence[AspectSpec], key: str) -> tuple[AspectSpec, ...]:
    """The aspects whose lexicons decide together what ``key`` is made of: its rivals.

    An added aspect is left out of the others' scores, else switching it on would change them.
    """
    among = rivals(aspects, key)
    return tuple(aspect for aspect in aspects if aspect.key in among)


@lru_cache(maxsize=32)
def lexicon_of(aspects: tuple[AspectSpec, ...], language: Literal["ja", "en"]) -> Lexicon:
    """The compiled lexicon of these aspects, made once (compiling costs more than a text)."""
    return Lexicon(aspects, language)


class Lexicon:
    """The aspects of a brief in one language.

    Args:
        aspects: The brief's aspects; their own cues are added to the built-in ones.
        language: ``ja`` or ``en``.
    """

    def __init__(self, aspects: Sequence[AspectSpec], language: Literal["ja", "en"]) -> None:
        data = _data(language)
        self.language = language
        self._exclude = _any(data["exclude"])
        self._pointers = _any(data["pointers"]) if "pointers" in data else None
        self._sounds = {aspect.key: _sounds(aspect, data) for aspect in aspects}
        self._last: tuple[tuple[str, ...], dict[str, float]] = (
            (),
            dict.fromkeys(self._sounds, 0.0),
        )

    def excluded(self, folded: str) -> bool:
        """True for a sentence that no aspect should show (pointers, method, greetings)."""
        return self._pointer(folded) is not None or self._exclude.search(folded) is not None

    def _pointer(self, folded: str) -> re.Match[str] | None:
        return self._pointers.search(folded) if self._pointers is not None else None

    def introduction(self, sentence: str, headings: Sequence[str] = ()) -> dict[str, float]:
        """Score per aspect key of a sentence that introduces a list: what its entries are.

        What stands from the pointer on names them (以下の３つを課題として…); where it names
        no aspect (…は以下のとおりです) the whole sentence and its headings do.
        """
        folded = fold_text(sentence).strip()
        if self._exclude.search(folded) is not None:
            return dict.fromkeys(self._sounds, 0.0)
        pointer = self._pointer(folded)
        if pointer is not None:
            named = self._scores(folded[pointer.start() :], ())
            if max(named.values()) >= FIT:
                return named
        return self._scores(folded, headings)

    def scores(self, sentence: str, headings: Sequence[str] = ()) -> dict[str, float]:
        """Score per aspect key of a sentence under ``headings`` (outermost first).

        The text is folded here. A sentence that is excluded scores 0 everywhere.
        """
        folded = fold_text(sentence).strip()
        if self.excluded(folded):
            return dict.fromkeys(self._sounds, 0.0)
        return self._scores(folded, headings)

    def _scores(self, folded: str, headings: Sequence[str]) -> dict[str, float]:
        topic = self._topic(folded)
        ending = folded.rstrip("。.!)」』 ")
        from_headings = self._heading_scores(tuple(headings))
        return {
            key: 0.0
            if sounds.is_hollow(folded, from_headings[key])
            else round(
                _total(sounds.cues, folded)
                + _total(sounds.topics, topic)
                + _total(sounds.endings, ending)
                + from_headings[key],
                4,
            )
            for key, sounds in self._sounds.items()
        }

    def _topic(self, folded: str) -> str:
        if self.language == "en":
            match = _EN_TOPIC.match(folded)
            return match.group(1).strip() if match else ""
        body = _JA_OPENING.sub("", folded, count=1)
        match = _JA_TOPIC.match(body) or _JA_SUBJECT.match(body)
        return match.group(1) if match else ""

    def _heading_scores(self, headings: tuple[str, ...]) -> dict[str, float]:
        """What the headings add; one that names several aspects is shared by them."""
        if headings == self._last[0]:  # sentences come in order, mostly under the same ones
            return self._last[1]
        result = dict.fromkeys(self._sounds, 0.0)
        share = 1.0
        for heading in reversed(headings):
            folded = fold_text(heading)
            hits = {key: _total(sounds.headings, folded) for key, sounds in self._sounds.items()}
            named = sum(1 for value in hits.values() if value >= 2)
            for key, value in hits.items():
                result[key] += share * (value / named if value > 0 and named > 1 else value)
            share *= _OUTER
        self._last = (headings, result)
        return result


def _total(weighted: Iterable[_Weighted], text: str) -> float:
    """Sum of the weights that match, for and against each with decay."""
    if not text:
        return 0.0
    found = [weight for weight, pattern in weighted if pattern.search(text)]
    result = 0.0
    for sign in (1, -1):
        share = 1.0
        for weight in sorted((abs(w) for w in found if w * sign > 0), reverse=True):
            result += sign * weight * share
            share *= _DECAY
    return result


def _sounds(aspect: AspectSpec, data: Mapping[str, Any]) -> _Sounds:
    built_in: Mapping[str, Any] = data.get(aspect.key, {})
    own = _from_config(aspect.cues)
    headings = (*_entries(built_in, "headings"), *_from_config(aspect.headings))
    if not built_in and not own and not headings:
        own = _from_words(aspect)
        headings = own
    return _Sounds(
        cues=(*_entries(built_in, "cues"), *_entries(built_in, "against"), *own),
        topics=_entries(built_in, "topics"),
        endings=_entries(built_in, "endings"),
        headings=headings,
        hollow=_any(built_in["hollow"]) if "hollow" in built_in else None,
    )


def _entries(built_in: Mapping[str, Any], part: str) -> tuple[_Weighted, ...]:
    return tuple(
        (float(entry["weight"]), re.compile(pattern))
        for entry in built_in.get(part, ())
        for pattern in entry["patterns"]
    )


def _from_config(cues: Sequence[Cue]) -> tuple[_Weighted, ...]:
    return tuple(
        (cue.weight, re.compile(pattern, re.IGNORECASE)) for cue in cues for pattern in cue.patterns
    )


def _from_words(aspect: AspectSpec) -> tuple[_Weighted, ...]:
    """Cues of an aspect that brings none: the label's words, then those of its meaning."""
    strong = [aspect.label, aspect.label_english]
    weak = [
        *content_words(aspect.meaning),
        *content_words(aspect.meaning_english),
    ]
    words = [(5.0, word) for word in strong] + [(2.0, word) for word in weak]
    return tuple((weight, re.compile(re.escape(fold_text(word)))) for weight, word in words)


def _any(patterns: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


@cache
def _data(language: str) -> Mapping[str, Any]:
    file = resources.files("g2_pipelines.briefs") / "lexicon_data" / f"{language}.yaml"
    loaded: Mapping[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return loaded
