"""``g2``: the same functions on one file or one company, from a shell.

Here: the commands' names, options and help. What they do stands in ``commands``; Dagster is
imported only where a run starts. Exit 0 done, 1 the input's fault, 2 usage, 3 model, network
or ours.
"""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path
from typing import Annotated, Literal

import typer
from pydantic import ValidationError
from pydantic_settings import SettingsError

from g2_pipelines import __version__
from g2_pipelines.commands.printing import AsJson, emit, ending, fail, worst
from g2_pipelines.commands.report_cli import add_commands
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import G2Error, InputError
from g2_pipelines.keys import well_formed
from g2_pipelines.settings import Settings
from g2_pipelines.storage_errors import storage_error
from g2_pipelines.tables.line2 import AnswerFormat

app = typer.Typer(
    name="g2",
    help="Documents into knowledge: company briefs and cited answers.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
filing = typer.Typer(no_args_is_help=True, help="有価証券報告書 (EDINET).")
transcript = typer.Typer(no_args_is_help=True, help="Earnings-call transcripts.")
pdf = typer.Typer(no_args_is_help=True, help="PDFs.")
brief = typer.Typer(no_args_is_help=True, help="Company briefs.")
graph = typer.Typer(no_args_is_help=True, help="The content graph.")
calls = typer.Typer(no_args_is_help=True, help="The call cache: answers that were paid for.")
for name, group in (
    ("filing", filing),
    ("transcript", transcript),
    ("pdf", pdf),
    ("brief", brief),
    ("graph", graph),
    ("calls", calls),
):
    app.add_typer(group, name=name)

CostsBy = Literal["task", "asset", "company", "day", "model"]
EstimateBy = Literal["asset", "company", "task"]
Company = Annotated[str | None, typer.Option("--company", help="EDINET code, e.g. E02367")]
Year = Annotated[str | None, typer.Option("--fiscal-year", help="YYYY-MM of the period's end")]
Documents = Annotated[
    list[str] | None, typer.Option("--document", help="Document id or file name; may be repeated")
]


def _workspace() -> Workspace:
    try:
        return Workspace(Settings())
    except SettingsError as error:
        raise InputError(
            f"A setting is wrong: {error}",
            place="environment or .env",
            remedy='Lists and options are JSON, e.g. G2_VLLM_OPTIONS={"dtype": "bfloat16"}',
        ) from error
    except ValidationError as error:
        first = error.errors()[0]
        name = "G2_" + ".".join(str(part) for part in first["loc"]).upper()
        raise InputError(
            f"A setting is wrong: {first['msg']}", place=name, remedy="Correct it or unset it"
        ) from error


@filing.command("sections")
def filing_sections(
    source: Annotated[Path, typer.Argument(help="Zip, folder or .xbrl")],
    facts: Annotated[bool, typer.Option("--facts", help="Print the tagged facts too")] = False,
    as_json: AsJson = False,
) -> None:
    """Sections of 第2【事業の状況】 with their place, DEI, and the facts."""
    from g2_pipelines.commands.files import filing_sections as run
    from g2_pipelines.commands.filing_text import filing_text

    with ending(as_json=as_json):
        output = run(source, with_facts=facts)
        emit(output, lambda: filing_text(output), as_json=as_json)


@transcript.command("chunks")
def transcript_chunks(file: Path, as_json: AsJson = False) -> None:
    """Turns of a transcript, and chunks from a question to the next question."""
    from g2_pipelines.commands.files import transcript_chunks as run

    with ending(as_json=as_json):
        output = run(file, _workspace().settings)
        emit(
            output,
            lambda: "\n\n".join(
                [f"{output.segmentation}, style {output.style}, {len(output.turns)} turns"]
                + [
                    f"#{c.order} {c.part} {c.pattern} {c.tokens} tokens\n{c.text}"
                    for c in output.chunks
                ]
            ),
            as_json=as_json,
        )


@pdf.command("nodes")
def pdf_nodes(
    file: Path,
    images: Annotated[Path | None, typer.Option(help="Folder for page pictures and crops")] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Add the Markdown")] = False,
    as_json: AsJson = False,
) -> None:
    """Atomic nodes of a PDF with page and box."""
    from g2_pipelines.commands.files import pdf_nodes as run

    with ending(as_json=as_json):
        output = run(file, _workspace().settings, images=images, markdown=markdown)
        emit(
            output,
            lambda: (
                output.markdown
                if output.markdown is not None
                else "\n".join(
                    f"p.{n.page} {n.kind:10} {' '.join(n.text.split())[:120]}" for n in output.nodes
                )
            ),
            as_json=as_json,
        )


@app.command()
def add(
    files: Annotated[
        list[Path] | None, typer.Argument(help="PDFs, transcripts, filing zips")
    ] = None,
    company: Company = None,
    fiscal_year: Year = None,
    manifest: Annotated[Path | None, typer.Option(help="CSV: file, type, edinet_code, …")] = None,
    kind: Annotated[
        str | None,
        typer.Option("--type", help="pdf, transcript, filing, or a company text's: product_text"),
    ] = None,
    run: Annotated[bool, typer.Option(help="Materialize what the files concern")] = True,
    pull: Annotated[bool, typer.Option(help="Fetch missing files from their url")] = False,
    as_json: AsJson = False,
) -> None:
    """Register files and materialize what they concern."""
    from g2_pipelines.commands.add import add_files, add_words

    with ending(as_json=as_json):
        output, codes = add_files(
            _workspace(),
            files or [],
            company=company,
            fiscal_year=fiscal_year,
            manifest=manifest,
            run=run,
            pull=pull,
            kind=kind,
        )
        emit(output, lambda: add_words(output), as_json=as_json)
        raise typer.Exit(worst(codes))


@brief.command("make")
def brief_make(
    company: Annotated[str, typer.Argument(help="EDINET code")],
    aspect: Annotated[list[str] | None, typer.Option(help="Print these aspects only")] = None,
    fiscal_year: Year = None,
    as_json: AsJson = False,
) -> None:
    """Make a company's brief: texts, checks and page."""
    from g2_pipelines.commands.brief import brief_words, make_brief

    with ending(as_json=as_json):
        output = make_brief(
            _workspace(), company, aspects=aspect or [], fiscal_year=fiscal_year or ""
        )
        emit(output, lambda: brief_words(output), as_json=as_json)


@brief.command("check")
def brief_check(
    summary: Annotated[Path, typer.Argument(help="The text to check, UTF-8")],
    source: Annotated[list[Path] | None, typer.Option(help="Filing, transcript or text")] = None,
    segment: Annotated[
        list[str] | None, typer.Option(help="A segment's name that no filing's XBRL gives")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check every number, period and segment name of any text against any sources."""
    from g2_pipelines.commands.brief_check import check_brief, check_words

    with ending(as_json=as_json):
        output = check_brief(summary, source or [], segments=segment or [])
        emit(output, lambda: check_words(output), as_json=as_json)


@app.command()
def search(
    query: str,
    document: Documents = None,
    company: Company = None,
    top: Annotated[int, typer.Option(min=1, max=100, help="Seed nodes")] = 5,
    expand: Annotated[int, typer.Option(min=0, max=20, help="Neighbours of each seed")] = 3,
    as_json: AsJson = False,
) -> None:
    """Nodes for a query, expanded to their neighbours in the content graph."""
    from g2_pipelines.commands.reader import search as run
    from g2_pipelines.commands.reader import search_words

    with ending(as_json=as_json):
        output = run(
            _workspace(), query, documents=document or [], company=company, top=top, expand=expand
        )
        emit(output, lambda: search_words(output), as_json=as_json)


@app.command()
def ask(
    question: str,
    document: Documents = None,
    company: Company = None,
    question_id: Annotated[str | None, typer.Option("--id", help="The question's own id")] = None,
    answer_format: Annotated[AnswerFormat, typer.Option("--format")] = "sentence",
    as_json: AsJson = False,
) -> None:
    """Answer a question from the indexed documents, citing page and box."""
    from g2_pipelines.commands.reader import ask as run
    from g2_pipelines.commands.reader import ask_words

    with ending(as_json=as_json):
        output = run(
            _workspace(),
            question,
            question_id=question_id,
            documents=document or [],
            company=company,
            answer_format=answer_format,
        )
        emit(output, lambda: ask_words(output), as_json=as_json)


@graph.command("show")
def graph_show(
    document: str,
    round_: Annotated[int | None, typer.Option("--round", min=0, help="Default: the last")] = None,
    html: Annotated[Path | None, typer.Option(help="Write the graph's page here")] = None,
    as_json: AsJson = False,
) -> None:
    """Nodes, edges and the metrics of every round."""
    from g2_pipelines.commands.reader import graph_words, show_graph

    with ending(as_json=as_json):
        output = show_graph(_workspace(), document, round_=round_, html=html)
        emit(output, lambda: graph_words(output), as_json=as_json)


add_commands(app, _workspace)


@app.command()
def costs(
    company: Company = None,
    by: Annotated[CostsBy, typer.Option(help="What a row is")] = "task",
    since: Annotated[str | None, typer.Option(help="From this day on, 2026-04-01 (UTC)")] = None,
    prices: Annotated[
        Path | None, typer.Option(help="YAML or JSON of prices; default G2_PRICES_FILE")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Model calls, tokens and money so far; --company takes documents and questions too."""
    from g2_pipelines.commands.costs import costs as run
    from g2_pipelines.commands.costs import costs_words

    with ending(as_json=as_json):
        output = run(_workspace(), company, by=by, since=since, prices_file=prices)
        emit(output, lambda: costs_words(output), as_json=as_json)


@brief.command("estimate")
def brief_estimate(
    companies: Annotated[list[str] | None, typer.Argument(help="EDINET codes")] = None,
    everyone: Annotated[bool, typer.Option("--all", help="All that have sources")] = False,
    by: Annotated[EstimateBy, typer.Option(help="What a row is")] = "asset",
    fiscal_year: Year = None,
    strategy: Annotated[str, typer.Option(help="As a run's; default as configured")] = "",
    refresh: Annotated[bool, typer.Option("--refresh", help="As if nothing were cached")] = False,
    as_json: AsJson = False,
) -> None:
    """What the summaries would ask and cost, before a call is made."""
    from g2_pipelines.commands.costs import estimate, estimate_words

    with ending(as_json=as_json):
        output, codes = estimate(
            _workspace(),
            companies or [],
            everyone=everyone,
            by=by,
            fiscal_year=fiscal_year or "",
            strategy=strategy,
            refresh=refresh,
        )
        emit(output, lambda: estimate_words(output), as_json=as_json)
        raise typer.Exit(worst(codes))


@calls.command("export")
def calls_export(file: Path, as_json: AsJson = False) -> None:
    """Write every stored answer as a JSON line {key, generation, call}."""
    from g2_pipelines.commands.costs import calls_words, export_calls

    with ending(as_json=as_json):
        output = export_calls(_workspace(), file)
        emit(output, lambda: calls_words(output), as_json=as_json)


@calls.command("prune")
def calls_prune(as_json: AsJson = False) -> None:
    """Delete the answers that a refresh replaced; the newest of each call stay."""
    from g2_pipelines.commands.costs import calls_words, prune_calls

    with ending(as_json=as_json):
        output = prune_calls(_workspace())
        emit(output, lambda: calls_words(output), as_json=as_json)


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Settings in force, versions, engines and storage."""
    from g2_pipelines.commands.admin import doctor as run
    from g2_pipelines.commands.admin import doctor_words

    with ending(as_json=as_json):
        output = run(_workspace())
        emit(output, lambda: doctor_words(output), as_json=as_json)
        raise typer.Exit(0 if all(check.ok for check in output.checks) else 3)


@app.command()
def demo(as_json: AsJson = False) -> None:
    """Both lines on the sample corpus of invented companies."""
    from g2_pipelines.commands.demo import demo_words, run_demo

    with ending(as_json=as_json):
        output = run_demo(_workspace())
        emit(output, lambda: demo_words(output), as_json=as_json)


@app.command()
def ui(
    port: Annotated[int, typer.Option(help="Port of the Dagster UI")] = 3000,
    pages_port: Annotated[int, typer.Option(help="Port of the pages")] = 3030,
) -> None:
    """The Dagster UI with its daemon, and the pages, on this machine."""
    from g2_pipelines.commands.serve import serve

    with ending(as_json=False):
        raise typer.Exit(serve(_workspace(), port=port, pages_port=pages_port))


@app.command()
def schema(command: str) -> None:
    """The JSON Schema of a command's --json output, e.g. `g2 schema pdf-nodes`."""
    from g2_pipelines.commands.admin import schema as run

    with ending(as_json=False):
        sys.stdout.write(run(command) + "\n")


@app.command()
def version() -> None:
    """The installed version."""
    sys.stdout.write(__version__ + "\n")


#: The exit code of words that no command takes.
USAGE = 2


class UsageError(InputError):
    """An unknown command or option, or a missing argument."""

    code = "usage"


def _not_utf8(words: list[str]) -> int:
    """Place (from 1) of the first argument that is not UTF-8 and names no file; 0 for none.

    A file's name may be any bytes.
    """
    return next(
        (
            place
            for place, word in enumerate(words, start=1)
            if well_formed(word) != word and not Path(word.partition("=")[2] or word).exists()
        ),
        0,
    )


def run() -> int:
    """Run the command of ``sys.argv``; returns its exit code.

    An error that is not typed is ours, and ends with code 3. With ``--json`` stdout has its
    one document here too, also for wrong usage; the trace is on stderr.
    """
    strange = _not_utf8(sys.argv[1:])
    if strange:
        fail(
            UsageError(
                "An argument is not UTF-8, and no file of that name is there",
                place=f"argument {strange}",
                remedy="Type it in UTF-8",
            ),
            as_json="--json" in sys.argv,
        )
        return USAGE
    try:
        app()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
        # What was wrong with the words is the reason of the exit; its trace is on stderr.
        words = getattr(ended.__context__, "format_message", None)
        if code == USAGE and "--json" in sys.argv and words is not None:
            fail(UsageError(words(), remedy="See `g2 COMMAND --help`"), as_json=True)
        return code
    except Exception as error:  # noqa: BLE001 - the outermost border: shown, and not gone past
        named = storage_error(error)
        if named is not None:
            return fail(named, as_json="--json" in sys.argv)
        traceback.print_exc()
        if "--json" in sys.argv:
            fail(
                G2Error(
                    f"An error of g2 itself: {type(error).__name__}: {error}",
                    remedy="Report it with the trace on stderr",
                ),
                as_json=True,
            )
        return 3
    return 0


def main() -> None:
    """Entry point of ``g2``.

    The vector store's threads may abort the process while the interpreter winds down, after
    everything is written and printed: so it is left without that.
    """
    code = run()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
