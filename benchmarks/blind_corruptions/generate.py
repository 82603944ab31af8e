"""Blind corruptions: true sentences of source texts, and the same sentences made false.

`python -m benchmarks.blind_corruptions SOURCES OUT --seed N --per-kind 150` reads every `*.txt` of the folder
and writes one JSON object a line, made without knowledge of any checker:

- `case`, `source` (the file's stem), `kind`;
- `original`: the true sentence of the source (`heading：sentence` where the heading names its subject);
- `text`: what a summary would say; `changed`: `[start, end]` of the changed characters in it, or null;
- `true_value`, `false_value`: what stood there and what stands there (for clean cases the two forms);
- `expect`: `flagged` or `clean`; `why`.

False cases whose result may be true in the source are left out: see `source.py`.
"""

import argparse
import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.blind_corruptions import changes, clean, names, values, words
from benchmarks.blind_corruptions.source import Draft, Source

Maker = Callable[[Source, random.Random], Iterator[Draft]]
MAKERS: tuple[Maker, ...] = (
    values.digit,
    values.order,
    values.times_ten,
    values.rate_scale,
    values.unit,
    words.sign,
    words.period,
    words.item,
    words.negation,
    names.segment,
    names.segment_name,
    names.name,
    changes.two_value,
    changes.paraphrase_change,
    clean.verbatim,
    clean.paraphrase_unit,
    clean.paraphrase_width,
    clean.paraphrase_round,
    clean.paraphrase_words,
)


def drafts(sources: list[Source], seed: int) -> dict[str, list[Draft]]:
    """All drafts of the sources by kind, each text once; independent of the order of the makers."""
    by_kind: dict[str, list[Draft]] = defaultdict(list)
    seen: set[tuple[str, str, str]] = set()
    for source in sources:
        for maker in MAKERS:
            rng = random.Random(f"{seed}/{maker.__name__}/{source.name}")
            for draft in maker(source, rng):
                key = (draft.source, draft.kind, draft.text)
                false = draft.expect == "flagged"
                if key in seen or (false and draft.text in source.text):
                    continue
                seen.add(key)
                by_kind[draft.kind].append(draft)
    return by_kind


def chosen(pool: list[Draft], count: int, rng: random.Random) -> list[Draft]:
    """So many drafts, in turn from every way of changing and every source, new sentences first."""
    shuffled = rng.sample(pool, len(pool))
    uses: Counter[tuple[str, str]] = Counter()
    turns: Counter[tuple[str, str]] = Counter()
    ranked: list[tuple[int, int, int, Draft]] = []
    for draft in shuffled:
        sentence, lane = (draft.source, draft.original), (draft.why, draft.source)
        ranked.append((uses[sentence], turns[lane], len(ranked), draft))
        uses[sentence] += 1
        turns[lane] += 1
    return [draft for *_, draft in sorted(ranked, key=lambda r: r[:3])[:count]]


def cases(sources: list[Source], seed: int, per_kind: int) -> Iterator[dict[str, object]]:
    """The cases of all kinds, at most `per_kind` of each, numbered within the kind."""
    for kind, pool in sorted(drafts(sources, seed).items()):
        picked = chosen(pool, per_kind, random.Random(f"{seed}/{kind}"))
        for number, draft in enumerate(picked, 1):
            yield {
                "case": f"{kind}-{number:03d}",
                "source": draft.source,
                "kind": kind,
                "original": draft.original,
                "text": draft.text,
                "changed": list(draft.changed) if draft.changed else None,
                "true_value": draft.true_value,
                "false_value": draft.false_value,
                "expect": draft.expect,
                "why": draft.why,
            }


def main() -> None:
    """Write the cases and print how many there are of each kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--per-kind", type=int, default=150)
    args = parser.parse_args()
    sources = [Source.read(path) for path in sorted(args.sources.glob("*.txt"))]
    counts: Counter[str] = Counter()
    with args.out.open("w", encoding="utf-8") as out:
        for case in cases(sources, args.seed, args.per_kind):
            counts[str(case["kind"])] += 1
            out.write(json.dumps(case, ensure_ascii=False) + "\n")
    for kind, count in sorted(counts.items()):
        print(f"{kind}\t{count}")


if __name__ == "__main__":
    main()
