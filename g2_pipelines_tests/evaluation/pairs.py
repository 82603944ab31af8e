"""Small pairs of an invented source and a text, judged: shared by the tests of kinds of faults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from g2_pipelines.evaluation.brief import BAD
from g2_pipelines.evaluation.check import check_text
from g2_pipelines.evaluation.sources import Source
from g2_pipelines.tables.line1 import Claim

_SEGMENTS = ("工作機械事業", "計測制御事業")


def cases(pairs: Mapping[str, Sequence[tuple[str, str]]]) -> list[tuple[str, str, str]]:
    """(source, text, expected) of every text."""
    return [(source, text, expected) for source, told in pairs.items() for text, expected in told]


def judged(source: str, text: str) -> list[Claim]:
    """The claims of ``text`` that the source does not bear out."""
    segments = [name for name in _SEGMENTS if name in source]
    given = Source(source_id="filing:S9000A01:mdna:0", text=source)
    claims = check_text(text, [given], segments=segments).claims
    return [claim for claim in claims if claim.status in BAD]


def told(bad: Sequence[Claim], expected: str) -> bool:
    """Whether ``bad`` is what is expected: ok, bad, a status, or ``status:words of its note``."""
    if expected == "ok":
        return not bad
    status, _, words = expected.partition(":")
    return any((status == "bad" or claim.status == status) and words in claim.note for claim in bad)
