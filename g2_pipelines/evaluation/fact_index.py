"""The tagged facts of a filing as evidence: the third place to look, behind the sections' text.

Here: ``FactTable`` and the table item ↔ element. Most figures of a report's statements are in
no section that a brief is made from, but they are tagged. Only modules of this package import
it, and ``defs`` and ``cli`` to make the table once a company.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from g2_pipelines.evaluation.corpus import digits
from g2_pipelines.tables.line1 import FactEvidence, FilingFact
from g2_pipelines.text.numbers import Number

_END = r"(?:IFRS|USGAAP|JMIS)?(?:SummaryOfBusinessResults|KeyFinancialData)?$"
#: Item as in ``labels`` → local names of elements in J-GAAP, IFRS and US GAAP.
_ELEMENTS = {
    "売上高": "NetSales|Revenues?|Revenue2|OperatingRevenues?[12]?|GrossOperatingRevenue|TotalNetRevenues",
    "売上原価": "CostOfSales",
    "売上総利益": "GrossProfit(?:Loss)?",
    "販売費及び一般管理費": "SellingGeneralAndAdministrativeExpenses",
    "営業利益": "OperatingIncome(?:Loss)?|OperatingProfitLoss",
    "経常利益": "OrdinaryIncome(?:Loss)?",
    "税引前利益": "IncomeBeforeIncomeTaxes|ProfitLossBeforeTax(?:FromContinuingOperations)?",
    "当期純利益": "ProfitLoss(?:AttributableToOwnersOfParent)?|NetIncome(?:Loss)?",
    "1株当たり利益": "(?:Basic|Diluted)EarningsLossPerShare",
    "1株当たり配当": "DividendPaidPerShare|InterimDividendPaidPerShare",
    "包括利益": "ComprehensiveIncome(?:AttributableToOwnersOfParent)?",
    "総資産": "(?:Total)?Assets",
    "純資産": "NetAssets|Equity(?:AttributableToOwnersOfParent)?",
    "負債": "Liabilities",
    "流動資産": "(?:Total)?CurrentAssets(?:IFRS)?",
    "固定資産": "NoncurrentAssets|NonCurrentAssets",
    "流動負債": "(?:Total)?CurrentLiabilities",
    "固定負債": "NoncurrentLiabilities|NonCurrentLiabilities",
    "自己資本比率": "EquityToAssetRatio|RatioOfOwnersEquityToGrossAssets",
    "ROE": "RateOfReturnOnEquity",
    "研究開発費": "ResearchAndDevelopmentExpenses(?:ResearchAndDevelopmentActivities|SGA)?",
    "減価償却費": "DepreciationSegmentInformation|DepreciationAndAmortization(?:OpeCF)?",
    "減損損失": "ImpairmentLoss(?:EL)?",
    "従業員": "NumberOfEmployees|AverageNumberOfTemporaryWorkers",
    "営業キャッシュ・フロー": "NetCashProvidedByUsedInOperatingActivities",
    "投資キャッシュ・フロー": "NetCashProvidedByUsedInInvest(?:ment|ing)Activities",
    "財務キャッシュ・フロー": "NetCashProvidedByUsedInFinancingActivities",
    "現金": "CashAndCashEquivalents",
}
#: What every filer's statements give: plain where they are consolidated.
_STATED = frozenset({"総資産", "純資産", "売上高", "当期純利益"})
_ITEM_OF = [(item, re.compile(f"(?:{names}){_END}")) for item, names in _ELEMENTS.items()]
_UNITS = {"JPY": "円", "JPY/shares": "円", "USD": "ドル", "pure": "%", "shares": "株"}


class Fact(NamedTuple):
    """A fact as a figure: its item if it is one of ours, and where it was tagged."""

    number: Number
    item: str | None
    row: FilingFact

    @property
    def members(self) -> list[str]:
        """Local names of its dimensions' members."""
        return [dimension.member for dimension in self.row.dimensions]

    @property
    def plain(self) -> bool:
        """Of the whole company: no segment, no component; consolidated or not said."""
        return not self.row.dimensions

    def evidence(self) -> FactEvidence:
        """As a claim cites it."""
        return FactEvidence(
            document_id=self.row.document_id,
            element=self.row.element,
            context=self.row.context,
            period_end=self.row.period_end,
            members=self.members,
            value=self.row.value or "",
            unit=self.row.unit,
            label=self.row.label,
        )


