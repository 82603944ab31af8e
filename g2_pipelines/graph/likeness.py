"""Guards of an update by embedding: it must stay itself, and apart from the others.

Here: ``judge_likeness``, a pure function of vectors. Not here: texts (``guards``). The two
bounds answer over-smoothing, by which the paper explains its losses beyond three rounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from g2_pipelines.graph.candidates import unit_rows
from g2_pipelines.graph.config import EvolutionConfig


def judge_likeness(
    node_id: str,
    proposed: Sequence[float],
    *,
    attributes: Mapping[str, Sequence[float]],
    content: Sequence[float] | None,
    config: EvolutionConfig,
) -> Literal["drifted", "smoothed"] | None:
    """Why the update is refused, or None.

    ``drifted``: its cosine to the node's own content is lower than the present attributes' by
    more than delta. ``smoothed``: 1 - cosine to the nearest other node of the frozen state
    shrinks by more than epsilon. Without a content vector the first rule has nothing to say.
    """
    pair = unit_rows([proposed, attributes[node_id]])
    if content is not None:
        own = unit_rows([content])[0]
        new, old = (float(value) for value in pair @ own)
        if new < old - config.delta:
            return "drifted"
    others = unit_rows([vector for other, vector in attributes.items() if other != node_id])
    if len(others):
        nearest = np.max(pair @ others.T, axis=1)
        if float(nearest[0]) > float(nearest[1]) + config.epsilon:
            return "smoothed"
    return None
