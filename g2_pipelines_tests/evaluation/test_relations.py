"""Doers and causes that no sentence of the sources has."""

from __future__ import annotations

import pytest

from g2_pipelines.evaluation.check import check_text
from g2_pipelines.evaluation.sources import Source

TEXT = """当社は、計測機器の開発を成長戦略として取り組んでまいりました。
当社の課題は、熟練技能者の不足であります。
当社の強みは、長く培った加工技術であります。

受注の増加により、工場の稼働率が向上しました。

自己株式の取得により、純資産は減少しました。

経営成績は前年度より改善しました。
"""


def _wrong(text: str) -> list[tuple[str, str]]:
    claims = check_text(text, [Source(source_id="青嶺精機", text=TEXT)]).claims
    return [(c.text, c.status) for c in claims if c.kind == "statement" and c.status == "missing"]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (
            "当社の課題は、計測機器の開発を成長戦略として取り組んでまいりました。",
            [("課題", "missing")],
        ),
        ("当社の強みは、計測機器の開発を推進しております。", [("強み", "missing")]),
        ("受注の減少により、経営成績が改善しました。", [("経営成績", "missing")]),
        ("当社の課題は、熟練技能者の不足です。", []),
        ("この課題は、当社が計測機器の開発を進めております。", []),
        ("受注の増加に伴い、稼働率が向上しております。", []),
        ("当社は計測機器の開発に取り組んでおります。", []),
    ],
)
def test_a_thing_does_nothing_and_a_cause_is_the_sources(
    text: str, wrong: list[tuple[str, str]]
) -> None:
    assert _wrong(text) == wrong


def test_a_stray_chinese_conjunction_is_foreign() -> None:
    sources = [Source(source_id="青嶺精機", text=TEXT)]
    claims = check_text("受注は増加しました。但", sources).claims
    assert [(c.text, c.status) for c in claims if c.kind == "name"] == [("但", "missing")]
    assert not [
        c for c in check_text("但し、受注は増加しました。", sources).claims if c.kind == "name"
    ]
