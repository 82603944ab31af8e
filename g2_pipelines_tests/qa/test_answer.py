"""Answering: order of execution, what is passed on, refinement, refusals."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from g2_pipelines.errors import ModelError
from g2_pipelines.qa.answer import answer_question
from g2_pipelines.qa.config import QaConfig
from g2_pipelines.qa.evidence import EvidenceSource
from g2_pipelines.qa.ports import (
    Check,
    Claim,
    FoundGap,
    PlanDraft,
    QaTasks,
    Quote,
    Reasoned,
    RefinementDraft,
    WorkerReply,
    WorkerTask,
)
from g2_pipelines.qa.refine import PlanOperation
from g2_pipelines.tables.line2 import Answer, CopiedValue, PlanNode
from g2_pipelines_tests.qa.builders import FixedSource, evidence, node, question, steps
from g2_pipelines_tests.qa.fakes import (
    FakeChecker,
    FakePlanner,
    FakeReasoner,
    FakeWorker,
    cites_first,
    tasks,
)

NODES = [node("n1", "Alder is 21 m high."), node("n2", "Birch is 34 m high."), node("n3", "Rain.")]
GAPS = Check(verdict="gaps", gaps=[FoundGap(kind="missing", text="the height of Cedar")])


def draft(*pairs: tuple[str, list[str]]) -> PlanDraft:
    return PlanDraft(nodes=steps(*pairs), root="answer")


def ask(set_of_tasks: QaTasks, source: EvidenceSource | None = None, **config: Any) -> Answer:
    return asyncio.run(
        answer_question(
            question("Q?", documents=["doc"]),
            evidence=source or FixedSource(NODES),
            **set_of_tasks._asdict(),
            config=QaConfig(**config),
            index_digest="digest",
        )
    )


def test_children_wait_for_what_they_depend_on_and_get_its_answers() -> None:
    """The released code ran parents first, so that no answer was ever passed on."""
    worker = FakeWorker(delays={"a": 0.02})
    source = FixedSource(NODES)
    ask(tasks(FakePlanner([draft(("c", ["a", "b"]), ("a", []), ("b", []))]), worker), source)
    assert worker.order == ["b", "a", "c"]
    last = worker.tasks[-1]
    assert [item.row.id for item in last.dependencies] == ["a", "b"]
    assert last.dependencies[0].quotes == [Quote(node_id="n1", text="Alder is 21 m high.")]
    assert source.queries[-1] == "task c a b"


def test_cited_evidence_of_a_dependency_is_handed_on_first() -> None:
    class Narrow(FixedSource):
        async def retrieve(self, query: str) -> list[Any]:
            found = await super().retrieve(query)
            return found[:1] if query.startswith("task a") else found[1:]

    worker = FakeWorker()
    ask(tasks(FakePlanner([draft(("a", []), ("b", ["a"]))]), worker), Narrow(NODES))
    assert [item.node.node_id for item in worker.tasks[1].evidence] == ["n1", "n2", "n3"]


def test_the_root_is_no_workers_task() -> None:
    worker = FakeWorker()
    ask(tasks(FakePlanner([draft(("a", []))]), worker))
    assert worker.order == ["a"]


@pytest.mark.parametrize(
    "delays", [{}, {"a": 0.03}, {"b": 0.03}, {"a": 0.02, "b": 0.01, "c": 0.03}]
)
def test_timing_and_concurrency_leave_no_trace_in_the_answer(delays: dict[str, float]) -> None:
    def plan() -> FakePlanner:
        return FakePlanner([draft(("a", []), ("b", []), ("c", []), ("d", ["a", "c"]))])

    expected = ask(tasks(plan()), concurrency=1)
    assert ask(tasks(plan(), FakeWorker(delays=delays))) == expected


def test_no_more_workers_run_at_once_than_allowed() -> None:
    running: list[int] = [0, 0]

    class Counting(FakeWorker):
        async def work(self, task: WorkerTask, *, fault: str = "") -> WorkerReply:
            running[0] += 1
            running[1] = max(running)
            await asyncio.sleep(0.005)
            running[0] -= 1
            return await super().work(task)

    ask(tasks(FakePlanner([draft(*[(f"n{p}", []) for p in range(5)])]), Counting()), concurrency=2)
    assert running[1] == 2


def test_a_broken_plan_is_asked_for_once_more_with_its_fault_then_replaced_and_noted() -> None:
    broken = draft(("a", ["b"]), ("b", ["a"]))
    planner = FakePlanner([broken, broken])
    answer = ask(tasks(planner))
    assert planner.faults == ["", "the plan has a cycle among a, b, answer"]
    version = answer.plan_versions[0]
    assert [item.id for item in version.nodes] == ["q1", "answer"]
    assert version.nodes[-1].task == "Q?"
    assert version.notes[-1] == "fallback: one-step plan"
    assert "refused (cycle)" in version.notes[0]


def test_a_second_plan_that_is_sound_is_taken() -> None:
    answer = ask(tasks(FakePlanner([PlanDraft(nodes=[], root="answer"), draft(("a", []))])))
    version = answer.plan_versions[0]
    assert [item.id for item in version.nodes] == ["a", "answer"]
    assert version.notes == ["refused (empty): the plan has no nodes"]


def test_a_plan_of_the_root_alone_still_looks_at_the_evidence() -> None:
    answer = ask(tasks(FakePlanner([draft()])))
    assert [item.id for item in answer.sub_answers] == ["q1"]
    assert answer.plan_versions[0].notes[0].startswith("only the root")


def test_a_plan_that_hides_another_question_in_its_root_is_refused() -> None:
    changed = PlanDraft(nodes=steps(("a", []), root="Say yes."), root="answer")
    answer = ask(tasks(FakePlanner([changed])))
    assert answer.plan_versions[0].nodes[-1].task == "Q?"


def test_refinement_asks_new_nodes_only_and_keeps_the_other_answers() -> None:
    def heights(task: WorkerTask) -> WorkerReply:
        index = {"a": 0, "b": 1}[task.node.id]
        item = task.evidence[index].node
        return WorkerReply(
            answer=item.text, found=True, quotes=[Quote(node_id=item.node_id, text=item.text)]
        )

    more = RefinementDraft(operations=[PlanOperation(op="add", id="b", task="task b")])
    planner = FakePlanner([draft(("a", []))], [more])
    worker = FakeWorker(heights)
    checker = FakeChecker([GAPS, Check(verdict="sufficient")])
    answer = ask(tasks(planner, worker, checker))
    assert worker.order == ["a", "b"]
    assert [(item.id, item.plan_version) for item in answer.sub_answers] == [("a", 0), ("b", 1)]
    assert [item.version for item in answer.plan_versions] == [0, 1]
    assert answer.verdict == "sufficient"
    assert {item.node_id for item in answer.citations} == {"n1", "n2"}
    assert [gap.text for gap in answer.gaps] == ["the height of Cedar"]


def test_evidence_of_a_deleted_node_still_reaches_the_reasoner() -> None:
    swap = RefinementDraft(
        operations=[
            PlanOperation(op="delete", id="a"),
            PlanOperation(op="add", id="b", task="task b"),
        ]
    )

    def by_id(task: WorkerTask) -> WorkerReply:
        item = task.evidence[0 if task.node.id == "a" else 1].node
        return WorkerReply(answer=item.text, found=True, cited=[item.node_id])

    reasoner = FakeReasoner()
    checker = FakeChecker([GAPS, Check(verdict="sufficient")])
    ask(tasks(FakePlanner([draft(("a", []))], [swap]), FakeWorker(by_id), checker, reasoner))
    assert [item.node.node_id for item in reasoner.inquiries[0].evidence] == ["n1", "n2"]


def test_refinement_ends_after_three_rounds_and_the_answer_is_refused_with_the_gap() -> None:
    rounds = [
        RefinementDraft(operations=[PlanOperation(op="add", id=f"x{p}", task=f"t{'abcde'[p]}")])
        for p in range(5)
    ]
    planner = FakePlanner([draft(("a", []))], rounds)
    reply = FakeWorker(
        lambda t: cites_first(t).model_copy(update={"answer": f"Alder {t.node.task}"})
    )
    answer = ask(tasks(planner, reply, FakeChecker([GAPS])))
    assert len(answer.plan_versions) == 4
    assert planner.refined == 3
    assert answer.unanswerable
    assert answer.verdict == "insufficient"
    assert answer.why == "the height of Cedar"
    assert answer.citations == []


def test_refinement_stops_when_nothing_changes() -> None:
    planner = FakePlanner([draft(("a", []))])
    answer = ask(tasks(planner, checker=FakeChecker([GAPS])))
    assert (planner.refined, len(answer.plan_versions)) == (1, 1)


def test_refinement_stops_when_nothing_new_is_found() -> None:
    same = RefinementDraft(operations=[PlanOperation(op="add", id="b", task="other words")])
    planner = FakePlanner([draft(("a", []))], [same, same])
    answer = ask(tasks(planner, checker=FakeChecker([GAPS])))
    assert planner.refined == 1
    assert answer.plan_versions[-1].notes == ["add b", "nothing new was found"]


def test_a_refinement_that_breaks_a_rule_is_asked_once_more_then_left() -> None:
    wrong = RefinementDraft(operations=[PlanOperation(op="delete", id="answer")])
    planner = FakePlanner([draft(("a", []))], [wrong, wrong, wrong])
    answer = ask(tasks(planner, checker=FakeChecker([GAPS])))
    assert (planner.refined, len(answer.plan_versions)) == (2, 1)


def test_an_unreadable_check_is_unknown_and_costs_no_refinement() -> None:
    """A parse failure read as «insufficient» cost the paper's code 22 calls on one question."""
    planner = FakePlanner([draft(("a", []))], [RefinementDraft(operations=[])])
    answer = ask(tasks(planner, checker=FakeChecker([Check(verdict="unknown")])))
    assert planner.refined == 0
    assert answer.verdict == "unknown"
    assert answer.answer == "Alder is 21 m high."


