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

import csv
import json
import random
import re
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.corruptions import CONFLICTS, MEANING_KEPT, Case, generate, read_cases
from benchmarks.evaluation_blind import blind_cases, blind_rates, is_false, transcripts
from benchmarks.report import arguments, progress, report
from g2_pipelines.edinet.filing import read_filing
from g2_pipelines.evaluation.brief import BAD, evaluate
from g2_pipelines.evaluation.check import check_text
from g2_pipelines.evaluation.compare import wilson
from g2_pipelines.evaluation.fact_index import FactTable
from g2_pipelines.evaluation.sources import Source
from g2_pipelines.tables.line1 import Claim, FilingFact, Summary

FOLDER = Path(__file__).parents[1].parent / "shared" / "data" / "edinet" / "filings"
SAMPLES = Path(__file__).parents[1] / "g2_pipelines" / "corpus" / "filings"
#: The filings on which the checker was tuned; all others are held back.
TUNED = frozenset({"S100DE5C", "S100MMP3", "S100T45G", "S100TMMG", "S100TP3N", "S100U4EY"})
NUMBERS = ("digit", "swap", "times_ten", "unit", "sign")
SWAPS = ("item", "segment", "period")
VERBATIM = 500
CSV = FOLDER.parent / "csv"
TRANSCRIPTS = FOLDER.parents[1] / "transcripts"
#: The parts that briefs are made from.
_SECTION = re.compile(
    r"(?:Business|Risk|Analysis|Issues|Policy|Overview|ResearchAndDevelopment)\w*TextBlock$"
)


@dataclass
class Filing:
    """A filing as the checker sees it."""

    sources: list[Source]
    segments: list[str]
    facts: list[FilingFact]
    table: FactTable = field(init=False)

    def __post_init__(self) -> None:
        self.table = FactTable(self.facts)

    def check(self, text: str) -> list[Claim]:
        """The claims of ``text`` that are not borne out."""
        checked = check_text(text, self.sources, segments=self.segments, facts=self.table)
        return [claim for claim in checked.claims if claim.status in BAD]


def read_filings(folder: Path) -> dict[str, Filing]:
    """Filings of a folder that hold text to corrupt, by the name of their zip."""
    found: dict[str, Filing] = {}
    for file in sorted(folder.glob("*.zip")):
        read = read_filing(file)
        sources = [Source(source_id=s.source_id, text=s.text) for s in read.sections if s.text]
        if sum(len(source.text) for source in sources) > 3000:
            found[file.stem] = Filing(sources, read.segments, read.facts)
    return found


def read_csv_filings(folder: Path) -> dict[str, Filing]:
    """Text blocks of filings in EDINET's CSV form, which has no tables; no names, no facts.

    Tab-separated UTF-16: element first, value last. Filings that ``FOLDER`` has are left out.
    """
    found: dict[str, Filing] = {}
    csv.field_size_limit(10**8)
    for file in sorted(folder.glob("*.tsv")):
        if (FOLDER / f"{file.stem}.zip").exists():
            continue
        with file.open(encoding="utf-16", newline="") as lines:
            rows = [row for row in csv.reader(lines, delimiter="\t") if row]
        sources = [
            Source(source_id=f"{row[0]}:{n}", text=row[-1].replace("。", "。\n"))
            for n, row in enumerate(rows)
            if _SECTION.search(row[0]) and len(row[-1]) > 200
        ]
        if sources:
            found[file.stem] = Filing(sources, [], [])
    return found


@dataclass
class Tally:
    """Cases of one kind: how many were flagged, filing by filing."""

    flagged: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    total: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, source: str, *, flagged: bool) -> None:
        self.total[source] += 1
        self.flagged[source] += flagged

    def sums(self, sources: Iterable[str] | None = None) -> tuple[int, int]:
        chosen = self.total if sources is None else [s for s in sources if s in self.total]
        return sum(self.flagged[s] for s in chosen), sum(self.total[s] for s in chosen)

    def clustered(self) -> tuple[float, float] | None:
        """95 % interval of the rate by resampling filings, 2,000 times, fixed seed."""
        names = sorted(self.total)
        if len(names) < 2:
            return None
        rng = random.Random(1)
        rates: list[float] = []
        for _ in range(2000):
            drawn = rng.choices(names, k=len(names))
            rates.append(sum(self.flagged[n] for n in drawn) / sum(self.total[n] for n in drawn))
        rates.sort()
        return rates[50], rates[1949]


def row(tally: Tally, alarms: tuple[int, int], *, wanted: bool) -> dict[str, object]:
    """Recall of a kind with its intervals; its precision against the false alarms of all."""
    flagged, total = tally.sums()
    low, high = wilson(flagged, total)
    wrong, right = alarms
    # As if this kind and the true sentences were equally many.
    rate = wrong / right if right else 0.0
    recall = flagged / total if total else 0.0
    made: dict[str, object] = {
        "n": total,
        "flagged": flagged,
        "rate": round(recall, 4),
        "wilson": [round(low, 4), round(high, 4)],
        "by_filing": [round(x, 4) for x in tally.clustered() or (low, high)],
    }
    made["wanted"] = wanted
    if wanted and recall + rate:
        made["precision"] = round(recall / (recall + rate), 4)
    return made


