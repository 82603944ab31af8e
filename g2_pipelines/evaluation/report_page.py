"""The report's front: header, scoreboard, matrix, worst texts, quality, the checks' reliability.

Here: ``report_pages`` (the front, and the matrix in parts where it is long) and ``runs_page`` (cost
and trend, a page of its own, which may hold times). Not here: the rows (``report``), a company's
page (``report_company``). ``defs`` and ``cli`` may import this module.

All but ``runs_page`` hold no time, run or cost: equal rows give equal bytes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from g2_pipelines.evaluation.criteria import CRITERIA, NOWHERE
from g2_pipelines.evaluation.page_parts import (
    ALTERATIONS,
    KINDS,
    STATUSES,
    check_label,
    css,
    environment,
    percent,
)
from g2_pipelines.evaluation.preferences import Agreement, Preferences
from g2_pipelines.evaluation.reliability import FIGURES, Reliability
from g2_pipelines.evaluation.report import Report
from g2_pipelines.models.ledger import CallTotals
from g2_pipelines.models.prices import PriceTable
from g2_pipelines.tables.report import Comparison, ReportRun, ReportText, Where

#: Companies on one page of the matrix.
MATRIX_COMPANIES = 100
#: Flagged claims shown on the front; all are in the data.
SHOWN_CLAIMS = 60
SHOWN_FAILURES = 50
SHOWN_RUNS = 30
_SIDES: tuple[Where, Where] = ("left", "right")
_QUALITY = (
    "length",
    "aspect_fit",
    "coverage",
    "overlap_other_aspects",
    "copy_rate",
    "repetition",
    "mixed_endings",
    "noun_endings",
    "readability",
    "unsupported_sentences",
)
_RECALL = {"numbers_altered": "number_recall", "segments_altered": "segment_recall"}
_STATUS_ORDER = tuple(STATUSES)


@dataclass(frozen=True)
class Missing:
    """A company that is not in the report, and why."""

    edinet_code: str
    code: str
    message: str
    remedy: str = ""


@dataclass(frozen=True)
class Panels:
    """What stands around the report's rows.

    facts: name and value pairs of the head. linked: companies' years with a page of their own.
    data: (name, file) of the report's rows as files.
    """

    name: str
    names: tuple[str, str]
    aspects: Sequence[tuple[str, str]]
    source_types: Mapping[str, str]
    facts: Sequence[tuple[str, str]]
    documents: Sequence[str] = ()
    linked: Collection[tuple[str, str]] = ()
    missing: Sequence[Missing] = ()
    reliability: Reliability | None = None
    judge: Sequence[Preferences] = ()
    judge_facts: Sequence[str] = ()
    readers: Sequence[Preferences] = ()
    readers_note: str = ""
    agreement: Sequence[Agreement] = ()
    thresholds: Sequence[tuple[str, str]] = ()
    data: Sequence[tuple[str, str]] = ()
    criteria: Mapping[str, str] = field(default_factory=dict)

    @property
    def paper(self) -> bool:
        """Whether the sides are the paper's: the aspect's and the simple pre-summaries."""
        return self.names[0].startswith("aspect") and self.names[1].startswith("simple")


def report_pages(report: Report, panels: Panels) -> dict[str, str]:
    """The pages by file name: ``index.html``, and ``matrix-K.html`` where one does not do."""
    matrix = _matrix(report)
    starts = range(0, max(1, len(matrix)), MATRIX_COMPANIES)
    parts = [matrix[start : start + MATRIX_COMPANIES] for start in starts]
    names = [f"matrix-{place}.html" for place in range(1, len(parts) + 1)]
    whole = len(parts) == 1
    shared = {
        "panels": panels,
        "css": css("report.css"),
        "linked": {page_name(*key) for key in panels.linked},
        "page_name": page_name,
    }
    pages = {
        "index.html": environment()
        .get_template("report.html.jinja")
        .render(
            report=report,
            scoreboard=_scoreboard(report, panels),
            by_aspect=_across(report, "aspect", [key for key, _ in panels.aspects]),
            aspect_labels=dict(panels.aspects),
            by_source=_across(report, "source_type", _source_types(report)),
            source_labels={**panels.source_types, NOWHERE: "根拠なし", "other": "その他の箇所"},
            checks=_rows(report, "check", "all"),
            check_label=check_label,
            quality=_quality(report),
            silent=[_silent(report.of(where)) for where in _SIDES],
            statuses=_statuses(report),
            lights=[_lights(report.of(where)) for where in _SIDES],
            worst=[_worst(report, where) for where in _SIDES],
            flagged=report.flagged[:SHOWN_CLAIMS],
            kinds=KINDS,
            status_words=STATUSES,
            missing=panels.missing[:SHOWN_FAILURES],
            figures=FIGURES,
            alterations=ALTERATIONS,
            companies=len(matrix),
            parts=[] if whole else list(zip(names, map(_span, parts), strict=True)),
            matrix=parts[0] if whole else [],
            **shared,
        )
    }
    if not whole:
        for name, part in zip(names, parts, strict=True):
            pages[name] = (
                environment()
                .get_template("report_matrix.html.jinja")
                .render(
                    matrix=part,
                    names=list(zip(names, map(_span, parts), strict=True)),
                    current=name,
                    check_label=check_label,
                    **shared,
                )
            )
    return pages


def page_name(edinet_code: str, fiscal_year: str) -> str:
    """The file of a company's page; both are checked keys, and so is the name."""
    return f"{edinet_code}-{fiscal_year}.html"


