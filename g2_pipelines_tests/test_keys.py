"""Keys have one form; a document's and a question's are stable."""

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2_pipelines.errors import InputError
from g2_pipelines.keys import (
    check_fiscal_year,
    check_key,
    document_key,
    is_key,
    question_key,
    well_formed,
)

UGLY = [
    "",
    "..",
    ".",
    "a/b",
    "../../x",
    "a,b",
    "a|b",
    "株式会社",
    "-a",
    "_a",
    "a" * 65,
    "a\n",
    "a b",
]


@pytest.mark.parametrize("text", UGLY)
def test_an_ugly_key_is_refused_and_named(text: str):
    """A comma breaks the UI's selection, a slash leaves the folder."""
    with pytest.raises(InputError, match="not a valid partition key"):
        check_key(text, "partition key")


@pytest.mark.parametrize("text", ["E00949", "S100T45G", "a", "A-b_c", "0" * 64])
def test_a_plain_key_is_kept(text: str):
    assert check_key(text, "partition key") == text


def test_a_document_key_is_slug_and_twelve_hex():
    digest = hashlib.sha256(b"x").hexdigest()
    assert document_key("Annual Report (2024)", digest) == f"annual-report-2024-{digest[:12]}"
    assert document_key("統合報告書", digest) == f"document-{digest[:12]}"


@settings(derandomize=True, max_examples=200)
@given(st.text(), st.binary())
def test_every_document_key_is_a_key(stem: str, content: bytes):
    assert is_key(document_key(stem, hashlib.sha256(content).hexdigest()))


@settings(derandomize=True, max_examples=200)
@given(st.one_of(st.none(), st.text()), st.text())
def test_every_question_key_is_a_key(question_id: str | None, text: str):
    assert is_key(question_key(question_id, text))


def test_a_question_keeps_its_own_id_where_that_can_be_a_key():
    assert question_key("q-7", "売上高は？") == "q-7"
    assert question_key("q 7", "売上高は？") != question_key("q 8", "売上高は？")


@pytest.mark.parametrize(
    "text", ["", "2025", "2025-00", "2025-13", "25-03", "2025-03 ", "２０２５-03"]
)
def test_a_fiscal_year_is_year_and_month(text: str):
    with pytest.raises(InputError, match="is not a fiscal year"):
        check_fiscal_year(text)
    assert check_fiscal_year("2025-03") == "2025-03"


@given(st.text())
@settings(max_examples=50, derandomize=True)
def test_text_that_utf8_can_hold_is_well_formed_as_it_is(text: str):
    assert well_formed(text) == text
    assert well_formed(text + "\udcff\ud800") == text + "??"
