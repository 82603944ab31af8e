"""Questions of a benchmark answered in one run: by variant, at most some at once, each kept.

Here: ``BatchPlan`` and ``answer_batch``. An answer is kept as soon as it is there, with a hash of
all that it rests on (question, settings, variant, engine, prompts, documents, and the code that
finds and composes answers); a rerun takes it up and does only what is missing. A typed failure costs its own
question. Scoring and pages stand in ``reader_report``. Nothing here knows Dagster's runs.

Below ``G2_HOME/registry/benchmarks/NAME/VARIANT``: CASE.json, and CASE.state while it is answered.
"""

from __future__ import annotations

import asyncio
import json
import time
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from importlib import resources
from typing import TYPE_CHECKING

from pydantic import ValidationError

from g2_pipelines.defs.assets.answers import Reader, answered_from, basis
from g2_pipelines.defs.evidence import (
    StoredEvidence,
    indexed_scope,
    read_picture,
)
from g2_pipelines.defs.reader_rounds import round_index
from g2_pipelines.defs.steps import StepRun
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import G2Error
from g2_pipelines.evaluation.reader.case import Case
from g2_pipelines.evaluation.reader.variants import Variant
from g2_pipelines.keys import digest_of
from g2_pipelines.tables.line2 import Answer, DocumentNode, Question
from g2_pipelines.tables.rows import Row
from g2_pipelines.tables.store import read_table, table_digest, write_atomic

if TYPE_CHECKING:
    from upath import UPath

    from g2_pipelines.index.lance import NodeIndex
    from g2_pipelines.qa.config import QaConfig
    from g2_pipelines.qa.evidence import RecallingSource

#: Packages whose code shapes an answer.
_SHAPING = ("qa", "graph", "index", "text", "models")
_SHAPING_FILES = (("evaluation.reader", "baselines.py"), ("defs", "evidence.py"))
_SCOPES = 16  # scopes whose baseline source is held


class Kept(Row):
    """A finished answer and the hash of what it rests on."""

    basis: str
    answer: Answer


@dataclass(frozen=True)
class Failed:
    """A question without an answer, and why."""

    case: Case
    code: str
    message: str


@dataclass
class Batch:
    """What a run came to: answers and failures in the cases' order; ``made`` were answered now."""

    variant: Variant
    answers: dict[str, Answer] = field(default_factory=dict)
    failed: list[Failed] = field(default_factory=list)
    made: int = 0
    cpu_s: float = 0.0


def benchmark_folder(ws: Workspace, name: str) -> UPath:
    """Where a benchmark's state is kept."""
    return ws.home.root / "registry" / "benchmarks" / name


