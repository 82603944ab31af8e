"""The shipped prompts with one file changed, as a package of its own."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

import g2_pipelines.briefs
from g2_pipelines.models.prompts import PromptSet


def changed_prompts(folder: Path, monkeypatch: pytest.MonkeyPatch, file: str) -> PromptSet:
    """A copy in which ``file`` (e.g. ``ja/system``; "" for none) says one thing more."""
    shipped = Path(g2_pipelines.briefs.__file__).parent / "prompts"
    monkeypatch.syspath_prepend(str(folder))
    name = f"prompts_of_a_team_{file.replace('/', '_')}"
    package = folder / name
    shutil.copytree(shipped, package / "prompts")
    (package / "__init__.py").write_text('"""Prompts."""')
    sys.modules.pop(name, None)
    if file:
        prompt = package / "prompts" / f"{file}.jinja"
        prompt.write_text(prompt.read_text("utf-8") + "\n短く書く。", "utf-8")
    return PromptSet(name)
