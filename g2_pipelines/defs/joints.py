"""The joints of the lines: after which assets which step is due, and what is no longer.

Here: the table of joints, and the question at a run's start whether another one has made
its partitions meanwhile. The sensors stand in ``chain_sensors``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import dagster as dg

from g2_pipelines.briefs.config import BriefConfig
from g2_pipelines.defs import specs
from g2_pipelines.defs.chain import news
from g2_pipelines.defs.events import DATA_VERSION
from g2_pipelines.defs.partitions import companies, documents

#: The tag of a run that a joint's sensor asked for, and the one of a run launched again.
JOINT, PARENT = "g2/joint", "dagster/parent_run_id"


@dataclass(frozen=True)
class Joint:
    """After which assets which job is due; ``paid`` where its engine may cost money."""

    name: str
    after: Sequence[dg.AssetKey]
    job: str
    target: dg.AssetKey
    partitions: dg.DynamicPartitionsDefinition
    paid: bool


def build_joints(config: BriefConfig) -> tuple[Joint, ...]:
    """The joints of both lines. ``answers`` has its own sensor, which waits for the index."""
    finals = [specs.final_summaries(aspect.key) for aspect in config.aspects]
    return (
        Joint(
            "summaries_after_sources",
            [specs.SOURCE_SPLITS],
            "summaries",
            specs.pre_summaries(config.aspects[0].key),
            companies,
            paid=True,
        ),
        Joint(
            "judgement_after_summaries",
            finals,
            "judgement",
            specs.BRIEF_EVALUATIONS,
            companies,
            paid=False,
        ),
        Joint(
            "graph_after_documents",
            [specs.DOCUMENT_NODES],
            "graph",
            specs.content_graph(0),
            documents,
            paid=True,
        ),
    )


def made_meanwhile(
    instance: dg.DagsterInstance,
    tags: Mapping[str, str],
    config: BriefConfig,
    partitions: Sequence[str],
    year: str,
) -> set[str]:
    """Those of a run's ``partitions`` that were made of the same inputs since it was asked for.

    Only where a joint's sensor asked: what a person launches, also again, is done.
    """
    joint = next((one for one in build_joints(config) if one.name == tags.get(JOINT)), None)
    if joint is None or PARENT in tags:
        return set()
    kind = dg.DagsterEventType.ASSET_MATERIALIZATION
    found: dict[str, dict[str, str]] = {}
    for key in joint.after:
        latest = instance.event_log_storage.get_latest_tags_by_partition(
            key, kind, [DATA_VERSION], list(partitions)
        )
        for partition, known in latest.items():
            found.setdefault(partition, {})[key.to_user_string()] = known[DATA_VERSION]
    return set(found) - set(news(instance, joint.target, found, year))
