"""Plans: each rule alone, in bounded time, with its own message."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2_pipelines.qa.config import PlanLimits
from g2_pipelines.qa.errors import PlanError
from g2_pipelines.qa.plan import check_plan, levels, one_step_plan, repair_plan, with_root
from g2_pipelines.tables.line2 import PlanNode
from g2_pipelines_tests.qa.builders import steps

LIMITS = PlanLimits(max_nodes=6, max_depth=3)


def rule_of(nodes: list[PlanNode], *, root: str = "answer", limits: PlanLimits = LIMITS) -> str:
    with pytest.raises(PlanError) as caught:
        check_plan(nodes, root=root, question="Q?", limits=limits)
    assert caught.value.remedy
    return caught.value.rule


def test_a_plan_of_two_branches_is_accepted() -> None:
    check_plan(
        steps(("a", []), ("b", []), ("c", ["a", "b"])), root="answer", question="Q?", limits=LIMITS
    )


def test_an_empty_plan_is_refused() -> None:
    assert rule_of([]) == "empty"


def test_two_nodes_with_one_id_are_refused() -> None:
    assert rule_of(steps(("a", []), ("a", []))) == "duplicate_id"


@pytest.mark.parametrize("name", ["1a", "", "a b", "a/b", "質問", "x" * 33])
def test_an_id_outside_the_pattern_is_refused(name: str) -> None:
    assert rule_of(steps((name, []))) == "id_pattern"


def test_a_task_without_words_or_too_long_is_refused() -> None:
    root = PlanNode(id="answer", task="Q?", depends_on=["a"])
    assert rule_of([PlanNode(id="a", task=" "), root]) == "task"
    assert rule_of([PlanNode(id="a", task="x" * 2_001), root]) == "task"


def test_a_dependency_on_nothing_is_refused_under_its_own_name() -> None:
    assert rule_of(steps(("a", ["ghost"]))) == "unknown_dependency"


def test_a_duplicate_and_a_dangling_dependency_do_not_cancel_out() -> None:
    """The released code of the paper compares counts of edges, which agree here."""
    assert rule_of(steps(("a", []), ("a", ["ghost"]))) == "duplicate_id"


def test_a_node_that_waits_for_itself_is_refused() -> None:
    assert rule_of(steps(("a", ["a"]))) == "self_dependency"


def test_a_cycle_is_refused_and_names_its_nodes() -> None:
    with pytest.raises(PlanError, match=r"cycle among a, b") as caught:
        check_plan(steps(("a", ["b"]), ("b", ["a"])), root="answer", question="Q?", limits=LIMITS)
    assert caught.value.rule == "cycle"


def test_a_chain_of_four_before_the_root_is_too_deep() -> None:
    chain = steps(("a", []), ("b", ["a"]), ("c", ["b"]))
    check_plan(chain, root="answer", question="Q?", limits=LIMITS)
    assert rule_of(steps(("a", []), ("b", ["a"]), ("c", ["b"]), ("d", ["c"]))) == "depth"


def test_seven_nodes_are_too_many_before_and_allowed_after_refinement() -> None:
    seven = steps(*[(f"n{place}", []) for place in range(6)])
    assert rule_of(seven) == "node_count"
    check_plan(seven, root="answer", question="Q?", limits=PlanLimits(max_nodes=8))
    nine = steps(*[(f"n{place}", []) for place in range(8)])
    assert rule_of(nine, limits=PlanLimits(max_nodes=8)) == "node_count"


def test_the_root_must_be_last() -> None:
    plan = steps(("a", []))
    assert rule_of([plan[1], plan[0]]) == "root_last"
    assert rule_of(plan, root="other") == "root_last"


def test_a_changed_question_in_the_root_is_refused() -> None:
    assert rule_of(steps(("a", []), root="Q? And answer in rhyme.")) == "root_changed"


def test_a_sub_question_after_the_root_is_refused() -> None:
    root = PlanNode(id="answer", task="Q?")
    assert rule_of([PlanNode(id="a", task="t", depends_on=["answer"]), root]) == "root_last"


@pytest.mark.parametrize(
    ("names", "rule"),
    [
        ([(f"n{p}", [f"n{(p + 1) % 10_000}"]) for p in range(10_000)], "cycle"),
        ([(f"n{p}", [f"n{p - 1}"] if p else []) for p in range(10_000)], "depth"),
        ([(f"n{p}", []) for p in range(10_000)], "node_count"),
        ([("n", [])] * 10_000, "duplicate_id"),
    ],
)
def test_ten_thousand_nodes_are_refused_at_once(
    names: list[tuple[str, list[str]]], rule: str
) -> None:
    plan = steps(*names)
    assert rule_of(plan) == rule


def test_levels_hold_what_can_run_at_once() -> None:
    plan = steps(("d", ["b", "c"]), ("b", ["a"]), ("a", []), ("c", []))
    assert [[node.id for node in level] for level in levels(plan)] == [
        ["a", "c"],
        ["b"],
        ["d"],
        ["answer"],
    ]


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.lists(st.lists(st.integers(0, 9), max_size=4), min_size=1, max_size=10))
def test_every_node_stands_once_and_after_what_it_depends_on(edges: list[list[int]]) -> None:
    nodes = [
        PlanNode(id=f"n{p}", task="t", depends_on=sorted({f"n{t}" for t in ts if t < p}))
        for p, ts in enumerate(edges)
    ]
    seen: set[str] = set()
    for level in levels(nodes[::-1]):
        assert all(set(node.depends_on) <= seen for node in level)
        seen |= {node.id for node in level}
    assert seen == {node.id for node in nodes}


def test_a_repair_is_made_only_with_a_note() -> None:
    plan = [
        PlanNode(id="answer", task="Q?"),
        PlanNode(id="a", task="t", depends_on=["ghost", "a", "b", "b"]),
        PlanNode(id="b", task="t"),
    ]
    mended, notes = repair_plan(plan, root="answer")
    check_plan(mended, root="answer", question="Q?", limits=LIMITS)
    assert [(n.id, n.depends_on) for n in mended] == [("a", ["b"]), ("b", []), ("answer", ["a"])]
    assert len(notes) == 4
    assert "'ghost'" in notes[0]


def test_a_sound_plan_is_not_repaired() -> None:
    plan = one_step_plan("Q?")
    assert repair_plan(plan, root="answer") == (plan, [])


def test_a_root_joins_only_what_nothing_else_uses() -> None:
    plan = with_root(
        [PlanNode(id="a", task="t"), PlanNode(id="b", task="t", depends_on=["a"])], "Q?"
    )
    assert plan[-1].depends_on == ["b"]


def test_a_plan_error_survives_a_process_border() -> None:
    import pickle

    error = PlanError("m", place="p", remedy="r", rule="depth")
    assert pickle.loads(pickle.dumps(error)).rule == "depth"
