"""True sentences of filings, corrupted or told in other words, one change each.

``generate`` takes each filing's text and segment names and gives ``Case``s; pure Python, seeded,
without a part of the checker. A corruption whose result stands in the source as well is left
out. ``read_cases`` reads the cases of another generator: JSONL of ``id``, ``source``, ``kind``,
``original``, ``summary`` and ``expect`` (conflict | ok).
"""

from __future__ import annotations

import json
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

CONFLICTS = frozenset(
    [
        "digit",
        "swap",
        "times_ten",
        "unit",
        "sign",
        "period",
        "item",
        "segment",
        "segment_name",
        "name",
        "negation",
    ]
)
MEANING_KEPT = frozenset(
    ["scale_form", "width", "rounding", "recomputed", "reorder", "compress", "alias"]
)
PER_FILING = 20  # cases of a kind, of verbatim 50


@dataclass(frozen=True)
class Case:
    """``summary`` is ``original`` of the filing ``source``, changed as ``kind`` says."""

    id: str
    source: str
    kind: str
    original: str
    summary: str


_NUMBER = re.compile(
    r"[△▲]?(?P<core>[0-9０-９][0-9０-９,，]*(?:[.．][0-9０-９]+)?)"
    r"(?P<unit>兆円|億円|百万円|千円|万円|円|％|%|ポイント|人|名|社|店舗|台|件|拠点|倍|カ国|本)"
)
_NARROW = str.maketrans("０１２３４５６７８９．，％", "0123456789.,%")
_WIDE = str.maketrans("0123456789.,%", "０１２３４５６７８９．，％")
_YEN = {"億円": 10**8, "百万円": 10**6, "千円": 10**3}
_UNITS = {
    "億円": "百万円", "百万円": "千円", "千円": "百万円", "兆円": "億円", "万円": "億円", "円": "ドル",
    "％": "ポイント", "%": "倍", "人": "社", "名": "社", "社": "カ国", "店舗": "社", "台": "千台",
    "件": "社", "倍": "％", "ポイント": "％", "カ国": "社", "拠点": "人", "本": "台",
}  # fmt: skip
_ITEMS = [
    "売上高",
    "売上収益",
    "営業収益",
    "営業利益",
    "経常利益",
    "当期純利益",
    "当期利益",
    "売上総利益",
    "セグメント利益",
    "総資産",
    "純資産",
    "負債",
    "研究開発費",
    "設備投資",
    "販売費及び一般管理費",
    "流動資産",
    "固定資産",
    "売上原価",
    "受注高",
    "広告宣伝費",
]
#: Names of one thing, so that one for the other is no corruption.
_ALIKE = (frozenset({"売上高", "売上収益", "営業収益"}), frozenset({"当期純利益", "当期利益"}))
_WAYS = {
    "増加": "減少", "増収": "減収", "増益": "減益", "上昇": "低下", "拡大": "縮小", "改善": "悪化", "増": "減",
    "減少": "増加", "減収": "増収", "減益": "増益", "低下": "上昇", "縮小": "拡大", "悪化": "改善", "減": "増",
}  # fmt: skip
_TURNS = [
    ("増加", "減少"), ("減少", "増加"), ("上昇", "下落"), ("拡大", "縮小"), ("向上", "低下"), ("低下", "向上"),
    ("増収", "減収"), ("増益", "減益"), ("改善", "悪化"), ("好調", "不調"), ("円安", "円高"), ("必要", "不要"),
    ("可能", "不可能"), ("しました。", "しませんでした。"), ("しております。", "しておりません。"),
    ("しています。", "していません。"), ("あります。", "ありません。"), ("できる", "できない"),
    ("なりました。", "なりませんでした。"), ("します。", "しません。"), ("である。", "ではない。"),
]  # fmt: skip
_PLACES = [
    "東京都",
    "大阪府",
    "北海道",
    "愛知県",
    "米国",
    "中国",
    "欧州",
    "アジア",
    "北米",
    "韓国",
    "インド",
    "ドイツ",
    "フランス",
    "タイ",
    "台湾",
]
_COMPANY = re.compile(r"株式会社[ァ-ヴーA-Za-z一-龥]{2,10}|[ァ-ヴー一-龥A-Za-z]{2,10}株式会社")
_NAME = re.compile(r"(?<=「)[ァ-ヴーA-Za-z一-龥]{3,14}(?=」)|[ァ-ヴー]{6,12}|[A-Z][A-Za-z]{3,}")
_INVENTED = {
    "company": ("株式会社アルファ技研", "東邦無線産業株式会社"),
    "name": ("フォルティス", "ゼノビア", "Lumetra", "カンタベリア"),
}


