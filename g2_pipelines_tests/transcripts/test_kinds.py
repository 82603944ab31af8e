"""The kind of record: what a manifest says goes first, else the text's own signs."""

from __future__ import annotations

import pytest

from g2_pipelines.transcripts.kinds import guess_kind
from g2_pipelines.transcripts.make import make_transcript
from g2_pipelines.transcripts.readers import read_text

SPOKEN = "司会：始めます。\n社長：増収となりました。\n記者：理由は何ですか。\n社長：値上げが効きました。\n"
PLAIN = (
    "主な質疑応答（要旨）\nＱ．受注の状況を知りたい。\nＡ．前年並みで推移している。\n"
    "Ｑ．採算の見通しを聞きたい。\nＡ．下期から改善する計画である。\n"
)
LISTED = (
    "Ｑ：受注の見通しを教えてください。\nＡ：前年並みを見込んでいます。\n"
    "Ｑ：採算はどうですか。\nＡ：下期から改善します。\n"
)
CASES = [
    ("a.txt", SPOKEN, "edited", "spoken style"),
    ("a.txt", "議事速記録\n" + SPOKEN, "verbatim", "速記"),
    ("a.txt", "決算説明会　質疑応答議事録\n" + SPOKEN, "verbatim", "議事録"),
    ("a.txt", "決算説明会　議事要旨\n" + SPOKEN, "edited", "spoken style"),
    (
        "a.txt",
        "社長：えーと、まあ、増えました。\n記者：あのー、理由は。\n社長：えー、値上げです。",
        "verbatim",
        "fillers",
    ),
    ("a.txt", PLAIN, "company_digest", "要旨"),
    ("a.txt", "当社にて要約したものです。\n" + SPOKEN, "company_digest", "says so"),
    ("a.txt", "読みやすさを考え、一部編集しています。\n" + SPOKEN, "edited", "says so"),
    (
        "a.txt",
        "――創業の理由は。\n父の工場を継いだのです。\n――その後は。\n震災がありました。",
        "edited",
        "interview",
    ),
    ("a.txt", "自動文字起こしによる記録\n" + SPOKEN, "asr", "自動文字起こし"),
    (
        "a.txt",
        "".join(f"話者{i % 2}：増えました。\n" for i in range(6)),
        "asr",
        "numbers for speakers",
    ),
    ("a.txt", SPOKEN + "ご視聴ありがとうございました", "asr", "artefact"),
    ("a.srt", "1\n00:00:01,000 --> 00:00:02,000\n" + "受注が増えました" * 15, "asr", "srt"),
    ("a.srt", "1\n00:00:01,000 --> 00:00:02,000\n受注が増えました。\n", "edited", ""),
    (
        "a.txt",
        "○日置圭君　伺います。\n○桂木徹君　ございます。\n○日置圭君　では。\n",
        "verbatim",
        "parliament",
    ),
    (
        "a.json",
        '{"meetingRecord": [{"speechRecord": [{"speech": "開きます。"}]}]}',
        "verbatim",
        "Diet",
    ),
    ("a.txt", SPOKEN.replace("社長：値", "社長：はい、値"), "verbatim", "courtesies"),
    ("a.txt", "決算説明会　質疑応答（要旨）\n" + LISTED, "company_digest", "without courtesies"),
    ("a.txt", "頭取定例会見要旨\n" + LISTED, "edited", "要旨"),
    ("a.txt", "第3回　水道審議会　議事要旨\n" + PLAIN[10:], "edited", "要旨"),
    ("a.txt", "abc", "edited", "no sign"),
]


@pytest.mark.parametrize(("name", "text", "kind", "why"), CASES)
def test_a_record_tells_its_kind_and_the_reason(name: str, text: str, kind: str, why: str) -> None:
    guess = guess_kind(read_text(text.encode(), name))
    assert guess.kind == kind
    assert why in guess.reason


@pytest.mark.parametrize(
    ("said", "reason"), [("verbatim", ""), (None, "spoken style without fillers")]
)
def test_the_manifest_goes_before_the_guess(said: str | None, reason: str) -> None:
    transcript, _ = make_transcript(
        SPOKEN.encode(),
        "a.txt",
        edinet_code="E99001",
        fiscal_year="2025-03",
        kind="full_year",
        document_kind=said,
    )
    assert transcript.document_kind == (said or "edited")
    assert transcript.document_kind_reason == reason
