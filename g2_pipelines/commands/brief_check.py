"""``g2 brief check``: any text against any sources.

Here: reading the files, the check, and how its result reads in a terminal. The check itself
stands in ``evaluation``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from g2_pipelines.commands.files import read_input
from g2_pipelines.commands.outputs import BriefCheckOutput, CheckedSource, Quote
from g2_pipelines.errors import InputError
from g2_pipelines.evaluation.sources import Source, SourceTurn
from g2_pipelines.tables.line1 import CheckedSentence, Claim, FilingFact
from g2_pipelines.tables.rows import Span

_SUPPORTED = frozenset({"supported_local", "supported_elsewhere"})
_FINE = _SUPPORTED | {"rounded", "derived"}
_SHOWN = 90  # characters of a quote in a terminal


class _Read(NamedTuple):
    sources: list[Source]
    segments: list[str]
    facts: list[FilingFact]


def check_brief(
    summary: Path, sources: Sequence[Path], *, segments: Sequence[str] = ()
) -> BriefCheckOutput:
    """Check a text's claims against texts, filings' zips and transcripts.

    ``segments`` are names besides those of the filings' XBRL.

    Raises:
        InputError: no source, an empty one, or a file that cannot be read.
        LimitError: the text is too long to be a summary.
    """
    from g2_pipelines.evaluation.check import check_text
    from g2_pipelines.evaluation.fact_index import FactTable

    if not sources:
        raise InputError("There is no source to check against", remedy="Give --source FILE")
    text = _decode(summary)
    if not text.strip():
        raise InputError(
            "There is no text to check", file=str(summary), remedy="Give a file that holds it"
        )
    read = [_read(file) for file in sources]
    given = [source for item in read for source in item.sources]
    facts = [fact for item in read for fact in item.facts]
    checked = check_text(
        text,
        given,
        segments=list(dict.fromkeys([*(n for item in read for n in item.segments), *segments])),
        facts=FactTable(facts) if facts else None,
    )
    texts = {source.source_id: source.text for source in given}
    cited = [span for claim in checked.claims for span in claim.evidence]
    cited += [span for sentence in checked.sentences for span in sentence.evidence]
    return BriefCheckOutput(
        text=text,
        claims=checked.claims,
        sentences=checked.sentences,
        totals=dict(sorted(Counter(str(claim.status) for claim in checked.claims).items())),
        sources=[
            CheckedSource(source_id=s.source_id, file=s.label, characters=len(s.text))
            for s in given
        ],
        quotes=[
            Quote(span=span, text=texts[span.source_id][span.start : span.end])
            for span in sorted(set_of(cited), key=lambda s: (s.source_id, s.start, s.end))
        ],
    )


def set_of(spans: Sequence[Span]) -> list[Span]:
    """``spans``, each once."""
    return list({(s.source_id, s.start, s.end): s for s in spans}.values())


def _decode(file: Path) -> str:
    try:
        return read_input(file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            "The text is not UTF-8",
            file=str(file),
            place=f"byte {error.start}",
            remedy="Convert it",
        ) from error


def _read(file: Path) -> _Read:
    from g2_pipelines.defs.register import file_type

    kind = "filing" if file.is_dir() else file_type(read_input(file), file.name)
    if kind == "pdf":
        raise InputError(
            "A PDF is no source as it is",
            file=str(file),
            remedy="Give its text: `g2 pdf nodes FILE --markdown`",
        )
    found = _filing(file) if kind == "filing" else _transcript(file)
    if not any(source.text.strip() for source in found.sources):
        raise InputError("The source holds no text", file=str(file), remedy="Give one that does")
    return found


def _filing(file: Path) -> _Read:
    from g2_pipelines.edinet.filing import read_filing

    read = read_filing(file)
    sources = [
        Source(source_id=s.source_id, text=s.text, label=f"{file.name} {s.section}")
        for s in read.sections
        if s.text
    ]
    return _Read(sources, read.segments, read.facts)


def _transcript(file: Path) -> _Read:
    from g2_pipelines.transcripts.make import make_transcript
    from g2_pipelines.transcripts.segment import segment

    transcript, clean = make_transcript(
        read_input(file),
        file.name,
        edinet_code="",
        fiscal_year="",
        kind="other",
        document_kind="verbatim",
    )
    turns, _ = segment(transcript, clean.timings)
    source = Source(
        source_id=transcript.source_id,
        text=transcript.text,
        label=file.name,
        turns=tuple(
            SourceTurn(start=t.start, end=t.end, role=t.role, speaker=t.speaker) for t in turns
        ),
    )
    return _Read([source], [], [])


def check_words(output: BriefCheckOutput) -> str:
    """Sentence by sentence: what is not simply supported, beside what the source says."""
    labels = {source.source_id: source.file for source in output.sources}
    lines: list[str] = []
    for sentence in output.sentences:
        claims = [
            claim
            for claim in output.claims
            if sentence.start <= claim.start < sentence.end and claim.status not in _SUPPORTED
        ]
        if sentence.supported and not claims:
            continue
        lines.append(_short(output.text[sentence.start : sentence.end]))
        lines += [line for claim in claims for line in _claim_lines(claim)]
        if not sentence.supported:
            lines.append(f"  ? without support in the sources (score {sentence.score:.2f})")
        for quote in _nearest(output, sentence, [c for c in claims if c.status not in _FINE]):
            lines.append(f"    nearest, {labels[quote.span.source_id]}: {_short(quote.text)}")
        lines.append("")
    return "\n".join([*lines, *_closing(output)])


def _nearest(
    output: BriefCheckOutput, sentence: CheckedSentence, wrong: Sequence[Claim]
) -> list[Quote]:
    """The passages around what the wrong claims were compared with; the sentence's own best one
    where a claim has none, or where the whole sentence is without support.
    """
    found = [_around(output.quotes, claim.evidence[0]) for claim in wrong if claim.evidence]
    passages = [quote for quote in found if quote]
    if (wrong or not sentence.supported) and len(passages) < max(len(wrong), 1):
        passages += [q for q in output.quotes if q.span in sentence.evidence[:1]]
    return [q for at, q in enumerate(passages) if q not in passages[:at]]


def _around(quotes: Sequence[Quote], span: Span) -> Quote | None:
    """The shortest cited passage that holds ``span`` and more."""
    holding = [
        q
        for q in quotes
        if q.span.source_id == span.source_id
        and q.span.start <= span.start
        and span.end <= q.span.end
        and q.span != span
    ]
    return min(holding, key=lambda q: q.span.end - q.span.start, default=None)


def _claim_lines(claim: Claim) -> Iterator[str]:
    mark = "·" if claim.status in _FINE else "✗"
    note = f": {claim.note}" if claim.note else ""
    yield f"  {mark} {claim.text}  {claim.kind} {claim.status}{note}"


def _closing(output: BriefCheckOutput) -> Iterator[str]:
    bad = sum(n for status, n in output.totals.items() if status not in _FINE)
    weak = sum(not sentence.supported for sentence in output.sentences)
    yield (
        f"{_counted(len(output.sentences), 'sentence')} ({weak} without support),"
        f" {_counted(len(output.claims), 'claim')}"
        f" ({bad} not borne out) against {_counted(len(output.sources), 'source')}"
    )
    if output.totals:
        yield ", ".join(f"{status} {count}" for status, count in output.totals.items())


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"
