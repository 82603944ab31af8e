"""English sentences: amounts in yen, changes year on year, what is compared, deeds and plans."""

from __future__ import annotations

import pytest

from g2_pipelines_tests.evaluation.pairs import cases, judged, told

# source → texts and what they are: "ok", "bad", or the status and words of the note.
PAIRS = {
    "Net sales were 48,620 million yen, up 6.4% year on year.": [
        ("Net sales rose 6.4% year on year to ¥48.6 billion.", "ok"),
        ("Net sales were ¥48.6 billion, up 6.4% year on year.", "ok"),
        ("Net sales were ¥4.86 billion.", "scale_conflict"),
        ("Net sales fell 6.4% year on year.", "sign_conflict"),
        ("Net sales decreased.", "sign_conflict"),
        ("Net sales increased.", "ok"),
    ],
    "Operating profit was ¥1.2 billion, down from ¥1.5 billion in the previous year.": [
        ("Operating profit was ¥1.5 billion.", "bad"),
        ("Operating profit decreased to ¥1.2 billion.", "ok"),
        ("Operating profit increased to ¥1.2 billion.", "sign_conflict"),
        ("Operating profit was JPY 1,200 million.", "ok"),
    ],
    "The operating margin was 12.3%.": [
        ("The operating margin was 12.3 percent.", "ok"),
        ("The operating margin was 1.23%.", "scale_conflict"),
    ],
    "The Company did not pay a dividend.": [
        ("The Company paid a dividend.", "bad"),
    ],
    "Revenue increased 5.4% year on year to JPY 12.3 billion in FY2024.": [
        ("Revenue was ¥12.3 billion, up 5.4% year on year.", "ok"),
        ("Revenue was ¥12.3 million.", "scale_conflict"),
        ("Revenue was ¥12.3 billion, down 5.4% year on year.", "sign_conflict"),
        ("Revenue increased by ¥12.3 billion.", "bad"),
        ("Revenue in FY2023 was ¥12.3 billion.", "bad"),
        ("Revenue grew by 5.4 percent.", "ok"),
        ("Revenue rose 54% year on year.", "scale_conflict"),
    ],
    "The company plans to build a new plant in Akita.": [
        ("The company built a new plant in Akita.", "bad"),
    ],
    "Operating profit fell to 2.4 billion yen from 2.6 billion yen a year earlier.": [
        ("Operating profit was 2.6 billion yen.", "bad"),
        ("Operating profit declined by 0.2 billion yen.", "ok"),
        ("Operating profit rose to 2.4 billion yen.", "bad"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("source", "text", "expected"), cases(PAIRS))
def test_a_text_is_judged_as_a_reader_would(source: str, text: str, expected: str) -> None:
    assert told(judged(source, text), expected)
