"""An invented company's text and small makers; every value below is worked out from it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from g2_pipelines.evaluation.sources import Source
from g2_pipelines.tables.line1 import Summary

SEGMENTS = ["工作機械事業", "計測制御事業", "船舶・港湾機器事業"]
FILING = """第２【事業の状況】
当連結会計年度の売上高は48,620百万円（前期比6.4％増）、営業利益は3,815百万円（前期比12.9％増）となりました。
工作機械事業の売上高は29,870百万円（前期比3.1％増）、セグメント利益は1,790百万円（前期比4.2％減）となりました。
計測制御事業の売上高は12,340百万円（前期比14.8％増）となり、半導体製造装置向けの需要が堅調に推移しました。
船舶・港湾機器事業の営業損失は300百万円となりました。
2025年３月31日現在の従業員数は1,486名であります。
2026年3月期は売上高51,000百万円を計画しており、株式会社北星の「アオリンク」を導入してまいります。
（単位：百万円）
\t当期\t前期
売上高\t48,620\t45,696
総資産\t61,240\t58,120
減損損失\t△120\t－
"""
SOURCE = Source(source_id="filing:S9000A01:mdna:1", text=FILING, label="MD&A")
ASPECT: Any = SimpleNamespace(key="outlook", label="展望")


def summary(text: str, **more: Any) -> Summary:
    """A final summary of the outlook with ``text``."""
    fields: dict[str, Any] = {
        "engine": "openai",
        "model": "m",
        "prompt_version": "p",
        "edinet_code": "E99001",
        "fiscal_year": "2025-03",
        "source_type": "",
        "aspect": "outlook",
        "strategy": "aspect",
        "text": text,
        "tokens": 50,
        "finish_reason": "stop",
        "sentences": [],
        "spans": [],
    }
    return Summary(**(fields | more))
