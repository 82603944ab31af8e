"""A wrong period is one finding, and the figures under it are borne out."""

from __future__ import annotations

import pytest

from g2_pipelines.evaluation.check import check_text
from g2_pipelines.evaluation.sources import Source

TEXT = (
    "2024年3月期の売上高は48,620百万円、営業利益は3,815百万円となりました。"
    "2023年3月期の売上高は45,190百万円、営業利益は3,402百万円でした。"
    "2023年10月に秋田工場を開設しました。"
)
GOOD = {"supported_local", "supported_elsewhere", "rounded", "derived"}


def _bad(text: str) -> list[tuple[str, str]]:
    claims = check_text(text, [Source(source_id="青嶺精機", text=TEXT)]).claims
    return [(claim.kind, claim.text) for claim in claims if claim.status not in GOOD]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("2208年3月期の売上高は48,620百万円、営業利益は3,815百万円となりました。", "2208年3月期"),
        ("2203年10月に秋田工場を開設しました。", "2203年10月"),
        ("2023年3月期の売上高は48,620百万円、営業利益は3,815百万円となりました。", "2023年3月期"),
    ],
)
def test_one_wrong_period_is_one_finding(text: str, wrong: str) -> None:
    assert _bad(text) == [("period", wrong)]


def test_a_wrong_figure_beside_a_wrong_period_stays_found() -> None:
    text = "2208年3月期の売上高は48,260百万円、営業利益は3,815百万円となりました。"
    assert ("number", "48,260百万円") in _bad(text)
