"""What makes a brief's text pass: named checks of claims, form and fit, with thresholds.

Here: ``evaluate`` and ``Thresholds``. Not here: how claims come about (``check``), nor what a
failed gate stops (``defs``). ``defs`` and ``cli`` may import this module.

Gates (a text that fails one must not be published): no figure that the sources do not have,
no altered segment name, not truncated, not empty.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from pydantic import Field

from g2_pipelines.evaluation import style
from g2_pipelines.evaluation.aspect_fit import aspect_fit, other_aspect
from g2_pipelines.evaluation.check import CheckedText, check_text
from g2_pipelines.evaluation.connectives import dangling
from g2_pipelines.evaluation.corpus import prepare
from g2_pipelines.evaluation.fact_index import FactTable
from g2_pipelines.evaluation.foreign import foreign
from g2_pipelines.evaluation.sources import Source
from g2_pipelines.tables.line1 import BriefEvaluation, Check, Claim, ClaimKind, Summary
from g2_pipelines.tables.rows import Row
from g2_pipelines.text.overlap import ngram_overlap

#: Claims that the sources contradict or do not have.
BAD = frozenset({"sign_conflict", "unit_conflict", "scale_conflict", "altered", "missing"})


class Aspect(Protocol):
    """What is needed of an aspect's configuration."""

    @property
    def key(self) -> str:
        """As in Summary.aspect."""
        ...

    @property
    def label(self) -> str:
        """For people, e.g. 課題."""
        ...


class Thresholds(Row):
    """The largest value with which a check passes (for aspect_fit and quoted_rate the smallest).

    Counts are per text, shares 0…1. Ours: the paper gives none. copy_rate is for a model's text;
    quoted_rate for the extractive engine's, which consists of the sources' own sentences.
    """

    missing_numbers: int = Field(default=0, ge=0)
    altered_segments: int = Field(default=0, ge=0)
    missing_periods: int = Field(default=0, ge=0)
    missing_names: int = Field(default=0, ge=0)
    unknown_segments: int = Field(default=0, ge=0)
    unsupported_sentences: float = Field(default=0.0, ge=0, le=1)
    supported_score: float = Field(default=0.35, ge=0, le=1)
    bullets: int = Field(default=0, ge=0)
    conversation: int = Field(default=0, ge=0)
    turned_statements: int = Field(default=0, ge=0)
    first_person: int = Field(default=0, ge=0)
    mixed_endings: float = Field(default=0.1, ge=0, le=0.5)
    noun_endings: float = Field(default=0.34, ge=0, le=1)
    long_sentences: float = Field(default=0.34, ge=0, le=1)
    other_language: float = Field(default=0.0, ge=0, le=1)
    dangling: int = Field(default=0, ge=0)
    repetition: float = Field(default=0.6, ge=0, le=1)
    overlap_other_aspects: float = Field(default=0.5, ge=0, le=1)
    copy_rate: float = Field(default=0.8, ge=0, lt=1)
    quoted_rate: float = Field(default=0.95, gt=0, le=1)
    aspect_fit: float = Field(default=0.3, ge=0, le=1)
    misplaced: float = Field(default=0.2, ge=0, le=1)


DEFAULT_THRESHOLDS = Thresholds()


class _Case(NamedTuple):
    """Everything that the checks look at."""

    summary: Summary
    checked: CheckedText
    sentences: list[str]
    sources: Sequence[Source]
    others: Sequence[Summary]
    aspect: Aspect
    budget: int | None
    limits: Thresholds


def evaluate(
    summary: Summary,
    *,
    sources: Sequence[Source],
    segments: Sequence[str],
    others: Sequence[Summary],
    aspect: Aspect,
    budget: int | None = None,
    thresholds: Thresholds = DEFAULT_THRESHOLDS,
    facts: FactTable | None = None,
) -> BriefEvaluation:
    """Evaluate a final summary against ``sources``.

    ``segments`` are the segment names of the filing, ``others`` the same company's summaries of
    other aspects, ``budget`` the length limit L in the summary's own tokens (None: no limit), ``facts`` the filing's tagged facts.
    ``passed`` is whether every gate passed. Where the summary says that nothing was found, only
    the consistency of that is checked. Deterministic.
    """
    silent = summary.nothing_found and style.says_nothing(summary.text)
    checked = (
        CheckedText(claims=[], sentences=[])
        if silent
        else check_text(
            summary.text,
            sources,
            segments=segments,
            spans=summary.sentences,
            facts=facts,
            supported_score=thresholds.supported_score,
        )
    )
    texts = [summary.text[item.start : item.end] for item in checked.sentences]
    case = _Case(summary, checked, texts, sources, others, aspect, budget, thresholds)
    checks = [*_gates(case), *_claims(case), *_form(case), *_fit(case)]
    return BriefEvaluation(
        edinet_code=summary.edinet_code,
        fiscal_year=summary.fiscal_year,
        aspect=summary.aspect,
        strategy=summary.strategy,
        passed=all(check.passed for check in checks if check.gate),
        claims=checked.claims,
        sentences=checked.sentences,
        checks=checks,
    )


