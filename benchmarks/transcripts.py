"""How well transcripts are cut, and how fast: figures beside trivial and public methods.

``python -m benchmarks.transcripts [--quick] [--json]``: turns, roles and chunks of the blind
twins (``g2_pipelines_tests/transcripts/blind``: texts and gold written without sight of the
code) and, where the real data lies beside the checkout, of three long records whose roles and
chunks were labelled likewise; anonymous speakers, by hiding the records' names; characters per
second of one process, reading, turns, chunks and the model's view.

``--styles`` prints the table per label style, ``--faults`` every difference in words,
``--votes FILE`` the vote table of one document. ``--twins FOLDER`` takes other twins.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from benchmarks.report import arguments, progress, report
from benchmarks.transcript_peers import PEERS, colon_turns
from g2_pipelines.tables.line1 import QaChunk, Transcript, TranscriptSegmentation, Turn
from g2_pipelines.text.tokens import Tokenizer, tokenizer
from g2_pipelines.transcripts import metrics
from g2_pipelines.transcripts.chunks import chunk
from g2_pipelines.transcripts.gold import (
    Fit,
    Gold,
    GoldChunk,
    GoldPlace,
    GoldTurn,
    fit,
    gold_cuts,
    places,
)
from g2_pipelines.transcripts.make import make_transcript
from g2_pipelines.transcripts.metrics import NOTHING, Scores
from g2_pipelines.transcripts.model_view import model_view
from g2_pipelines.transcripts.segment import segment

ROOT = Path(__file__).parents[1]
TWINS = ROOT / "g2_pipelines_tests" / "transcripts" / "blind"
RECORDS = ROOT.parent / "shared" / "data" / "transcripts"
CAP = 4_000
NAMES = ("long_bank_20100216", "long_market_20091218", "long_rugby_20160129")


class Read(NamedTuple):
    """A document as the pipeline sees it."""

    transcript: Transcript
    turns: list[Turn]
    segmentation: TranscriptSegmentation
    chunks: list[QaChunk]


class Scored(NamedTuple):
    """A document with its gold."""

    name: str
    kind: str  # twin or record
    read: Read
    gold: Gold
    fit: Fit


def read_document(content: bytes, name: str, counter: Tokenizer) -> Read:
    """Reader, turns and chunks, all at their defaults."""
    transcript, clean = make_transcript(
        content, name, edinet_code="E99001", fiscal_year="2025-03", kind="other", document_kind=None
    )
    turns, segmentation = segment(transcript, clean.timings)
    chunks = chunk(transcript, turns, segmentation, max_tokens=CAP, tokenizer=counter)
    return Read(transcript, turns, segmentation, chunks)


def scored_twins(folder: Path, counter: Tokenizer) -> Iterator[Scored]:
    """Every twin of the folder."""
    for file in sorted(folder.glob("*.gold.json")):
        if file.name.startswith("LONG") or file.name.startswith("long_"):
            continue
        name = file.name.removesuffix(".gold.json")
        [text] = [p for p in folder.glob(f"{name}.*") if not p.name.endswith(".gold.json")]
        gold = Gold.model_validate_json(file.read_text(encoding="utf-8"))
        read = read_document(text.read_bytes(), text.name, counter)
        yield Scored(name, "twin", read, gold, fit(*read, gold))


def scored_records(folder: Path, counter: Tokenizer) -> Iterator[Scored]:
    """The labelled long records; none where the data is not there."""
    for name in NAMES:
        labels = next((f for f in folder.glob("*.json") if _is_of(f, name)), None)
        if labels is None or not RECORDS.is_dir():
            continue
        gold = record_gold(json.loads(labels.read_text(encoding="utf-8")), name)
        read = read_document((RECORDS / f"{name}.txt").read_bytes(), f"{name}.txt", counter)
        yield Scored(name, "record", read, gold, fit(*read, gold))


def _is_of(file: Path, name: str) -> bool:
    return file.name.lower().removesuffix(".gold.json").removeprefix("long.") in (
        name,
        name.removeprefix("long_"),
    )


def record_gold(labels: dict[str, list[dict[str, object]]], name: str) -> Gold:
    """Labels by entry number with the record's own words."""
    entries = json.loads((RECORDS / f"{name}.json").read_text(encoding="utf-8"))["Proceeding"]
    number = {label["entry"]: i for i, label in enumerate(labels["turns"])}
    turns = [
        GoldTurn.model_validate(
            {
                "speaker": entries[label["entry"]]["Speaker"],
                "role": label["role"],
                "start_text": entries[label["entry"]]["Utterance"].strip()[:60],
                "end_text": entries[label["entry"]]["Utterance"].strip()[-40:],
            }
        )
        for label in labels["turns"]
    ]
    chunks = [
        GoldChunk.model_validate(
            {
                "part": row["part"],
                "turns": [number[e] for e in row["entries"] if e in number],  # type: ignore[attr-defined]
                "pattern": row.get("pattern"),
            }
        )
        for row in labels["chunks"]
    ]
    return Gold(
        style="record",
        document_kind="verbatim",
        segmentation="labelled",
        turns=turns,
        chunks=chunks,
    )


