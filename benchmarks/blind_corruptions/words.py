"""False words: the direction, the period, the item, and the negation of a sentence."""

import random
import re
from collections.abc import Iterator

from benchmarks.blind_corruptions.numbers import DIGITS, Quantity, fold, kanji_value, to_kanji
from benchmarks.blind_corruptions.source import Draft, Sentence, Source, replaced, terms

_PAIRS = (
    ("増加", "減少"), ("増収", "減収"), ("増益", "減益"), ("上昇", "低下"), ("上昇", "下落"),
    ("黒字", "赤字"), ("上回", "下回"), ("拡大", "縮小"), ("改善", "悪化"), ("円安", "円高"),
    ("流入", "流出"), ("プラス", "マイナス"), ("収入", "支出"), ("評価益", "評価損"),
)  # fmt: skip
_TURNS: dict[str, list[str]] = {}
for _a, _b in _PAIRS:
    _TURNS.setdefault(_a, []).append(_b)
    _TURNS.setdefault(_b, []).append(_a)
_DIRECTION = re.compile(
    "|".join(_TURNS)
    + r"|(?<=[円%台人社件名店株本トル])[増減](?=[)、。となでの])|(?<=[営経])業?常?利益(?!率)"
)
_RESULT = re.compile(r"(?:営業|経常|当期純|純|税引前)(利益|損失)(?![率を]|.{0,3}(?:及|お))")
_KEEP = re.compile(
    r"(?:増加|減少|上昇|下落|低下|拡大|縮小|改善|悪化|収入|支出)(?:傾向|要因|額|率|リスク|策|計画|印紙)"
)
_NEAR = 14


def _solid(sentence: Sentence) -> list[Quantity]:
    return [q for q in sentence.figures if q.digits >= 2]


def _clash(source: Source, quantities: list[Quantity], word: str) -> bool:
    """Whether one of the numbers stands near the false word anywhere in the source."""
    return any(source.holds(q, word, 50) for q in quantities)


def sign(source: Source, rng: random.Random) -> Iterator[Draft]:
    """The direction told of a number turned: more for less, profit for loss, a △ dropped."""
    for sentence in source.sentences:
        folded = fold(sentence.text)
        solid = _solid(sentence)
        for m in [*_DIRECTION.finditer(folded), *_RESULT.finditer(folded)]:
            old, (start, end) = m[m.lastindex or 0], m.span(m.lastindex or 0)
            if old in {"業利益", "常利益", "利益"} and not m.lastindex:
                continue
            if _KEEP.match(folded, start):
                continue
            after = m.re is _RESULT
            near = [q for q in solid if _tied(folded, q, start, end, after=after)]
            news = {"増": ["減"], "減": ["増"], "利益": ["損失"], "損失": ["利益"]}.get(
                old
            ) or _TURNS.get(old, [])
            for new in rng.sample(news, min(1, len(news))):
                prefix = folded[max(0, start - 2) : start] if after else ""
                if near and not _told_otherwise(source, near, prefix + new):
                    yield replaced(
                        source, "sign", sentence.text, (start, end), new, why="the direction turned"
                    )
        yield from _minus(source, sentence)


def _told_otherwise(source: Source, near: list[Quantity], word: str) -> bool:
    """Whether every number tied to the direction stands with the turned direction as well."""
    return any(
        re.search(
            re.escape(fold(q.text)) + r"(?:\([^)]*\)|の|と|を|は|だけ|\s){0,2}" + re.escape(word),
            source.folded,
        )
        or (len(word) > 2 and _clash(source, [q], word))
        for q in near
    )


def _tied(text: str, q: Quantity, start: int, end: int, *, after: bool) -> bool:
    """Whether the number belongs to the direction word: just before it, or just after a result."""
    between = text[end : q.start] if after else text[q.end : start]
    place = end <= q.start if after else q.end <= start
    return place and len(between) <= _NEAR and not re.search("[、。]", between)


def _minus(source: Source, sentence: Sentence) -> Iterator[Draft]:
    for q in _solid(sentence):
        start = q.start - 1
        if start >= 0 and fold(sentence.text[start]) == "△":
            yield replaced(
                source, "sign", sentence.text, (start, q.end), q.text, why="the minus dropped"
            )


