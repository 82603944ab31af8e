"""Which hits stand where the question's period, accounts and thing are.

Here: ``as_pinned`` and ``says_so``. What a text says of periods and accounts stands in
``pinned``. Used by ``find``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from g2_pipelines.qa.evidence import Evidence
from g2_pipelines.qa.forms import tells_change
from g2_pipelines.qa.grids import grid_of
from g2_pipelines.qa.hits import Hit, Scope
from g2_pipelines.qa.item import AIM
from g2_pipelines.qa.matching import Word, held, prepared
from g2_pipelines.qa.pinned import basis_around, basis_of, unsaid
from g2_pipelines.text.fold import fold_text

_HALF = 0.5
_RESULTS = re.compile(r"実績|\bactual\b|\bresult")
_CAPTION = re.compile(
    r"(?:^|\s|\S)(?:表|図|table |figure )\s?\d|[（(](?:単位|[^()（）]*、単位)|^\d+(?:\.\d+)*\.?\s"
)
_RESULT = re.compile(r"黒字|赤字|利益が?出|損失が?出|\b(?:profitable|loss-making|in the red)\b")
_ENDS = re.compile(r"[。.!?！？」)）]$")


def as_pinned(
    scope: Scope, hits: Sequence[Hit], evidence: Sequence[Evidence]
) -> tuple[list[Hit], tuple[str, ...]]:
    """The hits of the period and of the accounts that are asked for, and where another's were
    left out, the words that speak against them. Asked for neither, the group's go before the
    parent company's.
    """
    if scope.asked.kind not in ("number", "value"):
        return list(hits), ()
    named = _names_of_lines(scope, evidence)
    lacking = [
        (
            *unsaid(scope.asked.core, hit.around),
            *_another_line(hit, named),
            *_no_forecast(scope, hit),
        )
        if hit.around
        else ()
        for hit in hits
    ]
    kept = [_aimed(scope, hit) for hit, words in zip(hits, lacking, strict=True) if not words]
    unlike = next((words for words in lacking if words), ())
    if not basis_of(scope.asked.core) and not _names_parent(scope, kept):
        bases = [basis_around(hit.around) if hit.around else "" for hit in kept]
        group = {_line(h) for h, basis in zip(kept, bases, strict=True) if basis == "group"}
        pairs = zip(kept, bases, strict=True)
        kept = [hit for hit, basis in pairs if basis != "parent" or _line(hit) not in group]
    return kept, unlike


def _names_parent(scope: Scope, hits: Sequence[Hit]) -> bool:
    """True for a question with a company's name that only the parent company's tables have."""
    names = [word for word in scope.words if word.strict and not word.is_figure]
    told = {
        basis: prepared(
            "\n".join(
                text
                for hit in hits
                if hit.around and basis_around(hit.around) == basis
                for text in (*hit.around.own, *hit.around.caption)
            )
        )
        for basis in ("parent", "group")
    }
    return any(held(w, told["parent"]) >= 1.0 > held(w, told["group"]) for w in names)


def _line(hit: Hit) -> str:
    return hit.values[0].label if hit.from_cell and hit.values else ""


def _names_of_lines(scope: Scope, evidence: Sequence[Evidence]) -> tuple[Word, ...]:
    """The question's words that name a row whole: 計測機器, Rail."""
    labels = [
        prepared(grid.row_label(row))
        for item in evidence
        if (grid := grid_of(item.node)) is not None
        for row in grid.body()
    ]
    return tuple(
        word
        for word in scope.words
        if not word.is_figure and any(word.text == label.squeezed for label in labels)
    )


def _another_line(hit: Hit, named: Sequence[Word]) -> tuple[str, ...]:
    """Of the words that name rows, those that stand nowhere around a cell."""
    if not hit.from_cell or hit.around is None:
        return ()
    told = prepared(hit.around.whole)
    return tuple(word.text for word in named if held(word, told) < _HALF)


def _no_forecast(scope: Scope, hit: Hit) -> tuple[str, ...]:
    """The question's word for a forecast, where a cell is none."""
    asked = AIM.search(fold_text(scope.asked.core))
    if asked is None or not hit.from_cell or hit.around is None:
        return ()
    return () if AIM.search(hit.around.whole) else (asked[0],)


def _aimed(scope: Scope, hit: Hit) -> Hit:
    """A cell of a forecast: qualified where a result is asked for, else said to be one."""
    if not hit.from_cell or hit.around is None:
        return hit
    near = "\n".join((*hit.around.own, *hit.around.caption, *hit.around.headings[:1]))
    aim = AIM.search(fold_text(near))
    results = _RESULTS.search(fold_text("\n".join(hit.around.own)))
    if aim is None or results:
        return hit
    if AIM.search(fold_text(scope.asked.core)) is None:
        return replace(hit, qualified=True)
    if AIM.search(fold_text(hit.answer)):
        return hit
    told = "（予想）" if scope.asked.language == "ja" else " (forecast)"
    answer = f"{hit.answer.rstrip('。.')}{told}{'。' if scope.asked.language == 'ja' else '.'}"
    return replace(hit, answer=answer)


def says_so(scope: Scope, text: str) -> bool:
    """True for a text that can say yes or no: no heading or caption is in it, and asked whether
    something rose, fell or made a profit, one that says that of the whole item.
    """
    plain = fold_text(text).strip()
    if "単位" in plain or (_CAPTION.search(plain) and not _ENDS.search(plain)):
        return False
    if not (tells_change(fold_text(scope.asked.core)) or _RESULT.search(scope.asked.core)):
        return True
    own = prepared(text)
    item = [word for word in scope.words if not word.is_figure and len(word.text) > 1]
    told = tells_change(plain) or _RESULT.search(plain) is not None
    return told and AIM.search(plain) is None and all(held(word, own) >= 1.0 for word in item)
