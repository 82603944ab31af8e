"""A G2_HOME to measure questions on: of the sample corpus, or over a parsed one without writing it.

Here: ``sample_home`` (registers the sample PDFs and runs the steps' own functions on them) and
``overlay`` (links to another home's tables, originals and pictures, with an index, a registry
and pages of its own). Both are workspaces in a folder that the caller gives.
"""

from __future__ import annotations

import asyncio
import shutil
from importlib.resources import files
from pathlib import Path

from benchmarks.report import progress
from g2_pipelines.defs.assets.documents import make_document_nodes, make_pdf_documents
from g2_pipelines.defs.assets.graph import make_round
from g2_pipelines.defs.evidence import graph_tables
from g2_pipelines.defs.manifest import ManifestRow
from g2_pipelines.defs.node_rows import document_rows
from g2_pipelines.defs.register import register
from g2_pipelines.defs.steps import StepRun
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.settings import Settings


def sample_home(folder: Path) -> Workspace:
    """The two sample PDFs, parsed, with all rounds of their graphs, and indexed."""
    from g2_pipelines.defs.assets.graph import _Models

    ws = Workspace(Settings(_env_file=None, home=str(folder)))
    pdfs = Path(str(files("g2_pipelines.corpus"))) / "pdfs"
    keys = [
        register(ws, file.read_bytes(), ManifestRow(file=file.name, type="pdf")).key
        for file in sorted(pdfs.glob("*.pdf"))
    ]
    models = _Models(ws, StepRun())

    async def make() -> None:
        for key in keys:
            await make_pdf_documents(ws, key)
            await make_document_nodes(ws, key)
            for round_ in range(ws.settings.rounds + 1):
                await make_round(models, round_, key)

    asyncio.run(make())
    index_all(ws)
    return ws


def overlay(home: Path, folder: Path) -> Workspace:
    """A workspace over a parsed home, nothing of which is written.

    The index is made anew, by the code that is measured, from the stored rounds.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("tables", "raw"):
        (folder / name).symlink_to((home / name).resolve())
    shutil.copytree(home / "registry", folder / "registry")
    shutil.rmtree(folder / "registry" / "benchmarks", ignore_errors=True)
    (folder / "pages").mkdir()
    if (home / "pages" / "documents").exists():
        (folder / "pages" / "documents").symlink_to((home / "pages" / "documents").resolve())
    ws = Workspace(Settings(_env_file=None, home=str(folder)))
    index_all(ws)
    return ws


def index_all(ws: Workspace) -> None:
    """Index every document whose last round is stored."""

    async def make() -> None:
        embedding = ws.embedding()
        index = ws.index(embedding)
        stored = ws.home.table(graph_tables(ws.index_round)[0], "x").parent
        for key in sorted(path.stem for path in stored.glob("*.parquet")):
            progress(f"index: {key}")
            index.replace_document(key, await document_rows(ws, embedding, ws.index_round, key))

    asyncio.run(make())
