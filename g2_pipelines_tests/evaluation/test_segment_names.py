"""Segment names cut short or lengthened."""

from __future__ import annotations

import pytest

from g2_pipelines.evaluation.check import check_text
from g2_pipelines.evaluation.sources import Source

TEXT = (
    "当社グループは低温物流事業、食品卸売事業及び日本事業を営んでおります。"
    "低温物流事業では、冷凍倉庫の稼働率が改善しました。当社の食品卸売事業は新たな顧客を得ました。"
    "日本事業は観光客の増加により回復しました。主力の低温物流事業に投資します。"
)
SEGMENTS = ["低温物流事業", "食品卸売事業", "日本事業"]


def _status(text: str, source: str = TEXT) -> list[tuple[str, str]]:
    claims = check_text(text, [Source(source_id="a", text=source)], segments=SEGMENTS).claims
    return [(claim.text, claim.status) for claim in claims if claim.kind == "segment"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("物流事業では、冷凍倉庫の稼働率が改善しました。", "物流事業"),
        ("卸売事業は新たな顧客を得ました。", "卸売事業"),
        ("国内日本事業は観光客の増加により回復しました。", "国内日本事業"),
        ("高度低温物流事業に投資します。", "高度低温物流事業"),
    ],
)
def test_a_name_cut_short_or_lengthened_is_altered(text: str, name: str) -> None:
    assert _status(text) == [(name, "altered")]


@pytest.mark.parametrize("text", ["低温物流事業に投資します。", "主力の日本事業は回復しました。"])
def test_the_name_itself_is_supported(text: str) -> None:
    assert [status for _, status in _status(text)] == ["supported_local"]


def test_a_short_form_that_the_source_uses_is_supported() -> None:
    source = TEXT + "各物流事業では人手が足りません。"
    assert _status("物流事業では人手が足りません。", source) == [
        ("物流事業", "supported_elsewhere")
    ]


def test_a_name_within_a_longer_one_that_the_text_says_in_full_is_not_cut_short() -> None:
    """What a company does (…の改善) is no part of it, so 中国事業 is not that heading cut short."""
    source = "④ 中国事業の収益性の改善\n中国向けの売上高は6,120百万円となりました。\n"
    assert _status("④ 中国事業の収益性の改善", source) == [("中国事業", "supported_elsewhere")]
    beside = "低温物流事業に投資し、物流事業では稼働率が改善しました。"
    assert _status(beside) == [("低温物流事業", "supported_local"), ("物流事業", "altered")]
