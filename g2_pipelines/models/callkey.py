"""The call cache's key: what an answer depends on, and nothing else.

Engines and the cache import this module.
"""

from __future__ import annotations

import json

from g2_pipelines.keys import digest_of
from g2_pipelines.models.ports import CompletionRequest

KEY_VERSION = 1


def call_key(engine: str, model: str, revision: str, request: CompletionRequest) -> str:
    """64 hex over engine kind, model, revision and all that the server is told.

    Images count by their SHA-256. URLs, timeouts, keys, task and subject do not count: the
    same question to the same model has the same answer, wherever it is asked.
    """
    told = {
        "key_version": KEY_VERSION,
        "engine": engine,
        "model": model,
        "revision": revision,
        "messages": [
            [message.role, message.text, [image.sha256 for image in message.images]]
            for message in request.messages
        ],
        "schema": [request.schema_name, request.json_schema] if request.json_schema else None,
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "top_p": request.top_p,
        "seed": request.seed,
    }
    # ASCII escapes: a lone surrogate has a key too; the engine refuses it by name.
    return digest_of(json.dumps(told, ensure_ascii=True, sort_keys=True).encode("ascii"))