def _most(name: str, value: float, limit: float, message: str, *, gate: bool = False) -> Check:
    return Check(
        name=name,
        passed=value <= limit,
        gate=gate,
        value=round(float(value), 4),
        threshold=float(limit),
        message=message,
    )


def _bad(case: _Case, *kinds: ClaimKind) -> list[Claim]:
    return [c for c in case.checked.claims if c.kind in kinds and c.status in BAD]


def _listed(claims: Sequence[Claim], good: str) -> str:
    if not claims:
        return good
    shown = [f"{c.text} ({c.status}{': ' + c.note if c.note else ''})" for c in claims[:5]]
    more = f" and {len(claims) - 5} more" if len(claims) > 5 else ""
    return "; ".join(shown) + more


def _gates(case: _Case) -> Iterator[Check]:
    bad = _bad(case, "number")
    yield _most(
        "missing_numbers",
        len(bad),
        case.limits.missing_numbers,
        _listed(bad, "every figure stands in the sources"),
        gate=True,
    )
    altered = [c for c in _bad(case, "segment") if c.status == "altered"]
    yield _most(
        "altered_segments",
        len(altered),
        case.limits.altered_segments,
        _listed(altered, "no segment name is altered"),
        gate=True,
    )
    cut = (
        not case.summary.nothing_found
        and style.is_truncated(case.summary.text, case.summary.finish_reason)
        and not _ends_with_a_line(case)
    )
    reason = f"the text is cut off (finish_reason {case.summary.finish_reason})"
    yield _most("truncated", int(cut), 0, reason if cut else "the text is complete", gate=True)
    empty = not case.summary.text.strip()
    yield _most("empty", int(empty), 0, "there is no text" if empty else "there is text", gate=True)


def _ends_with_a_line(case: _Case) -> bool:
    """Whether the text ends with a whole line of a source: a list's entry has no 。 there either."""
    summary = case.summary
    if summary.finish_reason == "length" or not summary.sentences:
        return False
    last = summary.sentences[-1]
    texts = {source.source_id: source.text for source in case.sources}
    words = "".join(summary.text[last.start : last.end].split())
    return any(
        texts.get(span.source_id, "")[span.end : span.end + 1] in {"", "\n"}
        and words.endswith("".join(texts.get(span.source_id, "")[span.start : span.end].split()))
        and span.end > span.start
        and span.source_id in texts
        for span in last.spans[-1:]
    )


def _claims(case: _Case) -> Iterator[Check]:
    limits = case.limits
    dates = _bad(case, "period", "date")
    yield _most(
        "missing_periods", len(dates), limits.missing_periods, _listed(dates, "all periods known")
    )
    names = _bad(case, "company", "person", "name", "place", "product")
    yield _most(
        "missing_names", len(names), limits.missing_names, _listed(names, "all names known")
    )
    unknown = [c for c in _bad(case, "segment") if c.status != "altered"]
    yield _most(
        "unknown_segments", len(unknown), limits.unknown_segments, _listed(unknown, "none unknown")
    )
    turned = _bad(case, "statement")
    yield _most(
        "turned_statements", len(turned), limits.turned_statements, _listed(turned, "none turned")
    )
    weak = [
        case.summary.text[item.start : item.end]
        for item in case.checked.sentences
        if not item.supported
    ]
    share = len(weak) / len(case.checked.sentences) if case.checked.sentences else 0.0
    message = "every sentence has support" if not weak else f"without support: {weak[0][:80]}"
    yield _most("unsupported_sentences", share, limits.unsupported_sentences, message)


