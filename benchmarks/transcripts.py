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

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from benchmarks.report import arguments, progress, report
from benchmarks.transcript_golds import (
    NAMES,
    RECORDS,
    TWINS,
    Scored,
    read_document,
    scored_records,
    scored_twins,
)
from benchmarks.transcript_tables import peer_tables, style_table, table
from g2_pipelines.text.tokens import Tokenizer, tokenizer
from g2_pipelines.transcripts import metrics
from g2_pipelines.transcripts.model_view import model_view


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
