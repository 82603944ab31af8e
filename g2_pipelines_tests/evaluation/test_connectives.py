"""Connectives whose antecedent a summary left out."""

from __future__ import annotations

import pytest

from g2_pipelines.evaluation.check import check_text
from g2_pipelines.evaluation.connectives import dangling
from g2_pipelines.evaluation.sources import Source

TEXT = (
    "原材料の価格は春から上がりました。このため、当社は秋に製品の価格を改めました。"
    "工作機械の受注は欧州で伸びました。しかし、国内の需要は弱いままでした。"
    "また、熟練技能者の採用を進めました。"
)


def _words(text: str) -> list[str]:
    checked = check_text(text, [Source(source_id="a", text=TEXT)]).sentences
    return [text[start:end] for start, end in dangling(text, checked, {"a": TEXT})]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("原材料の価格は春から上がりました。このため、当社は秋に製品の価格を改めました。", []),
        (
            "工作機械の受注は欧州で伸びました。このため、当社は秋に製品の価格を改めました。",
            ["このため"],
        ),
        ("原材料の価格は春から上がりました。しかし、国内の需要は弱いままでした。", ["しかし"]),
        ("しかし、国内の需要は弱いままでした。", ["しかし"]),
        # The writer's own word joins what it stands between; また needs nothing before it.
        ("原材料の価格は春から上がりました。しかし、工作機械の受注は欧州で伸びました。", []),
        ("また、熟練技能者の採用を進めました。", []),
    ],
)
def test_a_connective_needs_the_sentence_that_it_points_to(text: str, words: list[str]) -> None:
    assert _words(text) == words
