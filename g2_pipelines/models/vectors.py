"""What both embedding engines share: cleaning a text, checking and rounding a vector."""

from __future__ import annotations

import math
from collections.abc import Sequence

from g2_pipelines.models.errors import BadVectorError
from g2_pipelines.models.ports import EmbeddingResult

#: Decimals kept. Batch composition and BLAS threads move values by 2e-7 (measured).
DECIMALS = 6


def encodable(text: str) -> str:
    """``text`` with half surrogates replaced, so that it can be encoded at all."""
    return text.encode("utf-8", "replace").decode("utf-8")


def checked(vector: Sequence[float], dimension: int, model: str) -> EmbeddingResult:
    """The vector rounded, or the BadVectorError that says what is wrong with it."""
    fault = ""
    if len(vector) != dimension:
        fault = f"has {len(vector)} numbers, not {dimension}"
    elif not all(math.isfinite(number) for number in vector):
        fault = "holds NaN or infinity"
    elif not any(vector):
        fault = "is all zero"
    if fault:
        remedy = "See the server's log, and take a higher precision or another model"
        if "numbers" in fault:
            remedy = f"Set the embedding dimension to {len(vector)}"
        return BadVectorError(f"A vector {fault}", file=model, remedy=remedy)
    return [round(number, DECIMALS) + 0.0 for number in vector]  # + 0.0: no minus zero
