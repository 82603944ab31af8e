"""Old questions leave the list of partitions, keep their rows, and come back when asked again."""

import json
from pathlib import Path

import dagster as dg
import pytest

from g2_pipelines.defs import question_archive, specs
from g2_pipelines.defs.partitions import documents, questions
from g2_pipelines.defs.question_archive import old_questions
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.settings import Settings
from g2_pipelines_tests.defs.sensing import Ticker, age, drop

NAME = "archive_questions"
ANSWERED = {"a": 7, "b": 3, "c": 9, "d": 5}


@pytest.mark.parametrize(
    ("keep", "until", "busy", "expected"),
    [
        (0, None, (), []),
        (4, None, (), []),
        (2, None, (), ["b", "d"]),
        (1, None, ("d",), ["b", "a"]),  # what a run works is left until it ended
        (0, 5, (), ["b", "d"]),
        (3, 7, (), ["b", "d", "a"]),
    ],
)
def test_the_oldest_answers_go(keep, until, busy, expected):
    existing = [*ANSWERED, "never answered"]
    assert old_questions(ANSWERED, existing, keep=keep, until=until, busy=busy) == expected


def test_a_key_that_is_gone_already_counts_for_nothing():
    assert old_questions(ANSWERED, ["a", "c"], keep=1, until=None, busy=()) == ["a"]


def ticking(tmp_path: Path, instance: dg.DagsterInstance, **settings: int) -> Ticker:
    home = str(tmp_path / "home")
    ws = Workspace(Settings.model_validate({"home": home, **settings}))
    return Ticker(ws, instance)


def answer(ticker: Ticker, *keys: str) -> None:
    ticker.instance.add_dynamic_partitions(questions.name or "", list(keys))
    for key in keys:
        ticker.report(specs.ANSWERS, key, "v1")
        path = Path(str(ticker.ws.home.table("answers", key)))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("the row")


def listed(ticker: Ticker) -> list[str]:
    return list(ticker.instance.get_dynamic_partitions(questions.name or ""))


def test_only_the_newest_stay_listed_and_every_row_stays(tmp_path: Path):
    with dg.DagsterInstance.ephemeral() as instance:
        ticker = ticking(tmp_path, instance, questions_keep=2)
        answer(ticker, "q1", "q2", "q3", "q4")
        instance.add_dynamic_partitions(questions.name or "", ["waits"])
        ticker.ws.home.answer_state("q1").parent.mkdir(parents=True)
        ticker.ws.home.answer_state("q1").write_text("{}")
        assert ticker.words(NAME) == "2 old questions archived"
        assert listed(ticker) == ["q3", "q4", "waits"]
        assert all(ticker.ws.home.table("answers", f"q{n}").exists() for n in range(1, 5))
        assert not ticker.ws.home.answer_state("q1").exists()
        assert ticker.words(NAME) == "0 old questions archived"


def test_days_count_from_the_last_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with dg.DagsterInstance.ephemeral() as instance:
        ticker = ticking(tmp_path, instance, questions_keep=0, questions_days=30)
        answer(ticker, "q1", "q2")
        assert ticker.words(NAME) == "0 old questions archived"
        now = question_archive.time.time()
        monkeypatch.setattr(question_archive.time, "time", lambda: now + 31 * 86_400)
        assert ticker.words(NAME) == "2 old questions archived"
        assert listed(ticker) == []


def test_a_question_of_a_waiting_run_is_left(tmp_path: Path):
    """Removing the first or last key of a range would leave its run without partitions."""
    with dg.DagsterInstance.ephemeral() as instance:
        ticker = ticking(tmp_path, instance, questions_keep=1)
        answer(ticker, "q1", "q2", "q3", "q4")
        ends = {f"dagster/asset_partition_range_{end}": "q2" for end in ("start", "end")}
        ticker.run("answers", ends, dg.DagsterRunStatus.NOT_STARTED)
        ticker.tick(NAME)
        assert listed(ticker) == ["q2", "q4"]


def test_an_archived_question_that_is_asked_again_comes_back(tmp_path: Path):
    with dg.DagsterInstance.ephemeral() as instance:
        ticker = ticking(tmp_path, instance, questions_keep=1)
        instance.add_dynamic_partitions(documents.name or "", ["doc"])
        ticker.report(specs.NODE_INDEX, "doc", "v1")
        line = json.dumps({"id": "q1", "text": "?"})
        path = drop(ticker.ws, "questions", "q.jsonl", line)
        assert ticker.asked("inbox_questions") == [["q1"]]
        answer(ticker, "q1", "q2")
        ticker.tick(NAME)
        assert listed(ticker) == ["q2"]
        assert ticker.asked("inbox_questions") == [], "a file that was read stays read"
        age(path, 30)
        assert ticker.asked("inbox_questions") == [["q1"]]
        assert listed(ticker) == ["q2", "q1"]
