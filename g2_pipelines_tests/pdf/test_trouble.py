"""Files that other parsers lose, crash on or read wrongly."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2_pipelines.errors import G2Error
from g2_pipelines.pdf.errors import EmptyPdfError, NotAPdfError, PasswordPdfError
from g2_pipelines_tests.pdf.conftest import read

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("odl_password.pdf", PasswordPdfError),
        ("odl_empty.pdf", EmptyPdfError),
        ("odl_fake_jpg.pdf", NotAPdfError),
    ],
)
def test_a_file_that_cannot_be_read_names_itself_and_the_remedy(
    shared_data: Path, tmp_path: Path, name: str, kind: type[G2Error]
) -> None:
    with pytest.raises(kind) as caught:
        read(shared_data / "pdf" / name, tmp_path / "images")
    assert caught.value.file == name
    assert caught.value.remedy
    assert not (tmp_path / "images").exists()


def test_a_bomb_of_a_picture_is_not_decoded(shared_data: Path, tmp_path: Path) -> None:
    parsed = read(shared_data / "pdf" / "pdfjs_bomb.pdf", tmp_path, memory_mb=2000)
    assert "GIANT JBIG2 BOMB" in parsed.nodes[0].text


def test_a_broken_cross_reference_is_repaired(shared_data: Path, tmp_path: Path) -> None:
    parsed = read(shared_data / "pdf" / "pdfjs_xrefmissing.pdf", tmp_path)
    assert parsed.quality.text_chars > 0
    assert parsed.quality.kept_share == 1.0


def test_forms_that_hold_themselves_end(shared_data: Path, tmp_path: Path) -> None:
    parsed = read(shared_data / "pdf" / "pm_evil_xobj.pdf", tmp_path)
    assert parsed.quality.kept_share == 1.0


def test_a_page_that_is_a_picture_is_read_by_ocr(shared_data: Path, tmp_path: Path) -> None:
    parsed = read(shared_data / "pdf" / "docling_ocr.pdf", tmp_path)
    [page] = parsed.pages
    assert page.source == "ocr"
    assert page.warnings == ["no text layer: read by OCR"]
    assert parsed.quality.pages_ocr == [1]
    assert parsed.quality.pages_without_text == []
    [node] = parsed.nodes
    assert (node.kind, node.engine) == ("paragraph", "rapidocr")
    assert node.text == (
        "Docling bundles PDF document conversion to JSON and Markdown in an easy self contained"
        " package"
    )


def test_fonts_that_name_no_characters_are_read_by_ocr(shared_data: Path, tmp_path: Path) -> None:
    parsed = read(shared_data / "pdf" / "odl_cid_no_tounicode.pdf", tmp_path)
    assert parsed.quality.pages_garbled == parsed.quality.pages_ocr == [1]
    text = " ".join(node.text for node in parsed.nodes)
    assert "The quick brown fox jumps over the lazy dog 0123456789" in text


def test_a_pictures_ruled_table_has_its_cells_by_ocr(shared_data: Path, tmp_path: Path) -> None:
    """Row and column spans as the picture shows them, in ``SOURCES.tsv``'s un_multirow_cells."""
    parsed = read(shared_data / "pdf" / "un_multirow_cells.pdf", tmp_path)
    [table] = parsed.nodes
    assert (table.kind, table.engine) == ("table", "rapidocr+grid")
    rows = [line.split("\t") for line in table.text.split("\n")]
    assert [row[0] for row in rows] == [
        "Disability Category",
        "",
        "Blind",
        "Low Vision",
        "Dexterity",
        "Mobility",
    ]
    assert [row[1:4] for row in rows[2:]] == [
        ["5", "1", "4"],
        ["5", "2", "3"],
        ["5", "4", "1"],
        ["3", "3", "0"],
    ]
    [results] = [cell for cell in table.cells if cell.text == "Results"]
    assert (results.row, results.col, results.colspan) == (0, 4, 2)


def test_a_page_past_the_budget_of_ocr_is_said_and_not_invented(
    shared_data: Path, tmp_path: Path
) -> None:
    parsed = read(shared_data / "pdf" / "docling_ocr.pdf", tmp_path, ocr_pages=0)
    [page] = parsed.pages
    assert page.source == "none"
    assert page.warnings == ["OCR's budget of 0 pages is used up: not read", "no text layer"]
    assert parsed.quality.pages_without_text == [1]
    assert [(node.kind, node.text) for node in parsed.nodes] == [("figure", "")]


