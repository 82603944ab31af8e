"""The registry: which originals were taken in, for whom, and where they lie.

Here: an entry per filing, transcript, PDF and question, as one small JSON file each, and
the copy of the original under its digest. Both ``g2 add`` and the inbox sensors write it;
``filings``, ``transcripts``, ``pdf_documents`` and ``questions`` read it. One file an entry
means that two writers never lose each other's, and that registering twice changes nothing.
Nothing here knows Dagster.
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Literal

from pydantic import ValidationError
from upath import UPath

from g2_pipelines.errors import NotYetError, StateError
from g2_pipelines.keys import check_key, digest_of
from g2_pipelines.tables.line1 import DocumentKind, DocumentState, TranscriptKind
from g2_pipelines.tables.line2 import Question
from g2_pipelines.tables.paths import Home
from g2_pipelines.tables.rows import R, Row
from g2_pipelines.tables.store import write_atomic

EntryKind = Literal[
    "filings", "transcripts", "texts", "pdfs", "questions", "listed", "downloads", "states"
]


class Original(Row):
    """An original: its own name, its digest, and its copy below G2_HOME/raw."""

    name: str
    digest: str
    raw: str


class FilingEntry(Original):
    """A filing's zip. fiscal_year is unknown (None) while the zip cannot be read."""

    edinet_code: str
    document_id: str
    document_type: str
    fiscal_year: str | None
    amends: str | None = None


class TranscriptEntry(Original):
    """A transcript's file with what its manifest says of it."""

    edinet_code: str
    fiscal_year: str
    kind: TranscriptKind
    document_kind: DocumentKind | None  # None: to be guessed from the text
    url: str | None = None


class TextEntry(Original):
    """A company text under its type; fiscal_year None: of every year."""

    edinet_code: str
    fiscal_year: str | None
    text_type: str
    url: str | None = None


class ListedFiling(Row):
    """A filing that EDINET lists for a followed company, to be downloaded.

    fiscal_year is that of the list's periodEnd, which a correction may lack; ``xbrl``, ``pdf``
    and ``csv`` say which forms EDINET offers.
    """

    edinet_code: str
    document_id: str
    document_type: str
    amends: str | None = None
    description: str | None = None
    fiscal_year: str | None = None
    date: str = ""
    xbrl: bool = True
    pdf: bool = False
    csv: bool = False


class Download(Original):
    """A file that was downloaded whole: document_id and EDINET's type of it (1, 2, 5)."""

    document_id: str
    form: int


class PdfEntry(Original):
    """A PDF; edinet_code where it belongs to a company."""

    document_id: str
    edinet_code: str | None = None
    url: str | None = None


class NotRegisteredError(NotYetError):
    """Nothing of this kind was registered for the key."""

    code = "not_registered"


