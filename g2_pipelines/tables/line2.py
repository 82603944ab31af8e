"""Row models of line 2, G2-Reader (pages, nodes, graph, index, questions, answers).

Tables begin with document_id, the questions' with question_id. Pages are physical and
1-based; boxes are points, top-left origin, of the displayed page.
"""

from __future__ import annotations

from typing import Literal

from g2_pipelines.tables.rows import Bbox, Cell, Made, Row

NodeKind = Literal[
    "heading",
    "paragraph",
    "list",
    "table",
    "figure",
    "chart",
    "equation",
    "code",
    "footnote",
    "caption",
    "furniture",
]
StructuralKind = Literal["reading_order", "section", "caption_of", "refers_to", "continued_on"]
SemanticKind = Literal[
    "reference",
    "causal",
    "part_whole",
    "elaboration",
    "sequence",
    "contrast",
    "hierarchy",
    "dependency",
]
RefusedKind = Literal["link", "update", "keyword", "entity"]
PageSource = Literal["text", "ocr", "none"]
GapKind = Literal["missing", "ambiguous", "conflicting"]
AnswerFormat = Literal["short", "list", "number", "sentence"]
SEMANTIC_KINDS: tuple[SemanticKind, ...] = (
    "reference",
    "causal",
    "part_whole",
    "elaboration",
    "sequence",
    "contrast",
    "hierarchy",
    "dependency",
)


class PdfDocument(Row):
    """A registered PDF; document_id is a docID or slug + 12 hex of its SHA-256."""

    document_id: str
    edinet_code: str | None = None
    file: str  # below G2_HOME/raw
    name: str  # the file's own name, for people
    digest: str
    size_bytes: int
    pages: int
    title: str | None = None
    url: str | None = None


class DocumentPage(Row):
    """A page: displayed size in points, its text source, its picture below G2_HOME/pages."""

    document_id: str
    page: int
    width_pt: float
    height_pt: float
    rotation: int
    text_chars: int
    source: PageSource
    engine: str
    image: str | None = None
    warnings: list[str] = []


class Region(Row):
    """A place on a page."""

    page: int
    bbox: Bbox


class NodeReference(Row):
    """An explicit reference found in a node's text («図3», Table 2), [start, end) in it."""

    text: str
    start: int
    end: int
    target: str | None = None  # node_id where it was resolved


class DocumentNode(Row):
    """An atomic unit of a document. Furniture has order -1 and takes part in no edge.

    A table's text has its cells by tab and rows by newline. caption is not repeated in text.
    """

    document_id: str
    node_id: str
    kind: NodeKind
    order: int
    section_path: list[str] = []
    text: str
    caption: str | None = None
    level: int | None = None  # headings only, 1 is the outermost
    cells: list[Cell] = []
    page: int
    bbox: Bbox
    regions: list[Region]
    image: str | None = None  # crop below G2_HOME/pages
    ocr_text: str | None = None
    references: list[NodeReference] = []
    engine: str
    engine_version: str
    warnings: list[str] = []

    @property
    def source_id(self) -> str:
        """``node:{node_id}``."""
        return f"node:{self.node_id}"


class DocumentQuality(Row):
    """What was understood of a document, and what was not. kept_share: node characters
    against the text layer's, white space apart, on the pages whose layer was used (0 without
    any). pages_ocr were read as pictures; the text layer of pages_garbled names no characters.
    """

    document_id: str
    pages: int
    pages_without_text: list[int] = []
    pages_fallback: list[int] = []
    pages_ocr: list[int] = []
    pages_garbled: list[int] = []
    text_chars: int
    node_chars: int
    kept_share: float
    tables: int
    figures: int
    captions_bound: int
    captions_unbound: int
    warnings: list[str] = []


class Resolved(Row):
    """A term of a summary that comes from another node."""

    term: str
    from_node: str


class GraphNode(Made):
    """A node's attributes after a round. degraded: its call failed, it stayed as it was."""

    document_id: str
    round: int
    node_id: str
    summary: str
    keywords: list[str]
    entities: list[str] = []
    resolved: list[Resolved] = []
    degraded: bool = False
    changed: bool
    embedding_text: str


class GraphEdge(Row):
    """A directed edge. Structural kinds never change; rank is 1… among a node's semantic
    edges of a round, 0 for structural ones.
    """

    document_id: str
    round: int
    source: str
    target: str
    kind: Literal[
        "reading_order",
        "section",
        "caption_of",
        "refers_to",
        "continued_on",
        "reference",
        "causal",
        "part_whole",
        "elaboration",
        "sequence",
        "contrast",
        "hierarchy",
        "dependency",
    ]
    rank: int = 0


class Refused(Row):
    """How many links, updates (attribute changes), keywords or entities a round refused for one
    reason; keywords and entities are those of texts that stand.
    """

    what: RefusedKind
    reason: str
    count: int


