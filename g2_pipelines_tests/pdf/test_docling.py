"""docling's document JSON as layout: boxes, tables, captions, and answers that are none."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from benchmarks.parse_scores import mhs, nid
from g2_pipelines.pdf.docling import docling_answer, docling_pages
from g2_pipelines.pdf.errors import DoclingError, DoclingUnreachableError
from g2_pipelines.pdf.markdown import to_markdown
from g2_pipelines.pdf.parse import ParsedPdf, PdfLimits, parse_pdf
from g2_pipelines_tests.pdf.conftest import page, run


def item(
    label: str, box: tuple[float, ...], *, ref: str, origin: str = "BOTTOMLEFT", **more: Any
) -> Any:
    left, top, right, bottom = box
    bbox = {"l": left, "t": top, "r": right, "b": bottom, "coord_origin": origin}
    prov = [{"page_no": 1, "bbox": bbox, "charspan": [0, 0]}]
    return {"self_ref": ref, "parent": {"$ref": "#/body"}, "label": label, "prov": prov, **more}


def document(**more: Any) -> dict[str, Any]:
    return {
        "schema_name": "DoclingDocument",
        "version": "1.10.0",
        "pages": {"1": {"size": {"width": 600.0, "height": 800.0}, "page_no": 1}},
        "texts": [],
        "tables": [],
        "pictures": [],
        **more,
    }


def pages_of(given: dict[str, Any], turn: int = 0) -> list[dict[str, Any]]:
    sheet = replace(page([run("x", 10, 10)]), turn=turn)
    found, version = docling_pages(json.dumps(given).encode(), [sheet], name="a.pdf")
    assert version == "DoclingDocument 1.10.0"
    return found[1]


def test_boxes_are_turned_from_bottom_left_points_to_shares_from_the_top() -> None:
    title = item("title", (60, 700, 300, 680), ref="#/texts/0", text="A")
    head = item("text", (60, 80, 300, 160), ref="#/texts/1", text="B", origin="TOPLEFT")
    blocks = pages_of(document(texts=[title, head]))
    assert [(b["type"], b["bbox"]) for b in blocks] == [
        ("doc_title", [0.1, 0.125, 0.5, 0.15]),
        ("text", [0.1, 0.1, 0.5, 0.2]),
    ]


def test_a_tables_cells_keep_their_spans_and_are_escaped() -> None:
    cells = [
        {"start_row_offset_idx": r, "start_col_offset_idx": c, "row_span": d, "col_span": w, "text": t, "column_header": r == 0}
        for r, c, d, w, t in ((0, 0, 1, 2, "a<b"), (1, 0, 1, 1, "1"), (1, 1, 1, 1, "2"))
    ]  # fmt: skip
    [block] = pages_of(
        document(
            tables=[item("table", (0, 10, 9, 0), ref="#/tables/0", data={"table_cells": cells})]
        )
    )
    assert block["text"] == (
        '<table><tr><th rowspan="1" colspan="2">a&lt;b</th></tr><tr><td rowspan="1" colspan="1">1'
        '</td><td rowspan="1" colspan="1">2</td></tr></table>'
    )


def test_labels_inside_a_picture_belong_to_it_and_its_caption_does_not() -> None:
    caption = item("caption", (0, 10, 9, 0), ref="#/texts/0", text="Figure 1")
    label = item("text", (0, 50, 9, 40), ref="#/texts/1", text="nut")
    caption["parent"] = label["parent"] = {"$ref": "#/pictures/0"}
    picture = item("picture", (0, 90, 90, 20), ref="#/pictures/0", captions=[{"$ref": "#/texts/0"}])
    blocks = pages_of(document(texts=[caption, label], pictures=[picture]))
    assert [b["type"] for b in blocks] == ["caption", "image"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b"[" * 5000,
        json.dumps({**document(), "schema_name": "Other"}).encode(),
        json.dumps(document(texts=[{"self_ref": "#/texts/0"}])).encode(),
        json.dumps(
            document(texts=[item("text", (0, 1, 2, 3), ref="#/texts/0") | {"prov": 7}])
        ).encode(),
        json.dumps(document(pages={"one": {}})).encode(),
    ],
)
def test_an_answer_that_is_no_document_is_a_typed_failure(content: bytes) -> None:
    with pytest.raises(DoclingError, match="not a DoclingDocument"):
        docling_pages(content, [page([run("x", 10, 10)])], name="a.pdf")


@contextmanager
def server(status: int, answer: bytes) -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    """A docling server that gives one answer; what it was asked."""
    asked: list[tuple[str, bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(status)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    http = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=http.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{http.server_port}/", asked
    finally:
        http.shutdown()
        http.server_close()


def test_a_server_is_sent_the_file_and_its_document_is_taken(tmp_path: Path) -> None:
    pdf = tmp_path / "a.pdf"
    pdf.write_bytes(b"%PDF-1.7 wood")
    answer = json.dumps({"status": "success", "document": {"json_content": document()}}).encode()
    with server(200, answer) as (url, asked):
        found = docling_answer(url, pdf, names=["a"], timeout_s=10)
    assert json.loads(found or b"") == document()
    [(path, body)] = asked
    assert path == "/v1/convert/file"
    assert b"%PDF-1.7 wood" in body


@pytest.mark.parametrize(
    ("status", "answer", "failure"),
    [
        (500, b"", DoclingUnreachableError),
        (200, b"no json", DoclingError),
        (200, b"{}", DoclingError),
    ],
)
def test_a_server_that_refuses_or_answers_nonsense_is_a_typed_failure(
    status: int, answer: bytes, failure: type[Exception], tmp_path: Path
) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7")
    with server(status, answer) as (url, _), pytest.raises(failure):
        docling_answer(url, tmp_path / "a.pdf", names=["a"], timeout_s=10)


def test_a_folder_is_searched_by_name_and_never_left(tmp_path: Path) -> None:
    folder = tmp_path / "docling"
    folder.mkdir()
    (tmp_path / "secret.json").write_bytes(b"x")
    (folder / "doc-1.json").write_bytes(b"{}")
    pdf = tmp_path / "a.pdf"
    assert docling_answer(str(folder), pdf, names=["none", "doc-1"], timeout_s=1) == b"{}"
    assert docling_answer(str(folder), pdf, names=["../secret"], timeout_s=1) is None


def by_docling(shared: Path, name: str, folder: Path) -> ParsedPdf:
    content = (shared / "pdf" / "expected" / f"{name}.json").read_bytes()
    return parse_pdf(
        shared / "pdf" / f"{name}.pdf",
        document_id="d",
        images_dir=folder,
        limits=PdfLimits(timeout_s=600, ocr_pictures=0),
        docling=content,
    )


def test_a_recorded_answer_gives_nodes_with_docling_as_engine(
    shared_data: Path, tmp_path: Path
) -> None:
    parsed = by_docling(shared_data, "docling_amt_handbook", tmp_path)
    assert {node.engine for node in parsed.nodes} <= {"docling", "pdfium"}
    assert {n.engine_version for n in parsed.nodes if n.engine == "docling"} == {
        "DoclingDocument 1.10.0"
    }
    assert parsed.quality.kept_share == 1.0
    assert sum(n.caption is not None for n in parsed.nodes if n.kind == "figure") == 2
    truth = (shared_data / "pdf" / "expected" / "docling_amt_handbook.md").read_text(
        encoding="utf-8"
    )
    markdown = to_markdown(parsed.nodes)
    assert (nid(markdown, truth) or 0) > 0.98
    assert (mhs(markdown, truth) or 0) > 0.98


def test_nonsense_for_a_good_pdf_fails_by_name(tmp_path: Path) -> None:
    pdf = (
        Path(__file__).parents[2] / "g2_pipelines" / "corpus" / "pdfs" / "minato_cold_chain_en.pdf"
    )
    with pytest.raises(DoclingError):
        parse_pdf(pdf, document_id="d", images_dir=tmp_path / "i", docling=b"{}")
