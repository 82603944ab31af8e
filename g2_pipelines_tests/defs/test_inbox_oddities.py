"""Odd things in the inbox are said by name, and cost nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import dagster as dg
import pytest

from g2_pipelines.defs.partitions import questions
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.settings import Settings
from g2_pipelines_tests.defs.sensing import Ticker, age, drop


@pytest.fixture
def ticker(tmp_path: Path) -> Ticker:
    ws = Workspace(Settings(_env_file=None, home=str(tmp_path / "home")))
    return Ticker(ws, dg.DagsterInstance.ephemeral())


def notes(ticker: Ticker) -> list[str]:
    folder = Path(str(ticker.ws.home.outbox)) / "rejected"
    return sorted(p.read_text() for p in folder.iterdir()) if folder.exists() else []


@pytest.mark.parametrize(
    "line",
    [
        b'{"text":"q","metadata":{"a":' + b"9" * 5000 + b"}}",
        b'[{"text":"q","metadata":{"a":' + b"9" * 5000 + b"}}]",
        b'{"text":"q",\n"metadata":{"a":' + b"9" * 5000 + b"}}",
        b'{"text":"q \\ud800"}',
        b'{"text":"q","documents":["\\ud800"]}',
        b'{"text":"q","metadata":{"\\ud800":"x"}}',
        b'{"text":"q","metadata":{"x":"\\ud800"}}',
        b'{"text":"q","id":"\\ud800"}',
        b'{"\\ud800":"q"}',
    ],
)
def test_a_hostile_question_file_stops_no_other(ticker: Ticker, line: bytes) -> None:
    drop(ticker.ws, "questions", "a.jsonl", '{"id":"good1","text":"What is it?"}\n')
    drop(ticker.ws, "questions", "m.jsonl", line + b"\n")
    drop(ticker.ws, "questions", "z.jsonl", '{"id":"good2","text":"What is that?"}\n')
    ticker.tick("inbox_questions")
    assert {q.question_id for q in map(ticker.ws.registry.question, ("good1", "good2"))} == {
        "good1",
        "good2",
    }
    [note] = notes(ticker)
    assert note.startswith("inbox/questions/m.jsonl: ")
    assert "line 1" in note or "line 2" in note
    assert ticker.instance.get_dynamic_partitions(questions.name or "") == []


def test_one_id_for_two_texts_in_two_files_is_refused_by_name(ticker: Ticker) -> None:
    drop(ticker.ws, "questions", "a.jsonl", '{"id":"one","text":"What is it?"}\n')
    drop(
        ticker.ws,
        "questions",
        "b.jsonl",
        '{"id":"one","text":"Another?"}\n{"id":"two","text":"And that?"}\n',
    )
    ticker.tick("inbox_questions")
    assert ticker.ws.registry.question("one").question == "What is it?"
    assert ticker.ws.registry.question("two").question == "And that?"
    [note] = notes(ticker)
    assert note.startswith("inbox/questions/b.jsonl: The id one stands for another question in a.")


def test_a_changed_question_of_a_file_that_is_gone_or_the_same_is_taken(ticker: Ticker) -> None:
    first = drop(ticker.ws, "questions", "a.jsonl", '{"id":"one","text":"What is it?"}\n')
    ticker.tick("inbox_questions")
    drop(ticker.ws, "questions", "a.jsonl", '{"id":"one","text":"What was it?"}\n', 30)
    ticker.tick("inbox_questions")
    assert ticker.ws.registry.question("one").question == "What was it?"
    first.unlink()
    drop(ticker.ws, "questions", "b.jsonl", '{"id":"one","text":"What will it be?"}\n', 20)
    ticker.tick("inbox_questions")
    assert ticker.ws.registry.question("one").question == "What will it be?"
    assert notes(ticker) == []


def test_what_is_no_file_gets_a_note(ticker: Ticker) -> None:
    inbox = Path(str(ticker.ws.home.inbox("pdfs")))
    (inbox / "x.pdf").mkdir(parents=True)
    (inbox / "plain").mkdir()
    os.mkfifo(inbox / "pipe.pdf")
    (inbox / "zero.pdf").symlink_to("/dev/zero")
    (inbox / "lost.pdf").symlink_to(inbox / "nothing")
    for name in ("x.pdf", "pipe.pdf"):
        age(inbox / name, 60)
    drop(ticker.ws, "pdfs", "all.zip", b"PK\x03\x04")
    past = 1_000_000_000
    for name in ("zero.pdf", "lost.pdf"):
        os.utime(inbox / name, (past, past), follow_symlinks=False)
    ticker.tick("inbox_pdfs")
    told = notes(ticker)
    assert [note.split(": ")[0] for note in told] == [
        "inbox/pdfs/all.zip",
        "inbox/pdfs/lost.pdf",
        "inbox/pdfs/pipe.pdf",
        "inbox/pdfs/x.pdf",
        "inbox/pdfs/zero.pdf",
    ]


def test_a_broken_manifest_and_a_line_from_outside_get_a_note_until_mended(
    ticker: Ticker,
) -> None:
    drop(ticker.ws, "pdfs", "manifest.csv", "file,colour\na.pdf,red\n")
    ticker.tick("inbox_pdfs")
    [note] = notes(ticker)
    assert note.startswith("inbox/pdfs/manifest.csv: ")
    drop(ticker.ws, "pdfs", "manifest.csv", "file,type\n../../../../etc/passwd,pdf\n")
    ticker.tick("inbox_pdfs")
    [note] = notes(ticker)
    assert "'../../../../etc/passwd'" in note
    drop(ticker.ws, "pdfs", "manifest.csv", "file,type\na.pdf,pdf\n")
    ticker.tick("inbox_pdfs")
    assert notes(ticker) == []
