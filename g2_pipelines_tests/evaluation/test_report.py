"""The report's rows and pages: counts set by hand, equal bytes in any order, nothing runs."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from itertools import permutations

import pytest

from g2_pipelines.evaluation import criteria
from g2_pipelines.evaluation.brief import BAD
from g2_pipelines.evaluation.compare import holm
from g2_pipelines.evaluation.criteria import BY_KEY, CLAIMS, MISSING, text_outcomes
from g2_pipelines.evaluation.preferences import preferences
from g2_pipelines.evaluation.reliability import Reliability, ReliabilityError, read_reliability
from g2_pipelines.evaluation.report import Case, Report, ReportBuilder
from g2_pipelines.evaluation.report_company import SourceText, SpokenTurn, company_page
from g2_pipelines.evaluation.report_page import (
    MATRIX_COMPANIES,
    Missing,
    Panels,
    report_pages,
    runs_page,
)
from g2_pipelines.evaluation.trend import join, money_of, run_row
from g2_pipelines.models.ledger import CallTotals
from g2_pipelines.models.prices import ModelPrice, PriceTable
from g2_pipelines.tables.report import Comparison, ReportRun
from g2_pipelines_tests.evaluation.judged import ASPECTS, SOURCE, SOURCE_TEXT, case, claim, judged

ALTERED = claim("number", "altered", "48,602百万円", 4, note="the source has 48,620百万円")
ALTERED_TEXT = "売上高は48,602百万円となりました。"
EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)>"


def cases() -> list[Case]:
    """Three companies: an altered figure on the right of two, an invention on the left of one."""
    made = []
    for number, (left_bad, right_bad) in enumerate([(False, True), (False, True), (True, False)]):
        code = f"E9900{number}"
        invention = [claim("name", "missing", "アオリンク", 0)] if left_bad else []
        wrong = [ALTERED] if right_bad else []
        made.append(
            case(
                [
                    judged(
                        claims=[claim("number", "supported_local", "48,620百万円", 4)],
                        company=code,
                    ),
                    judged(claims=invention, aspect="issues", company=code),
                ],
                [
                    judged(
                        ALTERED_TEXT if right_bad else "別の文です。",
                        wrong,
                        strategy="simple",
                        gate=not right_bad,
                        company=code,
                    ),
                    judged(
                        "別の文です。",
                        aspect="issues",
                        strategy="simple",
                        check=False,
                        company=code,
                    ),
                ],
                code=code,
            )
        )
    return made


def built(given: list[Case]) -> Report:
    builder = ReportBuilder(ASPECTS)
    for one in given:
        builder.add(one)
    return builder.report()


def row(report: Report, check: str, scope: str = "all", of: str = "") -> Comparison:
    [found] = [r for r in report.comparisons if (r.check, r.scope, r.of) == (check, scope, of)]
    return found


def test_the_papers_criteria_are_counted_on_both_sides():
    report = built(cases())
    numbers = row(report, "numbers_altered")
    assert (numbers.n, numbers.left.failed, numbers.right.failed) == (6, 0, 2)
    assert (numbers.only_left, numbers.only_right, numbers.p_value) == (0, 2, 0.5)
    assert numbers.p_company == 0.5
    assert row(report, "aspect_fit").p_company == 0.25  # three companies against none
    inventions = row(report, "inventions")
    assert (inventions.left.failed, inventions.right.failed, inventions.p_value) == (1, 0, 1.0)
    assert row(report, "numbers_altered", "aspect", "environment").right.failed == 2
    assert row(report, "numbers_altered", "aspect", "issues").right.failed == 0
    assert row(report, "aspect_fit").right.failed == 3
    assert row(report, "aspect_fit").right.mean_value == pytest.approx((3 * 0.75 + 3 * 0.25) / 6)
    assert row(report, "missing_numbers").gate


def test_a_source_types_row_counts_pairs_that_both_stand_on_it():
    left = judged(claims=[ALTERED], text=ALTERED_TEXT)
    report = built([case([left], [judged(strategy="simple")])])
    assert row(report, "numbers_altered", "source_type", "mdna").left.failed == 1
    other = judged(strategy="simple", source="filing:S9000A01:policy:0")
    report = built([case([left], [other])])
    assert not [r for r in report.comparisons if r.scope == "source_type"]


def test_a_sentence_without_support_is_on_no_source_type():
    weak = [judged(supported=False), judged(supported=False, strategy="simple")]
    report = built([case(weak[:1], weak[1:])])
    assert row(report, "unsupported").left.failed == 1
    assert {r.of for r in report.comparisons if r.scope == "source_type"} == {""}


def test_figures_everywhere_is_counted_by_company():
    figure = [claim("number", "supported_local", "48,620百万円", 4)]
    left = [judged(claims=figure), judged(claims=figure, aspect="issues")]
    right = [judged(claims=figure, strategy="simple"), judged(aspect="issues", strategy="simple")]
    found = row(built([case(left, right)]), "figures_everywhere")
    assert (found.unit, found.n, found.left.failed, found.right.failed) == ("company", 1, 1, 0)


def test_what_only_one_side_has_is_left_out_and_named():
    report = built([case([judged(), judged(aspect="issues")], [judged(strategy="simple")])])
    assert row(report, "inventions").n == 1
    assert row(report, "inventions").unpaired == 1
    assert report.unpaired == [("E99001", "2025-03", "issues", "left")]
    assert len(report.texts) == 3


def test_the_order_of_the_companies_changes_nothing():
    given = cases()
    reports = [built(list(order)) for order in permutations(given)]
    assert all(report == reports[0] for report in reports[1:])


def test_holm_steps_down():
    # sorted 0.01·4, 0.02·3, 0.03·2, 0.5·1 → 0.04, 0.06, 0.06, 0.5
    assert holm([0.5, 0.03, 0.01, 0.02]) == pytest.approx([0.5, 0.06, 0.04, 0.06])
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([]) == []


def test_every_bad_status_is_one_criterion():
    kinds = ("number", "date", "period", "segment", "company", "person", "place", "product")
    for kind in (*kinds, "name", "statement"):
        for status in ("altered", "sign_conflict", "unit_conflict", "scale_conflict", "missing"):
            outcomes = text_outcomes(judged(claims=[claim(kind, status, "x", 0)]).evaluation)
            assert sum(outcomes[one.key].found for one in CLAIMS) == 1, (kind, status)
    assert criteria.ALTERED | MISSING == BAD


def test_the_worst_come_first_and_those_that_pass_are_not_among_them():
    report = built(cases())
    worst = report.worst("right")
    assert [(w.edinet_code, w.aspect) for w in worst[:2]] == [
        ("E99000", "environment"),
        ("E99001", "environment"),
    ]
    assert worst[0].light == "red"
    assert {w.light for w in report.worst("left")} == set()


def panels(**more: object) -> Panels:
    given: dict = {
        "name": "aspect-vs-simple",
        "names": ("aspect", "simple"),
        "aspects": [("environment", "環境"), ("issues", "課題")],
        "source_types": {"mdna": "経営成績"},
        "facts": [("データの版", "abc")],
        "linked": [("E99000", "2025-03")],
    }
    return Panels(**(given | more))


class Looked(HTMLParser):
    """Tags, ids and links of a page; refuses what would run or leave it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            assert not name.startswith("on"), (tag, name)
            assert not (value or "").lower().startswith(("http", "//", "javascript"))
            if name == "id":
                self.ids.append(value or "")
            if name == "href":
                self.links.append(value or "")


