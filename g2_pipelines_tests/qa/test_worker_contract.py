"""What a worker must give: values with label, unit and place, one second look, told conflicts."""

from __future__ import annotations

import asyncio
import io
from typing import Any

import pytest

from g2_pipelines.qa.answer import answer_question
from g2_pipelines.qa.build import build_tasks
from g2_pipelines.qa.evidence import Evidence
from g2_pipelines.qa.places import place_of
from g2_pipelines.qa.ports import (
    Check,
    FoundGap,
    Inquiry,
    PlanDraft,
    Quote,
    Reasoned,
    WorkerReply,
    WorkerTask,
)
from g2_pipelines.qa.showing import enlarged, show
from g2_pipelines.qa.verify import verify
from g2_pipelines.tables.line2 import Answer, CopiedValue, PlanNode
from g2_pipelines_tests.qa.builders import FixedSource, evidence, node, question, steps
from g2_pipelines_tests.qa.fakes import FakeChecker, FakePlanner, FakeReasoner, FakeWorker, tasks

TABLE = node(
    "t1",
    "Line\tLength (km)\tRiders\nNorth\t12.5\t4,200\nSouth\t8.0\t12",
    kind="table",
    caption="Table 4 Lines opened in 1998",
    section=["Transport"],
    page=3,
)
ABOVE = node("p1", "All amounts in million yen.", page=3)
TEXT = node("p2", "The north line cost 840 in the year it was opened.", page=3)
FIGURE = node("f1", "", kind="figure", caption="Figure 2 Profile, 310 m at the pass", ocr_text="55")
NODES = [TABLE, ABOVE, TEXT, FIGURE]


def task(text: str = "How much did it cost?", *nodes: Any) -> WorkerTask:
    return WorkerTask(
        node=PlanNode(id="a", task=text),
        question=question("Q?"),
        evidence=evidence(list(nodes) or NODES),
        dependencies=[],
    )


def checked(**value: str) -> Any:
    copied = CopiedValue.model_validate({"node_id": "t1", **value})
    reply = WorkerReply(answer="so", found=True, values=[copied])
    return verify(reply, task(), language="en")


@pytest.mark.parametrize(
    ("text", "item", "place"),
    [
        ("12.5", TABLE, "p.3, row 2, column 2"),
        ("12", TABLE, "p.3, row 3, column 3"),  # not the 12 of 12.5
        ("4200", TABLE, ""),
        ("1998", TABLE, "p.3, caption"),
        ("840", TEXT, "p.3, characters 20-23"),
        ("55", FIGURE, "p.1, picture"),
        ("310 m", FIGURE, "p.1, caption"),
        ("77", TEXT, ""),
    ],
)
def test_a_values_place_is_found_by_code(text: str, item: Any, place: str) -> None:
    assert place_of(text, item) == place


def test_a_value_is_kept_with_its_place_when_text_label_and_unit_stand_there() -> None:
    found = checked(label="North, length", text="12.5", unit="km")
    assert [value.place for value in found.values] == ["p.3, row 2, column 2"]
    assert found.faults == []


def test_a_place_that_a_model_claims_is_not_believed() -> None:
    found = checked(label="North", text="12.5", unit="km", place="p.99, row 1, column 1")
    assert found.values[0].place == "p.3, row 2, column 2"


def test_a_label_of_which_no_word_stands_there_drops_the_value() -> None:
    """12.5 is a length; a worker that calls it a share has misread the table."""
    found = checked(label="Market share", text="12.5", unit="km")
    assert found.values == []
    assert found.faults[0] == "no word of the label 'Market share' stands in t1"


def test_a_unit_may_stand_above_the_table_and_in_another_spelling() -> None:
    assert checked(label="Riders", text="4,200", unit="million yen").values
    assert checked(label="Riders", text="4,200", unit="円").values


def test_a_unit_that_stands_nowhere_on_the_page_drops_the_value() -> None:
    found = checked(label="North", text="12.5", unit="miles")
    assert found.values == []
    assert found.faults[0] == "the unit 'miles' of '12.5' stands nowhere on its page"


# -- the second look


def png(width: int, height: int) -> bytes:
    from PIL import Image

    buffer = io.BytesIO()
    Image.new("RGB", (width, height), "white").save(buffer, "PNG")
    return buffer.getvalue()


