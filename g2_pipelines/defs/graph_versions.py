"""What the content graph's assets depend on besides their inputs: their code versions.

Here: one digest an asset over the engine, its model, its prompt and the settings that enter
the work, so that a changed prompt or model marks the rounds that it makes as stale and no
other. Nothing is contacted, no engine is built.

https://docs.dagster.io/guides/build/assets/asset-versioning-and-caching
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.graph.config import EvolutionConfig
from g2_pipelines.keys import digest_of
from g2_pipelines.models.prompts import PromptSet

PACKAGE = "g2_pipelines.graph"
#: What of the settings enters round 0; the batch's size and the failures allowed enter nothing.
_ANALYSIS = ("summary_words", "summary_characters", "keywords")
_NEVER = {"batch", "degraded_share"}
INDEX_ROWS = "2"


class GraphVersions:
    """Code versions for one workspace's settings.

    Args:
        ws: Engine, model, embedding, vision and evolution settings.
        prompts: The prompt files; None takes the shipped ones.
    """

    def __init__(self, ws: Workspace, prompts: PromptSet | None = None) -> None:
        self._ws = ws
        self._prompts = prompts or PromptSet(PACKAGE)

    def of_round(self, round_: int) -> str:
        """Of ``content_graph/round_{n}``."""
        config = self._ws.evolution
        told: Iterable[object]
        if round_ == 0:
            told = [getattr(config, name) for name in _ANALYSIS]
            return self._digest("analyse", told)
        told = [
            [name, getattr(config, name)]
            for name in EvolutionConfig.model_fields
            if name not in _NEVER
        ]
        return self._digest("evolve", told)

    def of_index(self) -> str:
        """Of ``node_index``: what its rows hold besides the round's nodes."""
        return digest_of(json.dumps([INDEX_ROWS, *self._embedding()]).encode())[:12]

    def _embedding(self) -> list[object]:
        given = self._ws.settings
        return [given.embedding, given.embedding_model, given.embedding_dimension]

    def _digest(self, prompt: str, told: Iterable[object]) -> str:
        given = self._ws.settings
        if given.engine == "extractive":
            from g2_pipelines.graph import extract, extractive

            maker: list[object] = [extract.MODEL if prompt == "analyse" else extractive.MODEL]
        else:
            version = self._prompts.version(prompt)
            maker = [given.engine, given.model, given.model_revision, version, given.vision]
        text = json.dumps([*maker, *self._embedding(), *told])
        return digest_of(text.encode())[:12]
