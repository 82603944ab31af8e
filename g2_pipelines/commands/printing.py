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
from g2_pipelines.errors import EXIT_CODES, G2Error

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


def emit(output: Output, words: Callable[[], str], *, as_json: bool) -> None:
    """Print ``output`` as JSON, or ``words()`` for a person."""
    if as_json:
        text = json.dumps(output.model_dump(mode="json"), ensure_ascii=False, indent=1)
    else:
        text = words()
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def fail(error: G2Error, *, as_json: bool) -> int:
    """Print a failure; returns the exit code."""
    if as_json:
        emit(ErrorOutput(error=record(error)), str, as_json=True)
    else:
        sys.stderr.write(f"g2: {error}\n")
    return EXIT_CODES[error.kind]


@contextmanager
def ending(*, as_json: bool) -> Iterator[None]:
    """Turn a typed failure inside the context into its output and exit code."""
    try:
        yield
    except G2Error as error:
        raise typer.Exit(fail(error, as_json=as_json)) from error


def worst(codes: list[int]) -> int:
    """The exit code of several inputs."""
    return max(codes, default=0)
