"""What EDINET rewrites is seen, and what became of a document does not depend on reading order.

The rows are those of the specification's own examples (3-1-5 to 3-1-7), with invented codes.
"""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from g2_pipelines.edinet.changes import compare, later, merge, states
from g2_pipelines.edinet.codelist import codes_in_use, read_mergers
from g2_pipelines.edinet.errors import CodeListError
from g2_pipelines.edinet.select import decide
from g2_pipelines.tables.line1 import CodeMerger, DocumentState, Listing

DAY = "2023-04-03"
AS_OF = "2023-05-02 00:10"


def listed(number: int, document_id: str, **more: object) -> Listing:
    values = {
        "date": DAY, "seqNumber": number, "docID": document_id, "edinetCode": "E99001",
        "ordinanceCode": "010", "docTypeCode": "120", "withdrawalStatus": "0",
        "docInfoEditStatus": "0", "disclosureStatus": "0", "xbrlFlag": "1", "legalStatus": "1",
    }  # fmt: skip
    return Listing.model_validate(values | more)


def emptied(number: int, document_id: str, **more: object) -> Listing:
    """A row as it stands after a withdrawal or the end of its time: nearly all is null."""
    values = {
        "date": DAY, "seqNumber": number, "docID": document_id, "withdrawalStatus": "0",
        "docInfoEditStatus": "0", "disclosureStatus": "0", "xbrlFlag": "0", "legalStatus": "0",
    }  # fmt: skip
    return Listing.model_validate(values | more)


def test_an_unchanged_day_has_no_changes():
    rows = [listed(1, "S9000001"), listed(2, "S9000002")]
    assert compare(rows, rows, as_of=AS_OF) == []


@pytest.mark.parametrize(
    ("after", "change"),
    [
        (emptied(1, "S9000001", withdrawalStatus="2"), "withdrawn"),
        (emptied(1, "S9000001"), "expired"),
        (listed(1, "S9000001", docInfoEditStatus="2"), "edited"),
        (listed(1, "S9000001", disclosureStatus="2"), "undisclosed"),
        (listed(1, "S9000001", legalStatus="2"), "changed"),
        (listed(1, "S9000001", periodEnd="2023-03-31"), "changed"),
    ],
)
def test_each_kind_of_rewriting_is_named(after: Listing, change: str):
    [found] = compare([listed(1, "S9000001")], [after], as_of=AS_OF)
    assert (found.change, found.docID, found.as_of) == (change, "S9000001", AS_OF)
    assert (found.edinetCode, found.docTypeCode) == ("E99001", "120")
    assert found.fields


def test_a_field_of_a_change_says_before_and_after():
    [found] = compare(
        [listed(1, "S9000001")], [listed(1, "S9000001", legalStatus="2")], as_of=AS_OF
    )
    assert [(f.name, f.before, f.after) for f in found.fields] == [("legalStatus", "1", "2")]


def test_a_row_that_an_answer_lacks_is_kept_and_said():
    before = [listed(1, "S9000001"), listed(2, "S9000002")]
    after = [listed(2, "S9000002"), listed(3, "S9000003")]
    assert [row.docID for row in merge(before, after)] == ["S9000001", "S9000002", "S9000003"]
    changes = compare(before, after, as_of=AS_OF)
    assert [(c.docID, c.change) for c in changes] == [("S9000001", "missing"), ("S9000003", "new")]


def test_an_edits_notice_of_the_same_day_is_a_row_of_its_own():
    """Its docID stands twice in the day; by docID one of the two would be lost."""
    before = [listed(1, "S9000001")]
    after = [*before, listed(99, "S9000001", docInfoEditStatus="1", periodEnd="2023-03-31")]
    assert merge(before, after) == after
    assert [c.change for c in compare(before, after, as_of=AS_OF)] == ["new"]
    [first, second] = decide(after, {"E99001"})
    assert (first.taken, second.taken) == (False, True)


def test_a_withdrawal_is_told_by_its_notice_and_by_the_rewritten_row():
    notice = emptied(
        99, "S9000003", withdrawalStatus="1", parentDocID="S9000001",
        submitDateTime="2023-05-01 09:30",
    )  # fmt: skip
    rewritten = emptied(1, "S9000001", withdrawalStatus="2")
    child = emptied(2, "S9000002", withdrawalStatus="2", parentDocID="S9000001")
    found = states([notice, rewritten, child], as_of=AS_OF)
    assert [(s.document_id, s.state, s.notice) for s in found] == [
        ("S9000001", "withdrawn", "S9000003"),
        ("S9000001", "withdrawn", None),
        ("S9000002", "withdrawn", None),
    ]