def judge(
    cases: Sequence[Case],
    filings: dict[str, Filing],
    is_wanted: Callable[[str], bool] = CONFLICTS.__contains__,
) -> tuple[dict[str, Tally], list[Case]]:
    """A tally a kind, and the cases that were judged wrongly; ``is_wanted`` kinds are false."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    wrong: list[Case] = []
    by_source = sorted(cases, key=lambda case: (case.source, case.id))
    for number, case in enumerate(by_source):
        bad = filings[case.source].check(case.summary)
        tallies[case.kind].add(case.source, flagged=bool(bad))
        if bool(bad) != is_wanted(case.kind):
            wrong.append(case)
        if number % 500 == 499:
            progress(f"{number + 1} of {len(cases)} cases")
    return dict(tallies), wrong


def pooled(
    tallies: dict[str, Tally], kinds: Iterable[str], sources: Iterable[str] | None
) -> float | None:
    """The share flagged of all cases of ``kinds``."""
    counts = [tallies[kind].sums(sources) for kind in kinds if kind in tallies]
    total = sum(n for _, n in counts)
    return round(sum(f for f, _ in counts) / total, 4) if total else None


def rates(tallies: dict[str, Tally]) -> dict[str, float | int | None]:
    """What the limits are set for."""
    verbatim = tallies["verbatim"].sums() if "verbatim" in tallies else (0, 0)
    kept = [kind for kind in tallies if kind in MEANING_KEPT]
    return {
        "false_alarms_verbatim": verbatim[0],
        "verbatim_sentences": verbatim[1],
        "number_recall": pooled(tallies, NUMBERS, None),
        "swap_recall": pooled(tallies, SWAPS, None),
        "segment_recall": pooled(tallies, ("segment_name",), None),
        "paraphrase_false_alarm_share": pooled(tallies, kept, None),
    }


class _Aspect:
    def __init__(self, key: str, label: str) -> None:
        self.key, self.label = key, label


_ASPECTS = [
    _Aspect(key, label)
    for key, label in zip(
        ("environment", "issues", "outlook", "strengths"),
        ["環境", "課題", "展望", "強み"],
        strict=True,
    )
]


def speed(filings: dict[str, Filing], cases: Sequence[Case]) -> tuple[float, float]:
    """(slowest filing's seconds for one brief from cold, median seconds for all of a company).

    Processor seconds, since others may use the machine. Cold: sources and facts are prepared
    anew. All of a company is eight texts: four aspects, and the baseline's four.
    """
    kept = [case for case in cases if case.kind not in CONFLICTS]
    first: list[float] = []
    whole: list[float] = []
    for name, filing in filings.items():
        own = [case.summary for case in kept if case.source == name]
        rng = random.Random(name)
        texts = ["".join(rng.sample(own, min(8, len(own)))) for _ in range(8)]
        summaries = [_summary(text, _ASPECTS[i % 4].key) for i, text in enumerate(texts)]
        sources = [s.model_copy(update={"label": "cold"}) for s in filing.sources]
        began = time.process_time()
        table = FactTable(filing.facts)
        for i, summary in enumerate(summaries):
            others = [s for s in summaries[i // 4 * 4 :][:4] if s.aspect != summary.aspect]
            evaluate(
                summary,
                sources=sources,
                segments=filing.segments,
                others=others,
                aspect=_ASPECTS[i % 4],
                budget=600,
                facts=table,
            )
            if i == 0:
                first.append(time.process_time() - began)
        whole.append(time.process_time() - began)
    return max(first), statistics.median(whole)


def _summary(text: str, aspect: str) -> Summary:
    return Summary(
        engine="openai",
        model="none",
        prompt_version="none",
        edinet_code="E00000",
        fiscal_year="2024-03",
        source_type="",
        aspect=aspect,
        strategy="aspect",
        text=text,
        tokens=len(text),
        finish_reason="stop",
        sentences=[],
        spans=[],
    )


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


def table(
    tallies: Mapping[str, Tally], is_wanted: Callable[[str], bool] = CONFLICTS.__contains__
) -> dict[str, object]:
    """A row a kind."""
    alarms = [tally.sums() for kind, tally in tallies.items() if not is_wanted(kind)]
    false = (sum(f for f, _ in alarms), sum(n for _, n in alarms))
    return {
        kind: row(tally, false, wanted=is_wanted(kind)) for kind, tally in sorted(tallies.items())
    }


def blind(
    filings: dict[str, Filing], *, quick: bool
) -> tuple[dict[str, float | int | None], dict[str, object]]:
    """Figures and table of the set whose author had not seen the checker, with records of speech."""
    records = {n: Filing(s, [], []) for n, s in transcripts(TRANSCRIPTS).items()}
    everything = {**filings, **records}
    cases = blind_cases({name: filing.sources for name, filing in everything.items()})
    tallies, _ = judge(tenth(cases) if quick else cases, everything, is_false)
    return blind_rates(tallies), table(tallies, is_false)


def tenth(cases: Sequence[Case]) -> list[Case]:
    """A tenth of each kind, the same ones each time, but every second verbatim sentence."""
    by_kind: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        by_kind[case.kind].append(case)
    return [
        case
        for kind, group in sorted(by_kind.items())
        for case in group[:: 2 if kind == "verbatim" else 10]
    ]


if __name__ == "__main__":
    main()