class Table(NamedTuple):
    """Measures of a group of documents."""

    documents: int
    turn_f1: float
    body_f1: float
    speaker_accuracy: float
    role_accuracy: float
    role_macro_f1: float
    role_unknown: float
    chunk_f1: float
    chunk_f1_near: float
    pk: float
    window_diff: float
    similarity: float
    pattern_accuracy: float
    count_accuracy: float | None
    followup_accuracy: float | None
    multi_answer_recall: float
    qa_start: float
    segmentation: float
    document_kind: float | None
    coverage: float


def table(group: Sequence[Scored]) -> Table:
    """Counts added up; Pk, WindowDiff and B are means over documents with several turns."""
    fits = [one.fit for one in group]
    twins = [one for one in group if one.kind == "twin"]
    roles = metrics.role_scores([pair for f in fits for pair in f.roles])
    cut = [f.chunks for f in fits if f.chunks.units > 1]
    kinds = [one.read.transcript.document_kind == one.gold.document_kind for one in twins]
    return Table(
        documents=len(group),
        turn_f1=_sum([f.turns for f in fits]).f1,
        body_f1=_sum([f.bodies for f in fits]).f1,
        speaker_accuracy=_sum([f.speakers for f in fits]).recall,
        role_accuracy=roles.accuracy,
        role_macro_f1=roles.macro_f1,
        role_unknown=roles.unknown_share,
        chunk_f1=_sum([f.chunks.exact for f in fits]).f1,
        chunk_f1_near=_sum([f.chunks.near for f in fits]).f1,
        pk=fmean([c.pk for c in cut]) if cut else 0.0,
        window_diff=fmean([c.window_diff for c in cut]) if cut else 0.0,
        similarity=fmean([c.similarity for c in cut]) if cut else 1.0,
        pattern_accuracy=_sum([f.chunks.patterns for f in fits]).recall,
        count_accuracy=_sum([o.fit.chunks.counts for o in twins]).recall if twins else None,
        followup_accuracy=_sum([o.fit.chunks.followups for o in twins]).recall if twins else None,
        multi_answer_recall=_sum([f.chunks.multi_answers for f in fits]).recall,
        qa_start=fmean([f.qa_start for f in fits]),
        segmentation=fmean([f.segmentation for f in fits]),
        document_kind=fmean(kinds) if kinds else None,
        coverage=min(f.coverage for f in fits),
    )


def _sum(scores: Sequence[Scores]) -> Scores:
    total = NOTHING
    for one in scores:
        total += one
    return total


