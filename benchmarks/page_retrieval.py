"""Which pages are found for a question, step by step, on people's questions with gold pages.

``python -m benchmarks.page_retrieval --home G2_HOME [--quick] [--json] [--data FOLDER]`` takes
the questions of ``FOLDER/qa/{mmlongbench,japanese}`` and the parsed documents of a ``G2_HOME`` to
which their PDFs were added (``g2 add``). English questions are asked in their document, the
Japanese ones over all documents of their set at once. The unit is distinct pages in the order
of their first hit; recall is the share of a question's gold pages among the first k.

- ladder: BM25 on the text layer, then on our nodes, then each step of the ranking added to the
  ones before (``PageRanking``; its parameters were set beforehand);
- index: the stored index as ``g2 search`` asks it (seeds only);
- expansion: the readout's evidence with neighbours over the structural edges alone and over the
  evolved graph of each round, cut at the same number of pages; interleaved as it is ranked;
- by kind of source and by single and cross page; differences with 95 % intervals from a paired
  bootstrap that draws documents (1,000 draws, seed 7).
"""

from __future__ import annotations

import ast
import asyncio
import json
import random
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from upath import UPath

from benchmarks.report import arguments, progress, report
from g2_pipelines.graph.readout import assemble
from g2_pipelines.graph.state import STRUCTURAL_KINDS, GraphState
from g2_pipelines.index.labels import own_label
from g2_pipelines.index.lance import NodeIndex
from g2_pipelines.index.pages import RANKING, PageRanking, rank
from g2_pipelines.index.profile import NodeTerms, Page, Profile
from g2_pipelines.index.query import asked
from g2_pipelines.index.rows import index_rows
from g2_pipelines.index.schema import caption_terms
from g2_pipelines.models.embedded import EmbeddedEmbedding
from g2_pipelines.models.ports import EmbeddingResult
from g2_pipelines.tables.line2 import (
    DocumentNode,
    DocumentPage,
    GraphEdge,
    GraphMetrics,
    GraphNode,
    IndexRow,
    PdfDocument,
)
from g2_pipelines.tables.paths import Home
from g2_pipelines.tables.store import MissingTableError, read_table
from g2_pipelines.text.terms import terms

DEPTH = 10
_PLAIN = PageRanking(
    k1=1.5,
    corpus=0,
    window=0,
    headings=0,
    captions=0,
    pairs=0,
    grams=0,
    vector=0,
    named=0,
    parts=0,
    clean=False,
    stemmed=False,
)


@dataclass(frozen=True)
class Question:
    """A question, its document's name, its gold pages and the kinds of their evidence."""

    text: str
    document: str
    gold: frozenset[Page]
    sources: tuple[str, ...]

    @property
    def cross(self) -> bool:
        return len(self.gold) > 1


@dataclass
class Document:
    """A parsed document with its graph's rounds. name: its file's; key: its document_id."""

    name: str
    key: str
    pages: int
    nodes: list[DocumentNode]
    ocr_pages: frozenset[int]
    rounds: list[GraphState]
    texts: list[str]


# -- reading