def _form(case: _Case) -> Iterator[Check]:
    text, limits = case.summary.text, case.limits
    said = style.says_nothing(text)
    wrong = said != case.summary.nothing_found
    yield _most(
        "nothing_found",
        int(wrong),
        0,
        ("marked as nothing found, and " if case.summary.nothing_found else "")
        + f"the text says {'that nothing was found' if said else 'something'}",
    )
    count = style.bullets(text)
    yield _most("bullets", count, limits.bullets, f"{count} traces of lists or Markdown")
    count = style.conversation(text)
    yield _most("conversation", count, limits.conversation, f"{count} traces of conversation")
    count = style.first_person(text)
    yield _most("first_person", count, limits.first_person, f"{count} words of the first person")
    share = style.noun_endings(case.sentences)
    yield _most("noun_endings", share, limits.noun_endings, f"{share:.0%} end in a noun")
    share = style.long_sentences(case.sentences)
    yield _most("readability", share, limits.long_sentences, f"{share:.0%} are long sentences")
    share = style.mixed_endings(case.sentences)
    yield _most("mixed_endings", share, limits.mixed_endings, f"{share:.0%} in the rarer style")
    share = style.repetition(case.sentences)
    yield _most("repetition", share, limits.repetition, f"two sentences share {share:.0%}")
    texts = {source.source_id: source.text for source in case.sources}
    loose = dangling(text, case.checked.sentences, texts)
    words = ", ".join(f"{text[start:end]} ({start}-{end})" for start, end in loose[:5])
    message = f"without the sentence that it points to: {words}" if loose else "no loose connective"
    yield _most("dangling", len(loose), limits.dangling, message)
    if case.budget is not None:
        yield _most(
            "length",
            case.summary.tokens,
            case.budget,
            f"{case.summary.tokens} tokens of {case.budget}",
        )
    yield _language(case)


def _language(case: _Case) -> Check:
    """Share of the sentences that are, or hold words, in a language of none of the sources."""
    corpus = prepare(case.sources)
    home = corpus.tongues
    found = foreign(case.summary.text, home, lambda word: corpus.find(word) is not None)
    starts = [sentence.start for sentence in case.checked.sentences]
    hit = {bisect_right(starts, stretch.start) for stretch in found}
    share = len(hit) / len(starts) if starts and home else 0.0
    words = ", ".join(f"「{s.text[:40]}」 ({s.start}-{s.end}, {s.what})" for s in found[:5])
    message = f"{share:.0%} of the sentences hold another language: {words}"
    message = message if share else "as the sources"
    return _most("language", share, case.limits.other_language, message)


def _fit(case: _Case) -> Iterator[Check]:
    limits = case.limits
    if not case.sentences:
        return  # it says that it found nothing: nothing fits, and nothing is copied
    fit = aspect_fit(case.sentences, case.aspect.key, case.aspect.label)
    yield Check(
        name="aspect_fit",
        passed=fit >= limits.aspect_fit,
        gate=False,
        value=round(fit, 4),
        threshold=limits.aspect_fit,
        message=f"{fit:.0%} of the sentences speak of {case.aspect.label}",
    )
    yield _misplaced(case)
    overlaps = [
        (ngram_overlap(case.summary.text, other.text), other.aspect)
        for other in case.others
        if case.sentences and not other.nothing_found
    ]
    share, aspect = max(overlaps, default=(0.0, ""))
    yield _most(
        "overlap_other_aspects",
        share,
        limits.overlap_other_aspects,
        f"{share:.0%} shared with {aspect}" if aspect else "no other aspect",
    )
    yield _copied(case)


def _misplaced(case: _Case) -> Check:
    """Share of the sentences that clearly speak of another aspect, by their words and place."""
    found = [
        (sentence, spoken)
        for sentence, text in zip(case.checked.sentences, case.sentences, strict=True)
        if (spoken := other_aspect(text, case.aspect.key, sentence.evidence)) is not None
    ]
    share = len(found) / len(case.sentences)
    message = "no sentence speaks of another aspect"
    if found:
        first, spoken = found[0]
        message = (
            f"{share:.0%} of the sentences speak of another aspect, the first"
            f" ({first.start}-{first.end}) of {spoken}: {case.summary.text[first.start : first.end][:60]}"
        )
    return _most("misplaced", share, case.limits.misplaced, message)


def _copied(case: _Case) -> Check:
    """How much is the sources' own words: too much of a model's text, or too little of a quote."""
    same, whole = prepare(case.sources).packed.copied(case.summary.text)
    share = same / whole if whole else 0.0
    if case.summary.engine != "extractive":
        return _most(
            "copy_rate", share, case.limits.copy_rate, f"{share:.0%} is the sources' words"
        )
    return Check(
        name="copy_rate",
        passed=share >= case.limits.quoted_rate,
        gate=False,
        value=round(share, 4),
        threshold=case.limits.quoted_rate,
        message=f"the engine quotes, and {share:.0%} is the sources' words",
    )
