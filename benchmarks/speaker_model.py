"""Fits the roles of speakers by what their turns are like, and says how well that does.

``python -m benchmarks.speaker_model [FOLDER …] [--write]``: reads labelled twins (the suites of
the repository, further folders beside them), leaves out one suite after the other, fits on the
rest and prints the share of speakers and of turns whose role is right on the suite left out,
beside that of the vote of cues. Titles, names and marks are not seen. ``--write`` fits on all
and writes ``g2_pipelines/transcripts/speaker_weights.csv``.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.transcript_golds import TWINS
from g2_pipelines.transcripts import cues
from g2_pipelines.transcripts.gold import Gold
from g2_pipelines.transcripts.make import make_transcript
from g2_pipelines.transcripts.speaker_features import NAMES, Said, features
from g2_pipelines.transcripts.speaker_model import MIN_SPEAKERS, ROLES, WEIGHTS, Model, cast

SUITES = ("blind", "blind2", "blind3", "blind4", "blind4b", "blind5", "blind6")
#: Weight of the squared coefficients, and steps of the descent.
RIDGE, STEPS, RATE = 0.002, 1_500, 0.5
CUE_SHARE = 0.34


class Cast(NamedTuple):
    """A document's speakers: features, texts and the role that the gold gives most turns."""

    suite: str
    name: str
    said: list[Said]
    rows: dict[str, list[float]]
    roles: dict[str, str]
    turns: Counter[str]
    asking: dict[str, float]


def casts(folder: Path) -> Iterator[Cast]:
    """Every twin whose gold names its speakers, as far as they take part twice."""
    for file in sorted(folder.glob("*.gold.json")):
        name = file.name.removesuffix(".gold.json")
        texts_of = [p for p in folder.glob(f"{name}.*") if not p.name.endswith(".gold.json")]
        if len(texts_of) != 1:
            continue  # the labels of a long record
        gold = Gold.model_validate_json(file.read_text(encoding="utf-8"))
        transcript, _ = make_transcript(
            texts_of[0].read_bytes(),
            texts_of[0].name,
            edinet_code="E99001",
            fiscal_year="2025-03",
            kind="other",
            document_kind=None,
        )
        turns = [(t.speaker or "", t.role) for t in gold.turns]
        if len({who for who, _ in turns}) < MIN_SPEAKERS:
            continue
        texts = _texts(transcript.text, [(t.start_text, t.end_text) for t in gold.turns])
        if texts is None:
            continue
        # Nameless labels tell who speaks by the side only: no speaker to learn from.
        if any(not who for who, _ in turns):
            continue
        said = [Said(who, text) for (who, _), text in zip(turns, texts, strict=True)]
        votes: dict[str, Counter[str]] = defaultdict(Counter)
        for who, role in turns:
            votes[who]["answer" if role == "presenter" else role] += 1
        roles = {who: v.most_common(1)[0][0] for who, v in votes.items()}
        asking: dict[str, list[bool]] = defaultdict(list)
        for turn in said:
            asking[turn.who].append(cues.is_question(turn.text))
        yield Cast(
            folder.name,
            name,
            said,
            features(said),
            {w: r for w, r in roles.items() if r in ROLES},
            Counter(who for who, _ in turns),
            {who: sum(a) / len(a) for who, a in asking.items()},
        )


def _texts(text: str, edges: Sequence[tuple[str, str]]) -> list[str] | None:
    """The turns' words from their first to their last; None where one is not found."""
    tight = [i for i, c in enumerate(text) if not c.isspace()]
    packed = "".join(text.split())
    found: list[str] = []
    at = 0
    for first, last in edges:
        begin = packed.find("".join(first.split()), at)
        ending = "".join(last.split())
        end = packed.find(ending, begin)
        if begin < 0 or end < 0:
            return None
        at = end + len(ending)
        found.append(text[tight[begin] : tight[at - 1] + 1])
    return found


def fit(group: Sequence[Cast]) -> Model:
    """A multinomial logistic model of roles, and the shares of the role behind each role."""
    rows = [(c.rows[w], ROLES.index(r), c.turns[w]) for c in group for w, r in c.roles.items()]
    x = np.array([[*row, 1.0] for row, _, _ in rows])
    y = np.eye(len(ROLES))[[role for _, role, _ in rows]]
    weight = np.sqrt(np.array([n for _, _, n in rows], dtype=float))[:, None]
    weight /= weight.mean()
    w = np.zeros((len(ROLES), x.shape[1]))
    for _ in range(STEPS):
        z = x @ w.T
        p = np.exp(z - z.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        gradient = ((p - y) * weight).T @ x / len(x)
        gradient[:, :-1] += RIDGE * w[:, :-1]
        w -= RATE * gradient
    behind = np.ones((len(ROLES), len(ROLES)))
    for one in group:
        for a, b in pairwise(turn.who for turn in one.said):
            if a != b and a in one.roles and b in one.roles:
                behind[ROLES.index(one.roles[a]), ROLES.index(one.roles[b])] += 1
    behind /= behind.sum(axis=1, keepdims=True)
    return Model(np.round(w, 4).tolist(), np.round(behind, 4).tolist())


def judged(group: Sequence[Cast], model: Model) -> dict[str, float]:
    """Shares right of speakers and of turns (of all, and of who asks or answers)."""
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for one in group:
        chosen = cast(one.said, {}, model)
        for who, role in one.roles.items():
            cue = "question" if one.asking[who] >= CUE_SHARE else "answer"
            for name, found in (("model", chosen[who][0]), ("cues", cue)):
                counts = {"speakers": 1, "turns": one.turns[who]}
                counts |= {"sides": one.turns[who]} if role != "moderator" else {}
                for what, n in counts.items():
                    right[f"{name} {what}"] += n * (found == role)
                    total[f"{name} {what}"] += n
    return {name: right[name] / n for name, n in total.items()}


def main() -> None:
    """Cross-validates, prints, and writes where asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    folders = [TWINS.parent / suite for suite in SUITES] + given.folders
    every = {folder.name: list(casts(folder)) for folder in folders}
    for left, group in every.items():
        rest = [one for name, other in every.items() if name != left for one in other]
        scores = judged(group, fit(rest))
        speakers = sum(len(one.roles) for one in group)
        print(left, len(group), speakers, {k: round(v, 3) for k, v in scores.items()})
    model = fit([one for group in every.values() for one in group])
    for role, row in zip(ROLES, model.weights, strict=True):
        print(role, dict(zip((*NAMES, "constant"), row, strict=True)))
    if given.write:
        _write(model)


def _write(model: Model) -> None:
    with WEIGHTS.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["", *ROLES])
        columns = zip(*model.weights, strict=True)
        for name, column in zip((*NAMES, "constant"), columns, strict=True):
            table.writerow([name, *column])
        for role, row in zip(ROLES, model.behind, strict=True):
            table.writerow([f"behind {role}", *row])


if __name__ == "__main__":
    main()