def runs_page(
    runs: Sequence[ReportRun],
    *,
    name: str,
    names: tuple[str, str],
    totals: Sequence[CallTotals],
    prices: PriceTable | None,
) -> str:
    """Cost and trend: the last runs, and calls by what they made and by which model."""
    rows = [
        {
            "total": one,
            "money": None
            if prices is None or (price := prices.price(one.model)) is None
            else price.money(
                prompt=one.prompt_tokens,
                completion=one.completion_tokens,
                cached=one.cached_tokens,
            ),
        }
        for one in totals
    ]
    return (
        environment()
        .get_template("report_runs.html.jinja")
        .render(
            name=name,
            names=names,
            runs=list(reversed(runs[-SHOWN_RUNS:])),
            all_runs=len(runs),
            lines=_trend_lines(runs[-SHOWN_RUNS:]),
            rows=rows,
            currency=prices.currency if prices else "",
            css=css("report.css"),
        )
    )


def _rows(report: Report, group: str, scope: str) -> list[Comparison]:
    return [row for row in report.comparisons if row.group == group and row.scope == scope]


def _scoreboard(report: Report, panels: Panels) -> list[dict[str, Any]]:
    found = {row.check: row for row in _rows(report, "paper", "all")}
    figures = panels.reliability.figures if panels.reliability else {}
    return [
        {
            "criterion": one,
            "row": found[one.key],
            "better": _better(found[one.key]) if one.fault else "",
            "paper": one.paper if panels.paper else ("", ""),
            "recall": percent(figures[_RECALL[one.key]]) if _RECALL.get(one.key) in figures else "",
        }
        for one in CRITERIA
        if one.key in found
    ]


def _better(row: Comparison) -> str:
    if max(row.p_holm, row.p_company) >= 0.05:
        return ""
    return "left" if row.only_right > row.only_left else "right"


def _across(report: Report, scope: str, of: Sequence[str]) -> dict[str, Any]:
    """Criteria down, aspects or source types across."""
    cells: dict[str, dict[str, Comparison]] = defaultdict(dict)
    for row in _rows(report, "paper", scope):
        cells[row.check][row.of] = row
    counts = {key: max((c[key].n for c in cells.values() if key in c), default=0) for key in of}
    some = {
        key
        for key, row in cells.items()
        if any(c.left.failed or c.right.failed for c in row.values())
    }
    return {
        "of": [key for key in of if counts[key]],
        "n": counts,
        "rows": [(one, cells[one.key]) for one in CRITERIA if one.key in some],
        "none": [one.label for one in CRITERIA if one.key in cells and one.key not in some],
    }


def _source_types(report: Report) -> list[str]:
    found = {row.of for row in _rows(report, "paper", "source_type")}
    return sorted(found, key=lambda key: (key == NOWHERE, key == "other", key))


def _quality(report: Report) -> list[Comparison]:
    found = {row.check: row for row in _rows(report, "check", "all")}
    return [found[name] for name in _QUALITY if name in found]


def _silent(rows: Sequence[ReportText]) -> int:
    return sum(row.nothing_found for row in rows)


def _statuses(report: Report) -> list[dict[str, Any]]:
    """Claims of each side by status, as parts of a bar."""
    bars = []
    for where in _SIDES:
        counts = report.claims[where]
        total = sum(counts.values())
        bars.append(
            {
                "total": total,
                "parts": [
                    {
                        "word": STATUSES[status][0],
                        "colour": STATUSES[status][1],
                        "count": counts[status],
                        "share": counts[status] / total,
                        "status": status,
                    }
                    for status in _STATUS_ORDER
                    if counts.get(status)
                ],
            }
        )
    return bars


def _lights(rows: Sequence[ReportText]) -> dict[str, int]:
    return {light: sum(r.light == light for r in rows) for light in ("green", "amber", "red")}


def _worst(report: Report, where: Where) -> list[dict[str, Any]]:
    claims: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for claim in report.flagged:
        if claim.where == where:
            word = STATUSES[claim.status][0]
            claims[claim.edinet_code, claim.fiscal_year, claim.aspect].append(
                f"「{claim.text}」{word}"
            )
    return [
        {
            "text": row,
            "why": [check_label(name) for name in (*row.failed_gates, *row.failed_checks)],
            "claims": claims[row.edinet_code, row.fiscal_year, row.aspect][:3],
        }
        for row in report.worst(where)
    ]


def _matrix(report: Report) -> list[dict[str, Any]]:
    """A row a company's year, in it the texts by aspect and side."""
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for text in report.texts:
        row = rows.setdefault(
            (text.edinet_code, text.fiscal_year),
            {
                "code": text.edinet_code,
                "name": text.name,
                "year": text.fiscal_year,
                "cells": {a: {"left": None, "right": None} for a in report.aspects},
            },
        )
        row["cells"][text.aspect][text.where] = text
    return [rows[key] for key in sorted(rows)]


def _span(part: Sequence[Mapping[str, Any]]) -> str:
    return f"{part[0]['code']} – {part[-1]['code']}" if part else ""


def _trend_lines(runs: Sequence[ReportRun]) -> list[dict[str, Any]]:
    """The rates over the runs as polylines in a box of 600 by 120."""
    if len(runs) < 2:
        return []
    step = 580 / (len(runs) - 1)
    return [
        {
            "where": where,
            "points": " ".join(
                f"{10 + place * step:.1f},{110 - 100 * getattr(run, f'{where}_passed'):.1f}"
                for place, run in enumerate(runs)
            ),
        }
        for where in _SIDES
    ]
