"""Filled fields, typed texts and stamps are part of what a page says."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2_pipelines.pdf.filled import Flat, write_flat
from g2_pipelines.pdf.parse import ParsedPdf, parse_pdf

HELV, ZADB = 5, 7


def stream(entries: str, content: str) -> str:
    return f"<< {entries} /Length {len(content)} >>\nstream\n{content}\nendstream"


def appearance(width: int, text: str, font: int = HELV) -> str:
    entries = (
        f"/Type /XObject /Subtype /Form /BBox [0 0 {width} 20]"
        f" /Resources << /Font << /A {font} 0 R >> >>"
    )
    return stream(entries, f"/Tx BMC BT /A 12 Tf 2 6 Td ({text}) Tj ET EMC")


def widget(field: str, box: str, *, flags: int = 4, more: str = "") -> str:
    return (
        f"<< /Type /Annot /Subtype /Widget {field} /Rect [{box}] /F {flags}"
        f" /DA (/Helv 12 Tf 0 g) {more} >>"
    )


def form(path: Path, *annotations: int) -> Path:
    """A page «Total assets:» / «Approved:» of 400 × 300 points, with some of its annotations."""
    kids = " ".join(f"{number} 0 R" for number in annotations)
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [{kids}]"
        " /DR << /Font << /Helv 5 0 R /ZaDb 7 0 R >> >> >> >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 300]"
        f" /Resources << /Font << /F 5 0 R >> >> /Contents 4 0 R /Annots [{kids}] >>",
        stream("", "BT /F 12 Tf 40 240 Td (Total assets:) Tj 0 -40 Td (Approved:) Tj ET"),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        widget("/FT /Tx /T (total) /V (48,321)", "140 234 240 254", more="/AP << /N 9 0 R >>"),
        "<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>",
        widget(
            "/FT /Btn /T (ok) /V /Yes /AS /Yes",
            "140 194 160 214",
            more="/AP << /N << /Yes 11 0 R >> >>",
        ),
        appearance(100, "48,321"),
        widget("/FT /Tx /T (rate) /V (17.5%)", "140 150 240 170"),  # its look is the viewer's
        appearance(20, "4", ZADB),
        "<< /Type /Annot /Subtype /FreeText /Contents (restated) /Rect [260 114 330 134] /F 4"
        " /DA (/Helv 12 Tf 0 g) /AP << /N 13 0 R >> >>",
        appearance(70, "restated"),
        widget(
            "/FT /Tx /T (old) /V (99,999)", "140 80 240 100", flags=2, more="/AP << /N 15 0 R >>"
        ),
        appearance(100, "99,999"),
        "<< /Type /Annot /Subtype /Text /Contents (ask Kanda) /Rect [10 10 30 30] /F 4 >>",
        widget(
            "/FT /Tx /T (p) /V (88,888)", "140 80 240 100", flags=36, more="/AP << /N 18 0 R >>"
        ),
        appearance(100, "88,888"),
    ]
    out, places = "%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\n"
    out += f"startxref\n{out.index('xref')}\n%%EOF\n"
    path.write_text(out, encoding="ascii")
    return path


TOTAL, OK, RATE, TYPED, HIDDEN, COMMENT, PRINTED = 6, 8, 10, 12, 14, 16, 17


def read(path: Path) -> ParsedPdf:
    return parse_pdf(path, document_id="form", images_dir=path.with_suffix(""))


def test_values_of_fields_stand_where_they_are_seen(tmp_path: Path) -> None:
    found = read(form(tmp_path / "form.pdf", TOTAL, OK, RATE, TYPED))
    text = " ".join(node.text for node in found.nodes)
    assert [word for word in ("48,321", "✔", "17.5%", "restated") if word in text] == [
        "48,321",
        "✔",
        "17.5%",
        "restated",
    ]
    assert "4 " not in text.replace("48,321", "")  # the check mark's code is no number
    [total] = [node for node in found.nodes if "48,321" in node.text]
    assert total.bbox.x1 > 140
    assert total.bbox.y0 < 60  # the field spans 46–66 points from the top
    assert found.quality.kept_share == 1.0
    assert "form fields, typed texts and stamps are read on pages 1" in found.quality.warnings


def test_what_no_screen_shows_is_not_read(tmp_path: Path) -> None:
    found = read(form(tmp_path / "form.pdf", TOTAL, HIDDEN, PRINTED))
    text = " ".join(node.text for node in found.nodes)
    assert "48,321" in text
    assert "99,999" not in text
    assert "88,888" not in text


def test_comments_are_left_aside_and_counted(tmp_path: Path) -> None:
    found = read(form(tmp_path / "form.pdf", COMMENT))
    assert "ask Kanda" not in " ".join(node.text for node in found.nodes)
    assert found.quality.warnings == ["1 comments are not read"]


@pytest.mark.parametrize("annotations", [(), (COMMENT,)])
def test_nothing_is_written_where_nothing_is_to_be_laid_flat(
    tmp_path: Path, annotations: tuple[int, ...]
) -> None:
    copy = tmp_path / "copy.pdf"
    flat = write_flat(form(tmp_path / "form.pdf", *annotations), copy)
    assert flat == Flat((), len(annotations))
    assert not copy.exists()


def test_the_file_stays_as_it_came(tmp_path: Path) -> None:
    path = form(tmp_path / "form.pdf", TOTAL)
    before = path.read_bytes()
    read(path)
    assert path.read_bytes() == before


def test_a_page_of_more_annotations_than_a_form_has_is_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, copy = form(tmp_path / "form.pdf", TOTAL, OK, COMMENT), tmp_path / "flat.pdf"
    monkeypatch.setattr("g2_pipelines.pdf.filled.MAX_ANNOTATIONS", 2)
    flat = write_flat(path, copy)
    assert flat == Flat((), 0, (1,))
    assert not copy.exists()
    assert flat.in_words() == ["more than 2 fields and comments: none is read on pages 1"]
    monkeypatch.setattr("g2_pipelines.pdf.filled.MAX_ANNOTATIONS", 3)
    assert write_flat(path, copy) == Flat((1,), 1)
    assert copy.exists()
