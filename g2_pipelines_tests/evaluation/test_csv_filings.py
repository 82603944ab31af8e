"""Filings in CSV form, as the evaluation benchmark reads them."""

from __future__ import annotations

import csv
from pathlib import Path

from benchmarks.evaluation_filings import read_csv_filings


def test_a_long_field_is_read_and_the_limit_of_the_process_is_put_back(tmp_path: Path) -> None:
    text = "受注は増加しました。" * 20_000  # 200,000 characters: over the limit of 131,072
    row = f"jpcrp_cor:BusinessRisksTextBlock\t{text}\n"
    (tmp_path / "S9000A01.tsv").write_text(row, encoding="utf-16")
    before = csv.field_size_limit()
    found = read_csv_filings(tmp_path)
    assert csv.field_size_limit() == before
    assert len(found["S9000A01"].sources[0].text) == 220_000  # a line's end behind each 。
