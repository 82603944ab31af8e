"""Which sentences make a summary: chains, exclusive aspects, budget, no repetition.

Here: ``chains`` (a sentence that leans on the one before it keeps it), ``choose`` (greedy
choice under a token budget with maximal marginal relevance). Pure functions over scored
sentences; nothing here knows a lexicon or a row. Importable by briefs only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from g2_pipelines.text.overlap import ngrams

#: Two texts that share more of their bigrams than this say the same.
SAME = 0.6
#: What a full overlap with something already chosen costs, in points of score.
_OVERLAP_COST = 6.0
#: What each sentence already chosen under the same heading costs.
_HEADING_COST = 0.7
#: A chain ends after this many sentences or characters.
_CHAIN_SENTENCES = 3
_CHAIN_CHARS = 420
#: Sentences outside these lengths (characters) are read badly in a summary.
_SHORT, _LONG, _TOO_LONG = 18, 220, 420

_CONJUNCTION = r"^(?:また|さらに|更に|加えて|なお|一方(?:で|では)?|しかし(?:ながら)?|ただし|そして|併せて|あわせて|同時に)、?"
_LEANS_JA = re.compile(
    rf"(?:{_CONJUNCTION})?"
    r"(?:これ(?!まで|から)|この(?!ほか|度|たび|他|ような[^。、]{0,12}(?:環境|状況|情勢))|ここ(?!数|\d)|こう(?:し|い)|その(?!他|ほか)|それ(?!ぞれ)|"
    r"そう(?:し|い)|かかる|(?:中|なか)でも|とりわけ|両[社者]|後者|(?:主な)?(?:対象|内容|理由|原因|背景|目的|詳細|内訳|要因)は|本(?:計画|戦略|施策|制度|取り?組み?|件)(?:は|が|の|を|に|で|も)|上記|当該|以上|前述|具体的に|つまり|すなわち|特に|例えば|たとえば|そこで|"
    r"したがって|従って|よって|結果|同(?!様|時|じ|一|業)[一-龠ァ-ヶー]{1,8}(?:は|が|の|を|に|で|も)|この結果|[①-⑳])"
)
#: A contrast says nothing without its other half; an addition (また) can stand alone.
_CONTRAST_JA = re.compile(
    r"^(?:しかし(?:ながら)?|一方(?:で(?:は)?)?(?=、)|他方|反面|ただし|但し|だが|けれども|ところが|"
    r"それでも|とはいえ|とは言え|逆に|反対に)"
)
_CONTRAST_EN = re.compile(
    r"^(?:but|however|nevertheless|nonetheless|conversely|by contrast|in contrast|"
    r"on the other hand|yet)\b",
    re.IGNORECASE,
)
_OPENS_JA = re.compile(_CONJUNCTION)
_LEANS_EN = re.compile(
    r"^(?:this|these|those|that|it|they|such|he|she|therefore|thus|hence|consequently|"
    r"accordingly|as a result|for (?:example|instance)|specifically|in other words|so)\b",
    re.IGNORECASE,
)
_OPENS_EN = re.compile(
    r"^(?:and|but|however|moreover|furthermore|in addition|also|meanwhile|while|nevertheless)\b",
    re.IGNORECASE,
)


class Sentence(NamedTuple):
    """A sentence to choose from. ``place`` orders the result; ``group`` is what a balanced
    choice balances (the source type); ``heading`` what it stands under; ``block`` its
    paragraph or turn; ``mark`` the heading or entry that it stands under, as a number;
    ``entry`` whether it is itself an entry of a list.
    """

    place: tuple[int, ...]
    text: str
    score: float
    group: str
    heading: str
    block: tuple[int, ...]
    language: str
    mark: int = 0
    entry: bool = False


class Chain(NamedTuple):
    """Sentences that are read together, as indices into the list given; the first leads.

    ``introduction`` is the one that introduces a list, -1 without one: what follows it are
    the list's entries.
    """

    members: tuple[int, ...]
    introduction: int = -1

    @property
    def prose(self) -> tuple[int, ...]:
        """The members without a list's entries."""
        if self.introduction < 0:
            return self.members
        return self.members[: self.members.index(self.introduction) + 1]


def leans(text: str, language: str) -> bool:
    """True where a sentence points back (これにより…, しかし…) and means nothing without that."""
    english = language == "en"
    patterns = (_LEANS_EN, _CONTRAST_EN) if english else (_LEANS_JA, _CONTRAST_JA)
    return any(pattern.match(text.strip()) for pattern in patterns)


def chains(
    texts: Sequence[str], languages: Sequence[str], adjacent: Callable[[int], bool]
) -> list[Chain]:
    """Group sentences in source order: one that leans joins the one before it.

    Args:
        texts: The sentences, in order.
        languages: Their languages.
        adjacent: Whether sentence i directly follows i - 1 and both can stand.

    Returns:
        Chains in order. A leaning sentence whose antecedent is not there is in none.
    """
    result: list[list[int]] = []
    for index, text in enumerate(texts):
        if not leans(text, languages[index]):
            result.append([index])
            continue
        if not adjacent(index) or not result or result[-1][-1] != index - 1:
            continue
        length = sum(len(texts[member]) for member in result[-1]) + len(text)
        if len(result[-1]) < _CHAIN_SENTENCES and length <= _CHAIN_CHARS:
            result[-1].append(index)
    return [Chain(tuple(members)) for members in result]


