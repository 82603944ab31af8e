"""The paper's own terms of judgement, as counts over claims and sentences.

Here: what counts as an altered figure, place, name or segment, as an invention, as talk of
figures; per text, per source type and per company. Not here: how claims come about
(``check``), nor statistics (``compare``). ``report`` imports this module.

The paper's people looked whether items, figures, places and names stand in the sources in the
same form and meaning (§6.1), and how often figures are talked of (§6.1, §6.2). A machine's
count is another measure than theirs and stands beside it only for orientation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from g2_pipelines.evaluation.compare import Outcome
from g2_pipelines.tables.line1 import BriefEvaluation, CheckedSentence, Claim

#: What stands in the sources in another form.
ALTERED = frozenset({"altered", "sign_conflict", "unit_conflict", "scale_conflict"})
MISSING = frozenset({"missing"})

#: The source type of a sentence without a place in the sources.
NOWHERE = ""


class Criterion(NamedTuple):
    """A row of the scoreboard.

    paper: what the paper's people counted, (proposed, simple), "" where it gives no count.
    fault: whether finding it speaks against a text.
    """

    key: str
    label: str
    meaning: str
    kinds: frozenset[str] = frozenset()
    statuses: frozenset[str] = frozenset()
    paper: tuple[str, str] = ("", "")
    fault: bool = True


#: Criteria over claims: kinds and statuses. Empty kinds: all.
CLAIMS = (
    Criterion(
        "numbers_altered",
        "数値の改変",
        "資料の数値と、値・符号・単位・桁が違う、または別の科目・期間・セグメントの値",
        frozenset({"number"}),
        ALTERED,
    ),
    Criterion(
        "periods_altered",
        "日付・期間の改変",
        "資料と違う日付や会計期間",
        frozenset({"date", "period"}),
        ALTERED,
    ),
    Criterion(
        "places_altered", "地名の改変", "資料と表記の違う地名", frozenset({"place"}), ALTERED
    ),
    Criterion(
        "names_altered",
        "人名・固有名の改変",
        "資料と表記の違う人名・会社名・製品名など",
        frozenset({"person", "company", "product", "name"}),
        ALTERED,
    ),
    Criterion(
        "segments_altered",
        "セグメント名の改変",
        "資料と違う形にされたセグメント名（論文の6件は意図しない修飾表現を含む）",
        frozenset({"segment"}),
        ALTERED,
        ("6/120", ""),
    ),
    Criterion(
        "statements_reversed",
        "増減・肯否の取り違え",
        "増加と減少、する・しないなどが資料と逆",
        frozenset({"statement"}),
        ALTERED,
    ),
    Criterion(
        "inventions",
        "捏造（hallucination）",
        "資料のどこにもない数値・期間・名称・記述",
        frozenset(),
        MISSING,
        ("2/120", ""),
    ),
)
UNSUPPORTED = Criterion(
    "unsupported", "根拠の見つからない文", "資料に近い箇所のない文が1つ以上ある"
)
FIGURES = Criterion("figures", "数値への言及", "数値を1つ以上述べる（誤りではない）", fault=False)
FIGURES_EVERYWHERE = Criterion(
    "figures_everywhere",
    "全観点で数値に言及（会社数）",
    "すべての観点の文が数値を述べる（誤りではない）",
    paper=("", "23/30"),
    fault=False,
)
CRITERIA = (*CLAIMS, UNSUPPORTED, FIGURES, FIGURES_EVERYWHERE)
BY_KEY: Mapping[str, Criterion] = {one.key: one for one in CRITERIA}


def is_bad(claim: Claim) -> bool:
    """Whether the sources do not bear a claim out."""
    return claim.status in ALTERED or claim.status in MISSING


def text_outcomes(evaluation: BriefEvaluation) -> dict[str, Outcome]:
    """The criteria of one text, by key in the order of the scoreboard."""
    found = dict(_claim_outcomes(evaluation.claims))
    weak = sum(not sentence.supported for sentence in evaluation.sentences)
    found[UNSUPPORTED.key] = Outcome(weak > 0, weak)
    figures = sum(claim.kind == "number" for claim in evaluation.claims)
    found[FIGURES.key] = Outcome(figures > 0, figures)
    return found


def check_outcomes(evaluation: BriefEvaluation) -> dict[str, Outcome]:
    """The named checks of one text; found where it fails."""
    return {
        check.name: Outcome(not check.passed, check.value, check.gate)
        for check in evaluation.checks
    }


def outcomes_by_source(
    evaluation: BriefEvaluation, type_of: Callable[[str, int], str]
) -> dict[str, dict[str, Outcome]]:
    """The criteria over claims by the source type on which each sentence stands.

    ``type_of`` maps (source_id, place) to a source type's key. A sentence without support
    counts under ``NOWHERE``.
    """
    by_type: dict[str, list[CheckedSentence]] = {}
    for sentence in evaluation.sentences:
        best = sentence.evidence[0] if sentence.supported and sentence.evidence else None
        key = type_of(best.source_id, best.start) if best else NOWHERE
        by_type.setdefault(key, []).append(sentence)
    return {
        key: dict(_claim_outcomes(_within(evaluation.claims, sentences)))
        for key, sentences in by_type.items()
    }


def everywhere(evaluations: Iterable[BriefEvaluation]) -> bool:
    """Whether every text of a company talks of figures; False where there is none."""
    counts = [any(claim.kind == "number" for claim in one.claims) for one in evaluations]
    return bool(counts) and all(counts)


def _claim_outcomes(claims: Sequence[Claim]) -> Iterator[tuple[str, Outcome]]:
    for one in CLAIMS:
        count = sum(
            claim.status in one.statuses and (not one.kinds or claim.kind in one.kinds)
            for claim in claims
        )
        yield one.key, Outcome(count > 0, count)


def _within(claims: Sequence[Claim], sentences: Sequence[CheckedSentence]) -> list[Claim]:
    return [
        claim for claim in claims if any(one.start <= claim.start < one.end for one in sentences)
    ]
