"""Where everything lies below G2_HOME. Used by ``defs`` and ``cli`` only.

Every path is made here and only from checked keys, so that no name from a file, a question
or a model can leave the home.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from upath import UPath

from g2_pipelines.keys import check_key

#: Folders of the inbox, one a sensor.
INBOX = ("filings", "transcripts", "pdfs", "questions")


@dataclass(frozen=True)
class Home:
    """The layout of one G2_HOME (a local folder or any fsspec URL)."""

    root: UPath

    def table(self, name: str, key: str) -> UPath:
        """Parquet of one table and partition; ``name`` may hold slashes (content_graph/round_1)."""
        return self.root / "tables" / name / f"{check_key(key, 'partition key')}.parquet"

    @property
    def raw(self) -> UPath:
        """Originals, named by their digest."""
        return self.root / "raw"

    @property
    def companies_csv(self) -> UPath:
        """The list of companies to follow."""
        return self.root / "companies.csv"

    def inbox(self, kind: str) -> UPath:
        """``inbox/{filings,transcripts,pdfs,questions}``."""
        return self.root / "inbox" / kind

    def make_inbox(self) -> None:
        """The inbox's folders, for a person to find; an object store has no empty ones."""
        if not isinstance(self.root, Path):
            return
        for kind in INBOX:
            self.inbox(kind).mkdir(parents=True, exist_ok=True)

    @property
    def outbox(self) -> UPath:
        """Answers as JSON and HTML."""
        return self.root / "outbox"

    @property
    def pages(self) -> UPath:
        """Static pages and pictures for people."""
        return self.root / "pages"

    def brief_page(self, edinet_code: str, fiscal_year: str) -> UPath:
        """The company brief of a year."""
        name = f"{check_key(fiscal_year, 'fiscal year')}.html"
        return self.pages / "briefs" / check_key(edinet_code, "EDINET code") / name

    def answer_page(self, question_id: str) -> UPath:
        """The page of an answer."""
        return self.pages / "answers" / f"{check_key(question_id, 'question id')}.html"

    def answer_state(self, question_id: str) -> UPath:
        """The finished steps of a question that is being answered; gone once it is."""
        name = f"{check_key(question_id, 'question id')}.json"
        return self.root / "registry" / "answering" / name

    def report_folder(self, name: str) -> UPath:
        """The pages and data files of an evaluation report."""
        return self.pages / "reports" / check_key(name, "report name")

    def document_images(self, document_id: str) -> UPath:
        """Page pictures and crops of a document."""
        return self.pages / "documents" / check_key(document_id, "document id")

    @property
    def lance(self) -> UPath:
        """The LanceDB database."""
        return self.root / "lance"

    @property
    def dagster(self) -> UPath:
        """DAGSTER_HOME."""
        return self.root / "dagster"
