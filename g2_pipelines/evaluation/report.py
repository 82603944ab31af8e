"""The evaluation report's data: texts of two sides, added company by company, into rows.

Here: ``ReportBuilder`` and ``Report``. Not here: where evaluations are read (``defs``), the
pages (``report_page``, ``report_company``), statistics (``compare``), the paper's terms
(``criteria``). ``defs`` and ``cli`` may import this module.

What is kept of a text is a row of counts and its flagged claims, so that memory grows with the
number of texts, not with their length. Companies may be added in any order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from g2_pipelines.evaluation.compare import Outcome, Paired, corrected
from g2_pipelines.evaluation.criteria import (
    CRITERIA,
    FIGURES_EVERYWHERE,
    check_outcomes,
    everywhere,
    is_bad,
    outcomes_by_source,
    text_outcomes,
)
from g2_pipelines.keys import digest_of
from g2_pipelines.tables.line1 import BriefEvaluation, Claim, Company, Summary
from g2_pipelines.tables.report import (
    Comparison,
    FlaggedClaim,
    Group,
    Light,
    ReportText,
    Scope,
    Unit,
    Where,
)

_SENTENCE_CHARACTERS = 240
_SIDES: tuple[Where, Where] = ("left", "right")


class Judged(NamedTuple):
    """A text with its evaluation."""

    summary: Summary
    evaluation: BriefEvaluation


@dataclass(frozen=True)
class Case:
    """A company's year: the judged texts of both sides by aspect.

    ``type_of`` maps (source_id, place) to the source type's key.
    """

    company: Company
    fiscal_year: str
    left: Mapping[str, Judged]
    right: Mapping[str, Judged]
    type_of: Callable[[str, int], str]

    @property
    def key(self) -> tuple[str, str]:
        """Company and year."""
        return self.company.edinet_code, self.fiscal_year


@dataclass(frozen=True)
class Makers:
    """How one side's texts came about: each value once, sorted."""

    strategies: tuple[str, ...]
    engines: tuple[str, ...]
    models: tuple[str, ...]
    prompts: tuple[str, ...]


@dataclass(frozen=True)
class Report:
    """All that the pages show; rows in a fixed order.

    comparisons: paper's criteria and checks, for all texts, per aspect and per source type.
    unpaired: (company, year, aspect, the side that has it).
    """

    aspects: tuple[str, ...]
    comparisons: list[Comparison]
    texts: list[ReportText]
    flagged: list[FlaggedClaim]
    claims: Mapping[Where, Mapping[str, int]]
    makers: Mapping[Where, Makers]
    unpaired: list[tuple[str, str, str, Where]]

    def of(self, where: Where) -> list[ReportText]:
        """One side's texts."""
        return [row for row in self.texts if row.where == where]

    def worst(self, where: Where, count: int = 10) -> list[ReportText]:
        """One side's texts that need a look most, worst first; none that pass everything."""
        found = [row for row in self.of(where) if row.light != "green"]
        return sorted(found, key=badness)[:count]


class _Place(NamedTuple):
    group: Group
    scope: Scope
    of: str
    unit: Unit


