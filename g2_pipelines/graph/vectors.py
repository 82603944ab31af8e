"""Vectors of nodes: made in one call for many texts, kept in the state, asked for once.

Here: ``embed_texts`` and ``with_vectors``. The embedding port decides how; nothing here knows
an engine. Imported by ``analyse``, ``evolve`` and by whoever fills the index.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from g2_pipelines.graph.state import GraphState, Vectors
from g2_pipelines.models.ports import EmbeddingPort


async def embed_texts(
    texts: Mapping[str, str], embedding: EmbeddingPort
) -> tuple[dict[str, list[float]], dict[str, str]]:
    """Vectors by key, and the failures' sentences by key; equal texts are embedded once."""
    distinct = list(dict.fromkeys(texts.values()))
    results = dict(zip(distinct, await embedding.embed(distinct), strict=True)) if distinct else {}
    vectors: dict[str, list[float]] = {}
    failures: dict[str, str] = {}
    for key, text in texts.items():
        result = results[text]
        if isinstance(result, list):
            vectors[key] = result
        else:
            failures[key] = str(result)
    return vectors, failures


async def with_vectors(
    state: GraphState, embedding: EmbeddingPort
) -> tuple[GraphState, dict[str, str]]:
    """The state with a vector for every node that can have one, and the failures by node_id.

    Only nodes without a vector are embedded: none when the state comes from the round before
    in the same process, all when it was read from its tables.
    """
    missing = {
        node.node_id: node.embedding_text
        for node in state.nodes
        if node.node_id not in state.vectors.attributes
    }
    if not missing:
        return state, {}
    made, failures = await embed_texts(missing, embedding)
    attributes: dict[str, Sequence[float]] = {**state.vectors.attributes, **made}
    ordered = {n.node_id: attributes[n.node_id] for n in state.nodes if n.node_id in attributes}
    vectors = Vectors(attributes=ordered, content=state.vectors.content)
    return replace(state, vectors=vectors), failures
