"""PDFs: the text layer's lines joined, furniture left out, hostile files named."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from g2_pipelines.errors import G2Error
from g2_pipelines.transcripts import pages
from g2_pipelines.transcripts.errors import (
    EmptyTranscriptError,
    TranscriptTooLargeError,
    UnreadableTranscriptError,
)
from g2_pipelines.transcripts.readers import read_text
from g2_pipelines_tests.transcripts.helpers import segmented

QUESTION = "第{n}四半期の受注の見通しについて、国内と海外のそれぞれの状況と、来期に向けた課題を教えてください。"
ANSWER = "国内は半導体向けが底を打ち、緩やかに回復しています。海外は北米が堅調で、総額は442億9,600万円を見込んでいます。"
SOURCE = """#set page(width: 12cm, height: 9cm, header: [Aomine Seiki Co.], footer: context align(center)[- #counter(page).display() -])
#set text(font: "Droid Sans Fallback", size: 10pt, lang: "ja")
"""


@pytest.fixture(scope="module")
def pdf() -> bytes:
    typst = pytest.importorskip("typst")
    from g2_pipelines.corpus.makers.pdfs import _named_font

    body = [f"Q{n}．{QUESTION.format(n=n)}\n\nA{n}．{ANSWER}" for n in range(1, 6)]
    with tempfile.TemporaryDirectory() as folder:
        _named_font(Path(folder))
        source = Path(folder) / "a.typ"
        source.write_text(SOURCE + "\n\n".join(["主な質疑応答", *body]), encoding="utf-8")
        return bytes(typst.compile(str(source), font_paths=[folder], ignore_system_fonts=True))


def _bare(text: str) -> str:
    return "".join(text.split())


def test_broken_lines_are_joined_and_running_heads_left_out(pdf: bytes) -> None:
    """A head in the middle of an answer, or half a number, would end up in a brief."""
    _, turns, segmentation = segmented(pdf, "a.pdf")
    assert segmentation.style == "qa_colon"
    assert [(t.role, _bare(t.text)) for t in turns] == [
        pair
        for n in range(1, 6)
        for pair in (("question", QUESTION.format(n=n)), ("answer", ANSWER))
    ]


def test_offsets_lead_into_the_text_layer(pdf: bytes) -> None:
    clean = read_text(pdf, "a.pdf")
    assert (clean.format, clean.encoding) == ("pdf", "pdf")
    reply = pages._reply(pdf, "a.pdf")["pages"]
    original = "\f".join("".join(f"{words}\n" for words, _ in page) for page in reply)
    for run in clean.offsets:
        piece = clean.text[run.start : run.start + run.length]
        assert original[run.source_start : run.source_start + run.length] == piece
    assert len(reply) > 1


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"%PDF-1.7\nbroken", UnreadableTranscriptError),
        (b"\n%PDF-1.4\n" + b"\0" * 500, UnreadableTranscriptError),
    ],
)
def test_a_broken_pdf_is_named(content: bytes, error: type[G2Error]) -> None:
    with pytest.raises(error) as caught:
        read_text(content, "a.pdf")
    assert (caught.value.file, bool(caught.value.remedy)) == ("a.pdf", True)


@pytest.mark.parametrize(
    ("name", "errors"),
    [
        ("odl_password.pdf", UnreadableTranscriptError),
        ("odl_empty.pdf", (UnreadableTranscriptError, EmptyTranscriptError)),
        ("docling_ocr.pdf", EmptyTranscriptError),
    ],
)
def test_locked_empty_and_scanned_files_say_so(
    shared_data: Path, name: str, errors: type[G2Error] | tuple[type[G2Error], ...]
) -> None:
    with pytest.raises(errors):
        read_text((shared_data / "pdf" / name).read_bytes(), name)


def test_a_reader_that_hangs_is_ended(pdf: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "SECONDS", 0.01)
    with pytest.raises(TranscriptTooLargeError, match="longer than"):
        read_text(pdf, "a.pdf")
