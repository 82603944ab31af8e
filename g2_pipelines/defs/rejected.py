"""Notes on refused inbox files, for the person who put them there.

Here: a note per refused file in ``outbox/rejected/``, gone again once the file is taken in.
The sensors that refuse stand in ``sensors`` and ``question_sensor``. Nothing here knows
Dagster.
"""

from collections.abc import Mapping

from upath import UPath

from g2_pipelines.keys import digest_of
from g2_pipelines.tables.paths import Home
from g2_pipelines.tables.store import write_atomic


def note_path(home: Home, kind: str, relative: str) -> UPath:
    """Where the note on ``inbox/{kind}/{relative}`` lies."""
    return home.outbox / "rejected" / f"{digest_of(f'{kind}/{relative}'.encode())[:16]}.txt"


def note_refusals(
    home: Home, kind: str, looked_at: Mapping[str, str], refused: Mapping[str, str]
) -> None:
    """Write a note for each refused file, and take away those of the others looked at."""
    for relative in looked_at:
        path = note_path(home, kind, relative)
        if relative in refused:
            write_atomic(path, f"inbox/{kind}/{relative}: {refused[relative]}\n".encode())
        elif path.exists():
            path.unlink()


def in_words(refused: Mapping[str, str]) -> str:
    """The first refusals in one line, "" if there are none."""
    if not refused:
        return ""
    lines = [f"{name}: {why}" for name, why in list(refused.items())[:5]]
    more = f"; and {len(refused) - 5} more, see outbox/rejected" if len(refused) > 5 else ""
    return "Refused: " + "; ".join(lines) + more
