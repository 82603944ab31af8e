"""Documents with their gold: blind twins, and long records labelled likewise, read and scored.

Here: reading a document as the pipeline does, and fitting it to its gold. The figures of a
group stand in ``transcript_tables``, what is printed in ``transcripts``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from g2_pipelines.tables.line1 import QaChunk, Transcript, TranscriptSegmentation, Turn
from g2_pipelines.text.tokens import Tokenizer
from g2_pipelines.transcripts.chunks import chunk
from g2_pipelines.transcripts.gold import Gold, GoldChunk, GoldTurn
from g2_pipelines.transcripts.gold_fit import Fit, fit
from g2_pipelines.transcripts.make import make_transcript
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
