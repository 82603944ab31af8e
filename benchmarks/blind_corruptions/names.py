"""False names: a segment's value put to another, a segment's name altered, other people and places."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.blind_corruptions.numbers import CALENDAR, Quantity, fold, hedged
from benchmarks.blind_corruptions.source import Draft, Sentence, Source, replaced, terms

_ITEM = (
    r"(?P<item>売上高|売上収益|営業収益|外部顧客への売上高|営業利益|コア営業利益|経常利益|セグメント利益|セグメント資産|"
    r"営業費用|研究開発費(?:の総額)?|連結販売台数|販売台数|売上)"
)
_TOLD = re.compile(rf"(?<![一-龥ァ-ヴー]){_ITEM}(?:は|が|につきましては)?、?")
_NAMED = re.compile(
    r"(?P<name>[一-龥ァ-ヴーA-Za-zＡ-Ｚａ-ｚ・＆&０-９0-9]{2,24}(?:事業|セグメント|サービス|部門))(?:セグメント)?(?:の|における)?(?:当連結会計年度の)?"
)
_GENERIC = re.compile(
    r"^(?:当|各|分析|調査|土地区画|整理|都市計画|建設|委託|補助|担当|管理|運営|共同|保有|同|本|新規|主要|既存|他の?|両|全|その他|中核|基幹|個別|公共|対象|関連|国際|自社|報告|主力|事業|注力|"
    r"非|複数|単一|報告|リスク|グループ|サービス|セグメント|市場|部門|法人|成長|重点|中央卸売|卸売|新)*(?:事業|セグメント|サービス|部門)$"
)
_HEADING_BAD = re.compile(
    r"[()（）Ⓡ®、。：:＝=？?]|について|状況|概要|方針|業績|分析|課題|取組|リスク|体制|注|第[0-9０-９]"
)


@dataclass(frozen=True)
class SegmentValue:
    """The value one sentence tells of one item of one segment or region."""

    sentence: Sentence
    name: str
    item: str
    value: Quantity
    under_heading: bool


def _segment_values(source: Source) -> Iterator[SegmentValue]:
    for sentence in source.sentences:
        folded = fold(sentence.text)
        for told in _TOLD.finditer(folded):
            value = next((q for q in sentence.figures if 0 <= q.start - told.end() <= 30), None)
            if (
                not value
                or value.digits < 2
                or value.unit in CALENDAR
                or hedged(sentence.text, value)
            ):
                continue
            if re.search("[。比前]|同期|差|増|減", folded[told.end() : value.start]):
                continue
            names = [m for m in _NAMED.finditer(folded) if 0 <= told.start() - m.end() <= 2]
            if names and not _GENERIC.match(names[-1]["name"]):
                yield SegmentValue(
                    sentence, names[-1]["name"], told["item"], value, under_heading=False
                )
            elif told.start() <= 12 and _section(sentence.heading):
                name = fold(sentence.heading)
                yield SegmentValue(sentence, name, told["item"], value, under_heading=True)


def _section(heading: str) -> bool:
    return (
        2 <= len(heading) <= 24 and not _HEADING_BAD.search(heading) and not _TOLD.search(heading)
    )


def segment(source: Source, rng: random.Random) -> Iterator[Draft]:
    """The value of one segment told of another: its number, or its name, exchanged."""
    values = list(_segment_values(source))
    for a in values:
        rivals = {
            b.value.text: b
            for b in values
            if b.name != a.name and b.item == a.item and b.under_heading == a.under_heading
            and b.value.unit == a.value.unit and b.value.value != a.value.value
            and b.value.text not in a.sentence.text and a.name not in b.name and b.name not in a.name
        }  # fmt: skip
        for b in rng.sample(
            sorted(rivals.values(), key=lambda v: v.value.start), min(6, len(rivals))
        ):
            yield from _exchanged(source, a, b, values, rng)


def _exchanged(
    source: Source, a: SegmentValue, b: SegmentValue, values: list[SegmentValue], rng: random.Random
) -> Iterator[Draft]:
    if any((v.name, v.item, v.value.value) == (a.name, a.item, b.value.value) for v in values):
        return
    text, q = a.sentence.text, a.value
    head = f"{a.name}：" if a.under_heading else ""
    by_name = rng.random() < 0.5
    if by_name and (a.under_heading or text.count(a.name) == 1):
        at = 0 if a.under_heading else text.find(a.name)
        if at < 0 or b.name in text:
            return
        original = head + text
        draft = replaced(
            source,
            "segment",
            original,
            (at, at + len(a.name)),
            b.name,
            why="another segment's name",
        )
    else:
        original = head + text
        span = (len(head) + q.start, len(head) + q.end)
        draft = replaced(
            source, "segment", original, span, b.value.text, why="another segment's value"
        )
    yield draft


def _names(source: Source) -> list[str]:
    found = Counter(m["name"] for m in _NAMED.finditer(source.text))
    return sorted(
        n
        for n, count in found.items()
        if not _GENERIC.match(fold(n)) and (count >= 2 or len(n) >= 6)
    )


_PARTS = re.compile(r"[一-龥々]+|[ァ-ヴー]+|[A-Za-zＡ-Ｚａ-ｚ0-9]+|[・＆&]")
_ADDED = ("国内", "海外", "総合", "次世代", "先端", "地域", "デジタル", "法人向け")
_OTHER = ("物流", "医療", "住宅", "通信", "化学", "教育", "エネルギー", "観光", "繊維", "農業")


def _altered(name: str, rng: random.Random) -> Iterator[tuple[str, str]]:
    tail = re.search(r"(?:事業|セグメント|サービス|部門)$", name)
    core = name[: tail.start()] if tail else name
    parts = _PARTS.findall(core)
    if "".join(parts) != core or not parts or not tail:
        return
    if len(parts) >= 2 and parts[1] not in "・＆&":
        yield "".join(parts[1:]) + tail[0], "a part of the name dropped"
    if len(parts) >= 3 and parts[-2] in "・＆&":
        yield "".join(parts[:-2]) + tail[0], "a part of the name dropped"
    added = rng.choice(_ADDED)
    if added not in name and not re.match("国内|海外|総合|地域", name):
        yield added + name, "a part added to the name"
    at = rng.randrange(len(parts))
    if parts[at] not in "・＆&":
        changed = [*parts[:at], rng.choice(_OTHER), *parts[at + 1 :]]
        yield "".join(changed) + tail[0], "a part of the name replaced"


def segment_name(source: Source, rng: random.Random) -> Iterator[Draft]:
    """A segment's or service's name altered so that the source has no such name."""
    names = _names(source)
    for sentence in source.sentences:
        for m in _NAMED.finditer(sentence.text):
            if m["name"] not in names:
                continue
            for new, why in _altered(m["name"], rng):
                if not _stands_alone(source, new, m["name"]):
                    yield replaced(
                        source, "segment_name", sentence.text, m.span("name"), new, why=why
                    )


def _stands_alone(source: Source, new: str, old: str) -> bool:
    """Whether the altered name is in the source other than as a part of the name it came from."""
    without = fold(source.text).replace(fold(old), "\n")
    if len(new) < 5 and new in old:
        return True
    tail = re.sub(r"(?:事業|セグメント|サービス|部門)$", "", new)
    return fold(new) in without or (new in old and len(tail) >= 2 and fold(tail) in without)


_SURNAMES = (
    "柏木",
    "稲垣",
    "若林",
    "榊原",
    "浅野",
    "堀内",
    "桑原",
    "滝沢",
    "野口",
    "三浦",
    "黒田",
    "岩崎",
)
_PERSON = re.compile(
    r"(?<![一-龥々])(?P<name>[一-龥々]{2,3})(?=副?委員長|委員(?![会長]|の皆|各位)|(?:前|元)?(?:知事|局長|部長|代表執行役|理事|社長|会長|総裁|氏))"
)
_ROLE = re.compile(
    r"^(?:当該|担当|都議|各|本|前|元|産業|都市|港湾|中央|財務|総務|取締|代表|[副常]|監査|社外|特別|.*[都道府県市区局部課役長員会務次理]$)"
)
_COMPANY = re.compile(
    r"(?:株式会社|㈱|\(株\)|（株）)(?P<a>[一-龥ァ-ヴーA-Za-zＡ-Ｚａ-ｚ・&＆]{2,20})|"
    r"(?<![一-龥ァ-ヴーA-Za-z])(?P<b>[一-龥ァ-ヴーA-Za-zＡ-Ｚａ-ｚ・&＆]{2,20})(?:株式会社|㈱|\(株\)|（株）)"
)
_QUOTED = re.compile(r"[「『“](?P<name>[ァ-ヴーA-Za-zＡ-Ｚ一-龥・ 　Ⓡ®0-9]{3,24})[」』”]")
_NOT_NAME = re.compile(r"^(?:連結)?(?:子会社|関係会社|親会社)(?:である|の)?")
_KANA = re.compile(r"[ァ-ヴーA-Za-z]{3}")
_GENERIC_QUOTE = re.compile(
    "以下|セグメント|キャッシュ|リスク|及び|事業$|分科会|ガイドライン|委員会|規程|方針"
)
_COMPANIES = (
    "青嶺精機",
    "みなと食品",
    "アオバ商事",
    "ヒカリ物産",
    "北斗電装",
    "サンライト興業",
    "トキワ化成",
)
_PLACES = (
    ("米国", "英国", "ドイツ", "フランス", "インド", "インドネシア", "タイ", "ベトナム", "韓国", "中国", "台湾", "ブラジル", "カナダ",
     "オーストラリア", "シンガポール", "メキシコ", "ロシア", "アルゼンチン", "イタリア", "スペイン", "アイルランド", "スコットランド"),
    ("北米", "欧州", "アジア", "中南米", "アフリカ", "中東", "オセアニア"),
    ("東京", "大阪", "京都", "北海道", "福岡", "愛知", "神奈川", "奈良", "滋賀", "静岡", "広島", "宮城", "埼玉", "千葉", "石川",
     "鹿児島", "熊本", "兵庫", "長野", "岩手", "福島"),
    ("豊洲", "築地", "晴海", "有明", "台場", "月島", "大井", "品川", "調布", "多摩", "江東", "中央区", "港区", "足立"),
)  # fmt: skip


def name(source: Source, rng: random.Random) -> Iterator[Draft]:
    """A person, company, place or product put as another one."""
    for sentence in source.sentences:
        text = sentence.text
        for m in _PERSON.finditer(text):
            if not _ROLE.match(m["name"]):
                yield from _other(
                    source, sentence, m.span("name"), _SURNAMES, "another person", rng=rng
                )
        for m in _COMPANY.finditer(text):
            group = "a" if m["a"] else "b"
            lead = _NOT_NAME.match(m[group])
            span = (m.start(group) + (lead.end() if lead else 0), m.end(group))
            if span[1] - span[0] >= 2 and not re.search(
                "[及並又等各社]|をはじめ", text[slice(*span)]
            ):
                yield from _other(source, sentence, span, _COMPANIES, "another company", rng=rng)
        for places in _PLACES:
            for m in re.finditer(
                rf"(?<![一-龥ァ-ヴー・])(?:{'|'.join(places)})(?![ァ-ヴーA-Za-z・語]|証券|都|国籍|会計|銀行|ガス|府|人|預託|大会)",
                text,
            ):
                yield from _other(source, sentence, m.span(), places, "another place", rng=rng)
        yield from _products(source, sentence, rng)


def _products(source: Source, sentence: Sentence, rng: random.Random) -> Iterator[Draft]:
    others = sorted({m["name"] for m in _QUOTED.finditer(source.text)})
    for m in _QUOTED.finditer(sentence.text):
        old = m["name"]
        if not _KANA.search(old) or _GENERIC_QUOTE.search(old):
            continue
        pool = tuple(
            n
            for n in others
            if _KANA.search(n) and not _GENERIC_QUOTE.search(n) and abs(len(n) - len(old)) <= 6
        )
        yield from _other(source, sentence, m.span("name"), pool, "another name in quotes", rng=rng)
        new = _one_kana(old, rng)
        if new not in source.text:
            yield replaced(
                source,
                "name",
                sentence.text,
                m.span("name"),
                new,
                why="two sounds of the name exchanged",
            )


def _one_kana(word: str, rng: random.Random) -> str:
    """The word with two neighbouring sounds exchanged, or itself where it has no such two."""
    small = "ァィゥェォッャュョーヮ"
    at = [
        i
        for i in range(1, len(word) - 2)
        if re.fullmatch("[ァ-ヴ]{3}", word[i : i + 3])
        and not {*word[i : i + 3]} & {*small}
        and word[i] != word[i + 1]
    ]
    if not at:
        return word
    i = rng.choice(at)
    return word[:i] + word[i + 1] + word[i] + word[i + 2 :]


def _other(
    source: Source,
    sentence: Sentence,
    span: tuple[int, int],
    pool: tuple[str, ...],
    why: str,
    *,
    rng: random.Random,
) -> Iterator[Draft]:
    """One draft with another name of the pool that the source does not tell of the same thing."""
    old = sentence.text[span[0] : span[1]]
    for new in rng.sample(pool, len(pool)):
        if new in old or old in new or new in sentence.text:
            continue
        if any(
            sentence.terms & terms(line) - terms(new) - terms(old)
            for line in source.lines_with(new)
        ):
            continue
        yield replaced(source, "name", sentence.text, span, new, why=why)
        return
