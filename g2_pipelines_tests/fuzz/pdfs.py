"""PDFs made to be odd: a small document as objects, mutated in its structure, then its bytes.

Here: the document, what may happen to its objects, streams, page tree, cross-reference table
and bytes. Every function takes the random generator; no input grows past some megabytes.
"""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field

from g2_pipelines_tests.fuzz.mutate import BYTES, mutated

_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
_NUMBERS = [b"0", b"-1", b"1", b"0.0001", b"20000", b"-20000", b"1e9", b"99999999999", b"2147483648",
            b"NaN", b"--5", b".", b"1.2.3", b"0" * 200, b"9" * 60]  # fmt: skip
_VALUES = [b"null", b"true", b"[]", b"<<>>", b"()", b"<>", b"/Name", b"1 0 R", b"999 0 R", b"[1 0 R]", b"(\xfe\xff\xd8\x00)",
           b"[" * 300, b"<<" * 300, b"(" * 300, b"/" + b"A" * 3000, b"<" + b"G" * 50 + b">"]  # fmt: skip
_OPERATORS = [b"q", b"Q", b"BT", b"ET", b"/F1 12 Tf", b"/F9 0 Tf", b"/Fm Do", b"/Im Do", b"W n", b"0 0 0 0 0 0 cm",
              b"1e9 0 0 1e9 0 0 cm", b"0 1 -1 0 0 0 cm", b"(a) Tj", b"[(a) -9999 (b)] TJ", b"<FFFE> Tj", b"3 Tr", b"0 Tz", b"1e9 TL T*",
              b"0 0 m 1e9 1e9 l S", b"0 0 1e9 1e9 re f", b"BI /W 9999 /H 9999 /BPC 8 /CS /G ID x EI", b"sh", b"/P <</MCID 0>> BDC", b"EMC"]  # fmt: skip
_TEXT = (
    b"BT /F1 18 Tf 50 760 Td (1 Wood and iron) Tj ET BT /F1 10 Tf 50 730 Td 14 TL (The mill sold more wood.) Tj T*"
    b" (It sold less iron, see Table 1 and Fig. 2.) Tj ET BT /F1 9 Tf 50 690 Td (Table 1. Sales) Tj ET\n"
)
_GRID = b"".join(b"50 %d m 250 %d l S %d 600 m %d 680 l S\n" % (y, y, x, x) for y, x in ((600, 50), (640, 150), (680, 250)))  # fmt: skip
_CELLS = b"".join(
    b"BT /F1 9 Tf %d %d Td (%s) Tj ET\n" % (x, y, text)
    for x, y, text in ((60, 660, b"year"), (160, 660, b"tons"), (60, 615, b"2031"), (160, 615, b"1,204"))
)  # fmt: skip
_CMAP = b"/CIDInit /ProcSet findresource begin 1 begincmap 1 begincodespacerange <00> <FF> endcodespacerange 2 beginbfrange <20> <7E> <0020> <80> <FF> [<D800>] endbfrange endcmap"


@dataclass
class Draft:
    """A PDF's objects by number, stream data apart; how the file around them is written."""

    heads: dict[int, bytes] = field(default_factory=dict)
    streams: dict[int, bytes] = field(default_factory=dict)
    header: bytes = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
    trailer: bytes = b"/Root 1 0 R /Info 9 0 R"
    shift: int = 0
    startxref: bytes | None = None

    def written(self) -> bytes:
        out = bytearray(self.header)
        places: dict[int, int] = {}
        for number, head in self.heads.items():
            places[number] = len(out)
            out += b"%d 0 obj\n%s" % (number, head)
            if number in self.streams:
                out += b"\nstream\n" + self.streams[number] + b"\nendstream"
            out += b"\nendobj\n"
        start = len(out)
        size = max(places, default=0) + 1
        out += b"xref\n0 %d\n0000000000 65535 f \n" % size
        for number in range(1, size):
            place = places.get(number)
            row = (
                b"0000000000 00000 f \n"
                if place is None
                else b"%010d 00000 n \n" % (place + self.shift)
            )
            out += row
        out += b"trailer\n<< /Size %d %s >>\nstartxref\n" % (size, self.trailer)
        return bytes(out + (self.startxref or b"%d" % start) + b"\n%%EOF\n")