def looked(html: str) -> Looked:
    page = Looked(html)
    assert not {"script", "img", "iframe", "object", "link", "form"} & set(page.tags)
    assert "default-src 'none'" in html
    assert len(page.ids) == len(set(page.ids))
    for link in page.links:
        if link.startswith("#"):
            assert link[1:] in page.ids, link
    return page


def test_the_front_shows_counts_intervals_and_the_caveat():
    html = report_pages(built(cases()), panels())["index.html"]
    page = looked(html)
    assert "機械の件数は人の評価ではありません" in html
    assert "6/120" in html
    assert "未測定" in html
    assert "companies/E99000-2025-03.html#a-environment" in page.links
    assert not any("E99002" in link for link in page.links)
    assert "48,602百万円" in html


def test_the_papers_counts_stand_only_beside_the_papers_sides():
    html = report_pages(built(cases()), panels(names=("joint", "simple")))["index.html"]
    assert "6/120" not in html


def test_reliability_judge_and_readers_are_shown_where_there_are_any():
    reliability = Reliability(figures={"number_recall": 0.975, "false_alarms_verbatim": 0})
    judge = preferences("coverage", ["left", "left", "tie"])
    html = report_pages(
        built(cases()),
        panels(
            reliability=reliability,
            judge=[judge],
            judge_facts=["審査員 judge-1"],
            readers=[judge],
            criteria={"coverage": "網羅性"},
            missing=[Missing("E99009", "stale_evaluation", EVIL, "Materialize")],
        ),
    )["index.html"]
    looked(html)
    assert "98%" in html  # 97.5 % as a recall beside the rates
    assert "審査員 judge-1" in html
    assert "E99009" in html
    assert EVIL not in html


