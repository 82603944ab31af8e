"""The wording of the steps that calculate: made and read only here.

Here: ``step_of``, ``operation_of`` and ``calculated``. Used by ``patterns`` and by the extractive
planner, worker and checker.
"""

from __future__ import annotations

import re
from typing import Literal

from g2_pipelines.qa.ports import Operation

Steps = list[tuple[str, list[str]]]  # (task, depends_on); ids are q1, q2, … in this order

_STEP: dict[str, dict[str, str]] = {
    "difference": {
        "ja": "{a} と {b} の答えの差を計算する",
        "en": "Calculate the difference of the answers to {a} and {b}",
    },
    "ratio": {
        "ja": "{a} の答えを {b} の答えで割る",
        "en": "Calculate the ratio of the answers to {a} and {b}",
    },
    "growth": {
        "ja": "{b} の答えから {a} の答えへの増減率を計算する",
        "en": "Calculate the growth from the answer to {b} to that of {a}",
    },
    "sum": {
        "ja": "{a} と {b} の答えを合計する",
        "en": "Calculate the sum of the answers to {a} and {b}",
    },
}
_READ: dict[str, re.Pattern[str]] = {
    "difference": re.compile(
        r"^q\d と q\d の答えの差を計算する$|^Calculate the difference of the answers"
    ),
    "ratio": re.compile(r"^q\d の答えを q\d の答えで割る$|^Calculate the ratio of the answers"),
    "growth": re.compile(
        r"^q\d の答えから q\d の答えへの増減率|^Calculate the growth from the answer"
    ),
    "sum": re.compile(r"^q\d と q\d の答えを合計する$|^Calculate the sum of the answers"),
}
_OPERATIONS: tuple[Operation, ...] = ("difference", "ratio", "growth", "sum")


def step_of(operation: Operation, a: str, b: str, spoken: Literal["ja", "en"]) -> str:
    """The task of a calculation on the answers of ``a`` and ``b``."""
    return _STEP[operation][spoken].format(a=a, b=b)


def operation_of(task: str) -> Operation:
    """The calculation that a task made by ``step_of`` names, "" for any other task."""
    return next((name for name in _OPERATIONS if _READ[name].search(task)), "")


def calculated(a: str, b: str, operation: Operation, spoken: Literal["ja", "en"]) -> Steps:
    """Steps for ``a`` and ``b`` and one that calculates with their answers."""
    return [(a, []), (b, []), (step_of(operation, "q1", "q2", spoken), ["q1", "q2"])]
