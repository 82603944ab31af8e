"""The definitions, made by one function from keyword overrides.

Here: how the parts come together. No network and no state is touched; settings are read for
what shapes the asset graph (aspects, rounds, batch size).

https://docs.dagster.io/api/dagster/definitions
"""

from __future__ import annotations

import dagster as dg

from g2_pipelines.defs.assets.answers import build_answers
from g2_pipelines.defs.assets.companies import build_companies, build_companies_schedule
from g2_pipelines.defs.assets.cross_check import build_cross_check
from g2_pipelines.defs.assets.documents import build_documents
from g2_pipelines.defs.assets.graph import build_graph
from g2_pipelines.defs.assets.judgement import build_judgement
from g2_pipelines.defs.assets.listing import build_listing
from g2_pipelines.defs.assets.report import build_report
from g2_pipelines.defs.assets.sources import build_sources
from g2_pipelines.defs.assets.summaries import build_summaries, strategy_in_force
from g2_pipelines.defs.chain_sensors import build_chain_sensors
from g2_pipelines.defs.console import console
from g2_pipelines.defs.estimate_job import build_estimate_job
from g2_pipelines.defs.filing_sensors import build_filing_sensors
from g2_pipelines.defs.index_upkeep import build_index_upkeep
from g2_pipelines.defs.jobs import build_jobs
from g2_pipelines.defs.listing_sensor import build_listing_schedules, build_listing_sensor
from g2_pipelines.defs.question_archive import build_question_archive
from g2_pipelines.defs.question_sensor import build_question_sensor
from g2_pipelines.defs.reader_batch import build_reader_batch
from g2_pipelines.defs.sensors import build_inbox_sensors
from g2_pipelines.defs.workspace import Workspace


def build_definitions(*, workspace: Workspace | None = None) -> dg.Definitions:
    """Assets, jobs, schedules, sensors and the workspace they use."""
    ws = workspace or Workspace()
    config, size = ws.brief_config, ws.settings.batch_size
    steps = [
        build_companies(),
        build_listing(),
        build_sources(size, config, checks=build_cross_check(ws.settings.edinet_taxonomy)),
        build_summaries(
            config,
            size,
            engine=ws.settings.engine,
            strategy=strategy_in_force(ws),
            concurrency=ws.settings.concurrency,
        ),
        build_judgement(config, size),
        build_report(),
        build_documents(size),
        build_graph(ws),
        build_answers(size),
    ]
    return dg.Definitions(
        assets=steps,
        jobs=[*build_jobs(steps), build_estimate_job(), build_reader_batch()],
        schedules=[*build_listing_schedules(), build_companies_schedule(), build_index_upkeep()],
        sensors=[
            *build_inbox_sensors(size),
            build_question_sensor(size),
            build_question_archive(),
            build_listing_sensor(size),
            *build_filing_sensors(size),
            *build_chain_sensors(config, size),
        ],
        resources={"workspace": ws},
        loggers={"console": console},
        # A step is one process that works many partitions; a process per step costs 5-9 s.
        executor=dg.in_process_executor,
    )
