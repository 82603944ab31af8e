"""A full or closed disk by name, whoever met it.

Here: ``storage_error``. Called where failures become text: the commands' border and the batch's.
"""

from __future__ import annotations

import errno

from g2_pipelines.errors import StateError
from g2_pipelines.keys import well_formed

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_CLOSED = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
#: As libraries tell it that raise errors of their own.
_IN_WORDS = {
    "No space left on device": errno.ENOSPC,
    "database or disk is full": errno.ENOSPC,
    "Read-only file system": errno.EROFS,
    "attempt to write a readonly database": errno.EACCES,
    "unable to open database file": errno.EACCES,
    "Permission denied (os error 13)": errno.EACCES,
}


class DiskFullError(StateError):
    """No space is left where something is written."""

    code = "disk_full"


class NotWritableError(StateError):
    """A folder or file may not be read or written, or lies on a read-only disk."""

    code = "not_writable"


def storage_error(error: BaseException) -> StateError | None:
    """The typed failure behind ``error`` or what caused it, None where it is another one."""
    seen: set[int] = set()
    at: BaseException | None = error
    while at is not None and id(at) not in seen:
        seen.add(id(at))
        if isinstance(at, OSError) and at.errno in _FULL | _CLOSED:
            return _named(at)
        for words, number in _IN_WORDS.items():
            if words in str(at):
                return _named(OSError(number, "", None))
        at = at.__cause__ or at.__context__
    return None


def _named(error: OSError) -> StateError:
    name = error.filename if isinstance(error.filename, str) else ""
    file = well_formed(name) or "G2_HOME"
    if error.errno in _FULL:
        return DiskFullError(
            "No space is left on the disk",
            file=file,
            remedy="Free some, or set G2_HOME to a larger disk, and run it again: what was"
            " finished is kept",
        )
    read_only = error.errno == errno.EROFS
    return NotWritableError(
        "The disk is read-only" if read_only else "The file or folder may not be opened or written",
        file=file,
        remedy="Set G2_HOME to a folder that this user may write, or change its permissions",
    )
