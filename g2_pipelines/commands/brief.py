"""``g2 brief make`` and ``g2 brief check``.

Here: a company's brief through Dagster, and the check of any text against any sources.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from g2_pipelines.commands.files import read_input
from g2_pipelines.commands.outputs import BriefCheckOutput, BriefOutput
from g2_pipelines.commands.runs import CHAINS, raise_failure, run_chain
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import InputError, NotYetError
from g2_pipelines.keys import check_fiscal_year, check_key
from g2_pipelines.tables.line1 import BriefEvaluation, CompanyBrief
from g2_pipelines.tables.store import read_table


def make_brief(
    ws: Workspace, company: str, *, aspects: Sequence[str], fiscal_year: str
) -> BriefOutput:
    """Run the three steps of line 1 for one company and read the brief.

    Raises:
        G2Error: a step failed, as it was typed there.
    """
    check_key(company, "EDINET code")
    if fiscal_year:
        check_fiscal_year(fiscal_year)
    for aspect in aspects:
        ws.brief_config.aspect(aspect)  # an unknown one fails before anything is run
    if not (ws.registry.filings(company) or ws.registry.listed(company)):
        raise NotYetError(
            "No annual report is registered for this company",
            file=company,
            remedy="Add its zip with `g2 add`, or wait for EDINET's listing",
        )
    outcomes = run_chain(
        ws, "companies", [company], steps=CHAINS["companies"], fiscal_year=fiscal_year
    )
    raise_failure(outcomes, company)
    rows = read_table(ws.home.table("company_briefs", company), CompanyBrief)
    year = fiscal_year or max(row.fiscal_year for row in rows)
    wanted = set(aspects) or {row.aspect for row in rows}
    evaluations = read_table(ws.home.table("brief_evaluations", company), BriefEvaluation)
    return BriefOutput(
        edinet_code=company,
        fiscal_year=year,
        briefs=[r for r in rows if r.fiscal_year == year and r.aspect in wanted],
        evaluations=[e for e in evaluations if e.fiscal_year == year and e.aspect in wanted],
        page=str(ws.home.brief_page(company, year)),
    )


def brief_words(output: BriefOutput) -> str:
    """The brief for a terminal."""
    parts = [f"{output.edinet_code} {output.fiscal_year}"]
    parts += [f"\n【{row.label}】\n{row.text}" for row in output.briefs]
    parts += [f"\n※ {note}" for note in dict.fromkeys(n for r in output.briefs for n in r.notes)]
    parts.append(f"\n{output.page}")
    return "\n".join(parts)


def check_brief(summary: Path, sources: Sequence[Path]) -> BriefCheckOutput:
    """Check a text's claims against texts, filings' zips and transcripts.

    Raises:
        InputError: no source, or a file that cannot be read.
    """
    from g2_pipelines.evaluation.check import check_text
    from g2_pipelines.evaluation.sources import Source

    if not sources:
        raise InputError("There is no source to check against", remedy="Give --source FILE")
    texts: list[Source] = []
    segments: list[str] = []
    for file in sources:
        found, names = _source(file)
        texts.extend(Source(source_id=i, text=t, label=file.name) for i, t in found)
        segments.extend(names)
    text = _decode(summary)
    if not text.strip():
        raise InputError(
            "There is no text to check", file=str(summary), remedy="Give a file that holds it"
        )
    checked = check_text(text, texts, segments=list(dict.fromkeys(segments)))
    return BriefCheckOutput(
        claims=checked.claims,
        sentences=checked.sentences,
        totals=dict(sorted(Counter(str(claim.status) for claim in checked.claims).items())),
    )


def _decode(file: Path) -> str:
    try:
        return read_input(file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            "The text is not UTF-8",
            file=str(file),
            place=f"byte {error.start}",
            remedy="Convert it",
        ) from error


def _source(file: Path) -> tuple[list[tuple[str, str]], list[str]]:
    from g2_pipelines.defs.register import file_type

    if file.is_dir() or file_type(read_input(file), file.name) == "filing":
        from g2_pipelines.edinet.filing import read_filing

        read = read_filing(file)
        return [(s.source_id, s.text) for s in read.sections if s.text], read.segments
    from g2_pipelines.transcripts.make import make_transcript

    transcript, _ = make_transcript(
        read_input(file),
        file.name,
        edinet_code="",
        fiscal_year="",
        kind="other",
        document_kind=None,
    )
    return [(transcript.source_id, transcript.text)], []


def check_words(output: BriefCheckOutput) -> str:
    """The claims that are not simply supported, and the totals."""
    lines = [
        f"{claim.status:20} {claim.kind:8} {claim.text}  {claim.note}"
        for claim in output.claims
        if claim.status not in {"supported_local", "supported_elsewhere"}
    ]
    lines.append(", ".join(f"{status} {count}" for status, count in output.totals.items()))
    return "\n".join(lines)
