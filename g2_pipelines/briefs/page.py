"""The brief as a page for a person: one HTML file that needs nothing else.

Here: ``brief_page`` and what it puts on the page. Not here: the sources' texts with their
marks (``page_sources``), its words (``page_words``), layout and style (``templates``). Importable by defs and cli.

The page holds no time, duration or attempt: equal rows give equal bytes. Every value is
escaped by the template; a content security policy forbids scripts and remote assets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any, NamedTuple

import jinja2
from markupsafe import Markup, escape

from g2_pipelines.briefs.config import BriefConfig
from g2_pipelines.briefs.page_articles import source_articles
from g2_pipelines.briefs.page_sources import Citation
from g2_pipelines.briefs.page_words import (
    check_label,
    facts,
    footer,
    section_title,
    source_notes,
    strategy_words,
    text_title,
    transcript_title,
    warning_words,
    year_in_words,
)
from g2_pipelines.tables.line1 import (
    BriefEvaluation,
    Claim,
    Company,
    CompanyText,
    FilingSection,
    Summary,
    SummarySentence,
    Transcript,
)
from g2_pipelines.tables.rows import Span
from g2_pipelines.text.language import language
from g2_pipelines.text.messages import in_japanese

_COLOURS = 6
_STOPS = ("。", "．", "」", "）", "！", "？")  # full width: blank behind the sign
_BAD_CLAIMS = {
    "missing": "資料に見当たらない",
    "altered": "資料と表記が異なる",
    "sign_conflict": "符号が資料と異なる",
    "unit_conflict": "単位が資料と異なる",
    "scale_conflict": "桁が資料と異なる",
}
_SOFT_CLAIMS = {
    "rounded": "資料の値を丸めたもの",
    "derived": "資料の値から計算したもの",
}


class _Ref(NamedTuple):
    number: str
    anchor: str
    back: str
    title: str


class _Numbering:
    """Gives citations their numbers and collects them by source."""

    def __init__(self, titles: Mapping[str, str]) -> None:
        self.titles = titles
        self.by_source: dict[str, list[Citation]] = {}
        self._main = 0
        self._simple = 0

    def refs(self, sentence: SummarySentence, colour: str, *, simple: bool) -> list[_Ref]:
        """One reference a run of spans in one source; spans of unknown sources have none."""
        refs = []
        for span in _runs(sentence.spans):
            title = self.titles.get(span.source_id)
            if title is None:
                continue
            if simple:
                self._simple += 1
                number = f"s{self._simple}"
            else:
                self._main += 1
                number = str(self._main)
            ref = _Ref(number, f"src-{number}", f"ref-{number}", title)
            refs.append(ref)
            self.by_source.setdefault(span.source_id, []).append(
                Citation(
                    start=span.start,
                    end=span.end,
                    anchor=ref.anchor,
                    back=ref.back,
                    number=number,
                    colour="plain" if simple else colour,
                )
            )
        return refs


def brief_page(
    *,
    company: Company,
    fiscal_year: str,
    config: BriefConfig,
    summaries: Sequence[Summary],
    compared: Sequence[Summary] = (),
    evaluations: Sequence[BriefEvaluation] = (),
    sections: Sequence[FilingSection],
    transcripts: Sequence[Transcript] = (),
    texts: Sequence[CompanyText] = (),
    notes: Sequence[str] = (),
) -> str:
    """The page of one company and fiscal year.

    Args:
        company: Its row.
        fiscal_year: YYYY-MM of the period's end.
        config: Aspects and source types, whose order the page keeps.
        summaries: Final summaries, one an aspect; pre-summaries among them are ignored.
        compared: Final summaries of other strategies (the baseline), folded beside them.
        evaluations: Evaluations of both; their checks and conflicting claims are shown.
        sections: The year's sections; shown are those of the configured source types and
            whatever is cited.
        transcripts: The year's transcripts.
        texts: The year's company texts.
        notes: What the reader must know, e.g. that there is no transcript.

    Returns:
        HTML with inline style, without script or remote asset. Every link on it leads to an
        element of it.
    """
    cited = _cited([*summaries, *compared])
    shown_sections = _shown_sections(config, cited, sections)
    transcripts = [
        row for row in transcripts if row.kind in config.transcript_kinds or row.source_id in cited
    ]
    numbering = _Numbering(
        {
            **{row.source_id: section_title(row) for row in shown_sections},
            **{row.source_id: transcript_title(row) for row in transcripts},
            **{row.source_id: text_title(row, config) for row in texts},
        }
    )
    finals = {row.aspect: row for row in summaries if not row.source_type}
    checked = {(row.aspect, str(row.strategy)): row for row in evaluations}
    aspects = [
        _aspect(
            config.aspects[place].model_dump(include={"key", "label", "label_english", "meaning"}),
            colour=f"c{place % _COLOURS}",
            main=finals.get(aspect.key),
            compared=[row for row in compared if row.aspect == aspect.key and not row.source_type],
            checked=checked,
            numbering=numbering,
        )
        for place, aspect in enumerate(config.aspects)
    ]
    return (
        _environment()
        .get_template("brief.html.jinja")
        .render(
            company=company,
            year=year_in_words(fiscal_year),
            css=Markup(_asset("brief.css")),  # noqa: S704 — a file of this package
            facts=facts(company, fiscal_year, [*finals.values()]),
            notes=[*notes, *source_notes(shown_sections)],
            aspects=aspects,
            sources=source_articles(
                shown_sections, transcripts, texts, numbering.by_source, config
            ),
            footer=footer(shown_sections, [*finals.values()]),
        )
    )


def _aspect(
    named: dict[str, Any],
    *,
    colour: str,
    main: Summary | None,
    compared: Sequence[Summary],
    checked: Mapping[tuple[str, str], BriefEvaluation],
    numbering: _Numbering,
) -> dict[str, Any]:
    block = {**named, "colour": colour, "main": None, "warnings": []}
    evaluation = None if main is None else checked.get((main.aspect, main.strategy))
    if main is not None:
        block["main"] = _text(main, evaluation, colour, numbering, simple=False)
        block["warnings"] = [warning_words(warning) for warning in main.warnings]
    block["checks"] = _checks(evaluation)
    block["compared"] = [
        {
            "how": strategy_words(row.strategy),
            "text": _text(
                row, checked.get((row.aspect, row.strategy)), colour, numbering, simple=True
            ),
            "checks": _checks(checked.get((row.aspect, row.strategy))),
        }
        for row in compared
    ]
    block["state"] = _state(evaluation, main)
    return block


def _text(
    summary: Summary,
    evaluation: BriefEvaluation | None,
    colour: str,
    numbering: _Numbering,
    *,
    simple: bool,
) -> dict[str, Any]:
    """A summary's lines, each of pieces (a sentence with its references)."""
    claims = evaluation.claims if evaluation is not None else []
    lines: list[dict[str, Any]] = []
    before = None
    for sentence in summary.sentences:
        gap = "" if before is None else summary.text[before : sentence.start]
        if before is None or "\n" in gap:
            lines.append({"pieces": [], "source": ""})
        refs = numbering.refs(sentence, colour, simple=simple)
        html = escape(gap.strip("\n")) + _sentence(summary.text, sentence, claims)
        # A mark stands in the blank half of a full stop; behind a letter it needs room.
        room = "" if summary.text.endswith(_STOPS, 0, sentence.end) else " room"
        lines[-1]["pieces"].append({"html": html, "refs": refs, "room": room})
        if refs:
            lines[-1]["source"] = refs[0].title.replace("｜", " ")
        before = sentence.end
    # The source is named once, under the last of its lines.
    for line, after in pairwise(lines):
        if line["source"] == after["source"]:
            line["source"] = ""
    return {
        "lines": lines,
        "nothing": summary.nothing_found,
        "language": "" if summary.nothing_found else language(summary.text),
    }