def size(picture: bytes) -> tuple[int, int]:
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as opened:
        return opened.size


def test_a_closer_look_enlarges_pictures_and_spells_tables_out() -> None:
    items = [Evidence(node=TABLE, score=1, image=lambda: png(300, 200))]
    plain, closer = (show(items, max_images=2, closer=closer) for closer in (False, True))
    assert size(plain.images[0].data) == (300, 200)
    assert size(closer.images[0].data) == (600, 400)
    assert "North, Length: 12.5 km" in closer.sources[0].text


def test_a_large_picture_is_not_blown_up_and_a_broken_one_is_left() -> None:
    assert size(enlarged(png(2600, 1600))) == (2600, 1600)
    assert enlarged(b"\x89PNG\r\n\x1a\nno picture") == b"\x89PNG\r\n\x1a\nno picture"


def ask(worker: FakeWorker, check: Check | None = None, **parts: Any) -> Answer:
    planner = FakePlanner([PlanDraft(nodes=steps(*parts.pop("plan", [("a", [])])), root="answer")])
    checker = FakeChecker([check or Check(verdict="sufficient")])
    return asyncio.run(
        answer_question(
            question("Q?", documents=["doc"], **parts.pop("asked", {})),
            evidence=FixedSource(parts.pop("nodes", NODES)),
            **tasks(planner, worker, checker, parts.pop("reasoner", None))._asdict(),
        )
    )


class Closer(FakeWorker):
    looks_closer = True


def test_nothing_found_is_looked_at_once_more_in_tables_and_pictures_and_recorded() -> None:
    def reply(task: WorkerTask) -> WorkerReply:
        if not task.closer:
            return WorkerReply(answer="no", found=False)
        quote = Quote(node_id="t1", text="North\t12.5\t4,200")
        return WorkerReply(answer="12.5", found=True, quotes=[quote])

    worker = Closer(reply)
    answer = ask(worker)
    assert [item.node.node_id for item in worker.tasks[1].evidence] == ["t1", "f1"]
    assert answer.sub_answers[0].retries == ["tables cell by cell, pictures enlarged: found"]
    assert answer.sub_answers[0].found
    assert len(answer.plan_versions) == 1, "before the plan is changed"


def test_there_is_one_second_look_and_no_third() -> None:
    worker = Closer(lambda _: WorkerReply(answer="99", found=True, cited=["t1"]))
    answer = ask(worker)
    assert len(worker.tasks) == 2
    assert answer.sub_answers[0].retries[0].endswith("in what is cited: not found")


def test_text_alone_is_not_looked_at_twice() -> None:
    worker = Closer(lambda _: WorkerReply(answer="no", found=False))
    ask(worker, nodes=[ABOVE, TEXT])
    assert len(worker.tasks) == 1


# -- conflicts


def conflicting(task: WorkerTask) -> WorkerReply:
    values = [
        CopiedValue(label="North", text="12.5", unit="km", node_id="t1"),
        CopiedValue(label="the north line", text="840", node_id="p2"),
    ]
    return WorkerReply(
        answer="Table 4 says 12.5, the text 840.",
        found=False,
        lack="conflicting",
        quotes=[
            Quote(node_id="t1", text="North\t12.5\t4,200"),
            Quote(node_id="p2", text=TEXT.text),
        ],
        values=values,
    )


def test_a_conflict_is_a_gap_that_the_answer_tells_with_both_places() -> None:
    """Also where the checker overlooks it: nobody must be given one side as the truth."""
    answer = ask(FakeWorker(conflicting))
    assert answer.unanswerable
    assert answer.verdict == "insufficient"
    assert [(gap.kind, gap.text) for gap in answer.gaps] == [
        ("conflicting", "Table 4 says 12.5, the text 840.")
    ]
    assert answer.why == "Table 4 says 12.5, the text 840."
    assert [citation.node_id for citation in answer.citations] == ["t1", "p2"]
    assert [value.text for value in answer.sub_answers[0].values] == ["12.5", "840"]


def test_a_conflict_of_which_one_side_does_not_stand_is_none() -> None:
    def one_sided(task: WorkerTask) -> WorkerReply:
        reply = conflicting(task)
        wrong = [reply.values[0], reply.values[1].model_copy(update={"text": "841"})]
        return reply.model_copy(update={"values": wrong})

    answer = ask(
        FakeWorker(one_sided), Check(verdict="gaps", gaps=[FoundGap(kind="missing", text="x")])
    )
    assert [gap.kind for gap in answer.gaps] == ["missing"]
    assert answer.citations == []


