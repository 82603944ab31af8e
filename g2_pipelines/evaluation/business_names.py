"""Names of businesses, services and departments as whole compounds, and those of the sources.

Here: ``compounds``, ``Businesses`` and ``replaced``. What a claim says stands in
``segment_claims``. Only modules of this package import it.

医薬物流事業 is told of no source that has 物流事業 or 医薬品物流事業 only: a name counts from its first
to its last character. Folded text throughout.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

_LETTER = r"a-z0-9&\u30a1-\u30fa\u30fc\u3005\u4e00-\u9fff"
_RUN = re.compile(rf"(?:[{_LETTER}・/\-]|(?<=向)け)+")
_TAIL = re.compile(
    r"(?P<tail>事業部門|事業部(?!門)|事業会社|事業|セグメント|部門|サービス)"
    r"(?!事業|部門|セグメント|サービス|[a-z0-9\u30a1-\u30fa\u30fc]|年度|者|所|主(?!力)|体|用|費|環境|内容|会社"
    r"|報告|計画|戦略|活動|部|を?横断)"
)
#: 及び begins with a kanji, and is no part of a name.
_AND = re.compile(r"及び|並びに|並び|又は|若しくは|或いは")
#: What says nothing of which business is meant.
_PLAIN_WORDS = (
    "当社グループ 当社 同社 自社 弊社 他社 各社 グループ 主力 中核 基幹 主要 報告 各種 各 同 両 全 当該 上記 下記 既存 新規 新 本 諸"
    " うち 以下 成長 注力 重点 戦略 周辺 関連 国内外 国内 海外 複数 従来 個別 共同 単一 その他 他 付随 付帯 多様 多彩 継続 非継続"
    " 不採算 多角化 全社 本業 異 一 二 三 四 五 六 全事業 最適 優良 一方 特 また 次期 当期"
)
_PLAIN = _PLAIN_WORDS.split()
#: The same words where they only point at what is meant.
_POINTING_WORDS = (
    "当社グループ 同社グループ 弊社グループ 当社 同社 自社 弊社 各種 各 同 当該 本 上記"
)
_POINTING = frozenset(_POINTING_WORDS.split())
_SERVED_WORDS = (
    "提供 対象 取扱 商品 製品 顧客 顧客向け お客様 付加価値 高付加価値 高品質 公共 行政 専門 事業"
)
_SERVED = frozenset(_SERVED_WORDS.split())
#: What a company's parts do: 製造部門 is no name, 物流事業 is one.
_FUNCTION_WORDS = (
    "営業 管理 製造 販売 間接 開発 研究 研究開発 生産 企画 調達 購買 物流 人事 経理 財務 監査 法務 内部監査 技術 事務 本社 品質保証 品質管理"
    " 総務 広報 設計 施工 主管 担当 所管 関係 関連 社内 事業 業務 現業 現場 経営 経営企画 情報システム"
)
_FUNCTIONS = frozenset(_FUNCTION_WORDS.split())
_PLAIN_PREFIX = re.compile(
    rf"(?:{'|'.join(sorted(_PLAIN, key=lambda w: (-len(w), w)))}|\d+)+(?:の)?"
)
_LIST = re.compile(r"[・/]")
#: Share and weight in common of a sentence that is the source's but for a name.
NEARLY = (0.75, 12)


class Compound(NamedTuple):
    """[start, end) of a folded text; ``tail`` is what kind of thing it names."""

    start: int
    end: int
    name: str
    tail: str

    @property
    def stem(self) -> str:
        """The name without its tail."""
        return self.name.removesuffix(self.tail).rstrip("・/-")


def compounds(folded: str) -> Iterator[Compound]:
    """The whole names that end in 事業, セグメント, 部門 or サービス; a bare tail is none."""
    text = _AND.sub(lambda match: "\0" * len(match.group()), folded)
    for run in _RUN.finditer(text):
        begin = run.start()
        for tail in _TAIL.finditer(text, run.start(), run.end()):
            while begin < tail.start() and text[begin] in "・/-":
                begin += 1
            if begin < tail.start():
                name = text[begin : tail.end()]
                yield Compound(begin, tail.end(), name, tail["tail"])
            if text[tail.end() : tail.end() + 1] in {"・", "/", "-"}:
                begin = tail.end() + 1


class Businesses:
    """The compounds of the sources; ``given`` are folded names that are known besides."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.whole: set[str] = set()
        self.bridged: set[str] = set()  # said with の between: ゲームの事業
        for text in texts:
            for compound in compounds(text):
                self.whole |= {compound.name, _bare(compound.name)}
            for name in _bridged(text):
                self.bridged |= {name, _bare(name)}
        self.stems = {_stem(name) for name in self.whole | self.bridged} - {""}
        self._squeezed = {_squeezed(name) for name in self.whole | self.bridged}

    def has(self, compound: Compound, given: frozenset[str]) -> bool:
        """Whether the sources have the name, whole, or it says nothing of its own."""
        name, bare = compound.name, _bare(compound.name)
        if is_plain(compound) or any(
            form in self.whole or form in self.bridged or form in given for form in (name, bare)
        ):
            return True
        if compound.tail == "サービス":  # 介護サービス of 介護サービス事業
            if name in self.stems or bare in self.stems:
                return True
        elif {_stem(name), _stem(bare)} & (self.stems | {_stem(item) for item in given}):
            return True
        if _squeezed(name) in self._squeezed | {_squeezed(item) for item in given}:
            return True
        return self._listed(compound, given)

    def _listed(self, compound: Compound, given: frozenset[str]) -> bool:
        """EC・通信販売事業 for EC事業 and 通信販売事業."""
        parts = [part for part in _LIST.split(compound.stem) if part]
        known = self.stems | {_stem(item) for item in given}
        return len(parts) > 1 and all(
            part in known or part + compound.tail in self.whole for part in parts
        )

    def spread(self, compound: Compound) -> bool:
        """Whether the sources have the name with の between, or by its parts, but not as it is."""
        return compound.name not in self.whole and self.has(compound, frozenset())

    def nearest(self, compound: Compound) -> str:
        """The sources' name that holds this one or is held by it, "" where there is none."""
        stem = compound.stem
        near = [
            name
            for name in self.whole
            if len(_stem(name)) > 1 and len(stem) > 1 and (stem in name or _stem(name) in stem)
        ]
        return max(near, key=lambda name: (len(name), name), default="")