def _folded(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())


class _Text:
    """One filing's text as the changes need it."""

    def __init__(self, text: str, segments: Sequence[str]) -> None:
        self.packed = _folded(text)
        self.segments = segments
        self.rows = [line.split("\t") for line in text.split("\n") if "\t" in line]
        found = dict.fromkeys(s for line in text.split("\n") for s in _sentences(line))
        self.sentences = [s for s in found if 12 <= len(s) <= 260]

    def has(self, text: str) -> bool:
        return _folded(text) in self.packed


def _sentences(line: str) -> Iterator[str]:
    if "\t" not in line:
        yield from (part.strip() for part in re.findall(r"[^。]*。", line))


_Change = Callable[[str, _Text, random.Random], Iterator[str]]


def _put(text: str, match: re.Match[str], new: str) -> str:
    return text[: match.start()] + new + text[match.end() :]


def _pick(text: str, rng: random.Random) -> re.Match[str] | None:
    found = list(_NUMBER.finditer(text))
    return rng.choice(found) if found else None


def _digit(text: str, source: _Text, rng: random.Random) -> Iterator[str]:
    if match := _pick(text, rng):
        written = match.group()
        at = rng.choice([i for i, c in enumerate(written) if c.translate(_NARROW).isdigit()])
        old = int(written[at].translate(_NARROW))
        new = str(rng.choice([d for d in range(1, 10) if d != old]))
        changed = (
            written[:at]
            + (new if written[at].isascii() else new.translate(_WIDE))
            + written[at + 1 :]
        )
        if not source.has(changed):
            yield _put(text, match, changed)


def _times_ten(text: str, source: _Text, rng: random.Random) -> Iterator[str]:
    if match := _pick(text, rng):
        value = float(match["core"].translate(_NARROW).replace(",", ""))
        value = value * 10 if rng.random() < 0.5 else value / 10
        core = f"{value:,.0f}" if value == int(value) else f"{value:,.2f}".rstrip("0")
        changed = match.group().replace(match["core"], core)
        if not source.has(changed):
            yield _put(text, match, changed)


def _unit(text: str, source: _Text, rng: random.Random) -> Iterator[str]:
    if match := _pick(text, rng):
        changed = match.group()[: -len(match["unit"])] + _UNITS[match["unit"]]
        if not source.has(changed):
            yield _put(text, match, changed)


def _swap(text: str, source: _Text, rng: random.Random) -> Iterator[str]:
    del source
    found = list(_NUMBER.finditer(text))
    pairs = [
        (a, b)
        for i, a in enumerate(found)
        for b in found[i + 1 :]
        if a["unit"] == b["unit"] and _folded(a.group()) != _folded(b.group())
    ]
    if pairs:
        a, b = rng.choice(pairs)
        yield (
            text[: a.start()] + b.group() + text[a.end() : b.start()] + a.group() + text[b.end() :]
        )


def _sign(text: str, source: _Text, rng: random.Random) -> Iterator[str]:
    del source
    match = _pick(text, rng)
    if match is None:
        return
    way = re.compile("(?:の|と)?(" + "|".join(_WAYS) + ")").match(text, match.end())
    if way:
        yield text[: way.start(1)] + _WAYS[way[1]] + text[way.end(1) :]
    elif match.group()[0] in "△▲":
        yield _put(text, match, match.group()[1:])
    elif re.search("利益は?$", text[: match.start()]):
        yield _put(text, match, "△" + match.group())


