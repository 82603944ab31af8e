"""The report of benchmarks: variants by sets, failures by class, and each question.

Here: ``Scored`` (a variant's scores with where they come from), ``Cost``, ``report_pages`` and
``costs_page``. All but ``costs_page`` hold no time, cost or run: equal scores give equal bytes.
Published figures of other systems never stand here. ``defs`` and benchmarks may import this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from g2_pipelines.evaluation.page_parts import css, environment, percent
from g2_pipelines.evaluation.reader.bootstrap import Estimate
from g2_pipelines.evaluation.reader.case import Skipped
from g2_pipelines.evaluation.reader.score import CaseScore
from g2_pipelines.evaluation.reader.table import Summary, summaries
from g2_pipelines.evaluation.reader.variants import VARIANTS
from g2_pipelines.tables.rows import Row

#: For people: what went wrong, and the colour's class.
FAILURES = {
    "": ("正答", "good"),
    "evidence_wrong": ("根拠は見えていたが誤り", "bad"),
    "retrieval_miss": ("根拠の頁に届かない", "miss"),
    "refused": ("答えられるのに回答せず", "derived"),
    "answered_unanswerable": ("答えのない質問に回答", "missing"),
    "plan_fault": ("計画の不備", "else"),
    "format": ("形式だけの不一致", "else"),
    "failed": ("実行の失敗", "missing"),
    "unjudged": ("正誤を判定できない", "none"),
}
BY = {"typed": "型別の規則", "rules": "文字列・数値の規則", "judge": "モデルによる判定"}
SHOWN_SKIPPED = 40


class Scored(Row):
    """A variant's scores on a benchmark, and what they rest on.

    file, digest: of the question file. data: digest of the answers. judge: who judged, "" for
    nobody, or why nobody could. limited: only so many of the file's questions were asked; 0 all.
    """

    name: str
    set: str
    variant: str
    file: str
    digest: str
    rows: int
    limited: int = 0
    engine: str
    model: str
    prompt_versions: list[str]
    embedding: str
    evidence_tokens: int
    seeds: int
    neighbours: int
    images: bool
    judge: str = ""
    skipped: list[Skipped] = []
    scores: list[CaseScore]
    pages: list[str] = []


class Cost(Row):
    """What a variant's answers cost; beside the report, since it holds times.

    calls, tokens: of the calls that led to the answers, by the ledger; unknown: calls that the
    ledger does not hold. made: answers of the last run; cpu_s: its processor seconds.
    """

    name: str
    variant: str
    questions: int
    calls: int
    unknown: int
    prompt_tokens: int
    completion_tokens: int
    money: float | None = None
    made: int
    cpu_s: float
    made_at: str


def report_pages(found: Sequence[Scored]) -> dict[str, str]:
    """Pages by file name: ``index.html``, and ``NAME/VARIANT.html`` of every variant."""
    ordered = sorted(found, key=lambda one: (one.name, _place(one.variant)))
    rows = {
        (row.set, row.variant): row
        for row in summaries(
            score.model_copy(update={"set": one.name}) for one in ordered for score in one.scores
        )
    }
    names = list(dict.fromkeys(one.name for one in ordered))
    shared: dict[str, Any] = {
        "css": css("report.css"),
        "own_css": css("reader.css"),
        "failures": FAILURES,
        "by": BY,
        "variants": VARIANTS,
        "share": _share,
        "change": _change,
        "line": line,
    }
    pages = {
        "index.html": environment()
        .get_template("reader.html.jinja")
        .render(benchmarks=[_benchmark(name, ordered, rows) for name in names], **shared)
    }
    for one in ordered:
        pages[f"{one.name}/{one.variant}.html"] = (
            environment()
            .get_template("reader_variant.html.jinja")
            .render(
                one=one,
                row=rows.get((one.name, one.variant)),
                scores=sorted(one.scores, key=lambda s: (_worst(s), s.row, s.case_id)),
                linked=set(one.pages),
                **shared,
            )
        )
    return pages


def _place(variant: str) -> tuple[int, str]:
    names = list(VARIANTS)
    return (names.index(variant) if variant in names else len(names), variant)


def _worst(score: CaseScore) -> int:
    return list(FAILURES).index(score.failure) if score.failure else len(FAILURES)


def worst_first(scores: Sequence[CaseScore]) -> list[CaseScore]:
    """Scores in the order in which a person looks: faults by class, then the right ones."""
    return sorted(scores, key=lambda s: (_worst(s), s.row, s.case_id))


def _benchmark(
    name: str, found: Sequence[Scored], rows: Mapping[tuple[str, str], Summary]
) -> dict[str, Any]:
    mine = [one for one in found if one.name == name]
    shown = [(one, rows[name, one.variant]) for one in mine if (name, one.variant) in rows]
    return {
        "name": name,
        "first": mine[0],
        "rows": shown,
        "has": {
            name: any(getattr(row, name) is not None for _, row in shown)
            for name in ("correct", "word_f1", "page_recall", "f1_benchmark")
        },
        "extractive": any(one.engine == "extractive" for one in mine),
        "unlike": len({(one.digest, one.limited) for one in mine}) > 1,
        "engines": sorted({f"{one.engine}｜{one.model}" for one in mine}),
        "judges": sorted({one.judge for one in mine if one.judge}),
        "skipped": mine[0].skipped[:SHOWN_SKIPPED],
        "more_skipped": max(0, len(mine[0].skipped) - SHOWN_SKIPPED),
        "bars": [(one, _bar(row)) for one, row in shown],
        "classes": [key for key in FAILURES if any(_count(row, key) for _, row in shown)],
        "counts": {one.variant: {key: _count(row, key) for key in FAILURES} for one, row in shown},
    }


def _count(row: Summary, key: str) -> int:
    return row.failures.get(key, 0) if key else row.questions - sum(row.failures.values())


def _bar(row: Summary) -> list[dict[str, Any]]:
    return [
        {"word": word, "colour": colour, "count": count, "share": count / row.questions}
        for key, (word, colour) in FAILURES.items()
        if (count := _count(row, key))
    ]


def _share(value: float | None) -> str:
    return "—" if value is None else percent(value)


def _change(value: Estimate | None) -> str:
    """A difference in points with its interval, marked where it excludes zero."""
    if value is None:
        return "—"
    sure = "＊" if value.low > 0 or value.high < 0 else ""
    return f"{100 * value.mean:+.1f}（{100 * value.low:+.1f}…{100 * value.high:+.1f}）{sure}"


def line(value: Estimate | None) -> Markup:
    """A share with its interval as SVG on a line from 0 to 1."""
    if value is None:
        return Markup("")
    low, high, at = (round(4 + 92 * part, 2) for part in (value.low, value.high, value.mean))
    return Markup(
        '<svg class="ci left" viewBox="0 0 100 14" width="100" height="14" role="img"'
        ' aria-label="{}"><line class="axis" x1="4" y1="7" x2="96" y2="7"/>'
        '<line class="bar" x1="{}" y1="7" x2="{}" y2="7"/><circle cx="{}" cy="7" r="3.2"/></svg>'
    ).format(f"{percent(value.low)}–{percent(value.high)}", low, high, at)


def costs_page(costs: Sequence[Cost], *, currency: str) -> str:
    """Calls, tokens, money and processor time by benchmark and variant."""
    rows = sorted(costs, key=lambda one: (one.name, _place(one.variant)))
    return (
        environment()
        .get_template("reader_costs.html.jinja")
        .render(
            rows=rows,
            variants=VARIANTS,
            currency=currency,
            css=css("report.css"),
            own_css=css("reader.css"),
        )
    )
