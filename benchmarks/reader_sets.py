"""Benchmark folders answered from their PDFs, end to end, by the configured engine.

``python -m benchmarks.reader_sets SET… [--variants full plain_rag zero_shot] [--judge] [--limit N]``

SET is a folder with a question file (one ``.csv``, ``.json`` or ``.jsonl``) and PDFs anywhere below it,
as VisDoMBench and MMLongBench-Doc come. Its PDFs are added (``g2 add``: parsed, graph, index; what
is there already is not done again), then the job ``reader_batch`` runs. ``G2_HOME``, engine and server are
those of the settings. Ends with code 1 if a PDF or a question failed; everything else is done
and reported all the same, and a rerun does what is missing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import dagster as dg

from benchmarks.report import progress
from g2_pipelines.commands.add import add_files
from g2_pipelines.defs.instance import open_instance
from g2_pipelines.defs.reader_batch import build_reader_batch
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import InputError

_AT_ONCE = 200  # PDFs of one run
_QUESTIONS = (".csv", ".json", ".jsonl")


def question_file(folder: Path) -> Path:
    """The only question file right below ``folder``.

    Raises:
        InputError: there is none, or more than one.
    """
    found = sorted(path for path in folder.glob("*") if path.suffix.lower() in _QUESTIONS)
    if len(found) != 1:
        raise InputError(
            f"There are {len(found)} question files",
            file=str(folder),
            remedy="Leave one .csv, .json or .jsonl in the folder",
        )
    return found[0]


def parts(files: Sequence[Path]) -> Iterator[Sequence[Path]]:
    """``files`` in runs."""
    for start in range(0, len(files), _AT_ONCE):
        yield files[start : start + _AT_ONCE]


def add_all(ws: Workspace, folder: Path) -> int:
    """Add all PDFs below ``folder``; how many could not be."""
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() == ".pdf")
    failed = 0
    for some in parts(files):
        output, _ = add_files(ws, some, company=None, fiscal_year=None, manifest=None, run=True)
        for row in output.files:
            if row.error is not None:
                failed += 1
                progress(f"{row.file}: {row.error.message}")
    progress(f"{folder.name}: {len(files)} PDFs, {failed} failed")
    return failed


def main() -> None:
    """Add, answer, report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--variants", nargs="+", default=["full", "plain_rag", "zero_shot"])
    parser.add_argument("--judge", action="store_true")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--concurrency", type=int, default=8)
    given = parser.parse_args()
    ws = Workspace()
    red = False
    for folder in given.sets:
        questions = question_file(folder)
        red |= add_all(ws, folder) > 0
        config = {
            "file": str(questions),
            "variants": given.variants,
            "judge": given.judge,
            "limit": given.limit,
            "concurrency": given.concurrency,
        }
        with open_instance(ws.home) as instance:
            result = build_reader_batch().execute_in_process(
                instance=instance,
                resources={"workspace": ws},
                run_config={"ops": {"answer_benchmark": {"config": config}}},
                raise_on_error=False,
            )
        red |= not result.success
        for event in result.all_events:
            if event.event_type == dg.DagsterEventType.STEP_FAILURE:
                progress(str(event.message))
    print(ws.home.pages / "benchmarks" / "index.html")
    sys.exit(int(red))


if __name__ == "__main__":
    main()
