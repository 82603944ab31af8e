"""How a command prints and ends: JSON on stdout, words for people, exit codes.

Here: the one place where results and failures become text and codes. 0 done, 1 the input's
fault, 2 usage, 3 model, network or ours.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from g2_pipelines.commands.outputs import ErrorOutput, ErrorRecord, Output
from g2_pipelines.errors import EXIT_CODES, G2Error, InputError
from g2_pipelines.keys import well_formed
from g2_pipelines.storage_errors import storage_error
from g2_pipelines.text.shown import escaped, neutral

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout")]


def record(error: G2Error) -> ErrorRecord:
    """A failure as it is printed."""
    return ErrorRecord(
        code=error.code,
        kind=error.kind,
        message=error.message,
        file=error.file,
        place=error.place,
        remedy=error.remedy,
    )


#: Control characters of names and documents would steer the terminal; tab and newline may stay.
_CONTROLS = {
    code: "\ufffd" for code in (*range(32), 127, *range(128, 160)) if chr(code) not in "\t\n"
}


def for_terminal(text: str) -> str:
    """``text`` as a terminal may show it: no control characters, none that turn the
    reading direction, nothing UTF-8 cannot hold.
    """
    return neutral(well_formed(text).translate(_CONTROLS))


def emit(output: Output, words: Callable[[], str], *, as_json: bool) -> None:
    """Print ``output`` as JSON, or ``words()`` for a person."""
    if as_json:
        text = json.dumps(output.model_dump(mode="json"), ensure_ascii=False, indent=1)
        text = escaped(well_formed(text))
    else:
        text = for_terminal(words())
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def fail(error: G2Error, *, as_json: bool) -> int:
    """Print a failure; returns the exit code."""
    if as_json:
        emit(ErrorOutput(error=record(error)), str, as_json=True)
    else:
        sys.stderr.write(f"g2: {for_terminal(str(error))}\n")
    return EXIT_CODES[error.kind]


@contextmanager
def ending(*, as_json: bool) -> Iterator[None]:
    """Turn a typed failure inside the context into its output and exit code."""
    try:
        yield
    except G2Error as error:
        raise typer.Exit(fail(error, as_json=as_json)) from error
    except OSError as error:
        named = storage_error(error)
        if named is None:
            raise
        raise typer.Exit(fail(named, as_json=as_json)) from error


def check_text(text: str, what: str) -> None:
    """Refuse an argument that no table could hold.

    Raises:
        InputError: ``what`` is not UTF-8.
    """
    if well_formed(text) != text:
        raise InputError(f"The {what} is not UTF-8", place=what, remedy="Type it in UTF-8")


def sentence_of(error: ErrorRecord) -> str:
    """A printed failure as one line: what, in which file, where, and what to do."""
    return str(G2Error(error.message, file=error.file, place=error.place, remedy=error.remedy))


def worst(codes: list[int]) -> int:
    """The exit code of several inputs."""
    return max(codes, default=0)
