"""Accounting ratios that no statement prints, by the lines they are made of.

Here: ``ratio_en``. Definitions as textbooks of accounting give them: current ratio = current
assets ÷ current liabilities; quick ratio = (cash + short-term investments + receivables) ÷
current liabilities; cash ratio = cash ÷ current liabilities; a turnover = what flows in a year ÷
the average of what stood there at its beginning and end. The answer shows lines and formula.
Used by ``patterns``.
"""

from __future__ import annotations

import re

from g2_pipelines.qa.steps import Steps, over_average, step_of, sum_over

_YEAR = re.compile(r"\b(?:fy ?)?((?:19|20)\d\d)\b", re.IGNORECASE)
_CURRENT = re.compile(r"\bcurrent[ _]ratio\b", re.IGNORECASE)
_CASH = re.compile(r"\bcash[ _]ratio\b", re.IGNORECASE)
_QUICK = re.compile(r"\b(?:quick|acid[- ]test)[ _]ratio\b", re.IGNORECASE)
_TURNOVERS = (
    (re.compile(r"\binventory turnover\b", re.IGNORECASE), "cost of sales", "inventories"),
    (
        re.compile(r"\breceiv\w* turnover\b", re.IGNORECASE),
        "revenues",
        "accounts receivable",
    ),
    (re.compile(r"\bpayables? turnover\b", re.IGNORECASE), "cost of sales", "accounts payable"),
    (re.compile(r"\basset turnover\b", re.IGNORECASE), "revenues", "total assets"),
)
_FORM = re.compile(
    r",? (?:rounded|round|to|with|in) (?:one|two|three|\d+) .*|\b(?:round|answer|give)\b.*",
    re.IGNORECASE,
)
_ASKS = re.compile(r"\bwhat\b|\bhow (?:much|high|large)\b|\bcalculate\b|\bcompute\b", re.IGNORECASE)
_CHANGES = re.compile(
    r"\bfrom\b.*\bto\b|\bthan\b|\bdifference\b|\bchange|\bcycle days\b", re.IGNORECASE
)


def ratio_en(text: str) -> Steps | None:
    """Lookups of the lines and the division, None for any other question."""
    bare = _FORM.sub("", text)
    years = [int(year) for year in _YEAR.findall(bare)]
    if not _ASKS.search(bare) or _CHANGES.search(bare) or len(set(years)) > 1:
        return None
    year = years[0] if years else 0
    if _CURRENT.search(bare):
        return _ratio("total current assets", year)
    if _CASH.search(bare):
        return _ratio("cash and equivalents", year)
    if _QUICK.search(bare):
        lines = ("cash and equivalents", "short-term investments", "accounts receivable")
        sides = [_line(line, year) for line in (*lines, "total current liabilities")]
        names = [f"q{place}" for place in range(1, len(sides) + 1)]
        step = (sum_over(names[:-1], names[-1]), names)
        return [*((side, []) for side in sides), step]
    for pattern, flow, stock in _TURNOVERS:
        if year and pattern.search(bare):
            sides = [_line(flow, year), _line(stock, year), _line(stock, year - 1)]
            step = (over_average("q1", "q2", "q3"), ["q1", "q2", "q3"])
            return [*((side, []) for side in sides), step]
    return None


def _ratio(line: str, year: int) -> Steps:
    sides = [_line(line, year), _line("total current liabilities", year)]
    return [*((side, []) for side in sides), (step_of("ratio", "q1", "q2", "en"), ["q1", "q2"])]


def _line(line: str, year: int) -> str:
    verb = "are" if line.endswith("s") else "is"
    return f"How much {verb} the {line}{f' in {year}' if year else ''}?"