def with_lists(found: Sequence[Chain], lists: Mapping[int, Sequence[int]]) -> list[Chain]:
    """Chains in which an introducing sentence is followed by its list's entries.

    Args:
        found: Chains of sentences.
        lists: Entries by introducing sentence. An entry stands in no other chain; the list
            of a sentence that is in no chain is left out.

    Returns:
        Chains in order.
    """
    entries = {i for members in lists.values() for i in members}
    result: list[Chain] = []
    for chain in found:
        kept: list[int] = []
        for i in chain.members:
            if i in entries:
                break
            kept.append(i)
            if i in lists:
                break
        if kept and kept[-1] in lists:
            result.append(Chain((*kept, *lists[kept[-1]]), kept[-1]))
        elif kept:
            result.append(Chain(tuple(kept)))
    return result


def choose(
    sentences: Sequence[Sentence],
    candidates: Sequence[Chain],
    *,
    fits: Callable[[Sequence[int]], bool],
    floor: float,
    share: float,
) -> list[int]:
    """Choose chains greedily by score, against repetition, within the budget.

    Args:
        sentences: All sentences; ``score`` is for the aspect (or salience).
        candidates: Chains that may be taken, in source order.
        fits: Whether these indices, in the order of the summary, hold the budget.
        floor: Least score of a chain.
        share: Least score as a share of the typical good one (``typical``).

    Returns:
        Indices into ``sentences`` in the summary's order (by place).
    """
    pool = [(value(sentences, chain), chain) for chain in candidates]
    if not pool:
        return []
    least = max(floor, share * typical([score for score, _ in pool]))
    pool = [(score, chain) for score, chain in pool if score >= least]
    grams = [ngrams("".join(sentences[i].text for i in chain.members), 2) for _, chain in pool]
    headings = [sentences[chain.members[0]].heading for _, chain in pool]
    taken: list[int] = []
    chosen: list[int] = []

    overlaps = [0.0] * len(pool)  # with what is taken so far

    def marginal(at: int) -> float:
        overlap = overlaps[at]
        if overlap > SAME:
            return float("-inf")
        same = sum(1 for other in taken if headings[other] == headings[at])
        return round(pool[at][0] - _OVERLAP_COST * overlap - _HEADING_COST * same, 6)

    # A margin only falls as more is taken: the best one that is still true is the next.
    heap = [(-marginal(at), at) for at in range(len(pool))]
    heapify(heap)
    while heap:
        known, at = heappop(heap)
        margin = marginal(at)
        if margin == float("-inf"):
            continue
        if -margin > known:
            heappush(heap, (-margin, at))
            continue
        wanted = _wanted(sentences, chosen, pool[at][1], fits)
        if wanted is not None:
            chosen = wanted
            taken.append(at)
            for _, other in heap:
                overlaps[other] = max(overlaps[other], _shared(grams[other], grams[at]))
    return chosen


def _wanted(
    sentences: Sequence[Sentence],
    chosen: Sequence[int],
    chain: Chain,
    fits: Callable[[Sequence[int]], bool],
) -> list[int] | None:
    """What is chosen with the chain added, None where it does not fit.

    Only a list that would be the summary's first choice is shortened to fit, to one entry at
    least: half a list is better than silence, not better than other sentences.
    """
    least = len(chain.members) if chosen or chain.introduction < 0 else len(chain.prose) + 1
    for length in range(len(chain.members), least - 1, -1):
        members = [*chosen, *chain.members[:length]]
        wanted = sorted(members, key=lambda i: sentences[i].place)
        if fits(wanted):
            return wanted
    return None


def typical(scores: Sequence[float]) -> float:
    """The third best score (or the least of fewer): one outlier must not bar the others."""
    return sorted(scores, reverse=True)[:3][-1]


def _shared(left: frozenset[str], right: frozenset[str]) -> float:
    if not left or not right:
        return 0.0
    return len(left & right) / min(len(left), len(right))


def value(sentences: Sequence[Sentence], chain: Chain) -> float:
    """Score of a chain: its best sentence, a little for the others, less for bad lengths.

    A list's entries count nothing for or against: the sentence above them says what they are.
    """
    scores = sorted((sentences[i].score for i in chain.prose), reverse=True)
    result = scores[0] + 0.2 * sum(max(0.0, score) for score in scores[1:])
    first = sentences[chain.members[0]]
    if first.score < 0.25 * scores[0]:
        result -= 3.0  # half of what is read would be off the aspect
    length = sum(len(sentences[i].text) for i in chain.prose)
    scale = 2.5 if first.language == "en" else 1.0
    if length < _SHORT * scale and chain.introduction < 0:
        result -= 2.5
    if length > _LONG * scale:
        result -= 1.0
    if length > _TOO_LONG * scale:
        result -= 3.0
    opens = _OPENS_EN if first.language == "en" else _OPENS_JA
    if opens.match(first.text.strip()):
        result -= 0.75
    return result
