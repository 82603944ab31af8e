"""Segment names of a summary, judged by the known names.

Here: ``segment_claims``. The paper's readers found 6 of 120 summaries with altered segment
names or added epithets; this is the check for them. Only modules of this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rapidfuzz import fuzz
from rapidfuzz.distance import Prefix

from g2_pipelines.evaluation.business_names import NEARLY, Compound, compounds, replaced
from g2_pipelines.evaluation.corpus import Corpus
from g2_pipelines.evaluation.labels import SUFFIX, stem_of
from g2_pipelines.evaluation.near_copy import NOTHING_NEAR, NearCopy
from g2_pipelines.tables.line1 import Claim, ClaimStatus
from g2_pipelines.tables.rows import Span
from g2_pipelines.text.fold import Folded, fold, fold_text

_RUN = r"[a-z0-9&\u30a1-\u30fa\u30fc\u3005\u4e00-\u9fff・/\-]"
_CANDIDATE = re.compile(
    rf"{_RUN}{{1,40}}?(?:事業部門|事業部(?!門)|事業|セグメント|部門)"
    r"(?![a-z0-9\u30a1-\u30fa\u30fc]|年度|者|所|主(?!力)|体|用|費|等|環境|内容|会社|報告|計画|戦略|活動|部)"
)
_PREFIX = re.compile(
    r"^(?:当社グループ|当社|同社|弊社|一方|特|主力|中核|基幹|報告|各|同|両|全|当該|上記|既存|うち|及び|並び|また"
    r"|当連結会計年度|国内外)+"
)
#: Words that make 新規事業 or 各事業 no name.
_GENERIC_WORDS = (
    "新規 既存 主力 主要 中核 基幹 成長 注力 周辺 関連 各 全 同 当 本 両 他 諸 国内 海外 国内外 複数 従来 "
    "不採算 共同 新 個別 当該 その他 報告 全社 重点 戦略 継続 非継続 多角化 単一 営業 管理 製造 販売 間接 開発 "
    "研究 研究開発 生産 企画 調達 物流 人事 経理 財務 監査 法務 内部監査 技術 事務 本社 本業 異 一 二 三 四 五 2 3 4 5"
)
_GENERIC = frozenset(_GENERIC_WORDS.split())
#: The first half of 船舶及び港湾機器事業, right before the second.
_JOINED = re.compile(rf"{_RUN}{{1,20}}(?:及び|および|と|、)$")
_WORDS = re.compile(rf"{_RUN}{{4,24}}")
_LETTER = r"[a-z0-9&\u30a1-\u30fa\u30fc\u3005\u4e00-\u9fff]"
_CLOSE = 75.0  # the same for names that nothing marks as one
_LENGTH = 4  # characters of a name that the sources alone give, to be compared with others
_LABEL = re.compile(
    r"[\s・]*(?:[(（]?(?:\d{1,2}|[一二三四五六七八九十]|[a-zA-Z])[)）.、]\s*)?(?P<label>[^。、:：\s「」]{1,30})\s*[:：](?!\d)"
)
_MARK = re.compile(
    r"^(?:[(\[<]?(?:\d{1,2}|[一二三四五六七八九十]|[a-z]|[ivx]{1,4})[)\]>.、 ]|[■◆○●・①-⑳])\s*"
)
_ABOVE, _HEAD = 16, 40  # lines above a sentence that may head it, and characters of such a line
_BAD = frozenset({"altered", "missing"})
_ALTERED = 60.0  # rapidfuzz ratio from which an unknown name counts as a known one altered


class _Known(NamedTuple):
    name: str  # folded
    stem: str  # without suffix and separators


def segment_claims(
    text: str,
    start: int,
    corpus: Corpus,
    segments: Sequence[str],
    *,
    near: NearCopy = NOTHING_NEAR,
) -> list[Claim]:
    """A claim per name of a segment or business in the sentence ``text`` at ``start``.

    ``segments`` are the known names as written. Exact and merely respelt names are
    supported; a name close to a known one but nowhere in the sources is altered; any other
    unknown one is missing. Without known names only the sources are asked. ``near`` is how the
    sentence differs from the place it is nearly a copy of: a segment in another's place is
    altered.
    """
    folded = fold(text)
    given = {fold_text(name).strip() for name in segments} - {""}
    known = [
        _Known(name, stem_of(name))
        for name in sorted({*given, *(name for name in corpus.breakdowns if len(name) >= _LENGTH)})
    ]
    out: list[Claim] = []
    for match in _CANDIDATE.finditer(folded.text):
        cut = _PREFIX.match(match.group())
        begin = match.start() + (cut.end() if cut and cut.end() < len(match.group()) - 1 else 0)
        name = folded.text[begin : match.end()]
        # 物流事業 says nothing by itself, but is 低温物流事業 cut short where there is such a one.
        if _is_generic(name) and not (
            len(stem_of(name)) > 1 and any(item.name.endswith(name) for item in known)
        ):
            continue
        joined = _JOINED.search(folded.text, max(0, begin - 24), begin)
        if joined and any(stem_of(joined.group() + name) == item.stem for item in known):
            begin = joined.start()
            name = folded.text[begin : match.end()]
        a, b = folded.original(begin, match.end())
        whole = _within(folded.text, begin, match.end(), known)
        status, note, evidence = _judge(whole or name, text[a:b], corpus, known)
        for other in near.differences:
            if other.kind == "segment" and other.start < b and a < other.end:
                status, note = "altered", f"segment: the source has {other.other}"
                evidence = corpus.span(other.place)
        out.append(
            Claim(
                kind="segment",
                text=text[a:b],
                start=start + a,
                end=start + b,
                status=status,
                evidence=[evidence] if evidence else [],
                note=note,
            )
        )
    for a, b, item in _unsuffixed(text, folded, corpus, known, out):
        place = corpus.find(item.name)
        out.append(
            Claim(
                kind="segment",
                text=text[a:b],
                start=start + a,
                end=start + b,
                status="altered",
                evidence=[place] if place else [],
                note=f"the source has {item.name}",
            )
        )
    return _whole_names((text, start, folded), corpus, frozenset(k.name for k in known), near, out)


def _whole_names(
    written: tuple[str, int, Folded],
    corpus: Corpus,
    given: frozenset[str],
    near: NearCopy,
    claims: list[Claim],
) -> list[Claim]:
    """``claims``, and those of names that the sources have not from end to end."""
    text, start, folded = written
    claims = [*claims, *_head((text, start), corpus, near, given, claims)]
    found = list(compounds(folded.text))
    if not found:
        return claims
    share, weight = NEARLY
    instead: dict[Compound, str] = {}
    if near.place >= 0 and near.share >= share and near.weight >= weight:
        instead = replaced(found, folded.text, fold_text(corpus.text(near.place)))
    names = corpus.businesses
    out = list(claims)
    for compound in found:
        a, b = folded.original(compound.start, compound.end)
        over = [c for c in out if c.start < start + b and start + a < c.end]
        other = instead.get(compound)
        if other is None and names.has(compound, given):
            if names.spread(compound):
                note = "in the sources in other words"
                fine = {"status": "supported_elsewhere", "note": note}
                strange = [claim for claim in over if claim.status == "missing"]
                out = [c.model_copy(update=fine) if c in strange else c for c in out]
            continue
        if any(c.status in _BAD or c.end - c.start > b - a for c in over):
            continue
        out = [claim for claim in out if claim not in over]
        other = other or names.nearest(compound)
        place = corpus.find(other) if other else None
        out.append(
            Claim(
                kind="segment",
                text=text[a:b],
                start=start + a,
                end=start + b,
                status="altered" if other else "missing",
                evidence=[place] if place else [],
                note=f"the source has {other}" if other else "no such name in the sources",
            )
        )
    return out


def _head(
    written: tuple[str, int],
    corpus: Corpus,
    near: NearCopy,
    given: frozenset[str],
    claims: Sequence[Claim],
) -> Iterator[Claim]:
    """アジア：… for 北米：…: the name before the colon, or the heading above in the source."""
    text, start = written
    own = _LABEL.match(text)
    if own is None or near.place < 0:
        return
    given |= frozenset(corpus.breakdowns)  # short ones too: 北米
    there = _heading_of(corpus, near.place, given)
    mine = stem_of(fold_text(own["label"]).strip())
    known = {stem_of(name) for name in given}
    if not there or mine in there or there in mine or mine not in known | {"その他", "その他の"}:
        return
    a, b = start + own.start("label"), start + own.end("label")
    if any(claim.status in _BAD and claim.start < b and a < claim.end for claim in claims):
        return
    yield Claim(
        kind="segment",
        text=own["label"],
        start=a,
        end=b,
        status="altered",
        evidence=[corpus.span(near.place)],
        note=f"segment: the source has {there}",
    )


def _heading_of(corpus: Corpus, place: int, given: frozenset[str]) -> str:
    """The stem of the segment that heads a place, in its line or in one of its own above; else ""."""
    known = {stem_of(name) for name in given} | {"その他", "その他の"}
    label = _LABEL.match(corpus.text(place))
    if label is not None:
        return stem_of(fold_text(label["label"]).strip())
    source = corpus.places[place].source
    for above in range(place - 1, max(-1, place - _ABOVE), -1):
        if corpus.places[above].source != source:
            break
        line = fold_text(corpus.text(above)).strip()
        if "。" in line or "\t" in line or len(line) > _HEAD:
            continue
        stem = stem_of(_MARK.sub("", line).strip(" 「」[]()【】<>:"))
        if stem in known:
            return stem
    return ""


def _unsuffixed(
    text: str, folded: Folded, corpus: Corpus, known: Sequence[_Known], taken: Sequence[Claim]
) -> Iterator[tuple[int, int, _Known]]:
    """Words close to a known name that has no 事業 at its end, and nowhere in the sources."""
    names = [item for item in known if SUFFIX.search(item.name) is None and len(item.name) > 3]
    if not names:
        return
    for match in _WORDS.finditer(folded.text):
        a, b = folded.original(*match.span())
        word = match.group()
        if any(item.name in word for item in known) or any(
            claim.text in text[a:b] for claim in taken
        ):
            continue
        best = max(names, key=lambda item: (fuzz.ratio(word, item.name), item.name))
        prefix = Prefix.similarity(word, best.name)
        near = fuzz.ratio(word, best.name) >= _CLOSE or prefix * 2 >= max(
            6, min(len(best.name), 10)
        )
        if near and corpus.find(text[a:b]) is None:
            yield a, b, best


def _within(text: str, begin: int, end: int, known: Sequence[_Known]) -> str:
    """The known name that the text says in full around [begin, end), "" where there is none.

    中国事業 in 中国事業の収益性の改善 is not cut short where the rest is there.
    """
    around = [
        item.name
        for item in known
        if len(item.name) > end - begin
        and any(
            text.startswith(item.name, at) for at in range(max(0, end - len(item.name)), begin + 1)
        )
    ]
    return max(around, key=lambda name: (len(name), name), default="")


def _is_generic(name: str) -> bool:
    stem = SUFFIX.sub("", name).strip("・-/")
    return len(stem) < 2 or stem in _GENERIC or stem.isdigit()


def _judge(
    name: str, written: str, corpus: Corpus, known: Sequence[_Known]
) -> tuple[ClaimStatus, str, Span | None]:
    place = corpus.find(written)
    if any(name == item.name for item in known):
        return "supported_local", "", place
    stem = stem_of(name)
    for item in known:
        if stem and stem == item.stem:
            return "supported_elsewhere", f"written as {item.name}", corpus.find(item.name)
    longer = [item.name for item in known if name in item.name]
    if place is not None and (not longer or _stands_alone(name, longer, corpus)):
        return "supported_elsewhere", "in the sources, not a segment's name", place
    best = max(known, key=lambda item: (_likeness(name, item), item.name), default=None)
    if best is not None and _likeness(name, best) >= _ALTERED:
        return "altered", f"the source has {best.name}", corpus.find(best.name)
    return "missing", "no such name in the sources", None


def _stands_alone(name: str, longer: Sequence[str], corpus: Corpus) -> bool:
    """Whether a folded name stands somewhere but as a part of ``longer`` ones or the like.

    卸売・低温物流事業 and 超低温物流事業 are no places of 物流事業; 各物流事業 is one.
    """
    alone = re.compile(rf"(?P<before>{_LETTER}{{0,24}}){re.escape(name)}")
    known = re.compile("|".join(re.escape(item) for item in sorted(longer, key=len, reverse=True)))
    for text in corpus.folded:
        for match in alone.finditer(known.sub("\0", text)):
            before = match["before"]
            if not before or _PREFIX.fullmatch(before) or before in _GENERIC:
                return True
    return False


def _likeness(name: str, known: _Known) -> float:
    """0…100; only names that share two characters running (計測機器, 計測制御) are compared."""
    stem = stem_of(name)
    if len(known.stem) < 2 or len(stem) < 2:
        return 0.0
    if known.stem in stem or stem in known.stem:  # an added or a lost epithet
        return 100.0
    if not any(stem[i : i + 2] in known.stem for i in range(len(stem) - 1)):
        return 0.0
    return fuzz.ratio(name, known.name)
