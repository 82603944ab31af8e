"""What was done or not, where a sentence is told in other words than its source.

Here: ``denied_acts``. 新工場を建設した for 新工場の建設を見送りました has no word in another's place: the same things
are spoken of, and one of the two says that it was not done. Only modules of this package import
it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from g2_pipelines.evaluation.corpus import LONGEST_SENTENCE, Corpus
from g2_pipelines.evaluation.senses import is_planned
from g2_pipelines.tables.line1 import Claim
from g2_pipelines.text.fold import fold, fold_text
from g2_pipelines.text.language import language
from g2_pipelines.text.numbers import numbers, periods

_CLAUSE = re.compile(r"[^、。,;\n\t]+")
#: Not done, by the verb itself.
_LEFT = (
    "見送|見合わせ|中止|断念|取り?やめ|取り止め|撤回|凍結|控え|回避|棚上げ|白紙|否決|却下|拒否|拒絶|辞退"
    "|cancel(?:l?ed|s)?|abandon(?:ed|s)?|suspend(?:ed|s)?|forgo|forgone|declined to|refrain(?:ed|s)?|withdr[ae]w"
)
#: Not done, by the verb's ending. 少ない and 限りない deny no act.
_ENDING = (
    r"(?:(?<=[しらわかさたなばまがれえけせてべめげ])|(?<=てい)|(?<=てお)|(?<=おり)|(?<=あり)|(?<=はし)|(?<=[いきちにひみりじぎ]))"
    r"(?:ませんでした|ません|なかった|ない(?=$|と|も|た|も?の|状|方)|なく(?=$|て)|ず(?=$|に))"
    r"|(?:は|が|も)(?:ない|なく|なかった|ありません|ございません)"
    r"|\b(?:not|never|no|without|did not|does not)\b|n't\b"
)
_NO_ACT = re.compile(
    r"にかかわらず|だけで?なく|のみならず|限らず|問わず|かもしれ|なければな|ねばな|ざるを得|少なく|やむを得|に違いない|ほかならな|とどまらず|まもなく|必ず"
)
_DENIED = re.compile(f"(?P<left>{_LEFT})|(?P<ending>{_ENDING})")
_RUN = re.compile(r"[\u30a1-\u30fa\u30fc\u3005\u4e00-\u9fff]{2,}|[a-z][a-z-]{2,}")
#: An act that was done, or is being done; 増加している tells of no act and is judged elsewhere.
_ACT = re.compile(
    r"(?:[\u4e00-\u9fff\u30a1-\u30fc](?:を?(?:いたし|致し|し|され|行い|行わ|行っ))|行い|行っ|行わ|設け|始め|開い|結ん|得)"
    r"|[a-z]+ed\b|\b(?:paid|made|sold|bought|built|began|opened|pays?|makes?|expects?|plans?|intends?|has|have)\b"
    r"|(?:ませ|はな|がな|もな|はあ|があ)"
)
_GENERIC = frozenset(
    [
        "実施",
        "決定",
        "開始",
        "行",
        "計上",
        "実行",
        "当社",
        "同社",
        "当期",
        "前期",
        "今期",
        "当社グループ",
        "同社グループ",
        "決議",
        "予定",
        "方針",
        "判断",
        "こと",
        "the",
        "and",
        "was",
        "were",
        "did",
        "not",
        "does",
        "has",
        "have",
        "had",
        "company",
        "group",
        "for",
        "with",
        "that",
        "this",
        "its",
        "from",
    ]
)
_AIM = re.compile(
    r"検討|方針|たい(?:と|。|$)|意向|準備|\b(?:will|would|intends? to|plans? to|considering)\b"
)
_PAST = re.compile(
    r"(?:した|った|いた|んだ|れた|きた|けた|めた|じた|えた)$|^[^\u3041-\u9fff]*\b(?:[a-z]+ed|built|made|sold|paid|bought|began|grew|rose|fell)\b"
)
_MOST = 6  # content words of a clause that is compared


class _Act(NamedTuple):
    start: int
    end: int
    words: frozenset[str]
    denied: bool
    planned: bool
    done: bool


def denied_acts(sentence: str, start: int, corpus: Corpus, places: Sequence[int]) -> list[Claim]:
    """``altered`` for each clause of which the aligned sentences only say the opposite.

    The sentence begins at ``start`` of the summary. A clause counts where all its content words
    stand in a clause of the source, and most of that clause's in it.
    """
    folded = fold(sentence)
    out: list[Claim] = []
    own = list(_acts(folded.text))
    if not own:
        return out
    there = [
        (place, act)
        for place in places
        if not corpus.turns.is_question(place)
        for act in _acts(fold_text(corpus.text(place)))
    ]
    for act in own:
        same = [(place, other) for place, other in there if _same(act, other)]
        if not same or any(_bears_out(other, act) for _, other in same):
            continue
        place, other = same[0]
        a, b = folded.original(act.start, act.end)
        said = fold_text(corpus.text(place))[other.start : other.end]
        how = "says" if other.denied != act.denied else "only plans it:"
        out.append(
            Claim(
                kind="statement",
                text=sentence[a:b],
                start=start + a,
                end=start + b,
                status="altered",
                evidence=[corpus.span(place)],
                note=f"the source {how} {said}",
            )
        )
    return out


def _acts(folded: str) -> Iterator[_Act]:
    if len(folded) > LONGEST_SENTENCE:
        return
    chars = list(folded)
    ranges = [(n.start, n.end) for n in numbers(folded)]
    for a, b in [*ranges, *((p.start, p.end) for p in periods(folded))]:
        chars[a:b] = "\0" * (b - a)
    text = "".join(chars)
    for clause in _CLAUSE.finditer(text):
        body = clause.group()
        denials = list(_DENIED.finditer(body))
        left = any(match.lastgroup == "left" for match in denials)
        if _NO_ACT.search(body) or not (left or _ACT.search(body)):
            continue
        bare = _DENIED.sub(" ", body)
        words = frozenset(_RUN.findall(bare)) - _GENERIC
        if words and len(words) <= _MOST:
            lead = len(body) - len(body.lstrip())
            yield _Act(
                clause.start() + lead,
                clause.end(),
                words,
                len(denials) % 2 == 1,
                is_planned(body) or _AIM.search(body) is not None,
                _PAST.search(body) is not None,
            )


def _bears_out(other: _Act, act: _Act) -> bool:
    """A plan bears out no deed."""
    return other.denied == act.denied and not (other.planned and act.done and not act.planned)


def _same(act: _Act, other: _Act) -> bool:
    here = sum(_held(word, other.words) for word in act.words)
    there = sum(_held(word, act.words) for word in other.words)
    english = any(language(word) == "en" for word in act.words)
    least = 0.6 if english else 1.0
    weight = sum(len(word) for word in act.words if _held(word, other.words))
    return (
        here >= least * len(act.words)
        and there >= 0.6 * len(other.words)
        and weight >= (8 if english else 4)
    )


def _held(word: str, words: frozenset[str]) -> bool:
    return any(word in other or other in word for other in words)
