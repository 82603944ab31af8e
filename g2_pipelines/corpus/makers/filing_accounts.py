"""Pages of 第５【経理の状況】 of a sample filing: two statements and the segment note.

Here: inline XBRL of the accounts. Not here: the other pages (``filing_pages``).
"""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.corpus.makers.filing_markup import table, to_xhtml
from g2_pipelines.corpus.makers.filing_pages import Filing


def accounts_of(filing: Filing) -> dict[str, str]:
    """Page name → body, in the order of the manifest."""
    return {
        "0105010_honbun": _balance_sheet(filing),
        "0105020_honbun": _income_statement(filing),
        "0105110_honbun": _segment_note(filing),
    }


def _two_years(f: Filing, kind: str, lines: Sequence[tuple[str, str, tuple[int, int]]]) -> str:
    rows = [["", "前連結会計年度", "当連結会計年度"]]
    for label, name, (previous, current) in lines:
        element = f"jppfs_cor:{name}"
        rows.append(
            [
                label,
                f.money(element, f"Prior1Year{kind}", previous),
                f.money(element, f"CurrentYear{kind}", current),
            ]
        )
    return table(rows, tagged=True)


def _balance_sheet(f: Filing) -> str:
    c = f.company
    total, net = c.total_assets[-2:], c.net_assets[-2:]
    content = _two_years(
        f,
        "Instant",
        [
            ("流動資産合計", "CurrentAssets", c.current_assets),
            ("固定資産合計", "NoncurrentAssets", _minus(total, c.current_assets)),
            ("資産合計", "Assets", (total[0], total[1])),
            ("負債合計", "Liabilities", _minus(total, net)),
            ("純資産合計", "NetAssets", (net[0], net[1])),
        ],
    )
    return (
        "<h2>第５【経理の状況】</h2>\n<h3>①【連結貸借対照表】</h3>\n<p>（単位：百万円）</p>\n"
        + f.block("jpcrp_cor:ConsolidatedBalanceSheetTextBlock", content)
    )


def _minus(a: Sequence[int], b: Sequence[int]) -> tuple[int, int]:
    return a[0] - b[0], a[1] - b[1]


def _income_statement(f: Filing) -> str:
    c = f.company
    sales = (c.sales[-2], c.sales[-1])
    gross = _minus(sales, c.cost_of_sales)
    operating = _minus(gross, c.expenses)
    ordinary = (c.ordinary[-2], c.ordinary[-1])
    before_tax = _minus(ordinary, c.extraordinary_loss)
    net = (c.net_income[-2], c.net_income[-1])
    content = _two_years(
        f,
        "Duration",
        [
            ("売上高", "NetSales", sales),
            ("売上原価", "CostOfSales", c.cost_of_sales),
            ("売上総利益", "GrossProfit", gross),
            ("販売費及び一般管理費", "SellingGeneralAndAdministrativeExpenses", c.expenses),
            ("営業利益", "OperatingIncome", operating),
            ("営業外収益合計", "NonOperatingIncome", c.other_income),
            ("営業外費用合計", "NonOperatingExpenses", c.other_expenses),
            ("経常利益", "OrdinaryIncome", ordinary),
            ("特別損失合計", "ExtraordinaryLoss", c.extraordinary_loss),
            ("税金等調整前当期純利益", "IncomeBeforeIncomeTaxes", before_tax),
            ("法人税等合計", "IncomeTaxes", c.taxes),
            ("親会社株主に帰属する当期純利益", "ProfitLossAttributableToOwnersOfParent", net),
        ],
    )
    return "<h3>②【連結損益計算書】</h3>\n<p>（単位：百万円）</p>\n" + f.block(
        "jpcrp_cor:ConsolidatedStatementOfIncomeTextBlock", content
    )


def _segment_note(f: Filing) -> str:
    c = f.company
    names = [f"「{segment.name}」" for segment in c.segments]
    listed = "、".join(names[:-1]) + "及び" + names[-1]
    lead = to_xhtml(
        "## １．報告セグメントの概要\n"
        "　当社グループの報告セグメントは、当社グループの構成単位のうち分離された財務情報が入手可能であり、"
        "取締役会が経営資源の配分の決定及び業績を評価するために、定期的に検討を行う対象となっているものであります。\n"
        f"　当社グループは、{listed}の３つを報告セグメントとしております。\n"
        "## ２．報告セグメントごとの売上高及び利益又は損失の金額に関する情報",
        c.style,
    )
    tables = []
    for year, (title, period) in enumerate(
        (("前連結会計年度", "Prior1YearDuration"), ("当連結会計年度", "CurrentYearDuration"))
    ):
        rows = [
            [
                f"{title}（百万円）",
                *(s.name for s in c.segments),
                "計",
                "調整額",
                "連結財務諸表計上額",
            ]
        ]
        contexts = [f.member(segment, period) for segment in c.segments]
        sales = [s.sales[year] for s in c.segments]
        profit = [s.profit[year] for s in c.segments]
        revenue, income = "jpcrp_cor:RevenuesFromExternalCustomers", "jppfs_cor:OperatingIncome"
        total = f"{period}_ReportableSegmentsMember"
        rows.append(
            [
                "外部顧客への売上高",
                *(f.money(revenue, x, v) for x, v in zip(contexts, sales, strict=True)),
                f.money(revenue, total, sum(sales)),
                "－",
                f.money(revenue, period, sum(sales)),
            ]
        )
        reconciling = f"{period}_ReconcilingItemsMember"
        rows.append(
            [
                "セグメント利益",
                *(f.money(income, x, v) for x, v in zip(contexts, profit, strict=True)),
                f.money(income, total, sum(profit)),
                f.money(income, reconciling, c.adjustment[year]),
                f.money(income, period, sum(profit) + c.adjustment[year]),
            ]
        )
        tables.append(table(rows, tagged=True))
    name = "jpcrp_cor:NotesSegmentInformationEtcConsolidatedFinancialStatementsTextBlock"
    return "<h3>（セグメント情報等）</h3>\n" + f.block(name, lead + "\n".join(tables))
