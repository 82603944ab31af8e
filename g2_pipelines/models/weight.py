"""What a request weighs in tokens, before it is sent: for limits, budgets and estimates.

Here: counting with the tokenizer that the settings name, and the refusal of what surely
does not fit the model's context. Counts are of the texts alone: a server's chat template
adds some tokens a message, a picture those of its size, and both are in its own count
afterwards. Only this package's modules and ``commands`` import this one.
"""

from __future__ import annotations

from g2_pipelines.models.errors import ContextOverflowError
from g2_pipelines.models.ports import CompletionRequest
from g2_pipelines.text.tokens import Tokenizer


def prompt_tokens(request: CompletionRequest, tokenizer: Tokenizer) -> int:
    """Tokens of the messages' texts."""
    return sum(tokenizer.count(message.text) for message in request.messages)


def overflow(
    request: CompletionRequest, *, tokens: int, context_tokens: int, model: str
) -> ContextOverflowError | None:
    """The failure of a prompt that cannot fit, without asking the server; None if it may."""
    needed = tokens + request.max_tokens
    if not context_tokens or needed <= context_tokens:
        return None
    return ContextOverflowError(
        f"A prompt of {tokens} tokens and an answer of up to {request.max_tokens} do not fit "
        f"the context of {context_tokens}; it was not sent",
        file=request.subject,
        place=f"{request.task}, {model}",
        remedy="Lower the input limit or the answer budget, or serve a longer context and "
        "raise context_tokens",
    )
