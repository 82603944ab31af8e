"""Row models of line 1, company briefs (DEI, sections, transcripts, chunks, summaries).

Every table but ``companies`` and ``listing`` begins with edinet_code and fiscal_year
(YYYY-MM of the period's end). A test proves that each has a Polars schema.
"""

from __future__ import annotations

from typing import Literal

from g2_pipelines.tables.rows import Aspect, Cell, Made, Offset, Row, Span

SectionName = Literal[
    "policy", "mdna", "business", "risks", "research", "sustainability", "contracts"
]
SectionStatus = Literal["found", "empty", "missing", "not_in_this_form", "truncated_source"]
TranscriptKind = Literal["full_year", "quarter", "other"]
DocumentKind = Literal["verbatim", "edited", "company_digest", "asr"]
Role = Literal["question", "answer", "moderator", "presenter", "unknown"]
Segmentation = Literal["labelled", "voted", "model", "unsegmented"]
Strategy = Literal["aspect", "simple", "joint", "retrieval"]
ClaimKind = Literal[
    "number",
    "date",
    "period",
    "segment",
    "company",
    "person",
    "place",
    "product",
    "name",
    "statement",
]
ClaimStatus = Literal[
    "supported_local",
    "supported_elsewhere",
    "rounded",
    "derived",
    "sign_conflict",
    "unit_conflict",
    "scale_conflict",
    "altered",
    "missing",
]


class Company(Row):
    """companies.csv and the code list."""

    edinet_code: str
    name: str
    name_english: str | None = None
    securities_code: str | None = None
    industry: str | None = None
    fiscal_year_end: str | None = None


class CodeMerger(Row):
    """A retired EDINET code and the one that its filer uses now (EDINETコード集約一覧)."""

    merged: str
    used: str
    date: str | None = None


class Listing(Row):
    """One row of documents.json: the API's 29 fields by their own names, all nullable."""

    date: str
    seqNumber: int | None = None
    docID: str | None = None
    edinetCode: str | None = None
    secCode: str | None = None
    JCN: str | None = None
    filerName: str | None = None
    fundCode: str | None = None
    ordinanceCode: str | None = None
    formCode: str | None = None
    docTypeCode: str | None = None
    periodStart: str | None = None
    periodEnd: str | None = None
    submitDateTime: str | None = None
    docDescription: str | None = None
    issuerEdinetCode: str | None = None
    subjectEdinetCode: str | None = None
    subsidiaryEdinetCode: str | None = None
    currentReportReason: str | None = None
    parentDocID: str | None = None
    opeDateTime: str | None = None
    withdrawalStatus: str | None = None
    docInfoEditStatus: str | None = None
    disclosureStatus: str | None = None
    xbrlFlag: str | None = None
    pdfFlag: str | None = None
    attachDocFlag: str | None = None
    englishDocFlag: str | None = None
    csvFlag: str | None = None
    legalStatus: str | None = None


ListingChangeKind = Literal[
    "new", "withdrawn", "undisclosed", "disclosed", "edited", "expired", "changed", "missing"
]


class FieldChange(Row):
    """A field of a listing's row before and after."""

    name: str
    before: str | None = None
    after: str | None = None


class ListingChange(Row):
    """One row of a day's list that was other than when the day was last read.

    ``as_of`` is EDINET's processDateTime of the read that saw it. ``missing``: the answer
    lacked the row, which is kept.
    """

    date: str
    seqNumber: int | None = None
    docID: str | None = None
    edinetCode: str | None = None
    docTypeCode: str | None = None
    filerName: str | None = None
    change: ListingChangeKind
    fields: list[FieldChange] = []
    as_of: str = ""


class DocumentState(Row):
    """What EDINET says became of a document: 取下げ, 不開示, or 不開示の解除.

    ``at`` is the notice's time where there is one, else that of the list; ``notice`` the docID
    of the 取下書.
    """

    document_id: str
    state: Literal["withdrawn", "undisclosed", "disclosed"]
    at: str
    notice: str | None = None


class Filing(Row):
    """A stored filing: what its DEI says and where its raw zip lies."""

    edinet_code: str
    fiscal_year: str
    document_id: str
    document_type: str  # docTypeCode: 120 annual report, 130 its correction
    amends: str | None = None
    filer_name: str
    filer_name_english: str | None = None
    securities_code: str | None = None
    accounting_standard: str | None = None
    consolidated: bool | None = None
    period_start: str | None = None
    period_end: str
    submission: int | None = None
    amendment: bool = False
    segments: list[str] = []  # names of reported segments, as the filing writes them
    file: str  # below G2_HOME/raw
    digest: str  # SHA-256 of the zip
    warnings: list[str] = []