def peer_tables(group: Sequence[Scored]) -> dict[str, dict[str, float]]:
    """Chunk F1, Pk, WindowDiff and B of the methods compared with, on the gold's own turns."""
    found: dict[str, dict[str, float]] = {}
    for name, peer in PEERS.items():
        counts, pks, diffs, similarities = NOTHING, [], [], []
        for one in group:
            text = one.read.transcript.text
            units, cuts = gold_cuts(text, one.gold)
            if len(units) < 2:
                continue
            gold = {units.index(cut) for cut in cuts} - {0}
            guess = peer(text, units, len(gold))
            counts += metrics.boundary_scores(gold, guess)
            pks.append(metrics.pk(gold, guess, len(units)))
            diffs.append(metrics.window_diff(gold, guess, len(units)))
            similarities.append(metrics.boundary_similarity(gold, guess))
        found[name] = {
            "chunk_f1": round(counts.f1, 4),
            "pk": round(fmean(pks), 4) if pks else 0.0,
            "window_diff": round(fmean(diffs), 4) if diffs else 0.0,
            "similarity": round(fmean(similarities), 4) if similarities else 1.0,
        }
    turns = NOTHING
    for one in group:
        starts = [s.start for s in _spots(one)]
        turns += metrics.boundary_scores(starts, colon_turns(one.read.transcript.text))
    found["line_to_colon"]["turn_f1"] = round(turns.f1, 4)
    return found


def _spots(one: Scored) -> list[GoldPlace]:
    return places(one.read.transcript.text, one.gold)


class Anonymous(NamedTuple):
    """Roles of speakers whose names were hidden, against the roles that their names tell."""

    accuracy: float
    bins: list[metrics.Bin]


def anonymous_roles(counter: Tokenizer) -> Anonymous | None:
    """The long records with 話者N for every name; None where the data is not there."""
    if not RECORDS.is_dir():
        return None
    judged: list[tuple[float, bool]] = []
    for name in NAMES:
        named = read_document((RECORDS / f"{name}.txt").read_bytes(), f"{name}.txt", counter)
        numbers: dict[str | None, int] = {}
        hidden = "\n".join(
            f"話者{numbers.setdefault(turn.speaker, len(numbers) + 1)}：{turn.text}"
            for turn in named.turns
        )
        voted = read_document(hidden.encode(), f"{name}.txt", counter)
        judged += [
            (b.confidence, a.role == b.role) for a, b in zip(named.turns, voted.turns, strict=True)
        ]
    return Anonymous(fmean([right for _, right in judged]), metrics.confidence_bins(judged))


def chars_per_s(texts: Sequence[bytes], counter: Tokenizer, *, repeats: int) -> float:
    """Characters per processor second of one core: the best of several runs."""
    best = 0.0
    for _ in range(repeats):
        size, begin = 0, time.process_time()
        for number, content in enumerate(texts):
            read = read_document(content, f"{number}.txt", counter)
            model_view(read.transcript.text)
            size += len(read.transcript.text)
        best = max(best, size / (time.process_time() - begin))
    return best


