"""A Postgres cluster for as long as a benchmark or a test runs.

Here: the one way to start it: on loopback, below a temporary folder, with a password of its
own, and not as root, which Postgres refuses.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shlex
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def tool(name: str) -> str | None:
    """Path of a Postgres program; Debian keeps them out of PATH."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(found[-1]) if found else None)


def is_there() -> bool:
    """Whether a cluster can be started here: its programs and its driver are installed."""
    try:
        import psycopg2  # noqa: F401
    except ImportError:
        return False
    return bool(tool("initdb") and tool("pg_ctl") and (os.getuid() or _user()))


def _user() -> str | None:
    there = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in there), None)


def _run(*command: str) -> None:
    line = shlex.join(command)
    whole = (
        ["bash", "-c", line] if os.getuid() else ["su", str(_user()), "-s", "/bin/bash", "-c", line]
    )
    subprocess.run(whole, check=True, capture_output=True, cwd="/")


@contextmanager
def cluster() -> Iterator[str]:
    """The URL of a running cluster; SQLAlchemy 2.1 takes a plain postgresql:// for psycopg 3."""
    folder = Path(tempfile.mkdtemp(prefix="g2-postgres-"))
    password = secrets.token_hex(16)
    (folder / "password").write_text(password)
    if not os.getuid():
        owner = pwd.getpwnam(str(_user()))
        for path in (folder, folder / "password"):
            os.chown(path, owner.pw_uid, owner.pw_gid)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    data, log = str(folder / "data"), str(folder / "log")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"
    try:
        _run(
            *(str(tool("initdb")), "-D", data, "-U", "g2", "--auth=scram-sha-256"),
            f"--pwfile={folder / 'password'}",
        )
        _run(str(tool("pg_ctl")), "-D", data, "-l", log, "-o", options, "-w", "start")
        try:
            yield f"postgresql+psycopg2://g2:{password}@127.0.0.1:{port}/postgres"
        finally:
            _run(str(tool("pg_ctl")), "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
