"""Japanese answers by rules, where no model judges them.

Here: ``rule_verdict``. The sets' right answers are whole sentences, so a rule can say right or
wrong only of what it can see: that every figure of the right answer is given (the same amount
in another scale counts), or that a short right answer stands in the answer. Of anything else
it says nothing, and only a judge can.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.evaluation.reader.typed import anls
from g2_pipelines.qa.grounding import squeeze, unsupported_numbers

#: Characters of a right answer that is a name or a value, and no sentence.
SHORT = 24
_DIGIT = re.compile(r"\d")


def rule_verdict(answer: str, right: Sequence[str]) -> bool | None:
    """True or False where a rule can tell, else None; any of ``right`` will do."""
    verdicts = [_one(answer, one) for one in right]
    if any(verdict is True for verdict in verdicts):
        return True
    return None if any(verdict is None for verdict in verdicts) or not verdicts else False


def _one(answer: str, right: str) -> bool | None:
    ours, theirs = squeeze(answer).strip("。."), squeeze(right).strip("。.")
    if not theirs:
        return None
    if _DIGIT.search(theirs):
        return not unsupported_numbers(right, [answer])
    if len(theirs) <= SHORT:
        return theirs in ours or anls(ours, theirs) > 0
    return None
