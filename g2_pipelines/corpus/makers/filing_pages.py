"""Pages of a sample filing: inline XBRL with the tags of a real 有価証券報告書.

Here: which page holds what, and the record of everything tagged, from which ``filing_xbrl``
writes instance, schema and linkbases. Figures come from ``filing_data``, prose from ``texts``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from html import escape
from importlib.resources import files

from g2_pipelines.corpus.makers.filing_data import Company, Segment
from g2_pipelines.corpus.makers.filing_markup import blocks_of_text, heading, table, to_xhtml

_YEARS = 5
_POLICY = "BusinessPolicyBusinessEnvironmentIssuesToAddressEtcTextBlock"
_MDNA = "ManagementAnalysisOfFinancialPositionOperatingResultsAndCashFlowsTextBlock"


@dataclass(frozen=True)
class Tagged:
    """A tagged fact as the instance states it; ``unit`` "" for text."""

    name: str
    context: str
    value: str
    unit: str = ""
    decimals: str = ""


@dataclass
class Filing:
    """Writes pages and remembers what it tagged."""

    company: Company
    facts: list[Tagged] = field(default_factory=list)

    @property
    def filer_prefix(self) -> str:
        """Prefix of the filer's own namespace."""
        return f"jpcrp030000-asr_{self.company.edinet_code}-000"

    @property
    def stem(self) -> str:
        """Common part of the file names."""
        c = self.company
        return f"jpcrp030000-asr-001_{c.edinet_code}-000_{c.period_end}_01_{c.filed}"

    def money(self, name: str, context: str, millions: int) -> str:
        """A tagged amount shown in millions of yen; a loss is △ outside the tag."""
        self.facts.append(Tagged(name, context, str(millions * 1_000_000), "JPY", "-6"))
        sign = ' sign="-"' if millions < 0 else ""
        return ("△" if millions < 0 else "") + (
            f'<ix:nonFraction name="{name}" contextRef="{context}" unitRef="JPY" decimals="-6"'
            f' scale="6"{sign} format="ixt:numdotdecimal">{abs(millions):,}</ix:nonFraction>'
        )

    def number(
        self, name: str, context: str, shown: str, *, unit: str, scale: int = 0, decimals: str
    ) -> str:
        """A tagged number of another unit."""
        value = Decimal(shown.replace(",", "")).scaleb(scale)
        self.facts.append(Tagged(name, context, f"{value:f}", unit, decimals))
        return (
            f'<ix:nonFraction name="{name}" contextRef="{context}" unitRef="{unit}"'
            f' decimals="{decimals}" scale="{scale}" format="ixt:numdotdecimal">'
            f"{shown}</ix:nonFraction>"
        )

    def text(self, name: str, value: str, shown: str | None = None, form: str = "") -> str:
        """A tagged text of the filing date's context."""
        self.facts.append(Tagged(name, "FilingDateInstant", value))
        attribute = f' format="ixt:{form}"' if form else ""
        return (
            f'<ix:nonNumeric name="{name}" contextRef="FilingDateInstant"{attribute}>'
            f"{escape(shown or value)}</ix:nonNumeric>"
        )

    def block(self, name: str, content: str) -> str:
        """A text block; the instance holds its markup without the inline tags."""
        self.facts.append(Tagged(name, "FilingDateInstant", _untagged(content)))
        return (
            f'<ix:nonNumeric name="{name}" contextRef="FilingDateInstant" escape="true">\n'
            f"{content}\n</ix:nonNumeric>"
        )

    def member(self, segment: Segment, context: str) -> str:
        """Context id of a segment."""
        return f"{context}_{self.filer_prefix}{segment.member}"


def _untagged(content: str) -> str:
    out, rest = "", content
    while "<ix:" in rest or "</ix:" in rest:
        places = [at for at in (rest.find("<ix:"), rest.find("</ix:")) if at >= 0]
        start = min(places)
        out += rest[:start]
        rest = rest[rest.index(">", start) + 1 :]
    return out + rest


def pages_of(filing: Filing) -> dict[str, str]:
    """Page name (``0101010_honbun``) → body up to 第４, in the order of the manifest."""
    c = filing.company
    source = files("g2_pipelines.corpus.makers") / "texts" / c.text
    texts = blocks_of_text(source.read_text(encoding="utf-8"))
    return {
        "0000000_header": _cover(filing),
        "0101010_honbun": _overview(filing, texts),
        "0102010_honbun": _business(filing, texts),
        "0103010_honbun": _facilities(filing),
        "0104010_honbun": _dividends(filing),
    }


