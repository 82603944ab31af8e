"""Answers of a benchmark scored, stored and shown.

Here: ``store_batch`` (scores, answers as JSONL in the outbox, drill-down pages) and
``write_report`` (the report over all that is stored). Metrics and pages stand in
``evaluation.reader``. Nothing here knows Dagster's runs.

Below ``G2_HOME``: outbox/benchmarks/NAME/VARIANT.jsonl; pages/benchmarks/index.html,
NAME/VARIANT.html, NAME/answers/VARIANT/CASE.html, costs.html;
registry/benchmarks/NAME/VARIANT/scores.json, cost.json, judged.json.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from g2_pipelines.defs.assets.answers import answer_html
from g2_pipelines.defs.reader_answers import (
    Batch,
    VariantReader,
    benchmark_folder,
    documents_by_name,
    node_lookup,
)
from g2_pipelines.defs.report_files import drop_others
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import G2Error
from g2_pipelines.evaluation.reader.case import Case, CaseSet
from g2_pipelines.evaluation.reader.judge import AnswerJudge, AnswerVerdict, ToJudge
from g2_pipelines.evaluation.reader.report import (
    Cost,
    Scored,
    costs_page,
    report_pages,
    worst_first,
)
from g2_pipelines.evaluation.reader.score import (
    CaseScore,
    calls_of,
    score_answer,
    score_failure,
)
from g2_pipelines.keys import digest_of
from g2_pipelines.tables.line2 import Answer
from g2_pipelines.tables.store import write_atomic

if TYPE_CHECKING:
    from upath import UPath

    from g2_pipelines.tables.ledger import ModelCall

_VERDICTS = TypeAdapter(dict[str, AnswerVerdict])


async def judged(
    ws: Workspace,
    name: str,
    batch: Batch,
    cases: Sequence[Case],
    judge: AnswerJudge | None,
) -> tuple[dict[str, AnswerVerdict], str]:
    """Verdicts by case, those that are kept and still hold among them; and what to say of it.

    An answer is judged once: by question, right answers, answer and judge. A judge that
    cannot be reached leaves answers without a verdict, nothing else.
    """
    path = benchmark_folder(ws, name) / batch.variant.name / "judged.json"
    try:
        kept = _VERDICTS.validate_json(path.read_bytes())
    except (FileNotFoundError, ValidationError):
        kept = {}
    asked: dict[str, tuple[str, ToJudge]] = {}
    for case in cases:
        answer = batch.answers.get(case.case_id)
        if answer is None or case.kind == "open":
            continue
        one = ToJudge(
            case_id=case.case_id,
            question=case.question,
            right=[", ".join(case.items)] if case.items else case.answers,
            answer=answer.answer,
            refused=answer.unanswerable,
            unanswerable=case.kind == "none",
        )
        asked[case.case_id] = (_verdict_key(one), one)
    if judge is None:
        found = {case: kept[key] for case, (key, _) in asked.items() if key in kept}
        models = sorted({verdict.model for verdict in found.values()})
        return found, "、".join(models)
    mine = {key: one for key, one in kept.items() if _by(one) == _by(judge)}
    left = [(key, one) for key, one in asked.values() if key not in mine]
    replies = await judge.judge([one for _, one in left])
    failed: list[G2Error] = []
    for (key, _), reply in zip(left, replies, strict=True):
        if isinstance(reply, AnswerVerdict):
            mine[key] = reply
        else:
            failed.append(reply)
    text = _VERDICTS.dump_json(dict(sorted(mine.items())))
    write_atomic(path, text)
    found = {case: mine[key] for case, (key, _) in asked.items() if key in mine}
    said = judge.model
    if failed:
        said = f"{judge.model}（{len(failed)} 問は判定できず: {failed[0].code}）"
    return found, said


def _by(maker: AnswerVerdict | AnswerJudge) -> tuple[str, str, str]:
    return maker.engine, maker.model, maker.prompt_version


def _verdict_key(one: ToJudge) -> str:
    parts = [one.case_id, one.question, list(one.right), one.answer, one.refused, one.unanswerable]
    return digest_of(json.dumps(parts, ensure_ascii=True).encode())


def store_batch(
    reader: VariantReader,
    name: str,
    found: CaseSet,
    cases: Sequence[Case],
    batch: Batch,
    *,
    verdicts: dict[str, AnswerVerdict],
    judge: str,
    drilldowns: int,
) -> Scored:
    """Score a batch, and write its answers, scores, cost and drill-down pages.

    Args:
        reader: Of the batch's variant.
        name: Of the benchmark: a key.
        found: The question file.
        cases: Those that were asked, in the file's order.
        batch: Answers and failures.
        verdicts: A judge's, by case.
        judge: Who judged, or why nobody could.
        drilldowns: Answers with a page of their own at most, faults first; 0 for all.
    """
    ws, variant = reader.ws, batch.variant.name
    folder = benchmark_folder(ws, name) / variant
    failures = {one.case.case_id: one for one in batch.failed}
    documents, node_of = documents_by_name(ws, cases, beside=reader.beside), node_lookup(ws)
    scores: list[CaseScore] = []
    for case in cases:
        if case.case_id in failures:
            scores.append(
                score_failure(case, variant, failures[case.case_id].message, judged=bool(verdicts))
            )
            continue
        scores.append(
            score_answer(
                case,
                batch.answers[case.case_id],
                variant=variant,
                documents=documents,
                node_of=node_of,
                verdict=verdicts.get(case.case_id),
            )
        )
    chosen = [s.case_id for s in worst_first(scores) if s.case_id in batch.answers]
    chosen = sorted(chosen[:drilldowns] if drilldowns else chosen)
    _write_answers(ws, name, cases, scores, batch)
    _write_drilldowns(ws, name, variant, {case: batch.answers[case] for case in chosen})
    given, answers = ws.settings, list(batch.answers.values())
    tasks = reader.tasks
    scored = Scored(
        name=name,
        set=found.name,
        variant=variant,
        file=found.file.rsplit("/", 1)[-1],
        digest=found.digest,
        rows=found.rows,
        limited=len(cases) if len(cases) < len(found.cases) else 0,
        engine=tasks.reasoner.engine,
        model=tasks.reasoner.model,
        prompt_versions=sorted({task.prompt_version for task in tasks}),
        embedding=reader.embedding.model,
        evidence_tokens=given.evidence_tokens,
        seeds=given.seeds,
        neighbours=given.neighbours,
        images=given.vision,
        judge=judge,
        skipped=found.skipped,
        scores=scores,
        pages=chosen,
    )
    write_atomic(
        folder / "cost.json", _cost(reader, name, batch, answers).model_dump_json().encode()
    )
    # The scores last: what has them has the rest too.
    write_atomic(folder / "scores.json", scored.model_dump_json().encode())
    return scored


def _write_answers(
    ws: Workspace, name: str, cases: Sequence[Case], scores: Sequence[CaseScore], batch: Batch
) -> None:
    lines = []
    for case, score in zip(cases, scores, strict=True):
        answer = batch.answers.get(case.case_id)
        row = {
            "case": case.model_dump(mode="json"),
            "score": score.model_dump(mode="json"),
            "answer": answer.model_dump(mode="json") if answer else None,
        }
        lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    path = ws.home.outbox / "benchmarks" / name / f"{batch.variant.name}.jsonl"
    write_atomic(path, "".join(lines).encode("utf-8", "replace"))


def _write_drilldowns(ws: Workspace, name: str, variant: str, answers: dict[str, Answer]) -> None:
    folder = pages_folder(ws) / name / "answers" / variant
    for case, answer in answers.items():
        html = answer_html(ws, answer)
        write_atomic(folder / f"{case}.html", html.encode("utf-8", "replace"))
    drop_others(folder, "*.html", {f"{case}.html" for case in answers})


def pages_folder(ws: Workspace) -> UPath:
    """Where the report lies."""
    return ws.home.pages / "benchmarks"


def _cost(reader: VariantReader, name: str, batch: Batch, answers: Sequence[Answer]) -> Cost:
    ws = reader.ws
    keys = {key for answer in answers for key in calls_of(answer)}
    calls = _ledger(ws, keys)
    prices, money = ws.prices, None
    if prices is not None:
        sums = [
            price.money(
                prompt=call.prompt_tokens,
                completion=call.completion_tokens,
                cached=call.cached_tokens,
            )
            for call in calls.values()
            if (price := prices.price(call.model)) is not None
        ]
        money = float(sum(sums))
    return Cost(
        name=name,
        variant=batch.variant.name,
        questions=len(answers) + len(batch.failed),
        calls=len(keys),
        unknown=len(keys - calls.keys()),
        prompt_tokens=sum(call.prompt_tokens for call in calls.values()),
        completion_tokens=sum(call.completion_tokens for call in calls.values()),
        money=money,
        made=batch.made,
        cpu_s=round(batch.cpu_s, 3),
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _ledger(ws: Workspace, keys: Collection[str]) -> dict[str, ModelCall]:
    """The call that was paid, by key."""
    from g2_pipelines.models.build import open_ledger
    from g2_pipelines.models.config import CacheConfig

    url = ws.call_cache_url
    missing = url.startswith("sqlite:///") and not Path(url.removeprefix("sqlite:///")).exists()
    if not keys or missing:
        return {}
    rows = open_ledger(CacheConfig(url=url)).read()
    return {row.key: row for row in rows if row.key in keys and row.outcome == "ok"}


def write_report(ws: Workspace) -> UPath:
    """The report over all benchmarks and variants that are stored; gives its front page."""
    folder = pages_folder(ws)
    found: list[Scored] = []
    costs: list[Cost] = []
    root = ws.home.root / "registry" / "benchmarks"
    for path in sorted(root.glob("*/*/scores.json")) if root.exists() else []:
        try:
            scored = Scored.model_validate_json(path.read_bytes())
            cost = Cost.model_validate_json((path.parent / "cost.json").read_bytes())
        except (ValidationError, FileNotFoundError):  # of an older form: it is made anew by a run
            continue
        found.append(scored)
        costs.append(cost)
    for name, html in report_pages(found).items():
        write_atomic(folder / name, html.encode("utf-8", "replace"))
    currency = ws.prices.currency if ws.prices else ""
    write_atomic(folder / "costs.html", costs_page(costs, currency=currency).encode())
    return folder / "index.html"
