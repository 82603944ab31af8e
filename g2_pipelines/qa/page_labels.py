"""The answer page's own words, in both languages. Used by ``page``."""

from __future__ import annotations

import re
from typing import Final

from g2_pipelines.tables.line2 import AnswerValue

LABELS: Final[dict[str, dict[str, str]]] = {
    "ja": {
        "title": "質問への回答",
        "question": "質問",
        "answer": "回答",
        "refused": "回答できません",
        "why": "理由",
        "sources": "根拠",
        "page": "ページ",
        "no_picture": "ページの画像はありません",
        "plan": "問いの計画",
        "plan_first": "最初の計画",
        "plan_later": "見直し",
        "steps": "小さな問いと答え",
        "evidence": "調べた箇所",
        "cited": "引用",
        "path": "たどった道",
        "second_look": "見直し",
        "values": "写した値",
        "numbers": "回答の数値",
        "number": "数値",
        "worth": "基本単位での値",
        "of": "項目",
        "period": "期間",
        "origin": "出どころ",
        "asked": "質問文",
        "calculated": "計算結果",
        "operation": "計算",
        "gaps": "不足していたこと",
        "scope": "対象の文書",
        "all_documents": "登録済みの全文書",
        "engine": "エンジン",
        "model": "モデル",
        "sufficient": "根拠は十分",
        "partial": "一部だけに回答",
        "insufficient": "根拠が不足",
        "unknown": "判定できず",
        "found": "見つかった",
        "missing": "見当たらない",
        "root": "質問",
        "open": "未実行",
        "kept": "前の答えを維持",
        "gap_missing": "不足",
        "gap_ambiguous": "曖昧",
        "gap_conflicting": "矛盾",
        "difference": "差",
        "ratio": "比",
        "growth": "増減率",
        "sum": "合計",
        "count": "個数",
        "rank": "順位",
        "turnover": "回転率",
        "cover": "合計との比",
        "share": "割合",
        "nothing": "該当する箇所はありませんでした。",
        "index": "索引の版",
        "note": "引用は原文のままの文字列で、枠はその箇所の位置を示します。数値は引用元か計算の結果だけに由来します。",
    },
    "en": {
        "title": "Answer to a question",
        "question": "Question",
        "answer": "Answer",
        "refused": "No answer",
        "why": "Why",
        "sources": "Sources",
        "page": "page",
        "no_picture": "There is no picture of this page",
        "plan": "Plan",
        "plan_first": "First plan",
        "plan_later": "Refinement",
        "steps": "Sub-questions and their answers",
        "evidence": "Places looked at",
        "cited": "cited",
        "path": "reached by",
        "second_look": "Second look",
        "values": "Copied values",
        "numbers": "The answer's numbers",
        "number": "number",
        "worth": "in the base unit",
        "of": "of",
        "period": "period",
        "origin": "from",
        "asked": "the question",
        "calculated": "calculated",
        "operation": "Calculation",
        "gaps": "What was lacking",
        "scope": "Documents in scope",
        "all_documents": "all registered documents",
        "engine": "Engine",
        "model": "Model",
        "sufficient": "evidence sufficient",
        "partial": "answered in part",
        "insufficient": "evidence insufficient",
        "unknown": "not judged",
        "found": "found",
        "missing": "not found",
        "root": "question",
        "open": "not run",
        "kept": "answer kept",
        "gap_missing": "missing",
        "gap_ambiguous": "ambiguous",
        "gap_conflicting": "conflicting",
        "difference": "difference",
        "ratio": "ratio",
        "growth": "growth",
        "sum": "sum",
        "count": "count",
        "rank": "rank",
        "turnover": "turnover",
        "cover": "cover",
        "share": "share",
        "nothing": "No place matched.",
        "index": "Index version",
        "note": "Quotes are the document's own characters; the box shows where they stand. Every number comes from a quote or is calculated from quoted values.",
    },
}
#: A plan's notes in Japanese; those that name a fault of a model's plan stand as they are.
_NOTES: Final = (
    (re.compile(r"add (\S+)"), r"\1 を追加"),
    (re.compile(r"update (\S+)"), r"\1 を変更"),
    (re.compile(r"delete (\S+)"), r"\1 を削除"),
    (re.compile(r"nothing new was found"), "新しい箇所は見つかりませんでした"),
    (re.compile(r"nothing better to ask is known"), "これ以上の問い方はありません"),
    (re.compile(r"planning is off"), "計画は立てない設定です"),
    (re.compile(r"fallback: one-step plan"), "計画を立てられず、質問をそのまま調べました"),
)


_RETRIES: Final = (
    (re.compile(r"tables cell by cell, pictures enlarged"), "表をセルごとに、図を拡大して"),
    (re.compile(r": found$"), "（見つかった）"),
    (re.compile(r": not found$"), "（見つからなかった）"),
)


_PLACES: Final = (
    (re.compile(r"^p\.(\d+)"), r"\1ページ"),
    (re.compile(r", row (\d+), column (\d+)"), r" \1行目 \2列目"),
    (re.compile(r", characters (\d+)-(\d+)"), r" \1〜\2文字目"),
    (re.compile(r", caption"), " キャプション"),
    (re.compile(r", picture"), " 図の中の文字"),
)


def place_words(place: str, *, language: str) -> str:
    """A copied value's place for people."""
    if language == "ja":
        for pattern, words in _PLACES:
            place = pattern.sub(words, place)
    return place


#: Units as they are stored, for an English reader.
_UNITS_EN: Final = {
    "円": "yen",
    "ドル": "dollars",
    "ユーロ": "euros",
    "倍": "times",
    "人": "people",
}


def worth_words(value: AnswerValue, *, language: str) -> str:
    """A typed value for people: 4,120,000,000 円."""
    unit = value.unit if language == "ja" else _UNITS_EN.get(value.unit, value.unit)
    digits, _, decimals = value.value.partition(".")
    whole = f"{int(digits):,}" if digits.strip("-") else digits
    sign = "-" if digits.startswith("-") and not whole.startswith("-") else ""
    return " ".join(filter(None, [sign + whole + (f".{decimals}" if decimals else ""), unit]))


def retry_words(retry: str, *, language: str) -> str:
    """A worker's second look for people; faults of a model's reply stand as they are."""
    if language == "ja":
        for pattern, words in _RETRIES:
            retry = pattern.sub(words, retry)
    return retry


def note_words(note: str, *, language: str) -> str:
    """A note of a plan for people."""
    if language == "ja":
        for pattern, words in _NOTES:
            if (match := pattern.fullmatch(note)) is not None:
                return match.expand(words)
    return note
