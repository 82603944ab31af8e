"""``g2 ui``: Dagster's UI and daemon, and the static pages, on this machine.

Here: two processes on loopback, started together and ended together. The pages server gives
out files below G2_HOME/pages only, with a policy that forbids anything remote.
"""

from __future__ import annotations

import functools
import io
import os
import shutil
import signal
import subprocess
import sys
import threading
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import BinaryIO

from g2_pipelines.commands.contents import contents_page
from g2_pipelines.commands.pages_access import LOCAL, GuardedHandler, hosts_of
from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import InputError

_POLICY = (
    "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; script-src 'unsafe-inline';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class PagesHandler(GuardedHandler):
    """Files of one folder, with one list of all pages and without directory listings."""

    def send_head(self) -> io.BytesIO | BinaryIO | None:
        """Answer the root with the list of pages, all else with the file."""
        if self.path.partition("?")[0] != "/":
            return super().send_head()
        page = contents_page(Path(self.directory))
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        return io.BytesIO(page)

    def end_headers(self) -> None:
        """Add the policy to every answer."""
        self.send_header("Content-Security-Policy", _POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def list_directory(self, path: str | os.PathLike[str]) -> None:
        """Refuse: a page is reached by its link, or from the list of all."""
        del path
        self.send_error(404)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Say nothing: the terminal is Dagster's."""


def pages_server(folder: Path, port: int, hosts: frozenset[str] = LOCAL) -> ThreadingHTTPServer:
    """A server of ``folder`` on loopback, asked by the names ``hosts``; port 0 takes a free one.

    Raises:
        InputError: the port is taken.
    """
    handler = functools.partial(PagesHandler, directory=str(folder), hosts=hosts)
    try:
        return ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError as error:
        raise InputError(
            f"Port {port} cannot be used: {error.strerror}", remedy="Give --pages-port"
        ) from error


def serve(ws: Workspace, *, port: int, pages_port: int) -> int:
    """Serve until interrupted; returns Dagster's exit code."""
    from g2_pipelines.defs.instance import ENVIRONMENT, dagster_home, open_instance

    pages = Path(str(ws.home.pages))
    pages.mkdir(parents=True, exist_ok=True)
    environment = {**ENVIRONMENT, **os.environ}
    environment.setdefault("DAGSTER_HOME", str(dagster_home(ws.home)))
    environment["G2_HOME"] = str(ws.home.root)
    # What Dagster says of its own commands, and of each look of each sensor, is not for here:
    # the UI shows sensors' ticks, and warnings and errors come through.
    environment.setdefault("PYTHONWARNINGS", "ignore:Function:FutureWarning")
    environment.setdefault("G2_PAGES_URL", f"http://127.0.0.1:{pages_port}")
    with open_instance(ws.home):
        pass  # its tables are made once here, and not by the UI, the daemon and a shell at once
    dagster = shutil.which("dagster", path=str(Path(sys.executable).parent)) or "dagster"
    where = (
        ["-w", "workspace.yaml"]
        if Path("workspace.yaml").exists()
        else ["-m", "g2_pipelines.definitions"]
    )
    with pages_server(pages, pages_port, hosts_of(ws.settings.pages_url)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sys.stderr.write(f"UI http://127.0.0.1:{port}  pages http://127.0.0.1:{pages_port}\n")
        process = subprocess.Popen(  # noqa: S603 - our own program, no shell
            [dagster, "dev", *where, "-h", "127.0.0.1", "-p", str(port), "--log-level", "warning"],
            env=environment,
        )
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda given, _: process.send_signal(given))
        code = process.wait()
        server.shutdown()
    return code
