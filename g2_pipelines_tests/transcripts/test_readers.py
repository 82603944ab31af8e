"""Formats and encodings into clean text; bad files into named errors."""

from __future__ import annotations

import io
import zipfile

import pytest

from g2_pipelines.errors import G2Error
from g2_pipelines.transcripts.errors import (
    EmptyTranscriptError,
    TranscriptTooLargeError,
    UnreadableTranscriptError,
    UnsupportedTranscriptError,
)
from g2_pipelines.transcripts.readers import MAX_BYTES, read_text

WORDS = "【質疑応答】\n問）　売上高は①いくらでしょうか。\n答）　△3億円です。株価はｱｲｳ。\n"


@pytest.mark.parametrize(
    ("codec", "name"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8"),
        ("cp932", "cp932"),
        ("utf-16", "utf-16"),
    ],
)
def test_text_is_the_same_in_every_encoding(codec: str, name: str) -> None:
    clean = read_text(WORDS.encode(codec), "a.txt")
    assert clean.text == WORDS
    assert clean.encoding == name


def test_euc_jp_is_told_from_cp932() -> None:
    words = "問）　売上高はいくらでしょうか。\n答）　3億円でございます。\n"
    clean = read_text(words.encode("euc-jp"), "a.txt")
    assert (clean.text, clean.encoding) == (words, "euc-jp")


def test_a_page_is_read_in_the_charset_that_it_declares() -> None:
    page = '<html><head><meta charset="Shift_JIS"><title>会見</title></head><body>答）　はい。'
    clean = read_text(page.encode("cp932"), "a.html")
    assert (clean.text, clean.title, clean.encoding) == ("答）　はい。", "会見", "cp932")


def test_invisible_marks_and_line_ends_are_left_out_and_offsets_still_lead_back() -> None:
    original = "\ufeffQ：\u200f売上は\u202e？\r\nA：\u00ad増え\rました。"
    clean = read_text(original.encode(), "a.txt")
    assert clean.text == "Q：売上は？\nA：増え\nました。"
    decoded = original.removeprefix("\ufeff")
    for run in clean.offsets:
        for i in range(run.length):
            if clean.text[run.start + i] != "\n":
                assert decoded[run.source_start + i] == clean.text[run.start + i]


def test_hard_wrapped_lines_are_joined_and_labels_are_not() -> None:
    line = "当期は半導体製造装置向けの計測が伸びた一方で自動車向けが減り"
    text = "\n".join([line] * 12 + ["増収でした。", "Q：来期はどうなりますか。"])
    clean = read_text(text.encode(), "a.txt")
    assert clean.text == line * 12 + "増収でした。\nQ：来期はどうなりますか。"


def test_a_number_is_never_left_on_two_lines() -> None:
    clean = read_text(
        "当期の売上高は、前期比で増え442億9,600\n万円となりました。\n".encode(), "a.txt"
    )
    assert "442億9,600万円" in clean.text


def test_whole_short_lines_stay_lines() -> None:
    text = "売上高は増えました\n利益は減りました\n来期は戻します\n"
    assert read_text(text.encode(), "a.txt").text == text


def test_html_shows_what_a_browser_shows() -> None:
    page = (
        "<html><body><!-- 問） --><p>売上  は\n増え&#x305f;。</p><script>if (a < b) 問）</script>"
        "<dl><dt>問）</dt><dd>A&amp;B 1 < 2 ですか。</dd></dl></body>"
    )
    assert read_text(page.encode(), "a.html").text == "売上 は 増えた。\n問）\nA&B 1 < 2 ですか。\n"


def test_html_entities_are_no_files() -> None:
    page = '<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]><p>答）　&x; です。</p>'
    assert "root:" not in read_text(page.encode(), "a.html").text


def test_subtitle_times_are_no_text() -> None:
    clean = read_text(
        "1\n00:00:01,500 --> 00:00:03,000\n売上は\n\n2\n00:00:03,000 --> 00:00:04,250\n3\n".encode(),
        "a.srt",
    )
    assert clean.text == "売上は\n3"
    assert [(t.t0, t.t1) for t in clean.timings] == [(1.5, 3.0), (3.0, 4.25)]


