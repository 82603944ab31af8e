"""``g2 brief check`` on what other tools write, against what people have."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from g2_pipelines.commands.brief_check import check_brief, check_words
from g2_pipelines.errors import InputError, LimitError

SUMMARY = """# 青嶺精機の業績
- **2025年3月期の売上高**は48,620百万円で、前期比6.4％の増収となった。
- 営業利益は3,851百万円、経常利益は3,902百万円であった。
- 宇宙旅行の販売代理店網を欧州に築いた。
"""
FILING = resources.files("g2_pipelines.corpus").joinpath("filings/S9000A01.zip")


@pytest.fixture
def summary(tmp_path: Path) -> Path:
    file = tmp_path / "summary.md"
    file.write_text(SUMMARY, encoding="utf-8")
    return file


def test_a_markdown_summary_is_checked_against_a_filing_and_a_text(
    summary: Path, tmp_path: Path
) -> None:
    note = tmp_path / "note.md"
    note.write_text("# 補足\n当社は欧州に代理店を持ちません。\n", encoding="utf-8")
    with resources.as_file(FILING) as filing:
        output = check_brief(summary, [filing, note])
    found = {claim.text: claim.status for claim in output.claims}
    assert found["48,620百万円"].startswith("supported")
    assert found["3,851百万円"] == "altered"
    assert sum(output.totals.values()) == len(output.claims)
    assert {source.file for source in output.sources} >= {"S9000A01.zip mdna", "note.md"}


def test_every_cited_span_comes_with_its_words(summary: Path) -> None:
    with resources.as_file(FILING) as filing:
        output = check_brief(summary, [filing])
    cited = {(s.source_id, s.start, s.end) for c in output.claims for s in c.evidence}
    cited |= {(s.source_id, s.start, s.end) for x in output.sentences for s in x.evidence}
    assert cited == {(q.span.source_id, q.span.start, q.span.end) for q in output.quotes}
    assert all(quote.text.strip() for quote in output.quotes)


def test_the_words_show_what_is_wrong_beside_the_nearest_place(summary: Path) -> None:
    with resources.as_file(FILING) as filing:
        words = check_words(check_brief(summary, [filing]))
    assert "✗ 3,851百万円  number altered: the source has 3,815百万円" in words
    assert "without support in the sources" in words
    assert "2025年3月期の売上高" not in words  # what is right is not repeated


def test_the_nearest_place_is_the_one_that_the_claim_was_compared_with(tmp_path: Path) -> None:
    """Not the place that is nearest to the sentence as a whole: here 前提は1トン150万円."""
    call = tmp_path / "call.txt"
    call.write_text(
        "社長：前提は1トン150万円でございます。価格転嫁は上昇分のおよそ7割まで進みました。\n",
        encoding="utf-8",
    )
    summary = tmp_path / "summary.txt"
    summary.write_text("前提は1トン150万円で、価格転嫁は8割まで進んだ。\n", encoding="utf-8")
    words = check_words(check_brief(summary, [call]))
    assert "✗ 8割  number altered: the source has 7割\n    nearest, call.txt: 価格転嫁は" in words
    assert "1 sentence (0 without support), 3 claims (1 not borne out) against 1 source\n" in words


def test_what_cannot_be_checked_is_a_typed_error(summary: Path, tmp_path: Path) -> None:
    pdf = tmp_path / "report.pdf"
    pdf.write_bytes(b"%PDF-1.7\n")
    with pytest.raises(InputError, match="no source to check against"):
        check_brief(summary, [])
    with pytest.raises(InputError, match="PDF"):
        check_brief(summary, [pdf])
    latin = tmp_path / "latin.txt"
    latin.write_bytes("caf\xe9".encode("latin-1"))
    with pytest.raises(InputError, match="not UTF-8"):
        check_brief(latin, [summary])
    long = tmp_path / "long.txt"
    long.write_text("売上高は増加しました。" * 100_000, encoding="utf-8")
    with pytest.raises(LimitError, match="characters"):
        check_brief(long, [summary])
