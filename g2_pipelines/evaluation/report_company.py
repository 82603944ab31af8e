"""A company's page of the report: both sides' texts, every claim by status, its place in a source.

Here: ``company_page``. Not here: the report's front (``report_page``), the sources' text with its
marks (``briefs.page_sources``), which companies get a page (``defs``). ``defs`` and ``cli`` may
import this module.

The page holds no time or cost: equal rows give equal bytes. Every value is escaped by the
template; a content security policy forbids scripts and remote assets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from g2_pipelines.briefs.page_sources import Citation, source_html
from g2_pipelines.evaluation.criteria import is_bad
from g2_pipelines.evaluation.page_parts import KINDS, STATUSES, check_label, css, environment
from g2_pipelines.evaluation.report import Case, Judged, light
from g2_pipelines.tables.line1 import (
    BriefEvaluation,
    CheckedSentence,
    Claim,
    SectionHeading,
    SectionTable,
)
from g2_pipelines.tables.rows import Span
from g2_pipelines.text.messages import in_japanese

#: Places shown of a sentence, and of a claim.
_SENTENCE_PLACES = 2
_CLAIM_PLACES = 3
#: Characters of a quote; a short range is shown with what stands around it.
_QUOTE_CHARACTERS = 90
_AROUND = 22


class SpokenTurn(NamedTuple):
    """[start, end) of a transcript's text and who says it, in words."""

    start: int
    end: int
    who: str


@dataclass(frozen=True)
class SourceText:
    """A source as the page shows it: ``line`` is its document, element and page file."""

    source_id: str
    title: str
    line: str
    text: str
    tables: Sequence[SectionTable] = ()
    headings: Sequence[SectionHeading] = ()
    turns: Sequence[SpokenTurn] = ()


class _Ref(NamedTuple):
    number: str
    anchor: str
    title: str
    quote: str


@dataclass
class _Places:
    """Gives every cited range its number, once, and keeps what cites it first."""

    sources: dict[str, SourceText]
    numbers: dict[tuple[str, int, int], str] = field(default_factory=dict)
    hot: set[str] = field(default_factory=set)

    def ref(self, span: Span, *, hot: bool = False) -> _Ref | None:
        """The reference to a range; None where its source is not among those shown."""
        source = self.sources.get(span.source_id)
        if source is None or span.end <= span.start:
            return None
        key = (span.source_id, span.start, span.end)
        number = self.numbers.setdefault(key, str(len(self.numbers) + 1))
        if hot:
            self.hot.add(number)
        who = next((t.who for t in source.turns if t.start <= span.start < t.end), "")
        title = f"{source.title}｜{who}" if who else source.title
        return _Ref(number, f"src-{number}", title, _quote(source.text, span))

    def refs(self, spans: Sequence[Span], most: int, *, hot: bool = False) -> list[_Ref]:
        """The references of the first ranges."""
        found = (self.ref(span, hot=hot) for span in spans[:most])
        return [ref for ref in found if ref is not None]


def _quote(text: str, span: Span) -> str:
    """The cited characters on one line; of few, with their surroundings in the same line."""
    start, end = span.start, min(span.end, len(text))
    if end - start < 2 * _AROUND:
        start = max(start - _AROUND, text.rfind("\n", 0, start) + 1)
        line_end = text.find("\n", end)
        end = min(end + _AROUND, len(text) if line_end < 0 else line_end)
    quote = " ".join(text[start:end].split())
    if len(quote) > _QUOTE_CHARACTERS:
        quote = quote[: _QUOTE_CHARACTERS - 1] + "…"
    return quote


def company_page(
    case: Case,
    *,
    aspects: Sequence[tuple[str, str]],
    names: tuple[str, str],
    sources: Sequence[SourceText],
    year: str,
    brief: str = "",
) -> str:
    """The page of one company's year.

    Args:
        case: Its judged texts.
        aspects: (key, label), in order.
        names: What the left and the right side are called.
        sources: Texts that evidence may stand in; those that nothing cites are left out.
        year: The year in words.
        brief: Relative address of the published brief, "" where there is none.
    """
    places = _Places({source.source_id: source for source in sources})
    blocks = [
        {
            "key": key,
            "label": label,
            "sides": [
                _side(side.get(key), name, where, places)
                for side, name, where in zip(
                    (case.left, case.right), names, ("left", "right"), strict=True
                )
            ],
        }
        for key, label in aspects
        if key in case.left or key in case.right
    ]
    return (
        environment()
        .get_template("report_company.html.jinja")
        .render(
            company=case.company,
            year=year,
            names=names,
            blocks=blocks,
            sources=_sources(sources, places),
            css=css("report.css"),
            brief=brief,
            statuses=STATUSES,
        )
    )