def test_what_became_of_a_document_does_not_depend_on_the_order_of_reading():
    """A day's notice stays in its list for ever; read last, it must not undo what came after."""
    start = listed(99, "S9000001", disclosureStatus="1", opeDateTime="2023-05-01 19:30")
    end = listed(199, "S9000001", disclosureStatus="3", opeDateTime="2023-06-01 17:30")
    told = [*states([start], as_of="2023-07-01 00:10"), *states([end], as_of="2023-07-01 00:10")]
    for order in permutations(told):
        now: DocumentState | None = None
        for state in order:
            now = later(now, state)
        assert now is not None
        assert now.state == "disclosed"


def test_a_withdrawal_is_for_ever():
    withdrawn = DocumentState(document_id="S9", state="withdrawn", at="2023-01-01 00:00")
    disclosed = DocumentState(document_id="S9", state="disclosed", at="2024-01-01 00:00")
    assert later(withdrawn, disclosed) == later(disclosed, withdrawn) == withdrawn


def test_every_row_gets_a_decision_with_its_reason():
    rows = [
        listed(1, "S9000001"),
        listed(2, "S9000002", docTypeCode="130"),
        listed(3, "S9000003", docTypeCode="140"),
        listed(4, "S9000004", ordinanceCode="030"),
        listed(5, "S9000005", edinetCode="E99002"),
        listed(6, "S9000006", disclosureStatus="2"),
        listed(7, "S9000007", xbrlFlag="0", csvFlag="1"),
        emptied(8, "S9000008"),
        emptied(9, "S9000009", withdrawalStatus="2"),
        emptied(10, "S9000010", withdrawalStatus="1", parentDocID="S9000011"),
        listed(11, "S9000011"),
        listed(12, "S9000012", edinetCode="E99009"),
    ]
    reasons = [d.reason for d in decide(rows, {"E99001", "E99008"}, merged={"E99009": "E99008"})]
    assert reasons == [
        "annual report",
        "correction",
        "another kind of document",
        "a fund or foreign issuer (ordinance other than 010)",
        "company not followed",
        "not disclosed",
        "no XBRL",
        "expired: EDINET has deleted its data",
        "withdrawn",
        "the notice of a withdrawal",
        "withdrawn",
        "annual report",
    ]
    assert decide([rows[6]], {"E99001"}, csv=True)[0].taken


MERGERS = "EDINETコード集約一覧,,\n集約処理日,廃止 EDINETコード,継続EDINETコード\n"


def test_merged_codes_lead_to_the_code_in_use():
    content = (MERGERS + "2023-04-03,E77777,E66666\n2024-01-05,E66666,E55555\n").encode("cp932")
    mergers = read_mergers(content)
    assert mergers[0] == CodeMerger(merged="E77777", used="E66666", date="2023-04-03")
    assert codes_in_use(mergers) == {"E77777": "E55555", "E66666": "E55555"}


@pytest.mark.parametrize("text", ["", "a,b\n", MERGERS + "2023-04-03,E77777,\n"])
def test_another_list_is_refused(text: str):
    with pytest.raises(CodeListError):
        read_mergers(text.encode("cp932"))


CODES = st.sampled_from(["E1", "E2", "E3", "E4"])


@given(st.lists(st.builds(CodeMerger, merged=CODES, used=CODES), max_size=8))
def test_no_merger_leads_round_in_a_circle(mergers: list[CodeMerger]):
    assert set(codes_in_use(mergers)) == {m.merged for m in mergers}


NUMBERS = st.integers(1, 6)
ROWS = st.lists(
    st.builds(
        lambda n, status: listed(n, f"S900000{n}", disclosureStatus=status),
        NUMBERS,
        st.sampled_from(["0", "2"]),
    ),
    unique_by=lambda row: row.seqNumber,
)


@given(ROWS, ROWS)
def test_no_row_is_lost_and_reading_the_same_twice_changes_nothing(
    before: list[Listing], after: list[Listing]
):
    rows = merge(before, after)
    assert {r.seqNumber for r in rows} == {r.seqNumber for r in [*before, *after]}
    assert all(row in rows for row in after)
    assert merge(rows, after) == rows
    assert all(c.change == "missing" for c in compare(rows, after, as_of=AS_OF))
