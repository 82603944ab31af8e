"""Writes a manifest and a questions file for a folder of real filings, PDFs and questions.

``python -m benchmarks.real_input FOLDER OUT`` reads ``FOLDER/edinet/filings/*.zip`` and
``FOLDER/qa/{mmlongbench,japanese}/questions.jsonl`` and writes ``OUT/manifest.csv`` (for
``g2 add --manifest``) and ``OUT/questions.jsonl`` (for the inbox or ``benchmarks.qa``). The
product itself knows no such folder.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Iterator
from pathlib import Path

COLUMNS = (
    "file",
    "type",
    "edinet_code",
    "fiscal_year",
    "document_id",
    "kind",
    "document_kind",
    "url",
)
#: A small selection that touches each era and kind: used where no other is named.
FILINGS = ("S100T45G", "S100TMMG", "S100TR7I", "S100AJZW")
PDFS = (
    "mmlongbench/PIP_Seniors-and-Tech-Use_040314.pdf",
    "mmlongbench/STEPBACK.pdf",
    "japanese/01.pdf",
)
QUESTIONS = 10


def manifest_rows(folder: Path, *, everything: bool) -> Iterator[dict[str, str]]:
    """A row a file: the filings, then the PDFs, in order of their names."""
    filings = sorted((folder / "edinet" / "filings").glob("*.zip"))
    for file in filings:
        if everything or file.stem in FILINGS:
            yield {"file": str(file.resolve()), "type": "filing", "document_id": file.stem}
    for file in sorted((folder / "qa").glob("*/*.pdf")):
        if everything or f"{file.parent.name}/{file.name}" in PDFS:
            yield {"file": str(file.resolve()), "type": "pdf"}


def question_rows(folder: Path, *, everything: bool) -> Iterator[dict[str, object]]:
    """Questions in the inbox's form; the gold answer's pages stay out of it."""
    for name in ("mmlongbench", "japanese"):
        lines = (folder / "qa" / name / "questions.jsonl").read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            row = json.loads(line)
            file = row.get("doc_id") or row["file"]
            if everything or f"{name}/{file}" in PDFS:
                yield {
                    "id": f"{name}-{number:04}",
                    "text": row["question"],
                    "documents": [file],
                    "format": "sentence" if name == "japanese" else "short",
                }


def main() -> None:
    """Write both files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--all", action="store_true", help="all files, not the small selection")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    with (given.out / "manifest.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(manifest_rows(given.folder, everything=given.all))
    rows = list(question_rows(given.folder, everything=given.all))
    if not given.all:
        rows = spread(rows, QUESTIONS)
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (given.out / "questions.jsonl").write_text(text, encoding="utf-8")
    print(f"{given.out / 'manifest.csv'}, {given.out / 'questions.jsonl'}: {len(rows)} questions")


def spread(rows: list[dict[str, object]], count: int) -> list[dict[str, object]]:
    """``count`` rows, as evenly over the documents as they go."""
    by_document: dict[str, list[dict[str, object]]] = {}
    for row in rows:
        by_document.setdefault(str(row["documents"]), []).append(row)
    chosen: list[dict[str, object]] = []
    while len(chosen) < count and any(by_document.values()):
        for group in by_document.values():
            if group and len(chosen) < count:
                chosen.append(group.pop(0))
    return chosen


if __name__ == "__main__":
    main()
