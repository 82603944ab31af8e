"""The job ``index_upkeep``: the node index compacted, its indexes brought up, old versions gone.

Here: the job and its daily schedule, which runs unless it is switched off: it calls no model
and costs nothing, while a table that is never compacted grows by a version and a fragment
with every document (thousands of files and several times its size were reported). What is
done stands in ``index.upkeep``; the writer's lock is there.

https://docs.dagster.io/guides/automate/schedules
"""

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import dagster as dg

from g2_pipelines.defs.specs import Owner
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import G2Error

#: Readers keep the version that they opened for as long as their question takes.
KEPT = timedelta(hours=6)


def upkeep(ws: Workspace) -> Mapping[str, Any]:
    """Tidy the index; its rows, versions before and after, and whether vectors have an index.

    Nothing is done, and no index is made, where there is none.
    """
    home = ws.home.lance
    if isinstance(home, Path) and not home.exists():
        return {"rows": 0}
    index = ws.index(ws.embedding())
    before = index.versions
    index.optimize(KEPT)
    return {
        "rows": index.count(),
        "versions_before": before,
        "versions_after": index.versions,
        "vector_index": index.approximate,
    }


def build_index_upkeep() -> dg.ScheduleDefinition:
    """The schedule, with its job."""

    @dg.op(name="tidy_node_index", pool="node_index")
    def tidy(context: dg.OpExecutionContext, workspace: dg.ResourceParam[Workspace]) -> None:
        """Tidy the node index; one writer at a time."""
        try:
            found = upkeep(workspace)
        except G2Error as error:
            raise dg.Failure(str(error), allow_retries=False) from error
        context.log.info("node index: %s", dict(found))
        context.add_output_metadata(found)

    @dg.job(
        name="index_upkeep",
        description="Compacts the node index, brings its indexes up and drops old versions.",
        tags={"owner": Owner.GRAPH.value},
        executor_def=dg.in_process_executor,
    )
    def index_upkeep() -> None:
        tidy()

    return dg.ScheduleDefinition(
        name="index_upkeep_nightly",
        job=index_upkeep,
        cron_schedule="30 3 * * *",
        execution_timezone="Asia/Tokyo",
        default_status=dg.DefaultScheduleStatus.RUNNING,
        description="Every night at 3:30; costs no model call.",
    )