_PERIODS = (
    (re.compile(r"当(連結会計年度|事業年度|四半期)(末?)"), "前"),
    (re.compile(r"前(連結会計年度|事業年度|四半期)(末?)"), "当"),
    (re.compile(r"当期(?=[のはにに末])(?!純|首)"), "前期"),
    (re.compile(r"前期(?=[のはに末])(?!首)"), "当期"),
    (re.compile(r"(?<!前)前年同?期?比"), "前四半期比"),
    (re.compile(r"(?<!前)前期比"), "前四半期比"),
    (re.compile(r"昨年"), "一昨年"),
)
_YEAR = re.compile(r"((?:19|20)\d\d)(年)")
_ERA = re.compile(r"(平成)([一二三四五六七八九十]{1,3}|\d{1,2})(年)")
_QUARTER = re.compile(r"第([1-4一二三四])(四半期)")


def _period_news(
    folded: str, rng: random.Random
) -> Iterator[tuple[tuple[int, int], str, list[str]]]:
    """Every period of a sentence: span, false text, and what else names the false period."""
    for pattern, new in _PERIODS:
        for m in pattern.finditer(folded):
            text = new + "".join(m.groups()) if m.groups() else new
            yield m.span(), text, [text]
    for m in _YEAR.finditer(folded):
        year = int(m[1]) + rng.choice((-1, 1, -2, 2))
        yield (
            m.span(1),
            str(year),
            [f"{year}年", f"平成{year - 1988}年", f"平成{to_kanji(max(1, year - 1988))}年"],
        )
    for m in _ERA.finditer(folded):
        old = int(m[2]) if m[2].isdigit() else int(kanji_value(m[2]))
        year = max(1, old + rng.choice((-1, 1, -2, 2)))
        if year != old:
            text = str(year) if m[2].isdigit() else to_kanji(year)
            yield m.span(2), text, [f"平成{year}年", f"平成{to_kanji(year)}年", f"{1988 + year}年"]
    for m in _QUARTER.finditer(folded):
        pool = [c for c in ("1234" if m[1].isdigit() else DIGITS[1:5]) if c != m[1]]
        new = rng.choice(pool)
        yield m.span(1), new, [f"第{new}四半期"]


def period(source: Source, rng: random.Random) -> Iterator[Draft]:
    """The period of a claim put as another."""
    for sentence in source.sentences:
        folded = fold(sentence.text)
        for span, new, names in _period_news(folded, rng):
            relative = (
                not sentence.text[span[0]].isdigit() and sentence.text[span[0]] not in DIGITS + "十"
            )
            numbers = _solid(sentence)
            if relative and (not numbers or not _bound(folded, span, numbers)):
                continue
            if any(n in folded for n in names) and not relative:
                continue
            if _period_told(source, sentence, names, numbers, relative=relative):
                continue
            wide = sentence.text[span[0]] != folded[span[0]]
            text = new.translate({48 + i: 0xFF10 + i for i in range(10)}) if wide else new
            yield replaced(source, "period", sentence.text, span, text, why="another period")


def _bound(text: str, span: tuple[int, int], numbers: list[Quantity]) -> bool:
    """Whether a number follows the period within its clause, so that the period dates it."""
    return any(
        0 <= q.start - span[1] <= 45 and "。" not in text[span[1] : q.start] for q in numbers
    )


