"""What a run's end looks like on a terminal: a sentence, and a trace only where the fault is ours."""

import dagster as dg
import pytest

from g2_pipelines.defs.console import console
from g2_pipelines.defs.reader_batch import failure_words

QUIET = {"loggers": {"console": {}}}


def end(capsys: pytest.CaptureFixture[str], error: BaseException) -> list[str]:
    """The lines of a run that says one thing and ends with ``error``."""

    @dg.op(name="work")
    def work(context: dg.OpExecutionContext) -> None:
        context.log.info("half of it")
        raise error

    @dg.job(name="job", logger_defs={"console": console}, executor_def=dg.in_process_executor)
    def job() -> None:
        work()

    assert not job.execute_in_process(run_config=QUIET, raise_on_error=False).success
    return capsys.readouterr().err.splitlines()


def test_a_typed_failure_is_one_sentence(capsys: pytest.CaptureFixture[str]):
    words = "Document 'a' is not registered (a). Add its PDF with `g2 add`"
    assert end(capsys, dg.Failure(words)) == ["job: half of it", f"job: {words}"]


def test_a_fault_of_ours_keeps_its_trace(capsys: pytest.CaptureFixture[str]):
    lines = end(capsys, ZeroDivisionError("a bug"))
    assert any("ZeroDivisionError: a bug" in line for line in lines)
    assert any("test_console.py" in line for line in lines)


@pytest.mark.parametrize(
    ("failed", "variants", "words"),
    [
        (
            [("full", "a1", "why"), ("plain_rag", "a1", "why"), ("zero_shot", "a1", "why")],
            3,
            "1 question could not be answered (3 answers of 3 variants), first full a1: why",
        ),
        ([("full", "a1", "why")], 1, "1 question could not be answered, first full a1: why"),
        (
            [("full", "a1", "why"), ("full", "a2", "other")],
            1,
            "2 questions could not be answered, first full a1: why",
        ),
    ],
)
def test_questions_are_counted_once(failed: list[tuple[str, str, str]], variants: int, words: str):
    assert failure_words(failed, variants) == words
