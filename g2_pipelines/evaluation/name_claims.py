"""Names of companies, persons, places and products of a summary, looked for in the sources.

Here: ``name_claims``. What counts as a name stands in ``name_forms``. A name that stands
nowhere in the sources is the finding that matters, and one that stands where the nearest copy
of the sentence has another. Only modules of this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from g2_pipelines.evaluation.corpus import Corpus
from g2_pipelines.evaluation.name_forms import Name, is_ordinary, names_in
from g2_pipelines.evaluation.near_copy import NOTHING_NEAR, NearCopy
from g2_pipelines.tables.line1 import Claim, ClaimKind, ClaimStatus
from g2_pipelines.tables.rows import Span
from g2_pipelines.text.fold import fold, fold_text
from g2_pipelines.text.numbers import Number

#: Old forms of characters in names, by their everyday ones.
_OLD = str.maketrans(
    "髙﨑德濵濱邊邉齋齊斎澤廣國學櫻眞龍龜壽榮惠瀨嶋槇檜",
    "高崎徳浜浜辺辺斉斉斉沢広国学桜真竜亀寿栄恵瀬島槙桧",
)
_KINDS = frozenset({"company", "person", "place", "product"})
#: Share of the sentence and weight in common: then a name of the same kind stands in its place.
_NEARLY, _LONG = 0.65, 12
_SURELY = 0.75  # the same where another of the aligned places has the name
_FORM = re.compile(r"株式会社|有限会社|合同会社|\(株\)|㈱|,? (?:inc|ltd|corp|co)\.?$|社$|氏$")
#: Regions that are called by more than one name.
_CALLED = {
    "アメリカ": "米国",
    "米国": "アメリカ",
    "イギリス": "英国",
    "英国": "イギリス",
    "オーストラリア": "豪州",
    "豪州": "オーストラリア",
}


def name_claims(
    text: str,
    start: int,
    corpus: Corpus,
    places: Sequence[int],
    *,
    taken: Sequence[tuple[int, int]] = (),
    near: NearCopy = NOTHING_NEAR,
    figures: Sequence[Number] = (),
) -> list[Claim]:
    """A claim per name in the sentence ``text`` at ``start``; ``taken`` are ranges judged already.

    ``near`` is how the sentence differs from the place it is nearly a copy of; ``figures`` are
    the sentence's, which end a name and are none.
    """
    folded = fold(text)
    around = "".join(fold_text(corpus.text(place)) for place in places)
    around = "".join(around.split())
    out: list[Claim] = []
    used = bytearray(len(text))  # characters judged already
    for a, b in taken:
        used[max(0, a - start) : max(0, b - start)] = b"\1" * (b - a)
    replaced = [
        d for d in near.differences if d.kind == "name" and not is_ordinary(fold_text(d.text))
    ]
    names = names_in(folded.text, text)
    instead = _instead(names, corpus, near)
    for name in names:
        a, b = folded.original(name.start, name.end)
        cut = min([b, *(n.start - start for n in figures if a <= n.start - start < b)])
        if cut < b:  # 株式会社北星分約12億円, 「営業利益12億円」
            whole, b = False, a + len(text[a:cut].rstrip("約分計は"))
        else:
            whole = True
        if b - a < 2 or any(used[a:b]):
            continue
        used[a:b] = b"\1" * (b - a)
        other = next((d for d in replaced if d.start < b and a < d.end), None)
        claim = _claim(name.kind, text[a:b], start + a, corpus, around)
        if other is not None and not _called_alike(claim, other.other):
            claim = _altered(claim, other.other, corpus.span(other.place))
        elif (
            whole
            and name in instead
            and (claim.status == "supported_elsewhere" or near.share >= _SURELY)
        ):
            claim = _altered(claim, instead[name], corpus.span(near.place))
        out.append(claim)
    for difference in replaced:
        if not any(used[difference.start : difference.end]):
            made = _claim("name", difference.text, start + difference.start, corpus, around)
            out.append(_altered(made, difference.other, corpus.span(difference.place)))
    return out


def _instead(names: Sequence[Name], corpus: Corpus, near: NearCopy) -> dict[Name, str]:
    """Names that the sentence's nearest copy has not, with the one of that kind it has instead."""
    if near.place < 0 or near.share < _NEARLY or near.weight < _LONG:
        return {}
    text = corpus.text(near.place)
    folded = fold_text(text)
    there = [name for name in names_in(folded, text) if name.kind in _KINDS]
    own = {name.text for name in names}
    out: dict[Name, str] = {}
    for name in names:
        if name.kind in _KINDS and name.text not in folded:
            other = [n.text for n in there if n.kind == name.kind and n.text not in own]
            if any(form in folded for form in map(fold_text, _forms(name.text))):
                continue
            if other:
                out[name] = other[0]
    return out


def _called_alike(claim: Claim, other: str) -> bool:
    """Whether the name that stands in the source instead is another form of this one."""
    there = fold_text(other)
    return any(there in fold_text(form) for form in _forms(claim.text) if form != claim.text)


def _altered(claim: Claim, other: str, place: Span) -> Claim:
    note = f"the source has {other}"
    return claim.model_copy(update={"status": "altered", "note": note, "evidence": [place]})


def _claim(kind: ClaimKind, name: str, start: int, corpus: Corpus, near: str) -> Claim:
    status: ClaimStatus = "missing"
    place = None
    note = ""
    for form in _forms(name):
        place = corpus.find(form)
        if place is not None:
            local = "".join(fold_text(form).split()) in near
            status = "supported_local" if local else "supported_elsewhere"
            note = "" if form == name else f"written as {form}"
            break
    return Claim(
        kind=kind,
        text=name,
        start=start,
        end=start + len(name),
        status=status,
        evidence=[place] if place else [],
        note=note,
    )


def _forms(name: str) -> Iterator[str]:
    """The name as written, then as it may be written otherwise."""
    yield name
    modern = name.translate(_OLD)
    if modern != name:
        yield modern
    bare = _FORM.sub("", fold_text(modern)).strip()
    if len(bare) > 1:
        yield bare
        if "・" in bare or " " in bare:
            yield re.sub(r"[・ ]", "", bare)
    if fold_text(name).startswith("covid"):
        yield "新型コロナウイルス"
    if fold_text(name) in _CALLED:
        yield _CALLED[fold_text(name)]
    if re.fullmatch(r".{2,3}[都府県]", name):
        yield name[:-1]
