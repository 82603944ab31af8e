"""The two ports of language models: completion and embedding, and their values.

Here: plain frozen values and Protocols. Not here: engines (``openai_engine``,
``embedded``), the cache that wraps them (``cached``), structured answers (``structured``).
briefs, graph, index, qa and evaluation may import this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, Protocol, TypeAlias, runtime_checkable

from pydantic import AfterValidator, Field

from g2_pipelines.keys import digest_of
from g2_pipelines.models.control_tokens import neutral
from g2_pipelines.models.errors import Failure
from g2_pipelines.tables.rows import Row

__all__ = [
    "Completion",
    "CompletionPort",
    "CompletionRequest",
    "CompletionResult",
    "EmbeddingPort",
    "EmbeddingResult",
    "Failure",
    "ImagePart",
    "Maker",
    "Message",
    "Withdraws",
]


class ImagePart(Row):
    """An image as the server gets it: bytes of a PNG, JPEG, WebP or GIF file."""

    media_type: Literal["image/png", "image/jpeg", "image/webp", "image/gif"]
    data: bytes

    @property
    def sha256(self) -> str:
        """Hex digest of the bytes; what the call cache's key holds in their place."""
        return digest_of(self.data)


class Message(Row):
    """One message. Its images go before its text: document first, instruction last.

    text: with the names of control tokens in a form that is none (``control_tokens``), whatever
    was given: what a document, a question or a model says never becomes the template's word.
    """

    role: Literal["system", "user", "assistant"]
    text: Annotated[str, AfterValidator(neutral)]
    images: tuple[ImagePart, ...] = ()


class CompletionRequest(Row):
    """One call. ``task`` and ``subject`` are for the ledger only and not part of the key.

    task: what it is for (``pre_summary``); subject: company, document or question.
    json_schema: canonical JSON text from ``structured.schema_text``, or None for free text.
    max_tokens: the answer's budget. seed None leaves the choice to the server.
    prefix_key: equal for requests that begin alike (one document, several questions): the
    first is sent alone, the others after its answer and to the same server, so that its
    prefix cache serves them. Not part of the call cache's key either.
    """

    task: str
    subject: str
    prefix_key: str | None = None
    messages: tuple[Message, ...] = Field(min_length=1)
    json_schema: str | None = None
    schema_name: str = Field("answer", pattern=r"^[A-Za-z0-9_-]{1,64}$")
    max_tokens: int = Field(ge=1)
    temperature: float = Field(0.0, ge=0.0)
    top_p: float = Field(1.0, gt=0.0, le=1.0)
    seed: int | None = 0


class Completion(Row):
    """A whole answer: finish_reason is ``stop``, the text not empty.

    cached_tokens: prompt tokens that the server had in its prefix cache.
    model: name, and ``@revision`` where one is configured.
    """

    text: str
    finish_reason: str
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int
    call_key: str
    engine: str
    model: str


#: isinstance(result, Completion), else it is a typed failure to report or raise.
CompletionResult: TypeAlias = Completion | Failure
EmbeddingResult: TypeAlias = list[float] | Failure


class CompletionPort(Protocol):
    """A batch of requests in, per request a value or a typed failure out, in order."""

    @property
    def engine(self) -> str:
        """Kind of engine: ``openai``, ``vllm``."""
        ...

    @property
    def model(self) -> str:
        """Name and revision, for the rows' ``model``."""
        ...

    async def complete(self, requests: Sequence[CompletionRequest]) -> list[CompletionResult]:
        """Answer each request; one bad request never sinks the others.

        Raises only what concerns the whole batch: a call cache that cannot be used
        (CallCacheError).
        """
        ...


@runtime_checkable
class Withdraws(Protocol):
    """A completion port that can take answers back, so that they are not served again."""

    async def withdraw(self, call_keys: Sequence[str]) -> None:
        """Forget stored answers that led to a typed failure."""
        ...


class Maker(Protocol):
    """Who makes a model-made row; every task port is one, and every row names it."""

    @property
    def engine(self) -> str:
        """``extractive``, or the completion port's engine."""
        ...

    @property
    def model(self) -> str:
        """Name and revision."""
        ...

    @property
    def prompt_version(self) -> str:
        """Hash of the prompt files; empty or ``none`` where there are none."""
        ...


class EmbeddingPort(Protocol):
    """Texts in, per text a vector or a typed failure out, in order."""

    @property
    def engine(self) -> str:
        """Kind of engine: ``embedded`` or ``openai``."""
        ...

    @property
    def model(self) -> str:
        """Name and version; recorded with every index."""
        ...

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        ...

    async def embed(self, texts: Sequence[str]) -> list[EmbeddingResult]:
        """One vector of ``dimension`` floats a text, the same whatever stands beside it."""
        ...
