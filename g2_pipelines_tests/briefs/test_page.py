"""The brief's page: escaped, self-contained, every link leads somewhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from g2_pipelines.briefs.config import load_config
from g2_pipelines.briefs.page import brief_page
from g2_pipelines.briefs.page_words import check_label
from g2_pipelines.tables.line1 import (
    BriefEvaluation,
    Check,
    Claim,
    CompanyText,
    FilingSection,
    SectionHeading,
    SectionTable,
    Summary,
    SummarySentence,
)
from g2_pipelines.tables.rows import Cell, Span
from g2_pipelines_tests.briefs.material import (
    COMPANY,
    MDNA,
    POLICY,
    both_sections,
    call,
    extractive_brief,
    section,
    splits_of,
)

HOSTILE = '<script>alert(1)</script><img src=x onerror="x">&amp;\'"</style></details>'


class _Reader(HTMLParser):
    """Collects ids, local links, remote references and the nesting of elements."""

    VOID = ("meta", "link", "img", "br", "input", "hr")

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.remote: list[str] = []
        self.tags: list[str] = []
        self.open: list[str] = []
        self.marked = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src"):
                (self.links if (value or "").startswith("#") else self.remote).append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "mark":
            self.marked += data


def read(html: str) -> _Reader:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


def page(**changes: object) -> str:
    config = load_config(None)
    transcript, _, _ = call()
    splits = splits_of(both_sections(), with_call=True)
    keys = [aspect.key for aspect in config.aspects]
    values: dict[str, object] = {
        "company": COMPANY,
        "fiscal_year": "2025-03",
        "config": config,
        "summaries": [extractive_brief(splits, config, key)[1] for key in keys],
        "compared": [extractive_brief(splits, config, key, simple=True)[1] for key in keys],
        "evaluations": [],
        "sections": both_sections(),
        "transcripts": [transcript],
        "notes": [],
    }
    return brief_page(**(values | changes))  # type: ignore[arg-type]


def summary(text: str, spans: list[Span], **more: object) -> Summary:
    values: dict[str, object] = {
        "engine": "openai",
        "model": "m",
        "prompt_version": "abc",
        "edinet_code": COMPANY.edinet_code,
        "fiscal_year": "2025-03",
        "source_type": "",
        "aspect": "issues",
        "strategy": "aspect",
        "text": text,
        "tokens": 1,
        "finish_reason": "stop",
        "sentences": [SummarySentence(start=0, end=len(text), spans=spans)],
        "spans": spans,
    }
    return Summary.model_validate(values | more)


def test_every_link_leads_to_an_element_and_no_id_stands_twice() -> None:
    reader = read(page())
    assert set(reader.links) <= {f"#{one}" for one in reader.ids}
    assert len(reader.ids) == len(set(reader.ids))
    assert len(reader.links) > 20


def test_the_page_needs_nothing_from_elsewhere_and_runs_nothing() -> None:
    html = page()
    reader = read(html)
    assert reader.remote == []
    assert not {"script", "link", "img", "iframe", "object"} & set(reader.tags)
    assert "url(" not in html
    assert "@import" not in html


def test_the_cited_sentence_is_what_is_marked_in_the_source() -> None:
    text = "銅価格の上昇分の転嫁が遅れており、価格改定の交渉を急ぐ必要があります。"
    start = POLICY.index(text)
    span = Span(source_id="filing:S9000C01:policy:0", start=start, end=start + len(text))
    html = page(summaries=[summary(text, [span])], compared=[])
    assert read(html).marked == text


def test_hostile_text_stays_text() -> None:
    """A filing or a model must not be able to put markup on the page."""
    rows = [section("policy", f"(1) {HOSTILE}\n{HOSTILE}文である。\n", element=HOSTILE)]
    spans = [Span(source_id=rows[0].source_id, start=3, end=40)]
    evaluation = BriefEvaluation(
        edinet_code=COMPANY.edinet_code,
        fiscal_year="2025-03",
        aspect="issues",
        strategy="aspect",
        passed=False,
        claims=[
            Claim(kind="number", text=HOSTILE[:8], start=0, end=8, status="missing", note=HOSTILE)
        ],
        sentences=[],
        checks=[
            Check(name=HOSTILE, passed=False, gate=True, value=0, threshold=0, message=HOSTILE)
        ],
    )
    html = page(
        company=COMPANY.model_copy(update={"name": HOSTILE, "industry": HOSTILE}),
        summaries=[summary(HOSTILE, spans, warnings=[HOSTILE], model=HOSTILE)],
        evaluations=[evaluation],
        sections=rows,
        notes=[HOSTILE],
        transcripts=[call()[0].model_copy(update={"text": HOSTILE, "title": HOSTILE})],
    )
    reader = read(html)
    assert not {"script", "img"} & set(reader.tags)
    assert html.count("</style>") == 1
    assert HOSTILE not in html


def test_a_citation_of_an_unknown_source_is_shown_without_a_dead_link() -> None:
    span = Span(source_id="filing:S9999999:policy:0", start=0, end=3)
    reader = read(page(summaries=[summary("文である。", [span])], compared=[]))
    assert set(reader.links) <= {f"#{one}" for one in reader.ids}


def test_a_citation_that_begins_in_white_space_still_has_its_target() -> None:
    start = POLICY.index("\n(2)")
    span = Span(source_id="filing:S9000C01:policy:0", start=start, end=start + 12)
    reader = read(page(summaries=[summary("文である。", [span])], compared=[]))
    assert "src-1" in reader.ids


def test_overlapping_citations_are_both_marked_and_numbered() -> None:
    span = "filing:S9000C01:policy:0"
    spans = [Span(source_id=span, start=90, end=130), Span(source_id=span, start=110, end=150)]
    rows = [
        summary("一。", [spans[0]]),
        summary("二。", [spans[1]], aspect="outlook"),
    ]
    reader = read(page(summaries=rows, compared=[]))
    assert {"src-1", "src-2"} <= set(reader.ids)
    assert "".join(reader.marked.split()) == "".join(POLICY[90:150].split())


def with_table() -> FilingSection:
    text = "前の文。\n区分\t売上高\nモータ\t△1,200\n後の文。\n"
    cells = [
        Cell(row=0, col=0, text="区分", header=True, start=5, end=7),
        Cell(row=0, col=1, text="売上高", header=True, start=8, end=11),
        Cell(row=1, col=0, text="モータ", start=12, end=15),
        Cell(row=1, col=1, text="△1,200", start=16, end=22),
    ]
    table = SectionTable(order=0, start=5, end=23, rows=2, cols=2, cells=cells)
    return section("mdna", text, tables=[table])


def test_tables_of_the_source_are_tables_and_cells_can_be_cited() -> None:
    row = with_table()
    span = Span(source_id=row.source_id, start=16, end=22)
    html = page(summaries=[summary("1,200減った。", [span])], compared=[], sections=[row])
    reader = read(html)
    assert reader.tags.count("th") == 2
    assert reader.marked == "△1,200"
    assert re.search(r'<td class="figure">.*△1,200', html)


def test_long_stretches_without_a_citation_are_folded_and_lose_nothing() -> None:
    text = "".join(f"{n}番目の段落である。長い説明が続く。\n" for n in range(80))
    row = section("policy", text)
    at = text.index("40番目")
    span = Span(source_id=row.source_id, start=at, end=at + 10)
    html = page(summaries=[summary("要約。", [span])], compared=[], sections=[row])
    assert html.count('<details class="gap">') == 2
    assert all(f"{n}番目の段落" in html for n in range(80) if n != 40)


def test_checks_conflicts_notes_engine_and_attribution_are_shown() -> None:
    text = "売上高は150億円である。"
    evaluation = BriefEvaluation(
        edinet_code=COMPANY.edinet_code,
        fiscal_year="2025-03",
        aspect="issues",
        strategy="aspect",
        passed=False,
        claims=[Claim(kind="number", text="150億円", start=4, end=9, status="missing")],
        sentences=[],
        checks=[
            Check(name="numbers", passed=False, gate=True, value=1, threshold=0, message="1件不明"),
            Check(name="length", passed=True, gate=False, value=1, threshold=2, message="範囲内"),
        ],
    )
    html = page(
        summaries=[summary(text, [])],
        compared=[],
        evaluations=[evaluation],
        notes=["2025-03の通期の決算説明会の書き起こしは登録されていません。"],
    )
    for shown in ("検査 1/2", "1件不明", "登録されていません", "openai（m）", "PDL1.0", "S9000C01"):
        assert shown in html
    assert '<span class="claim bad" title="資料に見当たらない">150億円</span>' in html


def test_a_check_is_shown_by_its_japanese_name_and_a_new_one_by_its_own() -> None:
    assert check_label("missing_numbers") == "数値の照合"
    assert check_label("some_new_check") == "some new check"


@pytest.mark.parametrize(
    ("text", "room"),
    [("① 価格転嫁の徹底", True), ("価格を改めました。", False), ("It grew.", True)],
)
def test_a_mark_has_room_but_where_the_sign_before_it_is_half_blank(
    text: str, *, room: bool
) -> None:
    span = Span(source_id="filing:S9000C01:policy:0", start=0, end=5)
    html = page(summaries=[summary(text, [span])], compared=[])
    assert ('class="ref room" id=' in html) is room


def test_a_transcript_shows_what_kind_of_record_it_is() -> None:
    transcript = call()[0].model_copy(update={"document_kind": "company_digest"})
    html = page(transcripts=[transcript])
    assert "会社による要旨（発言の記録ではありません）" in html


def test_a_correction_and_a_truncated_section_are_said() -> None:
    rows = [
        section("policy", POLICY, document_type="130"),
        section("mdna", MDNA, status="truncated_source"),
    ]
    html = page(sections=rows)
    assert "訂正後の内容です" in html
    assert "途中で切れています" in html


def test_equal_rows_give_equal_bytes() -> None:
    assert page() == page()


@pytest.mark.parametrize("year", ["2025-03", "2025-12"])
def test_the_fiscal_year_is_written_in_words(year: str) -> None:
    assert f"{int(year[:4])}年{int(year[5:])}月期" in page(fiscal_year=year)


def test_the_heading_above_a_citation_stays_open() -> None:
    """A quote without its heading cannot be read in its context."""
    filler = "".join(f"{n}番目の段落である。長い説明が続く。\n" for n in range(30))
    text = f"(1) 遠い見出し\n{filler}(2) 近い見出し\n{filler}"
    start = text.index("(2)")
    at = text.index("20番目", start)
    heading = SectionHeading(level=1, text="(2) 近い見出し", start=start, end=start + 9)
    row = section("policy", text, headings=[heading])
    span = Span(source_id=row.source_id, start=at, end=at + 10)
    html = page(summaries=[summary("要約。", [span])], compared=[], sections=[row])
    folded = "".join(re.findall(r'<details class="gap">(.*?)</details>', html, re.DOTALL))
    assert "近い見出し" in html
    assert "近い見出し" not in folded
    assert "遠い見出し" in folded


def test_a_brief_of_another_strategy_says_so_and_shows_each_one_compared() -> None:
    """Two ways of writing side by side are worth nothing if it is not said which is which."""
    span = Span(source_id=both_sections()[0].source_id, start=0, end=len(POLICY))
    main = summary("要約。", [span], strategy="joint")
    others = [
        summary("単純な要約。", [span], strategy="simple"),
        summary("選んだ箇所の要約。", [span], strategy="retrieval"),
    ]
    html = page(summaries=[main], compared=others)
    assert "方式" in html
    assert "すべての観点を一度に事前要約して作った場合" in html
    assert html.index("比較：観点を指定しない") < html.index("単純な要約。")
    assert html.index("比較：観点に近い箇所だけ") < html.index("選んだ箇所の要約。")
    assert "方式" not in page()


def test_a_company_text_is_shown_with_its_label_and_cited_in_place() -> None:
    config = load_config("extends: sales_talk")
    text = CompanyText(
        edinet_code=COMPANY.edinet_code,
        fiscal_year="2025-03",
        text_id="mihari-1",
        text_type="product_text",
        file="mihari.txt",
        digest="0" * 64,
        text="設備の<不調>を知らせます。\n二行目です。",
    )
    span = Span(source_id=text.source_id, start=0, end=14)
    row = summary("設備の不調を知らせる。", [span], aspect="sales_talk")
    html = page(config=config, summaries=[row], compared=[], texts=[text])
    reader = read(html)
    assert "製品の説明｜mihari.txt" in html
    assert "設備の&lt;不調&gt;を知らせます。" in html
    assert {"src-1"} <= set(reader.ids)
