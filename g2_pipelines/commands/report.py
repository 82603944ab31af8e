"""``g2 report`` and ``g2 sheet``: two ways of making briefs set against each other.

Here: the report of what is judged already, and blind sheets for readers. What they do stands in
``defs.reporting`` and ``defs.judging``; in Dagster the report is the asset ``evaluation_report``.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

from g2_pipelines.commands.files import read_input
from g2_pipelines.commands.outputs import (
    NotInReport,
    ReportOutput,
    SheetMakeOutput,
    SheetReadOutput,
)
from g2_pipelines.defs.reporting import ReportPlan, make_report
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import InputError
from g2_pipelines.evaluation.page_parts import p_words, percent


def report(
    ws: Workspace, plan: ReportPlan, *, judge: bool = False, judge_limit: int = 120
) -> ReportOutput:
    """Write the report; with ``judge`` the configured model compares texts first.

    Raises:
        G2Error: the plan is wrong, nothing is judged, or the judge cannot be asked.
    """
    unjudged: list[NotInReport] = []
    if judge:
        from g2_pipelines.defs.judging import judge_report

        verdicts, failed = judge_report(ws, plan, limit=judge_limit)
        sys.stderr.write(f"judge: {len(verdicts)} verdicts, {len(failed)} pairs failed\n")
        unjudged = [
            NotInReport(key=one.pair.subject, code=one.failure.code, message=str(one.failure))
            for one in failed
        ]
    made = make_report(ws, plan)
    return ReportOutput(
        name=made.name,
        page=str(made.page),
        pages=made.pages,
        data_version=made.run.data_version,
        report_digest=made.run.report_digest,
        texts=len(made.report.texts),
        flagged=len(made.report.flagged),
        unpaired=len(made.report.unpaired),
        comparisons=[row for row in made.report.comparisons if row.scope == "all"],
        missing=[
            NotInReport(key=one.edinet_code, code=one.code, message=one.message)
            for one in made.missing
        ],
        unjudged=unjudged,
    )


def report_words(output: ReportOutput) -> str:
    """The scoreboard for a terminal."""
    lines = [
        f"{output.name}: {output.texts} texts, {output.flagged} flagged claims,"
        f" {len(output.missing)} companies left out",
        f"{'':22} {'n':>5} {'left':>18} {'right':>18} {'p':>7}",
    ]
    for row in output.comparisons:
        if row.group == "paper":
            sides = [
                f"{s.failed} {percent(s.rate)} ({percent(s.low)}-{percent(s.high)})"
                for s in (row.left, row.right)
            ]
            lines.append(
                f"{row.check:22} {row.n:5} {sides[0]:>18} {sides[1]:>18} {p_words(row.p_value):>7}"
            )
    lines += [f"left out: {one.key} {one.message}" for one in output.missing[:20]]
    if len(output.missing) > 20:
        lines.append(f"and {len(output.missing) - 20} more; the page names them")
    lines += [f"not judged: {one.key} {one.message}" for one in output.unjudged[:20]]
    return "\n".join([*lines, "", output.page])


def make_sheet(
    ws: Workspace, plan: ReportPlan, *, out: Path, seed: int | None, limit: int
) -> SheetMakeOutput:
    """Write a blind sheet as CSV and page into ``out``; its key stays in the home.

    Without a seed one is drawn: nobody can work out the sides from it.

    Raises:
        G2Error: the plan is wrong, no texts differ, or ``out`` cannot be written.
    """
    from g2_pipelines.defs.judging import key_path, make_blind_sheet
    from g2_pipelines.evaluation.sheet import sheet_csv
    from g2_pipelines.evaluation.sheet_page import sheet_page

    drawn = secrets.randbits(63) if seed is None else seed
    sheet, skipped = make_blind_sheet(ws, plan, seed=drawn, limit=limit)
    files = {
        out / f"{sheet.sheet_id}.csv": sheet_csv(sheet),
        out / f"{sheet.sheet_id}.html": sheet_page(sheet).encode("utf-8", "replace"),
    }
    try:
        out.mkdir(parents=True, exist_ok=True)
        for path, content in files.items():
            path.write_bytes(content)
    except OSError as error:
        raise InputError(
            f"The sheet cannot be written: {error.strerror}",
            file=str(out),
            remedy="Give a folder that can be written with --out",
        ) from error
    csv, page = (str(path) for path in files)
    return SheetMakeOutput(
        sheet_id=sheet.sheet_id,
        items=len(sheet.items),
        equal=sheet.equal,
        skipped=[
            NotInReport(key=one.edinet_code, code=one.code, message=one.message) for one in skipped
        ],
        csv=csv,
        page=page,
        key=str(key_path(ws, sheet.sheet_id)),
    )


def sheet_words(output: SheetMakeOutput) -> str:
    """Where the sheet is, and what must not be given along."""
    return "\n".join(
        [
            f"{output.items} items ({output.equal} pairs of equal texts left out)",
            f"for the readers: {output.csv}",
            f"                 {output.page}",
            f"keep from them:  {output.key}",
            *(f"left out: {one.key} {one.message}" for one in output.skipped[:20]),
            *([f"and {len(output.skipped) - 20} more"] if len(output.skipped) > 20 else []),
        ]
    )


def read_sheets(ws: Workspace, files: Sequence[Path], *, key: Path | None) -> SheetReadOutput:
    """Read filled sheets of one key, and store their votes for the report.

    Raises:
        SheetError: names file, row and column.
    """
    from g2_pipelines.defs.judging import read_blind_sheets
    from g2_pipelines.evaluation.preferences import agreements, reader_totals

    votes = read_blind_sheets(
        ws,
        [(str(file), read_input(file)) for file in files],
        key=(str(key), read_input(key)) if key else None,
    )
    return SheetReadOutput(
        sheet_id=votes[0].sheet_id,
        readers=sorted({vote.reader for vote in votes}),
        votes=len(votes),
        preferences=reader_totals(votes),
        agreement=agreements(votes),
    )


def read_words(output: SheetReadOutput) -> str:
    """Preferences and agreement for a terminal."""
    lines = [f"{output.sheet_id}: {output.votes} votes of {', '.join(output.readers)}", ""]
    lines.append(f"{'':14} {'n':>4} {'left':>20} {'tie':>6} {'right':>20} {'p':>7}")
    for row in output.preferences:
        left, right = (
            f"{s.count} {percent(s.rate)} ({percent(s.low)}-{percent(s.high)})"
            for s in (row.left, row.right)
        )
        lines.append(
            f"{row.criterion:14} {row.n:4} {left:>20} {row.tie.count:6} {right:>20}"
            f" {p_words(row.p_value):>7}"
        )
    for one in output.agreement:
        kappa = (
            "undefined"
            if one.kappa is None
            else f"{one.kappa:.2f} ({one.low:.2f} to {one.high:.2f})"
        )
        lines.append(
            f"{one.criterion:14} {' and '.join(one.readers)}: kappa {kappa},"
            f" equal {percent(one.observed)} of {one.n}"
        )
    return "\n".join(lines)
