"""Questions: orchestration, plans, citations, and the ablations that the embedded engine can run.

``python -m benchmarks.qa [--quick] [--json] [--home G2_HOME] [--data FOLDER] [--out FOLDER]``

- ``overhead_s``: seconds a question takes beyond the engine's, by the clock, the median over
  questions of the whole way from the stored question to table, page and outbox: plan of three
  steps, retrieval, state after every step, one refinement, proof of quotes. The engine answers
  at once and its own time is taken out; ``overhead_cpu_s`` is the same in processor time.
- ``invented_values``: numbers of all answers of the full method that neither their citations
  hold nor a recorded operation over values in them gives.
- ``invalid_plans_accepted``: of more than 200 plans and refinements that break a rule, those
  that are worked (``benchmarks.invalid_plans``).
- ``citation_precision``: citations on a gold page among all citations of questions with gold
  pages, by the full method.
- ``refusal_recall``, ``refusal_precision``: of questions without an answer.
- ``ablations``: every variant on every set, with intervals; the report's pages go to --out.

Without --home the sets are 18 questions on the sample corpus. With it, they are the question
files below --data (fetatab, japanese, mmlongbench) over the home's parsed documents; the home
is only read, its index is made anew elsewhere. --quick measures the sample corpus, the full
method and the two baselines. Clock times hold for a quiet machine: ``load_1min`` stands beside.
"""

from __future__ import annotations

import asyncio
import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.instant_reader import Instant
from benchmarks.invalid_plans import accepted
from benchmarks.reader_home import overlay, sample_home
from benchmarks.report import arguments, progress, report
from g2_pipelines.defs.assets.answers import Reader, make_answer, make_question
from g2_pipelines.defs.reader_answers import VariantReader, answer_batch
from g2_pipelines.defs.reader_report import pages_folder, store_batch, write_report
from g2_pipelines.defs.steps import StepRun
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.evaluation.reader.case import CaseSet
from g2_pipelines.evaluation.reader.load import load_cases
from g2_pipelines.evaluation.reader.report import Scored
from g2_pipelines.evaluation.reader.score import CaseScore
from g2_pipelines.evaluation.reader.table import Summary, summaries
from g2_pipelines.evaluation.reader.variants import FULL, VARIANTS
from g2_pipelines.keys import digest_of
from g2_pipelines.qa.build import build_tasks
from g2_pipelines.tables.line2 import Question

SAMPLE = Path(__file__).with_name("reader_questions.jsonl")
_QUICK = (FULL, "plain_rag", "zero_shot")
#: The same as the full method, which makes three refinements and is indexed by round 3.
_SAME_AS_FULL = ("refinements_3", "rounds_3")
_WARM = 1


def overhead(ws: Workspace, questions: int) -> dict[str, float]:
    """Seconds of a question beyond the engine's, by the clock and of processors; medians."""
    engine = Instant()
    reader = Reader(ws, StepRun())
    reader.tasks = build_tasks(engine, max_images=4)
    documents = [entry.document_id for entry in ws.registry.pdfs()]
    clock: list[float] = []
    cpu: list[float] = []

    async def one(number: int) -> None:
        key = f"overhead-{number}"
        text = f"Which value of the table is measured in case {number}?"
        asked = Question(
            question_id=key, question=text, documents=[documents[number % len(documents)]]
        )
        ws.registry.add_question(asked)
        before, started, used = engine.seconds, time.perf_counter(), time.process_time()
        await make_question(ws, key)
        await make_answer(reader, key)
        took = engine.seconds - before
        clock.append(time.perf_counter() - started - took)
        cpu.append(time.process_time() - used - took)

    async def run() -> None:
        for number in range(questions + _WARM):
            await one(number)

    asyncio.run(run())
    return {
        "overhead_s": round(statistics.median(clock[_WARM:]), 4),
        "overhead_cpu_s": round(statistics.median(cpu[_WARM:]), 4),
        "overhead_calls": round(engine.calls / (questions + _WARM), 2),
    }


