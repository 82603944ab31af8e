"""Several servers of one model: a dead one costs attempts, never answers."""

from __future__ import annotations

from pathlib import Path

from pydantic import SecretStr

from g2_pipelines.models.build import build_completion, open_ledger
from g2_pipelines.models.config import ModelConfig
from g2_pipelines.models.errors import RefusedRequestError, ServerFailedError, UnreachableModelError
from g2_pipelines.models.fleet import IN_A_ROW, REST_S, Fleet
from g2_pipelines.models.openai_engine import OpenAIEngine
from g2_pipelines.models.ports import Completion, Message
from g2_pipelines_tests.models.helpers import KEY, answers, ask, cache_in
from g2_pipelines_tests.models.server import ModelServer, Reply, ServerRequest

A, B, C = "http://a/v1", "http://b/v1", "http://c/v1"
GONE = UnreachableModelError("gone")


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def config_of(*servers: ModelServer, **fields: object) -> ModelConfig:
    values: dict[str, object] = {"timeout_s": 5.0, "max_attempts": 3, "backoff_s": 0.0}
    return ModelConfig(
        base_url=",".join(server.base_url for server in servers),
        api_key=SecretStr(KEY),
        model="test-model",
        **{**values, **fields},  # type: ignore[arg-type]
    )


def test_a_resting_server_moves_its_own_lanes_and_no_other() -> None:
    """Moving all of them would empty every prefix cache because one machine fell out."""
    fleet = Fleet([A, B, C])
    lanes = [f"lane {n}" for n in range(300)]
    before = {lane: fleet.choose(lane) for lane in lanes}
    assert {before[lane] for lane in lanes} == {A, B, C}
    fleet.note(A, GONE, fleet.now())
    after = {lane: fleet.choose(lane) for lane in lanes}
    assert all(after[lane] == before[lane] for lane in lanes if before[lane] != A)
    assert {after[lane] for lane in lanes if before[lane] == A} == {B, C}


def test_a_rested_server_is_tried_by_one_call_and_comes_back_when_it_answers() -> None:
    clock = Clock()
    fleet = Fleet([A, B], clock)
    lane = next(f"{n}" for n in range(100) if fleet.choose(f"{n}") == A)
    fleet.note(A, GONE, fleet.now())
    clock.now += REST_S - 0.1
    assert fleet.choose(lane) == B
    clock.now += 0.2
    assert [fleet.choose(lane) for _ in range(3)] == [A, B, B]
    fleet.note(A, None, fleet.now())
    assert fleet.choose(lane) == A


def test_a_server_that_fails_is_left_alone_only_after_several_in_a_row() -> None:
    """One 502 says little; a refused request says that the server lives."""
    fleet = Fleet([A, B])
    lane = next(f"{n}" for n in range(100) if fleet.choose(f"{n}") == A)
    broken = ServerFailedError("502")
    for _ in range(IN_A_ROW - 1):
        fleet.note(A, broken, fleet.now())
    fleet.note(A, RefusedRequestError("bad schema"), fleet.now())
    for _ in range(IN_A_ROW - 1):
        fleet.note(A, broken, fleet.now())
    assert fleet.choose(lane) == A
    fleet.note(A, broken, fleet.now())
    assert fleet.choose(lane) == B


def test_an_answer_to_an_older_call_does_not_end_a_rest() -> None:
    """Answers that were under way when a server died kept sending new calls to it."""
    clock = Clock()
    fleet = Fleet([A, B], clock)
    lane = next(f"{n}" for n in range(100) if fleet.choose(f"{n}") == A)
    sent_at = fleet.now()
    clock.now += 1
    fleet.note(A, GONE, fleet.now())
    clock.now += 1
    fleet.note(A, None, sent_at)
    assert fleet.choose(lane) == B


def test_where_all_rest_the_servers_are_tried_in_turn() -> None:
    fleet = Fleet([A, B])
    fleet.note(A, GONE, fleet.now())
    fleet.note(B, GONE, fleet.now())
    first = fleet.choose("x")
    second = fleet.choose("x", [first])
    assert {first, second} == {A, B}
    assert fleet.choose("x", [first, second]) == first


def test_one_server_alone_never_rests() -> None:
    fleet = Fleet([A])
    fleet.note(A, GONE, fleet.now())
    assert fleet.choose("x", [A]) == A


def test_a_dead_servers_calls_go_to_the_others_and_the_ledger_has_the_attempts(
    tmp_path: Path,
) -> None:
    """A backfill over four machines must not end because one of them was rebooted."""
    with ModelServer() as gone:
        pass
    with ModelServer() as one, ModelServer() as two:
        port = build_completion(config_of(gone, one, two, max_attempts=4), cache_in(tmp_path))
        results = answers(port, [ask(f"資料{n}") for n in range(60)])  # type: ignore[arg-type]
        assert all(isinstance(result, Completion) for result in results)
        assert one.count + two.count == 60
        assert min(one.count, two.count) > 5
    calls = open_ledger(cache_in(tmp_path)).read()
    assert len(calls) == 60
    assert {call.outcome for call in calls} == {"ok"}
    again = [call.attempts for call in calls if call.attempts > 1]
    assert again  # those that met the dead one
    assert max(again) == 2
    # It was left alone after the first calls in flight had met it.
    assert len(again) <= 16


def test_a_server_that_dies_in_the_middle_costs_no_answer(tmp_path: Path) -> None:
    def reset(request: ServerRequest) -> Reply | None:
        return None if request.number < 10 else Reply(body=b"x" * 99, reset_after=5)

    with ModelServer(reset) as dying, ModelServer() as living:
        port = build_completion(
            config_of(dying, living, max_attempts=4, concurrency=4), cache_in(tmp_path)
        )
        results = answers(port, [ask(f"資料{n}") for n in range(60)])  # type: ignore[arg-type]
        assert all(isinstance(result, Completion) for result in results)
        assert living.count >= 50
        assert dying.count <= 10 + 4


def test_a_hanging_server_is_left_after_its_timeouts(tmp_path: Path) -> None:
    with ModelServer(lambda _: Reply(delay_s=3.0)) as hanging, ModelServer() as living:
        port = build_completion(
            config_of(hanging, living, max_attempts=4, concurrency=4, timeout_s=0.3),
            cache_in(tmp_path),
        )
        results = answers(port, [ask(f"資料{n}") for n in range(40)])  # type: ignore[arg-type]
        assert all(isinstance(result, Completion) for result in results)
        assert hanging.count <= 2 * IN_A_ROW + 4


def test_the_same_system_words_do_not_put_all_calls_on_one_server() -> None:
    """Every prompt of a task begins with the same system message; nine machines sat idle."""
    with ModelServer() as one, ModelServer() as two:
        engine = OpenAIEngine(config_of(one, two))
        system = Message(role="system", text="あなたは編集者です。" * 100)
        requests = [
            ask(messages=(system, Message(role="user", text=f"資料{n}"))) for n in range(40)
        ]
        answers(engine, requests)
        assert min(one.count, two.count) > 5


def test_the_servers_do_not_count_in_the_calls_key(tmp_path: Path) -> None:
    """A second run with other machines must not pay again."""
    with ModelServer() as one, ModelServer() as two, ModelServer() as three:
        first = build_completion(config_of(one, two), cache_in(tmp_path))
        before = answers(first, [ask(f"{n}") for n in range(8)])  # type: ignore[arg-type]
        second = build_completion(config_of(three), cache_in(tmp_path))
        after = answers(second, [ask(f"{n}") for n in range(8)])  # type: ignore[arg-type]
        assert three.count == 0
        assert before == after
