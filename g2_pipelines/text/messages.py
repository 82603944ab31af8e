"""What checks and claims say, for readers of Japanese pages.

Here: ``Message``, ``read`` and ``in_japanese``. A stored row keeps its one English message, so
that rows stay the same whatever language a page is in; a message is a code with parameters, and
is recognised by its English form. Every package above may import this module.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple


class Message(NamedTuple):
    """A code of ``codes()`` and the parameters that its words have."""

    code: str
    parameters: dict[str, str]


# code: English as stored / Japanese as shown. {share} and {count} are figures.
_TEMPLATES: dict[str, tuple[str, str]] = {
    "numbers_known": ("every figure stands in the sources", "数値はすべて資料にあります"),
    "segments_known": ("no segment name is altered", "セグメント名の改変はありません"),
    "segments_all_known": ("none unknown", "資料にないセグメント名はありません"),
    "periods_known": ("all periods known", "期間・日付はすべて資料にあります"),
    "names_known": ("all names known", "名称はすべて資料にあります"),
    "none_turned": ("none turned", "意味が逆の記述はありません"),
    "complete": ("the text is complete", "文章は最後まであります"),
    "cut_off": ("the text is cut off (finish_reason {reason})", "文章が途中で切れています（終了理由：{reason}）"),
    "no_text": ("there is no text", "文章がありません"),
    "has_text": ("there is text", "文章があります"),
    "all_supported": ("every sentence has support", "すべての文に根拠があります"),
    "unsupported": ("without support: {sentence}", "根拠が見つからない文：{sentence}"),
    "nothing_nothing": (
        "marked as nothing found, and the text says that nothing was found",
        "該当なしとされ、文章もそう述べています",
    ),
    "nothing_something": (
        "marked as nothing found, and the text says something",
        "該当なしとされたのに、文章には記述があります",
    ),
    "says_nothing": ("the text says that nothing was found", "文章は該当なしと述べています"),
    "says_something": ("the text says something", "文章に記述があります"),
    "bullets": ("{count} traces of lists or Markdown", "箇条書き・マークダウンの跡 {count}か所"),
    "conversation": ("{count} traces of conversation", "会話の跡 {count}か所"),
    "first_person": ("{count} words of the first person", "一人称の語 {count}語"),
    "noun_endings": ("{share} end in a noun", "体言止めの文 {share}"),
    "long_sentences": ("{share} are long sentences", "長い文 {share}"),
    "mixed_endings": ("{share} in the rarer style", "少ないほうの文体の文 {share}"),
    "repetition": ("two sentences share {share}", "最も似た2文の重なり {share}"),
    "dangling": ("without the sentence that it points to: {words}", "受ける文のない接続語：{words}"),
    "no_dangling": ("no loose connective", "受ける文のない接続語はありません"),
    "length": ("{count} tokens of {budget}", "{budget}トークンまでのところ{count}トークン"),
    "other_language": ("{share} of the sentences in another language", "資料と異なる言語の文 {share}"),
    "other_words": (
        "{share} of the sentences hold another language: {words}",
        "資料と異なる言語を含む文 {share}：{words}",
    ),
    "same_language": ("as the sources", "資料と同じ言語です"),
    "misplaced": (
        "{share} of the sentences speak of another aspect, the first ({place}) of {aspect}: {sentence}",
        "ほかの観点の文 {share}。最初の文（{place}）は{aspect}：{sentence}",
    ),
    "in_place": ("no sentence speaks of another aspect", "ほかの観点だけの文はありません"),
    "aspect_fit": ("{share} of the sentences speak of {aspect}", "{aspect}について述べる文 {share}"),
    "overlap": ("{share} shared with {aspect}", "観点「{aspect}」の文章との重なり {share}"),
    "no_overlap": ("no other aspect", "ほかの観点の文章はありません"),
    "quoted": ("the engine quotes, and {share} is the sources' words", "抜き書きのうち資料の語句そのもの {share}"),
    "copied": ("{share} is the sources' words", "資料の語句そのもの {share}"),
    "rose": ("the source has {now}, more than {before} the year before", "資料では{now}で、前年の{before}より多い"),
    "fell": ("the source has {now}, less than {before} the year before", "資料では{now}で、前年の{before}より少ない"),
    "of_two_years": ("the source has {now}, {before} the year before", "資料では{now}、前年は{before}"),
    "tagged_change": ("as tagged for this year and the year before", "XBRLの当年と前年の値から"),
    "other_period": (
        "{kind}: {here} here, {there} in the source, which has {other} for it",
        "{kind}が違います。ここでは{here}、資料では{there}の値で、資料の値は{other}",
    ),
    "foreign": ("not in the sources: {script}", "資料にない文字・語（{script}）"),
    "two_errors": ("{kind}: the source has {other}", "{kind}が違います。資料では{other}"),
    "label_and_own": (
        "{kind}: {here} here, {there} in the source; the source has {other} of {item}",
        "{kind}が違います。ここでは{here}、資料では{there}。資料の{item}は{other}",
    ),
    "label": ("{kind}: {here} here, {there} in the source", "{kind}が違います。ここでは{here}、資料では{there}"),
    "tagged_label": ("{kind}: {here} here, {there} as tagged", "{kind}が違います。ここでは{here}、XBRLでは{there}"),
    "other_label": ("{here} here, {there} in the source", "ここでは{here}、資料では{there}"),
    "other_tagged": ("{here} here, {there} as tagged", "ここでは{here}、XBRLでは{there}"),
    "increase": ("the source has {other} as an increase", "資料では{other}の増加"),
    "decrease": ("the source has {other} as a decrease", "資料では{other}の減少"),
    "opposite": ("the source says the opposite of {subject}", "資料は{subject}について逆を述べています"),
    "says_of": ("the source says {word} of {subject}", "資料では{subject}は{word}"),
    "says": ("the source says {other}", "資料の記述：{other}"),
    "planned": ("the source only plans it: {other}", "資料では計画：{other}"),
    "other_as_tagged": (
        "the source has {value} (tagged as {name})",
        "資料では{value}（XBRL {name}）",
    ),
    "other": ("the source has {other}", "資料では{other}"),
    "moved": ("at another place in the source's sentence", "資料の文では別の位置にあります"),
    "elsewhere": ("elsewhere in the source", "資料の別の箇所にあります"),
    "form": ("written as {form}", "資料での書き方：{form}"),
    "no_doer": ("no sentence of the sources has {thing} do this", "資料に{thing}を主語とする記述はありません"),
    "no_cause": (
        "no sentence of the sources has {effect} come of {cause}",
        "資料に{cause}による{effect}の記述はありません",
    ),
    "no_segment": ("in the sources, not a segment's name", "資料にありますが、セグメント名ではありません"),
    "no_name": ("no such name in the sources", "資料にこの名称はありません"),
    "derived_tagged": (
        "{operation}: a = {a}, b = {b}, tagged as {name}",
        "計算：{operation}（a＝{a}、b＝{b}、XBRL {name}）",
    ),
    "derived": ("{operation}: a = {a}, b = {b}", "計算：{operation}（a＝{a}、b＝{b}）"),
    "tagged_other": ("tagged is {value} (tagged as {name})", "XBRLでは{value}（{name}）"),
    "tagged_is": ("tagged is {value}", "XBRLでは{value}"),
    "tagged": ("tagged as {name}", "XBRL {name}"),
}  # fmt: skip
_KINDS = {
    "item": "項目",
    "segment": "セグメント",
    "period": "期間",
    "number": "数値",
    "name": "名称",
    "aspect": "観点",
}
_STATUSES = {
    "sign_conflict": "符号が違う",
    "unit_conflict": "単位が違う",
    "scale_conflict": "桁が違う",
    "altered": "資料と違う",
    "missing": "資料にない",
}
#: What a claim's key says: current and the like.
_KEYS = {
    "current": "当期",
    "previous": "前期",
    "before_previous": "前々期",
    "next": "翌期",
    "same_last_year": "前年同期",
    "full": "通期",
    "the amount itself": "金額そのもの",
    "a change": "増減",
}
_ASPECTS = {"environment": "環境", "issues": "課題", "outlook": "展望", "strengths": "強み"}
_FIELD = re.compile(r"\{(\w+)\}")
_PATTERN_OF = {"share": r"\d+%", "count": r"[\d,]+", "budget": r"[\d,]+", "kind": r"[\w:.-]+", "operation": r"[^:]+"}  # fmt: skip
_LISTED = re.compile(
    rf"(?P<text>.+) \((?P<status>{'|'.join(_STATUSES)})(?:: (?P<note>.*))?\)", re.DOTALL
)
_NEXT = re.compile(rf"(?<=\)); (?=.+? \((?:{'|'.join(_STATUSES)})[:)])", re.DOTALL)
_MORE = re.compile(r" and (\d+) more$")


def codes() -> list[str]:
    """The codes, in the order in which they are tried."""
    return list(_TEMPLATES)


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    return [(code, _pattern(english)) for code, (english, _) in _TEMPLATES.items()]


def _pattern(english: str) -> re.Pattern[str]:
    parts = _FIELD.split(english)
    made = [
        f"(?P<{part}>{_PATTERN_OF.get(part, '.+?')})" if index % 2 else re.escape(part)
        for index, part in enumerate(parts)
    ]
    return re.compile("".join(made), re.DOTALL)


def read(text: str) -> Message | None:
    """The message that a stored ``text`` is; None where it is none of ours."""
    for code, pattern in _patterns():
        match = pattern.fullmatch(text)
        if match is not None:
            return Message(code, match.groupdict())
    return None


def in_japanese(text: str) -> str:
    """A stored message in Japanese; what is none of ours, such as a source's words, as it is."""
    message = read(text)
    if message is not None:
        words = {name: _said(name, value) for name, value in message.parameters.items()}
        return _TEMPLATES[message.code][1].format(**words)
    more = _MORE.search(text)
    listed = [_one(part) for part in _NEXT.split(_MORE.sub("", text))]
    if not all(listed):
        return text
    return "、".join(filter(None, listed)) + (f"、ほか{more[1]}件" if more else "")


def _one(part: str) -> str:
    """One listed claim: 48億円 (missing)."""
    match = _LISTED.fullmatch(part)
    if match is None:
        return ""
    note = f"。{in_japanese(match['note'])}" if match["note"] else ""
    return f"{match['text']}（{_STATUSES[match['status']]}{note}）"


def _said(name: str, value: str) -> str:
    if name == "kind":
        return _KINDS.get(value, _KEYS.get(value, value))
    if name == "aspect":
        return _ASPECTS.get(value, value)
    return _KEYS.get(value, value) if name in {"here", "there", "other"} else value
