"""The process that reads pictures of pages as text: OCR by rapidocr (PP-OCRv6, in its wheel).

Here: the program ``python -m g2_pipelines.pdf.ocr_engine FILE MAX_PIXELS``. It takes its
areas as one JSON list on stdin, ``[[page, x0, y0, x1, y1], …]`` (pages from 1; points of the
displayed page, top-left; no box: the whole page), and prints one JSON line an area,
``{"area": k, "read": {"lines": [[text, x0, y0, x1, y1], …], "rules": [[x0, y0, x1, y1], …]}}`` in
points of the page (the straight lines of whole pages only) or ``{"area": k, "failed": reason}``. Each area is read in a fork of its own with its processor
time bounded. Started by ``ocr`` only.
"""

from __future__ import annotations

import json
import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

from g2_pipelines.pdf.contain import die_with_parent, forked

#: Resolution at which a page is read; 18 px letters are read without a fault (10 pt at 144).
DPI = 144.0
#: A page took 1.4–18 s of processor time; the slowest were dense scans.
AREA_CPU_S = 40.0
#: Lines that the engine is less sure of than this are guesses.
MIN_SCORE = 0.6
Line = list[str | float]
Read = dict[str, list[Any]]


def load() -> Any:
    """The engine, single-threaded: threads do not survive the fork, and the machine is shared."""
    from rapidocr import RapidOCR

    return RapidOCR(
        params={
            "Global.log_level": "critical",
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )


def read_area(engine: Any, path: str, max_pixels: int, area: list[float]) -> Read:
    """Lines of text in an area, each with its upright box in points of the displayed page; and
    a whole page's straight lines.
    """
    import numpy as np

    from g2_pipelines.pdf import pdfium
    from g2_pipelines.pdf.geometry import Box
    from g2_pipelines.pdf.picture_rules import picture_rules

    pdfium.use_fonts_of_project()
    document = pdfium.open_document(Path(path), path)
    page = int(area[0])
    box = Box(*area[1:]) if len(area) > 1 else None
    picture = pdfium.render(document, page, dpi=DPI, max_pixels=max_pixels, box=box)
    width, height = pdfium.page_size(document, page)
    document.close()
    if picture is None:
        return {"lines": [], "rules": []}
    shown = box.clipped(width, height) if box is not None else Box(0, 0, width, height)
    sx, sy = shown.width / picture.width, shown.height / picture.height
    drawn = picture_rules(np.asarray(picture.convert("L"))) if box is None else []
    rules = [
        [round(x0 * sx, 2), round(y0 * sy, 2), round(x1 * sx, 2), round(y1 * sy, 2)]
        for x0, y0, x1, y1 in drawn
    ]
    lines: list[Line] = []
    found = engine(np.asarray(picture))
    if found.boxes is None:
        return {"lines": lines, "rules": rules}
    for corners, text, score in zip(found.boxes, found.txts, found.scores, strict=True):
        if score < MIN_SCORE or not text.strip():
            continue
        xs, ys = [float(c[0]) * sx for c in corners], [float(c[1]) * sy for c in corners]
        place = (min(xs) + shown.x0, min(ys) + shown.y0, max(xs) + shown.x0, max(ys) + shown.y0)
        lines.append([text, *(round(value, 2) for value in place)])
    return {"lines": lines, "rules": rules}


def main(arguments: list[str]) -> None:
    """Reads all areas; see the module's docstring."""
    die_with_parent()
    path, max_pixels = arguments
    areas = json.load(sys.stdin)
    # The engine and its logs print what they like; only this descriptor reaches the worker.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as out:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        engine = load()
        for k, area in enumerate(areas):
            read, why = forked(partial(read_area, engine, path, int(max_pixels), area), AREA_CPU_S)
            answer = (
                f'{{"area": {k}, "read": {read}}}'
                if read is not None
                else json.dumps({"area": k, "failed": f"rapidocr {why}"})
            )
            out.write(answer + "\n")
            out.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