class VariantReader(Reader):
    """What the questions of a run share, with a variant's settings in force."""

    def __init__(
        self, ws: Workspace, run: StepRun, variant: Variant, *, folder: UPath | None = None
    ) -> None:
        """``folder``: below it lie the files that a question names, where a name fits several."""
        given = ws.settings
        changed: dict[str, object] = {"vision": given.vision and variant.images}
        if not variant.expansion:  # as many nodes, all of them seeds
            changed |= {"seeds": given.seeds * (1 + given.neighbours), "neighbours": 0}
        super().__init__(Workspace(given.model_copy(update=changed)), run)
        self.variant = variant
        self._rounds: NodeIndex | None = None
        self._building = asyncio.Lock()
        self._baselines: dict[tuple[str, ...], RecallingSource] = {}
        self._folder = folder
        self.beside = cache(self._beside)

    def _beside(self, name: str) -> frozenset[str]:
        """SHA-256 of the PDFs of this name below the question file's folder."""
        if self._folder is None:
            return frozenset()
        wanted = unicodedata.normalize("NFC", name)
        return frozenset(
            digest_of(bytes(path.read_bytes()))
            for path in self._folder.rglob("*.pdf")
            if wanted in (own := unicodedata.normalize("NFC", path.name), own.rsplit(".", 1)[0])
        )

    @cached_property
    def config(self) -> QaConfig:
        """Limits of the variant; a baseline's evidence is bounded by its tokens alone."""
        from g2_pipelines.qa.config import QaConfig

        variant = self.variant
        made = QaConfig(
            max_refinements=variant.refinements,
            planning=variant.planning,
            max_images=4 if self.ws.settings.vision else 0,
        )
        if variant.source == "graph":
            return made
        return made.model_copy(update={"max_evidence": 100_000, "max_evidence_chars": 10_000_000})

    @property
    def more(self) -> str:
        """What else shapes an answer: the variant and the code."""
        shape = self.variant.model_dump(exclude={"name", "title"})
        return json.dumps([shape, code_digest()], sort_keys=True)

    async def source(self, documents: Sequence[str]) -> tuple[RecallingSource, str]:
        """The evidence source over a scope, and the digest of what it reads.

        Raises:
            NotYetError: a document is not parsed, indexed, or has not the variant's round.
        """
        if self.variant.source != "graph":
            return self._baseline(documents), self._nodes_digest(documents)
        index = await self._index(documents)
        source = StoredEvidence(self.ws, documents, embedding=self.embedding, index=index)
        return source, source.digest()

    async def _index(self, documents: Sequence[str]) -> NodeIndex:
        index = await asyncio.to_thread(lambda: self.index)
        wanted = self.variant.rounds
        if wanted is None:
            return index
        stored = index.indexed()
        if all(stored[document].round == wanted for document in documents):
            return index
        async with self._building:
            return await round_index(self.ws, self.embedding, wanted, documents)

    def _baseline(self, documents: Sequence[str]) -> RecallingSource:
        from g2_pipelines.evaluation.reader.baselines import Bm25Source, FirstPagesSource

        key = tuple(sorted(documents))
        if key not in self._baselines:
            if len(self._baselines) >= _SCOPES:
                self._baselines.pop(next(iter(self._baselines)))
            kind = Bm25Source if self.variant.source == "bm25" else FirstPagesSource
            self._baselines[key] = kind(
                (node for document in key for node in nodes_of(self.ws, document)),
                most=self.ws.settings.seeds * (1 + self.ws.settings.neighbours),
                budget=self.ws.settings.evidence_tokens,
                tokens=self.ws.tokenizer,
                picture=self._picture,
            )
        return self._baselines[key]

    def _picture(self, node: DocumentNode) -> bytes | None:
        return read_picture(self.ws, node.image)

    def _nodes_digest(self, documents: Sequence[str]) -> str:
        parts = [
            f"{one} {table_digest(self.ws.home.table('document_nodes', one), DocumentNode)}"
            for one in sorted(documents)
        ]
        return digest_of("\n".join(parts).encode())


def nodes_of(ws: Workspace, document: str) -> list[DocumentNode]:
    """The stored nodes of a document."""
    return read_table(ws.home.table("document_nodes", document), DocumentNode)


@cache
def code_digest() -> str:
    """Hash over the sources and prompts that shape an answer."""
    parts: list[bytes] = []
    for package in _SHAPING:
        root = resources.files(f"g2_pipelines.{package}")
        parts += _contents(root)
    for package, file in _SHAPING_FILES:
        parts.append((resources.files(f"g2_pipelines.{package}") / file).read_bytes())
    return digest_of(b"\0".join(parts))[:16]


def _contents(folder: resources.abc.Traversable) -> list[bytes]:
    found: list[bytes] = []
    for item in sorted(folder.iterdir(), key=lambda one: one.name):
        if item.is_dir() and item.name != "__pycache__":
            found += _contents(item)
        elif item.is_file() and item.name.endswith((".py", ".jinja", ".yaml")):
            found += [item.name.encode(), item.read_bytes()]
    return found


