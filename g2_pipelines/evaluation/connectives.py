"""Sentences that begin with しかし or このため where what that points to was left out.

Here: ``dangling``. また and なお need no sentence before them. Only modules of this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from g2_pipelines.tables.line1 import CheckedSentence
from g2_pipelines.tables.rows import Span

_NEEDY = re.compile(
    r"[ \u3000]*(?P<word>しかし(?:ながら)?|だが|ところが|このため|そのため|これ(?:ら)?により|これによって|これに伴い|これに対し|(?:これらの?|その|この)結果"
    r"|したがって|従って|However|Therefore|As a result|Consequently)[、, ]"
)
_GAP = re.compile(r"[\s。.]*")


def dangling(
    text: str, checked: Sequence[CheckedSentence], sources: Mapping[str, str]
) -> list[tuple[int, int]]:
    """[start, end) in ``text`` of each connective whose antecedent the summary has not.

    That is one that begins the text, or one that begins the source's sentence too, where the
    sentence before it in the summary stands on another place than the one before it there.
    ``sources`` are texts by source id.
    """
    found: list[tuple[int, int]] = []
    for index, sentence in enumerate(checked):
        match = _NEEDY.match(text, sentence.start, sentence.end)
        if match is None:
            continue
        if index and not _left_out(match["word"], sentence, checked[index - 1], sources):
            continue
        found.append(match.span("word"))
    return found


def _left_out(
    word: str, sentence: CheckedSentence, before: CheckedSentence, sources: Mapping[str, str]
) -> bool:
    """Whether the source says ``word`` of another sentence than ``before``."""
    if not sentence.evidence:
        return False
    own = sentence.evidence[0]
    source = sources.get(own.source_id, "")
    if not source.startswith(word, own.start + _margin(source, own)):
        return False  # the writer's own word, who saw what it joins
    return not any(
        span.source_id == own.source_id
        and (own.start <= span.start < own.end or _adjoin(source, span, own))
        for span in before.evidence
    )


def _margin(source: str, span: Span) -> int:
    stretch = source[span.start : span.end]
    return len(stretch) - len(stretch.lstrip())


def _adjoin(source: str, span: Span, own: Span) -> bool:
    return span.start < own.start and (
        span.end >= own.start or _GAP.fullmatch(source, span.end, own.start) is not None
    )
