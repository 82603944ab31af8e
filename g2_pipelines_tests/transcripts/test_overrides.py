"""Roles that a person gives: per company, before every lexicon, faults named by place."""

from __future__ import annotations

import pytest

from g2_pipelines.transcripts.overrides import BadRolesError, overrides_of, read_overrides
from g2_pipelines.transcripts.segment import segment
from g2_pipelines_tests.transcripts.helpers import transcript_of

FILE = """
"*": {広報担当: answer, 副議長: moderator}
E99001:
  三枝: question
  副議長: question
"""
TEXT = "○司会　始めます。\n○三枝社長　増収の理由は。\n○森本副議長　円安です。\n○江川広報担当　補足します。\n○三枝社長　どうも。\n"


def test_a_companys_own_rules_go_before_those_for_all() -> None:
    read = read_overrides(FILE.encode(), "roles.yaml")
    assert overrides_of(read, "E99001") == {
        "広報担当": "answer",
        "三枝": "question",
        "副議長": "question",
    }
    assert overrides_of(read, "E99002") == {"広報担当": "answer", "副議長": "moderator"}
    assert read_overrides(b"", "roles.yaml") == {}


def test_a_rule_meets_a_title_at_the_end_of_a_label() -> None:
    rules = overrides_of(read_overrides(FILE.encode(), "roles.yaml"), "E99002")
    turns, _ = segment(transcript_of(TEXT), roles=rules)
    told = {t.speaker: (t.role, t.role_source) for t in turns}
    assert told["森本副議長"] == ("moderator", "override")
    assert told["江川広報担当"][1] == "override"
    assert told["司会"] == ("moderator", "title")


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b"a: [", "line 1, column 5"),
        (b"\xff\xfe", "utf-8"),
        (b"- x", ""),
        (b"E99001: answer", "E99001"),
        ("E99001: {三枝: chair}".encode(), "E99001: 三枝"),
        (b"x: !!python/object/apply:os.system [ls]", "line 1, column 4"),
    ],
)
def test_a_fault_in_the_file_names_its_place(content: bytes, place: str) -> None:
    with pytest.raises(BadRolesError) as caught:
        read_overrides(content, "roles.yaml")
    assert place in caught.value.place
    assert "roles are question" in caught.value.remedy