def _side(judged: Judged | None, name: str, where: str, places: _Places) -> dict[str, Any] | None:
    if judged is None:
        return None
    summary, evaluation = judged
    lines = _lines(summary.text, evaluation, places)  # first: numbers follow the text
    failed = [check for check in evaluation.checks if not check.passed]
    checks = sorted(evaluation.checks, key=lambda c: (c.passed, not c.gate))
    return {
        "where": where,
        "name": name,
        "strategy": summary.strategy,
        "model": summary.model,
        "light": light(evaluation),
        "tokens": summary.tokens,
        "nothing": summary.nothing_found,
        "lines": lines,
        "failed": len(failed),
        "bad": sum(map(is_bad, evaluation.claims)),
        "claims": [_claim(claim, places) for claim in evaluation.claims],
        "checks": [
            {
                "label": check_label(check.name),
                "state": "ok" if check.passed else "bad" if check.gate else "warn",
                "word": "適合" if check.passed else "不適合" if check.gate else "注意",
                "gate": check.gate,
                "value": f"{check.value:g}",
                "threshold": f"{check.threshold:g}",
                "message": in_japanese(check.message),
            }
            for check in checks
        ],
    }


def _claim(claim: Claim, places: _Places) -> dict[str, Any]:
    word, colour = STATUSES[claim.status]
    about = [part for part in (claim.item, claim.segment, claim.period) if part]
    return {
        "kind": KINDS.get(claim.kind, claim.kind),
        "text": claim.text,
        "word": word,
        "colour": colour,
        "bad": is_bad(claim),
        "note": in_japanese(claim.note),
        "about": "・".join(about),
        "refs": places.refs(claim.evidence, _CLAIM_PLACES, hot=is_bad(claim)),
        "facts": [
            f"{fact.label or fact.element}：{fact.value}（{fact.context}）"
            for fact in claim.facts[:_CLAIM_PLACES]
        ],
    }


def _lines(text: str, evaluation: BriefEvaluation, places: _Places) -> list[list[dict[str, Any]]]:
    """The text's lines, each of sentences with their claims in colour and their places."""
    lines: list[list[dict[str, Any]]] = [[]]
    at = 0
    claims = _without_overlap(evaluation.claims)
    for sentence in evaluation.sentences:
        gap = text[at : sentence.start]
        if "\n" in gap and lines[-1]:
            lines.append([])
        lines[-1].append(_sentence(text, gap.strip("\n"), sentence, claims, places))
        at = sentence.end
    rest = text[at:].strip("\n")
    if rest.strip():
        lines[-1].append({"html": escape(rest), "refs": [], "supported": True, "score": ""})
    return [line for line in lines if line]


def _without_overlap(claims: Sequence[Claim]) -> list[Claim]:
    """Claims that can be shown side by side; of two on the same characters the worse one."""
    chosen: list[Claim] = []
    ranked = sorted(claims, key=lambda c: (not is_bad(c), c.start, -c.end))
    for claim in ranked:
        if all(claim.end <= other.start or other.end <= claim.start for other in chosen):
            chosen.append(claim)
    return sorted(chosen, key=lambda c: c.start)


def _sentence(
    text: str, gap: str, sentence: CheckedSentence, claims: Sequence[Claim], places: _Places
) -> dict[str, Any]:
    own = places.refs(sentence.evidence, _SENTENCE_PLACES) if sentence.supported else []
    out = escape(gap)
    at = sentence.start
    for claim in claims:
        if claim.start < at or claim.end > sentence.end:
            continue
        word, colour = STATUSES[claim.status]
        kind = KINDS.get(claim.kind, claim.kind)
        title = "｜".join(part for part in (kind, word, in_japanese(claim.note)) if part)
        refs = places.refs(claim.evidence, 1, hot=is_bad(claim))
        out += escape(text[at : claim.start])
        if refs:
            out += Markup('<a class="claim {}" href="#{}" title="{}">{}</a>').format(
                colour, refs[0].anchor, title, claim.text
            )
        else:
            out += Markup('<span class="claim {}" title="{}">{}</span>').format(
                colour, title, claim.text
            )
        at = claim.end
    out += escape(text[at : sentence.end])
    return {
        "html": out,
        "refs": own,
        "supported": sentence.supported,
        "score": f"{sentence.score:.2f}",
    }


def _sources(sources: Sequence[SourceText], places: _Places) -> list[dict[str, Any]]:
    cited: dict[str, list[Citation]] = {}
    for (source_id, start, end), number in places.numbers.items():
        cited.setdefault(source_id, []).append(
            Citation(
                start=start,
                end=min(end, len(places.sources[source_id].text)),
                anchor=f"src-{number}",
                back=f"ref-{number}",
                number=number,
                colour="hot" if number in places.hot else "plain",
            )
        )
    return [
        {
            "id": f"source-{place}",
            "title": source.title,
            "line": source.line,
            "html": source_html(
                source.text,
                cited[source.source_id],
                tables=source.tables,
                headings=source.headings,
            ),
        }
        for place, source in enumerate(
            (source for source in sources if source.source_id in cited), start=1
        )
    ]
