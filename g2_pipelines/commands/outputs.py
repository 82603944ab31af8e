"""What the commands print with ``--json``: one document each, as pydantic models.

Here: the models alone; their JSON Schemas lie in docs/schemas (``g2 schema COMMAND`` prints
one). Their fields are the tables' columns.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from g2_pipelines.errors import Kind
from g2_pipelines.evaluation.preferences import Agreement, Preferences
from g2_pipelines.tables.ledger import EstimatedCost
from g2_pipelines.tables.line1 import (
    BriefEvaluation,
    CheckedSentence,
    Claim,
    CompanyBrief,
    DocumentKind,
    DroppedSpan,
    FilingFact,
    FilingSection,
    QaChunk,
    Segmentation,
    StyleVote,
    Turn,
)
from g2_pipelines.tables.line2 import (
    Answer,
    DocumentNode,
    DocumentPage,
    DocumentQuality,
    GraphEdge,
    GraphMetrics,
    GraphNode,
    IndexRow,
)
from g2_pipelines.tables.report import Comparison
from g2_pipelines.tables.rows import Span


class Output(BaseModel):
    """One JSON document on stdout."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ErrorRecord(Output):
    """A failure: what, in which file, at which place, and what to do."""

    code: str
    kind: Kind
    message: str
    file: str = ""
    place: str = ""
    remedy: str = ""


class ErrorOutput(Output):
    """What is printed instead of a result."""

    error: ErrorRecord


class FilingSectionsOutput(Output):
    """``g2 filing sections``."""

    dei: dict[str, str | None]
    document_id: str
    edinet_code: str
    fiscal_year: str
    sections: list[FilingSection]
    facts: list[FilingFact] = []
    segments: list[str] = []
    warnings: list[str]


class TranscriptChunksOutput(Output):
    """``g2 transcript chunks``."""

    transcript_id: str
    style: str
    votes: list[StyleVote]
    document_kind: DocumentKind
    document_kind_reason: str
    segmentation: Segmentation
    text: str
    turns: list[Turn]
    chunks: list[QaChunk]
    dropped: list[DroppedSpan]
    warnings: list[str]


class PdfNodesOutput(Output):
    """``g2 pdf nodes``; markdown with ``--markdown``."""

    document_id: str
    title: str | None
    pages: list[DocumentPage]
    nodes: list[DocumentNode]
    quality: DocumentQuality
    markdown: str | None = None
    warnings: list[str]


class AddedFile(Output):
    """A row a file of ``g2 add``."""

    file: str
    key: str = ""
    type: str = ""
    document_id: str = ""
    state: Literal["done", "unchanged", "failed"]
    error: ErrorRecord | None = None


class AddOutput(Output):
    """``g2 add``."""

    files: list[AddedFile]


class BriefOutput(Output):
    """``g2 brief make``."""

    edinet_code: str
    fiscal_year: str
    briefs: list[CompanyBrief]
    evaluations: list[BriefEvaluation]
    page: str


class CheckedSource(Output):
    """A source that a text was checked against: a filing's section, a transcript, a text."""

    source_id: str
    file: str
    characters: int


class Quote(Output):
    """The characters of a cited span."""

    span: Span
    text: str


class BriefCheckOutput(Output):
    """``g2 brief check``. totals counts claims by status; quotes holds every cited span once."""

    text: str
    claims: list[Claim]
    sentences: list[CheckedSentence]
    totals: dict[str, int]
    sources: list[CheckedSource]
    quotes: list[Quote]


class NotInReport(Output):
    """A company or pair that a report has to do without, and why."""

    key: str
    code: str
    message: str


class ReportOutput(Output):
    """``g2 report``: comparisons over all texts; the page and its data have the rest."""

    name: str
    page: str
    pages: int
    data_version: str
    report_digest: str
    texts: int
    flagged: int
    unpaired: int
    comparisons: list[Comparison]
    missing: list[NotInReport]
    unjudged: list[NotInReport] = []