def _cover(f: Filing) -> str:
    c = f.company
    filed = date.fromisoformat(c.filed)
    if c.style == "heading":
        shown = f"令和{filed.year - 2018}年{filed.month}月{filed.day}日"
        form = "dateerayearmonthdayjp"
    else:
        shown, form = f"{filed.year}年{filed.month}月{filed.day}日", "dateyearmonthdaycjk"
    start, end = date.fromisoformat(c.period_start), date.fromisoformat(c.period_end)
    period = (
        f"第{c.term}期（自　{start.year}年{start.month}月{start.day}日"
        f"　至　{end.year}年{end.month}月{end.day}日）"
    )
    lines = [
        ("【表紙】", ""),
        ("【提出書類】", f.text("jpcrp_cor:DocumentTitleCoverPage", "有価証券報告書")),
        (
            "【根拠条文】",
            f.text("jpcrp_cor:ClauseOfStipulationCoverPage", "金融商品取引法第24条第１項"),
        ),
        ("【提出先】", f.text("jpcrp_cor:PlaceOfFilingCoverPage", "関東財務局長")),
        ("【提出日】", f.text("jpcrp_cor:FilingDateCoverPage", c.filed, shown, form)),
        ("【事業年度】", f.text("jpcrp_cor:FiscalYearCoverPage", period)),
        ("【会社名】", f.text("jpcrp_cor:CompanyNameCoverPage", c.name)),
        ("【英訳名】", f.text("jpcrp_cor:CompanyNameInEnglishCoverPage", c.name_english)),
        (
            "【代表者の役職氏名】",
            f.text("jpcrp_cor:TitleAndNameOfRepresentativeCoverPage", c.representative),
        ),
        (
            "【本店の所在の場所】",
            f.text("jpcrp_cor:AddressOfRegisteredHeadquarterCoverPage", c.address),
        ),
        (
            "【事務連絡者氏名】",
            f.text("jpcrp_cor:NameOfContactPersonNearestPlaceOfContactCoverPage", c.contact),
        ),
    ]
    return table([[label, value] for label, value in lines], tagged=True)


def _contexts(kind: str) -> list[str]:
    return [f"Prior{n}Year{kind}" for n in range(_YEARS - 1, 0, -1)] + [f"CurrentYear{kind}"]


def _ratio(part: int, whole: int, places: str = "0.1") -> str:
    return str((Decimal(part) * 100 / whole).quantize(Decimal(places), ROUND_HALF_UP))


def _per_share(millions: int, shares_thousand: int) -> str:
    value = (Decimal(millions) * 1000 / shares_thousand).quantize(Decimal("0.01"), ROUND_HALF_UP)
    return f"{value:,}"


def _summary_table(f: Filing) -> str:
    c = f.company
    year = int(c.period_end[:4])
    month = int(c.period_end[5:7])
    rows = [
        ["回次", "", *(f"第{c.term - n}期" for n in range(_YEARS - 1, -1, -1))],
        ["決算年月", "", *(f"{year - n}年{month}月" for n in range(_YEARS - 1, -1, -1))],
    ]

    def money(label: str, name: str, kind: str, series: Sequence[int]) -> None:
        cells = [
            f.money(f"jpcrp_cor:{name}SummaryOfBusinessResults", context, value)
            for context, value in zip(_contexts(kind), series, strict=True)
        ]
        rows.append([label, "(百万円)", *cells])

    def other(label: str, shown_unit: str, name: str, kind: str, shown: Sequence[str]) -> None:
        yen = shown_unit == "(円)"
        cells = [
            f.number(
                f"jpcrp_cor:{name}SummaryOfBusinessResults",
                context,
                value,
                unit="JPYPerShares" if yen else "pure",
                scale=0 if yen else -2,
                decimals="2" if yen else "3",
            )
            for context, value in zip(_contexts(kind), shown, strict=True)
        ]
        rows.append([label, shown_unit, *cells])

    money("売上高", "NetSales", "Duration", c.sales)
    money("経常利益", "OrdinaryIncomeLoss", "Duration", c.ordinary)
    money(
        "親会社株主に帰属する当期純利益",
        "ProfitLossAttributableToOwnersOfParent",
        "Duration",
        c.net_income,
    )
    money("包括利益", "ComprehensiveIncome", "Duration", c.comprehensive)
    money("純資産額", "NetAssets", "Instant", c.net_assets)
    money("総資産額", "TotalAssets", "Instant", c.total_assets)
    bps = [_per_share(v, c.shares_thousand) for v in c.net_assets]
    other("１株当たり純資産額", "(円)", "NetAssetsPerShare", "Instant", bps)
    eps = [_per_share(v, c.shares_thousand) for v in c.net_income]
    other("１株当たり当期純利益", "(円)", "BasicEarningsLossPerShare", "Duration", eps)
    ratio = [_ratio(n, t) for n, t in zip(c.net_assets, c.total_assets, strict=True)]
    other("自己資本比率", "(％)", "EquityToAssetRatio", "Instant", ratio)
    other("自己資本利益率", "(％)", "RateOfReturnOnEquity", "Duration", c.roe)
    cash = "NetCashProvidedByUsedIn{}Activities"
    for label, name, series in (
        ("営業活動によるキャッシュ・フロー", "Operating", c.operating_cash),
        ("投資活動によるキャッシュ・フロー", "Investing", c.investing_cash),
        ("財務活動によるキャッシュ・フロー", "Financing", c.financing_cash),
    ):
        money(label, cash.format(name), "Duration", series)
    money("現金及び現金同等物の期末残高", "CashAndCashEquivalents", "Instant", c.cash)
    staff = [
        f.number("jpcrp_cor:NumberOfEmployees", context, f"{n:,}", unit="pure", decimals="0")
        for context, n in zip(_contexts("Instant"), c.employees, strict=True)
    ]
    rows.append(["従業員数", "(名)", *staff])
    return table(rows, tagged=True)


