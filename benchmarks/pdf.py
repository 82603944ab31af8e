"""How well and how fast PDFs become nodes, beside the engines it is made of.

``python -m benchmarks.pdf [--quick] [--json] [--data FOLDER]`` measures on the PDFs of FOLDER
(default ``../shared/data``)

- nid_*, teds_*, mhs_*: our Markdown against the truth of three documents (``parse_scores``);
  peers: docvortex, liteparse and PDFium's text alone on the same files;
- teds_split_*: the nodes' cells against the same truth with its stacked rows cut apart, which
  it writes as one row (two results under one setting);
- order_exact_pages: pages of boxes that people put in order on which our rule gives that order,
  of order_pages (``_held_out``: every second page, not used when the rule was made); peer: a
  sort by top and left;
- caption_rule_share: captions bound to their figure, chart or table, of the captions with
  exactly one of them next to them in the truth's order;
- kept_share, precision_share: the least share of a document's characters (white space apart)
  that is in its nodes, and of its nodes' characters that is in its text layer;
  ``outside`` names the documents of neither (no usable text layer);
- pages_per_s: median over documents on one core by the wall clock; pages_per_cpu_s: by
  processor time, over documents of two pages or more; single_page_cpu_s: of one page, mostly the
  start of the processes; peak_mb of any process. Pictures inside pages are not read here.

A figure is null where its files are absent.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
import time
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from html import escape
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.parse_scores import mhs, nid, split_stacks, teds
from benchmarks.report import arguments, progress, report
from g2_pipelines.errors import G2Error
from g2_pipelines.pdf.block_order import block_order
from g2_pipelines.pdf.captions import bind_captions
from g2_pipelines.pdf.geometry import Block, Box
from g2_pipelines.pdf.layout import read_layout
from g2_pipelines.pdf.markdown import table_rows, to_markdown
from g2_pipelines.pdf.parse import ParsedPdf, PdfLimits, parse_pdf, worker_environment
from g2_pipelines.pdf.readers import close_readers, readers_usage
from g2_pipelines.tables.line2 import DocumentNode, NodeKind

TRUTH = ("docling_2305.03393-pg9", "docling_amt_handbook", "docling_multi_page")
#: No text layer that can be read: no ToUnicode, recursive forms, characters drawn twice.
OUTSIDE = (
    "odl_cid_no_tounicode",
    "afe620b9beac86c1027b96d31d396407",  # no ToUnicode either
    "pm_evil_xobj",
    "un_dup_text",
)
ENGINES = ("docvortex", "liteparse", "pdfium", "pypdf")
#: Pages read by OCR here: enough to see that it works, its cost is a matter of its budget.
OCR_PAGES = 2
QUICK = (
    "odl_ua_presentation",
    "odl_bialetti",
    "pdfjs_ligatures",
    "un_layout_parser_fast",
    "pypdf_subfig",
    "pm_jo_vert",
)
KINDS: dict[str, NodeKind] = {
    "Figure": "figure",
    "Chart": "chart",
    "Table": "table",
    "Caption": "caption",
}
Element = tuple[int, str, Box, str]


# -- scores against the truth


def _engine_markdown(engine: str, path: Path) -> str:
    """What an engine alone makes of the file, in the plainest Markdown."""
    import pypdfium2

    with pypdfium2.PdfDocument(path) as document:
        count = len(document)
        if engine == "pdfium":
            pages = [document[k].get_textpage().get_text_bounded() for k in range(count)]
            return "\n\n".join(pages)
    if engine == "pypdf":
        from pypdf import PdfReader

        return "\n\n".join(page.extract_text() for page in PdfReader(path).pages)
    if engine == "liteparse":
        from liteparse import LiteParse

        parser = LiteParse(ocr_enabled=False, quiet=True, num_workers=1, output_format="markdown")
        return str(parser.parse(str(path)).text)
    with tempfile.TemporaryDirectory() as folder:
        layout = read_layout(
            engine,
            str(path),
            range(1, count + 1),
            environment=worker_environment(Path(folder)),
            deadline=time.monotonic() + 120,
        )
    blocks = [block for page in range(1, count + 1) for block in layout.pages.get(page, [])]
    return "\n\n".join(filter(None, map(_engine_block, blocks)))


def _engine_block(block: dict[str, Any]) -> str:
    text = str(block["text"]).strip()
    if block["type"] in ("header", "footer", "page_number", "image"):
        return ""
    return f"# {text}" if block["type"] in ("doc_title", "paragraph_title") else text


def _scores(data: Path) -> tuple[dict[str, float | None], dict[str, dict[str, float | None]]]:
    figures: dict[str, float | None] = {}
    peers: dict[str, dict[str, float | None]] = {}
    for name in TRUTH:
        path, expected = data / f"pdf/{name}.pdf", data / f"pdf/expected/{name}.md"
        if not path.exists() or not expected.exists():
            continue
        progress(f"scores of {name}")
        truth = expected.read_text(encoding="utf-8")
        nodes = _parsed(path).nodes
        figures.update(_three(name, to_markdown(nodes), truth))
        figures[f"teds_split_{name}"] = _split_teds(_all_rows(nodes), truth)
        for engine in ENGINES:
            answer = _engine_markdown(engine, path)
            found = _three(name, answer, truth)
            found[f"teds_split_{name}"] = _split_teds(answer, truth)
            peers.setdefault(engine, {}).update(found)
    return figures, peers


def _three(name: str, answer: str, truth: str) -> dict[str, float | None]:
    measures: tuple[tuple[str, Callable[[str, str], float | None]], ...] = (
        ("nid", nid),
        ("teds", teds),
        ("mhs", mhs),
    )
    values = {f"{label}_{name}": measure(answer, truth) for label, measure in measures}
    return {key: None if value is None else round(value, 3) for key, value in values.items()}


def _split_teds(answer: str, truth: str) -> float | None:
    value = teds(answer, split_stacks(truth))
    return None if value is None else round(value, 3)


def _all_rows(nodes: Sequence[DocumentNode]) -> str:
    """The nodes' tables as pipe tables, a row each; what spans places stands in each of them."""
    tables = []
    for node in nodes:
        if node.kind == "table" and node.cells:
            head, *rows = ["| " + " | ".join(row) + " |" for row in table_rows(node.cells)]
            tables.append("\n".join([head, "|" + " - |" * (head.count("|") - 1), *rows]))
    return "\n\n".join(tables)


