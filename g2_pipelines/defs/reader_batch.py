"""The job ``reader_batch``: a benchmark file answered, scored and reported in one run.

Here: its configuration and what the run shows. Answering stands in ``reader_answers``, files
and pages in ``reader_report``.

https://docs.dagster.io/guides/build/jobs/op-jobs
"""

import asyncio
from collections.abc import Sequence
from typing import Any, get_args

import dagster as dg
from pydantic import Field
from upath import UPath

from g2_pipelines.defs.failures import WORTH_A_RETRY
from g2_pipelines.defs.metadata import clip, page_link
from g2_pipelines.defs.reader_answers import Batch, VariantReader, answer_batch
from g2_pipelines.defs.reader_report import judged, store_batch, write_report
from g2_pipelines.defs.specs import Owner
from g2_pipelines.defs.steps import StepRun
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import G2Error, InputError
from g2_pipelines.evaluation.judge import refuse_own_judge
from g2_pipelines.evaluation.reader.case import Case, CaseSet, SetName
from g2_pipelines.evaluation.reader.judge import AnswerJudge, PromptedJudge
from g2_pipelines.evaluation.reader.load import load_cases
from g2_pipelines.evaluation.reader.report import Scored
from g2_pipelines.evaluation.reader.table import summaries
from g2_pipelines.evaluation.reader.variants import VARIANTS, Variant, variant_of
from g2_pipelines.keys import check_key

_SHOWN = 50
_TOLD = 25  # a line in the run's log every so many questions


class BatchRun(StepRun):
    """What a run may be told."""

    file: str = Field(description="Question file: CSV, JSON or JSONL; a path or URL")
    variants: list[str] = Field(
        default=["full"], description="Of " + ", ".join(VARIANTS) + "; or all"
    )
    question_set: str = Field(
        default="",
        description="Of " + ", ".join(get_args(SetName)) + "; empty: by the file's columns",
    )
    name: str = Field(default="", description="Of the benchmark on the report; default its set")
    limit: int = Field(default=0, description="Only the first questions; 0: all")
    concurrency: int = Field(default=4, description="Questions at once")
    drilldowns: int = Field(
        default=100, description="Answers with a page of their own, faults first; 0: all"
    )
    judge: bool = Field(
        default=False, description="Let the configured judge mark the answers; may cost money"
    )


@dg.op(name="answer_benchmark", pool="models")
def answer_benchmark(
    context: dg.OpExecutionContext, config: BatchRun, workspace: dg.ResourceParam[Workspace]
) -> None:
    """Answer, score and report; red if a question failed, after all is written."""
    try:
        found = read_cases(config)
        chosen = chosen_variants(config.variants)
        name = check_key(config.name or found.name, "benchmark name")
        judge = _judge(context, workspace, config)
        stored = [
            asyncio.run(
                _variant(
                    context,
                    workspace,
                    config,
                    name=name,
                    found=found,
                    variant=variant,
                    judge=judge,
                )
            )
            for variant in chosen
        ]
        page = write_report(workspace)
    except G2Error as error:
        raise dg.Failure(str(error), allow_retries=WORTH_A_RETRY[error.kind]) from error
    failed = [
        (one.variant, s.case_id, s.why)
        for one in stored
        for s in one.scores
        if s.failure == "failed"
    ]
    context.add_output_metadata(
        {
            "page": page_link(workspace.home, page, workspace.settings.pages_url),
            "questions": len(stored[0].scores),
            "left_out": dg.MetadataValue.md(
                "\n".join(
                    f"* row {s.row}: {s.reason}: {clip(s.message, 200)}"
                    for s in found.skipped[:_SHOWN]
                )
                or "none"
            ),
            "table": dg.MetadataValue.md(_table(stored)),
            "failed": dg.MetadataValue.md(
                "\n".join(f"* {v} {case}: {clip(why, 200)}" for v, case, why in failed[:_SHOWN])
                or "none"
            ),
        }
    )
    if failed:
        raise dg.Failure(failure_words(failed, len(chosen)), allow_retries=False)


def failure_words(failed: Sequence[tuple[str, str, str]], variants: int) -> str:
    """What could not be answered, of (variant, question, why): questions, and by how many."""
    variant, case, why = failed[0]
    count = len({case for _, case, _ in failed})
    noun = "question" if count == 1 else "questions"
    times = f" ({len(failed)} answers of {variants} variants)" if variants > 1 else ""
    return f"{count} {noun} could not be answered{times}, first {variant} {case}: {why}"