class SectionTable(Row):
    """A table of a section; its cells' start/end are ranges of the section's text.

    ``header`` is set for ``th`` and, since EDINET's tables have none, for the rows of words above
    the first row of amounts (``edinet/headers.py``).
    """

    order: int
    start: int
    end: int
    rows: int
    cols: int
    cells: list[Cell]


class SectionImage(Row):
    """An image of a section: alt text, file as the page names it, place in the text."""

    alt: str
    file: str
    place: int


class SectionHeading(Row):
    """A heading found inside a section, as a range of its text; level 1 is the outermost."""

    level: int
    text: str
    start: int
    end: int


class FilingSection(Row):
    """One text block of a filing; ``text`` adds only white space to the source's characters.

    ``text`` is "" unless status is found or truncated_source. ``element`` is the qualified
    name as the filing writes it, "" where missing. ``superseded_by`` is the docID of the
    correction that replaced it, ``withdrawn`` where EDINET says that the filing was withdrawn
    or is not disclosed; such rows are history and used by nothing.
    """

    edinet_code: str
    fiscal_year: str
    document_id: str
    document_type: str
    amends: str | None = None
    superseded_by: str | None = None
    section: SectionName
    element: str
    context: str
    page_file: str
    order: int
    text: str
    headings: list[SectionHeading] = []
    tables: list[SectionTable] = []
    images: list[SectionImage] = []
    status: SectionStatus
    warnings: list[str] = []

    @property
    def source_id(self) -> str:
        """``filing:{document_id}:{section}:{order}``."""
        return f"filing:{self.document_id}:{self.section}:{self.order}"


class DimensionMember(Row):
    """One explicit dimension of a fact's context, by local names."""

    axis: str
    member: str


class FilingFact(Row):
    """One tagged fact. value is the literal text; numbers are already scaled and signed.

    DEI stand in it as text without a unit. ``label`` is our table's, else the filer's own, else
    the caption of the row in which the page shows it. ``figure`` names a main figure of the year
    (sales, operating_profit, ordinary_profit, pretax_profit, net_profit, total_assets,
    net_assets, employees …; ``edinet/labels.csv`` lists them), for facts of the whole company
    alone; prior years have theirs too, by period. ``consolidated`` is False for 個別.
    ``superseded_by`` is the docID of the correction that states the fact anew: history, used by
    nothing.
    """

    edinet_code: str
    fiscal_year: str
    document_id: str
    element: str
    context: str
    period_start: str | None = None
    period_end: str | None = None  # the instant, where the context is one
    dimensions: list[DimensionMember] = []
    value: str | None = None
    unit: str | None = None
    decimals: str | None = None
    label: str | None = None
    figure: str | None = None
    consolidated: bool | None = None
    superseded_by: str | None = None


class Transcript(Row):
    """A transcript: its original's digest and its clean text (the only text used later)."""

    edinet_code: str
    fiscal_year: str
    transcript_id: str
    kind: TranscriptKind
    document_kind: DocumentKind
    document_kind_reason: str = ""  # why it was guessed; "" where the manifest says it
    file: str
    url: str | None = None
    digest: str
    encoding: str
    title: str | None = None
    text: str
    offsets: list[Offset] = []  # clean text → decoded original
    warnings: list[str] = []

    @property
    def source_id(self) -> str:
        """``transcript:{transcript_id}``."""
        return f"transcript:{self.transcript_id}"


class CompanyText(Row):
    """A text on a company that is no filing and no transcript, as its type's reader gave it.

    text_type: under which it was registered (product_text…).
    """

    edinet_code: str
    fiscal_year: str
    text_id: str
    text_type: str
    file: str
    url: str | None = None
    digest: str
    title: str | None = None
    text: str
    warnings: list[str] = []

    @property
    def source_id(self) -> str:
        """``text:{text_id}``."""
        return f"text:{self.text_id}"


class Turn(Row):
    """A speaker's turn; [start, end) of the transcript's clean text, label left out of text."""

    edinet_code: str
    fiscal_year: str
    transcript_id: str
    order: int
    speaker: str | None = None
    organisation: str | None = None
    title: str | None = None
    role: Role
    role_source: str
    confidence: float
    start: int
    end: int
    text: str
    t0: float | None = None
    t1: float | None = None


class StyleVote(Row):
    """How one label style fared in the vote of a document."""

    style: str
    lines: int
    labels: int
    repeats: int
    alternation: float
    chosen: bool


class DroppedSpan(Row):
    """A range of the clean text that no turn holds, with the reason."""

    start: int
    end: int
    reason: str


