"""The settings of evolution, as one frozen value.

Here: ``EvolutionConfig``. Not here: where they are read from (``settings``, ``defs``).
"""

from __future__ import annotations

from pydantic import Field

from g2_pipelines.tables.rows import Row


class EvolutionConfig(Row):
    """What bounds a round. Similarities are cosines of unit vectors.

    delta: an update is refused when its similarity to the node's own content is lower than
    the present attributes' by more than this. epsilon: likewise when 1 - similarity to the
    nearest other node shrinks by more than this. Measured with the embedded embedding on
    nodes of one sentence, the hardest case: a resolved reference costs up to 0.27 of the one
    and 0.31 of the other, a summary copied from a neighbour 0.34 to 0.72 and 0.48 to 0.80.
    """

    nearest: int = Field(5, ge=0, description="Nearest nodes by embedding that are candidates")
    candidates: int = Field(16, ge=1, le=32, description="Most candidates of a node")
    out_degree: int = Field(5, ge=0, le=5, description="Semantic links out of a node")
    in_degree: int = Field(12, ge=1, description="Semantic links into a node")
    summary_words: int = Field(30, ge=5, description="Words of an English summary")
    summary_characters: int = Field(80, ge=20, description="Characters of a Japanese summary")
    keywords: int = Field(12, ge=1, description="Keywords of a node, the resolved included")
    delta: float = Field(0.3, ge=0, le=2, description="Largest fall of likeness to own content")
    epsilon: float = Field(0.4, ge=0, le=2, description="Largest loss of nearest margin")
    degraded_share: float = Field(0.2, ge=0, le=1, description="Failed nodes a document may have")
    stop_changed_share: float | None = Field(
        0.01, ge=0, le=1, description="Stop early once no more nodes change; None runs every round"
    )
    stop_edge_jaccard: float = Field(
        0.99, ge=0, le=1, description="Early stop: links that a round must leave as they are"
    )
    stop_margin_loss: float | None = Field(
        0.2,
        ge=0,
        le=2,
        description="Stop early once a round brings the nearest nodes closer by more; None: never",
    )
    batch: int = Field(256, ge=1, description="Nodes handed to a model engine at once")
