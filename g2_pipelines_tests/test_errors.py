"""A failure says what, where and what to do, also across a process border."""

import pickle

from g2_pipelines.errors import EXIT_CODES, G2Error, InputError, ModelError


def test_a_failure_reads_as_one_line():
    error = InputError("The zip is cut short", file="S1.zip", place="page 3", remedy="Fetch it")
    assert str(error) == "The zip is cut short (S1.zip: page 3). Fetch it"
    assert str(InputError("Empty")) == "Empty"


def test_a_failure_survives_pickling():
    """Parsers run in processes of their own."""
    error = pickle.loads(pickle.dumps(ModelError("busy", file="E1", place="call 4", remedy="wait")))
    assert isinstance(error, ModelError)
    assert (error.message, error.file, error.place, error.remedy) == (
        "busy",
        "E1",
        "call 4",
        "wait",
    )


def test_the_exit_code_says_whose_fault_it_is():
    assert EXIT_CODES[InputError.kind] == 1
    assert EXIT_CODES[ModelError.kind] == 3
    assert EXIT_CODES[G2Error.kind] == 3
