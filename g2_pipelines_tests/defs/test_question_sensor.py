"""Questions: asked once, in few runs, when their documents are there, and none is lost."""

import json
from pathlib import Path

import pytest

from g2_pipelines.defs import question_sensor, specs
from g2_pipelines.defs.manifest import ManifestRow
from g2_pipelines.defs.partitions import documents
from g2_pipelines.defs.register import register
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.qa.inbox import read_questions
from g2_pipelines.settings import Settings
from g2_pipelines.tables.line2 import Answer
from g2_pipelines.tables.store import write_table
from g2_pipelines_tests.defs.sensing import Ticker, age, drop

NAME = "inbox_questions"


def question(key: str, text: str = "何ですか。", **fields: object) -> str:
    return json.dumps({"id": key, "text": text, **fields}, ensure_ascii=False) + "\n"


def add_pdf(ticker: Ticker, name: str, company: str | None = None) -> str:
    """A registered document, not indexed; its id."""
    row = ManifestRow(file=name, type="pdf", edinet_code=company)
    key = register(ticker.ws, f"%PDF-1.7 {name}".encode(), row).key
    ticker.instance.add_dynamic_partitions(documents.name, [key])
    return key


def index(ticker: Ticker, document_id: str) -> None:
    ticker.report(specs.NODE_INDEX, document_id, "v1")


def answer(ticker: Ticker, key: str, index_digest: str = "now") -> None:
    """A stored and reported answer, made from the index as it was at ``index_digest``."""
    row = Answer(
        engine="extractive",
        model="m",
        prompt_version="none",
        question_id=key,
        question="?",
        documents=[],
        plan_versions=[],
        sub_answers=[],
        verdict="sufficient",
        answer="!",
        unanswerable=False,
        index_digest=index_digest,
    )
    write_table(ticker.ws.home.table("answers", key), [row], Answer)
    ticker.report(specs.ANSWERS, key, "v1")


@pytest.fixture
def unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    """What every question is about has the digest ``now``."""
    monkeypatch.setattr(question_sensor.Freshness, "_digest", lambda *_: "now")


def notes(ws: Workspace) -> list[str]:
    folder = Path(str(ws.home.outbox / "rejected"))
    return [note.read_text() for note in folder.iterdir()] if folder.exists() else []


# -- waiting for documents


def test_a_question_waits_for_its_documents_index_and_is_asked_when_it_is_there(
    ticker: Ticker, ws: Workspace
):
    document = add_pdf(ticker, "report.pdf")
    drop(ws, "questions", "q.jsonl", question("q1", documents=["report"]))
    assert ticker.words(NAME) == "1 wait for their documents: q1"
    assert ticker.words(NAME) == "1 wait for their documents: q1"
    index(ticker, document)
    assert ticker.asked(NAME) == [["q1"]]
    assert ticker.words(NAME) == "No new question"


def test_a_question_dropped_together_with_its_pdf_waits_for_it(ticker: Ticker, ws: Workspace):
    """Which sensor comes first is chance; the question must not fail for it."""
    drop(ws, "pdfs", "report.pdf", b"%PDF-1.7 x", age_s=0)
    drop(ws, "questions", "q.jsonl", question("q1", documents=["report"]))
    assert "q1" in ticker.words(NAME)


@pytest.mark.slow
def test_an_unknown_document_fails_by_name_in_its_own_partition(ticker: Ticker, ws: Workspace):
    """One wrong name must not hold back or sink the questions beside it."""
    document = add_pdf(ticker, "report.pdf")
    index(ticker, document)
    lines = question("good", documents=["report"]) + question("wrong", documents=["nowhere"])
    drop(ws, "questions", "q.jsonl", lines)
    [request], _ = ticker.tick(NAME)
    assert ticker.keys(request.tags) == ["good", "wrong"]
    result = ticker.defs.resolve_job_def("answers").execute_in_process(
        instance=ticker.instance, tags=request.tags, raise_on_error=False
    )
    [event] = [e for e in result.all_events if e.is_step_failure]
    records = event.step_failure_data.user_failure_data.metadata["failed"].records
    codes = {(r.data["partition"], r.data["asset"]): r.data["code"] for r in records}
    assert codes["wrong", "questions"] == "unknown_document"
    assert "nowhere" in str(records)
    assert ticker.instance.get_materialized_partitions(specs.QUESTIONS) == {"good"}


def test_a_companys_question_waits_for_all_of_its_documents(ticker: Ticker, ws: Workspace):
    """Another company's document is no reason to ask, and half of its own gives half an answer."""
    first, second = (add_pdf(ticker, f"{n}.pdf", company="E1") for n in "ab")
    index(ticker, add_pdf(ticker, "other.pdf", company="E2"))
    drop(ws, "questions", "q.jsonl", question("q1", company="E1"))
    assert "q1" in ticker.words(NAME)
    index(ticker, first)
    assert "q1" in ticker.words(NAME)
    index(ticker, second)
    assert ticker.asked(NAME) == [["q1"]]


