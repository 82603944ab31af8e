"""Claims: a wrong figure that passes is published; a right one that fails stops a brief."""

from __future__ import annotations

import pytest

from g2_pipelines.evaluation.check import check_text
from g2_pipelines.evaluation.sources import Source
from g2_pipelines.tables.line1 import SummarySentence
from g2_pipelines.tables.rows import Span
from g2_pipelines.text.sentences import sentences
from g2_pipelines_tests.evaluation.samples import FILING, SEGMENTS, SOURCE


def statuses(text: str, kind: str = "number") -> list[tuple[str, str]]:
    checked = check_text(text, [SOURCE], segments=SEGMENTS)
    return [(claim.text, claim.status) for claim in checked.claims if claim.kind == kind]


@pytest.mark.parametrize(
    ("text", "figure", "status"),
    [
        # the same value in other clothes
        ("売上高は486億2,000万円となりました。", "486億2,000万円", "supported_local"),
        ("売上高は４８，６２０百万円となりました。", "４８，６２０百万円", "supported_local"),
        ("売上高は48,620,000千円となりました。", "48,620,000千円", "supported_local"),
        ("売上高は前期比6.4パーセント増加しました。", "6.4パーセント", "supported_local"),
        ("セグメント利益は前期比△4.2％でした。", "△4.2％", "supported_local"),
        ("総資産は612億4,000万円でした。", "612億4,000万円", "supported_local"),
        ("船舶・港湾機器事業は3億円の営業損失となりました。", "3億円", "supported_local"),
        ("減損損失は1億2,000万円でした。", "1億2,000万円", "supported_local"),
        ("従業員数は1,486人です。", "1,486人", "supported_local"),
        # coarser
        ("売上高は約486億円となりました。", "486億円", "rounded"),
        ("売上高は486億円となりました。", "486億円", "rounded"),
        ("営業利益は38億円となりました。", "38億円", "rounded"),
        ("従業員数は約1,500名です。", "1,500名", "rounded"),
        # made of two figures
        ("売上高は前期に比べ2,924百万円増加しました。", "2,924百万円", "derived"),
        ("総資産は前期に比べ5.37％増加しました。", "5.37％", "derived"),
        # wrong
        ("売上高は48,920百万円となりました。", "48,920百万円", "altered"),
        ("売上高は84,620百万円となりました。", "84,620百万円", "altered"),
        ("売上高は前期比6.4％減となりました。", "6.4％", "sign_conflict"),
        ("売上高は4,862百万円となりました。", "4,862百万円", "scale_conflict"),
        ("売上高は48,620千円となりました。", "48,620千円", "scale_conflict"),
        ("従業員数は1,486社です。", "1,486社", "unit_conflict"),
        ("売上高は7,777百万円となりました。", "7,777百万円", "missing"),
        ("売上高は500億円となりました。", "500億円", "altered"),
        ("売上高は約490億円となりました。", "490億円", "rounded"),
        ("売上高は約470億円となりました。", "470億円", "missing"),
        # right figure, wrong label
        ("営業利益は48,620百万円となりました。", "48,620百万円", "altered"),
        ("計測制御事業の売上高は29,870百万円となりました。", "29,870百万円", "altered"),
        (
            "2027年3月期は売上高51,000百万円を計画しております。",
            "51,000百万円",
            "supported_elsewhere",
        ),  # the period is altered
    ],
)
def test_a_figure_has_the_status_a_reader_would_give_it(
    text: str, figure: str, status: str
) -> None:
    assert (figure, status) in statuses(text)


def test_the_note_says_what_the_source_has() -> None:
    checked = check_text("営業利益は48,620百万円となりました。", [SOURCE])
    (claim,) = [claim for claim in checked.claims if claim.kind == "number"]
    assert "売上高 in the source" in claim.note
    span = claim.evidence[0]
    assert FILING[span.start : span.end] == "48,620百万円"


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("工作機械事業", "supported_local"),
        ("船舶・港湾機器事業", "supported_local"),
        ("船舶港湾機器事業", "supported_elsewhere"),
        ("船舶及び港湾機器事業", "supported_elsewhere"),
        ("工作機器事業", "altered"),
        ("国内工作機械事業", "altered"),
        ("計測機器事業", "altered"),
        ("港湾機器事業", "altered"),
        ("冷凍食品事業", "missing"),
    ],
)
def test_a_segment_name_is_exact_respelt_altered_or_unknown(name: str, status: str) -> None:
    assert (name, status) in statuses(f"{name}の売上高が増加しました。", "segment")


@pytest.mark.parametrize(
    "text",
    [
        "新規事業に取り組みます。",
        "各事業の連携を進めます。",
        "事業環境は厳しい状況です。",
        "事業者と協力します。",
    ],
)
def test_ordinary_words_are_no_segment_names(text: str) -> None:
    assert statuses(text, "segment") == []


