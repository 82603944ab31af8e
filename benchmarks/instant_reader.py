"""An engine for questions that answers at once, so that what remains is orchestration.

Here: ``Instant``, a completion port whose replies are valid: a plan of three steps, a quote out of
the first source that has words, one gap and one refinement, then an answer. It reads the
prompts as a model would, which the product pays for too; its own time is counted in
``seconds``.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence

from g2_pipelines.models.ports import Completion, CompletionRequest, CompletionResult

_SOURCE = re.compile(r'<data-\w+ label="(e\d+)"[^>]*>\n(.*?)\n</data-', re.DOTALL)
_WORD = re.compile(r"[^\W\d_]{3,}")
_ADDED = "When is it measured?"
_PLAN: dict[str, object] = {
    "thought": "",
    "steps": [
        {"id": "q1", "task": "What is measured?", "depends_on": []},
        {"id": "q2", "task": "Where is it measured?", "depends_on": []},
        {"id": "q3", "task": "What follows from both?", "depends_on": ["q1", "q2"]},
    ],
}
_REFINEMENT: dict[str, object] = {
    "thought": "",
    "operations": [{"op": "add", "id": "r1", "task": _ADDED, "depends_on": []}],
}
_GAP: dict[str, object] = {
    "thought": "",
    "gaps": [{"kind": "missing", "text": "when it is measured"}],
    "partly": False,
    "sufficient": False,
}
_ENOUGH: dict[str, object] = {"thought": "", "gaps": [], "partly": False, "sufficient": True}


class Instant:
    """See CompletionPort."""

    engine = "instant"
    model = "instant/1"

    def __init__(self) -> None:
        self.calls = 0
        self.seconds = 0.0
        self._checked: set[str] = set()

    async def complete(self, requests: Sequence[CompletionRequest]) -> list[CompletionResult]:
        """A valid reply each."""
        started = time.perf_counter()
        replies = [self._reply(request) for request in requests]
        self.seconds += time.perf_counter() - started
        return list(replies)

    def _reply(self, request: CompletionRequest) -> Completion:
        self.calls += 1
        text = json.dumps(self._said(request), ensure_ascii=False)
        return Completion(
            text=text,
            finish_reason="stop",
            prompt_tokens=1,
            completion_tokens=1,
            cached_tokens=0,
            call_key=f"instant-{self.calls}",
            engine=self.engine,
            model=self.model,
        )

    def _said(self, request: CompletionRequest) -> dict[str, object]:
        match request.schema_name:
            case "plan":
                return _PLAN
            case "refine":
                return _REFINEMENT
            case "check":
                first = request.subject not in self._checked
                self._checked.add(request.subject)
                return _GAP if first else _ENOUGH
            case "work":
                label, word = _quoted(request)
                return {
                    "thought": "",
                    "found": True,
                    "quotes": [{"source": label, "text": word}],
                    "values": [],
                    "operation": "",
                    "lack": "missing",
                    "answer": word,
                    "short": word,
                }
            case _:
                label, word = _quoted(request)
                claim = {"text": word, "source": label, "quote": word}
                return {
                    "thought": "",
                    "answerable": True,
                    "claims": [claim],
                    "answer": word,
                    "why": "",
                }


def _quoted(request: CompletionRequest) -> tuple[str, str]:
    """Label and a word of a source that has one: of the last for the added step, else the first.

    A step that finds what another has found would end the refinement.
    """
    text = request.messages[-1].text
    sources = _SOURCE.findall(text)
    for label, body in reversed(sources) if f"step: {_ADDED}" in text else sources:
        shown = body.split("\n", 1)[1] if body.startswith("Section: ") and "\n" in body else body
        for line in shown.splitlines():
            words = line.removeprefix("Caption: ")
            found = None if line.startswith("Section: ") else _WORD.search(words)
            if found:
                return label, found[0]
    raise ValueError("no source with a word was shown")
