"""The answer page: everything escaped, nothing fetched, boxes where they belong."""

from __future__ import annotations

import asyncio
import re
import xml.etree.ElementTree as ET

import pytest

from g2_pipelines.qa.answer import answer_question
from g2_pipelines.qa.build import build_tasks
from g2_pipelines.qa.page import answer_page
from g2_pipelines.qa.page_labels import note_words, place_words
from g2_pipelines.qa.plan_picture import picture_of, wrapped
from g2_pipelines.tables.line2 import (
    Answer,
    Citation,
    EvidenceNode,
    Gap,
    PlanNode,
    PlanVersion,
    SubAnswer,
)
from g2_pipelines.tables.rows import Bbox
from g2_pipelines_tests.qa.builders import JAPANESE, FixedSource, question, steps

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(60))
EVIL = "\"><script>alert(1)</script><img src=x onerror=alert(1)>'&"
MADE = {"engine": "extractive", "model": "extractive/1", "prompt_version": "none"}


def answered(text: str = "残留振動が最も小さい制御方式の最高回転数は何min⁻¹ですか") -> Answer:
    return asyncio.run(
        answer_question(
            question(text, question_id="q1", documents=["doc"]),
            evidence=FixedSource(JAPANESE),
            **build_tasks(None)._asdict(),
            index_digest="a" * 64,
        )
    )


def page(answer: Answer, *, image: bytes | None = PNG) -> str:
    return answer_page(
        answer,
        documents={"doc": "研削盤.pdf"},
        page_images=lambda _document, _page: image,
        page_sizes={("doc", 3): (600.0, 800.0)},
    )


def hostile() -> Answer:
    return Answer(
        **MADE,
        question_id="q1",
        question=f"What? {EVIL}",
        documents=[EVIL],
        plan_versions=[
            PlanVersion(version=0, nodes=[PlanNode(id="a", task=EVIL), PlanNode(id="r", task=EVIL, depends_on=["a"])], root="r", notes=[EVIL]),
        ],
        sub_answers=[
            SubAnswer(**MADE, plan_version=0, id="a", task=EVIL, answer=EVIL, found=True, cited=[EVIL],
                      evidence=[EvidenceNode(node_id=EVIL, document_id=EVIL, score=1, path=[EVIL])], result=EVIL, operation="sum"),
        ],
        gaps=[Gap(plan_version=0, kind="missing", text=EVIL)],
        verdict="unknown",
        answer=EVIL,
        citations=[Citation(document_id="doc", node_id=EVIL, page=3, bbox=Bbox(x0=0, y0=0, x1=1, y1=1), quote=EVIL, claim=EVIL)],
        unanswerable=False,
        why=EVIL,
        index_digest=EVIL,
    )  # fmt: skip


def test_nothing_that_comes_from_outside_becomes_markup() -> None:
    html = page(hostile())
    assert "<script" not in html
    assert "<img" not in html
    assert "onerror=alert(1)&gt;" in html


def test_no_byte_is_fetched_from_anywhere() -> None:
    html = page(answered())
    sources = re.findall(r"""(?:\bsrc=|\bhref=|\burl\()["']?([^"')\s>]+)""", html)
    assert all(item.startswith(("#", "data:image/png;base64,")) for item in sources)
    assert "default-src 'none'" in html
    assert "@import" not in html


def test_every_citation_mark_leads_to_its_quote_and_every_box_too() -> None:
    answer = answered()
    html = page(answer)
    for number, citation in enumerate(answer.citations, start=1):
        carried = sum(value.node_id == citation.node_id for value in answer.values)
        assert html.count(f'id="citation-{number}"') == 1
        assert html.count(f'href="#citation-{number}"') == 2 + carried
    assert "研削盤.pdf" in html


def test_the_box_stands_where_the_node_stands_in_percent_of_the_page() -> None:
    html = page(answered())
    # x 72…300 of 600, y 100…140 of 800
    assert "left: 12.0%; top: 12.5%; width: 38.0%; height: 5.0%" in html


def test_a_page_picture_is_inlined_once_however_often_it_is_cited() -> None:
    html = page(answered("適応制御と無制御の残留振動の差は何μmですか"))
    assert html.count("base64,") == 1
    assert html.count('class="box"') == 1


@pytest.mark.parametrize("image", [None, b"", b"<svg/>", b"GIF89a"])
def test_a_missing_or_strange_picture_leaves_the_quote(image: bytes | None) -> None:
    html = page(answered(), image=image)
    assert "base64" not in html
    assert "ページの画像はありません" in html
    assert "7200" in html