def test_a_business_of_the_source_that_is_no_segment_is_not_altered() -> None:
    source = Source(source_id="s", text="同社は精密工作機械事業を譲り受けました。")
    checked = check_text("精密工作機械事業を譲り受けた。", [source], segments=SEGMENTS)
    assert [c.status for c in checked.claims if c.kind == "segment"] == ["supported_elsewhere"]


@pytest.mark.parametrize(
    ("text", "key", "status"),
    [
        ("当連結会計年度は増収でした。", "当連結会計年度", "supported_local"),
        ("2026年3月期は増収を計画しています。", "2026年3月期", "supported_local"),
        ("2025年3月期の従業員数は1,486名です。", "2025年3月期", "supported_local"),
        ("2024年度の従業員数は1,486名です。", "2024年度", "supported_local"),
        ("2031年3月期は売上高の増加を計画しており、拡大します。", "2031年3月期", "altered"),
        ("1999年に参入しました。", "1999年", "missing"),
    ],
)
def test_a_period_is_judged_by_what_it_means(text: str, key: str, status: str) -> None:
    found = statuses(text, "period") + statuses(text, "date")
    assert (key, status) in found


def test_a_name_that_no_source_has_is_missing() -> None:
    text = "株式会社北星の「アオリンク」と株式会社空想の「フクロウ」を導入しました。"
    names = dict(statuses(text, "company")) | dict(statuses(text, "product"))
    assert names["株式会社北星"].startswith("supported")
    assert names["アオリンク"].startswith("supported")
    assert names["株式会社空想"] == "missing"
    assert names["フクロウ"] == "missing"


def test_every_own_sentence_of_the_source_is_supported_verbatim() -> None:
    for start, end in sentences(FILING):
        checked = check_text(FILING[start:end], [SOURCE], segments=SEGMENTS)
        assert [c for c in checked.claims if not c.status.startswith("supported")] == []
        assert {sentence.score for sentence in checked.sentences} <= {1.0}


def test_verbatim_text_is_found_whatever_its_width_and_spaces() -> None:
    text = "当連結会計年度の売上高は 48,620百万円(前期比6.4%増)、営業利益は3,815百万円(前期比12.9%増)となりました。"
    (sentence,) = check_text(text, [SOURCE]).sentences
    (span,) = sentence.evidence
    assert sentence.score == 1.0
    assert FILING[span.start : span.end].startswith("当連結会計年度の売上高は48,620百万円（")
    assert FILING[span.start : span.end].endswith("となりました。")


def test_an_invented_sentence_has_a_low_score_and_a_paraphrase_a_high_one() -> None:
    text = "宇宙旅行の販売代理店網を欧州に築きました。半導体製造装置向け需要は堅調でした。"
    invented, paraphrase = check_text(text, [SOURCE]).sentences
    assert invented.score < 0.3
    assert 0.8 < paraphrase.score < 1.0


def test_the_summarizers_own_citation_is_looked_at_but_proves_nothing() -> None:
    text = "売上高は7,777百万円となりました。"
    cited = SummarySentence(
        start=0, end=len(text), spans=[Span(source_id=SOURCE.source_id, start=10, end=40)]
    )
    checked = check_text(text, [SOURCE], spans=[cited])
    assert [c.status for c in checked.claims] == ["missing"]


def test_nothing_to_check_gives_no_claims_and_no_sources_support_nothing() -> None:
    assert check_text("", [SOURCE]).claims == []
    (claim,) = check_text("売上高は100百万円です。", []).claims
    assert (claim.status, claim.evidence) == ("missing", [])


def test_claims_point_at_their_own_characters_in_order() -> None:
    text = "　当期の売上高は486億円。\n工作機械事業は298.7億円、従業員は1,486名です。"
    checked = check_text(text, [SOURCE], segments=SEGMENTS)
    assert all(text[c.start : c.end] == c.text for c in checked.claims)
    assert [c.start for c in checked.claims] == sorted(c.start for c in checked.claims)
    assert checked == check_text(text, [SOURCE], segments=SEGMENTS)


def test_english_text_is_checked_too() -> None:
    source = Source(
        source_id="s",
        text="Net sales rose 6.4% to 48,620 million yen. Operating profit was 3,815 million yen.",
    )
    right = check_text("Net sales were 48.6 billion yen, up 6.4%.", [source])
    assert [c.status for c in right.claims] == ["rounded", "supported_local"]
    wrong = check_text("Net sales were 48.6 billion yen, down 6.4%.", [source])
    assert [c.status for c in wrong.claims] == ["rounded", "sign_conflict"]