def _employees(f: Filing) -> str:
    rows = [["セグメントの名称", "従業員数（名）"]]

    def count(context: str, n: int) -> str:
        return f.number("jpcrp_cor:NumberOfEmployees", context, f"{n:,}", unit="pure", decimals="0")

    for segment in f.company.segments:
        context = f.member(segment, "CurrentYearInstant")
        rows.append([segment.name, count(context, segment.employees)])
    corporate = count("CurrentYearInstant_CorporateSharedMember", f.company.corporate_employees)
    rows.append(["全社（共通）", corporate])
    rows.append(["合計", f"{f.company.employees[-1]:,}"])
    return table(rows, tagged=True)


def _overview(f: Filing, texts: dict[str, str]) -> str:
    style = f.company.style
    summary = heading("(1) 連結経営指標等", 2, style) + _summary_table(f)
    employees = heading("(1) 連結会社の状況", 2, style) + _employees(f)
    return "\n".join(
        [
            "<h1>第一部【企業情報】</h1>",
            "<h2>第１【企業の概況】</h2>",
            "<h3>１【主要な経営指標等の推移】</h3>",
            f.block("jpcrp_cor:BusinessResultsOfGroupTextBlock", summary),
            f.block("jpcrp_cor:DescriptionOfBusinessTextBlock", to_xhtml(texts["business"], style)),
            "<h3>５【従業員の状況】</h3>",
            f.block("jpcrp_cor:InformationAboutEmployeesTextBlock", employees),
        ]
    )


def _business(f: Filing, texts: dict[str, str]) -> str:
    c = f.company
    research = f.money(
        "jpcrp_cor:ResearchAndDevelopmentExpensesResearchAndDevelopmentActivities",
        "CurrentYearDuration",
        c.research_cost,
    )
    elements = [
        ("policy", f"jpcrp_cor:{_POLICY}"),
        (
            "sustainability",
            "jpcrp_cor:DisclosureOfSustainabilityRelatedFinancialInformationTextBlock",
        ),
        ("risks", "jpcrp_cor:BusinessRisksTextBlock"),
        ("mdna", f"{c.mdna_prefix}:{_MDNA}"),
        ("contracts", f"jpcrp_cor:{c.contracts_element}"),
        ("research", "jpcrp_cor:ResearchAndDevelopmentActivitiesTextBlock"),
    ]
    out = ["<h2>第２【事業の状況】</h2>"]
    for section, element in elements:
        if section in texts:
            content = to_xhtml(texts[section], c.style).replace("{research}", research)
            out.append(f.block(element, content))
    return "\n".join(out)


def _facilities(f: Filing) -> str:
    c = f.company
    name = "jpcrp_cor:CapitalExpendituresOverviewOfCapitalExpendituresEtc"
    out = ["<h2>第３【設備の状況】</h2>"]
    if c.corporate_expenditure:
        rows = [["セグメントの名称", "設備投資額（百万円）"]]
        for segment in c.segments:
            context = f.member(segment, "CurrentYearDuration")
            rows.append([segment.name, f.money(name, context, segment.capital_expenditure)])
        total = sum(s.capital_expenditure for s in c.segments) + c.corporate_expenditure
        corporate = "CurrentYearDuration_CorporateSharedMember"
        rows.append(["全社（共通）", f.money(name, corporate, c.corporate_expenditure)])
        rows.append(["合計", f.money(name, "CurrentYearDuration", total)])
        lead = "　当連結会計年度の設備投資の総額は3,260百万円であり、その主なものは計測制御事業の組立棟の増築であります。"
        content = to_xhtml("# １【設備投資等の概要】\n" + lead, c.style) + table(rows, tagged=True)
    else:
        content = to_xhtml(
            "# ３【設備の新設、除却等の計画】\n"
            "|会社名|設備の内容|投資予定額の総額（百万円）|既支払額（百万円）|資金調達方法|完了予定|\n"
            "|みなとロジスティクス㈱|小牧低温物流センター（自動化冷蔵倉庫、収容能力32千トン）"
            "|4,850|2,860|自己資金及び借入金|2020年４月|",
            c.style,
        )
    out.append(f.block("jpcrp_cor:OverviewOfCapitalExpendituresEtcTextBlock", content))
    return "\n".join(out)


def _dividends(f: Filing) -> str:
    c = f.company
    text = (
        "# ３【配当政策】\n"
        "　当社は、株主に対する利益還元を経営の重要課題と位置付け、安定した配当を継続することを基本方針としております。\n"
        f"　当事業年度の剰余金の配当は、１株当たり年間{c.dividend_yen}円を予定しております。"
    )
    content = to_xhtml(text, c.style)
    return "<h2>第４【提出会社の状況】</h2>\n" + f.block(
        "jpcrp_cor:DividendPolicyTextBlock", content
    )
