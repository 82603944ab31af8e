"""The blind set of ``benchmarks.evaluation``: the other generator's cases, made in the run.

Here: ``blind_cases``, ``blind_rates`` and ``transcripts``. Its author had not seen the checker. Since the
checker was mended by what one draw (seed 1) showed, another seed is drawn here: other cases, of the same kinds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.blind_corruptions.generate import cases
from benchmarks.blind_corruptions.source import Source as Text
from benchmarks.corruptions import Case
from g2_pipelines.evaluation.sources import Source

if TYPE_CHECKING:
    from benchmarks.evaluation_tally import Tally

SEED, PER_KIND = 2, 150
LEAST = 800  # characters of a source that sentences are drawn from
KEPT = frozenset({"verbatim"})
NUMBERS = ("digit", "order", "x10", "rate_scale", "unit", "sign")
SWAPS = ("item", "period", "segment")
MOVEMENTS = ("two_amount", "two_current", "two_direction")


def transcripts(folder: Path) -> dict[str, list[Source]]:
    """The long records of a folder as sources, by their file's name; none where there are none."""
    return {
        file.stem: [Source(source_id=file.stem, text=file.read_text(encoding="utf-8"))]
        for file in sorted(folder.glob("long_*.txt"))
    }


def blind_cases(
    sources: Mapping[str, Sequence[Source]], *, seed: int = SEED, per_kind: int = PER_KIND
) -> list[Case]:
    """Cases of every kind from texts by name; a false one is not true elsewhere in its text."""
    owner: dict[str, str] = {}
    texts: list[Text] = []
    for name, parts in sources.items():
        for number, part in enumerate(parts):
            if len(part.text) >= LEAST:
                own = f"{name}#{number}"
                owner[own] = name
                texts.append(Text(name=own, text=part.text))
    return [
        Case(
            str(made["case"]),
            owner[str(made["source"])],
            str(made["kind"]),
            str(made["original"]),
            str(made["text"]),
        )
        for made in cases(texts, seed, per_kind)
    ]


def is_false(kind: str) -> bool:
    """Whether cases of a kind are to be flagged."""
    return kind not in KEPT and not kind.startswith("paraphrase")


def blind_rates(tallies: Mapping[str, Tally]) -> dict[str, float | int | None]:
    """What the limits are set for, and the movements told wrongly."""
    verbatim = tallies["verbatim"].sums() if "verbatim" in tallies else (0, 0)
    kept = [kind for kind in tallies if kind.startswith("paraphrase")]
    return {
        "blind_false_alarms_verbatim": verbatim[0],
        "blind_verbatim_sentences": verbatim[1],
        "blind_number_recall": _pooled(tallies, NUMBERS),
        "blind_swap_recall": _pooled(tallies, SWAPS),
        "blind_movement_recall": _pooled(tallies, MOVEMENTS),
        "blind_segment_recall": _pooled(tallies, ("segment_name",)),
        "blind_paraphrase_false_alarm_share": _pooled(tallies, kept),
    }


def _pooled(tallies: Mapping[str, Tally], kinds: Sequence[str]) -> float | None:
    counts = [tallies[kind].sums() for kind in kinds if kind in tallies]
    total = sum(n for _, n in counts)
    return round(sum(f for f, _ in counts) / total, 4) if total else None
