"""Invented sources and small helpers for the briefs' tests."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

from g2_pipelines.briefs.config import BriefConfig, load_config
from g2_pipelines.briefs.extractive import ExtractivePreSummarizer
from g2_pipelines.briefs.extractive_final import ExtractiveFinalSummarizer
from g2_pipelines.briefs.final_summaries import finalize
from g2_pipelines.briefs.pre_summaries import pre_summarize
from g2_pipelines.briefs.sources import make_splits
from g2_pipelines.tables.line1 import (
    Company,
    FilingSection,
    QaChunk,
    SourceSplit,
    Summary,
    Transcript,
    Turn,
)
from g2_pipelines.tables.rows import Offset, Span

T = TypeVar("T")

COMPANY = Company(
    edinet_code="E99009", name="紅葉谷電機株式会社", name_english="Momijidani Electric"
)
YEAR = "2025-03"

POLICY = """１【経営方針、経営環境及び対処すべき課題等】
文中の将来に関する事項は、当連結会計年度末現在において当社グループが判断したものであります。
(1) 経営環境
当社グループを取り巻く事業環境は、原材料価格の高騰と人手不足により厳しい状況が続いております。
小型モータの市場は、住宅設備向けの需要を背景に緩やかな拡大が続くと想定されます。
区分\t売上高\t前年比
小型モータ\t1,200\t103.2
(2) 中期経営計画
当社グループは、2028年３月期を最終年度とする中期経営計画を推進しております。
2028年３月期までに売上高150億円、営業利益率８％を目指してまいります。
(3) 当社グループの強み
当社グループの強みは、巻線の自社一貫生産と国内42％のシェアであります。
静音に関する特許を31件保有しております。
(4) 対処すべき課題
① 人材の確保
熟練した巻線工の不足が重要な経営課題であると認識しております。
この課題に対応するため、再雇用の拡大と社内学校の開設に取り組んでまいります。
② 価格転嫁
銅価格の上昇分の転嫁が遅れており、価格改定の交渉を急ぐ必要があります。
"""
MDNA = """４【経営者による財政状態、経営成績及びキャッシュ・フローの状況の分析】
(1) 経営成績
当連結会計年度における我が国経済は、個人消費の回復が見られたものの、物価の上昇により先行きは不透明な状況が続きました。
この結果、売上高は12,300百万円（前連結会計年度比2.1％増）となりました。
営業活動の結果得られた資金は840百万円となりました。
"""
CALL = """社長：本日は決算の説明をいたします。当社の強みは静音設計の技術力です。
司会：質疑に移ります。
記者：人手不足は深刻な課題ではないでしょうか。巻線工の不足が最大の課題であると認識しています。
社長：えー、ご質問の点ですが、採用難が一番の課題であると認識しています。来期は30名の採用を計画しています。
"""


class Characters:
    """A tokenizer whose tokens are characters: budgets can be checked by hand."""

    name = "characters"

    def count(self, text: str) -> int:
        return len(text)


TOKENS = Characters()


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(coroutine)


def plain_view(text: str) -> tuple[str, list[Offset]]:
    return text, [Offset(start=0, source_start=0, length=len(text))]


def without_fillers(text: str) -> tuple[str, list[Offset]]:
    """Like the transcripts' view: えー、 left out, with the way back."""
    parts: list[str] = []
    offsets: list[Offset] = []
    at = length = 0
    for piece in text.split("えー、"):
        if piece:
            offsets.append(Offset(start=length, source_start=at, length=len(piece)))
        parts.append(piece)
        length += len(piece)
        at += len(piece) + len("えー、")
    return "".join(parts), offsets


def section(name: str, text: str, order: int = 0, **more: Any) -> FilingSection:
    values: dict[str, Any] = {
        "edinet_code": COMPANY.edinet_code,
        "fiscal_year": YEAR,
        "document_id": "S9000C01",
        "document_type": "120",
        "section": name,
        "element": "jpcrp_cor:InventedTextBlock",
        "context": "FilingDateInstant",
        "page_file": "0102010_honbun.htm",
        "order": order,
        "text": text,
        "status": "found",
    }
    return FilingSection.model_validate(values | more)


