"""The content graph's own cost: rounds, index, readout; and what each round does.

``python -m benchmarks.graph [--quick] [--json] [--home G2_HOME] [--data FOLDER]``

- ``nodes_per_s``: nodes of one round per second of processor time, with an engine that answers
  at once, over candidates, prompts, schemas, guards and the new state; the median of three.
  ``…_cached`` behind call cache and ledger, ``…_extractive`` with the embedded engine's rules
  (vectors given in all of them).
- ``readout_p95_ms``: seeds, expansion and budget in an index of 100,000 nodes (a tenth in
  --quick: ``index_rows`` says how many), over all documents, and in one of them, asked of it for
  the first time (``in_document_``) and again (``in_document_again_``). ``readout_cpu_ms`` is the
  processor time of one over all documents, all threads.
- ``ingest_rows_per_s``: rows through ``replace_document`` and ``catch_up``, by the clock, with
  all indexes that so many rows have; ``ingest_rows_per_cpu_s`` by processor time, all threads.
  ``ratio_ingest_lancedb`` against bare appends of the same Arrow rows, without any index.
- ``vector_…_ms``: one vector compared exactly, and by the index that ``upkeep`` makes, with the
  share of the exact ten that it finds.
- ``round_{r}_…``: what the rounds did to documents, by the embedded engine: the sample corpus, or
  three of ``--home``.
- ``page_recall_at_5``, per set, and the table of rounds and expansion are those of
  ``benchmarks.page_retrieval`` over ``--home``; null without it or in --quick.

All texts are made up here. Clock times hold for a quiet machine: ``load_1min`` stands beside.
"""

from __future__ import annotations

import asyncio
import json
import random
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
from upath import UPath

from benchmarks.report import arguments, progress, report
from g2_pipelines.graph.analyse import analyse
from g2_pipelines.graph.build import build_tasks
from g2_pipelines.graph.config import EvolutionConfig
from g2_pipelines.graph.evolve import evolve
from g2_pipelines.graph.readout import assemble
from g2_pipelines.graph.state import GraphState
from g2_pipelines.graph.structure import structural_edges
from g2_pipelines.index.lance import TABLE, NodeIndex
from g2_pipelines.index.rows import index_rows, pack
from g2_pipelines.index.schema import arrow_schema, to_table
from g2_pipelines.models.cache import CallStore
from g2_pipelines.models.cached import CachedCompletion
from g2_pipelines.models.callkey import call_key
from g2_pipelines.models.config import CacheConfig
from g2_pipelines.models.embedded import EmbeddedEmbedding
from g2_pipelines.models.engines import Answered, Usage
from g2_pipelines.models.ports import Completion, CompletionPort, CompletionRequest
from g2_pipelines.tables.line2 import DocumentNode, GraphMetrics, GraphNode, IndexRow, Region
from g2_pipelines.tables.paths import Home
from g2_pipelines.tables.rows import Bbox
from g2_pipelines.tables.store import read_table

DIMENSION = 512
MODEL = "made-up/1"
PER_DOCUMENT = 1_000
_LEXICON = 4_000
_LARGE = 400_000  # bytes of a document's table
_ANSWER = json.dumps(
    {
        "links": [{"to": "c1", "relation": "reference"}],
        "update": False,
        "summary": "",
        "keywords": [],
    }
)
_ANALYSIS = json.dumps({"summary": "x", "keywords": [], "entities": []})


# -- invented material


def words() -> list[str]:
    """Invented words, the frequent ones first."""
    chosen = random.Random(5)
    syllables = ["ka", "to", "mi", "re", "su", "no", "ha", "li", "ver", "on", "ta", "qui"]
    return ["".join(chosen.choices(syllables, k=3)) + str(at) for at in range(_LEXICON)]


def document(number: int, count: int, lexicon: Sequence[str]) -> list[DocumentNode]:
    """``count`` nodes, twenty a page, a heading on each, texts of some thirty words."""
    chosen = random.Random(number)
    document_id = f"made-{number:05d}"
    weights = [1 / (at + 10) for at in range(len(lexicon))]
    return [
        _node(document_id, at, " ".join(chosen.choices(lexicon, weights, k=30)) + ".")
        for at in range(count)
    ]


