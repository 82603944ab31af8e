"""A conflict names what the source has of the same item and period, off by a power of ten or not."""

from __future__ import annotations

import pytest

from g2_pipelines_tests.evaluation.pairs import cases, judged, told

# source → texts and what they are: "ok", "bad", or the status and words of the note.
PAIRS = {
    "営業利益率は0.02％となりました。": [
        ("営業利益率は2％である。", "scale_conflict"),
    ],
    "営業利益率は5％となりました。": [
        ("営業利益率は0.5％である。", "scale_conflict"),
        ("営業利益率は50％である。", "scale_conflict"),
    ],
    "売上高は3億円となりました。": [
        ("売上高は30億円となった。", "scale_conflict"),
    ],
    "自己資本比率は前連結会計年度末の62.0％から63.5％となりました。": [
        ("自己資本比率は68.0％に上昇した。", "altered:63.5"),
        ("自己資本比率は62.0％である。", "bad"),
        ("自己資本比率は63.5％に上昇した。", "ok"),
        ("自己資本比率は低下した。", "sign_conflict"),
        ("自己資本比率は1.5ポイント上昇した。", "ok"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("source", "text", "expected"), cases(PAIRS))
def test_a_text_is_judged_as_a_reader_would(source: str, text: str, expected: str) -> None:
    assert told(judged(source, text), expected)
