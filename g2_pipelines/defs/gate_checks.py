"""Asset checks of the gates: one a gate, with its threshold and every text that fails it.

Here: ``GATES`` and ``gate_checks``. Not here: what a gate looks at (``evaluation.brief``), nor what a
failed gate stops (``assets.judgement``, which alone imports this module).

https://docs.dagster.io/guides/test/asset-checks
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import dagster as dg

from g2_pipelines.defs import specs
from g2_pipelines.defs.metadata import clip
from g2_pipelines.defs.steps import BatchCheck, StepRun
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import NotYetError
from g2_pipelines.tables.line1 import BriefEvaluation, Summary

#: The gates by name, and what each keeps from being published.
GATES = {
    "missing_numbers": "No figure of a published text is missing from the sources, or has another"
    " value, sign, unit or scale there.",
    "altered_segments": "No segment's name (セグメント) is changed in a published text.",
    "truncated": "No published text is cut off.",
    "empty": "No published text is empty.",
}
#: Failing texts shown one by one; all are counted.
SHOWN = 50

#: One partition's year: its evaluations, and the texts that would be published.
Read = Callable[[Workspace, StepRun, str], tuple[Sequence[BriefEvaluation], Sequence[Summary]]]


@dataclass(frozen=True)
class GateCheck(BatchCheck):
    """The check of one gate over the partitions of a run.

    It passes where every published text passes; failing texts that are made for comparison
    alone are counted beside.
    """

    gate: str = ""
    read: Read | None = None

    def result(self, ws: Workspace, run: StepRun, partitions: Sequence[str]) -> dg.AssetCheckResult:
        """The outcome with threshold, counts and the failing texts as a table."""
        judged = compared = 0
        failing: list[dg.TableRecord] = []
        thresholds: set[float] = set()
        for partition in partitions:
            try:
                evaluations, finals = self.read(ws, run, partition) if self.read else ((), ())
            except NotYetError:
                continue
            published = {(row.aspect, row.strategy) for row in finals}
            for row in evaluations:
                for check in row.checks:
                    if check.name != self.gate:
                        continue
                    thresholds.add(check.threshold)
                    if (row.aspect, row.strategy) not in published:
                        compared += not check.passed
                        continue
                    judged += 1
                    if not check.passed:
                        failing.append(
                            dg.TableRecord(
                                {
                                    "company": partition,
                                    "fiscal_year": row.fiscal_year,
                                    "aspect": row.aspect,
                                    "value": check.value,
                                    "why": clip(check.message, 300),
                                }
                            )
                        )
        companies = sorted({str(record.data["company"]) for record in failing})
        why = f": {failing[0].data['company']} {failing[0].data['why']}" if failing else ""
        return dg.AssetCheckResult(
            asset_key=self.spec.asset_key,
            check_name=self.spec.name,
            passed=not failing,
            severity=dg.AssetCheckSeverity.ERROR,
            description=f"{judged - len(failing)} of {judged} published texts pass{why}",
            metadata={
                "threshold": ", ".join(f"{one:g}" for one in sorted(thresholds)) or "none judged",
                "published_texts": judged,
                "failing_texts": len(failing),
                "kept_back": ", ".join(companies[:SHOWN]) or "none",
                "failing": dg.MetadataValue.table(
                    failing[:SHOWN],
                    schema=dg.TableSchema(
                        [
                            dg.TableColumn(name, "float" if name == "value" else "string")
                            for name in ("company", "fiscal_year", "aspect", "value", "why")
                        ]
                    ),
                ),
                "failing_texts_for_comparison_only": compared,
            },
        )


def gate_checks(read: Read) -> tuple[GateCheck, ...]:
    """A check for each gate, on ``brief_evaluations``."""
    return tuple(
        GateCheck(
            dg.AssetCheckSpec(
                f"gate_{gate}", asset=specs.BRIEF_EVALUATIONS, description=description
            ),
            lambda *_: "",
            gate=gate,
            read=read,
        )
        for gate, description in GATES.items()
    )
