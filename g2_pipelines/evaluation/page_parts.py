"""What the pages of this package share: the template environment and small pictures.

Here: jinja2 with escaping, the package's files, intervals and bars as SVG, words for statuses.
Only the page modules of this package import it.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

import jinja2
from markupsafe import Markup

from g2_pipelines.tables.report import Side
from g2_pipelines.text.messages import in_japanese
from g2_pipelines.text.pages import page_templates

#: For people: what became of a claim, and its colour's class.
STATUSES = {
    "supported_local": ("根拠あり", "good"),
    "supported_elsewhere": ("別の箇所にあり", "else"),
    "rounded": ("丸めた値", "soft"),
    "derived": ("計算で得られる", "soft"),
    "sign_conflict": ("符号が違う", "bad"),
    "unit_conflict": ("単位が違う", "bad"),
    "scale_conflict": ("桁が違う", "bad"),
    "altered": ("資料と違う", "bad"),
    "missing": ("資料にない", "bad"),
}
KINDS = {
    "number": "数値",
    "date": "日付",
    "period": "期間",
    "segment": "セグメント",
    "company": "会社",
    "person": "人名",
    "place": "地名",
    "product": "製品",
    "name": "固有名",
    "statement": "記述",
}
#: What was done to true sentences to measure the checks (benchmarks.evaluation).
ALTERATIONS = {
    "digit": "数字を1つ変える",
    "swap": "数字を入れ替える",
    "times_ten": "桁をずらす",
    "unit": "単位を変える",
    "sign": "符号・増減を逆にする",
    "period": "期間を替える",
    "item": "科目を替える",
    "segment": "セグメントを替える",
    "segment_name": "セグメント名を変える",
    "name": "名称を変える",
    "negation": "肯否を逆にする",
    "verbatim": "原文のまま",
    "alias": "略称・当社など",
    "compress": "短くする",
    "recomputed": "増減などを計算し直す",
    "reorder": "語順を変える",
    "rounding": "丸める",
    "scale_form": "億円・百万円の書き換え",
    "width": "全角・半角の書き換え",
}
CHECKS = {
    "missing_numbers": "資料にない・違う数値",
    "altered_segments": "改変されたセグメント名",
    "truncated": "途中で切れている",
    "empty": "本文なし",
    "missing_periods": "資料にない期間・日付",
    "missing_names": "資料にない名称",
    "unknown_segments": "資料にないセグメント名",
    "unsupported_sentences": "根拠のない文の割合",
    "nothing_found": "「記載なし」の食い違い",
    "bullets": "箇条書き・記号の残り",
    "conversation": "会話の残り",
    "mixed_endings": "文体の混在",
    "repetition": "文の重複",
    "dangling": "受ける文のない接続語",
    "length": "長さ（トークン）",
    "language": "資料と違う言語",
    "aspect_fit": "観点への適合",
    "misplaced": "ほかの観点の文",
    "coverage": "観点の網羅",
    "overlap_other_aspects": "ほかの観点との重複",
    "copy_rate": "原文の写しの割合",
    "readability": "読みやすさ",
    "noun_endings": "体言止め",
    "first_person": "一人称",
    "turned_statements": "増減・肯否の取り違え",
    "supported_score": "根拠とみなす類似度",
    "long_sentences": "長い文の割合",
    "other_language": "資料と違う言語の割合",
    "quoted_rate": "引用とみなす写しの割合",
}


def check_label(name: str) -> str:
    """A check's name for people; one that is not known here by its own name."""
    return CHECKS.get(name, name.replace("_", " "))


def percent(rate: float) -> str:
    """A share as per cent, with a decimal where it says something."""
    value = rate * 100
    return f"{value:.0f}%" if value in (0, 100) or value >= 10 else f"{value:.1f}%"


def p_words(p: float) -> str:
    """A p value as it is printed."""
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def interval(side: Side, kind: str) -> Markup:
    """A rate with its interval on a line from 0 to 1, as SVG; ``kind`` is a CSS class of ours."""
    low, high, at = (round(4 + 112 * value, 2) for value in (side.low, side.high, side.rate))
    return Markup(
        '<svg class="ci {}" viewBox="0 0 120 14" width="120" height="14" role="img"'
        ' aria-label="{}"><line class="axis" x1="4" y1="7" x2="116" y2="7"/>'
        '<line class="bar" x1="{}" y1="7" x2="{}" y2="7"/><circle cx="{}" cy="7" r="3.2"/></svg>'
    ).format(kind, f"{percent(side.low)}–{percent(side.high)}", low, high, at)


@cache
def environment() -> jinja2.Environment:
    """Templates of this package: escaped, and with no value left undefined."""
    made = page_templates(jinja2.FunctionLoader(asset))
    made.filters["percent"] = percent
    made.filters["p"] = p_words
    made.filters["in_japanese"] = in_japanese
    made.globals["interval"] = interval
    return made


@cache
def asset(name: str) -> str:
    """A template, style or script of this package."""
    return (resources.files("g2_pipelines.evaluation") / "templates" / name).read_text("utf-8")


def css(name: str) -> Markup:
    """A style of this package, as it stands."""
    return Markup(asset(name))  # noqa: S704 - a file of this package
