"""The committed sample PDFs are what their script makes."""

from __future__ import annotations

import pytest

from g2_pipelines_tests.pdf.conftest import SAMPLES

maker = pytest.importorskip("g2_pipelines.corpus.makers.pdfs")


@pytest.mark.parametrize("name", ["aomine_spindle_report_ja", "minato_cold_chain_en"])
def test_a_sample_is_made_again_byte_for_byte(name: str) -> None:
    pytest.importorskip("typst")
    committed = (SAMPLES / f"{name}.pdf").read_bytes()
    assert maker.make_pdf(name) == committed
    assert len(committed) < 600_000
