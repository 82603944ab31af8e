"""Hand-written summaries of the sample filings: true ones in other words, and false ones."""

from __future__ import annotations

from importlib import resources

import pytest

from g2_pipelines.edinet.filing import read_filing
from g2_pipelines.evaluation.brief import BAD
from g2_pipelines.evaluation.check import check_text
from g2_pipelines.evaluation.sources import Source

A, B = "S9000A01", "S9000B01"
Case = tuple[list[Source], list[str]]

TRUE = [
    (A, "当連結会計年度の売上高は486億20百万円と、前期比6.4％の増収となりました。"),
    (A, "営業利益は38億15百万円（同12.9％増）、経常利益は39億2百万円、純利益は26億4百万円でした。"),
    (A, "工作機械事業は売上高298億7千万円（3.1％増）ながら、利益は17億90百万円と4.2％の減益でした。"),
    (A, "計測制御事業は半導体製造装置向けが好調で、売上高は14.8％増の123億40百万円となりました。"),
    (A, "サービス事業の売上高は約64億円、利益は10.5％増の1,130百万円です。"),
    (A, "研究開発費は21億4千万円を投じました。"),
    (A, "受注高は501億8千万円、受注残高は194億4千万円でした。"),
    (A, "2026年3月期は売上高510億円、営業利益42億円を計画している。"),
    (A, "営業利益率は7.8％でした。"),
    (A, "前期の売上高456億96百万円から29億24百万円増加した。"),
    (B, "2019年3月期の売上高は724億50百万円（前期比3.3％増）、営業利益は23億10百万円と13.0％減少した。"),
    (B, "冷凍食品事業の売上高は389億円で、5.5％の増収でした。"),
    (B, "水産加工事業は213億50百万円と2.7％の減収、利益は690百万円から310百万円へ半減した。"),
    (B, "営業利益は前期に比べ345百万円減少した。"),
]  # fmt: skip
FALSE = [
    (A, "売上高は前期比6.4％の減収となりました。"),
    (A, "営業利益は39億2百万円でした。"),
    (A, "計測制御事業の売上高は298億70百万円でした。"),
    (A, "計測機器事業が好調でした。"),
    (A, "受注残高は501億8千万円でした。"),
    (A, "研究開発費は32億6千万円でした。"),
    (A, "売上高は486百万円となりました。"),
    (B, "営業利益は23億10百万円と13.0％増加しました。"),
    (B, "水産加工事業の売上高は389億円でした。"),
    (B, "冷凍水産事業が好調でした。"),
    (B, "純利益は2,402百万円でした。"),
]


@pytest.fixture(scope="module")
def cases() -> dict[str, Case]:
    """Sources and segment names of both sample filings."""
    out: dict[str, Case] = {}
    for name in (A, B):
        file = resources.files("g2_pipelines.corpus").joinpath(f"filings/{name}.zip")
        with resources.as_file(file) as path:
            filing = read_filing(path)
        sources = [Source(source_id=s.source_id, text=s.text) for s in filing.sections if s.text]
        out[name] = sources, filing.segments
    return out


def bad(case: Case, text: str) -> list[str]:
    sources, segments = case
    claims = check_text(text, sources, segments=segments).claims
    return [f"{c.text}: {c.status} {c.note}" for c in claims if c.status in BAD]


@pytest.mark.parametrize(("name", "text"), TRUE)
def test_a_true_sentence_in_other_words_raises_no_alarm(
    cases: dict[str, Case], name: str, text: str
) -> None:
    assert bad(cases[name], text) == []


@pytest.mark.parametrize(("name", "text"), FALSE)
def test_a_false_sentence_raises_one(cases: dict[str, Case], name: str, text: str) -> None:
    assert bad(cases[name], text) != []