def _period(text: str, source: _Text, rng: random.Random) -> Iterator[str]:
    found = [
        (a, b)
        for a, b in (
            ("当連結会計年度", "前連結会計年度"),
            ("前連結会計年度", "当連結会計年度"),
            ("当事業年度", "前事業年度"),
        )
        if a in text
    ]
    for match in re.finditer(
        r"(20[0-9]{2}|２０[０-９]{2})年(?:度|[0-9０-９]{1,2}月(?:期|[0-9０-９]{1,2}日)?)?", text
    ):
        year = int(match[1].translate(_NARROW)) + rng.choice([-1, 1])
        changed = match.group().replace(match[1], str(year))
        if not source.has(changed):
            found.append((match.group(), changed))
    if found:
        yield text.replace(*rng.choice(found), 1)


def _item(text: str, source: _Text, rng: random.Random) -> Iterator[str]:
    del source
    own = [item for item in _ITEMS if item in text]
    if own and _NUMBER.search(text):
        item = max(own, key=len)
        alike = next((group for group in _ALIKE if item in group), frozenset())
        others = [
            o
            for o in _ITEMS
            if o not in text and o not in item and item not in o and o not in alike
        ]
        yield text.replace(item, rng.choice(others), 1)


def _segment(text: str, source: _Text, rng: random.Random) -> Iterator[str]:
    own = [name for name in source.segments if name in text]
    others = [name for name in source.segments if name not in text]
    if own and others and _NUMBER.search(text):
        yield text.replace(rng.choice(own), rng.choice(others), 1)


def _segment_name(text: str, source: _Text, rng: random.Random) -> Iterator[str]:
    own = [name for name in source.segments if name in text and name.endswith("事業")]
    if own:
        name = rng.choice(own)
        stem = name[:-2]
        altered = [
            f"総合{name}",
            f"新{name}",
            f"{stem}関連事業",
            f"{stem[:-1]}系事業",
            f"{stem[1:]}事業",
        ]
        fresh = [a for a in altered if len(a) > 3 and not source.has(a)]
        if fresh:
            yield text.replace(name, rng.choice(fresh), 1)


def _name(text: str, source: _Text, rng: random.Random) -> Iterator[str]:
    del source
    found = [(p, tuple(o for o in _PLACES if o not in text)) for p in _PLACES if p in text]
    found += [(m.group(), _INVENTED["company"]) for m in _COMPANY.finditer(text)]
    found += [(m.group(), _INVENTED["name"]) for m in _NAME.finditer(text)]
    if found:
        old, others = rng.choice(found)
        yield text.replace(old, rng.choice(others), 1)


def _negation(text: str, source: _Text, rng: random.Random) -> Iterator[str]:
    del source
    found = [
        (old, new)
        for old, new in _TURNS
        if old in text and not _NUMBER.search(text[max(0, text.index(old) - 12) : text.index(old)])
    ]
    if found:
        yield text.replace(*rng.choice(found), 1)


def _scale_form(text: str, source: _Text, rng: random.Random) -> Iterator[str]:
    del source
    match = _pick(text, rng)
    if match is None or match["unit"] not in _YEN or "." in match["core"].translate(_NARROW):
        return
    value = int(match["core"].translate(_NARROW).replace(",", "")) * _YEN[match["unit"]]
    hundred_million, rest = divmod(value, 10**8)
    sign = match.group()[: match.group().index(match["core"])]
    if match["unit"] == "億円":
        yield _put(text, match, f"{sign}{value // 10**6:,}百万円")
    elif hundred_million:
        small = (f"{rest // 10**4:,}万" if rest >= 10**4 else "") + (
            f"{rest % 10**4}" if rest % 10**4 else ""
        )
        yield _put(text, match, f"{sign}{hundred_million:,}億{small}円")


