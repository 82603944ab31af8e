"""What meets the machine's edges: bytes that are no text, full and closed disks, killed work."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import sys
from pathlib import Path

import pytest

from g2_pipelines import cli
from g2_pipelines.commands.printing import for_terminal
from g2_pipelines.errors import StateError
from g2_pipelines.pdf.workfolder import LOCK, sweep, work_folder
from g2_pipelines.storage_errors import storage_error
from g2_pipelines.text.shown import escaped, neutral

TURNED = "a\u202eb\u2066c\x1b[31m\x07d\u061c"


@pytest.mark.parametrize(
    "words",
    [
        ["ask", "x", "--document", "\udcff"],
        ["ask", "x", "--document=\udcff"],
        ["ask", "\udcff"],
        ["ask", "x", "--id", "\udcff"],
        ["search", "x", "--company", "\udcff"],
        ["graph", "show", "\udcff"],
        ["schema", "\udcff"],
        ["brief", "make", "\udcff"],
    ],
)
def test_bytes_that_are_no_text_are_wrong_usage(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["g2", *words, "--json"])
    assert cli.run() == 2
    printed = json.loads(capsys.readouterr().out)
    assert printed["error"]["code"] == "usage"
    assert "UTF-8" in printed["error"]["message"]


def test_a_file_may_have_any_name(tmp_path: Path) -> None:
    odd = tmp_path / "a\udcff.pdf"
    odd.write_bytes(b"")
    assert cli._not_utf8(["add", str(odd)]) == 0
    assert cli._not_utf8(["add", f"--manifest={odd}"]) == 0
    assert cli._not_utf8(["add", str(tmp_path / "b\udcff.pdf")]) == 2


def test_what_turns_or_steers_is_stripped_or_escaped() -> None:
    assert neutral(TURNED) == "abc[31md"
    assert neutral("行1\n\t列") == "行1\n\t列"
    assert "\u202e" not in for_terminal(TURNED)
    assert "\x1b" not in for_terminal(TURNED)
    written = escaped(json.dumps({"a": TURNED}, ensure_ascii=False))
    assert written.isascii()
    assert json.loads(written) == {"a": TURNED}


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (OSError(errno.ENOSPC, "x", "/home/f"), "disk_full"),
        (OSError(errno.EROFS, "x", "/home/f"), "not_writable"),
        (PermissionError(errno.EACCES, "x", "/home/f"), "not_writable"),
    ],
)
def test_a_full_or_closed_disk_is_named(error: OSError, code: str) -> None:
    outer = RuntimeError("failed")
    outer.__cause__ = error
    for met in (error, outer):
        named = storage_error(met)
        assert isinstance(named, StateError)
        assert (named.code, named.file) == (code, "/home/f")
        assert named.remedy


def test_another_error_is_not_the_disks() -> None:
    assert storage_error(ValueError("x")) is None
    assert storage_error(FileNotFoundError(errno.ENOENT, "x", "f")) is None


def test_a_full_disk_is_one_sentence_for_a_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full() -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "/d/f")

    monkeypatch.setattr(cli, "app", full)
    monkeypatch.setattr(sys, "argv", ["g2", "ask", "x"])
    assert cli.run() == 3
    shown = capsys.readouterr()
    assert shown.err.count("\n") == 1
    assert "No space is left on the disk (/d/f)" in shown.err


def test_folders_of_dead_processes_go_and_those_of_living_ones_stay(tmp_path: Path) -> None:
    for name, content in (("dead", "1\n"), ("alive", "2\n"), ("new", ""), ("other", None)):
        folder = tmp_path / f"g2-pdf-{name}"
        folder.mkdir()
        if content is not None:
            (folder / LOCK).write_text(content)
    (tmp_path / "unlike").mkdir()
    (tmp_path / "g2-pdf-link").symlink_to(tmp_path / "unlike")
    with (tmp_path / "g2-pdf-alive" / LOCK).open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert sweep(tmp_path) == ["g2-pdf-dead"]
    assert sweep(tmp_path) == ["g2-pdf-alive"]
    assert (tmp_path / "unlike").is_dir()


def test_a_killed_process_leaves_a_folder_that_the_next_sweep_takes(tmp_path: Path) -> None:
    pid = os.fork()
    if pid == 0:
        import tempfile

        tempfile.tempdir = str(tmp_path)
        with work_folder():
            os.kill(os.getpid(), 9)
    os.waitpid(pid, 0)
    assert len(list(tmp_path.glob("g2-pdf-*"))) == 1
    assert len(sweep(tmp_path)) == 1
