"""Named failures of models and of what stands in front of them.

Here: one class per cause, grouped by who can act. Engines translate foreign exceptions to
these at their edge; the batch returns them as values, one per request. The briefs, graph
and qa packages, evaluation, ``defs`` and ``cli`` may import this module.

No message ever holds an API key: engines scrub what servers echo, and errors are built as
values without a cause, since the SDK's exceptions hold the request with its headers.
"""

from __future__ import annotations

from typing import ClassVar, TypeAlias

from g2_pipelines.errors import InputError, LimitError, ModelError, StateError

#: What a batch may hold in place of a value. Works with isinstance.
Failure: TypeAlias = ModelError | LimitError


class BadModelSettingsError(InputError):
    """The settings of an engine are incomplete or contradict each other."""

    code: ClassVar[str] = "model_settings"


class RefusedKeyError(ModelError):
    """The server refused the key (401, 403)."""

    code: ClassVar[str] = "refused_key"


class UnknownModelError(ModelError):
    """The server does not know the model, or the URL leads nowhere (404)."""

    code: ClassVar[str] = "unknown_model"


class RefusedRequestError(ModelError):
    """The server refused this request as wrong (400, 413, 422); it will do so again."""

    code: ClassVar[str] = "refused_request"


class ContextOverflowError(LimitError):
    """Prompt and answer budget together are longer than the model's context."""

    code: ClassVar[str] = "context_overflow"


class OutOfQuotaError(LimitError):
    """The account is out of quota; no further call is sent by this port."""

    code: ClassVar[str] = "out_of_quota"


class BudgetSpentError(LimitError):
    """The budget of the run or the day does not hold the call; no further one is sent."""

    code: ClassVar[str] = "budget_spent"


class RateLimitedError(LimitError):
    """The server still said 429 after the last attempt, or asked for too long a pause."""

    code: ClassVar[str] = "rate_limited"


class ModelTimeoutError(ModelError):
    """No complete answer within the request's time, at every attempt."""

    code: ClassVar[str] = "model_timeout"


class UnreachableModelError(ModelError):
    """The connection could not be made, or broke before the answer was whole."""

    code: ClassVar[str] = "model_unreachable"


class ServerFailedError(ModelError):
    """The server (or the proxy before it) failed with a 5xx."""

    code: ClassVar[str] = "model_server_failed"


class BrokenAnswerError(ModelError):
    """A 200 whose body is not an answer of the protocol."""

    code: ClassVar[str] = "broken_answer"


class EmptyAnswerError(ModelError):
    """The answer holds no choice, or a choice without text."""

    code: ClassVar[str] = "empty_answer"


class ModelNotLoadedError(ModelError):
    """A model of this process could not be loaded, or its engine stopped; none is asked more."""

    code: ClassVar[str] = "model_not_loaded"


class OversizedAnswerError(LimitError):
    """The answer's body is larger than any real answer; reading stopped."""

    code: ClassVar[str] = "oversized_answer"


class TruncatedAnswerError(ModelError):
    """The answer ended at the token limit (finish_reason ``length``): never a success."""

    code: ClassVar[str] = "truncated_answer"


class WithheldAnswerError(ModelError):
    """The model refused, or a content filter withheld the answer."""

    code: ClassVar[str] = "withheld_answer"


class BadStructureError(ModelError):
    """The answer does not fit its schema, also not after the retry that named the fault."""

    code: ClassVar[str] = "bad_structure"


class BadTextError(ModelError):
    """The text is empty, in the wrong language, or runs in a loop, also after the retry."""

    code: ClassVar[str] = "bad_text"


class BadVectorError(ModelError):
    """A vector holds NaN or infinity, is all zero, or has another dimension than configured."""

    code: ClassVar[str] = "bad_vector"


class UnboundedSchemaError(StateError):
    """A model schema cannot be used as a grammar (no bound, recursion); a bug of ours."""

    code: ClassVar[str] = "unbounded_schema"


class PromptError(StateError):
    """A prompt file is missing, or a value it needs was not given; a bug of ours."""

    code: ClassVar[str] = "prompt"


class CallCacheError(StateError):
    """The call cache cannot be read or written (damaged file, full disk, other version)."""

    code: ClassVar[str] = "call_cache"
