"""Whether a text denies what another affirms, or the reverse: 始めない for 始める.

Here: ``turned``, by clauses. A clause is negative if it holds a word of negation; words that two
texts share tell whether their clauses agree. Counting, no grammar: it finds a turned
predicate, not every contradiction.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from g2_pipelines.graph.figures import words_of
from g2_pipelines.text.fold import fold_text

_BORDER = re.compile(
    r"[。.!?;:](?!\d)|,(?!\d)|(?<=[がしてりくずばれみきいえせちげけねべめ])、|(?<=ため)、|(?<=ので)、"
    r"|\b(?:and|but|while|because|although|though|whereas|which|so that|since|as)\b"
)
# Forms of negation that affirm, or say something else.
_NONE = re.compile(
    r"(?:なければ|なくては|ねば)(?:なら|いけ)(?:ない|ず|ません)|ざるを得(?:ない|ず|ません)|かもしれ(?:ない|ません)"
    r"|に(?:ほか|他)なら(?:ない|ず|ません)|に(?:過ぎ|すぎ)(?:ない|ず|ません)|(?:だけ|のみ)(?:で(?:は)?なく|ならず)"
    r"|(?:に|間)違い(?:ない|なく)|欠かせ(?:ない|ません|ず)|ないし(?!は)|(?:少|危|切|行|担|伴|おこ|すく)な[いくか]"
    r"|(?:必|先|ま|は|かなら|おの)ず|わずか|(?:絶|た|あ|得|を)えず|少なからず|やむを得(?:ない|ず)"
    r"|\bnot only\b|\bno(?:t)? (?:less|fewer|later|more) than\b|\bnothing but\b|\bno doubt\b|\bno\.? ?\d"
)
_NEGATION = re.compile(
    r"ない|なかった|なく(?=て|、|な|。|\s|$)|なし|無[しいく]|ませ[んず]|ず(?:に|、|。|$)|(?<=[めせらかさたまわえけげてべれ])ず(?!ら)|ぬ(?=。|$)"
    r"|不要|不可(?!欠|分|避)|不能|無効|[未非](?:実施|対応|達成|達|定|公開|開示)"
    r"|\b(?:no|not|never|none|neither|nor|cannot|without|hardly|barely|scarcely|rarely|seldom|lacks?|unable|fails? to|failed to)\b|n't\b"
)
_WORD = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+|[\u30a1-\u30fa\u30fc]{2,}|[a-z]{3,}")
_STOP = words_of(
    "the this that these those its with for from into than then are was were has have had does did "
    "not none never nor neither cannot without can will would may also only they their there"
)


def turned(summary: str, own: str) -> bool:
    """True if a clause of ``summary`` says the contrary of ``own``, by the words they share.

    A word that ``own`` has in clauses of both kinds tells nothing. A clause with more shared
    words of the other polarity than of its own is turned; so is a negative one where ``own``
    negates nothing at all.
    """
    known: dict[str, set[bool]] = defaultdict(set)
    # A line may end a cell or only a line: both readings, so that neither convicts alone.
    for text in (own, *re.split(r"[\t\n]", own)):
        for negative, words in _clauses(text):
            for word in words:
                known[word].add(negative)
    denies = _NEGATION.search(_NONE.sub(" ", fold_text(own))) is not None
    for negative, words in _clauses(summary):
        if negative and not denies:
            return True
        sure = [next(iter(known[word])) for word in words if len(known.get(word, ())) == 1]
        if sum(kind is not negative for kind in sure) > sum(kind is negative for kind in sure):
            return True
    return False


def _clauses(text: str) -> Iterator[tuple[bool, frozenset[str]]]:
    # First what is no negation: the full stop of «No. 5» ends no clause.
    for clause in _BORDER.split(_NONE.sub(" ", " ".join(fold_text(text).split()))):
        # The words of negation themselves are no shared words: 不要 stands in negative clauses only.
        rest, found = _NEGATION.subn(" ", clause)
        words = frozenset(_stem(word) for word in _WORD.findall(rest) if word not in _STOP)
        yield found > 0, words


def _stem(word: str) -> str:
    if not word.isascii():
        return word
    stem = re.sub(r"(?:ing|ed|es|s)$", "", word)
    return stem.rstrip("e") if len(stem) > 2 else word
