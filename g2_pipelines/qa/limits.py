"""Groups that a limit cuts out: «under 18 years», «65 and over», 「40歳未満」.

Here: ``other_side``. A row or column of one side of a limit is no answer for the other side,
nor for the whole where the question names no limit at all. Used by ``cells``.
"""

from __future__ import annotations

import re

from g2_pipelines.text.fold import fold_text

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
