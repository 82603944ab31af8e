"""Sensors that join the steps: what a finished step changed starts the next one.

Here: one sensor a joint. Reading the events and choosing the partitions stands in ``chain``.

https://docs.dagster.io/guides/automate/sensors
"""

import dagster as dg

from g2_pipelines.briefs.config import BriefConfig
from g2_pipelines.defs.chain import ChainCursor, by_year, new_events, news
from g2_pipelines.defs.joints import JOINT, Joint, build_joints
from g2_pipelines.defs.orphans import end_dead_runs
from g2_pipelines.defs.run_requests import ask, being_made
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.keys import digest_of


def _chain_sensor(joint: Joint, batch_size: int) -> dg.SensorDefinition:
    @dg.sensor(
        name=joint.name,
        job_name=joint.job,
        minimum_interval_seconds=30,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description=f"Asks for `{joint.job}` of partitions whose "
        + ", ".join(key.to_user_string() for key in joint.after)
        + " changed."
        + (" Waits for a person where the engine may cost money." if joint.paid else ""),
    )
    def chain(
        context: dg.SensorEvaluationContext, workspace: dg.ResourceParam[Workspace]
    ) -> dg.SensorResult | dg.SkipReason:
        if joint.paid and workspace.waits_for_a_person:
            return dg.SkipReason(
                f"Engine {workspace.settings.engine} may cost money: launch `{joint.job}`"
                " yourself, or set G2_CHAIN_PAID=true"
            )
        instance = context.instance
        for run in end_dead_runs(instance):
            context.log.error("Run %s was ended: its process is gone", run)
        events, cursor = new_events(
            instance, joint.after, ChainCursor.parse(context.cursor), job=joint.job
        )
        existing = set(instance.get_dynamic_partitions(joint.partitions.name or ""))
        context.update_cursor(cursor.model_dump_json())
        runs: list[dg.RunRequest] = []
        for year, found in sorted(by_year(events).items()):
            last = {e.partition: e.at for e in events if e.fiscal_year == year}
            begun = being_made(instance, joint.job, joint.partitions, last, year)
            there = {p: v for p, v in found.items() if p in existing and p not in begun}
            due = news(instance, joint.target, there, year)
            runs += ask(
                instance,
                {partition: repr(sorted(versions.items())) for partition, versions in due.items()},
                joint.partitions,
                joint.job,
                generation=digest_of(repr(sorted(cursor.after.items())).encode())[:16],
                limit=batch_size,
                fiscal_year=year,
                tags={JOINT: joint.name},
            )
        return dg.SensorResult(run_requests=runs) if runs else dg.SkipReason("Nothing new")

    return chain


def build_chain_sensors(config: BriefConfig, batch_size: int) -> list[dg.SensorDefinition]:
    """A sensor a joint."""
    return [_chain_sensor(joint, batch_size) for joint in build_joints(config)]