def test_a_question_about_everything_waits_for_the_first_document(ticker: Ticker, ws: Workspace):
    drop(ws, "questions", "q.jsonl", question("q1"))
    assert "q1" in ticker.words(NAME)
    index(ticker, add_pdf(ticker, "a.pdf"))
    assert ticker.asked(NAME) == [["q1"]]


def test_many_waiting_questions_hold_back_no_ready_one(
    ticker: Ticker, ws: Workspace, monkeypatch: pytest.MonkeyPatch
):
    """A thousand questions about a PDF that cannot be parsed once stopped all later ones."""
    monkeypatch.setattr(question_sensor, "QUESTIONS", 5)
    add_pdf(ticker, "broken.pdf")
    index(ticker, add_pdf(ticker, "good.pdf"))
    waiting = "".join(question(f"w{n}", documents=["broken"]) for n in range(5))
    drop(ws, "questions", "a.jsonl", waiting)
    assert "5 wait" in ticker.words(NAME)
    drop(ws, "questions", "b.jsonl", question("ready", documents=["good"]))
    assert ticker.asked(NAME) == [["ready"]]


def test_a_paid_engine_waits_for_a_person(tmp_path: Path, ticker: Ticker):
    """A file in a folder must not spend money by itself."""
    home = str(tmp_path / "home")
    paid = Workspace(Settings(_env_file=None, home=home, engine="openai"))
    drop(paid, "questions", "q.jsonl", question("q1"))
    index(ticker, add_pdf(ticker, "a.pdf"))
    assert "may cost money" in Ticker(paid, ticker.instance).words(NAME)
    allowed = Workspace(Settings(_env_file=None, home=home, engine="openai", chain_paid=True))
    assert Ticker(allowed, ticker.instance).asked(NAME) == [["q1"]]


# -- files


@pytest.mark.slow
def test_a_burst_of_1000_questions_is_five_runs(ticker: Ticker, ws: Workspace):
    """A run costs five seconds before it does anything."""
    index(ticker, add_pdf(ticker, "a.pdf"))
    drop(ws, "questions", "q.jsonl", "".join(question(f"q{n:04}") for n in range(1000)))
    assert [len(run) for run in ticker.asked(NAME)] == [200] * 5
    assert ticker.asked(NAME) == []