class GraphMetrics(Row):
    """What a round did. embedding_spread: mean pairwise cosine distance of the nodes.

    nearest_margin: mean of 1 - cosine to the nearest other node; margin_change: it minus that
    of the round before. edge_jaccard compares the semantic edges (source, target, kind) with
    those before. carried: the round was not run, because the one before changed too little or
    made the nodes alike.
    """

    document_id: str
    round: int
    nodes: int
    changed: int
    degraded: int
    structural_edges: int
    semantic_edges: int
    edges_added: int
    edges_dropped: int
    links_rejected: int
    updates_rejected: int
    distinct_keywords: int
    embedding_spread: float
    nearest_margin: float = 0.0
    margin_change: float = 0.0
    edge_jaccard: float = 1.0
    keywords_rejected: int = 0
    refused: list[Refused] = []
    carried: bool = False


class IndexRow(Row):
    """A row of the LanceDB table (one a node, of the chosen round).

    printed_page: the number printed on the page, where it has one. pages: of the document.
    page_terms: search terms of all rows of the page.
    """

    document_id: str
    edinet_code: str | None = None
    node_id: str
    round: int
    kind: NodeKind
    order: int
    text: str
    caption: str = ""
    summary: str
    keywords: list[str]
    search_text: str  # folded, what full text sees
    vector: list[float]
    embedding_model: str
    dimension: int
    page: int
    printed_page: int | None = None
    pages: int
    page_terms: int
    bbox: Bbox
    image: str | None = None  # crop below G2_HOME/pages


class Question(Row):
    """A question and its scope: documents named, or a company's, or all indexed ones."""

    question_id: str
    question: str
    documents: list[str] = []
    edinet_code: str | None = None
    format: AnswerFormat = "sentence"
    priority: Literal["low", "normal", "high"] = "normal"  # of its run
    metadata: list[str] = []  # "key=value", as the asker gave them
    file: str = ""
    digest: str = ""


class PlanNode(Row):
    """A sub-question; depends_on are ids of nodes that are answered before it."""

    id: str
    task: str
    depends_on: list[str] = []


class PlanVersion(Row):
    """The plan before refinement r + 1; the root is the unchanged question, last."""

    version: int
    nodes: list[PlanNode]
    root: str
    notes: list[str] = []


class CopiedValue(Row):
    """A value copied from evidence, as it stands there.

    place: where in the node, e.g. ``p.3, row 2, column 4``; by code, never by a model.
    """

    label: str
    text: str
    unit: str = ""
    node_id: str
    place: str = ""


class EvidenceNode(Row):
    """A retrieved node with its score and the path by which it was reached."""

    node_id: str
    document_id: str
    score: float
    path: list[str]  # e.g. ["seed"], ["seed n3", "section"]


class SubAnswer(Made):
    """A worker's answer to a sub-question."""

    plan_version: int
    id: str
    task: str
    answer: str
    found: bool
    cited: list[str]
    evidence: list[EvidenceNode] = []
    values: list[CopiedValue] = []
    operation: str = ""
    result: str = ""
    retries: list[str] = []  # second looks: why, and whether it was found then
    evidence_digest: str = ""  # of all that the worker was shown


class Gap(Row):
    """What the checker finds lacking."""

    plan_version: int
    kind: GapKind
    text: str


class Citation(Row):
    """A citation: page, box and a quote that stands in the node's text."""

    document_id: str
    node_id: str
    page: int
    bbox: Bbox
    quote: str
    claim: str = ""
    image: str | None = None


class AnswerValue(Row):
    """A number of an answer, typed: ``value`` in the base unit, as decimal text (4,120百万円 is
    4120000000 円), with what its source calls it.

    origin: a cited node holds it, a recorded operation gave it, or the question says it.
    node_id: where it is cited; step: the sub-question whose operation gave it. label and period:
    of its row, column or clause; empty where the source leaves them open.
    """

    text: str
    value: str
    unit: str = ""
    label: str = ""
    period: str = ""
    origin: Literal["cited", "calculated", "question"]
    node_id: str = ""
    step: str = ""


class Answer(Made):
    """The answer to a question with all that led to it.

    format: as it was asked for; items: of a list; values: the answer's numbers, in order.
    """

    question_id: str
    question: str
    documents: list[str]
    plan_versions: list[PlanVersion]
    sub_answers: list[SubAnswer]
    gaps: list[Gap] = []
    verdict: Literal["sufficient", "partial", "insufficient", "unknown"]
    answer: str
    citations: list[Citation] = []
    unanswerable: bool
    why: str = ""
    index_digest: str = ""  # of the index states used
    format: AnswerFormat = "sentence"
    items: list[str] = []
    values: list[AnswerValue] = []