def test_words_outside_a_cue_have_no_time_and_other_notations_their_own() -> None:
    """The time of the cue before was given to them."""
    clean = read_text(
        "1\n00:00:01,000 --> 00:00:03,000\nSPEAKER_00: 売上は\n増えました。\n\n"
        "[00:15 → 00:32] SPEAKER_01: なぜですか。\n\nSPEAKER_00: 値上げです。\n".encode(),
        "a.srt",
    )
    assert clean.text.rstrip() == "売上は\n増えました。\nなぜですか。\n値上げです。"
    assert [(t.t0, t.t1, t.speaker) for t in clean.timings] == [
        (1.0, 3.0, "SPEAKER_00"),
        (1.0, 3.0, "SPEAKER_00"),
        (15.0, 32.0, "SPEAKER_01"),
        (None, None, "SPEAKER_00"),
    ]


def test_lines_of_a_diarisation_are_words_with_timings() -> None:
    clean = read_text(
        "会見の記録\n[0:00:01 --> 0:00:05] SPEAKER_00: 増えました。\n続けます。\n"
        "[0:01:00] SPEAKER_01: なぜですか。\nSPEAKER_00: 値上げです。\n".encode(),
        "a.txt",
    )
    assert clean.text.rstrip() == "会見の記録\n増えました。\n続けます。\nなぜですか。\n値上げです。"
    assert [(t.t0, t.t1, t.speaker) for t in clean.timings] == [
        (None, None, None),
        (1.0, 5.0, "SPEAKER_00"),
        (None, None, "SPEAKER_00"),
        (60.0, None, "SPEAKER_01"),
        (None, None, "SPEAKER_00"),
    ]