def _node(document_id: str, at: int, text: str) -> DocumentNode:
    top = 40.0 * (at % 20)
    box = Bbox(x0=50, y0=top, x1=500, y1=top + 30)
    heading = at % 20 == 0
    return DocumentNode(
        document_id=document_id,
        node_id=f"n{at}",
        kind="heading" if heading else "paragraph",
        level=1 if heading else None,
        order=at,
        text=" ".join(text.split()[:4]) if heading else text,
        page=1 + at // 20,
        bbox=box,
        regions=[Region(page=1 + at // 20, bbox=box)],
        engine="made-up",
        engine_version="1",
    )


class Vectors:
    """An embedding port without cost: a vector a text, near to those of the same first word."""

    engine = "made-up"
    model = MODEL
    dimension = DIMENSION

    def __init__(self) -> None:
        self._known: dict[str, list[float]] = {}

    async def embed(self, texts: Sequence[str]) -> list[Any]:
        """See EmbeddingPort."""
        return [self._known.setdefault(text, _vector(text)) for text in texts]


def _vector(text: str) -> list[float]:
    first = text.split(" ", 1)[0] if text else ""
    centre = np.random.default_rng(abs(hash_of(first)) % 1_000).normal(size=DIMENSION)
    made = centre + 0.7 * np.random.default_rng(hash_of(text)).normal(size=DIMENSION)
    made /= np.linalg.norm(made)
    return [float(value) for value in made]


def hash_of(text: str) -> int:
    """A number by the text alone; Python's own differs from run to run."""
    return int.from_bytes(text.encode()[:64].ljust(8, b"\0"), "big") % (2**63)


class Instant:
    """A completion port that answers at once with the same valid answer."""

    engine = "instant"
    model = "instant/1"

    async def complete(self, requests: Sequence[CompletionRequest]) -> list[Any]:
        """See CompletionPort."""
        return [
            Completion(
                text=_ANALYSIS if request.task == "analyse_node" else _ANSWER,
                finish_reason="stop",
                prompt_tokens=1,
                completion_tokens=1,
                cached_tokens=0,
                call_key="",
                engine=self.engine,
                model=self.model,
            )
            for request in requests
        ]


# -- rounds


def rounds_per_s(nodes: int, repeats: int) -> dict[str, float]:
    """Nodes of one round per second of processor time, by engine."""
    made = document(0, nodes, words())
    embedding = Vectors()
    analyst, rules = build_tasks(None)
    state = asyncio.run(analyse(made, analyst=analyst, embedding=embedding))
    every = EvolutionConfig(stop_changed_share=None, stop_margin_loss=None)

    def once(evolver: Any) -> float:
        start = time.process_time()
        asyncio.run(evolve(made, state, evolver=evolver, embedding=embedding, config=every))
        return nodes / (time.process_time() - start)

    prompted = build_tasks(Instant())[1]
    once(prompted)  # templates and schemas are compiled once a process
    found = {
        "nodes_per_s": statistics.median(once(prompted) for _ in range(repeats)),
        "nodes_per_s_extractive": statistics.median(once(rules) for _ in range(repeats)),
    }
    with tempfile.TemporaryDirectory() as folder:
        rates = []
        for at in range(repeats):
            store = CallStore(CacheConfig(url=f"sqlite:///{folder}/{at}.sqlite"))
            rates.append(once(build_tasks(_cached(store))[1]))
        found["nodes_per_s_cached"] = statistics.median(rates)
    return {name: round(value, 1) for name, value in found.items()}


def _cached(store: CallStore) -> CompletionPort:
    return CachedCompletion(_InstantEngine(), store)


class _InstantEngine:
    """The same answer from an engine, so that call cache and ledger take part."""

    engine = "instant"
    model = "instant/1"
    concurrency = 64

    def key_of(self, request: CompletionRequest) -> str:
        """See Engine."""
        return call_key(self.engine, self.model, "", request)

    @asynccontextmanager
    async def session(self) -> AsyncIterator[None]:
        """See Engine."""
        yield

    async def answer(self, request: CompletionRequest) -> Answered:
        """See Engine."""
        [completion] = await Instant().complete([request])
        keyed = completion.model_copy(update={"call_key": self.key_of(request)})
        return Answered(keyed, 1, Usage(1, 1, 0), 0.0)


# -- index and readout


def made_rows(count: int) -> Iterator[tuple[list[DocumentNode], list[IndexRow]]]:
    """Documents of a thousand nodes each with their rows, ``count`` rows in all."""
    lexicon = words()
    for number in range(-(-count // PER_DOCUMENT)):
        nodes = document(number, min(PER_DOCUMENT, count - number * PER_DOCUMENT), lexicon)
        chosen = np.random.default_rng(number)
        vectors = chosen.normal(size=(40, DIMENSION))[chosen.integers(40, size=len(nodes))]
        vectors = vectors + 0.7 * chosen.normal(size=vectors.shape)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        rows = index_rows(
            nodes=nodes,
            graph=[_bare(node) for node in nodes],
            vectors=[[float(v) for v in vector] for vector in vectors],
            embedding_model=MODEL,
            dimension=DIMENSION,
            edinet_code=None,
        )
        yield nodes, rows


def _bare(node: DocumentNode) -> GraphNode:
    summary = " ".join(node.text.split()[:12])
    return GraphNode(
        engine="made-up",
        model=MODEL,
        prompt_version="",
        document_id=node.document_id,
        round=3,
        node_id=node.node_id,
        summary=summary,
        keywords=node.text.split()[:6],
        changed=False,
        embedding_text=summary,
    )


def index_figures(count: int, questions: int) -> dict[str, float | int | None]:
    """Ingest, readout and vector search in one index of ``count`` rows."""
    figures: dict[str, float | int | None] = {"index_rows": count}
    with tempfile.TemporaryDirectory() as folder:
        index = NodeIndex.open(f"{folder}/a", MODEL, DIMENSION)
        graphs: dict[str, GraphState] = {}
        bare: list[Any] = []
        seconds = cpu = 0.0
        for nodes, rows in made_rows(count):
            name = nodes[0].document_id
            start, start_cpu = time.perf_counter(), time.process_time()
            index.replace_document(name, rows)
            seconds += time.perf_counter() - start
            cpu += time.process_time() - start_cpu
            graphs[name] = _state(nodes)
            if len(bare) < 5:
                bare.append(to_table(rows, pack(rows), arrow_schema(MODEL, DIMENSION)))
        start, start_cpu = time.perf_counter(), time.process_time()
        index.catch_up()
        seconds += time.perf_counter() - start
        cpu += time.process_time() - start_cpu
        figures["ingest_rows_per_s"] = round(count / seconds)
        figures["ingest_rows_per_cpu_s"] = round(count / cpu)
        figures["ratio_ingest_lancedb"] = round(
            count / seconds / _bare_rate(f"{folder}/b", bare), 3
        )
        start = time.perf_counter()
        index.optimize(timedelta(milliseconds=1))
        figures["upkeep_s"] = round(time.perf_counter() - start, 2)
        progress(f"{count:,} rows in {seconds:.1f} s, upkeep {figures['upkeep_s']} s")
        figures |= readouts(index, graphs, questions)
        figures |= vector_search(index, f"{folder}/a", questions)
    return figures


def _bare_rate(uri: str, tables: Sequence[Any]) -> float:
    import lancedb

    table = lancedb.connect(uri).create_table(TABLE, schema=arrow_schema(MODEL, DIMENSION))
    start = time.perf_counter()
    for rows in tables:
        table.add(rows)
    return float(sum(rows.num_rows for rows in tables) / (time.perf_counter() - start))


def _state(nodes: Sequence[DocumentNode]) -> GraphState:
    rows = [_bare(node) for node in nodes]
    metrics = GraphMetrics(
        document_id=nodes[0].document_id,
        round=3,
        nodes=len(nodes),
        embedding_spread=0.0,
        **dict.fromkeys(
            (
                "changed",
                "degraded",
                "structural_edges",
                "semantic_edges",
                "edges_added",
                "edges_dropped",
                "links_rejected",
                "updates_rejected",
                "distinct_keywords",
            ),
            0,
        ),
    )
    return GraphState(nodes[0].document_id, 3, rows, structural_edges(nodes, 3), metrics)


def readouts(
    index: NodeIndex, graphs: dict[str, GraphState], questions: int
) -> dict[str, float | int | None]:
    """Milliseconds of whole readouts, over all documents and within one."""
    lexicon, chosen, embedding = words(), random.Random(9), Vectors()
    names = sorted(graphs)
    figures: dict[str, float | int | None] = {}
    for label in ("", "in_document_", "in_document_again_"):
        asked = [
            ("what " + " ".join(chosen.choices(lexicon, k=5)) + "?", chosen.choice(names))
            for _ in range(questions + 3)
        ]
        asyncio.run(embedding.embed([text for text, _ in asked]))

        async def ask(text: str, scope: Sequence[str] | None) -> None:
            await assemble(
                text,
                index=index,
                embedding=embedding,
                graphs=graphs.__getitem__,
                documents=scope,
                edinet_code=None,
                seeds=5,
                neighbours=3,
                token_budget=15_000,
            )

        times, cpu = [], []
        for at, (text, name) in enumerate(asked):
            if label == "in_document_again_":
                asyncio.run(ask("another question", [name]))
            start, start_cpu = time.perf_counter(), time.process_time()
            asyncio.run(ask(text, [name] if label else None))
            if at >= 3:  # the first ones open files and load the tokenizer
                times.append(1_000 * (time.perf_counter() - start))
                cpu.append(1_000 * (time.process_time() - start_cpu))
        figures[f"readout_{label}p50_ms"] = round(statistics.median(times), 1)
        figures[f"readout_{label}cpu_ms"] = round(statistics.median(cpu), 1)
        figures[f"readout_{label}p95_ms"] = round(statistics.quantiles(times, n=20)[-1], 1)
    return figures


def vector_search(index: NodeIndex, uri: str, questions: int) -> dict[str, float | int | None]:
    """Exact comparison and the index of ``upkeep``: milliseconds, and the share of ten found."""
    chosen = np.random.default_rng(3)
    stored = index._table.search().select(["vector"]).limit(questions + 1).to_arrow()["vector"]  # noqa: SLF001
    near_rows = np.array(stored.to_pylist()) + 0.02 * chosen.normal(size=(len(stored), DIMENSION))
    asked = [[float(value) for value in vector] for vector in near_rows]

    def exact(vector: list[float]) -> set[str]:
        query = index._table.search(vector, vector_column_name="vector")  # noqa: SLF001
        query = query.distance_type("cosine").bypass_vector_index()
        return set(query.select(["id", "_distance"]).limit(10).to_arrow()["id"].to_pylist())

    there = index.approximate  # of 100,000 rows the ingest made it
    indexed = NodeIndex.open(uri, MODEL, DIMENSION, vector_index_rows=1)
    start = time.perf_counter()
    indexed.optimize()
    built = time.perf_counter() - start

    def by_index(vector: list[float]) -> set[str]:
        return set(indexed._nearest(vector, "", 10).likeness)  # noqa: SLF001

    def found(one: Callable[[list[float]], set[str]]) -> tuple[list[set[str]], float]:
        one(asked[0])
        answers: list[set[str]] = []
        times = []
        for vector in asked[1:]:
            start = time.perf_counter()
            answers.append(one(vector))
            times.append(1_000 * (time.perf_counter() - start))
        return answers, statistics.median(times)

    (whole, exact_ms), (near, index_ms) = found(exact), found(by_index)
    shares = [len(a & b) / len(a) for a, b in zip(whole, near, strict=True) if a]
    return {
        "vector_exact_ms": round(exact_ms, 1),
        "vector_index_ms": round(index_ms, 1),
        "vector_index_recall_at_10": round(statistics.fmean(shares), 3),
        "vector_index_build_s": None if there else round(built, 1),
    }


# -- what rounds do


def evolution(home: Home | None, documents: int) -> dict[str, dict[str, Any]]:
    """Metrics of each round of some documents, by document."""
    table: dict[str, dict[str, Any]] = {}
    for name, nodes in parsed(home, documents):
        analyst, evolver = build_tasks(None)
        every = EvolutionConfig(stop_changed_share=None, stop_margin_loss=None)
        embedding = EmbeddedEmbedding()
        state = asyncio.run(analyse(nodes, analyst=analyst, embedding=embedding))
        rows = [state.metrics]
        for _ in range(3):
            state = asyncio.run(
                evolve(nodes, state, evolver=evolver, embedding=embedding, config=every)
            )
            rows.append(state.metrics)
        table[name] = {f"round_{m.round}": _said(m) for m in rows}
        progress(f"{name}: {json.dumps(table[name], ensure_ascii=False)}")
    return table


def _said(m: GraphMetrics) -> dict[str, Any]:
    return {
        "nodes": m.nodes,
        "changed_share": round(m.changed / m.nodes, 4),
        "links": m.semantic_edges,
        "added": m.edges_added,
        "dropped": m.edges_dropped,
        "jaccard": m.edge_jaccard,
        "keywords": m.distinct_keywords,
        "spread": m.embedding_spread,
        "margin": m.nearest_margin,
        "degraded": m.degraded,
        "refused": {f"{r.what}: {r.reason}": r.count for r in m.refused},
    }


def parsed(home: Home | None, documents: int) -> Iterator[tuple[str, list[DocumentNode]]]:
    """Nodes of some documents: of a home, or of the sample corpus."""
    if home is not None:
        folder = home.table("document_nodes", "x").parent
        sizes = sorted((path.stat().st_size, path.stem) for path in folder.glob("*.parquet"))
        # The largest that are not enormous: small ones have nothing to evolve.
        for _, key in [item for item in sizes if item[0] < _LARGE][-documents:]:
            yield key, read_table(home.table("document_nodes", key), DocumentNode)
        return
    from g2_pipelines import corpus
    from g2_pipelines.pdf.parse import PdfLimits, parse_pdf

    for file in sorted((Path(corpus.__file__).parent / "pdfs").glob("*.pdf"))[:documents]:
        with tempfile.TemporaryDirectory() as folder_:
            images, limits = Path(folder_), PdfLimits()
            read = parse_pdf(file, document_id=file.stem, images_dir=images, limits=limits)
        yield file.stem, list(read.nodes)


def page_recall(home: Home | None, data: Path, *, quick: bool) -> tuple[dict[str, Any], Any]:
    """Recall figures and tables of ``benchmarks.page_retrieval``; null without a home."""
    names = [f"page_recall_at_5_{name}" for name in ("mmlongbench", "japanese")]
    if home is None or quick:
        return dict.fromkeys(names), {}
    from benchmarks.page_retrieval import measure

    figures, tables = measure(data, home, quick=False)
    return dict(figures), tables


def main() -> None:
    """Run it."""
    parser = arguments(__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--home", type=Path, help="a G2_HOME with parsed documents")
    given = parser.parse_args()
    home = Home(UPath(given.home)) if given.home else None
    figures: dict[str, Any] = {}
    figures |= rounds_per_s(500 if given.quick else 2_000, 3)
    progress(f"rounds: {figures}")
    figures |= index_figures(10_000 if given.quick else 100_000, 20 if given.quick else 100)
    rounds = evolution(home, 2 if given.quick else 3)
    for r in range(4):
        shares = [rows[f"round_{r}"]["changed_share"] for rows in rounds.values()]
        figures[f"round_{r}_changed_share"] = round(statistics.fmean(shares), 4) if shares else None
    recall, tables = page_recall(home, given.data, quick=given.quick)
    figures |= recall
    peers = {"rounds": rounds, "page_retrieval": tables}
    report(figures, peers if given.json else {}, as_json=given.json, packages=("lancedb", "numpy"))


if __name__ == "__main__":
    main()
