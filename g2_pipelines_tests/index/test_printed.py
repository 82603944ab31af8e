"""Printed page numbers are voted from the pages' own numbers."""

from __future__ import annotations

from g2_pipelines.index.printed import printed_pages
from g2_pipelines_tests.index.samples import document_node


def pages(texts, kind="furniture"):
    return [
        document_node("d", f"n{at}", -1, text, kind, page)
        for at, (page, text) in enumerate(texts)
        if text
    ]


def test_the_offset_is_voted_and_pages_without_a_number_take_it():
    nodes = pages([(3, "1"), (4, "- 2 -"), (5, ""), (6, "4 / 9"), (7, "5ページ")])
    nodes += pages([(1, "表紙"), (2, "目次"), (5, "本文")], "paragraph")
    assert printed_pages(nodes) == {3: 1, 4: 2, 5: 3, 6: 4, 7: 5}


def test_a_year_in_the_footer_is_no_page_number():
    nodes = pages(
        [(page, f"Minato Foods Annual Report 2024 | {page + 10}") for page in range(1, 6)]
    )
    assert printed_pages(nodes) == {page: page + 10 for page in range(1, 6)}


def test_each_part_of_a_document_keeps_its_own_numbering():
    nodes = pages([(page, str(page)) for page in range(1, 6)])
    nodes += pages([(page, str(page - 5)) for page in range(6, 11)])
    assert printed_pages(nodes) == {
        **{p: p for p in range(1, 6)},
        **{p: p - 5 for p in range(6, 11)},
    }


def test_lone_numbers_of_few_pages_are_chance():
    assert printed_pages(pages([(1, "7"), (2, "30")])) == {}
    assert printed_pages(pages([(1, "売上高は12"), (2, "x")], "paragraph")) == {}
    assert printed_pages([]) == {}
