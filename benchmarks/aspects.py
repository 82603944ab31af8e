"""Do the extractive engine's sentences fit their aspect? A blind sheet, and its reading.

``python -m benchmarks.aspects sheet FOLDER OUT`` runs line 1's summaries over the filings of
FOLDER (``*.zip``) and writes ``OUT/sheet.csv``: sentences picked for an aspect and, among them
and not told apart, as many of the sections' first sentences as a baseline. A person (or a
model that has not seen the code) writes 1 or 0 into the column ``fits``; ``OUT/key.csv`` stays
closed. ``python -m benchmarks.aspects read OUT`` then prints the shares, the overlap between
aspects, and the baseline beside them.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path

from g2_pipelines.briefs.build import build_summarizers
from g2_pipelines.briefs.config import AspectSpec, BriefConfig, load_config
from g2_pipelines.briefs.final_summaries import finalize
from g2_pipelines.briefs.pre_summaries import pre_summarize
from g2_pipelines.briefs.sources import make_splits
from g2_pipelines.edinet.filing import read_filing
from g2_pipelines.tables.line1 import Company, FilingSection, Summary
from g2_pipelines.text.overlap import ngram_overlap
from g2_pipelines.text.sentences import is_prose, sentences
from g2_pipelines.text.tokens import Tokenizer, tokenizer
from g2_pipelines.transcripts.model_view import model_view

PER_ASPECT = 40
SEED = 20_250_331


def summaries_of(
    file: Path, config: BriefConfig, counter: Tokenizer
) -> tuple[list[FilingSection], dict[str, Summary], dict[str, list[Summary]]]:
    """A filing's sections, its final summary and its pre-summaries by aspect."""
    read = read_filing(file)
    company = Company(edinet_code=read.filing.edinet_code, name=read.filing.filer_name)
    splits = make_splits(
        sections=read.sections,
        transcripts=(),
        turns=(),
        chunks=(),
        config=config,
        tokenizer=counter,
        model_view=model_view,
    )
    before, after = build_summarizers(None)

    async def both(aspect: AspectSpec) -> tuple[list[Summary], Summary]:
        pre = await pre_summarize(
            splits,
            company=company,
            aspect=aspect,
            config=config,
            summarizer=before,
            tokenizer=counter,
        )
        final = await finalize(
            pre,
            company=company,
            aspect=aspect,
            config=config,
            summarizer=after,
            tokenizer=counter,
            strategy="aspect",
        )
        return pre, final

    made = {aspect.key: asyncio.run(both(aspect)) for aspect in config.aspects}
    return (
        read.sections,
        {key: final for key, (_, final) in made.items()},
        {key: pre for key, (pre, _) in made.items()},
    )


def picked(summary: Summary) -> Iterator[str]:
    """The sentences of a summary that found something."""
    if not summary.nothing_found:
        for sentence in summary.sentences:
            yield summary.text[sentence.start : sentence.end].strip()


def first_sentences(sections: list[FilingSection], config: BriefConfig, count: int) -> list[str]:
    """The first sentences of the sections that briefs read: what a plain cut would show."""
    wanted = {s.select for s in config.source_types if s.reader == "filing_section"}
    found: list[str] = []
    for section in sections:
        if section.section in wanted and section.text:
            spans = (section.text[a:b] for a, b in sentences(section.text))
            found += [text for text in spans if is_prose(text)][:count]
    return found


def write_sheet(folder: Path, out: Path) -> None:
    """Write the blind sheet, its key and the figures that need no label."""
    config, counter, draw = load_config(None), tokenizer("qwen3"), random.Random(SEED)
    finals: dict[str, list[str]] = {aspect.key: [] for aspect in config.aspects}
    spare: dict[str, list[str]] = {aspect.key: [] for aspect in config.aspects}
    baseline: list[str] = []
    overlap = 0.0
    for file in sorted(folder.glob("*.zip")):
        sections, by_aspect, before = summaries_of(file, config, counter)
        baseline += first_sentences(sections, config, 8)
        for key, summary in by_aspect.items():
            finals[key] += picked(summary)
            spare[key] += [text for pre in before[key] for text in picked(pre)]
        texts = [s.text for s in by_aspect.values() if not s.nothing_found]
        pairs = itertools.combinations(texts, 2)
        overlap = max([overlap, *(ngram_overlap(a, b) for a, b in pairs)])
    rows: list[tuple[str, str, str]] = []
    for aspect in config.aspects:
        chosen = draw.sample(finals[aspect.key], min(PER_ASPECT, len(finals[aspect.key])))
        more = [text for text in dict.fromkeys(spare[aspect.key]) if text not in chosen]
        chosen += draw.sample(more, min(PER_ASPECT - len(chosen), len(more)))
        rows += [(aspect.key, "picked", text) for text in chosen]
        plain = draw.sample(baseline, min(PER_ASPECT, len(baseline)))
        rows += [(aspect.key, "first", text) for text in plain]
    draw.shuffle(rows)
    out.mkdir(parents=True, exist_ok=True)
    with (out / "sheet.csv").open("w", encoding="utf-8", newline="") as file_:
        writer = csv.writer(file_)
        writer.writerow(["id", "aspect", "sentence", "fits"])
        writer.writerows([n, aspect, text, ""] for n, (aspect, _, text) in enumerate(rows))
    with (out / "key.csv").open("w", encoding="utf-8", newline="") as file_:
        csv.writer(file_).writerows([n, origin] for n, (_, origin, _) in enumerate(rows))
    counts = {key: len(texts) for key, texts in finals.items()}
    figures = {"overlap_max": round(overlap, 4), "final_sentences": counts}
    (out / "figures.json").write_text(json.dumps(figures), encoding="utf-8")
    print(json.dumps(figures, ensure_ascii=False))


def read_sheet(out: Path) -> None:
    """Print the share of fitting sentences by aspect, for the engine and the baseline."""
    with (out / "key.csv").open(encoding="utf-8", newline="") as file:
        origin = {row[0]: row[1] for row in csv.reader(file)}
    counts: dict[str, list[int]] = {}
    with (out / "sheet.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            tally = counts.setdefault(f"{row['aspect']} {origin[row['id']]}", [0, 0])
            tally[0] += row["fits"].strip() == "1"
            tally[1] += 1
    shares = {key: f"{good}/{all_} = {good / all_:.2f}" for key, (good, all_) in counts.items()}
    print(json.dumps(dict(sorted(shares.items())), ensure_ascii=False, indent=1))


def main() -> None:
    """Write or read the sheet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["sheet", "read"])
    parser.add_argument("paths", type=Path, nargs="+")
    given = parser.parse_args()
    if given.what == "sheet":
        write_sheet(*given.paths)
    else:
        read_sheet(*given.paths)


if __name__ == "__main__":
    main()