class FactTable:
    """Numeric facts by their significant digits and by item. Not changed once made.

    What a correction states anew is left out: a figure that was corrected is no evidence.

    ``year_end`` is the last day of the year in force (YYYY-MM-DD), by which 当期 and 前期 are
    told apart; without it the latest day of a CurrentYear… context is taken.
    """

    def __init__(self, facts: Sequence[FilingFact], year_end: str | None = None) -> None:
        in_force = (row for row in facts if row.superseded_by is None)
        self.facts = [made for row in in_force if (made := _fact(row)) is not None]
        self.by_digits: dict[str, list[Fact]] = defaultdict(list)
        self.by_item: dict[str, list[Fact]] = defaultdict(list)
        for fact in self.facts:
            self.by_digits[digits(fact.number.value)].append(fact)
            if fact.item is not None and fact.plain:
                self.by_item[fact.item].append(fact)
        if not _STATED & self.by_item.keys():
            # A company without subsidiaries tags its statements so, and only some notes plain.
            plain = frozenset(self.by_item)
            for fact in self.facts:
                if fact.members != ["NonConsolidatedMember"]:
                    continue
                if fact.item is not None and fact.item not in plain:
                    self.by_item[fact.item].append(fact)
        current = [f.row.period_end for f in self.facts if f.row.context.startswith("CurrentYear")]
        self.year_end = year_end or max((end for end in current if end), default=None)

    def ends(self, key: str) -> Iterator[str]:
        """The days (YYYY-MM-DD or a prefix of it) on which a claimed period may end."""
        if self.year_end is None:
            return
        year, month = self.year_end[:4], self.year_end[5:7]
        if key in {"current", "previous", "before_previous"}:
            back = ("current", "previous", "before_previous").index(key)
            yield f"{int(year) - back}-{month}"
        elif match := re.fullmatch(r"FY(\d{4})-(\d\d)", key):
            yield f"{match[1]}-{match[2]}"
        elif match := re.fullmatch(r"FY(\d{4})", key):
            yield f"{int(match[1]) + (1 if int(month) < 12 else 0)}-{month}"
        elif re.fullmatch(r"\d{4}-\d\d(?:-\d\d)?", key):
            yield key

    def change(self, item: str) -> Decimal | None:
        """What ``item`` was more this year than the year before; None where one is not tagged.

        None too where two elements of one item do not go the same way.
        """
        values: dict[str, dict[str, Decimal]] = defaultdict(dict)
        for key in ("current", "previous"):
            for end in self.ends(key):
                for fact in self.by_item.get(item, ()):
                    if (fact.row.period_end or "").startswith(end):
                        values[fact.row.element][key] = fact.number.value
        made = [v["current"] - v["previous"] for v in values.values() if len(v) == 2]
        return made[0] if made and len({value > 0 for value in made}) == 1 else None


def _fact(row: FilingFact) -> Fact | None:
    unit = _UNITS.get(row.unit or "")
    if unit is None or row.value is None:
        return None
    try:
        value = Decimal(row.value)
    except InvalidOperation:
        return None
    if not value.is_finite():
        return None
    local = row.element.rpartition(":")[2]
    item = next((name for name, pattern in _ITEM_OF if pattern.fullmatch(local)), None)
    if item == "従業員":
        unit = "人"
    places = int(row.decimals) if row.decimals and re.fullmatch(r"-?\d{1,3}", row.decimals) else 0
    if unit == "%":
        value, places = value * 100, max(0, places - 2)
    number = Number(
        start=0,
        end=0,
        text=f"{value.normalize():f}{unit}",
        value=value,
        unit=unit,
        scale=Decimal(1).scaleb(-places) if places < 0 else Decimal(1),
        decimals=max(0, places),
    )
    return Fact(number, item, row)