# -- order and captions from the truth's boxes


def _truth_pages(data: Path) -> list[list[Element]]:
    file = data / "pdf/expected/odlbench-truth.zip"
    if not file.exists():
        return []
    with zipfile.ZipFile(file) as archive:
        truth = json.loads(archive.read("reference.json"))
    return [[_element(e) for e in truth[name]["elements"]] for name in sorted(truth)]


def _element(element: dict[str, Any]) -> Element:
    xs = [corner["x"] * 612 for corner in element["coordinates"]]
    ys = [corner["y"] * 792 for corner in element["coordinates"]]
    box = Box(min(xs), min(ys), max(xs), max(ys))
    return element["id"], element["category"], box, element["content"]["text"] or ""


def _order(pages: Sequence[Sequence[Element]]) -> tuple[dict[str, int], int]:
    exact, held_out, plain, count, held_out_count = 0, 0, 0, 0, 0
    for number, page in enumerate(pages):
        flow = [element for element in page if element[1] not in ("Header", "Footer")]
        if len(flow) < 2:
            continue
        expected = [element[0] for element in flow]
        random.Random(number).shuffle(flow)
        ours = block_order(flow, lambda e: e[2], is_footnote=lambda e: e[1] == "Footnote")
        right = [element[0] for element in ours] == expected
        by_top = sorted(flow, key=lambda e: (e[2].y0, e[2].x0))
        exact, count = exact + right, count + 1
        plain += [element[0] for element in by_top] == expected
        held_out, held_out_count = held_out + right * (number % 2), held_out_count + number % 2
    figures = {
        "order_exact_pages": exact,
        "order_pages": count,
        "order_exact_pages_held_out": held_out,
        "order_pages_held_out": held_out_count,
    }
    return figures, plain


