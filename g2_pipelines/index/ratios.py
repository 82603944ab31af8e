"""Accounting ratios and the lines of the statements that they are made of.

Here: ``parts_of``. A statement prints current assets and current liabilities, never the current
ratio: a question for a ratio is a question for its parts. The definitions are the textbooks'.
Only ``query`` imports this module.
"""

from __future__ import annotations

import re

_BALANCE, _INCOME, _CASH = (
    "consolidated balance sheets",
    "consolidated statements of income",
    "consolidated statements of cash flows",
)
_INVENTORY = f"inventories cost of sales cost of goods sold {_BALANCE} {_INCOME}"
_RECEIVABLE = f"accounts receivable net revenues net sales {_BALANCE} {_INCOME}"
_PAYABLE = f"accounts payable cost of sales cost of goods sold {_BALANCE} {_INCOME}"
_PARTS = (
    (r"inventor(?:y|ies) turnover|days (?:of )?(?:sales (?:in|of) )?inventory|\bdio\b", _INVENTORY),
    (r"receiv(?:e|ables?) turnover|days (?:of )?sales outstanding|\bdso\b", _RECEIVABLE),
    (r"payables? turnover|days (?:of )?payables?(?: outstanding)?|\bdpo\b", _PAYABLE),
    (r"cash conversion cycle", f"{_INVENTORY} {_RECEIVABLE} {_PAYABLE}"),
    (
        r"current ratio|working capital",
        f"total current assets total current liabilities {_BALANCE}",
    ),
    (
        r"quick ratio|acid[- ]test",
        "cash and equivalents short-term investments accounts receivable "
        f"total current liabilities {_BALANCE}",
    ),
    (r"\bcash ratio", f"cash and equivalents total current liabilities {_BALANCE}"),
    (
        r"debt[- ]to[- ](?:equity|assets?)|debt ratio|\bleverage ratio|equity multiplier",
        f"total liabilities long-term debt total shareholders equity total assets {_BALANCE}",
    ),
    (r"return on (?:total )?assets|\broa\b", f"net income total assets {_BALANCE} {_INCOME}"),
    (
        r"return on (?:\w+ )?equity|\broe\b",
        f"net income total shareholders equity {_BALANCE} {_INCOME}",
    ),
    (r"gross (?:profit )?margin", f"revenues cost of sales gross profit {_INCOME}"),
    (r"operating (?:profit )?margin", f"operating income revenues {_INCOME}"),
    (r"net (?:profit|income) margin|profit margin", f"net income revenues {_INCOME}"),
    (
        r"interest coverage|times interest earned",
        f"operating income interest expense income before income taxes {_INCOME}",
    ),
    (r"fixed assets? turnover", f"revenues property plant and equipment {_BALANCE} {_INCOME}"),
    (r"(?<!fixed )assets? turnover", f"revenues total assets {_BALANCE} {_INCOME}"),
    (r"\bebitda", f"operating income depreciation amortization {_INCOME} {_CASH}"),
    (
        r"free cash flow",
        "cash provided by operations capital expenditures additions to property plant and "
        f"equipment {_CASH}",
    ),
    (r"payout ratio", f"dividends declared net income {_INCOME} {_CASH}"),
    (
        r"effective (?:income )?tax rate",
        f"income tax expense income before income taxes {_INCOME}",
    ),
    (r"流動比率|運転資本", "流動資産合計 流動負債合計 貸借対照表"),
    (r"当座比率", "現金及び預金 売掛金 有価証券 流動負債合計 貸借対照表"),
    (r"自己資本比率", "純資産合計 資産合計 貸借対照表"),
    (r"負債比率|D/Eレシオ", "負債合計 純資産合計 有利子負債 貸借対照表"),
    (r"自己資本利益率|\bROE\b", "当期純利益 純資産合計 自己資本 貸借対照表 損益計算書"),
    (r"総資産利益率|\bROA\b", "当期純利益 資産合計 貸借対照表 損益計算書"),
    (r"売上総利益率|粗利率", "売上総利益 売上高 損益計算書"),
    (r"営業利益率", "営業利益 売上高 損益計算書"),
    (r"経常利益率", "経常利益 売上高 損益計算書"),
    (r"(?:棚卸資産|在庫)回転", "棚卸資産 商品及び製品 売上原価 貸借対照表 損益計算書"),
    (r"売上債権回転", "売掛金 受取手形 売上高 貸借対照表 損益計算書"),
    (r"配当性向", "配当金 当期純利益 損益計算書"),
    (
        r"フリー・?キャッシュ・?フロー",
        "営業活動によるキャッシュ・フロー 有形固定資産の取得による支出",
    ),
)
_RULES = [(re.compile(pattern, re.IGNORECASE), parts) for pattern, parts in _PARTS]


def parts_of(question: str) -> str:
    """The parts of every ratio that ``question`` names, by space; "" where it names none."""
    return " ".join(parts for pattern, parts in _RULES if pattern.search(question))