def _docx(xml: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("word/document.xml", xml)
    return stream.getvalue()


W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def test_docx_paragraphs_are_lines_and_deleted_words_are_left_out() -> None:
    clean = read_text(
        _docx(
            f"<w:document {W}><w:p><w:r><w:t>問）</w:t><w:delText>消した</w:delText></w:r></w:p>"
            "<w:p><w:r><w:t>売上は</w:t><w:tab/><w:t>いくらですか。</w:t></w:r></w:p></w:document>"
        ),
        "a.docx",
    )
    assert clean.text == "問）\n売上は\tいくらですか。"


@pytest.mark.parametrize("entity", ['SYSTEM "file:///etc/passwd"', '"twenty"'])
def test_a_docx_with_a_document_type_is_refused(entity: str) -> None:
    """Word writes none; leaving its entities out would lose their words without a word."""
    xml = f"<!DOCTYPE d [<!ENTITY x {entity}>]><w:document {W}><w:p><w:r><w:t>a&x;b</w:t></w:r></w:p></w:document>"
    with pytest.raises(UnreadableTranscriptError):
        read_text(_docx(xml), "a.docx")


def test_a_text_boxs_words_are_told_once() -> None:
    """Word writes a box inside the paragraph that it hangs on, and for old readers once more."""
    box = "<w:txbxContent><w:p><w:r><w:t>箱の文</w:t></w:r></w:p></w:txbxContent>"
    mc = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    xml = (
        f"<w:document {W} {mc}><w:p><w:r><w:t>前</w:t><mc:AlternateContent><mc:Choice>{box}"
        f"</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent><w:t>後</w:t></w:r></w:p>"
        "</w:document>"
    )
    assert read_text(_docx(xml), "a.docx").text == "前後\n箱の文"


def test_paragraphs_in_paragraphs_do_not_multiply_the_text() -> None:
    nested = "<w:p>" * 200 + "<w:t>" + "あ" * 10_000 + "</w:t>" + "</w:p>" * 200
    text = read_text(_docx(f"<w:document {W}>{nested}</w:document>"), "a.docx").text
    assert text.count("あ") == 10_000


def test_a_text_that_is_none_does_not_cost_those_after_it() -> None:
    for none in ("null", '""'):
        content = f'{{"segments": [{{"text": "あ"}}, {{"text": {none}}}, {{"text": "う"}}]}}'
        assert read_text(content.encode(), "a.json").text == "あ\nう"


@pytest.mark.parametrize(
    ("segments", "place"),
    [
        ('{"text": "あ"}, {"text": 5}, {"text": "う"}', "text 2"),
        ('{"text": "あ"}, {"te\\u0078t": "い"}, {"text": "う"}', "text 2"),
        ('{"text": "あ"}, {"text": ["い"]}', "text 2"),
        ('{"text": "あ\\ud800"}', "character 1"),
    ],
)
def test_a_text_that_cannot_be_followed_is_named_not_lost(segments: str, place: str) -> None:
    with pytest.raises(UnreadableTranscriptError) as caught:
        read_text(f'{{"segments": [{segments}]}}'.encode(), "a.json")
    assert caught.value.place == place


def test_times_that_are_none_and_half_characters_of_a_speaker() -> None:
    content = (
        b'{"segments": [{"text": "a", "start": NaN, "end": 1e400, "speaker": "S\\ud800"},'
        b' {"text": "b", "start": true, "end": 1' + b"0" * 400 + b"}]}"
    )
    timings = read_text(content, "a.json").timings
    assert [(t.t0, t.t1, t.speaker) for t in timings] == [(None, None, "S?"), (None, None, None)]


@pytest.mark.parametrize("charset", ["punycode", "undefined", "idna", "unicode_escape", "rot13"])
def test_a_declared_charset_that_is_none_is_not_used(charset: str) -> None:
    clean = read_text(f"<meta charset={charset}><p>売上\\u0041".encode(), "a.html")
    assert (clean.text, clean.encoding) == ("売上\\u0041", "utf-8")


@pytest.mark.parametrize(
    ("content", "name", "error"),
    [
        (b"", "a.txt", EmptyTranscriptError),
        (b" \n\t ", "a.txt", EmptyTranscriptError),
        ("　\n\ufeff".encode(), "a.txt", EmptyTranscriptError),
        (b"<html><script>x</script></html>", "a.html", EmptyTranscriptError),
        (b'{"segments": []}', "a.json", EmptyTranscriptError),
        (b"%PDF-1.7 ...", "a.txt", UnreadableTranscriptError),
        (bytes(range(256)) * 20, "a.txt", UnreadableTranscriptError),
        (b"\xff\xff\xff abc \x80\xff\xa0", "a.txt", UnreadableTranscriptError),
        (b"{broken", "a.json", UnreadableTranscriptError),
        (b"[" * 100_000, "a.json", UnreadableTranscriptError),
        (b'[{"text": "a", "end": ' + b"9" * 5_000 + b"}]", "a.json", UnreadableTranscriptError),
        (b'{"a": 1}', "a.json", UnreadableTranscriptError),
        (b"PK\x03\x04broken", "a.docx", UnreadableTranscriptError),
        (_docx("<broken"), "a.docx", UnreadableTranscriptError),
        (b"text", "a.xlsx", UnsupportedTranscriptError),
        (b"a" * (MAX_BYTES + 1), "a.txt", TranscriptTooLargeError),
    ],
)
def test_bad_files_are_named_with_a_remedy(content: bytes, name: str, error: type[G2Error]) -> None:
    with pytest.raises(error) as caught:
        read_text(content, name)
    assert caught.value.file == name
    assert caught.value.remedy


def test_a_zip_without_a_document_says_what_is_missing() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("x.txt", "x")
    with pytest.raises(UnsupportedTranscriptError) as caught:
        read_text(stream.getvalue(), "a.zip")
    assert caught.value.place == "word/document.xml"


def test_a_wrongly_decoded_original_is_said() -> None:
    clean = read_text("答）　売上\ufffdは増えました。".encode(), "a.txt")
    assert clean.warnings == ["replacement character at 5: the file was decoded wrongly before"]