def test_a_conflict_beside_an_answered_part_is_told_beside_its_answer() -> None:
    def reply(task: WorkerTask) -> WorkerReply:
        if task.node.id == "a":
            return conflicting(task)
        quote = Quote(node_id="p1", text=ABOVE.text)
        return WorkerReply(answer=ABOVE.text, found=True, quotes=[quote])

    def part(inquiry: Inquiry) -> Reasoned:
        claims = [] if inquiry.verdict != "partial" else FakeReasoner().reply(inquiry).claims
        mine = [claim for claim in claims if claim.node_id == "p1"]
        return Reasoned(answer=ABOVE.text, claims=mine)

    answer = ask(FakeWorker(reply), plan=[("a", []), ("b", [])], reasoner=FakeReasoner(part))
    assert answer.verdict == "partial"
    assert answer.answer == f"{ABOVE.text} Table 4 says 12.5, the text 840."
    assert {citation.node_id for citation in answer.citations} == {"p1", "t1", "p2"}


def test_tables_that_contradict_each_other_are_named_by_the_extractive_engine_too() -> None:
    """Two reports of one company with two figures for one thing."""
    one = node("x1", "Site\tStaff\nKita\t120\nMinami\t80", kind="table", caption="Table 1 Staff")
    other = node(
        "y1",
        "Site\tStaff\nKita\t130\nMinami\t80",
        kind="table",
        caption="Table 1 Staff",
        document="later",
    )
    answer = asyncio.run(
        answer_question(
            question("How many staff does Kita have?", documents=["doc", "later"]),
            evidence=FixedSource([one, other]),
            **build_tasks(None)._asdict(),
        )
    )
    assert answer.unanswerable
    assert {gap.kind for gap in answer.gaps} == {"conflicting"}
    assert {(item.document_id, item.quote) for item in answer.citations} == {
        ("doc", "Kita\t120"),
        ("later", "Kita\t130"),
    }
    assert "120" in answer.why
    assert "130" in answer.why


# -- parts


def test_a_partly_answered_question_is_partial_and_says_what_is_missing() -> None:
    gaps = Check(verdict="partial", gaps=[FoundGap(kind="missing", text="the height of the pass")])
    answer = ask(FakeWorker(), gaps, nodes=[ABOVE])
    assert answer.verdict == "partial"
    assert not answer.unanswerable
    missing = "Not confirmed in the documents in scope: the height of the pass"
    assert answer.answer == f"{ABOVE.text} {missing}"
    assert [gap.text for gap in answer.gaps] == ["the height of the pass"]


def test_a_short_answer_to_a_part_stays_short_and_gives_the_rest_as_reason() -> None:
    gaps = Check(verdict="partial", gaps=[FoundGap(kind="missing", text="the height of the pass")])
    answer = ask(FakeWorker(), gaps, nodes=[ABOVE], asked={"format": "short"})
    assert answer.answer == ABOVE.text
    assert answer.why == "Not confirmed in the documents in scope: the height of the pass"


def test_a_gap_with_a_number_that_nobody_gave_is_told_without_it() -> None:
    """A checker is a model too: its words must not bring a number into an answer."""
    gaps = Check(verdict="partial", gaps=[FoundGap(kind="missing", text="whether it is 99 m")])
    answer = ask(FakeWorker(), gaps, nodes=[ABOVE])
    assert "99" not in answer.answer
    assert answer.answer.endswith(
        "The rest of the question is not confirmed in the documents in scope."
    )


def test_an_answer_may_rest_on_a_caption_and_a_paragraph_together() -> None:
    def both(_: WorkerTask) -> WorkerReply:
        quotes = [
            Quote(node_id="f1", text="310 m at the pass"),
            Quote(node_id="p2", text="The north line cost 840"),
        ]
        return WorkerReply(answer="310 m at the pass, for 840", found=True, quotes=quotes)

    answer = ask(FakeWorker(both))
    assert [(item.node_id, item.quote) for item in answer.citations] == [
        ("f1", "310 m at the pass"),
        ("p2", "The north line cost 840"),
    ]
    assert answer.verdict == "sufficient"
