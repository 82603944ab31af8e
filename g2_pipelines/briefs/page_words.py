"""The words of a brief's page: titles, kinds, notes, attribution.

Here: plain functions from rows to Japanese text. Not here: where they stand (``page``).
Importable by briefs, evaluation and defs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from g2_pipelines.briefs.config import BriefConfig
from g2_pipelines.tables.line1 import Company, CompanyText, FilingSection, Summary, Transcript

_DOCUMENT_TYPES = {"120": "有価証券報告書", "130": "訂正有価証券報告書"}
_DOCUMENT_KINDS = {
    "verbatim": "逐語の記録",
    "edited": "編集された記録",
    "company_digest": "会社による要旨（発言の記録ではありません）",
    "asr": "音声認識による書き起こし",
}
_KINDS = {"full_year": "通期", "quarter": "四半期", "other": "その他"}
_STRATEGIES = {
    "aspect": "観点ごとに事前要約して作った場合",
    "simple": "観点を指定しない単純要約から作った場合",
    "joint": "すべての観点を一度に事前要約して作った場合",
    "retrieval": "観点に近い箇所だけを事前要約して作った場合",
}
_SECTIONS = {
    "policy": "経営方針、経営環境及び対処すべき課題等",
    "mdna": "経営者による財政状態、経営成績及びキャッシュ・フローの状況の分析",
    "business": "事業の内容",
    "risks": "事業等のリスク",
    "research": "研究開発活動",
    "sustainability": "サステナビリティに関する考え方及び取組",
    "contracts": "重要な契約等",
}

_CHECKS = {
    "missing_numbers": "数値の照合",
    "altered_segments": "セグメント名の表記",
    "truncated": "文章の完結",
    "empty": "本文の有無",
    "missing_periods": "期間・日付の照合",
    "missing_names": "名称の照合",
    "unknown_segments": "セグメント名の照合",
    "turned_statements": "増減・肯否の照合",
    "unsupported_sentences": "文ごとの根拠",
    "nothing_found": "「記載なし」の扱い",
    "bullets": "箇条書き・記号",
    "conversation": "会話体",
    "first_person": "一人称",
    "noun_endings": "体言止め",
    "readability": "文の長さ",
    "mixed_endings": "文体の統一",
    "repetition": "文の重複",
    "dangling": "受ける文のない接続語",
    "length": "全体の長さ",
    "language": "言語",
    "aspect_fit": "観点への適合",
    "overlap_other_aspects": "ほかの観点との重複",
    "copy_rate": "原文の写しの割合",
}


def section_title(row: FilingSection) -> str:
    """A section as people call it, with its document's kind."""
    kind = _DOCUMENT_TYPES.get(row.document_type, "開示書類")
    return f"{kind}｜{_SECTIONS.get(row.section, row.section)}"


def transcript_title(row: Transcript) -> str:
    """A transcript by its title or file."""
    return f"決算説明会の記録｜{row.title or row.file}"


def check_label(name: str) -> str:
    """What a check looks at; one that is not known here by its own name."""
    return _CHECKS.get(name, name.replace("_", " "))


def text_title(row: CompanyText, config: BriefConfig) -> str:
    """A company text by its source type and its title or file."""
    labels = {
        source.text_type: source.label
        for source in config.source_types
        if source.reader == "company_text"
    }
    return f"{labels.get(row.text_type, row.text_type)}｜{row.title or row.file}"


def transcript_line(row: Transcript) -> str:
    """What kind of record a transcript is, and its file."""
    kind = _DOCUMENT_KINDS.get(row.document_kind, row.document_kind)
    if row.document_kind_reason:
        kind += "、本文からの推定"
    return f"{_KINDS.get(row.kind, row.kind)}｜{kind}｜{row.file}"


def strategy_words(strategy: str) -> str:
    """How a text for comparison came about."""
    return _STRATEGIES.get(strategy, strategy)


def year_in_words(fiscal_year: str) -> str:
    """2025年3月期 for 2025-03."""
    year, _, month = fiscal_year.partition("-")
    return f"{year}年{int(month)}月期" if month.isdigit() else fiscal_year


def securities_code(code: str) -> str:
    """A code as people know it: without the fifth digit where that is the ordinary share's 0."""
    return code[:4] if len(code) == 5 and code.endswith("0") else code


def facts(
    company: Company, fiscal_year: str, summaries: Sequence[Summary]
) -> list[tuple[str, str]]:
    """Name and value pairs of the page's head."""
    engines = sorted({f"{row.engine}（{row.model}）" for row in summaries})
    how = [
        words
        for strategy, words in _STRATEGIES.items()
        if strategy != "aspect" and any(row.strategy == strategy for row in summaries)
    ]
    prompts = sorted({row.prompt_version for row in summaries if row.prompt_version})
    rows = [
        ("対象", year_in_words(fiscal_year)),
        ("証券コード", securities_code(company.securities_code or "")),
        ("EDINETコード", company.edinet_code),
        ("業種", company.industry or ""),
        ("作成", "、".join(engines)),
        ("方式", "、".join(how)),
        ("プロンプト", "、".join(prompts)),
    ]
    return [(name, value) for name, value in rows if value]


def source_notes(sections: Iterable[FilingSection]) -> list[str]:
    """What a reader must know of the sections themselves."""
    notes = []
    for row in sections:
        if row.status == "truncated_source":
            notes.append(f"{section_title(row)}は、元の資料が途中で切れています。")
        if row.document_type == "130":
            notes.append(f"{section_title(row)}は、訂正後の内容です。")
    return list(dict.fromkeys(notes))


def footer(sections: Sequence[FilingSection], summaries: Sequence[Summary]) -> list[str]:
    """Attribution as EDINET's terms ask for, and how the text came about."""
    lines = []
    documents = list(dict.fromkeys(row.document_id for row in sections))
    if documents:
        lines.append(
            "出典：金融庁 EDINET（https://disclosure2.edinet-fsa.go.jp/）に掲載の有価証券報告書等"
            f"（書類管理番号 {'、'.join(documents)}）を加工して作成。"
            "公共データ利用規約（第1.0版、PDL1.0）に基づく利用です。"
        )
    if any(row.engine == "extractive" for row in summaries):
        lines.append(
            "要約の文は資料の文をそのまま抜き出したものです（extractive）。文の選択は自動で、"
            "人の確認を経ていません。"
        )
    elif summaries:
        lines.append("要約の文は言語モデルが資料から書いたもので、人の確認を経ていません。")
    return lines


#: Warnings of summaries as their rows hold them, and as the page says them.
_WARNINGS = (
    (
        r"(\d+) tokens over the budget of (\d+)",
        r"長さの目安（\2トークン）を\1トークン超えています",
    ),
    (
        r"retrieval left out (\d+) of (\d+) tokens \((\d+) %\)",
        r"資料の\2トークンのうち\1トークン（\3％）は、観点から遠いため読んでいません",
    ),
    (
        r"(\d+) names of control tokens were shown to the model in another form",
        r"モデルの制御記号と同じ並びが資料に\1箇所あり、モデルには別の形で見せました",
    ),
)


def warning_words(warning: str) -> str:
    """A summary's warning in Japanese; one that is not known here as it stands."""
    for form, words in _WARNINGS:
        found = re.fullmatch(form, warning)
        if found:
            return found.expand(words)
    return warning
