"""Dates, fiscal periods and relative periods of Japanese and English text.

Here: ``Period`` and ``periods``. ``numbers`` leaves what is found here alone. Which
calendar date 当連結会計年度 means is the reader's knowledge, so its key is a word. Every
package above may import this module.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from g2_pipelines.tables.rows import Row
from g2_pipelines.text.widths import narrow


class Period(Row):
    """A date or period at [start, end) of a text; ``text`` is as written.

    key: ``2025-03-31`` day, ``2025-03`` month, ``2025`` year, ``--03-31`` and ``--03`` without
    a year, ``FY2025-03`` fiscal year by its end (2025年3月期), ``FY2025`` by its name (2025年度),
    each with ``-Q2``, ``-H1``, ``-full`` where said; ``term58`` (第58期); or a word: current,
    previous, before_previous, next, same_last_year, Q2, H1, full.
    """

    start: int
    end: int
    text: str
    key: str


_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867}
_KANJI = {char: str(value) for value, char in enumerate("〇一二三四五六七八九")} | {"○": "0"}
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec"
_MONTH_NAME = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?"
)
_YEAR = (
    r"(?P<year>(?:1[89]|20)\d{2}|[一二]〇[〇一二三四五六七八九]{2}|[一二][九〇○][〇○一二三四五六七八九]{2}"
    r"|(?:令和|平成|昭和|大正|明治) ?(?:\d{1,2}|元|[一二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九]))"
)
#: With a month or 年度 behind, a year that none of today's texts means is still one: 2203年10月.
_ANY_YEAR = _YEAR.replace(r"(?:1[89]|20)\d{2}", r"[1-9]\d{3}")
_FAR_YEAR = _YEAR.replace(r"(?:1[89]|20)\d{2}", r"(?:1[5-9]|2\d)\d{2}")
_MONTH = r"(?P<month>1[0-2]|0?[1-9])"
_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9])"
_QUARTER = r"第? ?(?P<q>[1-4一二三四]) ?(?:四半期|q)|(?P<qq>[1-4])q|q(?P<qqq>[1-4])"
_PART = (
    rf"(?:(?: |の|・)?(?:{_QUARTER}|(?P<half>上半期|下半期|上期|下期|前半|後半|中間期|通期|累計))"
    r"(?:連結)?(?:累計期間|会計期間|末)?)?"
)
_ACCOUNTING = r"(?:中間)?(?:連結)?(?:会計年度|事業年度|営業年度)"
_DIGIT_BEFORE = r"(?<![\d,.])"

_WORDS = {
    "当": "current",
    "本": "current",
    "今": "current",
    "前": "previous",
    "昨": "previous",
    "前々": "before_previous",
    "前前": "before_previous",
    "翌": "next",
    "来": "next",
    "次": "next",
}
_HALVES = {
    "上半期": "H1",
    "上期": "H1",
    "前半": "H1",
    "中間期": "H1",
    "下半期": "H2",
    "下期": "H2",
    "後半": "H2",
    "通期": "full",
    "累計": "full",
}


def _number(text: str) -> int:
    """Digits, 元, or kanji up to 99 or positional (二〇二五)."""
    text = text.strip()
    if text.isdigit() and text.isascii():
        return int(text)
    if text == "元":
        return 1
    if "十" in text:
        tens, _, ones = text.partition("十")
        return 10 * (int(_KANJI[tens]) if tens else 1) + (int(_KANJI[ones]) if ones else 0)
    return int("".join(_KANJI[char] for char in text))


def _year(match: re.Match[str]) -> str:
    text = match["year"]
    era = _ERAS.get(text[:2])
    return str(_number(text) if era is None else era + _number(text[2:]))


def _part(match: re.Match[str]) -> str:
    found = match.groupdict()
    quarter = found.get("q") or found.get("qq") or found.get("qqq")
    if quarter:
        return f"Q{_KANJI.get(quarter, quarter)}"
    return _HALVES.get(found.get("half") or "", "")


def _joined(*parts: str) -> str:
    return "-".join(part for part in parts if part)


def _two(text: str) -> str:
    return f"{int(text):02d}"


def _fiscal(match: re.Match[str]) -> str:
    return _joined(f"FY{_year(match)}", _two(match["month"]), _part(match))


def _short_fiscal(match: re.Match[str]) -> str:
    return _joined(f"FY20{match['short']}", _two(match["month"]), _part(match))


def _year_named(match: re.Match[str]) -> str:
    return _joined(f"FY{_year(match)}", _part(match))


def _english_fiscal(match: re.Match[str]) -> str:
    year = match["fy"] if len(match["fy"]) == 4 else f"20{match['fy']}"
    month = _two(match["month"]) if match["month"] else ""
    return _joined(f"FY{year}", month, _part(match))


def _english_month(match: re.Match[str]) -> str:
    return f"{_MONTHS.split().index(match['name'][:3]) + 1:02d}"


def _english_date(match: re.Match[str]) -> str:
    day = match.groupdict().get("day")
    return _joined(match["year4"], _english_month(match), _two(day) if day else "")


def _english_quarter(match: re.Match[str]) -> str:
    ordinals = {"first": "Q1", "second": "Q2", "third": "Q3", "fourth": "Q4"}
    return (
        _joined(ordinals[match["ordinal"]])
        if match["unit"] == "quarter"
        else ("H1" if match["ordinal"] == "first" else "H2")
    )


def _relative(match: re.Match[str]) -> str:
    return _joined(_WORDS[match["rel"]], _part(match))


_Rule = tuple[re.Pattern[str], Callable[[re.Match[str]], str], tuple[str, ...]]
_NAMED_MONTHS = tuple(_MONTHS.split())


def _rule(pattern: str, key: Callable[[re.Match[str]], str], *hints: str) -> _Rule:
    """A pattern, its key, and strings of which a text that it matches holds one."""
    return re.compile(pattern), key, hints


# In order: what an earlier rule takes, a later one does not see.
_RULES: tuple[_Rule, ...] = (
    _rule(
        rf"{_DIGIT_BEFORE}(?P<year>(?:19|20)\d{{2}})(?= ?[~、・,-] ?(?:19|20)\d{{2}} ?年)",
        _year,
    ),
    _rule(
        rf"(?<![a-z])fy ?'?(?P<fy>20\d{{2}}|\d{{2}})(?!\d)(?:[/-]{_MONTH}(?!\d))?{_PART}",
        _english_fiscal,
        "fy",
    ),
    _rule(rf"{_DIGIT_BEFORE}{_ANY_YEAR} ?年 ?{_MONTH} ?月 ?期{_PART}", _fiscal, "期"),
    _rule(rf"{_DIGIT_BEFORE}{_ANY_YEAR} ?/ ?{_MONTH} ?(?:月)?期{_PART}", _fiscal, "期"),
    _rule(
        rf"(?<![\d,./])'?(?P<short>[0-4]\d) ?(?:年|/) ?{_MONTH} ?月?期{_PART}",
        _short_fiscal,
    ),
    _rule(
        rf"{_DIGIT_BEFORE}{_ANY_YEAR} ?年 ?{_MONTH} ?月 ?{_DAY} ?日",
        lambda m: _joined(_year(m), _two(m["month"]), _two(m["day"])),
        "日",
    ),
    _rule(
        rf"(?<![\d,./-])(?P<year>(?:19|20)\d{{2}})(?P<sep>[/.-]){_MONTH}(?P=sep){_DAY}(?![\d/-])",
        lambda m: _joined(_year(m), _two(m["month"]), _two(m["day"])),
    ),
    _rule(
        rf"{_DIGIT_BEFORE}{_ANY_YEAR} ?年 ?{_MONTH} ?月(?!間)末?",
        lambda m: _joined(_year(m), _two(m["month"])),
    ),
    _rule(
        rf"(?<![\d,./-])(?P<year>(?:19|20)\d{{2}})/{_MONTH}(?![\d/])",
        lambda m: _joined(_year(m), _two(m["month"])),
    ),
    _rule(rf"{_DIGIT_BEFORE}{_ANY_YEAR} ?年度{_PART}末?", _year_named, "年度"),
    _rule(rf"{_DIGIT_BEFORE}{_FAR_YEAR} ?年(?!間|以上|連続|余)末?", _year),
    _rule(
        rf"(?<![a-z])fiscal(?: year)? (?P<fy>20\d{{2}})(?!\d)(?P<month>$^)?{_PART}",
        _english_fiscal,
        "fiscal",
    ),
    _rule(
        rf"(?<![a-z])(?P<name>{_MONTH_NAME}) (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? "
        r"(?P<year4>(?:19|20)\d{2})(?!\d)",
        _english_date,
        *_NAMED_MONTHS,
    ),
    _rule(
        rf"(?<![\d,.])(?P<day>\d{{1,2}}) (?P<name>{_MONTH_NAME}) (?P<year4>(?:19|20)\d{{2}})(?!\d)",
        _english_date,
        *_NAMED_MONTHS,
    ),
    _rule(
        rf"(?<![a-z])(?P<name>{_MONTH_NAME}) (?P<year4>(?:19|20)\d{{2}})(?!\d)",
        _english_date,
        *_NAMED_MONTHS,
    ),
    _rule(
        rf"(?<![a-z])(?P<name>{_MONTH_NAME}) (?P<day>\d{{1,2}})(?![\d,.%])",
        lambda m: f"--{_english_month(m)}-{_two(m['day'])}",
        *_NAMED_MONTHS,
    ),
    _rule(
        r"(?<![a-z])(?:q(?P<q>[1-4])|(?P<qq>[1-4])q) ?(?:of )?(?P<year>20\d{2})(?!\d)",
        lambda m: _joined(_year(m), _part(m)),
        "q",
    ),
    _rule(
        r"(?:(?<=\bin )|(?<=\bby ))(?P<year>(?:19|20)\d{2})(?![\d,.]\d|\d| ?%)", _year, "in ", "by "
    ),
    _rule(
        r"(?:(?<=since )|(?<=until )|(?<=during )|(?<=from ))(?P<year>(?:19|20)\d{2})(?![\d,.]\d|\d)",
        _year,
        "since ",
        "until ",
        "during ",
        "from ",
    ),
    _rule(
        r"(?<![a-z])(?P<ordinal>first|second|third|fourth)[ -](?P<unit>quarter|half)(?![a-z])",
        _english_quarter,
        "quarter",
        "half",
    ),
    _rule(
        rf"{_DIGIT_BEFORE}{_MONTH} ?月 ?{_DAY} ?日",
        lambda m: f"--{_two(m['month'])}-{_two(m['day'])}",
        "日",
    ),
    _rule(
        rf"(?<![\d,./]){_MONTH} ?月期{_PART}",
        lambda m: _joined(f"--{_two(m['month'])}", _part(m)),
        "期",
    ),
    _rule(
        rf"(?<![\d,./]){_MONTH} ?月(?!間|額|次|商|給)(?:末|初旬|上旬|中旬|下旬)?",
        lambda m: f"--{_two(m['month'])}",
    ),
    _rule(r"第 ?(?P<term>\d{1,3}) ?期", lambda m: f"term{int(m['term'])}", "期"),
    _rule(r"前々年同(?:四半)?期(?:間)?(?!比)", lambda _: "same_before_last_year", "前々年同"),
    _rule(r"前年同(?:四半)?期(?:間)?(?!比)(?:連結累計期間)?", lambda _: "same_last_year", "前年同"),
    _rule(
        rf"(?P<rel>前々|前前|当|本|前|翌|次){_ACCOUNTING}{_PART}(?:期?末|期首)?", _relative, "年度"
    ),
    _rule(
        r"(?P<rel>当|前|翌|来) ?(?:第? ?(?P<q>[1-4一二三四]) ?四半期)(?:連結)?(?:累計期間|会計期間|末)?",
        _relative,
        "四半期",
    ),
    _rule(
        r"(?P<rel>前々|前|当)中間(?:連結)?(?:会計期間|期)末?",
        lambda m: _joined(_WORDS[m["rel"]], "H1"),
        "中間",
    ),
    _rule(
        r"(?<![一-鿿])(?P<rel>前々|当|今|本|来|翌|前|次)期"
        r"(?!純|利益|損失|変動|包括|首|製品|総|比|待|限|間|日|中|計|初|決算短信)末?",
        _relative,
    ),
    _rule(r"(?<![一-鿿])(?P<rel>前々|当|今|本|来|翌|前|昨|次)年度(?!比)(?:末)?", _relative),
    _rule(rf"(?<![\da-z第])(?:{_QUARTER})(?![a-z\d])(?:連結)?(?:累計期間|会計期間)?", _part),
    _rule(
        r"(?P<half>上半期|下半期|上期|下期|中間期|通期)(?!待)",
        lambda m: _HALVES[m["half"]],
    ),
)
_HINT = re.compile(r"[\d年期半度]|quarter|half")


def periods(text: str) -> list[Period]:
    """Every date and period of ``text`` in order, not overlapping. Full-width digits count.

    前年同期比, 前期比 and 前年比 are comparisons, 当期純利益 is an item: neither is a period;
    nor is a length of time (3年間, 3カ月).
    """
    return [
        Period(start=start, end=end, text=text[start:end], key=key)
        for start, end, key in find_periods(narrow(text))
    ]


@lru_cache(maxsize=4)  # a text is asked for its figures and for its periods in turn
def find_periods(narrowed: str) -> tuple[tuple[int, int, str], ...]:
    """(start, end, key) in a text already made narrow, in order."""
    if _HINT.search(narrowed) is None:
        return ()
    found: list[tuple[int, int, str]] = []
    rest = narrowed
    for pattern, key, hints in _RULES:
        if hints and not any(hint in rest for hint in hints):
            continue
        hits = [(match.start(), match.end(), key(match)) for match in pattern.finditer(rest)]
        if hits:
            found += hits
            rest = mask(rest, [(start, end) for start, end, _ in hits])
    return tuple(sorted(found))


def mask(text: str, ranges: list[tuple[int, int]]) -> str:
    """``text`` with each of the ascending, disjoint ``ranges`` replaced by NUL characters."""
    parts: list[str] = []
    done = 0
    for start, end in ranges:
        parts += (text[done:start], "\0" * (end - start))
        done = end
    parts.append(text[done:])
    return "".join(parts)