def call(text: str = CALL, **more: Any) -> tuple[Transcript, list[Turn], list[QaChunk]]:
    """A transcript whose lines are 話者：発言, with its turns and chunks."""
    base = {"edinet_code": COMPANY.edinet_code, "fiscal_year": YEAR, "transcript_id": "call-1"}
    values: dict[str, Any] = {
        **base,
        "kind": "full_year",
        "document_kind": "verbatim",
        "file": "call.txt",
        "digest": "0" * 64,
        "encoding": "utf-8",
        "text": text,
    }
    transcript = Transcript.model_validate(values | more)
    roles = {"社長": "answer", "司会": "moderator", "記者": "question"}
    turns: list[Turn] = []
    at = 0
    asked = False
    for line in text.splitlines(keepends=True):
        speaker, _, said = line.partition("：")
        role = roles[speaker]
        asked = asked or role == "question"
        if role == "answer" and not asked:
            role = "presenter"
        start = at + len(speaker) + 1
        turns.append(
            Turn.model_validate(
                {
                    **base,
                    "order": len(turns),
                    "speaker": speaker,
                    "role": role,
                    "role_source": "label",
                    "confidence": 1.0,
                    "start": start,
                    "end": start + len(said.rstrip()),
                    "text": said.rstrip(),
                }
            )
        )
        at += len(line)
    qa = next((turn.order for turn in turns if turn.role == "question"), len(turns))
    chunks = [
        QaChunk.model_validate(
            {
                **base,
                "chunk_id": f"c{number}",
                "order": number,
                "part": part,
                "pattern": "QA" if part == "qa" else "",
                "n_questions": 1,
                "n_answers": 1,
                "confidence": 1.0,
                "spans": [
                    Span(source_id=transcript.source_id, start=turn.start, end=turn.end)
                    for turn in own
                ],
                "text": "\n".join(turn.text for turn in own),
                "tokens": 1,
            }
        )
        for number, (part, own) in enumerate((("presentation", turns[:qa]), ("qa", turns[qa:])))
        if own
    ]
    return transcript, turns, chunks


def small_config(**limits: int) -> BriefConfig:
    return load_config(None).model_copy(update=limits)


def splits_of(
    sections: Sequence[FilingSection],
    *,
    with_call: bool = False,
    config: BriefConfig | None = None,
) -> list[SourceSplit]:
    transcript, turns, chunks = call()
    return make_splits(
        sections=sections,
        transcripts=[transcript] if with_call else [],
        turns=turns if with_call else [],
        chunks=chunks if with_call else [],
        config=config or load_config(None),
        tokenizer=TOKENS,
        model_view=without_fillers,
    )


def both_sections() -> list[FilingSection]:
    return [section("policy", POLICY), section("mdna", MDNA)]


def texts_of(sections: Sequence[FilingSection], transcript: Transcript | None) -> dict[str, str]:
    texts = {row.source_id: row.text for row in sections}
    if transcript is not None:
        texts[transcript.source_id] = transcript.text
    return texts


def extractive_brief(
    splits: Sequence[SourceSplit], config: BriefConfig, aspect: str, *, simple: bool = False
) -> tuple[list[Summary], Summary]:
    spec = config.aspect(aspect)
    pre = run(
        pre_summarize(
            splits,
            company=COMPANY,
            aspect=None if simple else spec,
            config=config,
            summarizer=ExtractivePreSummarizer(),
            tokenizer=TOKENS,
        )
    )
    final = run(
        finalize(
            pre,
            company=COMPANY,
            aspect=spec,
            config=config,
            summarizer=ExtractiveFinalSummarizer(),
            tokenizer=TOKENS,
            strategy="simple" if simple else "aspect",
        )
    )
    return pre, final