def test_a_long_matrix_is_cut_into_pages_and_the_front_stays_short():
    count = MATRIX_COMPANIES * 2 + 1
    many = [
        case(
            [judged(company=f"E{n:05}")],
            [judged(strategy="simple", company=f"E{n:05}")],
            code=f"E{n:05}",
        )
        for n in range(count)
    ]
    pages = report_pages(built(many), panels(linked=[]))
    assert sorted(pages) == ["index.html", "matrix-1.html", "matrix-2.html", "matrix-3.html"]
    for name in ("matrix-1.html", "matrix-2.html", "matrix-3.html"):
        looked(pages[name])
    rows = [len(re.findall("<tr><th scope", pages[f"matrix-{n}.html"])) for n in (1, 2, 3)]
    assert rows == [MATRIX_COMPANIES, MATRIX_COMPANIES, 1]
    assert len(pages["index.html"]) < 60_000


def test_a_companys_page_colours_every_claim_and_opens_its_place():
    left = judged(
        ALTERED_TEXT + "根拠のない話。",
        [ALTERED, claim("segment", "supported_elsewhere", "売上高", 0)],
    )
    html = company_page(
        case([left], []),
        aspects=[("environment", "環境")],
        names=("aspect", "simple"),
        sources=[
            SourceText(
                SOURCE, "経営成績", "S9000A01", SOURCE_TEXT, turns=[SpokenTurn(0, 99, "回答 小林")]
            )
        ],
        year="2025年3月期",
    )
    page = looked(html)
    assert re.search(r'<a class="claim bad" href="#src-\d+"[^>]*>48,602百万円</a>', html)
    assert 'class="claim else"' in html
    assert "根拠のない話。" in html
    assert re.search(r'<mark class="hot">', html)
    assert "回答 小林" in html
    assert "この側の文はありません" in html
    assert [link for link in page.links if link.startswith("#ref-")]


def test_of_two_claims_on_the_same_characters_the_bad_one_is_shown():
    both = [claim("period", "supported_local", "48,602百万", 4), ALTERED]
    html = company_page(
        case([judged(ALTERED_TEXT, both)], []),
        aspects=[("environment", "環境")],
        names=("a", "b"),
        sources=[SourceText(SOURCE, "t", "l", SOURCE_TEXT)],
        year="y",
    )
    text = html.split('<div class="text">')[1].split("</div>")[0]
    assert text.count('class="claim bad"') == 1
    assert text.count('class="claim good"') == 0


def test_nothing_of_a_text_source_or_name_becomes_markup():
    evil = judged(EVIL, [claim("name", "missing", EVIL, 0, note=EVIL, item=EVIL)])
    given = case([evil], [], name=EVIL)
    html = company_page(
        given,
        aspects=[("environment", EVIL)],
        names=(EVIL, "b"),
        sources=[SourceText(SOURCE, EVIL, EVIL, EVIL * 2)],
        year=EVIL,
    )
    looked(html)
    for page in report_pages(
        built([given]), panels(names=(EVIL, EVIL), aspects=[("environment", EVIL), ("issues", "x")])
    ).values():
        looked(page)


def test_equal_rows_give_equal_pages_without_a_time():
    given = cases()
    one, two = (report_pages(built(order), panels()) for order in (given, given[::-1]))
    assert one == two


TOTALS = CallTotals(
    asset="pre_summaries/issues",
    model="m",
    sent=2,
    failed=0,
    refused=0,
    served=1,
    in_flight=0,
    attempts=2,
    prompt_tokens=2_000_000,
    completion_tokens=1_000_000,
    cached_tokens=1_000_000,
    saved_prompt_tokens=0,
    saved_completion_tokens=0,
)
PRICES = PriceTable(
    currency="JPY", models={"m": ModelPrice(input=100, cached_input=10, output=300)}
)


