"""Groups that a limit cuts out: «under 18 years», «65 and over», 「40歳未満」.

Here: ``other_side``, and ``contrary`` for what is with and without something. A row or column of one side of a limit is no answer for the other side,
nor for the whole where the question names no limit at all. Used by ``cells``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from g2_pipelines.text.fold import fold_text

#: Small words that turn a label round; as words of a question they count for nothing.
_TURNING = re.compile(
    r"\b(?:without|excluding|except|excl|including|incl|before|after|not|non|no)\b|除く|含む|含まない|なし|あり|未実施|実施前|実施後"
)
_BELOW = re.compile(
    r"\b(?:under|below|less than|fewer than|younger than|up to)\b(?= \S{0,2}\d)"
    r"|\d[\w ,.$]{0,12}\b(?:and|or) (?:under|below|less|fewer|younger)\b|\d[^\s、。\d]{0,4}(?:未満|以下)"
)
_ABOVE = re.compile(
    r"\b(?:over|above|more than|older than|at least)\b(?= \S{0,2}\d)"
    r"|\d[\w ,.$]{0,12}\b(?:and|or) (?:over|above|more|older|up)\b|\d\+|\d[^\s、。\d]{0,4}以上"
)


def other_side(question: str, label: str) -> bool:
    """True where ``label`` names one side of a limit and ``question`` the other, or none."""
    asked, told = fold_text(question), fold_text(label)
    below, above = _BELOW.search(told) is not None, _ABOVE.search(told) is not None
    if below == above:
        return False
    wanted = (_BELOW if below else _ABOVE).search(asked)
    other = (_ABOVE if below else _BELOW).search(asked)
    return wanted is None and (other is not None or re.search(r"\d", asked) is None)


def contrary(question: str, label: str, others: Iterable[str]) -> bool:
    """True where ``label`` lacks a turning word of the question that another label has, or has
    one that neither the question nor all labels have: costs without rent are no costs with rent.
    """
    asked, told = (set(_TURNING.findall(fold_text(text))) for text in (question, label))
    rest = [set(_TURNING.findall(fold_text(other))) for other in others]
    if any(word not in told for word in asked if any(word in other for other in rest)):
        return True
    return any(word not in asked for word in told if not all(word in other for other in rest))