def read_cases(config: BatchRun) -> CaseSet:
    """The question file of a run.

    Raises:
        InputError: it cannot be read, or is none.
    """
    path = UPath(config.file)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"The question file cannot be read: {error}", file=config.file, place="file"
        ) from error
    name = next((one for one in get_args(SetName) if one == config.question_set), None)
    if config.question_set and name is None:
        raise InputError(
            f"There is no question set {config.question_set[:40]!r}",
            place="question_set",
            remedy="Sets are " + ", ".join(get_args(SetName)),
        )
    return load_cases(bytes(content), config.file, name=name)


def chosen_variants(names: Sequence[str]) -> list[Variant]:
    """The variants of a run, each once; ``all`` is every one.

    Raises:
        UnknownVariantError: there is no such.
    """
    wanted = list(VARIANTS) if "all" in names else list(dict.fromkeys(names))
    return [variant_of(name) for name in wanted or ["full"]]


def _judge(
    context: dg.OpExecutionContext, ws: Workspace, config: BatchRun
) -> AnswerJudge | str | None:
    """The judge; None where none is asked for, words where it cannot judge."""
    if not config.judge:
        return None
    given = ws.settings
    try:
        port = ws.judge()
        refuse_own_judge(port.model, [given.model], allowed=given.judge_allow_same_model)
    except G2Error as error:
        context.log.warning("Nothing is judged: %s", error)
        return f"判定なし: {error.message}"
    return PromptedJudge(port, seed=given.judge_seed)


async def _variant(
    context: dg.OpExecutionContext,
    ws: Workspace,
    config: BatchRun,
    *,
    name: str,
    found: CaseSet,
    variant: Variant,
    judge: AnswerJudge | str | None,
) -> Scored:
    cases: Sequence[Case] = found.cases[: config.limit] if config.limit else found.cases
    reader = VariantReader(ws, config, variant, folder=UPath(config.file).parent)

    def tell(done: int, of: int) -> None:
        if done % _TOLD == 0 or done == of:
            context.log.info("%s %s: %d of %d questions", name, variant.name, done, of)

    batch = await answer_batch(reader, name, cases, concurrency=config.concurrency, progress=tell)
    verdicts, said = await _verdicts(
        context, reader, name=name, batch=batch, cases=cases, judge=judge
    )
    return store_batch(
        reader,
        name,
        found,
        cases,
        batch,
        verdicts=verdicts,
        judge=said,
        drilldowns=config.drilldowns,
    )


async def _verdicts(
    context: dg.OpExecutionContext,
    reader: VariantReader,
    *,
    name: str,
    batch: Batch,
    cases: Sequence[Case],
    judge: AnswerJudge | str | None,
) -> tuple[dict[str, Any], str]:
    """Verdicts and who gave them; a judge that fails as a whole costs verdicts only."""
    if isinstance(judge, str):
        kept, models = await judged(reader.ws, name, batch, cases, None)
        return kept, f"{judge}（{models} の以前の判定を使用）" if kept else judge
    try:
        return await judged(reader.ws, name, batch, cases, judge)
    except G2Error as error:
        context.log.warning("Nothing is judged: %s", error)
        return {}, f"判定なし: {error.message}"


def _table(stored: Sequence[Scored]) -> str:
    """The run's variants as a Markdown table for the UI."""
    lines = ["| variant | n | correct | word F1 | page recall | citations on gold pages | failed |"]
    lines.append("|---|---|---|---|---|---|---|")
    for row in summaries(score for one in stored for score in one.scores):
        shown = [
            "-" if one is None else f"{one.mean:.3f} ({one.low:.3f}-{one.high:.3f})"
            for one in (row.correct, row.word_f1, row.page_recall)
        ]
        cited = "-" if row.citation_precision is None else f"{row.citation_precision:.3f}"
        lines.append(
            f"| {row.variant} | {row.questions} | {' | '.join(shown)} | {cited} | {row.failed} |"
        )
    return "\n".join(lines)


def build_reader_batch() -> dg.JobDefinition:
    """The job, in process like the others."""

    @dg.job(
        name="reader_batch",
        description="A benchmark's questions answered by one or more variants, scored, reported.",
        tags={"owner": Owner.GRAPH.value},
        executor_def=dg.in_process_executor,
    )
    def job() -> None:
        answer_benchmark()

    return job
