"""The one tree of failures that users see.

Here: the base error with its four fields, and the five kinds, grouped by who can act.
Packages derive their own named errors from one of the kinds. Nothing here knows Dagster,
paths or models. Everyone may import this module.

A failure always says what happened, in which file, at which place in it, and what to do.
"""

from __future__ import annotations

from typing import ClassVar, Literal

Kind = Literal["input", "not_yet", "model", "limit", "bug"]


class G2Error(Exception):
    """Base of every typed failure of this project.

    Args:
        message: One sentence, what happened. Never holds a secret.
        file: The file, document or company concerned, as the user knows it.
        place: Where in it (page, element, line, node, field); empty if the whole.
        remedy: What the user can do; empty if nothing but to report it.
    """

    kind: ClassVar[Kind] = "bug"
    code: ClassVar[str] = "internal"

    def __init__(self, message: str, *, file: str = "", place: str = "", remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.place = place
        self.remedy = remedy

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by fields: parser failures cross a process border."""
        return (_rebuild, (type(self), self.message, self.file, self.place, self.remedy))

    def __str__(self) -> str:
        """One line: ``message (file: place). remedy``."""
        where = ": ".join(part for part in (self.file, self.place) if part)
        text = f"{self.message} ({where})" if where else self.message
        return f"{text}. {self.remedy}" if self.remedy else text


def _rebuild(cls: type[G2Error], message: str, file: str, place: str, remedy: str) -> G2Error:
    return cls(message, file=file, place=place, remedy=remedy)


class InputError(G2Error):
    """The input is wrong; the same input will fail again. The user acts."""

    kind: ClassVar[Kind] = "input"
    code: ClassVar[str] = "bad_input"


class NotYetError(G2Error):
    """What is asked for is not there yet; later it may be. Waiting or adding it helps."""

    kind: ClassVar[Kind] = "not_yet"
    code: ClassVar[str] = "not_yet"


class ModelError(G2Error):
    """A model or a remote service refused, broke its schema or could not be reached."""

    kind: ClassVar[Kind] = "model"
    code: ClassVar[str] = "model"


class LimitError(G2Error):
    """A limit of time, memory, size, budget or rate was reached; settings can raise it."""

    kind: ClassVar[Kind] = "limit"
    code: ClassVar[str] = "limit"


class StateError(G2Error):
    """Stored state is damaged or does not fit this version: never read past it."""

    kind: ClassVar[Kind] = "bug"
    code: ClassVar[str] = "state"


#: Exit code of ``g2`` per kind: 1 the input's fault, 3 model, network or our fault.
EXIT_CODES: dict[Kind, int] = {"input": 1, "not_yet": 1, "model": 3, "limit": 3, "bug": 3}
