"""Transcripts of many layouts, each turn, role and chunk against the marks written into it."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2_pipelines_tests.transcripts.helpers import chunked, segmented, uncovered
from g2_pipelines_tests.transcripts.marked_text import FOLDER, found, wanted, without_marks

FILES = sorted(FOLDER.iterdir())


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_turns_roles_and_chunks_are_those_of_the_marks(file: Path) -> None:
    marked = file.read_text(encoding="utf-8")
    text = without_marks(marked)
    transcript, turns, segmentation = segmented(text, file.name)
    told = found(turns, chunked(text, file.name))
    right = wanted(marked)
    # A short line's words end with it, a turn's go on in its next.
    cut = [t._replace(words=t.words[: len(r.words)]) for t, r in zip(told, right, strict=False)]
    assert [*cut, *told[len(right) :]] == right
    assert uncovered(transcript, turns, segmentation) == []