@dataclass
class ReportBuilder:
    """Takes cases one by one; ``report`` gives what they come to.

    aspects: their keys, in the order in which they are shown.
    """

    aspects: Sequence[str]
    _counts: dict[tuple[_Place, str], Paired] = field(default_factory=dict)
    _gates: dict[str, bool] = field(default_factory=dict)
    _texts: list[ReportText] = field(default_factory=list)
    _flagged: list[FlaggedClaim] = field(default_factory=list)
    _claims: dict[Where, Counter[str]] = field(
        default_factory=lambda: {where: Counter() for where in _SIDES}
    )
    _unpaired: list[tuple[str, str, str, Where]] = field(default_factory=list)
    _ranks: dict[str, int] = field(default_factory=dict)
    _company: dict[tuple[_Place, str], list[int]] = field(default_factory=dict)

    def add(self, case: Case) -> None:
        """Count one company's year."""
        for where, side in zip(_SIDES, (case.left, case.right), strict=True):
            for aspect in self._of(side):
                self._note(case, where, side[aspect])
        both = [aspect for aspect in self._of(case.left) if aspect in case.right]
        for aspect in self._of({**case.left, **case.right}):
            if aspect not in both:
                only: Where = "left" if aspect in case.left else "right"
                self._unpaired.append((*case.key, aspect, only))
        for aspect in both:
            self._pair(case, aspect)
        if both:
            found = (
                Outcome(everywhere(side[aspect].evaluation for aspect in both))
                for side in (case.left, case.right)
            )
            self._rank([one.key for one in CRITERIA])
            self._add(_Place("paper", "all", "", "company"), FIGURES_EVERYWHERE.key, *found)
        for key, failed in self._company.items():
            self._counts[key].add_company(*failed)
        self._company.clear()

    def report(self) -> Report:
        """The rows of what was added so far."""
        unpaired = sorted(self._unpaired, key=self._order)
        lost = Counter({"": len(unpaired)}) + Counter(aspect for _, _, aspect, _ in unpaired)
        rows = [
            paired.row(
                name,
                group=place.group,
                scope=place.scope,
                of=place.of,
                unit=place.unit,
                gate=place.group == "check" and self._gates[name],
                unpaired=lost[place.of] if place.unit == "text" else 0,
            )
            for (place, name), paired in sorted(self._counts.items(), key=self._row_order)
        ]
        texts = sorted(self._texts, key=lambda r: (*self._order(_key(r)), r.where))
        return Report(
            aspects=tuple(self.aspects),
            comparisons=corrected(rows),
            texts=texts,
            flagged=sorted(self._flagged, key=lambda r: (*self._order(_key(r)), r.where)),
            claims={where: dict(sorted(self._claims[where].items())) for where in _SIDES},
            makers={where: _makers([r for r in texts if r.where == where]) for where in _SIDES},
            unpaired=unpaired,
        )

    def _of(self, side: Mapping[str, Judged]) -> list[str]:
        return [aspect for aspect in self.aspects if aspect in side]

    def _order(self, key: tuple[str, str, str, Where]) -> tuple[str, str, int, Where]:
        code, year, aspect, where = key
        return code, year, self.aspects.index(aspect), where

    def _row_order(self, item: tuple[tuple[_Place, str], Paired]) -> tuple[object, ...]:
        (place, name), _ = item
        scopes = ("all", "aspect", "source_type")
        of = self.aspects.index(place.of) if place.scope == "aspect" else 0
        return (
            ("paper", "check").index(place.group),
            scopes.index(place.scope),
            of,
            place.of,
            self._ranks[name],
            name,
        )

    def _note(self, case: Case, where: Where, judged: Judged) -> None:
        row = text_row(case.company, where, judged)
        self._texts.append(row)
        for claim in judged.evaluation.claims:
            self._claims[where][claim.status] += 1
            if is_bad(claim):
                self._flagged.append(_flagged(judged, claim, where))

    def _pair(self, case: Case, aspect: str) -> None:
        left, right = case.left[aspect].evaluation, case.right[aspect].evaluation
        groups: tuple[tuple[Group, Mapping[str, Outcome], Mapping[str, Outcome]], ...] = (
            ("paper", text_outcomes(left), text_outcomes(right)),
            ("check", check_outcomes(left), check_outcomes(right)),
        )
        scopes: tuple[tuple[Scope, str], ...] = (("all", ""), ("aspect", aspect))
        for group, ours, theirs in groups:
            self._rank(list(ours))
            for name in ours:
                if name in theirs:
                    self._gates.setdefault(name, ours[name].gate)
                    for scope, of in scopes:
                        place = _Place(group, scope, of, "text")
                        self._add(place, name, ours[name], theirs[name])
        by_left = outcomes_by_source(left, case.type_of)
        by_right = outcomes_by_source(right, case.type_of)
        for source_type in by_left.keys() & by_right.keys():
            place = _Place("paper", "source_type", source_type, "text")
            for name, outcome in by_left[source_type].items():
                self._add(place, name, outcome, by_right[source_type][name])

    def _rank(self, names: Sequence[str]) -> None:
        """A row's place: the last that it has in any text, whichever text came first."""
        for place, name in enumerate(names):
            self._ranks[name] = max(place, self._ranks.get(name, 0))

    def _add(self, place: _Place, name: str, left: Outcome, right: Outcome) -> None:
        self._counts.setdefault((place, name), Paired()).add(left, right)
        failed = self._company.setdefault((place, name), [0, 0])
        failed[0] += left.found
        failed[1] += right.found


