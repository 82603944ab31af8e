"""The questions' sensor: files of the inbox become questions, questions become runs.

Here: taking questions in, holding those whose documents are not indexed yet, and asking for
the others. Reading a file stands in ``qa.inbox``, answering in ``assets.answers``.

https://docs.dagster.io/guides/automate/sensors
"""

import dagster as dg

from g2_pipelines.defs import specs
from g2_pipelines.defs.inbox import Cursor, list_inbox, next_files
from g2_pipelines.defs.partitions import questions
from g2_pipelines.defs.sensors import requests
from g2_pipelines.defs.workspace import UnknownDocumentError, Workspace
from g2_pipelines.errors import G2Error
from g2_pipelines.keys import digest_of
from g2_pipelines.tables.line2 import Question
from g2_pipelines.tables.store import write_atomic

#: Files a tick may read, and questions it may ask for.
FILES, QUESTIONS = 50, 1_000
_WAITING = "?"


def take_questions(
    ws: Workspace, cursor: Cursor
) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """Read new files: (signature by path, digest by question id, refusal by path)."""
    from g2_pipelines.qa.inbox import read_questions

    files, _ = next_files(list_inbox(ws.home.inbox("questions")), cursor, FILES)
    seen: dict[str, str] = {}
    taken: dict[str, str] = {}
    refused: dict[str, str] = {}
    for file in files:
        seen[file.relative] = file.signature
        try:
            found = read_questions(file.path.read_bytes(), file.relative)
        except G2Error as error:
            refused[file.relative] = str(error)
            continue
        for question in found:
            row = question.model_copy(update={"file": file.relative})
            ws.registry.add_question(row)
            taken[row.question_id] = row.digest or digest_of(row.model_dump_json().encode())[:16]
    return seen, taken, refused


def is_ready(ws: Workspace, instance: dg.DagsterInstance, question: Question) -> bool:
    """Whether every document named is indexed; an unknown one is ready to fail by name."""
    try:
        wanted = ws.resolve_documents(question.documents)
    except UnknownDocumentError:
        return True
    indexed = instance.get_materialized_partitions(specs.NODE_INDEX)
    return set(wanted) <= indexed if wanted else bool(indexed)


def build_question_sensor(batch_size: int) -> dg.SensorDefinition:
    """The sensor ``inbox_questions``."""

    @dg.sensor(
        name="inbox_questions",
        job_name="answers",
        minimum_interval_seconds=30,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Takes in questions (JSON, JSONL) of inbox/questions and asks for `answers`."
        " A question waits until its documents are indexed. Answers land in outbox/.",
    )
    def inbox_questions(
        context: dg.SensorEvaluationContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.SensorResult | dg.SkipReason:
        if workspace.waits_for_a_person:
            return dg.SkipReason(
                f"Engine {workspace.settings.engine} may cost money: set G2_CHAIN_PAID=true"
            )
        cursor = Cursor.parse(context.cursor)
        seen, taken, refused = take_questions(workspace, cursor)
        for name, why in refused.items():
            context.log.error("%s: %s", name, why)
            rejected = workspace.home.outbox / "rejected" / f"{digest_of(name.encode())[:16]}.txt"
            write_atomic(rejected, f"{name}: {why}\n".encode())
        waiting = {
            key.removeprefix(_WAITING): digest
            for key, digest in cursor.seen.items()
            if key.startswith(_WAITING)
        }
        asked = {**waiting, **taken}
        ready = {
            key: digest
            for key, digest in list(asked.items())[:QUESTIONS]
            if is_ready(workspace, context.instance, workspace.registry.question(key))
        }
        kept = {k: v for k, v in cursor.seen.items() if not k.startswith(_WAITING)}
        held = {f"{_WAITING}{key}": asked[key] for key in asked if key not in ready}
        changed = bool(seen or ready)
        after = Cursor(generation=cursor.generation + changed, seen={**kept, **seen, **held})
        context.update_cursor(after.model_dump_json())
        if not ready:
            return dg.SkipReason(f"No new question; {len(held)} wait for their documents")
        existing = context.instance.get_dynamic_partitions(questions.name or "")
        version = f"{after.generation}:{digest_of(repr(sorted(ready.items())).encode())[:16]}"
        fresh, runs = requests(ready, existing, "answers", version, batch_size)
        return dg.SensorResult(
            run_requests=runs,
            dynamic_partitions_requests=[questions.build_add_request(fresh)] if fresh else [],
        )

    return inbox_questions