def test_gaps_without_a_gap_are_unknown_too() -> None:
    answer = ask(
        tasks(FakePlanner([draft(("a", []))]), checker=FakeChecker([Check(verdict="gaps")]))
    )
    assert answer.verdict == "unknown"


def test_an_invented_value_is_asked_again_and_then_not_kept() -> None:
    worker = FakeWorker(lambda t: cites_first(t).model_copy(update={"answer": "Alder is 99 m."}))
    answer = ask(tasks(FakePlanner([draft(("a", []))]), worker))
    assert worker.faults == ["", "the number 99 does not stand in what is cited"]
    assert not answer.sub_answers[0].found
    assert answer.sub_answers[0].cited == []
    assert answer.unanswerable


def test_a_node_outside_the_evidence_cannot_be_cited() -> None:
    worker = FakeWorker(lambda _: WorkerReply(answer="Yes.", found=True, cited=["n99"]))
    answer = ask(tasks(FakePlanner([draft(("a", []))]), worker))
    assert not answer.sub_answers[0].found
    assert "'n99' is not among the evidence" in answer.sub_answers[0].answer


def test_a_false_quote_is_dropped_and_a_true_one_kept_in_the_nodes_own_form() -> None:
    def reply(task: WorkerTask) -> WorkerReply:
        quotes = [Quote(node_id="n1", text="Alder is 21m high"), Quote(node_id="n2", text="Oak")]
        return WorkerReply(answer="21 m", found=True, quotes=quotes)

    answer = ask(tasks(FakePlanner([draft(("a", []))]), FakeWorker(reply)))
    assert answer.sub_answers[0].cited == ["n1"]
    assert [item.quote for item in answer.citations] == ["Alder is 21 m high"]


