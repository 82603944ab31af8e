"""Figures that follow from two others of the sources.

Here: ``derived`` and ``made_here``. The arithmetic stands in ``figures``. Only modules of this
package import it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.evaluation.corpus import Found, digits
from g2_pipelines.evaluation.evidence import Evidence
from g2_pipelines.evaluation.figures import derived_from
from g2_pipelines.evaluation.labels import Label
from g2_pipelines.evaluation.verdicts import Sentence, Verdict
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.numbers import Number

_RATIO = re.compile(
    r"差|比|増|減|倍|割合|占め|率|上昇|低下|改善|total|rise|rose|ratio|share|increas|decreas|grew|up|down"
)
#: What makes an amount one of two others: 29億円増加, 差額は…, 合計で….
_CHANGE_AFTER = re.compile(
    r"(?:から|より|に対し)|[ ]?(?:程度|ほど|余り?)?(?:の|と|も|だけ)?(?:大幅(?:な|に))?[ ]?(?:増|減|上回|下回|上昇|低下|改善|悪化|プラス|マイナス|多|少|拡大|縮小|伸|差"
    r"|increase|decrease|more|less|higher|lower)"
)
_CHANGE_BEFORE = re.compile(
    r"(?:差額?|合計|総額|増減額?|増加額|減少額|増加幅|減少幅|計|total|(?:rose|fell|increased|decreased|grew) by)"
    r"(?:は|が|で|の)?、?(?:約|およそ|about )?(?:¥|△)?\s?$"
)


def made_here(
    sentence: Sentence, number: Number, label: Label, evidence: Evidence
) -> Verdict | None:
    """Derived from figures of which the sentence has one: 6,601百万円増加し、33,133百万円."""
    verdict = derived(sentence, number, label, evidence)
    if verdict is None:
        return None
    others = {digits(n.value) for n in sentence.figures if n is not number}
    shared = any(digits(found.number.value) in others for found in verdict.evidence)
    return verdict if shared or _of_named_row(sentence, verdict.evidence, evidence) else None


def _of_named_row(sentence: Sentence, found: Sequence[Found], evidence: Evidence) -> bool:
    """Whether the figures are a table's row that the sentence calls by its whole name."""
    rows = {cell.row if (cell := evidence.corpus.heads_of(item)) else "" for item in found}
    name = "".join(fold_text(min(rows, default="")).split())
    return len(rows) == 1 and len(name) > 2 and name in "".join(fold_text(sentence.text).split())


def derived(sentence: Sentence, number: Number, label: Label, evidence: Evidence) -> Verdict | None:
    """``derived`` where two figures of one aligned place or row make ``number``, else None."""
    text, start, end = sentence.text, number.start - sentence.start, number.end - sentence.start
    if number.unit in {"%", "倍", "ポイント"}:
        made = _RATIO.search(text, max(0, start - 24), end + 24)
    else:
        made = _CHANGE_AFTER.match(text, end) or _CHANGE_BEFORE.search(
            text, max(0, start - 16), start
        )
    if made is None:
        return None
    beside = frozenset(digits(n.value) for n in sentence.figures if n is not number)
    rows = evidence.rows(label.item, sentence.text)
    for place in dict.fromkeys([*sentence.places, *rows]):
        found = [evidence.corpus.figures[i] for i in evidence.corpus.by_place.get(place, ())]
        if not found:
            continue
        scales = evidence.corpus.scales[found[0].source]
        parts_of = derived_from(number, [item.number for item in found], scales, beside)
        if parts_of is not None:
            a, b, operation = parts_of
            parts = [item for item in found if item.number in (a, b)]
            return Verdict("derived", parts, f"{operation}: a = {a.text}, b = {b.text}")
    return None