def _period_told(
    source: Source, sentence: Sentence, names: list[str], numbers: list[Quantity], *, relative: bool
) -> bool:
    if relative:
        # The numbers of the sentence itself stand near both periods: look beyond it.
        rest = Source(source.name, source.text.replace(sentence.text, ""))
        return (
            any(_clash(rest, numbers, n) for n in names)
            if names[0][0] != "前" or "比" in names[0]
            else any(_clash(rest, [q], names[0]) for q in numbers if q.digits >= 3)
        )
    return any(
        len(sentence.terms & terms(line)) >= min(3, max(1, len(sentence.terms) // 3))
        for n in names
        for line in source.lines_with(n)
    )


_FAMILIES: tuple[tuple[tuple[str, ...], ...], ...] = (
    (
        ("売上高", "売上収益", "営業収益"), ("売上原価",), ("売上総利益",), ("販売費及び一般管理費",),
        ("コア営業利益",), ("営業利益", "セグメント利益"), ("経常利益",), ("税引前利益", "税金等調整前当期純利益"),
        ("親会社株主に帰属する当期純利益", "親会社の所有者に帰属する当期利益", "当期純利益", "当期利益"),
        ("研究開発費",), ("営業費用",), ("営業外収益",), ("営業外費用",),
    ),
    (("営業損失",), ("経常損失",), ("当期純損失",)),
    (
        ("総資産", "資産合計", "資産"), ("純資産合計", "純資産", "資本合計", "資本"), ("負債合計", "負債"), ("流動資産",),
        ("固定資産", "非流動資産"), ("流動負債",), ("固定負債", "非流動負債"), ("利益剰余金",), ("有利子負債",), ("セグメント資産",),
    ),
    (("営業活動",), ("投資活動",), ("財務活動",)),
    (("自己資本比率",), ("流動比率",), ("固定比率",), ("売上原価率",), ("営業利益率",), ("自己資本当期純利益率",)),
    (("預金", "預金残高"), ("貸出金", "融資"), ("有価証券", "国債"), ("純資産",), ("総資産",), ("引当金",), ("経常利益",), ("営業経費",)),
    (("土壌汚染対策費", "土壌汚染対策経費"), ("建設費", "建設経費"), ("用地取得費", "用地費"), ("事業費", "総事業費")),
    (("買掛金",), ("売掛金",), ("棚卸資産", "商品"), ("長期借入金",), ("短期借入金",), ("未払金",), ("現金及び預金",)),
)  # fmt: skip


def item(source: Source, rng: random.Random) -> Iterator[Draft]:
    """The item of a number put as another item of the same statement that the source also tells."""
    present = {n for g in _FAMILIES for f in g for n in f if _named(n).search(source.text)}
    for group in _FAMILIES:
        for family in group:
            others = [n for f in group if f is not family for n in f if n in present]
            if not others or not present & {*family}:
                continue
            for sentence in source.sentences:
                if any(n in sentence.text for n in family):
                    yield from _items(source, sentence, family, others, rng)


def _named(name: str) -> re.Pattern[str]:
    """The item where it stands as a word of its own."""
    return re.compile(rf"(?<![一-龥ァ-ヴーる]){name}(?![一-龥ァ-ヴー])")


def _items(
    source: Source,
    sentence: Sentence,
    family: tuple[str, ...],
    others: list[str],
    rng: random.Random,
) -> Iterator[Draft]:
    for old in family:
        for m in _named(old).finditer(sentence.text):
            numbers = [q for q in _solid(sentence) if 0 <= q.start - m.end() <= 45]
            news = [n for n in rng.sample(others, len(others)) if n not in sentence.text]
            for new in news[:3] if numbers else []:
                if not _clash(source, numbers, new):
                    yield replaced(source, "item", sentence.text, m.span(), new, why="another item")
                    break


_ENDINGS = (
    ("ではありませんでした。", "でした。"), ("ませんでした。", "ました。"), ("ではありません。", "であります。"),
    ("はありません。", "があります。"), ("ません。", "ます。"), ("であります。", "ではありません。"),
    ("でございます。", "ではございません。"), ("があります。", "はありません。"), ("ました。", "ませんでした。"),
    ("ます。", "ません。"), ("である。", "ではない。"), ("でした。", "ではありませんでした。"), ("です。", "ではありません。"),
    ("ていない。", "ている。"), ("ている。", "ていない。"), ("した。", "しなかった。"), ("となった。", "とならなかった。"),
)  # fmt: skip
_NO_CLAIM = re.compile(
    r"お願い|思い|考え|伺い|でしょう|ください|[かね]。|以下のとおり|次のとおり|可能性|おそれ|かもしれ|べき|たいと|とおりです|"
    r"可決|努め|目指|ところです|[いなた]です|わけ|もの(?:です|であります|でございます)|ん(?:です|であります|でございます)|ところで"
)
_NOUN_END = re.compile(r"(?:です|であります|でございます|である)。$")


def negation(source: Source, _rng: random.Random) -> Iterator[Draft]:
    """What a sentence says was done put as not done, and the other way round."""
    for sentence in source.sentences:
        text = sentence.text
        if _NO_CLAIM.search(text) or len(sentence.terms) < 4:
            continue
        for old, new in _ENDINGS:
            if not text.endswith(old):
                continue
            if _NOUN_END.search(old) and not re.search(
                r"[一-龥ァ-ヴー円%％）)]$", text[: -len(old)]
            ):
                break
            stem = text[max(0, len(text) - len(old) - 8) : len(text) - len(old)]
            if stem + new not in source.text:
                yield replaced(
                    source, "negation", text, (len(text) - len(old), len(text)), new, why="negated"
                )
            break
