"""Ways of answering that are set against each other: the method, parts of it, and baselines.

Here: ``Variant`` and ``VARIANTS``, the paper's ablations as configuration. How a variant is
carried out stands in ``defs``, the baselines' evidence in ``baselines``.

Every variant has the same budget of one readout: tokens, pictures of a call, and nodes (seeds with
their neighbours; ``planning_only`` and ``plain_rag`` take as many, all found by the search). Only
``zero_shot`` takes whole first pages, bounded by tokens alone. A baseline is asked by one worker,
checked and composed like the method: engine, prompts and proofs are the same.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from g2_pipelines.errors import InputError
from g2_pipelines.tables.rows import Row

EvidenceFrom = Literal["graph", "first_pages", "bm25"]


class Variant(Row):
    """How a benchmark is answered.

    images: pictures go to the model. planning: the question is taken apart. expansion: seeds
    bring their neighbours. refinements: at most so many. rounds: the round of the content
    graph that is searched, None for the indexed one. source: where evidence comes from.
    """

    name: str
    title: str
    images: bool = True
    planning: bool = True
    expansion: bool = True
    refinements: int = Field(default=3, ge=0, le=3)
    rounds: int | None = Field(default=None, ge=0, le=9)
    source: EvidenceFrom = "graph"


FULL = "full"
VARIANTS: dict[str, Variant] = {
    one.name: one
    for one in (
        Variant(name=FULL, title="両方のグラフ（方式どおり）"),
        Variant(name="no_images", title="画像なし", images=False),
        Variant(
            name="content_graph_only",
            title="内容グラフだけ（計画なし）",
            planning=False,
            refinements=0,
        ),
        Variant(name="planning_only", title="計画だけ（グラフの近傍なし）", expansion=False),
        *(
            Variant(name=f"refinements_{n}", title=f"改訂 {n} 回まで", refinements=n)
            for n in range(4)
        ),
        *(Variant(name=f"rounds_{n}", title=f"グラフの更新 {n} 回", rounds=n) for n in range(4)),
        Variant(
            name="plain_rag",
            title="素の RAG（BM25、グラフ・計画なし）",
            planning=False,
            expansion=False,
            refinements=0,
            source="bm25",
        ),
        Variant(
            name="zero_shot",
            title="検索なし（文書の先頭ページ）",
            planning=False,
            expansion=False,
            refinements=0,
            source="first_pages",
        ),
    )
}


class UnknownVariantError(InputError):
    """A run names a variant that there is not."""

    code = "unknown_variant"


def variant_of(name: str) -> Variant:
    """The variant of that name.

    Raises:
        UnknownVariantError: there is none.
    """
    if name not in VARIANTS:
        raise UnknownVariantError(
            f"There is no variant {name[:60]!r}",
            place="variants",
            remedy="Variants are " + ", ".join(VARIANTS),
        )
    return VARIANTS[name]
