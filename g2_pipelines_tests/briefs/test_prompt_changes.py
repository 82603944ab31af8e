"""A changed prompt file calls again for what is asked with it, and for nothing else."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from g2_pipelines.briefs.build import build_summarizers
from g2_pipelines.briefs.final_summaries import finalize
from g2_pipelines.briefs.pre_summaries import pre_summarize
from g2_pipelines.models.build import build_completion
from g2_pipelines.models.config import CacheConfig, ModelConfig
from g2_pipelines.models.prompts import PromptSet
from g2_pipelines_tests.briefs.material import COMPANY, TOKENS, both_sections, run, splits_of
from g2_pipelines_tests.briefs.prompt_copies import changed_prompts
from g2_pipelines_tests.briefs.scripted import brief_config
from g2_pipelines_tests.models.server import ModelServer, Reply, ServerRequest, chat


def kind(request: ServerRequest) -> str:
    if "の要約】" in request.prompt:
        return "final"
    return "pre" if "下準備として" in request.prompt else "simple"


def fixed(_: ServerRequest) -> Reply:
    """Answers that do not depend on the prompt, so that what follows is asked the same."""
    return chat("事業環境は厳しい状況が続いている。")


async def brief(server: ModelServer, cache: Path, prompts: PromptSet | None) -> None:
    config = brief_config()
    port = build_completion(
        ModelConfig(base_url=server.base_url, model="test"),
        CacheConfig(url=f"sqlite:///{cache}"),
    )
    before, after = build_summarizers(port, prompts)
    for aspect in (config.aspects[0], None):
        pre = await pre_summarize(
            splits_of(both_sections()),
            company=COMPANY,
            aspect=aspect,
            config=config,
            summarizer=before,
            tokenizer=TOKENS,
        )
        await finalize(
            pre,
            company=COMPANY,
            aspect=config.aspects[0],
            config=config,
            summarizer=after,
            tokenizer=TOKENS,
            strategy="aspect" if aspect else "simple",
        )


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("", {}),
        ("ja/pre_summary", {"pre": 2}),
        ("ja/simple_pre_summary", {"simple": 2}),
        # The texts that ③ gets are equal for both strategies here: one call serves both.
        ("ja/final_summary", {"final": 1}),
        ("ja/query", {"final": 1}),
        ("ja/system", {"pre": 2, "simple": 2, "final": 1}),
        ("en/pre_summary", {}),
        ("ja/joint_pre_summary", {}),
    ],
)
def test_only_what_a_changed_prompt_asks_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, expected: dict[str, int]
) -> None:
    with ModelServer(fixed) as server:
        run(brief(server, tmp_path / "calls.sqlite", None))
        sent = server.count
        assert sent == 5
        prompts = changed_prompts(tmp_path, monkeypatch, file)
        run(brief(server, tmp_path / "calls.sqlite", prompts))
        assert Counter(kind(request) for request in server.requests[sent:]) == expected
