"""What an evaluation report costs: companies a second, memory, and how both grow.

``python -m benchmarks.evaluation_report [--quick] [--companies N] --json``. The sample corpus' two
companies are judged once and copied under other codes; the report is then made of a quarter of
them and of all, each in a process of its own. ``growth`` is the time of all over the time of the
quarter, by companies: 1 is linear. 4,000 companies have 500 pages of their own (the default).
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.report import arguments, progress, report

QUARTER = 4


def main() -> None:
    """Run the benchmark."""
    parser = arguments(__doc__)
    parser.add_argument("--companies", type=int, default=0, help="default 1,000, 80 with --quick")
    parser.add_argument("--one", help="internal: make the report of this home")
    given = parser.parse_args()
    if given.one:
        print(json.dumps(one(given.one)))
        return
    count = given.companies or (80 if given.quick else 1_000)
    with TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        judge_samples(home)
        few = in_own_process(copies(home, Path(folder) / "few", count // QUARTER))
        many = in_own_process(copies(home, Path(folder) / "many", count))
    figures = {
        "report_companies": count,
        "report_companies_per_s": round(count / many["seconds"], 1),
        "report_peak_mb": many["peak_mb"],
        "report_peak_mb_quarter": few["peak_mb"],
        "report_growth": round(many["seconds"] / few["seconds"] / QUARTER, 2),
        "report_front_kb": many["front_kb"],
    }
    report(figures, {}, as_json=given.json, packages=("polars", "pydantic", "jinja2"))


def judge_samples(home: Path) -> None:
    """The sample corpus' filings and calls, judged."""
    from g2_pipelines.commands.demo import corpus
    from g2_pipelines.commands.runs import run_chain
    from g2_pipelines.defs.manifest import read_manifest
    from g2_pipelines.defs.register import register
    from g2_pipelines.defs.workspace import Workspace
    from g2_pipelines.settings import Settings

    progress("judging the sample companies")
    ws = Workspace(Settings(_env_file=None, home=str(home)))
    folder = corpus()
    manifest = read_manifest((folder / "manifest.csv").read_bytes(), "manifest.csv")
    keys = []
    for row in manifest.values():
        if row.type != "pdf":
            content = (folder / row.file).read_bytes()
            name = Path(row.file).name
            keys.append(register(ws, content, row.model_copy(update={"file": name})).key)
    run_chain(ws, "companies", sorted(set(keys)))


def copies(home: Path, target: Path, count: int) -> Path:
    """A home with ``count`` companies, made of those of ``home``."""
    from upath import UPath

    from g2_pipelines.tables import line1
    from g2_pipelines.tables.store import read_table, write_table

    progress(f"copying to {count} companies")
    models = {
        "brief_evaluations": line1.BriefEvaluation,
        "filing_sections": line1.FilingSection,
        "transcripts": line1.Transcript,
        "transcript_turns": line1.Turn,
        "qa_chunks": line1.QaChunk,
    }
    files = [
        path
        for path in sorted((home / "tables").rglob("*.parquet"))
        if (table := str(path.relative_to(home / "tables").parent)) in models
        or table.startswith(("final_summaries", "simple_summaries"))
    ]
    samples = sorted({path.stem for path in files})
    for path in files:
        table = str(path.relative_to(home / "tables").parent)
        model = models.get(table, line1.Summary)
        rows = read_table(UPath(path), model)
        for number in range(samples.index(path.stem), count, len(samples)):
            code = f"E{number:05}"
            named = [row.model_copy(update={"edinet_code": code}) for row in rows]
            write_table(UPath(target / "tables" / table / f"{code}.parquet"), named, model)
    lines = "".join(f"E{n:05},架空{n}\n" for n in range(count))
    (target / "companies.csv").write_text(f"edinet_code,name\n{lines}", "utf-8")
    return target


def in_own_process(home: Path) -> dict[str, float]:
    """``one`` in a fresh process, so that its peak memory is its own."""
    progress(f"report of {home.name}")
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.evaluation_report", "--one", str(home)],
        check=True,
        capture_output=True,
        text=True,
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def one(home: str) -> dict[str, float]:
    """Make the report of a home: seconds (CPU), peak memory, size of the front."""
    from g2_pipelines.defs.reporting import ReportPlan, make_report
    from g2_pipelines.defs.workspace import Workspace
    from g2_pipelines.settings import Settings

    started = time.process_time()
    made = make_report(Workspace(Settings(_env_file=None, home=home)), ReportPlan())
    return {
        "seconds": time.process_time() - started,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "front_kb": len(made.page.read_bytes()) // 1024,
    }


if __name__ == "__main__":
    main()
