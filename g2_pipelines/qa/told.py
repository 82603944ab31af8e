"""What stands with an amount in its sentence: the names in its clause, and the period it is of.

Here: ``Told``, ``told`` (every amount of a text with both) and ``names``. A clause begins where
a new subject does («revenue was 4,120 and profit 515»), so that each amount has its own names;
a sentence that names after its numbers («34 m for Birch») is cut before them. A period is given
to an amount only where the sentence leaves no doubt. Used by ``agreement`` and ``multiples``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from g2_pipelines.qa.amounts import Amount, amounts_in
from g2_pipelines.qa.common_words import GENERIC_EN, GENERIC_JA
from g2_pipelines.qa.matching import stem
from g2_pipelines.qa.told_periods import bound, times
from g2_pipelines.text.sentences import sentences

_LETTERED = (
    "segment|class|type|group|plant|model|region|line|site|zone|area|case|option|plan|team|unit"
    "|division|phase|sample|method|factory|tower|series|product|company"
)
_NAME = re.compile(
    rf"(?:{_LETTERED}) [a-z](?![\w'’])|[a-z][a-z0-9&'’-]+|[ァ-ヺー]{{2,}}|[々一-鿿]{{2,}}"
    r"|[一-鿿](?=[はがも:])"
)
#: Words that say how a value moved or is compared: never what it is the value of.
_CHANGES_EN = (
    "up down rose rise rises rising risen fell fall falls falling fallen grew grow grows growing "
    "grown increase increased increases increasing decrease decreased decreases decreasing "
    "decline declined declines declining drop dropped climbed reached reach reaching compare "
    "compared versus against from to previous prior year years earlier ago last current same "
    "period respectively each total high low record came come stood stand amounted amount "
    "roughly about around nearly almost approximately over under average worth"
)
_CHANGES_JA = (
    "増 減 増加 減少 上昇 低下 前年 前期 当期 同期 前年同期 前期比 前年比 前年同期比 同期比 対前年 同 "
    "比較 推移 超 約 同様 一方"
)
CHANGES = frozenset(f"{_CHANGES_EN} {_CHANGES_JA}".split())
_BEGINS = re.compile(r"(?:^|[\s,;)])(?:and|while|but|whereas)\s|;")
_LIST = re.compile(r"[,)]\s*(?:the |its )?(?P<word>[a-z][a-z'’-]*)")
_BREAK_JA = re.compile(r"[、,;。]|・|(?<=[でがし])、")
#: In folded text a full stop is followed by no capital: the common short forms end no sentence.
_STOP = re.compile(
    r"(?<![\s.(][a-z])(?<!\bno)(?<!\bfig)(?<!\beq)(?<!\bsec)(?<!\bapprox)(?<!\bvs)(?<!\bmr)(?<!\bdr)"
    r"(?<!\bms)(?<!\bst)(?<!\bca)(?<!\binc)(?<!\bltd)(?<!\bcf)\.(?=\s+[a-z0-9(])"
)
_TOPIC = re.compile(r"(?:に|で)?[はがも]")


MOST_AMOUNTS = 60  #: of one sentence; in a longer list nothing can be told apart
LONGEST = 4_000
_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Told:
    """An amount at its place in a text.

    ``names``: those of its clause; ``subject``: what the clause is about: of Japanese the topic
    (before は, が, も), else the names before its amounts (behind them, where the sentence names
    behind), ``label`` as they are written; ``periods``: keys of ``text.periods``, none where it is not
    clear; ``sentence``: its number in the text.
    """

    amount: Amount
    names: frozenset[str]
    subject: frozenset[str]
    periods: frozenset[str]
    sentence: int
    label: str = ""


def names(text: str) -> frozenset[str]:
    """The telling names of a folded text, in their stems."""
    return frozenset(name for _, _, name in _named(text))


def _named(text: str) -> list[tuple[int, int, str]]:
    found: list[tuple[int, int, str]] = []
    for match in _NAME.finditer(text):
        word = match[0].removesuffix("'s").removesuffix("’s")
        plain = word not in CHANGES and word not in GENERIC_EN and word not in GENERIC_JA
        if plain and " " not in word:
            found.append((match.start(), match.end(), stem(word)))
        elif " " in word:
            found.append((match.start(), match.end(), word))
    return found


@lru_cache(maxsize=256)
def told(plain: str) -> tuple[Told, ...]:
    """The amounts of a folded text (``amounts.plain_text``), in the order of ``amounts_in``."""
    amounts = amounts_in(plain)
    known = times(plain, amounts)
    found: list[Told] = []
    for number, (start, end) in enumerate(folded_sentences(plain)):
        inside = [one for one in amounts if start <= one.start < end]
        within = [one for one in known if start <= one[0] < end]
        if len(inside) > MOST_AMOUNTS or end - start > LONGEST:  # a table without its lines
            found += [Told(one, _NONE, _NONE, _NONE, number) for one in inside]
        elif inside:
            found += _of_sentence(plain, (start, end), inside, within, number)
    return tuple(found)


def folded_sentences(plain: str) -> list[tuple[int, int]]:
    """The sentences of a folded text, where capitals no longer tell where one begins."""
    found: list[tuple[int, int]] = []
    for start, end in sentences(plain):
        stops = [match.end() for match in _STOP.finditer(plain, start, end)]
        found += list(zip([start, *stops], [*stops, end], strict=True))
    return found


def _of_sentence(
    plain: str,
    span: tuple[int, int],
    amounts: Sequence[Amount],
    within: Sequence[tuple[int, int, str]],
    number: int,
) -> list[Told]:
    start, end = span
    taken = [(one.start, one.end) for one in amounts] + [(s, e) for s, e, _ in within]
    words = [
        (begin + start, stop + start, name)
        for begin, stop, name in _named(plain[start:end])
        if not any(s < stop + start and begin + start < e for s, e in taken)
    ]
    dated = bound(plain, amounts, within)
    behind = not any(b < amounts[0].start for b, _, _ in words) and any(
        b >= amounts[-1].end for b, _, _ in words
    )
    clauses = _clauses(plain, start, end, amounts, words, behind=behind)
    found: list[Told] = []
    for amount in amounts:
        begin, stop = next((b, e) for b, e in clauses if b <= amount.start < e)
        own = [(b, name) for b, _, name in words if begin <= b < stop]
        first = min(one.start for one in amounts if begin <= one.start < stop)
        before = [
            (b, e, name) for b, e, name in words if begin <= b < stop and (behind or b < first)
        ]
        topics = [one for one in before if _TOPIC.match(plain, one[1])]
        subject = topics[-1:] or before
        found.append(
            Told(
                amount=amount,
                names=frozenset(name for _, name in own),
                subject=frozenset(name for _, _, name in subject),
                label=" ".join(plain[b:e] for b, e, _ in subject),
                periods=dated.get(amount.start, frozenset()),
                sentence=number,
            )
        )
    return found


def _clauses(
    plain: str,
    start: int,
    end: int,
    amounts: Sequence[Amount],
    words: Sequence[tuple[int, int, str]],
    *,
    behind: bool,
) -> list[tuple[int, int]]:
    cuts = [start]
    for before, after in pairwise(amounts):
        if behind:
            cuts.append(after.start)
            continue
        gap = plain[before.end : after.start]
        at = _new_subject(gap)
        if at >= 0 and any(before.end + at <= b < after.start for b, _, _ in words):
            cuts.append(before.end + at)
    return list(zip(cuts, [*cuts[1:], end], strict=True))


def _new_subject(gap: str) -> int:
    """Where in the text between two amounts a new subject may begin, -1 for nowhere."""
    places = [match.end() for match in _BEGINS.finditer(gap)]
    places += [match.end() for match in _BREAK_JA.finditer(gap) if _is_japanese(gap)]
    places += [
        match.start("word")
        for match in _LIST.finditer(gap)
        if match["word"] not in CHANGES and match["word"] not in GENERIC_EN
    ]
    return max(places, default=-1)


def _is_japanese(text: str) -> bool:
    return any("\u3041" <= char <= "\u9fff" for char in text)