def _rounding(text: str, source: _Text, rng: random.Random) -> Iterator[str]:
    del source
    match = _pick(text, rng)
    if match is None or match.group()[0] in "△▲":
        return
    core = float(match["core"].translate(_NARROW).replace(",", ""))
    if match["unit"] in {"百万円", "千円"} and core * _YEN[match["unit"]] >= 10**8:
        value = core * _YEN[match["unit"]] / 10**8
        yield _put(text, match, f"約{value:,.0f}億円" if value >= 10 else f"約{value:.1f}億円")
    elif match["unit"] in "％%" and "." in match["core"].translate(_NARROW) and core > 2:
        yield _put(text, match, f"約{core:.0f}％")


def _width(text: str, source: _Text, rng: random.Random) -> Iterator[str]:
    del source, rng
    changed = text.translate(_WIDE) if re.search("[0-9]", text) else text.translate(_NARROW)
    if changed != text:
        yield changed


def _alias(text: str, source: _Text, rng: random.Random) -> Iterator[str]:
    del source, rng
    for old, new in (("当社グループ", "同社グループ"), ("当社は", "同社は")):
        if old in text:
            yield text.replace(old, new)
            return


def _compress(text: str, source: _Text, rng: random.Random) -> Iterator[str]:
    del source
    clauses = text.rstrip("。").split("、")
    if len(clauses) > 3 and not re.search("[（(][^）)]*、", text):
        kept = clauses[1:] if rng.random() < 0.5 else [clauses[0], *clauses[2:]]
        yield "、".join(kept) + "。"


def _reorder(text: str, source: _Text, rng: random.Random) -> Iterator[str]:
    del source, rng
    clauses = text.rstrip("。").split("、")
    if len(clauses) > 2 and all(
        _NUMBER.search(c) and re.search("は|が|高|益", c) for c in clauses[:2]
    ):
        yield "、".join([clauses[1], clauses[0], *clauses[2:]]) + "。"


def _recomputed(source: _Text) -> Iterator[tuple[str, str]]:
    for row in source.rows:
        cells = [cell.translate(_NARROW).replace(",", "") for cell in row[1:3]]
        if row[0] not in _ITEMS or len(cells) < 2 or not all(c.isdigit() for c in cells):
            continue
        before, now = map(int, cells)
        if min(before, now) > 1000 and before != now:
            way = "増加" if now > before else "減少"
            yield "\t".join(row), f"{row[0]}は前期に比べ{abs(now - before):,}百万円{way}しました。"


_CHANGES: dict[str, _Change] = {
    "digit": _digit, "swap": _swap, "times_ten": _times_ten, "unit": _unit, "sign": _sign,
    "period": _period, "item": _item, "segment": _segment, "segment_name": _segment_name,
    "name": _name, "negation": _negation, "scale_form": _scale_form, "rounding": _rounding,
    "width": _width, "alias": _alias, "compress": _compress, "reorder": _reorder,
}  # fmt: skip


def generate(texts: Mapping[str, tuple[str, Sequence[str]]]) -> list[Case]:
    """Cases of every kind from each filing: name → (text, segment names)."""
    return [case for name in sorted(texts) for case in _of(name, _Text(*texts[name]))]


def _of(name: str, source: _Text) -> Iterator[Case]:
    rng = random.Random(name)
    shuffled = rng.sample(source.sentences, len(source.sentences))
    made: Counter[str] = Counter()

    def case(kind: str, original: str, summary: str) -> Iterator[Case]:
        most = PER_FILING if kind != "verbatim" else 50
        if made[kind] < most and not (kind in CONFLICTS and source.has(summary)):
            made[kind] += 1
            yield Case(f"{name}-{kind}-{made[kind]}", name, kind, original, summary)

    for text in shuffled:
        yield from case("verbatim", text, text)
        for kind, change in _CHANGES.items():
            for summary in change(text, source, rng):
                yield from case(kind, text, summary)
    for original, summary in _recomputed(source):
        yield from case("recomputed", original, summary)


def read_cases(file: Path) -> list[Case]:
    """Cases as another generator wrote them."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line]
    return [Case(r["id"], r["source"], r["kind"], r["original"], r["summary"]) for r in rows]
