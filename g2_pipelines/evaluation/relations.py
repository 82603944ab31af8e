"""Who does what, and what comes of what: relations that no sentence of the sources has.

Here: ``relation_claims``. 課題は…に取り組んでまいりました makes a thing the doer; 純資産の減少により経営成績が
向上 joins two things that no source joins. Only modules of this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.evaluation.corpus import Corpus
from g2_pipelines.tables.line1 import Claim
from g2_pipelines.text.fold import fold, fold_text

_WORD = r"[\u30a1-\u30fa\u30fc\u4e00-\u9fff]"
_WAY = r"(?:増加|減少|上昇|低下|下落|拡大|縮小|悪化|改善|向上|高騰)"
#: What is no doer as the topic of a doer's verb, with no other subject before the verb.
_ACTS = re.compile(
    r"(?P<thing>課題|強み|弱み|環境|展望|見通し|リスク)は、(?P<rest>[^。]*?[をに][^。]*?)"
    r"(?:取り?組[んみ]|努め|注力し|推進し|進め|目指し|図っ|主要事業とし)[てで]?(?:い|おり|まいり|参り)?(?:ます|ました|ません|る|た)。?$"
)
_DOER = re.compile(
    r"(?:当社|当行|グループ|会社|私たち|我々|部門|本部|経営陣|役員|社員|者|[\u30a1-\u30fa\u30fc\u4e00-\u9fff]{2,})が|(?:当社|当行|グループ|会社|私たち|我々)[^、。]{0,8}は"
)
_CAUSE = re.compile(
    rf"(?P<cause>{_WORD}{{2,}})の{_WORD}{{0,2}}{_WAY}等?(?:により|によって|に伴い|を受けて?|のため)、?(?P<rest>[^。]+)"
)
_EFFECT = re.compile(rf"(?P<effect>{_WORD}{{2,}})[がは][^、。]{{0,12}}?{_WAY}")


def relation_claims(
    sentence: str, start: int, corpus: Corpus, places: Sequence[int]
) -> list[Claim]:
    """Claims of the sentence at ``start``, which is no copy; ``places`` are its aligned evidence."""
    folded = fold(sentence)
    text = folded.text.strip()
    found: list[tuple[int, int, str]] = []
    acts = _ACTS.search(text)
    if acts is not None and _DOER.search(acts["rest"]) is None:
        thing = acts["thing"]
        if not any(_ACTS.search(fold_text(corpus.text(place))) for place in places):
            found.append((*acts.span("thing"), f"no sentence of the sources has {thing} do this"))
    cause = _CAUSE.search(text)
    effect = None if cause is None else _EFFECT.search(text, cause.start("rest"))
    if cause is not None and effect is not None:
        a, b = cause["cause"], effect["effect"]
        if _apart(a, b, corpus):
            note = f"no sentence of the sources has {b} come of {a}"
            found.append((*effect.span("effect"), note))
    lead = len(folded.text) - len(folded.text.lstrip())
    out: list[Claim] = []
    for begin, end, note in found:
        first, last = folded.original(begin + lead, end + lead)
        out.append(
            Claim(
                kind="statement",
                text=sentence[first:last],
                start=start + first,
                end=start + last,
                status="missing",
                note=note,
            )
        )
    return out


def _apart(cause: str, effect: str, corpus: Corpus) -> bool:
    """Whether the sources know both words, and never in one sentence or in two neighbours."""
    causes = {place for place in range(len(corpus.places)) if cause in corpus.text(place)}
    effects = {place for place in range(len(corpus.places)) if effect in corpus.text(place)}
    if not causes or not effects:
        return False
    return not any(near in causes for place in effects for near in (place - 1, place, place + 1))