def growth(counter: Tokenizer, *, sizes: Sequence[int]) -> dict[str, float]:
    """Processor seconds for texts of growing size: an ordinary call and a senseless one."""
    call = "".join(
        f"記者{i % 7}：第{i}期の受注の見通しと、新しい工場の立ち上がりについて教えてください。\n"
        f"三枝社長：受注は前年を上回っております。工場は計画どおり動いており、来期に寄与します。\n"
        for i in range(100)
    )
    found = {}
    for name, unit in (("call", call), ("labels", "深沢：\n小林：\n")):
        for size in sizes:
            content = (unit * (size // len(unit))).encode()
            begin = time.process_time()
            read_document(content, "a.txt", counter)
            found[f"{name}_{size}_s"] = round(time.process_time() - begin, 2)
    return found


def vote_table(file: Path, counter: Tokenizer) -> str:
    """The votes of one document as a Markdown table."""
    cut = read_document(file.read_bytes(), file.name, counter).segmentation
    rows = [
        "| style | lines | labels | repeats | alternation | chosen |",
        "|---|---|---|---|---|---|",
        *(
            f"| {v.style} | {v.lines} | {v.labels} | {v.repeats} | {v.alternation:.2f}"
            f" | {'yes' if v.chosen else ''} |"
            for v in cut.votes
        ),
    ]
    return "\n".join([*rows, "", f"{cut.segmentation}, {cut.style}; {'; '.join(cut.warnings)}"])


def style_table(scored: Sequence[Scored]) -> str:
    """Measures per label style, trivial baselines beside them."""
    groups: dict[str, list[Scored]] = defaultdict(list)
    for one in scored:
        groups[one.gold.style].append(one)
    head = "turn F1|role acc.|chunk F1|Pk|WD|B|pattern|none: Pk|even: F1|even: Pk|first Q&A: F1|colon: F1"
    lines = [f"| style | n | {' | '.join(head.split('|'))} |", "|---" * 14 + "|"]
    for style, group in [*sorted(groups.items()), ("**all**", list(scored))]:
        ours, peers = table(group), peer_tables(group)
        cells = [
            *(ours.turn_f1, ours.role_accuracy, ours.chunk_f1, ours.pk, ours.window_diff),
            *(ours.similarity, ours.pattern_accuracy, peers["none"]["pk"]),
            *(peers["even"]["chunk_f1"], peers["even"]["pk"]),
            *(peers["first_qa_string"]["chunk_f1"], peers["line_to_colon"]["chunk_f1"]),
        ]
        lines.append(f"| {style} | {len(group)} | {' | '.join(f'{c:.3f}' for c in cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Measures and prints."""
    parser = arguments(__doc__)
    parser.add_argument("--twins", type=Path, default=TWINS)
    parser.add_argument("--styles", action="store_true", help="the table per label style")
    parser.add_argument("--faults", action="store_true", help="every difference in words")
    parser.add_argument("--votes", type=Path, help="the vote table of this document")
    given = parser.parse_args()
    counter = tokenizer("qwen3")
    if given.votes:
        print(vote_table(given.votes, counter))
        return
    progress("twins and records")
    twins = list(scored_twins(given.twins, counter))
    records = list(scored_records(given.twins, counter))
    scored = [*twins, *records]
    if given.styles:
        print(style_table(scored))
        return
    if given.faults:
        for one in scored:
            for words in _faults(one):
                print(f"{one.name}: {words}")
        return
    progress("anonymous speakers")
    hidden = anonymous_roles(counter)
    progress("speed")
    if RECORDS.is_dir():
        texts = [(RECORDS / f"{name}.txt").read_bytes() for name in NAMES]
    else:
        texts = [one.read.transcript.text.encode() for one in twins]
    every = table(scored)
    groups = {"twins": table(twins), **({"records": table(records)} if records else {})}
    figures: dict[str, float | None] = {
        "turn_f1": every.turn_f1,
        "role_accuracy": every.role_accuracy,
        "chunk_f1": every.chunk_f1,
        "coverage": every.coverage,
        "chars_per_s": chars_per_s(texts, counter, repeats=3 if given.quick else 10),
    }
    sizes = (250_000, 500_000) if given.quick else (1_000_000, 3_000_000, 10_000_000)
    peers: dict[str, object] = {
        **peer_tables(scored),
        "all": every._asdict(),
        **{name: group._asdict() for name, group in groups.items()},
        "anonymous": None
        if hidden is None
        else {
            "role_accuracy": hidden.accuracy,
            "bins": [{**b._asdict(), "accuracy": b.accuracy} for b in hidden.bins if b.turns],
        },
        "growth": growth(counter, sizes=sizes),
    }
    report(figures, peers, as_json=given.json, packages=("g2_pipelines",))


def _faults(one: Scored) -> Iterator[str]:
    yield from one.fit.wrong
    if not one.fit.qa_start:
        yield f"the Q&A was to begin at {one.gold.qa_start!r}"
    if not one.fit.segmentation:
        yield f"segmentation {one.read.segmentation.segmentation}, wanted {one.gold.segmentation}"
    kind = one.read.transcript.document_kind
    if one.kind == "twin" and kind != one.gold.document_kind:
        reason = one.read.transcript.document_kind_reason
        yield f"kind {kind} ({reason}), wanted {one.gold.document_kind}"
    if one.fit.coverage < 1:
        yield f"coverage {one.fit.coverage}"


if __name__ == "__main__":
    main()