def test_an_unknown_page_size_draws_no_box() -> None:
    html = answer_page(answered(), documents={}, page_images=lambda _d, _p: PNG, page_sizes={})
    assert 'class="box"' not in html


def test_a_refusal_shows_its_reason_and_no_sources() -> None:
    html = page(answered("油圧ポンプの圧力は何MPaですか"))
    assert "回答できません" in html
    assert "油圧ポンプ" in html
    assert 'id="sources"' not in html
    assert "見直し 1" in html


def test_the_same_answer_gives_the_same_bytes_and_names_its_engine() -> None:
    html = page(answered())
    assert html == page(answered())
    assert "<b>extractive</b>" in html
    assert not re.search(r"20\d\d-\d\d-\d\dT", html)


def test_the_plan_is_drawn_with_one_box_a_node_and_one_line_a_dependency() -> None:
    html = page(answered())
    drawings = re.findall(r"<svg.*?</svg>", html, re.DOTALL)
    assert len(drawings) == 1
    drawing = ET.fromstring(drawings[0].replace("<svg ", '<svg xmlns="s" ', 1))
    assert len(drawing.findall(".//{s}rect")) == 3
    assert len(drawing.findall("./{s}path")) == 2


def test_boxes_of_one_level_share_a_column_and_never_overlap() -> None:
    version = PlanVersion(version=0, nodes=steps(("a", []), ("b", []), ("c", ["a"])), root="answer")
    boxes = {box.node.id: box for box in picture_of(version, []).boxes}
    assert boxes["a"].x == boxes["b"].x < boxes["c"].x < boxes["answer"].x
    assert boxes["a"].y + boxes["a"].height < boxes["b"].y
    assert boxes["answer"].standing == "root"
    assert boxes["a"].standing == "open"


def test_an_answer_of_an_earlier_version_is_shown_as_kept() -> None:
    nodes = steps(("a", []))
    done = SubAnswer(**MADE, plan_version=0, id="a", task="task a", answer="", found=True, cited=[])
    first, second = (
        picture_of(PlanVersion(version=number, nodes=nodes, root="answer"), [done]).boxes[0]
        for number in (0, 1)
    )
    assert (first.kept, second.kept) == (False, True)
    assert second.standing == "found"


def test_long_tasks_wrap_in_both_languages_and_end_in_an_ellipsis() -> None:
    assert wrapped("the mean sway of the tower in winter nights", 120) == [
        "the mean sway of",
        "the tower in",
        "winter nights",
    ]
    lines = wrapped("残留振動が最も小さい制御方式の最高回転数は何回転かを表で調べる" * 4)
    assert len(lines) == 4
    assert lines[-1].endswith("…")
    assert not any(line[0] in "、。" for line in lines)


def test_a_plans_notes_are_in_the_pages_language() -> None:
    assert note_words("add r1", language="ja") == "r1 を追加"
    assert note_words("add r1", language="en") == "add r1"
    assert note_words("q1: dependency on unknown 'x' dropped", language="ja").startswith("q1:")


def test_one_box_of_several_citations_is_drawn_once_with_all_their_numbers() -> None:
    """Drawn five times it hid the page, and only the last number was to be seen."""
    answer = answered()
    first = answer.citations[0]
    more = [first.model_copy(update={"quote": f"q{n}"}) for n in range(3)]
    html = page(answer.model_copy(update={"citations": [first, *more]}))
    assert html.count('class="box"') == 1
    assert "<span>1–4</span>" in html
    assert html.count('class="zoom"') == 1


def test_a_values_place_is_told_in_the_pages_language() -> None:
    assert place_words("p.5, row 4, column 1", language="ja") == "5ページ 4行目 1列目"
    assert place_words("p.2, characters 3-9", language="ja") == "2ページ 3〜9文字目"
    assert place_words("p.5, row 4, column 1", language="en") == "p.5, row 4, column 1"


def test_the_answers_numbers_stand_with_unit_and_origin() -> None:
    html = page(answered("適応制御と無制御の残留振動の差は何μmですか"))
    table = html.split('class="numbers"')[1].split("</table>")[0]
    assert "4.18μm" in table
    assert 'href="#step-q3"' in table or 'href="#step-q1"' in table
    assert "期間" not in table, "no column that is empty in every row"
    cited = page(answered())
    assert "[1]" in cited.split('class="numbers"')[1].split("</table>")[0]
