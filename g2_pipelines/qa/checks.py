"""Everything that is checked of an answer's numbers, in one place and one order.

Here: ``faults_of``. Invented numbers and multiples first, then numbers of another row, thing,
period or kind. Each single check has a file of its own. Imported by ``verify`` and ``conclude``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from g2_pipelines.qa.agreement import Sources, disagreements
from g2_pipelines.qa.amounts import Held, plain_text
from g2_pipelines.qa.counted import (
    ordinals_as_digits,
    other_counts,
    other_ordinals,
    other_points,
)
from g2_pipelines.qa.grounding import unfounded
from g2_pipelines.qa.multiples import blanked, founded_multiples, is_figure
from g2_pipelines.qa.signs import other_signs
from g2_pipelines.qa.subjects import misplaced
from g2_pipelines.qa.told_basis import other_bases
from g2_pipelines.qa.told_periods import years_called
from g2_pipelines.qa.told_ways import other_ways
from g2_pipelines.tables.line2 import DocumentNode


@dataclass(frozen=True)
class Checked:
    """What was found.

    ``plain`` is the answer as it was read, factors that stand blanked out; ``figures`` the same
    with those factors that are figures (2.7 times).
    """

    faults: list[str]
    plain: str
    figures: str
    known: Held


def faults_of(
    answer: str,
    nodes: Sequence[DocumentNode],
    *,
    results: Sequence[str],
    texts: Sequence[str] = (),
    asked: str = "",
) -> Checked:
    """What of ``answer`` does not stand in ``nodes``, with why; no faults where all does.

    Args:
        answer: As it is to be told.
        nodes: What it cites.
        results: Results calculated by code: numbers of their own.
        texts: Others that may hold its numbers: the question, answers of earlier steps.
        asked: The question, whose period counts where the answer names none.
    """
    sources = Sources(nodes)
    free = Held(results)
    plain = plain_text(answer)
    stands, faults = founded_multiples(plain, sources, more=[*results, *texts])
    ordinals = ordinals_as_digits(plain, sources)
    bare = blanked(plain, stands)
    years = sorted({year for text in sources.spoken for year in years_called(text)})
    spans = [f"{count} years" for count in sources.years_shown]
    known = Held([*results, *texts, *ordinals, *years, *spans], nodes)
    found = [
        f"the number {number} does not stand in what is cited" for number in unfounded(bare, known)
    ]
    strange = misplaced(bare, known)
    found += [f"{number} belongs to another row or column" for number in strange]
    found += faults
    found += disagreements(bare, sources, asked=asked, free=free)
    found += other_bases(bare, sources, asked=asked, free=free)
    found += other_signs(bare, sources, free)
    found += other_ways(bare, sources, asked=asked, free=free)
    found += other_ordinals(bare, sources, [plain_text(text) for text in texts])
    found += other_counts(bare, sources, free)
    found += other_points(bare, sources, free)
    figures = blanked(plain, [one for one in stands if not is_figure(one)])
    return Checked(faults=list(dict.fromkeys(found)), plain=bare, figures=figures, known=known)
