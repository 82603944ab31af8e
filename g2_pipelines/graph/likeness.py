"""Guards of an update by embedding: it must stay itself, and apart from the others.

Here: ``Likeness``, pure over vectors. Not here: texts (``guards``). The two bounds answer
over-smoothing, by which the paper explains its losses beyond three rounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from g2_pipelines.graph.candidates import unit_rows
from g2_pipelines.graph.config import EvolutionConfig


class Likeness:
    """Judges updates against the frozen attributes of a round's state."""

    def __init__(self, attributes: Mapping[str, Sequence[float]], config: EvolutionConfig) -> None:
        self._row_of = {node_id: row for row, node_id in enumerate(attributes)}
        self._matrix = unit_rows(list(attributes.values()))
        self._config = config

    def refusal(
        self, node_id: str, proposed: Sequence[float], content: Sequence[float] | None
    ) -> Literal["drifted", "smoothed"] | None:
        """Why the update is refused, or None.

        ``drifted``: its cosine to the node's own content is lower than the present attributes'
        by more than delta. ``smoothed``: 1 - cosine to the nearest other node shrinks by more
        than epsilon. Without a content vector the first rule has nothing to say.
        """
        row = self._row_of[node_id]
        pair = np.vstack([unit_rows([proposed])[0], self._matrix[row]])
        if content is not None:
            new, old = (float(value) for value in pair @ unit_rows([content])[0])
            if new < old - self._config.delta:
                return "drifted"
        if len(self._matrix) > 1:
            near = pair @ self._matrix.T
            near[:, row] = -np.inf
            nearest = near.max(axis=1)
            if float(nearest[0]) > float(nearest[1]) + self._config.epsilon:
                return "smoothed"
        return None