def draft(rng: random.Random) -> Draft:
    """One to three small pages of text, a ruled table, a form and a picture."""
    pages = rng.choice([1, 1, 1, 2, 3])
    kids = b" ".join(b"%d 0 R" % (10 + k) for k in range(pages))
    made = Draft()
    made.heads = {
        1: b"<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /URI /URI (http://127.0.0.1:9/x) >> /Names << /JavaScript << /Names [(a) << /S /JavaScript /JS (app.launchURL\\('http://127.0.0.1:9'\\)) >>] >> >> >>",
        2: b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, pages),
        3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 8 0 R >>",
        4: b"<< /Length 0 >>",
        5: b"<< /Type /XObject /Subtype /Form /BBox [0 0 300 90] /Resources << /Font << /F1 3 0 R >> /XObject << /Fm 5 0 R >> >> >>",
        6: b"<< /Type /XObject /Subtype /Image /Width 20 /Height 20 /BitsPerComponent 8 /ColorSpace /DeviceGray >>",
        8: b"<< /Length %d >>" % len(_CMAP),
        9: b"<< /Title (Wood) >>",
    }
    made.streams = {
        4: _TEXT
        + _GRID
        + _CELLS
        + b"q 1 0 0 1 50 300 cm /Fm Do Q q 200 0 0 150 300 400 cm /Im Do Q\n",
        5: b"BT /F1 8 Tf 5 50 Td (Figure 2. A form) Tj ET",
        6: bytes(range(256)) + bytes(144),
        8: _CMAP,
    }
    for k in range(pages):
        made.heads[10 + k] = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 3 0 R >> /XObject << /Fm 5 0 R /Im 6 0 R >> >> >>"  # fmt: skip
    return made


def _number(rng: random.Random, made: Draft) -> None:
    """One number of one object replaced."""
    number = rng.choice(list(made.heads))
    found = list(_NUMBER.finditer(made.heads[number]))
    if found:
        spot = rng.choice(found)
        head = made.heads[number]
        made.heads[number] = head[: spot.start()] + rng.choice(_NUMBERS) + head[spot.end() :]


def _value(rng: random.Random, made: Draft) -> None:
    """A key of an object with another value, or doubled, or gone."""
    number = rng.choice(list(made.heads))
    head = made.heads[number]
    keys = list(re.finditer(rb"/[A-Z]\w+", head))
    if keys:
        spot = rng.choice(keys)
        new = rng.choice([b"", spot.group() + b" " + rng.choice(_VALUES), b"/X" + spot.group()[1:]])
        made.heads[number] = head[: spot.start()] + new + head[spot.end() :]


def _boxes(rng: random.Random, made: Draft) -> None:
    """Page boxes, rotations and units of other worlds."""
    box = b" ".join(
        rng.choice([*_NUMBERS[:9], b"300", b"612"]) for _ in range(rng.choice([4, 4, 4, 2, 5]))
    )
    more = b"/%s [%s] /Rotate %s" % (
        rng.choice([b"MediaBox", b"CropBox"]), box, rng.choice([b"0", b"90", b"180", b"270", b"45", b"-90", b"99999"]),
    )  # fmt: skip
    if rng.random() < 0.3:
        more += b" /UserUnit " + rng.choice(_NUMBERS)
    head = made.heads[10]
    made.heads[10] = re.sub(rb"/MediaBox \[[^\]]*\]", lambda _: more, head)


def _operators(rng: random.Random, made: Draft) -> None:
    """Operators put in, left out or repeated in a content stream."""
    number = rng.choice([4, 4, 4, 5])
    lines = made.streams[number].split(b"\n")
    for _ in range(rng.choice([1, 3, 20])):
        place = rng.randrange(len(lines) + 1)
        lines[place:place] = [rng.choice(_OPERATORS)] * rng.choice([1, 1, 1, 2, 400])
    if rng.random() < 0.3:
        del lines[rng.randrange(len(lines)) :: rng.choice([2, 3, 7])]
    made.streams[number] = b"\n".join(lines)


def _filters(rng: random.Random, made: Draft) -> None:
    """Streams packed, packed wrongly, or of another kind than they say."""
    number = rng.choice(list(made.streams))
    data = made.streams[number]
    kind = rng.choice([b"/FlateDecode", b"[/FlateDecode /FlateDecode]", b"/LZWDecode", b"/ASCII85Decode", b"/ASCIIHexDecode",
                       b"/RunLengthDecode", b"/DCTDecode", b"/JPXDecode", b"/JBIG2Decode", b"/CCITTFaxDecode", b"/Crypt"])  # fmt: skip
    if b"Flate" in kind and rng.random() < 0.8:
        data = zlib.compress(data if rng.random() < 0.9 else b"0 0 m " * 500_000)
        data = zlib.compress(data) if kind.startswith(b"[") else data
    if rng.random() < 0.5:
        data = mutated(rng, data, BYTES)
    made.streams[number] = data
    length = rng.choice([b"%d" % len(data), b"%d" % len(data), b"0", b"-1", b"99999999", b"4 0 R"])
    head = re.sub(rb"/Length -?\d+", b"", made.heads[number])
    made.heads[number] = head[:-2] + b"/Filter %s /Length %s >>" % (kind, length)


