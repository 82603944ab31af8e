"""What a number must be a number of: its units, the counted noun, nouns for adjectives.

Here: ``units_of``, ``counted_of`` and ``nouns_of``. Used by ``asking``.
"""

from __future__ import annotations

import re

from g2_pipelines.text.fold import fold_text

_TIME = (
    "時間",
    "分",
    "秒",
    "日",
    "日間",
    "週間",
    "か月",
    "ヶ月",
    "年",
    "年間",
    "h",
    "min",
    "s",
    "ms",
    "hours",
    "hour",
    "minutes",
    "minute",
    "seconds",
    "days",
    "day",
    "weeks",
    "months",
    "month",
    "years",
    "year",
)
_LENGTH = ("m", "km", "cm", "mm", "μm", "nm")
_SAME: tuple[tuple[str, ...], ...] = (
    ("円", "百万円", "億円", "千円", "兆円", "万円"),
    ("%", "パーセント", "割"),
    ("人", "名"),
    ("℃", "°C", "度", "°c"),
    ("μm", "µm", "μm"),
    ("か月", "ヶ月", "カ月"),
    ("か所", "箇所", "カ所"),
    ("t", "トン"),
)
_FAMILIES: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (re.compile(r"percent|proportion|\bshare of\b|割合|比率|構成比", re.IGNORECASE), ("%", "割")),
    (re.compile(r"どの(?:くらい|程度|ぐらい)の(?:時間|期間|間)"), _TIME),
    (
        re.compile(r"how long\b.*\b(?:last|take|kept?|run|stor|took|until|before)", re.IGNORECASE),
        _TIME,
    ),
    (re.compile(r"how long\b", re.IGNORECASE), (*_TIME, *_LENGTH)),
    (re.compile(r"how (?:high|tall|deep|wide|far)\b", re.IGNORECASE), _LENGTH),
    (
        re.compile(
            r"how (?:hot|cold)\b|\bwhat (?:is|was) the (?:\w+ ){0,3}temperature\b", re.IGNORECASE
        ),
        ("°c", "℃", "k", "degrees"),
    ),
    (re.compile(r"how heavy\b", re.IGNORECASE), ("kg", "t", "g")),
    (re.compile(r"how often\b", re.IGNORECASE), (*_TIME, "times")),
)
NOUNS: dict[str, tuple[str, ...]] = {
    "high": ("height", "level"),
    "higher": ("height", "level"),
    "tall": ("height",),
    "taller": ("height",),
    "long": ("length", "duration", "time"),
    "longer": ("length", "duration", "time"),
    "large": ("size", "area"),
    "larger": ("size", "area"),
    "big": ("size", "area"),
    "bigger": ("size", "area"),
    "deep": ("depth",),
    "wide": ("width",),
    "far": ("distance", "range"),
    "old": ("age",),
    "fast": ("speed",),
    "often": ("frequency", "interval"),
    "heavy": ("weight", "mass"),
    "hot": ("temperature",),
    "cold": ("temperature",),
}


def units_of(core: str, found: re.Match[str] | None) -> tuple[str, ...]:
    """The units one of which the number must have; none when the question leaves it open."""
    if found is None:
        return ()
    unit = found["unit"] if "unit" in found.re.groupindex else None
    if unit:
        return next((family for family in _SAME if unit in family), (fold_text(unit),))
    if found[0] == "いくら":
        return _SAME[0]
    return next((units for pattern, units in _FAMILIES if pattern.search(core)), ())


def nouns_of(core: str) -> tuple[str, ...]:
    """The nouns that a header may have for the adjective of «how high»."""
    match = re.search(r"\bhow (?:much )?([a-z]+)", core, re.IGNORECASE)
    return NOUNS.get(match[1].lower(), ()) if match else ()


def counted_of(core: str) -> str:
    """The noun after «how many», "" for none."""
    match = re.search(
        r"\bhow many (?:more |fewer |different )?(?:(?:thousand|million|billion)s? (?:of )?)?([a-z-]+)",
        core,
        re.IGNORECASE,
    )
    return match[1].lower() if match else ""
