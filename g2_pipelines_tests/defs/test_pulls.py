"""Fetched files: asked for by ETag, our copy used where nothing changed, a newer one noted."""

from __future__ import annotations

import pytest

from g2_pipelines.defs.pulls import fetch
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import StateError
from g2_pipelines.transcripts.pull import Pulled, Puller, Validators

URL = "https://calls.example/2025.txt"


class Site(Puller):
    """Answers from a list, and remembers what it was asked with."""

    def __init__(self, *versions: tuple[str, bytes]) -> None:
        super().__init__()
        self.versions = list(versions)
        self.asked: list[str | None] = []

    def pull(self, url: str, known: Validators | None = None) -> Pulled:
        etag, content = self.versions.pop(0)
        self.asked.append(known.etag if known else None)
        if known and known.etag == etag:
            return Pulled(None, known)
        return Pulled(content, Validators(etag))


def test_an_unchanged_file_is_our_copy_and_a_new_version_names_the_old(ws: Workspace):
    """Without that both versions of a call would be summarized as two calls."""
    site = Site(("a", b"old"), ("a", b""), ("b", b"new"))
    first, same, newer = (fetch(ws, site, URL, "2025.txt") for _ in range(3))
    assert [f.content for f in (first, same, newer)] == [b"old", b"old", b"new"]
    assert (first.before, same.before) == (None, None)
    assert newer.before is not None
    assert site.asked == [None, "a", "a"]


def test_a_copy_that_is_gone_is_fetched_anew(ws: Workspace):
    site = Site(("a", b"old"), ("a", b"old"))
    fetch(ws, site, URL, "2025.txt")
    for path in (ws.home.raw / "transcripts").rglob("2025.txt"):
        path.unlink()
    assert fetch(ws, site, URL, "2025.txt").content == b"old"
    assert site.asked == [None, None]


def test_a_damaged_record_is_named(ws: Workspace):
    site = Site(("a", b"old"))
    fetch(ws, site, URL, "2025.txt")
    for path in (ws.home.root / "registry" / "pulls").iterdir():
        path.write_bytes(path.read_bytes()[:20])
    with pytest.raises(StateError, match="fetched anew"):
        fetch(ws, site, URL, "2025.txt")
