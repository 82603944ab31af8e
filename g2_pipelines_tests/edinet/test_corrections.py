"""An invented partial correction read from its zip and applied to its report."""

from __future__ import annotations

from pathlib import Path

from g2_pipelines.edinet.corrections import apply_correction
from g2_pipelines.edinet.filing import ReadFiling, read_filing
from g2_pipelines_tests.edinet.builder import (
    DEI,
    LONG,
    MDNA,
    POLICY,
    block,
    filing_members,
    write_zip,
)

RISKS = "jpcrp_cor:BusinessRisksTextBlock"
CORRECTED = DEI | {
    "NumberOfSubmissionDEI": "2",
    "AmendmentFlagDEI": "true",
    "ReportAmendmentFlagDEI": "true",
    "IdentificationOfDocumentSubjectToAmendmentDEI": "S100ZZ01",
}


def filing(tmp_path: Path, name: str, body: str, dei: dict[str, str], **more: str) -> ReadFiling:
    path = write_zip(tmp_path, filing_members(body, dei=dei), f"{name}.zip")
    return read_filing(path, **more)  # type: ignore[arg-type]


def report(tmp_path: Path) -> ReadFiling:
    body = block(POLICY, "旧方針" + LONG) + block(RISKS, "旧リスク" + LONG)
    body += block(f"jpcrp_cor:{MDNA}", "旧分析" + LONG)
    return filing(tmp_path, "S100ZZ01", body, dict(DEI))


def current(rows: list) -> dict[str, tuple[str, str]]:  # type: ignore[type-arg]
    return {r.section: (r.document_id, r.text[:3]) for r in rows if r.text and not r.superseded_by}


def test_a_correction_names_its_report_by_its_dei_and_the_listing_goes_before(
    tmp_path: Path,
) -> None:
    body = block(RISKS, LONG)
    by_dei = filing(tmp_path, "S100ZZ02", body, CORRECTED)
    assert (by_dei.filing.document_type, by_dei.filing.amends) == ("130", "S100ZZ01")
    assert {row.amends for row in by_dei.sections} == {"S100ZZ01"}
    listed = filing(tmp_path, "S100ZZ03", body, CORRECTED, amends="S100ZZ00")
    assert listed.filing.amends == "S100ZZ00"


def test_only_the_section_that_it_contains_is_replaced_and_the_history_stays(
    tmp_path: Path,
) -> None:
    old = report(tmp_path)
    new = filing(tmp_path, "S100ZZ02", block(RISKS, "新リスク" + LONG), CORRECTED)
    rows = apply_correction(old.sections, new.sections)
    assert current(rows) == {
        "policy": ("S100ZZ01", "旧方針"),
        "risks": ("S100ZZ02", "新リス"),
        "mdna": ("S100ZZ01", "旧分析"),
    }
    history = [r for r in rows if r.superseded_by == "S100ZZ02" and r.text]
    assert [(r.section, r.text[:4]) for r in history] == [("risks", "旧リスク")]
    second = filing(tmp_path, "S100ZZ03", block(RISKS, "三" + LONG), CORRECTED)
    rows = apply_correction(rows, second.sections)
    assert current(rows)["risks"][0] == "S100ZZ03"
    assert {r.superseded_by for r in rows if r.section == "risks"} == {"S100ZZ02", "S100ZZ03", None}


def test_a_section_that_ends_too_early_or_is_empty_replaces_nothing(tmp_path: Path) -> None:
    old = report(tmp_path)
    members = filing_members(block(RISKS, "") + block(POLICY, f"<p>{LONG}</p><p>x"), dei=CORRECTED)
    name = next(n for n in members if "honbun" in n)
    members[name] = members[name][: members[name].rindex(b"</ix:nonNumeric>")]
    new = read_filing(write_zip(tmp_path, members, "S100ZZ02.zip"))
    assert {r.status for r in new.sections if r.element} == {"empty", "truncated_source"}
    assert current(apply_correction(old.sections, new.sections)) == current(old.sections)
