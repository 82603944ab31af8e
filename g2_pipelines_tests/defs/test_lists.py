"""A list that a person wrote loses nothing without a word."""

import pytest

from g2_pipelines.defs.lists import read_list
from g2_pipelines.errors import InputError


class BadListError(InputError):
    """The error of these tests."""


def read(content: bytes, **given: bool) -> list[tuple[int, dict[str, str]]]:
    return read_list(
        content,
        "list.csv",
        title="The list",
        columns=("file", "type"),
        needed=("file",),
        wrong=BadListError,
        **given,
    )


def test_cells_are_trimmed_and_empty_ones_left_out():
    assert read('\ufefffile, type\r\n a.txt , \n\n,\n"b,\nc",pdf\n'.encode()) == [
        (2, {"file": "a.txt"}),
        (6, {"file": "b,\nc", "type": "pdf"}),
    ]


def test_unknown_columns_pass_only_where_they_may():
    assert read(b"file,colour\nx,red\n", others=True) == [(2, {"file": "x", "colour": "red"})]


@pytest.mark.parametrize(
    ("content", "place", "words"),
    [
        (b"", "line 1", "no column file"),
        (b"file;type\nx;pdf\n", "line 1", "unknown 'file;type'"),
        (b",file\nx,y\n", "line 1", "unknown ''"),
        (b"file,type,file\na,pdf,b\n", "line 1", "'file' stands there twice"),
        (b"file,type\na,pdf\nReport, final.pdf,pdf\n", "line 3", "3 cells for 2 columns"),
        (b'file,type\n"a,pdf\nb,pdf\n', "line 3", "not CSV"),
        (b"file,type\n" + b"x" * 200_000 + b",pdf\n", "line 2", "not CSV"),
        ("file\n報告書.pdf\n".encode("cp932"), "", "not UTF-8"),
        ("file\nx\n".encode("utf-16"), "", "not UTF-8"),
    ],
)
def test_a_fault_names_file_line_and_columns(content: bytes, place: str, words: str):
    with pytest.raises(BadListError) as caught:
        read(content)
    assert words in caught.value.message
    assert (caught.value.file, caught.value.place) == ("list.csv", place)
    assert "file, type" in caught.value.remedy