def replaced(own: Sequence[Compound], folded: str, text: str) -> dict[Compound, str]:
    """Names of a sentence ``folded`` in whose place ``text``, which it is nearly, has others.

    A word added counts (海外アフターサービス for アフターサービス) where the place has not that word.
    """
    there = {c.name for c in compounds(text)} | set(_bridged(text))
    mine = {c.name for c in own} | set(_bridged(folded))
    out: dict[Compound, str] = {}
    for compound in own:
        parts = [part for part in _LIST.split(compound.stem) if part]
        if compound.name in there or compound.name in text:
            continue
        if all(part + compound.tail in there for part in parts):
            continue
        kind = compound.tail == "サービス"
        others = sorted(
            name
            for name in there - mine
            if name.endswith("サービス") == kind and _unpointed(name) != _unpointed(compound.name)
        )
        others = [name for name in others if _stem(name) != compound.stem]
        if others and _unpointed(compound.name) not in there | {compound.tail}:
            out[compound] = max(others, key=lambda n: (compound.name.endswith(n), len(n), n))
    return out


def is_plain(compound: Compound) -> bool:
    """Whether a name says nothing of which business is meant: 新規事業, 製造部門, 製品・サービス."""
    stem = _bare(compound.name).removesuffix(compound.tail).strip("・/-")
    if compound.tail == "サービス" and compound.name[: -len("サービス")].endswith(("・", "/")):
        return True
    if len(stem) < 2 or stem in _PLAIN or stem.isdigit():
        return True
    if compound.tail in {"部門", "事業部門", "事業部"} and stem in _FUNCTIONS:
        return True
    return compound.tail == "サービス" and stem in _SERVED


def _bridged(text: str) -> Iterator[str]:
    """Names with の between their parts, without it."""
    folded = _AND.sub(lambda match: "\0" * len(match.group()), text)
    for run in _RUN.finditer(folded):
        tail = _TAIL.search(folded, run.start(), run.end())
        if tail is None or folded[run.start() - 1 : run.start()] != "の":
            continue
        before = _last_run(folded, run.start() - 1)
        if before:
            yield before + folded[run.start() : tail.end()]


def _last_run(text: str, end: int) -> str:
    """The run of letters that ends at ``end``."""
    start = end
    while start > max(0, end - 30) and (
        re.match(rf"[{_LETTER}・]", text[start - 1]) or text[start - 2 : start] == "向け"
    ):
        start -= 1
    return text[start:end]


def _bare(name: str) -> str:
    """A name without the words before it that say nothing of it."""
    match = _PLAIN_PREFIX.match(name)
    if match is None or match.end() >= len(name):
        return name
    return name[match.end() :].lstrip("・")


def _squeezed(name: str) -> str:
    """A name without ・ and the like: 船舶港湾機器事業 is 船舶・港湾機器事業."""
    return re.sub(r"[・/\-]", "", name)


def _unpointed(name: str) -> str:
    for word in sorted(_POINTING, key=lambda w: (-len(w), w)):
        name = name.removeprefix(word)
    return name


def _stem(name: str) -> str:
    tail = re.search(r"(?:事業部門|事業部|事業会社|事業|セグメント|部門)$", name)
    return name[: tail.start()].rstrip("・/-") if tail else ""