class TranscriptSegmentation(Row):
    """Per transcript: how it was cut, by which style, with which votes.

    ``segmentation`` ``model``: a model chose among numbered sentences; then engine, model,
    prompt_version and call_keys say which, else they are empty.
    """

    edinet_code: str
    fiscal_year: str
    transcript_id: str
    segmentation: Segmentation
    style: str
    votes: list[StyleVote] = []
    dropped: list[DroppedSpan] = []
    engine: str = ""
    model: str = ""
    prompt_version: str = ""
    call_keys: list[str] = []
    warnings: list[str] = []


class QaChunk(Row):
    """A question up to the next question, or a part of the presentation.

    spans are ranges of the clean text; text joins them by newlines. ``question`` are the
    ranges that ask. A later part at the size cap does not hold them: a model is shown them
    before its text, and ``tokens`` counts both.
    """

    edinet_code: str
    fiscal_year: str
    transcript_id: str
    chunk_id: str
    order: int
    part: Literal["presentation", "qa"]
    pattern: str  # QA, QAA, QQA…; "" for the presentation
    n_questions: int
    n_answers: int
    questioner: str | None = None
    answerers: list[str] = []
    question: list[Span] = []
    exchange_id: str | None = None
    parent_id: str | None = None
    is_followup: bool = False
    confidence: float
    spans: list[Span]
    text: str
    t0: float | None = None
    t1: float | None = None
    tokens: int
    warnings: list[str] = []


class SourceSplit(Row):
    """Part k of n (1-based) of one source at the input limit.

    ``text`` is exactly the spans' characters, joined; the parts' spans partition the source.
    ``model_text`` is what the model sees; ``model_offsets`` maps it back into ``text``
    (ranges that no run covers were added for the model, e.g. a repeated question).
    """

    edinet_code: str
    fiscal_year: str
    source_type: str
    split_id: str
    k: int
    n: int
    spans: list[Span]
    text: str
    model_text: str
    model_offsets: list[Offset]
    tokens: int
    tokenizer: str


class SummarySentence(Row):
    """[start, end) of a summary's text and the source spans that it is drawn from."""

    start: int
    end: int
    spans: list[Span] = []


class Summary(Made):
    """A pre-summary or final summary; the simple ones have the same form.

    source_type is "" for a final summary, aspect "" for a simple pre-summary. spans are the
    source ranges that the text was made from. Where the source says nothing of the aspect
    the text is 該当する記載なし and ``nothing_found`` is true.
    """

    edinet_code: str
    fiscal_year: str
    source_type: str
    aspect: Aspect
    strategy: Strategy
    text: str
    nothing_found: bool = False
    tokens: int
    finish_reason: str
    sentences: list[SummarySentence]
    spans: list[Span]
    warnings: list[str] = []


class FactEvidence(Row):
    """A tagged fact that a claim stands on; ``members`` are local names of its dimensions."""

    document_id: str
    element: str
    context: str
    period_end: str | None = None
    members: list[str] = []
    value: str
    unit: str | None = None
    label: str | None = None


class Claim(Row):
    """A checkable piece of a summary: [start, end) in it, status, evidence in the sources.

    item, segment and period are what a figure is said of (labels as known to the check, a
    period's key); None where the text does not say. kind ``statement`` is a direction or a
    denial (増加, 必要, …しなかった) or an item without a figure.
    """

    kind: ClaimKind
    text: str
    start: int
    end: int
    status: ClaimStatus
    evidence: list[Span] = []
    note: str = ""
    item: str | None = None
    segment: str | None = None
    period: str | None = None
    facts: list[FactEvidence] = []


class CheckedSentence(Row):
    """A summary's sentence with its best source spans and score 0…1.

    ``scores`` are those of ``evidence``, one each; ``supported`` is whether the sentence's own
    reaches the check's threshold.
    """

    start: int
    end: int
    score: float
    evidence: list[Span] = []
    scores: list[float] = []
    supported: bool = True


class Check(Row):
    """One named check of a text; ``gate`` says whether failing it stops the brief."""

    name: str
    passed: bool
    gate: bool
    value: float
    threshold: float
    message: str


class BriefEvaluation(Row):
    """The evaluation of one final summary."""

    edinet_code: str
    fiscal_year: str
    aspect: Aspect
    strategy: Strategy
    passed: bool
    claims: list[Claim]
    sentences: list[CheckedSentence]
    checks: list[Check]


class CompanyBrief(Row):
    """The brief as published: one row an aspect; ``page`` is its HTML below G2_HOME/pages."""

    edinet_code: str
    fiscal_year: str
    aspect: Aspect
    label: str
    text: str
    sources: list[str]  # document and transcript ids
    notes: list[str] = []  # e.g. no transcript for the year
    page: str
