"""One answer scored: what is invented, what class a fault is of, what a table sums up."""

from __future__ import annotations

import pytest

from g2_pipelines.evaluation.reader.case import Case
from g2_pipelines.evaluation.reader.invented import invented_values
from g2_pipelines.evaluation.reader.score import (
    CaseScore,
    FailureClass,
    score_answer,
    score_failure,
)
from g2_pipelines.evaluation.reader.table import summaries
from g2_pipelines.tables.line2 import Answer
from g2_pipelines_tests.evaluation.reader.made import answer, case, node_of, sub


def scored(of: Case, given: Answer, variant: str = "full") -> CaseScore:
    return score_answer(of, given, variant=variant, documents={"cable.pdf": "doc"}, node_of=node_of)


def test_numbers_that_stand_in_a_cited_node_are_not_invented() -> None:
    assert invented_values(answer("26 cabins at 400 Hz"), node_of) == []
    assert invented_values(answer("26 cabins at 500 Hz"), node_of) == ["500"]


def test_a_number_of_a_node_that_is_not_cited_is_invented() -> None:
    assert invented_values(answer("34.0 m", cited=("e1",)), node_of) == ["34.0"]


def test_a_recorded_operation_carries_its_result() -> None:
    values = (("34.0", "e2"), ("21.5", "e2"))
    made = sub(seen=("e2",), values=values, operation="difference", result="12.5 m")
    assert invented_values(answer("12.5 m", subs=(made,)), node_of) == []


@pytest.mark.parametrize(
    ("values", "result"),
    [
        ((("34.0", "e2"), ("20.0", "e2")), "14.0 m"),  # 20.0 stands nowhere
        ((("34.0", "e2"), ("21.5", "e2")), "13.5 m"),  # the operation gives 12.5
    ],
)
def test_an_operation_over_other_values_carries_nothing(
    values: tuple[tuple[str, str], ...], result: str
) -> None:
    made = sub(seen=("e2",), values=values, operation="difference", result=result)
    digits = result.split(maxsplit=1)[0]
    assert invented_values(answer(result, subs=(made,)), node_of) == [digits]


def test_a_refusal_invents_nothing() -> None:
    assert invented_values(answer("999", refused=True), node_of) == []


def test_a_right_answer_has_every_metric() -> None:
    found = scored(case(), answer("26"))
    assert (found.correct, found.by, found.failure, found.word_f1) == (1.0, "typed", "", 1.0)
    assert (found.page_recall, found.all_evidence) == (1.0, True)
    assert (found.cited, found.cited_right, found.cited_document) == (1, 1, 1)
    assert (found.calls, found.invented) == (2, [])
    # Caption, text and OCR text of the one node that was seen, by line ends.
    assert found.evidence_chars == len(
        "\nEach of the 26 cabins carries an accelerometer sampled at 400 Hz.\n"
    )


NONE = case(kind="none", answers=(), pages=())


@pytest.mark.parametrize(
    ("of", "given", "failure"),
    [
        (case(), answer("400"), "evidence_wrong"),
        (case(), answer("400", subs=(sub(seen=("e2",)),)), "retrieval_miss"),
        (case(), answer("", refused=True), "refused"),
        (case(), answer("", refused=True, subs=(sub(seen=("e2",)),)), "retrieval_miss"),
        (case(), answer("400", notes=("fallback: one-step plan",)), "plan_fault"),
        (case(answers=("400",)), answer("26 cabins, sampled at 400 Hz"), "format"),
        (case(answers=("40",)), answer("26 cabins, sampled at 400 Hz"), "evidence_wrong"),
        (NONE, answer("26"), "answered_unanswerable"),
        (NONE, answer("", refused=True), ""),
        (case(kind="text", answers=("a sentence",)), answer("another"), "unjudged"),
        (case(kind="text", answers=("a sentence",)), answer("", refused=True), "refused"),
        (case(kind="open", answers=()), answer("another"), "unjudged"),
        (case(kind="open", answers=()), answer("x", subs=(sub(seen=("e2",)),)), "retrieval_miss"),
        (case(kind="text", answers=("x y",), pages=(0,), cells=("Alder", "21.5")), answer("no"),
         "retrieval_miss"),
    ],
)  # fmt: skip
def test_the_class_of_a_fault(of: Case, given: Answer, failure: FailureClass) -> None:
    assert scored(of, given).failure == failure


def test_gold_cells_that_a_worker_saw() -> None:
    of = case(kind="text", answers=("x",), pages=(0,), cells=("Alder", "21.5", "Cedar", "99"))
    assert scored(of, answer("x", subs=(sub(seen=("e2",)),))).cells == 0.5


def test_a_failed_question_is_wrong_and_says_why() -> None:
    found = score_failure(case(), "full", "the model was not reached")
    assert (found.correct, found.failure, found.why) == (0.0, "failed", "the model was not reached")


TEXT = case(kind="text", answers=("a whole sentence",))
FIGURE = case("高さは何mですか。", kind="text", answers=("高さは34.0mです。",))


def test_refusals_count_only_where_answers_could() -> None:
    """Without a judge nobody can be right on free text: a mean over refusals would be zero."""
    for given in (answer("another"), answer("", refused=True)):
        assert scored(TEXT, given).correct is None
    assert score_failure(TEXT, "full", "x").correct is None
    assert score_failure(TEXT, "full", "x", judged=True).correct == 0.0
    assert scored(FIGURE, answer("34.0m", cited=("e2",))).correct == 1.0
    assert scored(FIGURE, answer("", refused=True)).correct == 0.0
    assert score_failure(FIGURE, "full", "x").correct == 0.0


def test_a_table_pairs_variants_by_question() -> None:
    cases = [case(case_id=f"c{n}") for n in range(4)]
    full = [scored(one, answer("26")) for one in cases]
    # Without a graph the last two are wrong, one of them by a question that failed.
    plain = [scored(one, answer("26"), "plain_rag") for one in cases[:2]]
    plain.append(scored(cases[2], answer("400"), "plain_rag"))
    plain.append(score_failure(cases[3], "plain_rag", "x"))
    first, second = summaries([*plain, *full])
    assert (first.variant, second.variant) == ("full", "plain_rag")
    assert first.correct is not None
    assert second.correct is not None
    assert second.against_correct is not None
    assert (first.correct.mean, second.correct.mean) == (1.0, 0.5)
    assert (second.against_correct.n, second.against_correct.mean) == (4, -0.5)
    assert first.against_correct is None
    assert (second.failed, second.failures) == (1, {"evidence_wrong": 1, "failed": 1})
    assert first.citation_precision == 1.0
    assert first.f1_benchmark is None  # of sets with unanswerable questions only
    assert summaries([*full, *plain]) == [first, second]