def test_code_calculates_from_copied_values() -> None:
    def reply(task: WorkerTask) -> WorkerReply:
        values = [
            CopiedValue(label="Birch", text="34", unit="m", node_id="n2"),
            CopiedValue(label="Alder", text="21", unit="m", node_id="n1"),
        ]
        return WorkerReply(
            answer="Birch against Alder", found=True, values=values, operation="difference"
        )

    def told(_: object) -> Reasoned:
        claims = [Claim(text="", node_id="n2", quote="Birch is 34 m high.")]
        return Reasoned(answer="13 m", claims=claims)

    answer = ask(
        tasks(FakePlanner([draft(("a", []))]), FakeWorker(reply), reasoner=FakeReasoner(told))
    )
    assert answer.sub_answers[0].result == "13 m"
    assert answer.answer == "13 m"


def test_an_operation_on_a_value_that_was_not_copied_is_not_carried_out() -> None:
    def reply(task: WorkerTask) -> WorkerReply:
        values = [
            CopiedValue(label="Birch", text="34", unit="m", node_id="n2"),
            CopiedValue(label="Alder", text="20", unit="m", node_id="n1"),
        ]
        return WorkerReply(answer="", found=True, values=values, operation="sum")

    answer = ask(tasks(FakePlanner([draft(("a", []))]), FakeWorker(reply)))
    assert not answer.sub_answers[0].found
    assert "'20' does not stand in n1" in answer.sub_answers[0].answer


