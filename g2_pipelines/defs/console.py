"""What a run says on the terminal: warnings, errors and our own lines, without Python's traces.

Here: the logger ``console`` of all jobs. The run's whole log, with traces, is kept by Dagster
and shown in its UI.

https://docs.dagster.io/guides/log-debug/logging/custom-logging
"""

import logging

import dagster as dg

_RUN_FAILURE = dg.DagsterEventType.RUN_FAILURE.value


class _Words(logging.Formatter):
    """One line a record: what it says; of a typed failure its sentence, else the trace too."""

    def format(self, record: logging.LogRecord) -> str:
        meta = getattr(record, "dagster_meta", {})
        event = meta.get("dagster_event")
        if event is not None and event.is_step_failure:
            data = event.step_failure_data
            given = data.user_failure_data
            words = given.description if given is not None else str(data.error)
            return f"{meta.get('job_name')}: {words}"
        return f"{meta.get('job_name')}: {meta.get('orig_message', record.getMessage())}"


class _Ours(logging.Filter):
    """No events of Dagster itself below a warning, and a failed run's reason once."""

    def filter(self, record: logging.LogRecord) -> bool:
        event = getattr(record, "dagster_meta", {}).get("dagster_event")
        if event is None:
            return True
        return record.levelno >= logging.WARNING and event.event_type_value != _RUN_FAILURE


@dg.logger({"log_level": dg.Field(str, default_value="INFO", is_required=False)})
def console(init: dg.InitLoggerContext) -> logging.Logger:
    """Lines on stderr from ``log_level`` on."""
    logger = logging.getLogger("g2_pipelines.run")
    logger.setLevel(init.logger_config["log_level"])
    logger.propagate = False
    handler = logging.StreamHandler()
    handler.setFormatter(_Words())
    handler.addFilter(_Ours())
    logger.handlers = [handler]
    return logger