def questions(folder: Path) -> list[Question]:
    """The questions of a set that have gold pages."""
    found = []
    for line in (folder / "questions.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        name = row.get("file") or row["doc_id"]
        pages = [row["page"]] if "page" in row else ast.literal_eval(row["evidence_pages"])
        sources = [row["type"]] if "type" in row else ast.literal_eval(row["evidence_sources"])
        gold = frozenset((name, page) for page in pages)
        if gold:
            found.append(Question(row["question"], name, gold, tuple(sources)))
    return found


def documents(folder: Path, home: Home) -> list[Document]:
    """The set's documents as they are stored in ``home``; those that are not are left out."""
    stored = {}
    for path in sorted((home.root / "tables" / "pdf_documents").glob("*.parquet")):
        row = read_table(path, PdfDocument)[0]
        stored[row.name] = row.document_id
    found = []
    for file in sorted(folder.glob("*.pdf")):
        key = stored.get(file.name)
        if key is None or not home.table("document_nodes", key).exists():
            progress(f"not parsed: {file.name}")
            continue
        found.append(_document(file, home, key))
    return found


def _document(file: Path, home: Home, key: str) -> Document:
    pages = read_table(home.table("document_pages", key), DocumentPage)
    rounds = []
    for number in range(10):
        try:
            rounds.append(_round(home, key, number))
        except MissingTableError:
            break
    ocr = frozenset(page.page for page in pages if page.source == "ocr")
    nodes = read_table(home.table("document_nodes", key), DocumentNode)
    texts = _page_texts(file)
    return Document(file.name, key, len(texts), nodes, ocr, rounds, texts)


def _round(home: Home, key: str, number: int) -> GraphState:
    name = f"content_graph/round_{number}"
    return GraphState(
        key,
        number,
        read_table(home.table(name, key), GraphNode),
        read_table(home.table(f"{name}/edges", key), GraphEdge),
        read_table(home.table(f"{name}/metrics", key), GraphMetrics)[0],
    )


def _page_texts(file: Path) -> list[str]:
    import pypdfium2

    with pypdfium2.PdfDocument(file) as document:
        return [document[n].get_textpage().get_text_bounded() for n in range(len(document))]


# -- profiles of the ladder's steps


def _from_texts(document: Document) -> Profile:
    nodes = []
    for at, text in enumerate(document.texts):
        words = terms(text)
        nodes.append(_terms(document, f"p{at}", at, at + 1, words, pages=len(document.texts)))
    return Profile(nodes)


def _terms(
    document: Document, node_id: str, order: int, page: int, words: list[str], *, pages: int
) -> NodeTerms:
    return NodeTerms(
        document.name,
        node_id,
        "paragraph",
        None,
        order,
        page,
        None,
        pages,
        len(words),
        "",
        " ".join(words),
    )


def node_terms(row: IndexRow, document: str, *, stemmed: bool = True) -> NodeTerms:
    """What ranking reads of an index row, as the stored table gives it."""
    text = row.search_text if stemmed else " ".join(terms(row.text))
    return NodeTerms(
        document,
        row.node_id,
        row.kind,
        own_label(row.kind, row.text),
        row.order,
        row.page,
        row.printed_page,
        row.pages,
        row.page_terms,
        caption_terms(row),
        text,
    )


def _from_nodes(document: Document, *, ocr: bool, pictures: bool, stemmed: bool) -> Profile:
    """Rows without anything that a graph adds."""
    nodes = []
    for node in document.nodes:
        if not ocr and node.page in document.ocr_pages and node.kind != "furniture":
            continue
        more = {} if pictures else {"ocr_text": None}
        nodes.append(node.model_copy(update=more))
    graph = [_bare(node) for node in nodes if node.kind != "furniture"]
    rows = index_rows(
        nodes=nodes,
        graph=graph,
        vectors=[[0.0]] * len(graph),
        embedding_model="none",
        dimension=1,
        edinet_code=None,
    )
    return Profile([node_terms(row, document.name, stemmed=stemmed) for row in rows])


def _bare(node: DocumentNode) -> GraphNode:
    return GraphNode(
        engine="none",
        model="none",
        prompt_version="",
        document_id=node.document_id,
        round=0,
        node_id=node.node_id,
        summary="",
        keywords=[],
        changed=False,
        embedding_text="",
    )


Pages = list[Page]
Found = list[Pages]  # a question each


def _ranked(
    asked_: Sequence[Question],
    profiles: Mapping[str, Profile],
    ranking: PageRanking,
    *,
    within: bool,
) -> Found:
    """Pages by question; ``within`` its own document or over all."""
    corpus = list(profiles.values()) if ranking.corpus else []
    found = []
    for question in asked_:
        query = asked(
            question.text,
            clean=ranking.clean,
            stemmed=ranking.stemmed,
            names=bool(ranking.named),
            parts=ranking.parts,
        )
        scope = [profiles[question.document]] if within else list(profiles.values())
        pages = rank(query, scope, corpus=corpus, ranking=ranking).pages
        found.append([page.key for page in pages[:DEPTH]])
    return found


def ladder(
    asked_: Sequence[Question], given: Sequence[Document], *, within: bool
) -> dict[str, Found]:
    """Found pages by step, each step on top of those before."""
    out: dict[str, Found] = {}

    def step(name: str, profiles: Mapping[str, Profile], ranking: PageRanking) -> None:
        progress(name)
        out[name] = _ranked(asked_, profiles, ranking, within=within)

    def nodes(**options: bool) -> dict[str, Profile]:
        return {document.name: _from_nodes(document, **options) for document in given}

    ranking = _PLAIN
    step("BM25 on page text", {d.name: _from_texts(d) for d in given}, ranking)
    step("BM25 on our nodes", nodes(ocr=False, pictures=False, stemmed=False), ranking)
    step("+ OCR of pages", nodes(ocr=True, pictures=False, stemmed=False), ranking)
    profiles = nodes(ocr=True, pictures=False, stemmed=True)
    for name, more in (
        ("+ stems", {"stemmed": True}),
        ("+ cleaned question", {"clean": True}),
        ("+ k1 = 2", {"k1": RANKING.k1, "b": RANKING.b}),
        ("+ best window", {"window": RANKING.window}),
        ("+ named places", {"named": RANKING.named}),
        ("+ headings, captions", {"headings": RANKING.headings, "captions": RANKING.captions}),
        ("+ pairs, character runs", {"pairs": RANKING.pairs, "grams": RANKING.grams}),
    ):
        ranking = replace(ranking, **more)
        step(name, profiles, ranking)
    profiles = nodes(ocr=True, pictures=True, stemmed=True)
    step("+ OCR of pictures", profiles, ranking)
    ranking = replace(ranking, parts=RANKING.parts)
    step("+ parts of ratios", profiles, ranking)
    step("(that with 30 % corpus idf)", profiles, replace(ranking, corpus=0.3))
    return out


# -- the stored index and the readout


class _Vectors:
    """The product's embedding, each text once a run."""

    def __init__(self) -> None:
        self._port = EmbeddedEmbedding()
        self.engine, self.model, self.dimension = (
            self._port.engine,
            self._port.model,
            self._port.dimension,
        )
        self._known: dict[str, EmbeddingResult] = {}

    async def embed(self, texts: Sequence[str]) -> list[EmbeddingResult]:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update(zip(new, await self._port.embed(new), strict=True))
        return [self._known[text] for text in texts]


def _vector(result: EmbeddingResult) -> list[float]:
    if not isinstance(result, list):
        raise result
    return result


def _indexed(folder: str, given: Sequence[Document], round_: int, vectors: _Vectors) -> NodeIndex:
    index = NodeIndex.open(folder, vectors.model, vectors.dimension)
    for document in given:
        graph = document.rounds[round_].nodes
        found = asyncio.run(vectors.embed([node.embedding_text for node in graph]))
        rows = index_rows(
            nodes=document.nodes,
            graph=graph,
            vectors=[_vector(one) for one in found],
            embedding_model=vectors.model,
            dimension=vectors.dimension,
            edinet_code=None,
        )
        index.replace_document(document.key, rows)
        progress(f"round {round_}: {document.name[:40]}, {len(rows)} rows")
    return index


def _read_out(
    asked_: Sequence[Question],
    given: Sequence[Document],
    index: NodeIndex,
    vectors: _Vectors,
    states: Mapping[str, GraphState],
    *,
    within: bool,
    seeds: int = DEPTH,
    neighbours: int = 0,
) -> Found:
    """Distinct pages of the evidence, as it is ranked."""
    keys = {document.name: document.key for document in given}
    names = {document.key: document.name for document in given}
    found = []
    for question in asked_:
        result = asyncio.run(
            assemble(
                question.text,
                index=index,
                embedding=vectors,
                graphs=states.__getitem__,
                documents=[keys[question.document]] if within else sorted(names),
                edinet_code=None,
                seeds=seeds,
                neighbours=neighbours,
                token_budget=10**9,
                tokens=_Free(),
            )
        )
        pages = dict.fromkeys((names[e.document_id], e.row.page) for e in result.evidence)
        found.append(list(pages)[:DEPTH])
    return found


class _Free:
    """Counts nothing: pages are what is compared."""

    name = "free"

    def count(self, text: str) -> int:
        del text
        return 0


def product(
    asked_: Sequence[Question], given: Sequence[Document], *, within: bool, last: bool
) -> dict[str, Found]:
    """Found pages of the stored index and of the readout, by round; ``last``: of the last alone."""
    out: dict[str, Found] = {}
    vectors = _Vectors()
    most = min(len(document.rounds) for document in given) - 1
    for round_ in [most] if last else range(most + 1):
        with tempfile.TemporaryDirectory() as folder:
            index = _indexed(folder, given, round_, vectors)
            evolved = {document.key: document.rounds[round_] for document in given}
            plain = {key: _structural(state) for key, state in evolved.items()}
            out[f"T={round_}, seeds only"] = _read_out(
                asked_, given, index, vectors, evolved, within=within
            )
            for name, states in (("structural", plain), ("evolved", evolved)):
                out[f"T={round_}, {name} expansion"] = _read_out(
                    asked_, given, index, vectors, states, within=within, seeds=5, neighbours=3
                )
    return out


def _structural(state: GraphState) -> GraphState:
    edges = [edge for edge in state.edges if edge.kind in STRUCTURAL_KINDS]
    return replace(state, edges=edges)


# -- figures


def recall(question: Question, pages: Pages, k: int) -> float:
    return len(question.gold & set(pages[:k])) / len(question.gold)


def _means(asked_: Sequence[Question], found: Found, k: int) -> float | None:
    values = [recall(question, pages, k) for question, pages in zip(asked_, found, strict=True)]
    return round(fmean(values), 3) if values else None


def _interval(asked_: Sequence[Question], one: Found, other: Found) -> tuple[float, float]:
    """95 % of the difference at 5 pages, documents drawn with replacement."""
    by_document: dict[str, list[float]] = {}
    for question, a, b in zip(asked_, one, other, strict=True):
        gain = recall(question, a, 5) - recall(question, b, 5)
        by_document.setdefault(question.document, []).append(gain)
    groups = [by_document[name] for name in sorted(by_document)]
    draws = random.Random(7)
    means = sorted(
        fmean(value for group in draws.choices(groups, k=len(groups)) for value in group)
        for _ in range(1000)
    )
    return round(means[25], 3), round(means[974], 3)


def _rows(asked_: Sequence[Question], found: Mapping[str, Found]) -> dict[str, Any]:
    """A table's rows: recall by depth, at 5 by kind, difference to the row before."""
    out: dict[str, Any] = {}
    before: Found | None = None
    kinds = sorted({source for question in asked_ for source in question.sources})
    groups: dict[str, Callable[[Question], bool]] = {
        "single": lambda question: not question.cross,
        "cross": lambda question: question.cross,
        "how many": lambda question: "how many" in question.text.lower(),
        **{kind: _of_kind(kind) for kind in kinds},
    }
    for name, pages in found.items():
        row: dict[str, Any] = {f"@{k}": _means(asked_, pages, k) for k in (1, 3, 5, 10)}
        for group, belongs in groups.items():
            kept = [at for at, question in enumerate(asked_) if belongs(question)]
            part = [asked_[at] for at in kept]
            row[f"{group} ({len(part)})"] = _means(part, [pages[at] for at in kept], 5)
        if before is not None:
            row["to the row before"] = _interval(asked_, pages, before)
        if " expansion" in name:
            seeds = found[name.split(",")[0] + ", seeds only"]
            row["to seeds only"] = _interval(asked_, pages, seeds)
        out[name] = row
        before = pages
    return out


def _of_kind(kind: str) -> Callable[[Question], bool]:
    return lambda question: kind in question.sources


def measure(
    data: Path, home: Home, *, quick: bool
) -> tuple[dict[str, float | None], dict[str, Any]]:
    """Figures and tables of both sets; a figure is null where nothing is parsed."""
    figures: dict[str, float | None] = {}
    tables: dict[str, Any] = {}
    for name in ("mmlongbench", "japanese"):
        given = documents(data / "qa" / name, home) if (data / "qa" / name).is_dir() else []
        given = [d for d in given if d.rounds and (not quick or d.pages <= 30)]
        there = {document.name for document in given}
        asked_ = [q for q in questions(data / "qa" / name) if q.document in there] if there else []
        figures[f"questions_{name}"] = len(asked_)
        if not asked_:
            figures[f"page_recall_at_5_{name}"] = None
            continue
        within = name != "japanese"
        found = ladder(asked_, given, within=within)
        found |= product(asked_, given, within=within, last=quick)
        shown = [key for key in found if key.endswith("seeds only")][-1]
        for k in (1, 5):
            figures[f"page_recall_at_{k}_{name}"] = _means(asked_, found[shown], k)
        cross = [at for at, question in enumerate(asked_) if question.cross]
        figures[f"cross_page_recall_at_5_{name}"] = _means(
            [asked_[at] for at in cross], [found[shown][at] for at in cross], 5
        )
        tables[name] = _rows(asked_, found)
    return figures, tables


def _print(tables: Mapping[str, Any]) -> None:
    for name, rows in tables.items():
        columns = list(dict.fromkeys(column for row in rows.values() for column in row))
        print(f"\n{name}\n| | " + " | ".join(columns) + " |\n|---|" + "---|" * len(columns))
        for step, row in rows.items():
            cells: Iterable[object] = (row.get(column, "") for column in columns)
            print(f"| {step} | " + " | ".join(map(str, cells)) + " |")


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--home", type=Path, required=True, help="a G2_HOME with the PDFs added")
    given = parser.parse_args()
    figures, tables = measure(given.data, Home(UPath(given.home)), quick=given.quick)
    report(figures, tables if given.json else {}, as_json=given.json, packages=("lancedb",))
    if not given.json:
        _print(tables)


if __name__ == "__main__":
    main()