def _forms(rng: random.Random, made: Draft) -> None:
    """Forms that hold themselves, each other, or each the next one twice."""
    depth = rng.choice([1, 2, 5, 12])
    for k in range(depth):
        following = 30 + (k + 1) % depth if rng.random() < 0.6 else 30 + k + 1
        made.heads[30 + k] = (
            b"<< /Type /XObject /Subtype /Form /BBox [0 0 300 90] /Resources << /Font << /F1 3 0 R >> /XObject << /Fm %d 0 R >> >> >>"
            % following
        )
        made.streams[30 + k] = b"/Fm Do " * rng.choice([1, 2]) + b"BT /F1 8 Tf (deep) Tj ET"
    made.heads[5] = made.heads[5].replace(b"/Fm 5 0 R", b"/Fm 30 0 R")
    made.streams[5] += b" /Fm Do"


def _tree(rng: random.Random, made: Draft) -> None:
    """A page tree that turns back, counts wrongly or repeats a page."""
    kids, count = rng.choice([
        (b"2 0 R", b"1"), (b"10 0 R 2 0 R", b"5"), (b"10 0 R " * 300, b"300"), (b"10 0 R", b"2147483647"), (b"10 0 R", b"-1"),
        (b"null 10 0 R 9 0 R", b"3"), (b"", b"0"), (b"1 0 R", b"1"), (b"10 0 R " * 40, b"7"),
    ])  # fmt: skip
    made.heads[2] = b"<< /Type /Pages /Kids [%s] /Count %s >>" % (kids, count)


def _pictures(rng: random.Random, made: Draft) -> None:
    """Pictures far larger than their data, or with other colours and masks."""
    side = rng.choice([b"0", b"1", b"-5", b"5000", b"100000", b"2147483647"])
    made.heads[6] = b"<< /Type /XObject /Subtype /Image /Width %s /Height %s /BitsPerComponent %s /ColorSpace %s %s >>" % (
        side, rng.choice([side, b"20"]), rng.choice([b"1", b"8", b"16", b"99"]),
        rng.choice([b"/DeviceRGB", b"/DeviceCMYK", b"[/Indexed /DeviceRGB 255 8 0 R]", b"[/ICCBased 8 0 R]", b"/Pattern"]),
        rng.choice([b"", b"/SMask 6 0 R", b"/ImageMask true", b"/Mask [0 1]", b"/Decode [9 -9]"]),
    )  # fmt: skip


def _fonts(rng: random.Random, made: Draft) -> None:
    """Fonts without, with foreign or with broken codes."""
    made.heads[3] = rng.choice([
        b"<< /Type /Font /Subtype /Type0 /BaseFont /MS-Mincho /Encoding /90ms-RKSJ-H /DescendantFonts [3 0 R] >>",
        b"<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-V /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>] >>",
        b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /CharProcs << /a 4 0 R >> /Encoding << /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [1] /Resources << /Font << /F1 3 0 R >> >> >>",
        b"<< /Type /Font /Subtype /TrueType /BaseFont /Arial /FirstChar -5 /LastChar 99999 /Widths [1e9] /FontDescriptor << /FontFile2 6 0 R >> >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [32 /A /B /nothing] >> /ToUnicode 6 0 R >>",
    ])  # fmt: skip
    if rng.random() < 0.5:
        made.streams[8] = mutated(rng, made.streams[8], BYTES)


def _frame(rng: random.Random, made: Draft) -> None:
    """Header, cross-reference table and trailer that lie."""
    made.shift = rng.choice([0, 0, 1, -3, 500])
    made.startxref = rng.choice([None, b"0", b"-1", b"99999999999", b"10"])
    made.trailer = rng.choice([
        made.trailer, b"/Root 2 0 R", b"", made.trailer + b" /Prev 10", made.trailer + b" /Encrypt << /Filter /Standard /V 5 /R 6 /O () /U () >>",
        made.trailer + b" /Encrypt 4 0 R /ID [() ()]", made.trailer + b" /XRefStm 15",
    ])  # fmt: skip
    made.header = rng.choice(
        [made.header, b"junk " * 150 + made.header, b"%PDF-9.9\r", b"%!PS\n%PDF-1.0\n", b""]
    )


WAYS: tuple[Callable[[random.Random, Draft], None], ...] = (
    _number, _number, _value, _value, _boxes, _operators, _operators, _filters, _filters, _forms, _tree, _pictures, _fonts, _frame,
)  # fmt: skip


def odd_pdf(rng: random.Random) -> bytes:
    """A PDF with one to four faults of structure, a third of them damaged in their bytes too."""
    made = draft(rng)
    for _ in range(rng.choice([1, 1, 2, 2, 3, 4])):
        rng.choice(WAYS)(rng, made)
    content = made.written()
    return mutated(rng, content, BYTES) if rng.random() < 0.35 else content