def text_row(company: Company, where: Where, judged: Judged) -> ReportText:
    """What a report keeps of one text."""
    summary, evaluation = judged
    failed = [check for check in evaluation.checks if not check.passed]
    return ReportText(
        edinet_code=summary.edinet_code,
        name=company.name,
        fiscal_year=summary.fiscal_year,
        aspect=summary.aspect,
        where=where,
        strategy=summary.strategy,
        engine=summary.engine,
        model=summary.model,
        prompt_version=summary.prompt_version,
        digest=text_digest(summary.text),
        light=light(evaluation),
        nothing_found=summary.nothing_found,
        tokens=summary.tokens,
        claims=len(evaluation.claims),
        bad_claims=sum(map(is_bad, evaluation.claims)),
        sentences=len(evaluation.sentences),
        unsupported=sum(not sentence.supported for sentence in evaluation.sentences),
        failed_gates=[check.name for check in failed if check.gate],
        failed_checks=[check.name for check in failed if not check.gate],
    )


def text_digest(text: str) -> str:
    """By which a verdict on a text is known to be of it."""
    return digest_of(text.encode("utf-8", "surrogatepass"))[:16]


def light(evaluation: BriefEvaluation) -> Light:
    """red: a gate failed; amber: another check; green: none."""
    failed = [check for check in evaluation.checks if not check.passed]
    if any(check.gate for check in failed):
        return "red"
    return "amber" if failed else "green"


def badness(row: ReportText) -> tuple[object, ...]:
    """Sorts the worst first: gates, then claims, then sentences, then checks; ties by key."""
    return (
        -len(row.failed_gates),
        -row.bad_claims,
        -row.unsupported,
        -len(row.failed_checks),
        row.edinet_code,
        row.fiscal_year,
        row.aspect,
    )


def _key(row: ReportText | FlaggedClaim) -> tuple[str, str, str, Where]:
    return row.edinet_code, row.fiscal_year, row.aspect, row.where


def _flagged(judged: Judged, claim: Claim, where: Where) -> FlaggedClaim:
    summary, evaluation = judged
    around = next(
        (s for s in evaluation.sentences if s.start <= claim.start < s.end),
        None,
    )
    text = summary.text[around.start : around.end] if around else claim.text
    line = " ".join(text.split())
    cut = line[: _SENTENCE_CHARACTERS - 1] + "…" if len(line) > _SENTENCE_CHARACTERS else line
    return FlaggedClaim(
        edinet_code=summary.edinet_code,
        fiscal_year=summary.fiscal_year,
        aspect=summary.aspect,
        where=where,
        kind=claim.kind,
        status=claim.status,
        text=claim.text,
        note=claim.note,
        sentence=cut,
        evidence=claim.evidence[:3],
    )


def _makers(rows: Sequence[ReportText]) -> Makers:
    return Makers(
        strategies=tuple(sorted({row.strategy for row in rows})),
        engines=tuple(sorted({row.engine for row in rows})),
        models=tuple(sorted({row.model for row in rows})),
        prompts=tuple(sorted({row.prompt_version for row in rows})),
    )
