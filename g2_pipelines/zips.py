"""How many entries a zip's directory may hold, before ``zipfile`` makes an object of each.

Here: ``entries_at_most`` only. A directory of 950,000 entries (90 MB, packed to nothing in an
outer zip or sent as it is) costs ``zipfile`` 20 s and half a gigabyte before anyone can count
its members. For every reader of zips that come from outside.
"""

from __future__ import annotations

import struct
from typing import BinaryIO

_END, _END_SIZE = b"PK\x05\x06", 22
_END64, _END64_SIZE, _LOCATOR_SIZE = b"PK\x06\x06", 56, 20
_ENTRY = b"PK\x01\x02"
#: The end record may be followed by a comment of so many bytes.
_COMMENT = 65_535
_BLOCK = 1 << 20


def entries_at_most(file: BinaryIO) -> int:
    """An upper bound of the entries that ``zipfile`` would read from ``file``; 0 for no zip.

    Equal to their number in every zip that a program made: the entries' signatures in the bytes
    that the end record says to be the directory, not the number that the record claims, which a
    hostile one gets wrong. Reads the directory's bytes and no more; the file's place is lost.
    """
    size = file.seek(0, 2)
    tail_at = max(0, size - _END_SIZE - _COMMENT)
    tail = _bytes(file, tail_at, size - tail_at)
    # As zipfile looks for it: at the very end, else the last one before a comment.
    at = len(tail) - _END_SIZE
    if at < 0 or tail[at : at + 4] != _END or tail[-2:] != b"\0\0":
        at = tail.rfind(_END)
    if at < 0 or at + _END_SIZE > len(tail):
        return 0
    length = struct.unpack_from("<L", tail, at + 12)[0]
    end = tail_at + at
    near = max(0, end - _END64_SIZE - _LOCATOR_SIZE - _COMMENT)
    before = _bytes(file, near, end - near)
    at64 = before.rfind(_END64)
    if 0 <= at64 <= len(before) - _END64_SIZE:
        length = max(length, struct.unpack_from("<Q", before, at64 + 40)[0])
    # The 64-bit records stand between directory and end: their bytes hold no entry.
    start = max(0, end - length - (len(before) - at64 if at64 >= 0 else 0))
    return _count(file, start, end)


def _bytes(file: BinaryIO, start: int, length: int) -> bytes:
    file.seek(start)
    return file.read(length)


def _count(file: BinaryIO, start: int, end: int) -> int:
    """Signatures of entries in [start, end), those over a block's border included."""
    found, rest = 0, b""
    file.seek(start)
    while start < end and (block := file.read(min(_BLOCK, end - start))):
        start += len(block)
        joined = rest + block
        found += joined.count(_ENTRY)
        rest = joined[-3:]
    return found
