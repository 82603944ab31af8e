"""Small invented documents and functions given to the graph's ports."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Sequence

from g2_pipelines.graph.ports import Analysis, NodeContext, NodeView, Proposal
from g2_pipelines.graph.state import GraphState
from g2_pipelines.models.errors import Failure
from g2_pipelines.tables.line2 import Bbox, Cell, DocumentNode, NodeKind, NodeReference, Region
from g2_pipelines.text.terms import terms

DOCUMENT = "spindle-0123456789ab"


def node(
    node_id: str,
    order: int,
    text: str,
    kind: NodeKind = "paragraph",
    *,
    page: int = 1,
    level: int | None = None,
    caption: str | None = None,
    box: tuple[float, float, float, float] | None = None,
    refers: Sequence[tuple[str, str]] = (),
    cells: Sequence[Cell] = (),
    image: str | None = None,
    document_id: str = DOCUMENT,
) -> DocumentNode:
    """A node; by default its box is a line at 40 points times its order."""
    x0, y0, x1, y1 = box or (50.0, 40.0 * order + 40, 500.0, 40.0 * order + 70)
    bbox = Bbox(x0=x0, y0=y0, x1=x1, y1=y1)
    references = [
        NodeReference(
            text=phrase, start=text.index(phrase), end=text.index(phrase) + len(phrase), target=to
        )
        for phrase, to in refers
    ]
    return DocumentNode(
        document_id=document_id,
        node_id=node_id,
        kind=kind,
        order=order,
        text=text,
        caption=caption,
        level=level,
        cells=list(cells),
        page=page,
        bbox=bbox,
        regions=[Region(page=page, bbox=bbox)],
        image=image,
        references=references,
        engine="test",
        engine_version="1",
    )


def ten_nodes() -> list[DocumentNode]:
    """A running head and nine body nodes over two pages: see test_structure for its edges."""
    return [
        node("head", -1, "青嶺技報 第12号", "furniture", box=(50, 10, 500, 30)),
        node("h1", 0, "1 主軸の熱変位", "heading", level=1),
        node("p1", 1, "主軸の温度は図1のとおり上がる。", refers=[("図1", "f1")]),
        node("f1", 2, "", "figure", box=(50, 120, 300, 250)),
        node("t0", 3, "条件\t値\n回転数\t8000", "table", box=(320, 120, 500, 250)),
        node("c1", 4, "図1 主軸の温度", "caption", box=(50, 255, 300, 270)),
        node("h2", 5, "1.1 補償", "heading", level=2, box=(50, 300, 500, 320)),
        node(
            "p2", 6, "変位は温度センサの値から予測され、その結果は送り軸の", box=(50, 330, 500, 700)
        ),
        node("p3", 7, "指令値に加えられる。", page=2, box=(50, 60, 500, 90)),
        node("h3", 8, "2 まとめ", "heading", level=1, page=2, box=(50, 120, 500, 140)),
    ]


def implicit_nodes() -> list[DocumentNode]:
    """Five implicit references: 同装置, 本手法, 上表, this method, the table above.

    Their names: 主軸熱変位補償装置 (the paragraph before), 逐次温度推定 (the section's title),
    機種別の受注残高 (the table's caption), spindle growth prediction method, Cold store capacity.
    """
    return [
        node("h1", 0, "3 装置の構成", "heading", level=1),
        node("a1", 1, "主軸熱変位補償装置は、主軸頭に置いた六つの温度センサからなる。"),
        node("a2", 2, "同装置は起動の直後から変位の予測を始める。"),
        node("h2", 3, "3.2 逐次温度推定", "heading", level=2),
        node("b1", 4, "本手法は過去の温度を少ない計算で更新していく。"),
        node(
            "t1",
            5,
            "機種\t台数\nAX\t12\nBX\t30",
            "table",
            caption="表2 機種別の受注残高",
            cells=[
                Cell(row=0, col=0, text="機種", header=True),
                Cell(row=0, col=1, text="台数", header=True),
            ],
        ),
        node("c1", 6, "上表のとおり、研削盤の受注が旋盤を上回っている。"),
        node("h3", 7, "4 Prediction", "heading", level=1, page=2),
        node(
            "d1",
            8,
            "We propose a spindle growth prediction method that reads six sensors.",
            page=2,
        ),
        node("d2", 9, "Because this method needs no camera, it suits small workshops.", page=2),
        node(
            "t2",
            10,
            "Store\tPallets\nKomaki\t9,400\nYaizu\t3,100",
            "table",
            page=2,
            caption="Table 3. Cold store capacity",
        ),
        node(
            "e1",
            11,
            "In the table above Komaki holds most pallets of the frozen chain.",
            page=2,
        ),
    ]


class HashedWords:
    """An embedding port: words hashed to 64 places, so equal words make texts alike."""

    engine = "test"
    model = "hashed/1"
    dimension = 64

    def __init__(self, fails: Callable[[str], Failure | None] = lambda _: None) -> None:
        self.asked: list[str] = []
        self._fails = fails

    async def embed(self, texts: Sequence[str]) -> list[list[float] | Failure]:
        self.asked += texts
        return [self._fails(text) or vector(text) for text in texts]


def vector(text: str) -> list[float]:
    """Counts of hashed search terms, plus a small constant so that none is zero."""
    out = [0.01] * 64
    for term in terms(text):
        out[hashlib.sha256(term.encode()).digest()[0] % 64] += 1.0
    return out


class Evolving:
    """An evolver given as a function of one context."""

    engine = "fake"
    model = "fake/1"
    prompt_version = "0"

    def __init__(self, propose: Callable[[NodeContext], Proposal | Failure]) -> None:
        self._propose = propose

    async def evolve(
        self, contexts: Sequence[NodeContext], vocabulary: object
    ) -> list[Proposal | Failure]:
        # Answers come back in the order asked, whatever finishes first.
        async def one(at: int, context: NodeContext) -> Proposal | Failure:
            await asyncio.sleep(0.001 * ((at * 7) % 5))
            return self._propose(context)

        return list(await asyncio.gather(*(one(at, c) for at, c in enumerate(contexts))))


class Analysing:
    """An analyst given as a function of one view."""

    engine = "fake"
    model = "fake/1"
    prompt_version = "0"

    def __init__(self, analyse: Callable[[NodeView], Analysis | Failure]) -> None:
        self._analyse = analyse

    async def analyse(
        self, views: Sequence[NodeView], vocabulary: object
    ) -> list[Analysis | Failure]:
        return [self._analyse(view) for view in views]


def digest(state: GraphState) -> str:
    """Digest over all rows of a state, in their order."""
    rows = [*state.nodes, *state.edges, state.metrics]
    text = "\n".join(json.dumps(row.model_dump(), sort_keys=True) for row in rows)
    return hashlib.sha256(text.encode()).hexdigest()
