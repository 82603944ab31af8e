"""The call cache and its ledger, over the real engine and a real server."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from g2_pipelines.models.build import open_ledger
from g2_pipelines.models.cache import CallStore
from g2_pipelines.models.claims import Claim, Finished, Held, Hit
from g2_pipelines.models.config import CacheConfig
from g2_pipelines.models.errors import CallCacheError, Failure, ServerFailedError
from g2_pipelines.models.ports import Completion, Withdraws
from g2_pipelines.tables.ledger import ModelCall
from g2_pipelines_tests.models.helpers import KEY, answers, ask, cache_in, port_at
from g2_pipelines_tests.models.server import ModelServer, Reply, ServerRequest, chat, error


def row(key: str = "k", **fields: object) -> ModelCall:
    values: dict[str, object] = {
        "key": key,
        "task": "t",
        "subject": "E99001",
        "engine": "openai",
        "model": "m",
        "prompt_tokens": 0,
        "completion_tokens": 0,
        "cached_tokens": 0,
        "latency_s": 0.0,
        "attempts": 0,
        "outcome": "in_flight",
        "started_at": "2026-01-01T00:00:00.000000+00:00",
    }
    return ModelCall.model_validate({**values, **fields})


def test_a_second_run_makes_no_call_and_gives_the_same(tmp_path: Path) -> None:
    requests = [ask(str(n)) for n in range(20)]
    with ModelServer() as server:
        first = answers(port_at(server, tmp_path), requests)
        second = answers(port_at(server, tmp_path), requests)
        assert server.count == 20
    assert first == second
    assert all(isinstance(result, Completion) for result in first)


def test_a_failed_call_is_not_kept_and_is_asked_again(tmp_path: Path) -> None:
    with ModelServer(lambda r: error(500) if r.number == 0 else None) as server:
        failed = answers(port_at(server, tmp_path, max_attempts=1), [ask()])
        good = answers(port_at(server, tmp_path), [ask()])
    assert type(failed[0]) is ServerFailedError
    assert isinstance(good[0], Completion)


def test_an_answer_cut_at_its_limit_is_not_kept(tmp_path: Path) -> None:
    with ModelServer(lambda r: chat("途中", "length") if r.number == 0 else None) as server:
        assert isinstance(answers(port_at(server, tmp_path), [ask()])[0], Failure)
        assert isinstance(answers(port_at(server, tmp_path), [ask()])[0], Completion)


def test_equal_requests_of_a_batch_are_sent_once(tmp_path: Path) -> None:
    with ModelServer() as server:
        port = port_at(server, tmp_path)
        one, other, again = answers(port, [ask("同"), ask("別"), ask("同", subject="E99002")])
        assert server.count == 2
    assert one == again
    assert one != other


def test_an_answer_is_in_the_cache_before_the_batch_ends(tmp_path: Path) -> None:
    """Harm: hours of answers lost because one request of the batch still hangs."""
    ledger = open_ledger(cache_in(tmp_path))
    kept = threading.Event()

    def script(request: ServerRequest) -> None:
        for _ in range(100 if request.prompt == "last" else 0):
            if any(call.outcome == "ok" for call in ledger.read()):
                kept.set()
                return
            threading.Event().wait(0.05)

    with ModelServer(script) as server:
        answers(port_at(server, tmp_path), [ask("last"), ask("first")])
    assert kept.is_set()


def test_refresh_asks_again_once_and_serves_the_newest_afterwards(tmp_path: Path) -> None:
    with ModelServer(lambda r: chat(f"answer {r.number}")) as server:
        answers(port_at(server, tmp_path), [ask()])
        for _ in range(2):  # the same generation: a resumed run does not pay again
            [new] = answers(port_at(server, tmp_path, refresh=True, generation="run-1"), [ask()])
            assert isinstance(new, Completion)
            assert new.text == "answer 1"
        [served] = answers(port_at(server, tmp_path), [ask()])
        assert isinstance(served, Completion)
        assert served.text == "answer 1"
        answers(port_at(server, tmp_path, refresh=True), [ask()])
        assert server.count == 3


def test_withdrawn_answers_are_asked_for_again(tmp_path: Path) -> None:
    with ModelServer() as server:
        port = port_at(server, tmp_path)
        assert isinstance(port, Withdraws)
        [result] = answers(port, [ask()])
        assert isinstance(result, Completion)
        asyncio.run(port.withdraw([result.call_key]))
        answers(port, [ask()])
        assert server.count == 2


def test_a_damaged_entry_is_never_served(tmp_path: Path) -> None:
    with ModelServer() as server:
        [good] = answers(port_at(server, tmp_path), [ask()])
        with sqlite3.connect(tmp_path / "calls.sqlite") as raw:
            raw.execute("UPDATE g2_calls SET payload = CAST(replace(payload, '7', '8') AS BLOB)")
        [again] = answers(port_at(server, tmp_path), [ask()])
        assert server.count == 2
        assert answers(port_at(server, tmp_path), [ask()]) == [again]
        assert server.count == 2
    assert again == good


def test_a_damaged_file_is_a_named_failure_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "calls.sqlite").write_bytes(b"this is no database" * 1000)
    with ModelServer() as server:
        with pytest.raises(CallCacheError) as raised:
            answers(port_at(server, tmp_path), [ask()])
        assert server.count == 0
    assert "calls.sqlite" in raised.value.file
    assert raised.value.remedy


def test_a_cache_of_another_version_is_refused(tmp_path: Path) -> None:
    store = CallStore(cache_in(tmp_path))
    store.find(["k"])
    store.close()
    with sqlite3.connect(tmp_path / "calls.sqlite") as raw:
        raw.execute("UPDATE g2_meta SET value = '99'")
    with pytest.raises(CallCacheError, match="schema 99"):
        store.find(["k"])


def test_the_password_of_a_database_url_is_not_shown() -> None:
    from g2_pipelines.models.database import shown

    assert "pw" not in shown("postgresql://u:pw@host/db")


def test_nul_and_surrogates_in_names_and_answers_survive(tmp_path: Path) -> None:
    with ModelServer(lambda r: chat("a\x00b")) as server:
        port = port_at(server, tmp_path)
        results = answers(port, [ask("x\x00y", subject="E\x00\ud800", task="t\x00")])
        assert results == answers(port_at(server, tmp_path), [ask("x\x00y")])
    assert isinstance(results[0], Completion)
    assert results[0].text == "a\x00b"
    assert open_ledger(cache_in(tmp_path)).read()[0].subject == "E\ufffd?"


def test_threads_with_one_port_never_pay_twice(tmp_path: Path) -> None:
    requests = [ask(str(n)) for n in range(10)]
    with ModelServer(lambda r: chat(f"{r.number}", delay_s=0.05)) as server:
        port = port_at(server, tmp_path)
        results: list[object] = []
        threads = [
            threading.Thread(target=lambda: results.append(answers(port, requests)))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert server.count == 10
    assert len(results) == 4
    assert all(result == results[0] for result in results)


def test_a_claim_keeps_others_off_until_it_ends_or_runs_out(tmp_path: Path) -> None:
    first, second = CallStore(cache_in(tmp_path)), CallStore(cache_in(tmp_path))
    assert first.acquire([row()], "one") == [Claim("k", "one")]
    assert second.acquire([row()], "two") == [Held()]
    assert second.blocked(["k", "other"]) == {"k"}
    failed = Finished(Claim("k", "one"), None, row(outcome="failed", error="x"))
    assert first.finish([failed]) == [None]
    assert second.blocked(["k"]) == set()
    assert second.acquire([row()], "two") == [Claim("k", "two")]
    done = Finished(Claim("k", "two"), b"answer", row(outcome="ok"))
    assert second.finish([done]) == [b"answer"]
    assert first.acquire([row()], "three") == [Hit(b"answer")]


def test_the_lease_of_a_dead_process_runs_out_and_the_ledger_says_so(tmp_path: Path) -> None:
    dead = CallStore(cache_in(tmp_path, lease_s=0.05))
    dead.acquire([row()], "dead")
    threading.Event().wait(0.1)
    alive = CallStore(cache_in(tmp_path))
    assert alive.acquire([row()], "alive") == [Claim("k", "alive")]
    outcomes = [(call.outcome, call.error[:9]) for call in open_ledger(cache_in(tmp_path)).read()]
    assert outcomes == [("failed", "abandoned"), ("in_flight", "")]


def test_who_lost_the_claim_gets_the_answer_that_was_committed_first(tmp_path: Path) -> None:
    """Harm: two rows made from two answers to one question."""
    slow, fast = CallStore(cache_in(tmp_path, lease_s=0.05)), CallStore(cache_in(tmp_path))
    [late] = slow.acquire([row()], "slow")
    threading.Event().wait(0.1)
    [early] = fast.acquire([row()], "fast")
    assert isinstance(late, Claim)
    assert isinstance(early, Claim)
    assert fast.finish([Finished(early, b"first", row(outcome="ok"))]) == [b"first"]
    paid = row(outcome="ok", prompt_tokens=900, attempts=1)
    assert slow.finish([Finished(late, b"second", paid)]) == [b"first"]
    # Both were sent and paid, and the ledger has both: the late one was no dead process.
    calls = [(call.outcome, call.prompt_tokens, call.error) for call in slow_ledger(tmp_path)]
    assert calls == [("ok", 900, ""), ("ok", 0, "")]


def slow_ledger(folder: Path) -> list[ModelCall]:
    return open_ledger(cache_in(folder)).read()


def test_a_living_process_renews_its_claims(tmp_path: Path) -> None:
    """Harm: a call longer than the lease is paid twice."""
    with ModelServer(lambda r: chat("slow", delay_s=2.5)) as server:
        port, other = (port_at(server, tmp_path, lease_s=1.5) for _ in range(2))

        async def both() -> None:
            await asyncio.gather(port.complete([ask()]), other.complete([ask()]))

        asyncio.run(both())
        assert server.count == 1


def test_a_cancelled_batch_gives_its_claims_free(tmp_path: Path) -> None:
    reached = threading.Event()

    def script(request: ServerRequest) -> Reply:
        reached.set()
        return chat("x", delay_s=5 if request.number == 0 else 0)

    with ModelServer(script) as server:
        port = port_at(server, tmp_path)

        async def cancelled() -> None:
            task = asyncio.create_task(port.complete([ask()]))
            await asyncio.to_thread(reached.wait)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

        asyncio.run(cancelled())
        [result] = answers(port, [ask()])
    assert isinstance(result, Completion)
    outcomes = [call.outcome for call in open_ledger(cache_in(tmp_path)).read()]
    assert outcomes == ["failed", "ok"]


def test_the_ledger_shows_calls_in_flight(tmp_path: Path) -> None:
    seen: list[str] = []

    def script(request: ServerRequest) -> None:
        seen.extend(call.outcome for call in open_ledger(cache_in(tmp_path)).read())

    with ModelServer(script) as server:
        answers(port_at(server, tmp_path), [ask()])
    assert seen == ["in_flight"]


def test_the_ledger_sums_what_was_paid_and_what_was_saved(tmp_path: Path) -> None:
    with ModelServer(lambda r: error(400) if r.prompt == "bad" else None) as server:
        port = port_at(server, tmp_path)
        answers(port, [ask("a"), ask("b"), ask("bad"), ask("c", subject="E99002")])
        answers(port, [ask("a")])
    ledger = open_ledger(cache_in(tmp_path))
    one, two = ledger.totals()
    assert (one.subject, one.sent, one.failed, one.served) == ("E99001", 3, 1, 1)
    assert (one.prompt_tokens, one.completion_tokens, one.cached_tokens) == (14, 6, 4)
    assert (one.saved_prompt_tokens, one.saved_completion_tokens) == (7, 3)
    assert (two.subject, two.sent, two.prompt_tokens) == ("E99002", 1, 7)
    assert ledger.totals(subject="E99002") == [two]
    failed = [call for call in ledger.read() if call.outcome == "failed"]
    assert [call.error.split(":")[0] for call in failed] == ["refused_request"]
    assert ledger.read(datetime.now(UTC) + timedelta(hours=1)) == []
    assert len(ledger.read(datetime.now(UTC) - timedelta(hours=1))) == 5


def test_the_key_is_not_in_the_cache_file(tmp_path: Path) -> None:
    with ModelServer(lambda r: error(401, f"wrong key {KEY}") if r.number else None) as server:
        port = port_at(server, tmp_path, concurrency=1)
        answers(port, [ask("a"), ask("b")])
        port.close()
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"refused_key" in stored
    assert KEY.encode() not in stored


def test_export_and_prune_keep_every_newest_answer(tmp_path: Path) -> None:
    with ModelServer(lambda r: chat(f"answer {r.number}")) as server:
        answers(port_at(server, tmp_path), [ask()])
        answers(port_at(server, tmp_path, refresh=True), [ask()])
    store = CallStore(cache_in(tmp_path))
    assert store.export(tmp_path / "all.jsonl") == 2
    assert store.prune() == 1
    assert store.export(tmp_path / "new.jsonl") == 1
    line = json.loads((tmp_path / "new.jsonl").read_text())
    assert line["call"]["text"] == "answer 1"


def test_a_missing_database_driver_is_named_with_its_remedy() -> None:
    url = "postgresql+pg8000://g2:secret@localhost/calls"
    store = CallStore(CacheConfig(url=url))
    with pytest.raises(CallCacheError, match="driver is not installed") as caught:
        store.find(["key"])
    assert caught.value.remedy.startswith("pip install")
    assert "secret" not in f"{caught.value}{caught.value.file}"
