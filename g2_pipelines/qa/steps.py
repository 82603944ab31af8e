"""The wording of the steps that code carries out: made and read only here.

Here: ``step_of``, ``over_average``, ``sum_over``, ``compare_step``, ``sign_step`` and what reads
them: ``is_step``, ``operation_of``, ``comparison_of``, ``sign_of``. Used by ``patterns`` and by the extractive
planner, worker and checker.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
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
    "turnover": re.compile(r"^Divide the answer to q\d by the average of the answers"),
    "cover": re.compile(r"^Divide the sum of the answers to"),
}
_OPERATIONS: tuple[Operation, ...] = ("difference", "ratio", "growth", "sum", "turnover", "cover")
_COMPARE = {
    "ja": "{a} の答えが {b} の答えより{way}かを述べる",
    "en": "Say whether the answer to {a} is {way} than the answer to {b}",
}
_SIGN = {
    "ja": "{a} の答えが{way}を示すかを述べる",
    "en": "Say whether the answer to {a} is {way}",
}
_WAYS = {
    ("compare", "ja"): ("大きい", "小さい"),
    ("compare", "en"): ("greater", "less"),
    ("sign", "ja"): ("増加", "減少"),
    ("sign", "en"): ("a rise", "a fall"),
}
_READ_COMPARE = re.compile(
    r"^q\d の答えが q\d の答えより(?:大きい|(?P<ja>小さい))かを述べる$"
    r"|^Say whether the answer to q\d is (?:greater|(?P<en>less)) than the answer"
)
_READ_SIGN = re.compile(
    r"^q\d の答えが(?:増加|(?P<ja>減少))を示すかを述べる$"
    r"|^Say whether the answer to q\d is a (?:rise|(?P<en>fall))$"
)
Spoken = Literal["ja", "en"]
Way = Literal["", "more", "less"]


def step_of(operation: Operation, a: str, b: str, spoken: Literal["ja", "en"]) -> str:
    """The task of a calculation on the answers of ``a`` and ``b``."""
    return _STEP[operation][spoken].format(a=a, b=b)


def operation_of(task: str) -> Operation:
    """The calculation that a step names, "" for any other task; to compare is to subtract."""
    if comparison_of(task):
        return "difference"
    return next((name for name in _OPERATIONS if _READ[name].search(task)), "")


def calculated(a: str, b: str, operation: Operation, spoken: Literal["ja", "en"]) -> Steps:
    """Steps for ``a`` and ``b`` and one that calculates with their answers."""
    return [(a, []), (b, []), (step_of(operation, "q1", "q2", spoken), ["q1", "q2"])]


def sum_of(sides: Sequence[str]) -> Steps:
    """Steps for ``sides`` and one that adds their answers."""
    names = [f"q{place}" for place in range(1, len(sides) + 1)]
    last = f"{', '.join(names[:-1])} and {names[-1]}"
    step = (f"Calculate the sum of the answers to {last}", names)
    return [*((side, []) for side in sides), step]


def over_average(flow: str, late: str, early: str) -> str:
    """The task of a turnover: what flows in a year over the average of what stood there."""
    return f"Divide the answer to {flow} by the average of the answers to {late} and {early}"


def sum_over(parts: Sequence[str], whole: str) -> str:
    """The task of a cover: several items together over one."""
    return f"Divide the sum of the answers to {', '.join(parts)} by the answer to {whole}"


def compare_step(a: str, b: str, *, less: bool, spoken: Spoken) -> str:
    """The task of saying whether ``a`` is greater (or less) than ``b``."""
    return _COMPARE[spoken].format(a=a, b=b, way=_WAYS["compare", spoken][less])


def sign_step(a: str, *, less: bool, spoken: Spoken) -> str:
    """The task of saying whether ``a``, a change, is a rise (or a fall)."""
    return _SIGN[spoken].format(a=a, way=_WAYS["sign", spoken][less])


def comparison_of(task: str) -> Way:
    """What a task made by ``compare_step`` asks, "" for any other task."""
    return _way(_READ_COMPARE.search(task))


def sign_of(task: str) -> Way:
    """What a task made by ``sign_step`` asks, "" for any other task."""
    return _way(_READ_SIGN.search(task))


def _way(found: re.Match[str] | None) -> Way:
    if found is None:
        return ""
    return "less" if found["ja"] or found["en"] else "more"


def is_step(task: str) -> bool:
    """True for a task that code carries out on the answers of other steps."""
    return bool(operation_of(task) or sign_of(task))
