"""What a model in a folder is called: its name, and a fingerprint in place of a revision.

Here: ``model_identity``. Two folders with one name and other weights must not share answers,
and one model must keep its answers when its folder moves. Only ``vllm_engine`` imports this.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

_WHOLE = 1 << 20
_SAMPLE = 1 << 18


def model_identity(model: str, revision: str) -> tuple[str, str]:
    """Name and revision as the call cache knows them.

    A hub's name and revision are taken as they are. A folder gives its own name and, with
    the revision given, 12 hex over its files: their names and sizes, small ones whole, of the
    large ones a sample from beginning, middle and end (weights that were trained further
    differ everywhere; reading them whole would take a minute per model).
    """
    folder = Path(model)
    if not folder.is_dir():
        return model, revision
    fingerprint = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        relative = file.relative_to(folder)
        if any(part.startswith(".") for part in relative.parts):
            continue
        size = file.stat().st_size
        fingerprint.update(f"{relative.as_posix()}\n{size}\n".encode())
        with file.open("rb") as content:
            if size <= _WHOLE:
                fingerprint.update(content.read())
                continue
            for start in (0, size // 2, size - _SAMPLE):
                content.seek(start)
                fingerprint.update(content.read(_SAMPLE))
    return folder.resolve().name, f"{revision}{fingerprint.hexdigest()[:12]}"
