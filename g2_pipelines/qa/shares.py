"""The share of one item in another that no table prints: both lines of one table, divided.

Here: ``share_hit``: «what share of revenues was cost of sales in 2021», 売上高に占める研究費の割合. Part
and whole must be rows of one table under one column, each the asked item and nothing else.
Used by ``find`` where no printed share is found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from g2_pipelines.qa.arithmetic import calculate
from g2_pipelines.qa.errors import CalculationError
from g2_pipelines.qa.hits import Hit
from g2_pipelines.qa.ports import Language
from g2_pipelines.qa.wording import calculated

_WHEN = r"(?P<when>(?: (?:in|for|during|at the end of) (?:fiscal |financial )?(?:year )?(?:fy ?)?(?:19|20)\d\d)?)"
_SHARE_EN = re.compile(
    r"\b(?:what|which) (?:share|percentage|percent|proportion) of (?:the |its |total )?(?P<whole>.+?) "
    rf"(?:was|were|is|are|did|does|do) (?:spent on |made up by |due to )?(?:the )?(?P<part>.+?){_WHEN}\s*\??$",
    re.IGNORECASE,
)
_SHARE_JA = re.compile(
    r"^(?P<pre>(?:[^、]*、)*?(?:[^、の]*\d+年度?(?:\d+月期)?の)?)(?P<whole>[^、の]+?)に占める(?P<part>[^、]+?)の"
    r"(?:割合|比率|構成比|シェア)"
)

_WHOLE = 100
_NEAR = 0.05
#: The cells that answer a question, best first.
Cells = Callable[[str], Sequence[Hit]]


def share_hit(question: str, cells: Cells, *, language: Language) -> Hit | None:
    """The quotient of part and whole, None where they are not two such cells."""
    found = (_SHARE_JA if language == "ja" else _SHARE_EN).search(question)
    if found is None:
        return None
    sides = [_whole(cells(_asked(found, name, language))) for name in ("part", "whole")]
    part, whole = sides
    if part is None or whole is None:
        return None
    one, other = part.values[0], whole.values[0]
    if one.node_id != other.node_id or part.column != whole.column or one.text == other.text:
        return None
    try:
        result = calculate("share", [one, other], language=language)
    except CalculationError:
        return None
    if not 0 < result.value <= _WHOLE:
        return None
    quotes = tuple(dict.fromkeys((*part.quotes, *whole.quotes)))
    return Hit(
        short=result.text,
        answer=calculated(language, result.text, result.formula),
        quotes=quotes,
        coverage=min(part.coverage, whole.coverage),
        score=min(part.score, whole.score),
        values=(one, other),
        operation="share",
        from_cell=True,
    )


def _asked(found: re.Match[str], name: str, language: Language) -> str:
    if language == "ja":
        return f"{found['pre']}{found[name]}はいくつですか"
    return f"How much is the {found[name]}{found['when']}?"


def _whole(hits: Sequence[Hit]) -> Hit | None:
    """The one best cell that is the item itself; None where another value is as near."""
    best = next((hit for hit in hits if hit.whole and len(hit.values) == 1), None)
    if best is None:
        return None
    rivals = [
        hit
        for hit in hits
        if hit.whole
        and hit.values[0].node_id == best.values[0].node_id
        and hit.values[0].text != best.values[0].text
        and best.score - hit.score < _NEAR
    ]
    return None if rivals else best