def test_more_questions_than_a_tick_can_take_come_with_the_next_ones(
    ticker: Ticker, ws: Workspace, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(question_sensor, "QUESTIONS", 20)
    index(ticker, add_pdf(ticker, "a.pdf"))
    drop(ws, "questions", "q.jsonl", "".join(question(f"q{n:04}") for n in range(45)))
    drop(ws, "questions", "r.jsonl", question("last"))
    runs = [ticker.asked(NAME) for _ in range(4)]
    assert [[len(run) for run in tick] for tick in runs] == [[20], [20], [6], []]


def test_a_half_written_file_waits_and_is_asked_once_it_is_whole(ticker: Ticker, ws: Workspace):
    index(ticker, add_pdf(ticker, "a.pdf"))
    whole = question("q1") + question("q2")
    path = drop(ws, "questions", "q.jsonl", whole[:-12])
    assert "middle of a question" in ticker.words(NAME)
    assert "middle of a question" in notes(ws)[0]
    assert ticker.words(NAME) == "No new question"
    path.write_text(whole)
    age(path, 30)
    assert ticker.asked(NAME) == [["q1", "q2"]]
    assert notes(ws) == []


def test_a_wrong_file_is_refused_by_name_and_costs_nothing_else(ticker: Ticker, ws: Workspace):
    index(ticker, add_pdf(ticker, "a.pdf"))
    drop(ws, "questions", "bad.jsonl", '{"id": "x", "wording": "?"}\n')
    drop(ws, "questions", "good.jsonl", question("q1"))
    assert ticker.asked(NAME) == [["q1"]]
    assert notes(ws)[0].startswith("inbox/questions/bad.jsonl: ")


@pytest.mark.usefixtures("unchanged")
def test_the_same_question_in_two_files_is_asked_once(ticker: Ticker, ws: Workspace):
    index(ticker, add_pdf(ticker, "a.pdf"))
    drop(ws, "questions", "a.jsonl", question("q1") * 2)
    drop(ws, "questions", "b.jsonl", question("q1"))
    assert ticker.asked(NAME) == [["q1"]]
    answer(ticker, "q1")
    drop(ws, "questions", "c.jsonl", question("q1"))
    assert ticker.asked(NAME) == []


@pytest.mark.usefixtures("unchanged")
def test_a_question_asked_again_after_new_documents_is_answered_anew(ticker: Ticker, ws: Workspace):
    """The old answer says what the old documents said."""
    index(ticker, add_pdf(ticker, "a.pdf"))
    drop(ws, "questions", "a.jsonl", question("old") + question("same"))
    assert ticker.asked(NAME) == [["old", "same"]]
    answer(ticker, "old", index_digest="before")
    answer(ticker, "same")
    assert ticker.asked(NAME) == []
    drop(ws, "questions", "b.jsonl", question("old") + question("same"))
    assert ticker.asked(NAME) == [["old"]]


@pytest.mark.usefixtures("unchanged")
def test_only_what_is_new_or_changed_in_a_longer_file_is_asked(ticker: Ticker, ws: Workspace):
    """Adding a line to a file of 10,000 must not answer 10,000 again."""
    index(ticker, add_pdf(ticker, "a.pdf"))
    drop(ws, "questions", "q.jsonl", question("q1") + question("q2"))
    assert ticker.asked(NAME) == [["q1", "q2"]]
    for key in ("q1", "q2"):
        answer(ticker, key)
    longer = question("q1") + question("q2", "別の問いですか。") + question("q3")
    drop(ws, "questions", "q.jsonl", longer, age_s=30)
    assert ticker.asked(NAME) == [["q2", "q3"]]


def test_a_question_that_failed_is_asked_again_when_its_file_is_touched(
    ticker: Ticker, ws: Workspace
):
    index(ticker, add_pdf(ticker, "a.pdf"))
    path = drop(ws, "questions", "q.jsonl", question("q1"))
    assert ticker.asked(NAME) == [["q1"]]
    age(path, 30)
    assert ticker.asked(NAME) == [["q1"]]


def test_a_lost_tick_loses_no_question(ticker: Ticker, ws: Workspace):
    index(ticker, add_pdf(ticker, "a.pdf"))
    drop(ws, "questions", "q.jsonl", question("q1"))
    ticker.tick(NAME, lost=True)
    assert ticker.asked(NAME) == [["q1"]]


# -- bursts, priorities


@pytest.mark.slow
def test_a_burst_with_duplicates_a_half_written_file_and_a_restart_loses_and_repeats_nothing(
    ticker: Ticker, ws: Workspace
):
    """1,000 different questions in 1,040 lines of three files, one of them still being written,
    and a daemon that dies in between: each is asked for once, in runs of 200."""
    index(ticker, add_pdf(ticker, "a.pdf"))
    lines = [question(f"q{n:04}") for n in range(1000)]
    drop(ws, "questions", "a.jsonl", "".join(lines[:400] + lines[:20]))
    drop(ws, "questions", "b.jsonl", "".join(lines[380:700]))
    half = drop(ws, "questions", "c.jsonl", "".join(lines[700:])[:-9])
    first, _ = ticker.tick(NAME, lost=True)
    assert [len(ticker.keys(r.tags)) for r in first] == [200, 200, 200, 100]
    for request in first:  # the daemon died after it had queued them, before it kept the cursor
        ticker.queue(request)
    again = Ticker(ws, ticker.instance, ticker.cursors)
    assert again.asked(NAME) == []
    half.write_text("".join(lines[700:]))
    age(half, 30)
    second = again.asked(NAME)
    assert [len(run) for run in second] == [200, 100]
    asked = [key for r in first for key in again.keys(r.tags)] + [k for run in second for k in run]
    assert sorted(asked) == [f"q{n:04}" for n in range(1000)]
    assert again.asked(NAME) == []


def test_the_urgent_come_first_and_say_so_to_the_queue(ticker: Ticker, ws: Workspace):
    index(ticker, add_pdf(ticker, "a.pdf"))
    lines = question("a", priority="low") + question("b") + question("c", priority="high")
    drop(ws, "questions", "q.jsonl", lines + question("d", priority="high"))
    found = [(ticker.keys(r.tags), r.tags.get("dagster/priority")) for r in ticker.tick(NAME)[0]]
    assert found == [(["c", "d"], "10"), (["b"], None), (["a"], "-10")]


def test_where_not_all_fit_into_a_tick_the_urgent_are_taken(
    ticker: Ticker, ws: Workspace, monkeypatch: pytest.MonkeyPatch
):
    document = add_pdf(ticker, "a.pdf")
    lines = "".join(question(f"q{n}", documents=["a"]) for n in range(4))
    drop(ws, "questions", "q.jsonl", lines + question("now", documents=["a"], priority="high"))
    assert "5 wait" in ticker.words(NAME)
    index(ticker, document)
    monkeypatch.setattr(question_sensor, "QUESTIONS", 2)
    assert ticker.asked(NAME) == [["now"], ["q0"]]
    assert ticker.asked(NAME) == [["q1", "q2"]]


def test_a_new_priority_alone_answers_nothing_anew():
    [plain] = read_questions(question("q").encode(), "a")
    [urgent] = read_questions(question("q", priority="high").encode(), "a")
    assert plain.digest == urgent.digest
    assert (plain.priority, urgent.priority) == ("normal", "high")


def test_an_unknown_priority_is_refused_by_field(ticker: Ticker, ws: Workspace):
    drop(ws, "questions", "q.jsonl", question("q", priority="urgent"))
    assert "field priority" in ticker.words(NAME)