def _caption_share(pages: Sequence[Sequence[Element]]) -> float | None:
    bound = total = 0
    for page in pages:
        blocks = [
            Block(kind=KINDS.get(category, "paragraph"), page=1, box=box, text=text)
            for _, category, box, text in page
        ]
        truth = []
        for k, block in enumerate(blocks):
            near = [
                blocks[n]
                for n in (k - 1, k + 1)
                if 0 <= n < len(blocks) and blocks[n].kind in ("figure", "chart", "table")
            ]
            if block.kind == "caption" and len(near) == 1:
                truth.append((block, near[0]))
        bind_captions(blocks)
        total += len(truth)
        bound += sum(target.caption is caption for caption, target in truth)
    return round(bound / total, 4) if total else None


# -- characters, speed and memory


def _parsed(path: Path) -> ParsedPdf:
    # Pictures inside pages are left unread: that is OCR, whose cost is a matter of its budget.
    with tempfile.TemporaryDirectory() as folder:
        return parse_pdf(
            path,
            document_id="measured",
            images_dir=Path(folder),
            limits=PdfLimits(ocr_pictures=0, ocr_pages=OCR_PAGES),
        )


def _layer(path: Path) -> Counter[str]:
    import pypdfium2

    with pypdfium2.PdfDocument(path) as document:
        texts = [document[k].get_textpage().get_text_bounded() for k in range(len(document))]
    return _characters("".join(texts))


def _characters(text: str) -> Counter[str]:
    folded = unicodedata.normalize("NFKC", text)
    return Counter(c for c in folded if not c.isspace() and unicodedata.category(c)[0] != "C")


@contextmanager
def _one_core() -> Iterator[None]:
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def _documents(data: Path, *, quick: bool) -> list[Path]:
    names = QUICK if quick else None
    files = [*sorted((data / "pdf").glob("*.pdf")), *sorted((data / "qa").glob("*/*.pdf"))]
    return [file for file in files if names is None or file.stem in names]


def _speed(data: Path, *, quick: bool) -> tuple[dict[str, float | None], dict[str, object]]:
    rates, steady, single, kept, precise, refused = [], [], [], {}, {}, {}
    close_readers()  # the next one is started on one core and stays there
    for path in _documents(data, quick=quick):
        progress(f"speed of {path.stem}")
        began, worked = time.monotonic(), readers_usage()["cpu_s"]
        try:
            with _one_core():
                parsed = _parsed(path)
        except G2Error as error:
            refused[path.stem] = error.code
            continue
        count, worked = len(parsed.pages), readers_usage()["cpu_s"] - worked
        born_digital = not parsed.quality.pages_ocr
        if born_digital:
            rates.append(count / (time.monotonic() - began))
        if not born_digital:
            pass
        elif count > 1:
            steady.append(count / worked)
        else:
            single.append(worked)
        layer = _layer(path)
        if path.stem in OUTSIDE or not layer:
            continue
        text = "".join(f"{node.text}{node.caption or ''}" for node in parsed.nodes)
        nodes = _characters(text)
        both = (layer & nodes).total()
        kept[path.stem] = round(both / layer.total(), 4)
        precise[path.stem] = round(both / max(1, nodes.total()), 4)
    figures: dict[str, float | None] = {
        "pages_per_s": round(median(rates), 3) if rates else None,
        "pages_per_cpu_s": round(median(steady), 3) if steady else None,
        "single_page_cpu_s": round(median(single), 3) if single else None,
        "kept_share": min(kept.values(), default=None),
        "precision_share": min(precise.values(), default=None),
        "peak_mb": readers_usage()["peak_mb"],
    }
    return figures, {
        "kept_below_99": {k: v for k, v in kept.items() if v < 0.99},
        "precision_below_98": {k: v for k, v in precise.items() if v < 0.98},
        "outside": list(OUTSIDE),
        "refused": {escape(name): code for name, code in refused.items()},
    }


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    given = parser.parse_args()
    pages = _truth_pages(given.data)
    scores, engines = _scores(given.data)
    order, plain = _order(pages) if pages else ({}, None)
    speed, notes = _speed(given.data, quick=given.quick)
    report(
        {**scores, **order, "caption_rule_share": _caption_share(pages), **speed},
        {**engines, "plain_sort_order_exact_pages": plain, **notes},
        as_json=given.json,
        packages=("pypdfium2", "docvortex", "liteparse"),
    )


if __name__ == "__main__":
    main()
