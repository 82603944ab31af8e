"""The scores of one answer: every metric by itself, and the class of what went wrong.

Here: ``CaseScore``, ``score_answer`` and ``score_failure``. The metrics stand in ``words``, ``typed``,
``japanese``, ``places`` and ``invented``; sums over a set in ``table``. Word overlap and right
or wrong are never mixed: ``word_f1`` is one, ``correct`` the other.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from g2_pipelines.evaluation.reader.case import Case
from g2_pipelines.evaluation.reader.invented import NodeOf, invented_values
from g2_pipelines.evaluation.reader.japanese import rule_verdict
from g2_pipelines.evaluation.reader.judge import AnswerVerdict
from g2_pipelines.evaluation.reader.places import Place, Places, places_of
from g2_pipelines.evaluation.reader.typed import typed_score
from g2_pipelines.evaluation.reader.words import bigram_f1, word_f1
from g2_pipelines.qa.grounding import squeeze
from g2_pipelines.tables.line2 import Answer
from g2_pipelines.tables.rows import Row
from g2_pipelines.text.language import language

FailureClass = Literal[
    "",
    "failed",
    "answered_unanswerable",
    "plan_fault",
    "format",
    "retrieval_miss",
    "refused",
    "evidence_wrong",
    "unjudged",
]
#: Who said right or wrong: typed rules, Japanese rules, a model, or nobody.
By = Literal["typed", "rules", "judge", ""]
_RULED = ("int", "float", "str", "list", "none")


class CaseScore(Row):
    """What became of a case.

    answerable: None where the set gives no right answer and does not say that there is none.
    correct: 1 right, 0 wrong, parts of it by ANLS; None where neither rule nor judge can tell.
    judge: the model's verdict, beside whatever ``by`` says. word_f1: over words, of Japanese
    over character bigrams; None without a right answer. cells: share of the gold cells whose
    text a worker saw. evidence_chars: of all texts that workers saw, each showing counted.
    calls: model calls of the answer, from the call cache or not.
    """

    case_id: str
    set: str
    variant: str
    question: str
    answer: str
    right: list[str]
    row: int
    answerable: bool | None
    refused: bool
    correct: float | None
    by: By
    judge: bool | None = None
    judge_reason: str = ""
    word_f1: float | None
    page_recall: float | None = None
    all_evidence: bool | None = None
    document_seen: bool | None = None
    cited: int = 0
    cited_right: int | None = None
    cited_document: int | None = None
    cells: float | None = None
    invented: list[str] = []
    plans: int = 0
    steps: int = 0
    calls: int = 0
    evidence_chars: int = 0
    failure: FailureClass
    why: str = ""


def score_answer(
    case: Case,
    answer: Answer,
    *,
    variant: str,
    documents: Mapping[str, str],
    node_of: NodeOf,
    verdict: AnswerVerdict | None = None,
) -> CaseScore:
    """Score an answer.

    Args:
        case: The case.
        answer: What was answered, as stored.
        variant: Name of the variant.
        documents: document_id by the name that the case gives a document.
        node_of: Stored nodes, for what was seen and cited.
        verdict: A judge's, if there is one.
    """
    correct, by = _correct(case, answer, verdict)
    seen = [(item.document_id, item.node_id) for sub in answer.sub_answers for item in sub.evidence]
    nodes = {key: node_of(*key) for key in dict.fromkeys(seen)}
    pages: set[Place] = {
        (node.document_id, region.page)
        for node in nodes.values()
        if node is not None
        for region in (node.regions or [])
    } | {(node.document_id, node.page) for node in nodes.values() if node is not None}
    texts = {
        key: "\n".join([node.caption or "", node.text, node.ocr_text or ""])
        for key, node in nodes.items()
        if node is not None
    }
    places = places_of(
        {(documents.get(g.document, g.document), g.page) for g in case.gold},
        seen=pages,
        cited=[(c.document_id, c.page) for c in answer.citations]
        if not answer.unanswerable
        else [],
    )
    score = CaseScore(
        case_id=case.case_id,
        set=case.set,
        variant=variant,
        question=case.question,
        answer=answer.answer,
        right=case.items or case.answers,
        row=case.row,
        answerable=None if case.kind == "open" else case.kind != "none",
        refused=answer.unanswerable,
        correct=correct,
        by=by,
        judge=verdict.correct if verdict else None,
        judge_reason=verdict.reason if verdict else "",
        word_f1=_overlap(case, answer),
        **places.model_dump(),
        cells=_cells(case, texts.values()),
        invented=invented_values(answer, node_of),
        plans=len(answer.plan_versions),
        steps=len(answer.sub_answers),
        calls=len(calls_of(answer)),
        evidence_chars=sum(len(texts.get(key, "")) for key in seen),
        failure="",
        why=answer.why,
    )
    return score.model_copy(update={"failure": _failure(case, answer, score, places)})


def score_failure(case: Case, variant: str, error: str, *, judged: bool = False) -> CaseScore:
    """The score of a question that could not be answered at all: wrong, and said why.

    ``judged``: the variant's answers are. Without a judge a failure counts as wrong only where an
    answer could have counted as right, or the mean would be of failures alone.
    """
    wrong, by = (
        (0.0, "judge") if judged and case.kind == "text" else _ruled(case, "", refused=False)
    )
    has_answer = case.kind not in ("open", "none")
    return CaseScore(
        case_id=case.case_id,
        set=case.set,
        variant=variant,
        question=case.question,
        answer="",
        right=case.items or case.answers,
        row=case.row,
        answerable=None if case.kind == "open" else case.kind != "none",
        refused=False,
        correct=wrong,
        by=by,
        word_f1=0.0 if has_answer else None,
        failure="failed",
        why=error,
    )


def calls_of(answer: Answer) -> set[str]:
    """Keys of all calls that led to an answer; a judgement is none of them."""
    return {*answer.call_keys, *(key for sub in answer.sub_answers for key in sub.call_keys)}


def _correct(case: Case, answer: Answer, verdict: AnswerVerdict | None) -> tuple[float | None, By]:
    """Right or wrong: by the set's rules where it has them, else by a judge, else by ours."""
    if verdict is not None and case.kind not in (*_RULED, "open"):
        return float(verdict.correct), "judge"
    return _ruled(case, answer.answer, refused=answer.unanswerable)


