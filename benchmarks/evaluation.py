"""Is the checker to be trusted? Its false alarms, its misses per kind, and its speed.

``python -m benchmarks.evaluation [--quick] [--json]`` corrupts true sentences of real filings
(or tells them in other words) by ``benchmarks.corruptions`` (``--cases FILE``: those of another
generator), checks each against its filing, does the same with ``benchmarks.blind_corruptions`` (kinds of its
own, spoken records too), and prints precision and recall per kind with
Wilson 95 % intervals, and intervals that resample whole filings (sentences of one filing are
alike). The filings on which the checker was tuned and those held back are told apart.

``--labelled FILE`` does the same for sentences that people labelled: JSONL of ``sentence``,
``source`` (a text, or the name of a filing in the folder) and ``labels`` (kinds of faults, empty
for a true sentence).
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from pathlib import Path

from benchmarks.corruptions import MEANING_KEPT, generate, read_cases
from benchmarks.evaluation_blind import blind_cases, blind_rates, is_false, transcripts
from benchmarks.evaluation_filings import (
    CSV,
    FOLDER,
    SAMPLES,
    TRANSCRIPTS,
    Filing,
    read_csv_filings,
    read_filings,
)
from benchmarks.evaluation_speed import speed
from benchmarks.evaluation_tally import NUMBERS, SWAPS, Tally, judge, pooled, rates, table, tenth
from benchmarks.report import arguments, progress, report
from g2_pipelines.evaluation.compare import wilson
from g2_pipelines.evaluation.sources import Source

#: The filings on which the checker was tuned; all others are held back.
TUNED = frozenset({"S100DE5C", "S100MMP3", "S100T45G", "S100TMMG", "S100TP3N", "S100U4EY"})


def labelled(file: Path, filings: dict[str, Filing], *, as_json: bool) -> None:
    """Precision and recall on sentences that people labelled."""
    counts = {"true_positive": 0, "false_positive": 0, "false_negative": 0, "true_negative": 0}
    kinds: dict[str, Tally] = defaultdict(Tally)
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line.strip():
            continue
        entry = json.loads(line)
        source, labels = entry["source"], entry["labels"]
        filing = filings.get(source) or Filing([Source(source_id="given", text=source)], [], [])
        bad = filing.check(entry["sentence"])
        found = ("true" if bool(bad) == bool(labels) else "false") + "_"
        counts[found + ("positive" if bad else "negative")] += 1
        for label in labels:
            kinds[label].add(str(source)[:40], flagged=bool(bad))
    tp, fp, fn = counts["true_positive"], counts["false_positive"], counts["false_negative"]
    figures: dict[str, float | int | None] = dict(counts)
    for name, part, whole in (("precision", tp, tp + fp), ("recall", tp, tp + fn)):
        low, high = wilson(part, whole)
        figures[name] = round(part / whole, 4) if whole else None
        figures[f"{name}_low"], figures[f"{name}_high"] = round(low, 4), round(high, 4)
    peers: dict[str, object] = {
        kind: dict(zip(("flagged", "n"), tally.sums(), strict=True))
        for kind, tally in kinds.items()
    }
    report(figures, peers, as_json=as_json, packages=("rapidfuzz",))


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__)
    parser.add_argument("--filings", type=Path, default=FOLDER, help="folder of filings' zips")
    parser.add_argument("--labelled", type=Path, help="JSONL of labelled sentences")
    parser.add_argument("--cases", type=Path, help="JSONL of another generator's cases")
    parser.add_argument(
        "--segments", type=Path, help="JSON of names that no XBRL gives, a list a filing"
    )
    parser.add_argument("--wrong", type=Path, help="write the wrongly judged cases there, JSONL")
    parser.add_argument(
        "--unseen", action="store_true", help="the sample corpus and the filings in CSV form alone"
    )
    given = parser.parse_args()
    folder = given.filings if given.filings.is_dir() else SAMPLES
    filings = read_filings(folder)
    if given.unseen:
        filings = {**read_filings(SAMPLES), **read_csv_filings(CSV)}
    if given.labelled:
        labelled(given.labelled, filings, as_json=given.json)
        return
    began = time.perf_counter()
    texts = {
        name: ("\n\n".join(s.text for s in filing.sources), filing.segments)
        for name, filing in filings.items()
    }
    cases = read_cases(given.cases) if given.cases else generate(texts)
    if given.segments:
        for name, more in json.loads(given.segments.read_text(encoding="utf-8")).items():
            filings[name].segments += [s.lstrip("@") for s in more]
    progress(f"{len(cases)} cases in {time.perf_counter() - began:.1f} s")
    if given.quick:
        cases = tenth(cases)
    tallies, wrong = judge(cases, filings)
    cold, company = speed(filings, cases)
    if given.wrong:
        lines = [json.dumps(case.__dict__, ensure_ascii=False) for case in wrong]
        given.wrong.write_text("\n".join(lines) + "\n", encoding="utf-8")
    held = [name for name in filings if name not in TUNED]
    kept = [kind for kind in tallies if kind in MEANING_KEPT]
    figures: dict[str, float | int | None] = {
        **rates(tallies),
        "brief_s": round(cold, 3),
        "company_s": round(company, 3),
        "companies_in_40_min_on_2_cores": int(2400 * 2 / company),
        "number_recall_held_back": pooled(tallies, NUMBERS, held),
        "swap_recall_held_back": pooled(tallies, SWAPS, held),
        "segment_recall_held_back": pooled(tallies, ("segment_name",), held),
        "paraphrase_false_alarm_share_held_back": pooled(tallies, kept, held),
    }
    others: dict[str, object] = {}
    if not given.cases and not given.unseen:
        more, others = blind(filings, quick=given.quick)
        figures |= more
    rows = table(tallies)
    flat = {**rows, **{f"blind {kind}": made for kind, made in others.items()}}
    report(
        figures,
        {"kinds": rows, "blind_kinds": others} if given.json else flat,
        as_json=given.json,
        packages=("rapidfuzz",),
    )


def blind(
    filings: dict[str, Filing], *, quick: bool
) -> tuple[dict[str, float | int | None], dict[str, object]]:
    """Figures and table of the set whose author had not seen the checker, with records of speech."""
    records = {n: Filing(s, [], []) for n, s in transcripts(TRANSCRIPTS).items()}
    everything = {**filings, **records}
    cases = blind_cases({name: filing.sources for name, filing in everything.items()})
    tallies, _ = judge(tenth(cases) if quick else cases, everything, is_false)
    return blind_rates(tallies), table(tallies, is_false)


if __name__ == "__main__":
    main()
