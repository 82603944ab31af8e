"""Prose of ``texts`` → XHTML as filing software writes it; a chart as PNG.

Here: the small markup of the texts. Marks: ``#`` to ``####`` headings, ``|a|b|`` table rows
(``<`` joins a cell to its left, ``^`` to the one above), ``![alt](file)`` an image, anything
else a paragraph. Two styles, after the two programs that most filers use.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Sequence
from html import escape

_IMAGE = re.compile(r"^!\[(?P<alt>.*)\]\((?P<file>[^)]+)\)$")
_NUMBER = re.compile(r"^[△]?[\d,.]+$|^－$")
_BORDER = "border: 1px solid #000000; padding: 0px 6px; vertical-align: middle"


def blocks_of_text(content: str) -> dict[str, str]:
    """Section name → its marked-up text."""
    parts = content.split("@@ ")[1:]
    return {name.strip(): body for name, _, body in (part.partition("\n") for part in parts)}


def to_xhtml(text: str, style: str) -> str:
    """XHTML of one section's text."""
    out: list[str] = []
    rows: list[list[str]] = []
    for line in [*text.strip("\n").split("\n"), ""]:
        if line.startswith("|"):
            rows.append(line.strip("|").split("|"))
            continue
        if rows:
            out.append(table(rows))
            rows = []
        if line:
            out.append(_line(line, style))
    return "\n".join(out)


def _line(line: str, style: str) -> str:
    if match := _IMAGE.match(line):
        alt, file = escape(match["alt"]), escape(match["file"])
        return f'<p><img src="{file}" alt="{alt}" width="480" height="200" /></p>'
    if line.startswith("#"):
        marks, _, title = line.partition(" ")
        return heading(title, len(marks), style)
    return paragraph(line, style)


def heading(title: str, level: int, style: str) -> str:
    """A heading inside a section, level 1 to 4."""
    if style == "smt":
        return f'<p class="smt_head{level + 1}">{escape(title)}</p>'
    return f"<h{level + 2}>{escape(title)}</h{level + 2}>"


def paragraph(line: str, style: str) -> str:
    """A paragraph; a leading U+3000 is the filer's indent."""
    if style == "smt":
        return f'<p class="smt_text2" style="orphans:0;widows:0;">{escape(line)}</p>'
    return (
        '<p style="text-align: justify; text-indent: 12px">\n'
        f'<span style="font-size: 12px">{escape(line.lstrip("　"))}</span>\n</p>'
    )


def table(rows: Sequence[Sequence[str]], *, tagged: bool = False) -> str:
    """A ruled table; ``tagged`` cells are XHTML already."""
    width = max(len(row) for row in rows)
    columns = "".join(f'<col style="width: {600 // width}px" />' for _ in range(width))
    lines = [f'<table style="border-collapse: collapse"><colgroup>{columns}</colgroup><tbody>']
    for y, row in enumerate(rows):
        lines.append("<tr>")
        lines.extend(
            _cell(rows, y, x, tagged=tagged) for x in range(len(row)) if row[x] not in {"<", "^"}
        )
        lines.append("</tr>")
    lines.append("</tbody></table>")
    return "<div>\n" + "\n".join(lines) + "\n</div>"


def _cell(rows: Sequence[Sequence[str]], y: int, x: int, *, tagged: bool) -> str:
    row, text = rows[y], rows[y][x]
    colspan = rowspan = 1
    while x + colspan < len(row) and row[x + colspan] == "<":
        colspan += 1
    while y + rowspan < len(rows) and rows[y + rowspan][x : x + 1] == ["^"]:
        rowspan += 1
    spans = (f' colspan="{colspan}"' if colspan > 1 else "") + (
        f' rowspan="{rowspan}"' if rowspan > 1 else ""
    )
    plain = re.sub(r"<[^>]*>", "", text) if tagged else text
    align = "right" if _NUMBER.match(plain) else "left"
    content = text if tagged else escape(text)
    return f'<td{spans} style="{_BORDER}"><p style="text-align: {align}">{content or "&#160;"}</p></td>'


def bar_chart(groups: Sequence[Sequence[int]]) -> bytes:
    """A PNG of 480 × 200 with one group of bars per entry, each bar to its own series' scale.

    Written without a compressor (stored blocks), so that every machine makes the same bytes.
    """
    width, height, base = 480, 200, 188
    pixels = [bytearray(width // 2) for _ in range(height)]  # 4 bits a pixel, 0 white

    def fill(x0: int, x1: int, y0: int, y1: int, color: int) -> None:
        for y in range(y0, y1):
            for x in range(x0, x1):
                shift = 4 if x % 2 == 0 else 0
                pixels[y][x // 2] = pixels[y][x // 2] & (0xF0 >> shift) | color << shift

    fill(20, 470, base, base + 2, 1)
    tallest = [max(group[i] for group in groups) for i in range(len(groups[0]))]
    step = 440 // len(groups)
    for number, group in enumerate(groups):
        bar = (step - 16) // len(group)
        for i, value in enumerate(group):
            left = 28 + number * step + i * bar
            fill(left, left + bar - 4, base - value * 160 // tallest[i], base, 2 + i)
    raw = b"".join(b"\0" + bytes(line) for line in pixels)
    palette = bytes([255, 255, 255, 60, 60, 60, 46, 98, 148, 208, 132, 48])
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 4, 3, 0, 0, 0))
        + _chunk(b"PLTE", palette)
        + _chunk(b"IDAT", _stored(raw))
        + _chunk(b"IEND", b"")
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _stored(raw: bytes) -> bytes:
    out = bytearray(b"\x78\x01")
    for start in range(0, len(raw), 65_535):
        piece = raw[start : start + 65_535]
        last = start + 65_535 >= len(raw)
        out += struct.pack("<BHH", int(last), len(piece), len(piece) ^ 0xFFFF) + piece
    return bytes(out) + struct.pack(">I", zlib.adler32(raw))
