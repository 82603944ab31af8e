"""Who says which place of a transcript, and which question an answer follows.

Here: ``Turns``. Only modules of this package import it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from g2_pipelines.evaluation.sources import Source, SourceTurn

_ASKING = frozenset({"question", "moderator"})


class Turns:
    """Places by the turn that they are of; places outside turns are of none.

    ``places`` gives the places of a source that begin in [start, end).
    """

    def __init__(
        self,
        sources: Sequence[Source],
        places: Callable[[int, int, int], Iterable[int]],
    ) -> None:
        self._of: dict[int, tuple[int, SourceTurn]] = {
            place: (source, turn)
            for source, item in enumerate(sources)
            for turn in item.turns
            for place in places(source, turn.start, turn.end)
        }
        self._questions = self._asked()

    def _asked(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        asked: list[int] = []
        last: tuple[int, SourceTurn] | None = None
        for place in sorted(self._of):
            now = self._of[place]
            if now[1].role == "question":
                if last != now and (last is None or last[0] != now[0] or found.get(place - 1)):
                    asked = []
                asked.append(place)
            elif now[1].role == "answer":
                found[place] = asked
            last = now
        return found

    def is_question(self, place: int) -> bool:
        """Whether a place is said by who asks or moderates, not by the company."""
        found = self._of.get(place)
        return found is not None and found[1].role in _ASKING

    def question_of(self, place: int) -> list[int]:
        """The places of the question that an answer's place follows."""
        return self._questions.get(place, [])

    def answers_to(self, places: Iterable[int]) -> set[int]:
        """The answers' places that follow any of ``places``, questions."""
        asked = {place for place in places if self.is_question(place)}
        if not asked:
            return set()
        return {a for a, questions in self._questions.items() if asked & set(questions)}
