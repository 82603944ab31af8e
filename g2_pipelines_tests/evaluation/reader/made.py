"""Cases and answers made by hand, of an invented document."""

from __future__ import annotations

from g2_pipelines.evaluation.reader.case import AnswerKind, Case, GoldPlace
from g2_pipelines.tables.line2 import (
    Answer,
    Citation,
    CopiedValue,
    DocumentNode,
    EvidenceNode,
    PlanNode,
    PlanVersion,
    SubAnswer,
)
from g2_pipelines_tests.qa.builders import BOX, node

TOWERS = node(
    "e2",
    "Tower\tHeight (m)\nAlder\t21.5\nBirch\t34.0",
    kind="table",
    caption="Table 1: Towers",
    page=3,
)
CABINS = node("e1", "Each of the 26 cabins carries an accelerometer sampled at 400 Hz.", page=2)
NODES = {("doc", item.node_id): item for item in (TOWERS, CABINS)}


def node_of(document: str, node_id: str) -> DocumentNode | None:
    return NODES.get((document, node_id))


def case(
    question: str = "How many cabins carry an accelerometer?",
    *,
    kind: AnswerKind = "int",
    answers: tuple[str, ...] = ("26",),
    items: tuple[str, ...] = (),
    pages: tuple[int, ...] = (2,),
    cells: tuple[str, ...] = (),
    case_id: str = "c1",
) -> Case:
    return Case(
        case_id=case_id,
        set="own",
        question=question,
        documents=["cable.pdf"],
        kind=kind,
        answers=list(answers),
        items=list(items),
        gold=[GoldPlace(document="cable.pdf", page=page) for page in pages],
        cells=list(cells),
        row=1,
    )


def sub(
    *,
    seen: tuple[str, ...] = ("e1",),
    values: tuple[tuple[str, str], ...] = (),
    operation: str = "",
    result: str = "",
) -> SubAnswer:
    """A sub-answer that saw the nodes; values are (text, node id)."""
    return SubAnswer(
        engine="fake",
        model="fake/1",
        prompt_version="none",
        call_keys=["k2"],
        plan_version=0,
        id="q1",
        task="How high?",
        answer=result,
        found=True,
        cited=list(seen),
        evidence=[
            EvidenceNode(node_id=one, document_id="doc", score=1.0, path=["seed"]) for one in seen
        ],
        values=[
            CopiedValue(label="height", text=text, unit="m", node_id=one) for text, one in values
        ],
        operation=operation,
        result=result,
    )


def answer(
    text: str,
    *,
    cited: tuple[str, ...] = ("e1",),
    subs: tuple[SubAnswer, ...] | None = None,
    refused: bool = False,
    notes: tuple[str, ...] = (),
) -> Answer:
    """An answer that cites the nodes."""
    return Answer(
        engine="fake",
        model="fake/1",
        prompt_version="none",
        call_keys=["k1"],
        question_id="c1",
        question="How many cabins carry an accelerometer?",
        documents=["doc"],
        plan_versions=[
            PlanVersion(version=0, nodes=[PlanNode(id="a", task="?")], root="a", notes=list(notes))
        ],
        sub_answers=list(subs if subs is not None else (sub(),)),
        verdict="insufficient" if refused else "sufficient",
        answer=text,
        citations=[]
        if refused
        else [
            Citation(
                document_id="doc",
                node_id=one,
                page=NODES["doc", one].page,
                bbox=BOX,
                quote=NODES["doc", one].text,
            )
            for one in cited
        ],
        unanswerable=refused,
    )
