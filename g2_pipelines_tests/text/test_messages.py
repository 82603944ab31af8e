"""Messages of checks in Japanese: every code, lists of claims, and what is no message."""

from __future__ import annotations

import re

import pytest

from g2_pipelines.text.messages import _TEMPLATES, codes, in_japanese, read

_FILLED = {"share": "12%", "count": "3", "budget": "600", "kind": "period", "operation": "a - b"}


@pytest.mark.parametrize("code", codes())
def test_each_code_is_recognised_by_its_english_words(code: str) -> None:
    english, japanese = _TEMPLATES[code]
    fields = set(re.findall(r"\{(\w+)\}", english))
    assert fields == set(re.findall(r"\{(\w+)\}", japanese))
    text = english.format(**{name: _FILLED.get(name, "甲") for name in fields})
    message = read(text)
    assert message is not None
    assert message.code == code
    assert not re.search(r"[a-z]{4,}", in_japanese(text))


@pytest.mark.parametrize(
    ("text", "japanese"),
    [
        ("3 traces of lists or Markdown", "箇条書き・マークダウンの跡 3か所"),
        ("75% of the sentences speak of 課題", "課題について述べる文 75%"),
        ("the source has 45,190百万円", "資料では45,190百万円"),
        ("item: 営業利益 here, 売上高 in the source", "項目が違います。ここでは営業利益、資料では売上高"),
        ("period: current here, previous in the source", "期間が違います。ここでは当期、資料では前期"),
        ("FY2023-03: the source has 前連結会計年度", "FY2023-03が違います。資料では前連結会計年度"),
        ("a - b: a = 48,620百万円, b = 45,190百万円", "計算：a - b（a＝48,620百万円、b＝45,190百万円）"),
        ("48億円 (missing)", "48億円（資料にない）"),
        (
            "48億円 (altered: the source has 486億円); 3％ (missing) and 2 more",
            "48億円（資料と違う。資料では486億円）、3％（資料にない）、ほか2件",
        ),
    ],
)  # fmt: skip
def test_a_message_in_japanese(text: str, japanese: str) -> None:
    assert in_japanese(text) == japanese


@pytest.mark.parametrize("text", ["", "2025-03", "工作機械事業の売上高", "FY2025-03"])
def test_what_is_no_message_stays_as_it_is(text: str) -> None:
    assert in_japanese(text) == text
