"""The check of any text against any sources: claims with a status, sentences with evidence.

Here: ``check_text`` and ``CheckedText``. Not here: what makes a brief pass (``brief``), how
figures, periods, segments and names are judged (``*_claims``). ``defs`` and ``cli`` may import
this module.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from typing import TypeVar

from g2_pipelines.errors import LimitError
from g2_pipelines.evaluation.affirmations import denied_acts
from g2_pipelines.evaluation.attribution import Attribution, attribute
from g2_pipelines.evaluation.corpus import LONGEST_SENTENCE, Corpus, prepare
from g2_pipelines.evaluation.direction_claims import direction_claims
from g2_pipelines.evaluation.evidence import Evidence
from g2_pipelines.evaluation.fact_index import FactTable
from g2_pipelines.evaluation.foreign import foreign
from g2_pipelines.evaluation.labels import stem_of
from g2_pipelines.evaluation.name_claims import name_claims
from g2_pipelines.evaluation.near_copy import NOTHING_NEAR, compare_sentence
from g2_pipelines.evaluation.number_claims import number_claims
from g2_pipelines.evaluation.period_claims import one_for_each_period, period_claims
from g2_pipelines.evaluation.relations import relation_claims
from g2_pipelines.evaluation.segment_claims import segment_claims
from g2_pipelines.evaluation.sources import Source
from g2_pipelines.evaluation.statement_claims import once, statement_claims
from g2_pipelines.evaluation.told_as import told_as
from g2_pipelines.evaluation.verdicts import Sentence
from g2_pipelines.tables.line1 import CheckedSentence, Claim, FilingFact, SummarySentence
from g2_pipelines.tables.rows import Row, Span
from g2_pipelines.text.fold import fold_text
from g2_pipelines.text.numbers import Number, Period, numbers, periods
from g2_pipelines.text.sentences import sentences

#: Invented sentences score below, told in other words above (measured on the sample filings).
SUPPORTED_SCORE = 0.35
#: Characters; a brief has hundreds, so that this bounds the time of a check.
LONGEST_TEXT = 50_000


class CheckedText(Row):
    """The claims of a text in order, and its sentences with their best source spans."""

    claims: list[Claim]
    sentences: list[CheckedSentence]


def check_text(
    text: str,
    sources: Sequence[Source],
    *,
    segments: Sequence[str] = (),
    spans: Sequence[SummarySentence] = (),
    facts: FactTable | Sequence[FilingFact] | None = None,
    supported_score: float = SUPPORTED_SCORE,
) -> CheckedText:
    """Check ``text`` against ``sources``; ranges are code points of ``text``.

    ``segments`` are the company's segment names as its filing writes them; ``spans`` what the
    summarizer says its sentences are drawn from, which is looked at first but proves nothing;
    ``facts`` the filing's tagged facts, asked where no text has a figure; a sentence is
    supported from ``supported_score`` on.
    Deterministic; the sources are prepared once for repeated calls. A text without sentences
    has no claims.

    Raises:
        LimitError: the text is longer than 50,000 characters, so no summary.
    """
    if len(text) > LONGEST_TEXT:
        raise LimitError(
            f"The text has {len(text):,} characters: a summary of at most {LONGEST_TEXT:,} is checked",
            place="summary",
            remedy="Check it in parts",
        )
    corpus = prepare(sources)
    table = facts if facts is None or isinstance(facts, FactTable) else FactTable(facts)
    names = _names(segments, corpus)
    evidence = Evidence(corpus, names)
    ranges = sentences(text)
    figures, dates = _by_sentence(numbers(text), ranges), _by_sentence(periods(text), ranges)
    claims: list[Claim] = []
    checked: list[CheckedSentence] = []
    carried: str | None = None
    for index, (start, end) in enumerate(ranges):
        sentence = text[start:end]
        cited = _cited(spans, start, end)
        found = attribute(sentence, corpus, figures=figures[index], cited=cited)
        checked.append(_checked(start, end, found, corpus, supported_score))
        places = found.places
        near = (
            NOTHING_NEAR
            if found.verbatim is not None or len(sentence) > LONGEST_SENTENCE
            else compare_sentence(
                sentence,
                start,
                figures=figures[index],
                dates=dates[index],
                corpus=corpus,
                places=places,
                segments=names,
            )
        )
        whole = Sentence(
            sentence, start, places, found.verbatim, near, figures[index], carried=carried
        )
        carried = _carried(dates[index], carried, corpus)
        counted = number_claims(whole, figures[index], evidence, facts=table)
        dated = period_claims(sentence, dates[index], corpus, start=start, places=places, near=near)
        claims += one_for_each_period(counted, dated)
        business = segment_claims(sentence, start, corpus, segments, near=near)
        claims += business
        told = statement_claims(start, near, corpus)
        ways = direction_claims(
            sentence, start, evidence, places, verbatim=found.verbatim, facts=table
        )
        acts = [] if found.verbatim is not None else told_as(sentence, start, corpus, places)
        if found.verbatim is None and not any(d.kind == "denied" for d in near.differences):
            acts += denied_acts(sentence, start, corpus, places)
        if found.verbatim is None:
            acts += relation_claims(sentence, start, corpus, places)
        claims += [
            c for c in once([*told, *ways, *acts]) if not _said_by(c, counted, figures[index])
        ]
        strange = _foreign_words(sentence, start, corpus)
        claims += strange
        taken = [(claim.start, claim.end) for claim in [*business, *dated, *strange]]
        claims += name_claims(
            sentence, start, corpus, places, taken=taken, near=near, figures=figures[index]
        )
    claims.sort(key=lambda claim: (claim.start, claim.end, claim.kind))
    return CheckedText(claims=claims, sentences=checked)


def _carried(dates: Sequence[Period], before: str | None, corpus: Corpus) -> str | None:
    """The period that what follows goes on to speak of; None for the one reported on."""
    if not dates:
        return before
    key = dates[-1].key
    return None if corpus.is_reported(key) else key


def _foreign_words(sentence: str, start: int, corpus: Corpus) -> list[Claim]:
    """Words of a script or spelling that the sources do not know: names that are not there."""
    found = foreign(sentence, corpus.tongues, lambda word: corpus.find(word) is not None)
    return [
        Claim(
            kind="name",
            text=word.text,
            start=start + word.start,
            end=start + word.end,
            status="missing",
            note=f"not in the sources: {word.what}",
        )
        for word in found
        if not word.whole and word.what not in {"English", "Japanese"}
    ]


def _names(segments: Sequence[str], corpus: Corpus) -> list[str]:
    """The given names, folded, then those by which the sources break their figures down."""
    given = {stem_of(name): name for name in (fold_text(s) for s in segments if s.strip())}
    for name in corpus.breakdowns:
        given.setdefault(stem_of(name), name)
    return list(given.values())


def _said_by(statement: Claim, counted: Sequence[Claim], figures: Sequence[Number]) -> bool:
    """Whether a figure's own claim is what the direction beside it says (6.4％増)."""
    fine = statement.status not in {"sign_conflict", "altered"}
    going = {(n.start, n.end) for n in figures if n.change}
    return any(
        (claim.status == "sign_conflict" or (fine and (claim.start, claim.end) in going))
        and (-2 <= statement.start - claim.end <= 6 or 0 <= claim.start - statement.end <= 4)
        and (statement.status != "altered")
        for claim in counted
    )


_Part = TypeVar("_Part", Number, Period)


def _by_sentence(
    parts: Sequence[_Part], ranges: Sequence[tuple[int, int]]
) -> dict[int, list[_Part]]:
    """The parts of each sentence, by its index."""
    starts = [start for start, _ in ranges]
    found: defaultdict[int, list[_Part]] = defaultdict(list)
    for part in parts:
        found[bisect_right(starts, part.start) - 1].append(part)
    return found


def _cited(spans: Sequence[SummarySentence], start: int, end: int) -> list[Span]:
    return [span for item in spans if item.start < end and start < item.end for span in item.spans]


def _checked(
    start: int, end: int, found: Attribution, corpus: Corpus, least: float
) -> CheckedSentence:
    evidence = [corpus.span(place) for place in found.places[:3]]
    scores = [round(score, 4) for score in found.scores[:3]]
    if found.verbatim is not None:
        evidence, scores = [found.verbatim], [1.0]
    return CheckedSentence(
        start=start,
        end=end,
        score=round(found.score, 4),
        evidence=evidence,
        scores=scores,
        supported=found.score >= least,
    )
