"""Homes with parsed documents, and a model behind a local server that resolves references."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.settings import Settings
from g2_pipelines.tables.line2 import DocumentNode, DocumentPage, PdfDocument
from g2_pipelines.tables.store import write_table
from g2_pipelines_tests.graph.samples import HashedWords
from g2_pipelines_tests.models.server import Reply, ServerRequest, chat

#: Hashed words are a coarse embedding: here rounds and assets are looked at, not likeness.
LOOSE = {"delta": 2.0, "epsilon": 2.0}
#: Phrase of an implicit reference, and the name that stands for it.
NAMES = {
    "同装置": "主軸熱変位補償装置",
    "本手法": "逐次温度推定",
    "上表": "機種別の受注残高",
    "this method": "spindle growth prediction method",
    "the table above": "Cold store capacity",
}


class HashedWorkspace(Workspace):
    """A workspace whose vectors cost nothing."""

    def embedding(self) -> Any:
        return HashedWords()


def home_of(
    folder: Path, documents: dict[str, Sequence[DocumentNode]], **settings: Any
) -> HashedWorkspace:
    """A home in which these documents are parsed."""
    given = {"home": str(folder), "evolution": LOOSE, **settings}
    ws = HashedWorkspace(Settings(_env_file=None, **given))
    for document_id, nodes in documents.items():
        rows = [node.model_copy(update={"document_id": document_id}) for node in nodes]
        pages = [
            DocumentPage(
                document_id=document_id, page=page, width_pt=595, height_pt=842, rotation=0,
                text_chars=1, source="text", engine="test",
            )
            for page in sorted({node.page for node in nodes})
        ]  # fmt: skip
        document = PdfDocument(
            document_id=document_id, file="x", name=f"{document_id}.pdf", digest="0" * 64,
            size_bytes=1, pages=len(pages),
        )  # fmt: skip
        write_table(ws.home.table("document_nodes", document_id), rows, DocumentNode)
        write_table(ws.home.table("document_pages", document_id), pages, DocumentPage)
        write_table(ws.home.table("pdf_documents", document_id), [document], PdfDocument)
    return ws


def resolving(request: ServerRequest) -> Reply:
    """The first line as a summary; in a round, a phrase's name from the unit that holds it."""
    prompt = request.prompt
    content = prompt.split("<<<\n", 1)[1].split("\n>>>", 1)[0]
    line = content.split("\n")[0]
    schema = request.schema or {}
    if "entities" in schema["properties"]:
        return said({"summary": line, "keywords": [], "entities": []})
    shown = re.split(r"\n\[(c\d+)\] ", prompt)
    for phrase, name in NAMES.items():
        at = line.lower().find(phrase)
        if at < 0:
            continue
        for label, text in zip(shown[1::2], shown[2::2], strict=True):
            if name in text.split("\n\n1. ")[0]:
                phrase_end = at + len(phrase)
                summary = f"{line[:phrase_end]}（{name}）{line[phrase_end:]}"
                links = [{"to": label, "relation": "reference"}]
                return said(
                    {"links": links, "update": True, "summary": summary, "keywords": [name]}
                )
    return said({"links": [], "update": False, "summary": "", "keywords": []})


def said(value: dict[str, Any]) -> Reply:
    """A chat completion with this JSON."""
    return chat(json.dumps(value, ensure_ascii=False))