class SheetMakeOutput(Output):
    """``g2 sheet make``: csv and page are for the readers, the key is not."""

    sheet_id: str
    items: int
    equal: int
    skipped: list[NotInReport] = []
    csv: str
    page: str
    key: str


class SheetReadOutput(Output):
    """``g2 sheet read``: by criterion, over items and between readers."""

    sheet_id: str
    readers: list[str]
    votes: int
    preferences: list[Preferences]
    agreement: list[Agreement]


class SearchHit(Output):
    """A hit: its index row without the vector, score, and how it was reached."""

    node: IndexRow
    score: float
    path: list[str]


class SearchDropped(Output):
    """A node that ranked among the evidence and was left out for a budget."""

    document_id: str
    node_id: str
    budget: Literal["tokens", "images"]


class SearchOutput(Output):
    """``g2 search``: hits, the graph's edges among them, what the budgets left out."""

    query: str
    hits: list[SearchHit]
    edges: list[GraphEdge] = []
    dropped: list[SearchDropped] = []


class AskOutput(Output):
    """``g2 ask``: the answer, and its page for a person."""

    answer: Answer
    page: str


class GraphOutput(Output):
    """``g2 graph show``; metrics of every stored round."""

    document_id: str
    round: int
    nodes: list[GraphNode]
    edges: list[GraphEdge]
    metrics: list[GraphMetrics]


class CostRow(Output):
    """Calls of one group: sent ones, those that the call cache answered, and so on.

    Tokens and money are those of sent calls. cached_share: of all answers, those that came
    from the call cache; server_cached_share: of the prompts' tokens, those that the server
    had in its prefix cache. refused: never sent (budget, quota, too long). saved: what the
    call cache's answers would have cost. money is null where a model has no price.
    """

    group: str
    calls: int
    sent: int
    cached: int
    failed: int
    refused: int
    in_flight: int
    prompt_tokens: int
    completion_tokens: int
    server_cached_tokens: int
    saved_tokens: int
    cached_share: float
    server_cached_share: float
    money: float | None
    saved_money: float | None


class CostsOutput(Output):
    """``g2 costs``. unpriced: models that the price table does not name."""

    subject: str
    by: Literal["task", "asset", "company", "day", "model"]
    rows: list[CostRow]
    total: CostRow
    currency: str
    unpriced: list[str]


class EstimateOutput(Output):
    """``g2 brief estimate``. notes: what the numbers rest on."""

    companies: int
    model: str
    by: Literal["asset", "company", "task"]
    rows: list[EstimatedCost]
    total: EstimatedCost
    currency: str
    notes: list[str]
    failed: list[ErrorRecord]


class CallsOutput(Output):
    """``g2 calls export`` and ``g2 calls prune``: how many stored answers."""

    done: Literal["exported", "pruned"]
    calls: int
    file: str


class DoctorItem(Output):
    """One thing looked at."""

    name: str
    ok: bool
    detail: str


class DoctorOutput(Output):
    """``g2 doctor``: settings in force (secrets masked) and what was found."""

    settings: dict[str, str]
    checks: list[DoctorItem]


class DemoOutput(Output):
    """``g2 demo``: where to look."""

    home: str
    briefs: list[str]
    answers: list[str]
    ui: str
    seconds: float


OUTPUTS: dict[str, type[Output]] = {
    "add": AddOutput,
    "ask": AskOutput,
    "brief-check": BriefCheckOutput,
    "brief-estimate": EstimateOutput,
    "brief-make": BriefOutput,
    "calls": CallsOutput,
    "costs": CostsOutput,
    "demo": DemoOutput,
    "doctor": DoctorOutput,
    "error": ErrorOutput,
    "filing-sections": FilingSectionsOutput,
    "graph-show": GraphOutput,
    "pdf-nodes": PdfNodesOutput,
    "report": ReportOutput,
    "search": SearchOutput,
    "sheet-make": SheetMakeOutput,
    "sheet-read": SheetReadOutput,
    "transcript-chunks": TranscriptChunksOutput,
}
