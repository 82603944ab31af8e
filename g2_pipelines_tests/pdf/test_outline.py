"""Numbered lines of Japanese notices: headings by what follows them, items else."""

from __future__ import annotations

import pytest

from g2_pipelines.pdf.geometry import Block, around
from g2_pipelines.pdf.headings import set_levels, set_paths
from g2_pipelines.pdf.outline import begins_anew, numbering, promote_numbered
from g2_pipelines.tables.line2 import NodeKind
from g2_pipelines_tests.pdf.conftest import run

TEXT = "申出書を提出する団体は、令和十二年七月一日までに、次の書類を添えて提出しなければならない。"


def blocks_of(*texts: str, kind: NodeKind = "paragraph") -> list[Block]:
    blocks = []
    for k, text in enumerate(texts):
        runs = [run(text, 50, 20 * k)]
        blocks.append(
            Block(kind=kind, page=1, box=around(r.box for r in runs), runs=runs, text=text)
        )
    return blocks


def headings(blocks: list[Block]) -> list[str]:
    promote_numbered(blocks)
    return [block.text for block in blocks if block.kind == "heading"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("第２章　総則", 0),
        ("１．申出書の提出等", 1),
        ("2. 業務の概要", 1),
        ("（１）申出", 2),
        ("⑴ 申出", 2),
        ("① 総務大臣への申出", 3),
        ("ア．団体の長", 3),
        ("1.5倍に増えた", None),
        ("2030年度の売上高", None),
        ("(1) Sales of the year", None),
        ("申出書の提出", None),
    ],
)
def test_the_kinds_of_numbers(text: str, kind: int | None) -> None:
    assert numbering(text) == kind


def test_numbered_lines_with_a_text_or_a_deeper_number_under_them_are_headings() -> None:
    blocks = blocks_of(
        "１．提出等", "（１）申出", "① 書類", TEXT, "（２）期間", TEXT, "２．指定", TEXT
    )
    assert headings(blocks) == ["１．提出等", "（１）申出", "① 書類", "（２）期間", "２．指定"]
    set_levels(blocks)
    set_paths(blocks)
    assert [b.level for b in blocks if b.kind == "heading"] == [1, 3, 4, 3, 1]
    assert blocks[3].section_path == ["１．提出等", "（１）申出", "① 書類"]
    assert blocks[5].section_path == ["１．提出等", "（２）期間"]
    assert blocks[7].section_path == ["２．指定"]


@pytest.mark.parametrize(
    "texts",
    [
        ("（１）申出書", "（２）添付書類", "（３）委任状"),  # items
        ("（１）申出書を、", TEXT),  # goes on
        ("（１）申出書を提出すること。", TEXT),  # a sentence
        ("１．提出等 …… 3", "（１）申出 …… 4", TEXT),  # a list of contents
        ("（１）申出", "以上"),  # nothing of its own
        ("（１）" + "長" * 50, TEXT),
    ],
)
def test_items_and_sentences_stay(texts: tuple[str, ...]) -> None:
    assert headings(blocks_of(*texts)) == []


def test_a_title_over_a_deeper_title_begins_anew() -> None:
    assert begins_anew("１．申出書の提出等", "（１）申出")
    assert not begins_anew("（１）申出", "（２）期間")
    assert not begins_anew("申出書の提出", "（１）申出")