def sets_of(data: Path | None) -> list[CaseSet]:
    """The question sets: the sample's, or those below ``data``."""
    if data is None:
        return [load_cases(SAMPLE.read_bytes(), str(SAMPLE))]
    found = sorted(data.glob("*/questions.jsonl"))
    if not found:
        raise SystemExit(f"{data} holds no FOLDER/questions.jsonl")
    return [load_cases(file.read_bytes(), str(file)) for file in found]


def ablations(
    ws: Workspace, sets: Sequence[CaseSet], names: Sequence[str]
) -> tuple[list[Scored], dict[str, float]]:
    """Every variant on every set, scored and stored; processor seconds a question by variant."""
    stored: list[Scored] = []
    seconds: dict[str, float] = {}
    for name in names:
        used, asked = time.process_time(), 0
        for found in sets:
            reader = VariantReader(ws, StepRun(), VARIANTS[name])  # of one event loop
            batch = asyncio.run(answer_batch(reader, found.name, found.cases, concurrency=2))
            stored.append(
                store_batch(
                    reader,
                    found.name,
                    found,
                    found.cases,
                    batch,
                    verdicts={},
                    judge="",
                    drilldowns=40,
                )
            )
            asked += len(found.cases)
            progress(
                f"{found.name} {name}: {len(found.cases)} questions, {len(batch.failed)} failed"
            )
        seconds[name] = round((time.process_time() - used) / max(1, asked), 3)
    return stored, seconds


def figures_of(scores: Sequence[CaseScore]) -> dict[str, float | int | None]:
    """The figures over all sets, of the full method."""
    full = [score for score in scores if score.variant == FULL]
    paged = [score for score in full if score.cited_right is not None]
    none = [score for score in full if score.answerable is False]
    known = [score for score in full if score.answerable is not None]
    refused = [score for score in known if score.refused]
    return {
        "invented_values": sum(len(score.invented) for score in full),
        "citation_precision": _share(
            sum(score.cited_right or 0 for score in paged), sum(score.cited for score in paged)
        ),
        "refusal_recall": _share(sum(score.refused for score in none), len(none)),
        "refusal_precision": _share(
            sum(score.answerable is False for score in refused), len(refused)
        ),
        "questions": len(full),
        "failed_questions": sum(score.failure == "failed" for score in full),
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def table_of(rows: Sequence[Summary]) -> dict[str, dict[str, Any]]:
    """The ablation table: by set and variant, shares with their intervals."""
    table: dict[str, dict[str, Any]] = {}
    for row in rows:
        shown = row.model_dump(exclude={"set", "variant", "title"}, exclude_none=True)
        table.setdefault(row.set, {})[row.variant] = {
            name: [value["mean"], value["low"], value["high"], value["n"]]
            if isinstance(value, dict) and "mean" in value
            else value
            for name, value in shown.items()
        }
    return table


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__)
    parser.add_argument("--home", type=Path, help="a G2_HOME with parsed documents; only read")
    parser.add_argument(
        "--data", type=Path, default=Path("../shared/data/qa"), help="folders with questions.jsonl"
    )
    parser.add_argument("--out", type=Path, help="where the report's pages are copied to")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        progress("sample corpus")
        sample = sample_home(Path(folder) / "sample")
        found: dict[str, Any] = overhead(sample, 4 if given.quick else 20)
        wrong, tried, kinds = accepted()
        with_home = given.home is not None and not given.quick
        ws = overlay(given.home, Path(folder) / "over") if with_home else sample
        sets = sets_of(given.data if with_home else None)
        names = _QUICK if given.quick else [n for n in VARIANTS if n not in _SAME_AS_FULL]
        stored, seconds = ablations(ws, sets, names)
        scores = [score for one in stored for score in one.scores]
        write_report(ws)
        if given.out:
            shutil.copytree(Path(str(pages_folder(ws))), given.out, dirs_exist_ok=True)
        inputs = digest_of("".join(one.digest for one in sets).encode())[:12]
    figures = {
        **found,
        **figures_of(scores),
        "invalid_plans_accepted": wrong,
        "invalid_plans": tried,
    }
    peers = {
        "ablations": table_of(summaries(scores)),
        "cpu_s_per_question": seconds,
        "kinds_accepted": kinds,
        "inputs": inputs,
    }
    report(figures, peers, as_json=given.json, packages=("lancedb", "numpy", "pydantic"))


if __name__ == "__main__":
    main()