def test_a_final_answer_with_an_invented_number_is_refused_after_one_retry() -> None:
    def invents(_: object) -> Reasoned:
        claims = [Claim(text="", node_id="n1", quote="Alder is 21 m high.")]
        return Reasoned(answer="Alder is 22 m high.", claims=claims)

    reasoner = FakeReasoner(invents)
    answer = ask(tasks(FakePlanner([draft(("a", []))]), reasoner=reasoner))
    assert len(reasoner.faults) == 2
    assert answer.unanswerable
    assert (
        answer.answer == "No answer to this question could be confirmed in the documents in scope."
    )
    assert "22" in answer.why


@pytest.mark.parametrize(
    "reasoned",
    [
        Reasoned(answer="Alder is high."),
        Reasoned(answer="x", claims=[Claim(text="", node_id="n1", quote="Alder is tall.")]),
        Reasoned(answer="x", claims=[Claim(text="", node_id="n3", quote="Rain.")]),
    ],
)
def test_an_answer_without_a_standing_quote_of_cited_evidence_is_refused(
    reasoned: Reasoned,
) -> None:
    answer = ask(tasks(FakePlanner([draft(("a", []))]), reasoner=FakeReasoner(lambda _: reasoned)))
    assert answer.unanswerable
    assert answer.citations == []


def test_a_citation_leads_to_page_box_and_picture() -> None:
    place = NODES[0].model_copy(update={"page": 7, "image": "documents/doc/n1.png"})
    answer = ask(tasks(FakePlanner([draft(("a", []))])), FixedSource([place]))
    citation = answer.citations[0]
    assert (citation.document_id, citation.page, citation.bbox) == ("doc", 7, place.bbox)
    assert citation.image == "documents/doc/n1.png"
    assert answer.index_digest == "digest"
    assert answer.documents == ["doc"]


def test_a_failed_model_call_fails_the_question_and_the_first_in_plan_order_is_told() -> None:
    class Failing(FakeWorker):
        async def work(self, task: WorkerTask, *, fault: str = "") -> WorkerReply:
            await asyncio.sleep(0.01 if task.node.id == "a" else 0)
            raise ModelError(f"{task.node.id} failed")

    with pytest.raises(ModelError, match="a failed"):
        ask(tasks(FakePlanner([draft(("a", []), ("b", []))]), Failing()))


def test_evidence_past_the_budget_is_left_out_whole_and_by_rank() -> None:
    worker = FakeWorker()
    long = [node("big", "x" * 900), node("bigger", "y" * 900), node("small", "z")]
    ask(tasks(FakePlanner([draft(("a", []))]), worker), FixedSource(long), max_evidence_chars=1_000)
    assert [item.node.node_id for item in worker.tasks[0].evidence] == ["big", "small"]


def test_the_same_evidence_in_any_order_gives_the_same_answer() -> None:
    class Shuffled(FixedSource):
        async def retrieve(self, query: str) -> list[Any]:
            return list(reversed(evidence(self.nodes)))

    one = ask(tasks(FakePlanner([draft(("a", []), ("b", ["a"]))])))
    other = ask(tasks(FakePlanner([draft(("a", []), ("b", ["a"]))])), Shuffled(NODES))
    assert one == other


def test_planning_can_be_turned_off() -> None:
    planner = FakePlanner([draft(("a", []), ("b", []))])
    answer = ask(tasks(planner), planning=False)
    assert planner.faults == []
    assert [item.id for item in answer.plan_versions[0].nodes] == ["q1", "answer"]


def test_a_renamed_node_keeps_its_answer() -> None:
    rename = RefinementDraft(
        operations=[
            PlanOperation(op="delete", id="a"),
            PlanOperation(op="add", id="z", task="task a"),
        ]
    )
    worker = FakeWorker()
    ask(tasks(FakePlanner([draft(("a", []))], [rename]), worker, FakeChecker([GAPS])))
    assert worker.order == ["a"]


def test_the_question_itself_is_the_last_node_whatever_the_planner_orders() -> None:
    nodes = [PlanNode(id="answer", task="Q?"), PlanNode(id="a", task="t")]
    answer = ask(tasks(FakePlanner([PlanDraft(nodes=nodes, root="answer")])))
    version = answer.plan_versions[0]
    assert version.nodes[-1].id == "answer"
    assert version.notes == ["root answer moved to the end", "joined to the root: a"]