def test_money_is_of_every_model_or_not_told():
    # 1M fresh · 100 + 1M cached · 10 + 1M out · 300
    assert money_of([TOTALS], PRICES) == 410.0
    assert money_of([TOTALS], None) is None
    other = TOTALS.model_copy(update={"model": "unknown"})
    assert money_of([TOTALS, other], PRICES) is None


def a_run(run_id: str, made_at: str = "2026-01-01T00:00:00+00:00") -> ReportRun:
    return run_row(
        built(cases()),
        made_at=made_at,
        run_id=run_id,
        version="0",
        data_version="d",
        report_digest="r",
        totals=[TOTALS],
        prices=PRICES,
        seconds=1.0,
    )


def test_a_run_keeps_the_main_rates_and_its_place_among_the_others():
    run = a_run("a")
    assert (run.n, run.left_passed) == (12, 1.0)
    assert run.right_passed == pytest.approx(4 / 6, abs=1e-6)
    assert run.right_numbers == pytest.approx(2 / 6, abs=1e-6)
    assert (run.left_supported, run.right_supported) == (0.75, 0.0)
    later = a_run("b", "2026-01-02T00:00:00+00:00")
    assert [r.run_id for r in join([run], later)] == ["a", "b"]
    assert join([run, later], later) == [run, later]


def test_the_page_of_runs_shows_cost_and_trend():
    html = runs_page(
        [a_run("a"), a_run("b", "2026-01-02T00:00:00+00:00")],
        name="aspect-vs-simple",
        names=("aspect", "simple"),
        totals=[TOTALS],
        prices=PRICES,
    )
    assert "410.00 JPY" in html
    assert html.count("<polyline") == 2
    looked(html)


def test_reliability_is_what_the_benchmark_printed():
    text = json.dumps(
        {
            "figures": {
                "number_recall": 0.98,
                "number_recall_held_back": 0.96,
                "swap_recall": None,
                "brief_s": 0.1,
            },
            "peers": {
                "kinds": {
                    "digit": {"n": 100, "flagged": 98, "by_filing": [0.9, 1.0], "precision": 0.99},
                    "verbatim": {"n": 50, "flagged": 0, "by_filing": None},
                }
            },
            "machine": {},
        }
    )
    found = read_reliability(text, file="r.json")
    assert (found.figures, found.held_back) == ({"number_recall": 0.98}, {"number_recall": 0.96})
    digit, verbatim = found.kinds
    # Wilson of 98 of 100
    assert (digit.low, digit.high) == pytest.approx((0.9300, 0.9945), abs=1e-4)
    assert (digit.wanted, digit.by_filing, digit.precision) == (True, (0.9, 1.0), 0.99)
    assert (verbatim.wanted, verbatim.rate) == (False, 0.0)
    html = report_pages(built(cases()), panels(reliability=found))["index.html"]
    looked(html)
    assert "調整に使わない書類" in html
    assert "指摘しないのが正しい" in html


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"figures": 3}',
        '{"figures": {"number_recall": "many"}}',
        '{"figures": {}, "peers": {"kinds": {"x": {"n": 1}}}}',
        '{"figures": {}, "peers": {"kinds": [3]}}',
        '{"figures": {}, "peers": 3}',
        "[" * 100_000,
        '{"figures": {"number_recall": NaN}}',
        '{"figures": {}, "peers": {"kinds": {"x": {"n": 1e400, "flagged": 1}}}}',
        '{"figures": {}, "peers": {"kinds": {"x": {"n": -1, "flagged": 5}}}}',
        '{"figures": {}, "peers": {"kinds": {"x": {"n": 3, "flagged": 5}}}}',
        '{"figures": {}, "peers": {"kinds": {"x": {"n": 3, "flagged": 1, "by_filing": [1]}}}}',
    ],
)
def test_a_reliability_file_that_is_none_is_a_typed_error(text: str):
    with pytest.raises(ReliabilityError) as caught:
        read_reliability(text, file="r.json")
    assert caught.value.file == "r.json"
    assert caught.value.remedy


def test_every_criterion_has_words_for_people():
    assert all(one.label and one.meaning for one in BY_KEY.values())
