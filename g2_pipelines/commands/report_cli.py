"""The names, options and help of ``g2 report`` and ``g2 sheet``.

Here: what ``cli`` adds to its app, kept apart for its length. What the commands do stands in
``commands.report``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from g2_pipelines.commands.printing import AsJson, emit, ending
from g2_pipelines.defs.workspace import Workspace

Left = Annotated[str, typer.Argument(help="STRATEGY, or STRATEGY@HOME of another G2_HOME")]
Right = Annotated[str, typer.Argument(help="Likewise: what the left side is set against")]
Companies = Annotated[
    list[str] | None, typer.Option("--company", help="EDINET code; may be repeated; default all")
]
Year = Annotated[str, typer.Option("--fiscal-year", help="YYYY-MM; default each one's newest")]


def add_commands(app: typer.Typer, workspace: Callable[[], Workspace]) -> None:
    """Add ``report`` and ``sheet`` to the app."""

    @app.command("report")
    def report(
        left: Left = "aspect",
        right: Right = "simple",
        company: Companies = None,
        fiscal_year: Year = "",
        drilldowns: Annotated[
            int, typer.Option(min=0, help="Companies with a page, the worst first; 0: all")
        ] = 500,
        reliability: Annotated[
            str, typer.Option(help="What `benchmarks.evaluation --json` printed")
        ] = "",
        judge: Annotated[bool, typer.Option("--judge", help="Let G2_JUDGE_MODEL compare")] = False,
        judge_pairs: Annotated[int, typer.Option(min=0, help="Pairs judged at most")] = 120,
        as_json: AsJson = False,
    ) -> None:
        """Set two strategies, models or runs against each other, over all judged companies."""
        from g2_pipelines.commands.report import report as run
        from g2_pipelines.commands.report import report_words
        from g2_pipelines.defs.reporting import ReportPlan

        with ending(as_json=as_json):
            plan = ReportPlan(
                left=left,
                right=right,
                fiscal_year=fiscal_year,
                companies=tuple(company or ()),
                drilldowns=drilldowns,
                reliability=reliability,
            )
            output = run(workspace(), plan, judge=judge, judge_limit=judge_pairs)
            emit(output, lambda: report_words(output), as_json=as_json)

    sheet = typer.Typer(no_args_is_help=True, help="Blind sheets for human readers.")
    app.add_typer(sheet, name="sheet")

    @sheet.command("make")
    def sheet_make(
        left: Left = "aspect",
        right: Right = "simple",
        out: Annotated[Path, typer.Option(help="Folder for the CSV and the page")] = Path(),
        company: Companies = None,
        fiscal_year: Year = "",
        items: Annotated[int, typer.Option(min=0, help="Pairs at most; 0: all")] = 0,
        seed: Annotated[int | None, typer.Option(help="Default: drawn, and told nobody")] = None,
        as_json: AsJson = False,
    ) -> None:
        """Write pairs of texts without their makers, to be read and voted on."""
        from g2_pipelines.commands.report import make_sheet, sheet_words
        from g2_pipelines.defs.reporting import ReportPlan

        with ending(as_json=as_json):
            plan = ReportPlan(
                left=left, right=right, fiscal_year=fiscal_year, companies=tuple(company or ())
            )
            output = make_sheet(workspace(), plan, out=out, seed=seed, limit=items)
            emit(output, lambda: sheet_words(output), as_json=as_json)

    @sheet.command("read")
    def sheet_read(
        files: Annotated[list[Path], typer.Argument(help="Filled CSVs of one sheet")],
        key: Annotated[
            Path | None, typer.Option(help="The sheet's key; default in G2_HOME")
        ] = None,
        as_json: AsJson = False,
    ) -> None:
        """Preferences by criterion, and the readers' agreement, from filled sheets."""
        from g2_pipelines.commands.report import read_sheets, read_words

        with ending(as_json=as_json):
            output = read_sheets(workspace(), files, key=key)
            emit(output, lambda: read_words(output), as_json=as_json)
