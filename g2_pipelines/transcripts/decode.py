"""Bytes to text, strictly.

Here: recognising binary files and choosing the encoding (utf-8, utf-16 with BOM,
iso-2022-jp, cp932, euc-jp). No byte is ever replaced: what does not decode is an error.
The readers import this module.
"""

from __future__ import annotations

import re

from g2_pipelines.transcripts.errors import EmptyTranscriptError, UnreadableTranscriptError

_MAGIC = {
    b"%PDF": "a PDF",
    b"\xd0\xcf\x11\xe0": "an old Office file",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"ID3": "a sound file",
    b"RIFF": "a sound file",
    b"\x1f\x8b": "a gzip archive",
    b"7z\xbc\xaf": "a 7z archive",
}
_UTF16 = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
_CONTROL = bytes([*range(9), 11, *range(14, 27), *range(28, 32)])
_USUAL = re.compile("[ぁ-んァ-ヶー一-龥、。「」０-９Ａ-Ｚａ-ｚ]")
_UNUSUAL = re.compile("[｡-ﾟ\ue000-\uf8ff\x80-\x9f]|[\u0370-\u04ff][ぁ-ん]")
#: What Python's cp932 makes of bytes that are no cp932 (0x80, 0xa0, 0xfd-0xff).
_NO_TEXT = re.compile("[\x80\xa0\uf8f0-\uf8f3]")
SAMPLE = 200_000


def decode(content: bytes, name: str) -> tuple[str, str]:
    """Text of ``content`` and the encoding's name.

    Japanese legacy encodings often both decode; the one that gives more kana and common
    kanji and fewer half-width kana wins.

    Raises:
        EmptyTranscriptError: No bytes, or white space only.
        UnreadableTranscriptError: Binary, or no known encoding decodes all bytes.
    """
    if not content.strip():
        raise EmptyTranscriptError(
            "The transcript is empty", file=name, remedy="Give a file that holds its text"
        )
    encoding = next((e for mark, e in _UTF16.items() if content.startswith(mark)), None)
    if encoding is None:
        _refuse_binary(content, name)
    text, encoding = _strict(content, name, encoding)
    if not text.strip().strip("\ufeff\u200b"):
        raise EmptyTranscriptError(
            "The transcript holds only white space",
            file=name,
            remedy="Give a file that holds its text",
        )
    return text, encoding


def _refuse_binary(content: bytes, name: str) -> None:
    kind = next((what for magic, what in _MAGIC.items() if content.startswith(magic)), None)
    sample = content[:SAMPLE]
    control = len(sample) - len(sample.translate(None, _CONTROL))
    if kind is None and control * 100 > len(sample):
        kind = "a binary file"
    if kind is not None:
        raise UnreadableTranscriptError(
            f"The transcript is {kind}, not text",
            file=name,
            place="byte 0",
            remedy="Save it as text (UTF-8), Markdown, HTML, SRT, VTT, JSON or docx",
        )


def _strict(content: bytes, name: str, encoding: str | None) -> tuple[str, str]:
    place = ""
    for codec, label in ((encoding, encoding), ("utf-8-sig", "utf-8"), (None, None)):
        if codec is None or label is None:
            continue
        try:
            return content.decode(codec), label
        except UnicodeDecodeError as error:
            place = f"byte {error.start}"
    found = [
        (codec, text)
        for codec in _legacy(content)
        if (text := _try(content, codec)) is not None and not _NO_TEXT.search(text)
    ]
    if not found:
        raise UnreadableTranscriptError(
            "The transcript is in no encoding known here",
            file=name,
            place=place,
            remedy="Save it as UTF-8 (utf-8, cp932 and euc-jp are read, without guessing bytes)",
        )
    codec, text = max(found, key=lambda pair: _plausibility(pair[1]))
    return text, codec


def _legacy(content: bytes) -> list[str]:
    return ["iso-2022-jp"] if b"\x1b$" in content else ["cp932", "euc-jp"]


def _try(content: bytes, codec: str) -> str | None:
    try:
        return content.decode(codec)
    except UnicodeDecodeError:
        return None


def _plausibility(text: str) -> float:
    sample = text[:SAMPLE]
    good = len(_USUAL.findall(sample))
    bad = len(_UNUSUAL.findall(sample))
    return (good - 3 * bad) / len(sample)
