"""The questions' sensor: files of the inbox become questions, questions become runs.

Here: taking questions in, holding those whose documents are not indexed yet, and asking for
the others. Reading a file stands in ``qa.inbox``, answering in ``assets.answers``.

https://docs.dagster.io/guides/automate/sensors
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import dagster as dg

from g2_pipelines.defs import specs
from g2_pipelines.defs.evidence import indexed_scope, scope_digest
from g2_pipelines.defs.inbox import (
    Cursor,
    InboxFile,
    list_inbox,
    load_cursor,
    next_files,
    read_bounded,
    save_cursor,
)
from g2_pipelines.defs.partitions import documents, questions
from g2_pipelines.defs.registry import PdfEntry
from g2_pipelines.defs.rejected import in_words, note_refusals
from g2_pipelines.defs.run_requests import ask
from g2_pipelines.defs.sensors import BUDGET_S
from g2_pipelines.defs.workspace import Workspace, resolve
from g2_pipelines.errors import G2Error
from g2_pipelines.tables.line2 import Answer, Question
from g2_pipelines.tables.store import read_table

if TYPE_CHECKING:
    from g2_pipelines.index.lance import NodeIndex

Priority = Literal["low", "normal", "high"]
PRIORITY_TAGS: dict[Priority, dict[str, str]] = {
    "high": {"dagster/priority": "10"},
    "normal": {},
    "low": {"dagster/priority": "-10"},
}
#: Files that a tick may read, and questions that it may take in and ask for.
FILES, QUESTIONS = 50, 1_000


@dataclass
class TakenQuestions:
    """What a tick read: digests by question, refusals and signatures by file.

    ``partly`` says how many questions of a file with more than a tick can take are in.
    """

    asked: dict[str, str] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    seen: dict[str, str] = field(default_factory=dict)
    partly: dict[str, int] = field(default_factory=dict)


def take_questions(
    ws: Workspace,
    files: Sequence[InboxFile],
    cursor: Cursor,
    *,
    answered: Collection[str],
    is_stale: Callable[[str], bool],
    present: Collection[str] = (),
    budget_s: float = BUDGET_S,
) -> TakenQuestions:
    """Register the questions of ``files``; asked are the new, changed and unanswered ones, and
    those that are asked again when what they are about has changed since (``is_stale``).

    A file that is refused, or ends in the middle of a question, is read again when it
    changes. The same question in another file is not asked twice; another question of the same
    id in a file beside one of ``present`` is refused by name, and the file's others are taken.
    """
    from g2_pipelines.qa.inbox import MAX_FILE_BYTES, read_questions

    taken = TakenQuestions()
    there = set(present)
    left, until = QUESTIONS, time.monotonic() + budget_s
    for file in files:
        if left <= 0 or (taken.seen and time.monotonic() > until):
            break
        try:
            found = read_questions(read_bounded(file, MAX_FILE_BYTES), file.relative)
        except FileNotFoundError:  # taken away since the folder was read
            continue
        except G2Error as error:
            taken.refused[file.relative] = str(error)
        else:
            mark = f"{file.relative} {file.signature}"
            begin = cursor.partly.get(mark, 0)
            part = found[begin : begin + left]
            left -= len(part)
            for question in part:
                key = question.question_id
                rival = _rival(ws, question)
                if rival and rival in (there | taken.seen.keys()):
                    taken.refused[file.relative] = (
                        f"The id {key} stands for another question in {rival}: not taken in."
                        " Give each question an id of its own; the file's others are"
                    )
                    continue
                if _register(ws, question) or key not in answered or is_stale(key):
                    taken.asked[key] = question.digest
            if begin + len(part) < len(found):
                taken.partly[mark] = begin + len(part)
                break
        taken.seen[file.relative] = file.signature
    return taken


def _rival(ws: Workspace, question: Question) -> str:
    """The other file in which the id stands for another text, "" if there is none."""
    try:
        known = ws.registry.question(question.question_id)
    except G2Error:  # unknown, or damaged: written anew
        return ""
    return known.file if known.file != question.file and known.question != question.question else ""


def _register(ws: Workspace, question: Question) -> bool:
    """Register a question; False where the same one is known, from whatever file."""
    try:
        if ws.registry.question(question.question_id).digest == question.digest:
            return False
    except G2Error:  # unknown or damaged: written anew
        pass
    return ws.registry.add_question(question)


class Freshness:
    """Whether an answer rests on what is stored now; scopes are looked up once a tick."""

    def __init__(self, ws: Workspace) -> None:
        self._ws = ws
        self._index: NodeIndex | None = None
        self._now: dict[tuple[tuple[str, ...], str | None], str] = {}

    def is_stale(self, question_id: str) -> bool:
        """True where the documents, the scope or the index changed, or no answer is stored."""
        try:
            stored = read_table(self._ws.home.table("answers", question_id), Answer)[0]
            asked = self._ws.registry.question(question_id)
            return stored.index_digest != self._digest(asked)
        except G2Error:  # gone, damaged or not indexed: the question itself will say which
            return True

    def _digest(self, asked: Question) -> str:
        scope = (tuple(asked.documents), asked.edinet_code)
        if scope not in self._now:
            index = self._index or self._ws.index(self._ws.embedding())
            self._index = index
            named = self._ws.resolve_documents(asked.documents)
            there = indexed_scope(self._ws, index, named, asked.edinet_code)
            self._now[scope] = scope_digest(self._ws, index, there)
        return self._now[scope]


class Readiness:
    """Which questions can be asked now; state and inbox are read once a tick."""

    def __init__(self, ws: Workspace, instance: dg.DagsterInstance) -> None:
        self._ws = ws
        self._pdfs: list[PdfEntry] = ws.registry.pdfs()
        self._indexed = instance.get_materialized_partitions(specs.NODE_INDEX)
        self._failed = {
            key
            for asset in (specs.DOCUMENT_NODES, specs.NODE_INDEX)
            for key, status in (
                instance.get_status_by_partition(
                    asset, instance.get_dynamic_partitions(documents.name or ""), documents
                )
                or {}
            ).items()
            if status is not None and status.value == "FAILED"
        }
        self._coming: set[str] | None = None

    def is_ready(self, question: Question) -> bool:
        """Whether the documents asked about are indexed.

        A company's question waits for all of its documents but those that failed. A name
        that nobody knows is ready, to fail by name; one that lies in the inbox is not.
        """
        names = question.documents
        if not names:
            return self._scope_is_ready(question.edinet_code)
        wanted: set[str] = set()
        for name in names:
            try:
                wanted.update(resolve([name], self._pdfs))
            except G2Error:  # unknown, or fits several: only the first may still come
                if not any(name in _names(pdf.name) for pdf in self._pdfs) and (
                    name in self._in_inbox()
                ):
                    return False
        return wanted <= self._indexed

    def _scope_is_ready(self, company: str | None) -> bool:
        if company is None:
            return bool(self._indexed)
        scope = {pdf.document_id for pdf in self._pdfs if pdf.edinet_code == company}
        return bool(scope & self._indexed) and scope <= self._indexed | self._failed

    def _in_inbox(self) -> set[str]:
        """Names, without ending too, of PDFs that lie in the inbox."""
        if self._coming is None:
            files = list_inbox(self._ws.home.inbox("pdfs"))
            self._coming = {n for f in files for n in _names(f.relative.rsplit("/", 1)[-1])}
        return self._coming


def _names(file: str) -> tuple[str, str]:
    """How a question may call a file: its name, with and without ending."""
    return file, file.rsplit(".", 1)[0]


def choose(
    ws: Workspace, instance: dg.DagsterInstance, asked: dict[str, str]
) -> tuple[dict[Priority, dict[str, str]], dict[str, str]]:
    """(questions to ask now by priority, the most urgent first; questions that wait), digests
    by id.
    """
    if not asked:
        return {}, {}
    readiness = Readiness(ws, instance)
    ready: dict[Priority, dict[str, str]] = {"high": {}, "normal": {}, "low": {}}
    urgency: dict[str, Priority] = {}
    for key in asked:
        try:
            question = ws.registry.question(key)
        except G2Error:  # fails by name in its own partition
            urgency[key] = "normal"
            continue
        if readiness.is_ready(question):
            urgency[key] = question.priority
    left = QUESTIONS
    for priority, chosen in ready.items():
        keys = [key for key in asked if urgency.get(key) == priority][:left]
        chosen.update({key: asked[key] for key in keys})
        left -= len(keys)
    now = {key for chosen in ready.values() for key in chosen}
    waiting = {key: digest for key, digest in asked.items() if key not in now}
    return {name: chosen for name, chosen in ready.items() if chosen}, waiting


def run_requests(
    ready: dict[Priority, dict[str, str]],
    instance: dg.DagsterInstance,
    *,
    generation: object,
    batch_size: int,
) -> list[dg.RunRequest]:
    """Few runs for many questions, each with its questions' priority in Dagster's queue."""
    return [
        request.with_replaced_attrs(tags={**request.tags, **PRIORITY_TAGS[priority]})
        for priority, chosen in ready.items()
        for request in ask(
            instance, chosen, questions, "answers", generation=generation, limit=batch_size
        )
    ]


def build_question_sensor(batch_size: int) -> dg.SensorDefinition:
    """The sensor ``inbox_questions``."""

    @dg.sensor(
        name="inbox_questions",
        job_name="answers",
        minimum_interval_seconds=30,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Takes in questions (JSON, JSONL) of inbox/questions and asks for `answers`."
        " A question waits until its documents are indexed. Answers land in outbox/, notes on"
        " refused files in outbox/rejected.",
    )
    def inbox_questions(
        context: dg.SensorEvaluationContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.SensorResult | dg.SkipReason:
        if workspace.waits_for_a_person:
            return dg.SkipReason(
                f"Engine {workspace.settings.engine} may cost money: set G2_CHAIN_PAID=true"
            )
        home, instance = workspace.home, context.instance
        before = load_cursor(home, "questions", context.cursor)
        there = list_inbox(home.inbox("questions"))
        files, _ = next_files(there, before, FILES)
        answered: set[str] = set()
        if files:  # an archived question, whose key is gone, is asked anew
            there_now = set(instance.get_dynamic_partitions(questions.name or ""))
            answered = instance.get_materialized_partitions(specs.ANSWERS) & there_now
        fresh = Freshness(workspace)
        taken = take_questions(
            workspace,
            files,
            before,
            answered=answered,
            is_stale=fresh.is_stale,
            present={file.relative for file in there},
        )
        note_refusals(home, "questions", taken.seen, taken.refused)
        for name, why in taken.refused.items():
            context.log.error("%s: %s", name, why)
        ready, waiting = choose(workspace, instance, {**before.waiting, **taken.asked})
        if taken.seen or taken.partly or ready:
            gone = before.seen.keys() - {file.relative for file in there}
            after = (
                before.without(gone)
                .after(taken.seen)
                .model_copy(update={"waiting": waiting, "partly": taken.partly})
            )
            context.update_cursor(save_cursor(home, "questions", before, after))
            runs = run_requests(ready, instance, generation=after.generation, batch_size=batch_size)
            if runs:
                return dg.SensorResult(run_requests=runs)
        held = f"{len(waiting)} wait for their documents: {', '.join(list(waiting)[:5])}"
        return dg.SkipReason(
            "; ".join(filter(None, (in_words(taken.refused), held if waiting else "")))
            or "No new question"
        )

    return inbox_questions