class Registry:
    """Entries and originals of one home."""

    def __init__(self, home: Home) -> None:
        self._home = home

    def keep(self, content: bytes, kind: EntryKind, name: str) -> Original:
        """Copy an original to ``raw/{kind}/{its SHA-256}/{its name}``, unless it is there."""
        digest = digest_of(content)
        raw = f"{kind}/{digest}/{safe_name(name)}"
        path = self._home.raw / raw
        if not path.exists():
            write_atomic(path, content)
        return Original(name=name, digest=digest, raw=raw)

    def original(self, raw: str, digest: str) -> bytes:
        """The bytes of an original, verified.

        Raises:
            StateError: it is gone or changed.
        """
        try:
            content = bytes((self._home.raw / raw).read_bytes())
        except FileNotFoundError as error:
            msg = "A registered original is gone"
            raise StateError(msg, file=raw, remedy="Add the file again") from error
        if digest_of(content) != digest:
            msg = "A registered original was changed"
            raise StateError(msg, file=raw, remedy="Delete it and add the file again")
        return content

    @contextmanager
    def local_copy(self, digest: str, raw: str) -> Iterator[Path]:
        """A verified original as a local file of its own name, while the context is open."""
        content = self.original(raw, digest)
        path = self._home.raw / raw
        if isinstance(path, Path):
            yield path
            return
        with TemporaryDirectory() as folder:
            local = Path(folder) / path.name
            local.write_bytes(content)
            yield local

    def _folder(self, kind: EntryKind) -> UPath:
        return self._home.root / "registry" / kind

    def _entry(self, kind: EntryKind, path: list[str]) -> UPath:
        target = self._folder(kind)
        for part in path:
            target /= check_key(part, "key")
        return target.parent / f"{target.name}.json"

    def _drop(self, kind: EntryKind, path: list[str]) -> None:
        self._entry(kind, path).unlink(missing_ok=True)

    def _write(self, kind: EntryKind, path: list[str], entry: Row) -> bool:
        target = self._entry(kind, path)
        content = (entry.model_dump_json(indent=1) + "\n").encode()
        if target.exists() and target.read_bytes() == content:
            return False
        write_atomic(target, content)
        return True

    def add_filing(self, entry: FilingEntry) -> bool:
        """Register; a later entry of the same document replaces it. True if it is news."""
        return self._write("filings", [entry.edinet_code, entry.document_id], entry)

    def drop_filing(self, entry: FilingEntry) -> None:
        """Take a filing's entry out; its original stays."""
        self._drop("filings", [entry.edinet_code, entry.document_id])

    def drop_transcript(self, entry: TranscriptEntry) -> None:
        """Take a transcript's entry out; its original stays."""
        self._drop("transcripts", [entry.edinet_code, entry.digest[:16]])

    def add_transcript(self, entry: TranscriptEntry) -> bool:
        """Register a transcript under its digest. True if it is news."""
        return self._write("transcripts", [entry.edinet_code, entry.digest[:16]], entry)

    def add_text(self, entry: TextEntry) -> bool:
        """Register a company text under its type, year and digest. True if it is news."""
        return self._write("texts", [entry.edinet_code, _text_key(entry)], entry)

    def drop_text(self, entry: TextEntry) -> None:
        """Take a company text's entry out; its original stays."""
        self._drop("texts", [entry.edinet_code, _text_key(entry)])

    def texts(self, edinet_code: str) -> list[TextEntry]:
        """The company's texts by type, year and digest; empty if none."""
        folder = self._folder("texts") / edinet_code
        return [_parse(p, TextEntry) for p in _entries(folder)]

    def add_pdf(self, entry: PdfEntry) -> bool:
        """Register a PDF. True if it is news."""
        return self._write("pdfs", [entry.document_id], entry)

    def add_question(self, question: Question) -> bool:
        """Register a question. True if it is news or was changed."""
        return self._write("questions", [question.question_id], question)

    def add_listed(self, filing: ListedFiling) -> bool:
        """Note a filing to be downloaded. True if it is news."""
        return self._write("listed", [filing.edinet_code, filing.document_id], filing)

    def noted(self, edinet_code: str) -> list[ListedFiling]:
        """All filings of the company that were ever noted, in order of their document ids."""
        folder = self._folder("listed") / edinet_code
        return [_parse(p, ListedFiling) for p in _entries(folder)]

    def listed(self, edinet_code: str) -> list[ListedFiling]:
        """Noted filings of the company that are not registered yet."""
        there = {entry.document_id for entry in self.filings(edinet_code)}
        return [f for f in self.noted(edinet_code) if f.document_id not in there]

    def owners(self, document_id: str) -> list[str]:
        """EDINET codes of the companies for which a filing is registered or noted."""
        name = f"{check_key(document_id, 'document id')}.json"
        found = {
            path.parent.name
            for kind in ("filings", "listed")
            if (folder := self._folder(kind)).exists()
            for path in folder.glob(f"*/{name}")
        }
        return sorted(found)

    def add_state(self, state: DocumentState) -> bool:
        """Note what became of a document. True if it is news."""
        return self._write("states", [state.document_id], state)

    def state(self, document_id: str) -> DocumentState | None:
        """What EDINET said became of a document; None if nothing."""
        path = self._entry("states", [document_id])
        return _parse(path, DocumentState) if path.exists() else None

    def add_download(self, download: Download) -> bool:
        """Note a file as downloaded whole. True if it is news."""
        return self._write("downloads", [f"{download.document_id}-{download.form}"], download)

    def download(self, document_id: str, form: int) -> Download | None:
        """The file of a document that was downloaded, None if it was not."""
        path = self._entry("downloads", [f"{document_id}-{form}"])
        return _parse(path, Download) if path.exists() else None

    @contextmanager
    def only_one(self, name: str) -> Iterator[None]:
        """Keep other processes of this machine from doing ``name`` meanwhile.

        The kernel drops the lock with the process. On an object store the lock lies beside
        the machine's other temporary files; between machines, Dagster's pools keep order.
        """
        root = self._home.root
        folder = root if isinstance(root, Path) else Path(gettempdir())
        folder = folder / "registry" / "locks"
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / f"{check_key(name, 'lock')}.lock").open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def filings(self, edinet_code: str) -> list[FilingEntry]:
        """The company's filings in order of their document ids; empty if none."""
        return [_parse(p, FilingEntry) for p in _entries(self._folder("filings") / edinet_code)]

    def transcripts(self, edinet_code: str) -> list[TranscriptEntry]:
        """The company's transcripts in order of their digests; empty if none."""
        folder = self._folder("transcripts") / edinet_code
        return [_parse(p, TranscriptEntry) for p in _entries(folder)]

    def pdf(self, document_id: str) -> PdfEntry:
        """A PDF's entry.

        Raises:
            NotRegisteredError: the document is unknown.
        """
        path = self._folder("pdfs") / f"{check_key(document_id, 'document id')}.json"
        if not path.exists():
            msg = f"Document {document_id!r} is not registered"
            raise NotRegisteredError(msg, file=document_id, remedy="Add its PDF with `g2 add`")
        return _parse(path, PdfEntry)

    def pdfs(self) -> list[PdfEntry]:
        """All PDFs in order of their document ids."""
        return [_parse(p, PdfEntry) for p in _entries(self._folder("pdfs"))]

    def question(self, question_id: str) -> Question:
        """A question as it was asked.

        Raises:
            NotRegisteredError: the question is unknown.
        """
        path = self._folder("questions") / f"{check_key(question_id, 'question id')}.json"
        if not path.exists():
            msg = f"Question {question_id!r} is not registered"
            raise NotRegisteredError(msg, file=question_id, remedy="Ask it with `g2 ask`")
        return _parse(path, Question)


def safe_name(name: str) -> str:
    """A file's own name as one path component: no folders, control characters or dots first."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    kept = "".join(c if c.isprintable() and c not in '<>:"|?*#%' else "_" for c in last)
    return kept.lstrip(".").strip()[-80:] or "unnamed"


def _text_key(entry: TextEntry) -> str:
    return f"{entry.text_type}-{entry.fiscal_year or 'all'}-{entry.digest[:16]}"


def _entries(folder: UPath) -> list[UPath]:
    if not folder.exists():
        return []
    return sorted((p for p in folder.iterdir() if p.suffix == ".json"), key=lambda p: p.name)


def _parse(path: UPath, model: type[R]) -> R:
    try:
        return model.model_validate_json(path.read_bytes())
    except ValidationError as error:
        msg = f"A registry entry is damaged: {error.error_count()} faults"
        raise StateError(msg, file=str(path), remedy="Delete it and add the file again") from error