async def answer_batch(
    reader: VariantReader,
    name: str,
    cases: Sequence[Case],
    *,
    concurrency: int,
    progress: Callable[[int, int], None] | None = None,
) -> Batch:
    """Answer ``cases``; what is kept and still rests on the same is not answered again.

    Args:
        reader: Of the variant.
        name: Of the benchmark: a key.
        cases: In the order of their file.
        concurrency: Questions at once.
        progress: Told how many of all are done.

    Raises:
        BaseException: a bug, once the other questions are done; never a typed failure.
    """
    gate = asyncio.Semaphore(concurrency)
    folder = benchmark_folder(reader.ws, name) / reader.variant.name
    done = 0
    started = time.process_time()

    async def one(case: Case) -> tuple[Answer, bool] | Failed:
        nonlocal done
        async with gate:
            try:
                return await _answered(reader, folder, case)
            except G2Error as error:
                return Failed(case, error.code, str(error))
            finally:
                done += 1
                if progress:
                    progress(done, len(cases))

    outcomes = await asyncio.gather(*(one(case) for case in cases), return_exceptions=True)
    batch = Batch(reader.variant)
    bugs: list[BaseException] = []
    for case, outcome in zip(cases, outcomes, strict=True):
        if isinstance(outcome, BaseException):
            bugs.append(outcome)
        elif isinstance(outcome, Failed):
            batch.failed.append(outcome)
        else:
            batch.answers[case.case_id] = outcome[0]
            batch.made += outcome[1]
    if bugs:
        raise bugs[0]
    batch.cpu_s = time.process_time() - started
    return batch


async def _answered(reader: VariantReader, folder: UPath, case: Case) -> tuple[Answer, bool]:
    """The kept answer, or a new one (True)."""
    ws = reader.ws
    named = ws.resolve_documents(case.documents, beside=reader.beside)
    if reader.variant.source == "graph":
        index = await asyncio.to_thread(lambda: reader.index)
        named = indexed_scope(ws, index, named, None)
    question = Question(
        question_id=case.case_id, question=case.question, documents=named, format=case.format
    )
    source, digest = await reader.source(named)
    known = basis(reader, question, reader.config, index_digest=digest, more=reader.more)
    path = folder / f"{case.case_id}.json"
    kept = None if reader.refresh else read_kept(path)
    if kept is not None and kept.basis == known:
        return kept.answer, False
    state = folder / f"{case.case_id}.state"
    answer = await answered_from(
        reader,
        question,
        source,
        config=reader.config,
        index_digest=digest,
        state=state,
        more=reader.more,
    )
    write_atomic(path, Kept(basis=known, answer=answer).model_dump_json().encode())
    state.unlink(missing_ok=True)
    return answer, True


def read_kept(path: UPath) -> Kept | None:
    """A kept answer; None where there is none, or it is damaged or of an older form."""
    try:
        return Kept.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except ValidationError:  # it is answered again
        return None


def documents_by_name(
    ws: Workspace, cases: Sequence[Case], *, beside: Callable[[str], Collection[str]]
) -> Mapping[str, str]:
    """document_id by the names that cases use; those that are not registered are left out."""
    from g2_pipelines.defs.workspace import resolve

    entries = ws.registry.pdfs()
    found: dict[str, str] = {}
    names = {name for case in cases for name in case.documents}
    names |= {place.document for case in cases for place in case.gold}
    for name in sorted(names):
        try:
            [found[name]] = resolve([name], entries, beside=beside)
        except G2Error:
            continue
    return found


def node_lookup(ws: Workspace) -> Callable[[str, str], DocumentNode | None]:
    """Nodes by document and id; each document is read once, one that is not there has none."""
    read = cache(partial(_by_id, ws))

    def node_of(document: str, node_id: str) -> DocumentNode | None:
        return read(document).get(node_id) if document else None

    return node_of


def _by_id(ws: Workspace, document: str) -> dict[str, DocumentNode]:
    try:
        return {node.node_id: node for node in nodes_of(ws, document)}
    except G2Error:
        return {}