def _ruled(case: Case, said: str, *, refused: bool) -> tuple[float | None, By]:
    """By rules alone. Whether they can tell rests on the right answer, never on what was said:
    a refusal is wrong only of a question that an answer could have got right.
    """
    if case.kind in _RULED:
        right, items = case.answers, case.items
        return typed_score(case.kind, said, right=right, items=items, refused=refused), "typed"
    if case.kind == "open" or language(case.question) != "ja":
        return None, ""
    verdict = rule_verdict("" if refused else said, case.answers)
    return (None, "") if verdict is None else (float(verdict), "rules")


def _overlap(case: Case, answer: Answer) -> float | None:
    """VisDoM's metric: a refusal shares no word. Of a list, its items as one text."""
    if case.kind in ("open", "none"):
        return None
    if answer.unanswerable:
        return 0.0
    right = [", ".join(case.items)] if case.items else case.answers
    measure = bigram_f1 if language(case.question) == "ja" else word_f1
    return round(measure(answer.answer, right), 6)


def _cells(case: Case, texts: Collection[str]) -> float | None:
    if not case.cells:
        return None
    seen = squeeze("\n".join(texts))
    return sum(squeeze(cell) in seen for cell in case.cells) / len(case.cells)


def _failure(case: Case, answer: Answer, score: CaseScore, places: Places) -> FailureClass:
    """The first that fits, from the cause that explains most.

    plan_fault: the question was answered by a fallback plan. format: the right answer stands
    in the answer, in a form that the rules do not take. retrieval_miss: no gold page (without
    pages: no gold document, or not one gold cell) was seen by any worker.
    """
    if case.kind == "open":
        missed = places.page_recall == 0.0
        return "retrieval_miss" if missed else "refused" if answer.unanswerable else "unjudged"
    if case.kind == "none":
        return "" if answer.unanswerable else "answered_unanswerable"
    if score.correct is None:
        if _missed(score) and not score.word_f1:
            return "retrieval_miss"
        return "refused" if answer.unanswerable else "unjudged"
    if score.correct >= 1.0 or (score.correct > 0 and score.by == "typed"):
        return ""
    if any(note.startswith("fallback") for plan in answer.plan_versions for note in plan.notes):
        return "plan_fault"
    if not answer.unanswerable and _stands(score.right, answer.answer):
        return "format"
    if _missed(score):
        return "retrieval_miss"
    return "refused" if answer.unanswerable else "evidence_wrong"


def _missed(score: CaseScore) -> bool:
    if score.page_recall is not None:
        return score.page_recall == 0.0
    return score.document_seen is False or score.cells == 0.0


def _stands(right: Sequence[str], answer: str) -> bool:
    """All that is right stands in the answer as it is written, and not inside a longer number."""
    said = f" {squeeze(answer)} "
    for one in right:
        at = said.find(squeeze(one)) if squeeze(one) else -1
        if at < 0:
            return False
        end = at + len(squeeze(one))
        if (said[at].isdigit() and said[at - 1].isdigit()) or (
            said[end - 1].isdigit() and said[end].isdigit()
        ):
            return False
    return bool(right)