def test_a_rotated_page_has_its_displayed_size(shared_data: Path, tmp_path: Path) -> None:
    parsed = read(shared_data / "pdf" / "pl_nics_rotated.pdf", tmp_path)
    [page] = parsed.pages
    assert (page.width_pt, page.height_pt, page.rotation) == (612.0, 1008.0, 90)
    for node in parsed.nodes:
        assert node.bbox.x1 <= 612
        assert node.bbox.y1 <= 1008
    assert parsed.quality.kept_share > 0.99


def test_a_table_that_stands_sideways_is_read_row_by_row(shared_data: Path, tmp_path: Path) -> None:
    parsed = read(shared_data / "pdf" / "pl_nics_rotated.pdf", tmp_path)
    [table] = [node for node in parsed.nodes if node.kind == "table"]
    rows = {line.split("\t")[0]: line.split("\t") for line in table.text.split("\n")}
    assert rows["Alabama"][1:4] == ["18,870", "23,022", "22,650"]
    assert rows["Totals"][-1] == "2,236,457"
    assert rows["Florida"][-1] == "103,532"


def test_japanese_without_embedded_fonts_is_read(shared_data: Path, tmp_path: Path) -> None:
    """Without a CJK font PDFium drops 618 of 865 kana and kanji and says nothing."""
    parsed = read(shared_data / "pdf" / "pm_jo_vert.pdf", tmp_path)
    text = "".join(node.text for node in parsed.nodes)
    assert sum("\u3040" <= char <= "\u9fff" for char in text) >= 865
    assert "わたくしといふ現象は假定された有機交流電燈のひとつの青い照明です" in text


def test_text_without_a_unicode_map_is_said(shared_data: Path, tmp_path: Path) -> None:
    parsed = read(shared_data / "pdf" / "odl_cid_no_tounicode.pdf", tmp_path)
    assert "have no Unicode map: may be nonsense" in parsed.quality.warnings[0]


def test_a_statements_figures_in_the_margin_stay_in_order(
    shared_data: Path, tmp_path: Path
) -> None:
    parsed = read(shared_data / "pdf" / "odl_bialetti.pdf", tmp_path)
    furniture = [node.text for node in parsed.nodes if node.kind == "furniture"]
    assert furniture == ["Bilancio - Conto Economico", "www.etaurus.it"] * 2
    [table] = [node for node in parsed.nodes if node.order >= 0]
    rows = [line.split("\t") for line in table.text.split("\n")]
    assert rows[0] == ["CONTO ECONOMICO", "2015", "2016", "2017", "2018"]
    [sales] = [row for row in rows if row[0].startswith("1) Ricavi")]
    assert sales[1:] == ["120.062.000", "124.406.000", "115.322.000", "82.776.000"]
    assert rows[-1][0] == "23) Utile (Perdita) dell'Esercizio"
    assert [region.page for region in table.regions] == [1, 2]


def test_the_end_of_a_column_is_no_footer(shared_data: Path, tmp_path: Path) -> None:
    parsed = read(shared_data / "qa" / "japanese" / "01.pdf", tmp_path)
    flow = [node.text for node in parsed.nodes if node.order >= 0 and node.page == 6]
    assert any(text.endswith("基準の最終化に向けた検討状況を2023年６月に公表。") for text in flow)
    captions = [node.caption for node in parsed.nodes if node.page == 6]
    assert "＜主要生損保の令和５年３月期決算の概要＞" in captions
    assert flow[-1].startswith("（注２）東京海上 HD、MS&AD HD")
    furniture = [node.text for node in parsed.nodes if node.kind == "furniture"]
    assert furniture == [str(number) for number in range(1, 11)]


def test_rows_that_share_one_ruled_row_are_rows(shared_data: Path, tmp_path: Path) -> None:
    parsed = read(shared_data / "pdf" / "odl_1901.03003.pdf", tmp_path)
    tables = [n for n in parsed.nodes if n.kind == "table" and n.caption]
    by_label = {(n.caption or "").split(".")[0]: n.text.split("\n") for n in tables}
    assert "Gordo [12]\t93.3\t86.6\t-\t91.8\t-\t-\t-\t-\t-" in by_label["Table 8"]
    assert "Cheng et al. [5]\t92.6\t81.6\t71.5\t63.9\t66.2" in by_label["Table 9"]
    assert "Only ASRN\t33.8\t69.1\t376.8" in by_label["Table 5"]