def _sentence(text: str, sentence: SummarySentence, claims: Sequence[Claim]) -> Markup:
    """A sentence's characters; claims that the sources do not bear out are underlined."""
    out = Markup("")
    at = sentence.start
    for claim in sorted(claims, key=lambda one: (one.start, one.end)):
        word = _BAD_CLAIMS.get(claim.status) or _SOFT_CLAIMS.get(claim.status)
        if word is None or claim.start < at or claim.end > sentence.end:
            continue
        kind = "bad" if claim.status in _BAD_CLAIMS else "soft"
        out += escape(text[at : claim.start])
        out += Markup('<span class="claim {}" title="{}">{}</span>').format(
            kind, word, text[claim.start : claim.end]
        )
        at = claim.end
    return out + escape(text[at : sentence.end])


def _checks(evaluation: BriefEvaluation | None) -> list[dict[str, Any]]:
    if evaluation is None:
        return []
    return [
        {
            "label": check_label(check.name),
            "gate": check.gate,
            "message": in_japanese(check.message),
            **_status(passed=check.passed, gate=check.gate),
        }
        for check in evaluation.checks
    ]


def _status(*, passed: bool, gate: bool) -> dict[str, str]:
    if passed:
        return {"state": "ok", "word": "適合"}
    return {"state": "bad", "word": "不適合"} if gate else {"state": "warn", "word": "注意"}


def _state(evaluation: BriefEvaluation | None, main: Summary | None) -> dict[str, str] | None:
    if evaluation is None or main is None:
        return None
    failed = [check for check in evaluation.checks if not check.passed]
    state = _status(passed=not failed, gate=any(check.gate for check in failed))
    word = f"検査 {len(evaluation.checks) - len(failed)}/{len(evaluation.checks)}"
    return {"state": state["state"], "word": word}


def _cited(summaries: Sequence[Summary]) -> set[str]:
    return {
        span.source_id
        for summary in summaries
        for sentence in summary.sentences
        for span in sentence.spans
    }


def _shown_sections(
    config: BriefConfig, cited: set[str], sections: Sequence[FilingSection]
) -> list[FilingSection]:
    """Sections of the configured types and those cited, in the configuration's order."""
    selects = [one.select for one in config.source_types if one.reader == "filing_section"]
    order = {select: place for place, select in enumerate(dict.fromkeys(selects))}
    shown = [
        row
        for row in sections
        if row.text
        and (row.source_id in cited or (row.section in order and row.superseded_by is None))
    ]
    return sorted(
        shown, key=lambda row: (order.get(row.section, len(order)), row.document_id, row.order)
    )


def _runs(spans: Sequence[Span]) -> list[Span]:
    """Spans joined where only a few characters (fillers left out) lie between them."""
    runs: list[Span] = []
    for span in spans:
        last = runs[-1] if runs else None
        if (
            last is not None
            and last.source_id == span.source_id
            and 0 <= span.start - last.end <= 24
        ):
            runs[-1] = Span(source_id=last.source_id, start=last.start, end=span.end)
        else:
            runs.append(span)
    return runs


@cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FunctionLoader(_asset),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _asset(name: str) -> str:
    return (resources.files("g2_pipelines.briefs") / "templates" / name).read_text("utf-8")
