"""Roles of speakers by what all their turns are like, and by who speaks behind whom.

Here: a small multinomial logistic model over ``speaker_features``, corrected by the likely roles
of the neighbours (an answer follows a question), and the choice of which somebody asks and
somebody answers. The coefficients (``speaker_weights.csv``) were fitted on invented records by
``benchmarks.speaker_model``, which prints what they are worth on records left out. ``speaker_cast``
imports this module.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from g2_pipelines.tables.line1 import Role
from g2_pipelines.transcripts.speaker_features import NAMES, Said, features

ROLES: tuple[Role, ...] = ("question", "answer", "moderator")
WEIGHTS = Path(__file__).with_name("speaker_weights.csv")
#: How much the neighbours say against the turns themselves, of how many of them at most, and how
#: often it is asked again (chosen on records left out).
NEAR, MOST, ROUNDS = 0.3, 4, 3
#: Nobody is made to ask or to answer, because nobody else does, whose own turns give it less.
LEAST = 0.2
#: Who leads shows it by more than this, else he is of one of the sides.
LEADS = 0.65
#: Whose words ask for nothing at all asks by his place only, and must show it by more than this.
SILENT = 0.75
MIN_SPEAKERS = 2
ASKING = tuple(NAMES.index(name) for name in ("asks", "ends_asking", "asks_for"))


class Model(NamedTuple):
    """Coefficients by role (features, then a constant); shares of the role behind each role."""

    weights: list[list[float]]
    behind: list[list[float]]


@lru_cache(maxsize=1)
def fitted() -> Model:
    """The model of ``speaker_weights.csv``: a row a feature, and one a role before."""
    with WEIGHTS.open(encoding="utf-8", newline="") as file:
        rows = {row[0]: [float(v) for v in row[1:]] for row in list(csv.reader(file))[1:]}
    columns = [rows[name] for name in (*NAMES, "constant")]
    return Model(
        [[column[i] for column in columns] for i in range(len(ROLES))],
        [rows[f"behind {role}"] for role in ROLES],
    )


def cast(
    turns: Sequence[Said], known: Mapping[str, Role], model: Model | None = None
) -> dict[str, tuple[Role, float]]:
    """For every speaker the role and how likely it is (0 to 1).

    ``known`` are speakers whose role something surer tells: they count as neighbours and are not
    changed. Linear in the number of turns.
    """
    model = model or fitted()
    shares: dict[str, list[float]] = {}
    alone: dict[str, list[float]] = {}
    asking: set[str] = set()
    for who, row in features(turns).items():
        alone[who] = _logs(row, model)
        if any(row[i] for i in ASKING):
            asking.add(who)
        role = known.get(who)
        shares[who] = [math.exp(v) for v in alone[who]]
        if role is not None:
            shares[who] = [float(role == other) for other in ROLES]
    near: dict[str, list[tuple[str, bool]]] = {who: [] for who in shares}
    for before, after in pairwise(turns):
        if before.who != after.who:
            near[before.who].append((after.who, True))
            near[after.who].append((before.who, False))
    for _ in range(ROUNDS):
        shares = {
            who: share if who in known else _corrected(alone[who], near[who], shares, model)
            for who, share in shares.items()
        }
    able = [
        {who for who in asking if math.exp(alone[who][0]) >= LEAST},
        {who for who in alone if math.exp(alone[who][1]) >= LEAST},
    ]
    chosen = {
        who: _likeliest(share, SILENT if who not in asking and who not in known else 0.0)
        for who, share in shares.items()
    }
    return _consistent(shares, chosen, [group - known.keys() for group in able])


def _logs(row: Sequence[float], model: Model) -> list[float]:
    return _normal([_dot(w, (*row, 1.0)) for w in model.weights])


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _normal(values: Sequence[float]) -> list[float]:
    top = max(values)
    total = top + math.log(sum(math.exp(v - top) for v in values))
    return [v - total for v in values]


def _corrected(
    logs: Sequence[float],
    near: Sequence[tuple[str, bool]],
    shares: Mapping[str, Sequence[float]],
    model: Model,
) -> list[float]:
    """A speaker's shares with what those who speak before and behind make likely."""
    if not near:
        return [math.exp(v) for v in logs]
    sums = [0.0] * len(ROLES)
    columns = list(zip(*model.behind, strict=True))
    for other, behind in near:
        table: Sequence[Sequence[float]] = model.behind if behind else columns
        for i in range(len(ROLES)):
            sums[i] += math.log(_dot(table[i], shares[other]))
    weight = NEAR * min(len(near), MOST) / len(near)
    return [math.exp(v) for v in _normal([v + weight * s for v, s in zip(logs, sums, strict=True)])]


def _consistent(
    shares: Mapping[str, Sequence[float]],
    chosen: dict[str, int],
    able: Sequence[Collection[str]],
) -> dict[str, tuple[Role, float]]:
    """The ``chosen`` roles; where nobody asks or answers, whoever most likely does.

    ``able`` are those who may be made to ask, and those who may be made to answer.
    """
    for role in (0, 1):
        if len(chosen) < MIN_SPEAKERS or role in chosen.values():
            continue
        others = list(chosen.values())
        group = [who for who in chosen if who in able[role] and others.count(chosen[who]) > 1]
        if group:
            chosen[max(group, key=lambda w: shares[w][role])] = role
    return {who: (ROLES[i], shares[who][i]) for who, i in chosen.items()}


def _likeliest(share: Sequence[float], least: float) -> int:
    """The role of the largest share; asking only where its share is ``least`` or more."""
    if share[2] > LEADS:
        return 2
    return 0 if share[0] > share[1] and share[0] >= least else 1
