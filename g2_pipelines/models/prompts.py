"""Prompt files: found beside their package, rendered strictly, versioned by their bytes.

A package keeps its prompts in ``prompts/{ja,en}/NAME.jinja``. Undefined values are errors;
nothing is escaped, since a prompt is not HTML and its values are inserted, never compiled.
briefs, graph and qa may import this module.
"""

from __future__ import annotations

from functools import cached_property
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

import jinja2
from jinja2 import meta

from g2_pipelines.models.errors import PromptError

LANGUAGES = ("en", "ja")


def asking_again() -> bytes:
    """The bytes of the prompts that ``structured`` asks again with, in every language."""
    folder = files("g2_pipelines.models").joinpath("prompts")
    return b"".join(folder.joinpath(name, "retry.jinja").read_bytes() for name in LANGUAGES)


class PromptSet:
    """The prompts of one package, e.g. ``PromptSet("g2_pipelines.briefs")``."""

    def __init__(self, package: str) -> None:
        self.package = package
        self._versions: dict[tuple[str, ...], str] = {}

    def render(self, name: str, language: str, **values: object) -> str:
        """The prompt ``name`` in ``language`` (``ja`` or ``en``) with its values.

        Raises:
            PromptError: no such file, a mistake in it, or a value that it needs is missing.
        """
        path = f"{language}/{name}.jinja"
        try:
            return self._environment.get_template(path).render(**values)
        except jinja2.TemplateNotFound as error:
            msg = f"No prompt {error.name}"
            raise PromptError(msg, file=f"{self.package}/prompts", place=path) from error
        except jinja2.TemplateError as error:
            msg = f"Prompt cannot be rendered: {error.message}"
            raise PromptError(msg, file=f"{self.package}/prompts", place=path) from error

    def version(self, *names: str) -> str:
        """12 hex of SHA-256 over the named files, what they include, and how is asked again.

        The last because any answer may be a second one (``retry`` of this package). A name covers its file in every language; ``ja/NAME`` only the Japanese one. The
        order of names does not matter. Read once: parsing took 25 ms, for every row made.
        """
        if names not in self._versions:
            self._versions[names] = self._version(names)
        return self._versions[names]

    def _version(self, names: tuple[str, ...]) -> str:
        paths = sorted({path for name in names for path in self._paths(name)})
        digest = sha256()
        for path in sorted(self._closure(paths)):
            content = self._read(path)
            digest.update(f"{path}\0{len(content)}\0".encode())
            digest.update(content)
        digest.update(asking_again())
        return digest.hexdigest()[:12]

    def _paths(self, name: str) -> list[str]:
        if "/" in name:
            return [f"{name}.jinja"]
        paths = [f"{language}/{name}.jinja" for language in LANGUAGES]
        found = [path for path in paths if self._file(path).is_file()]
        if not found:
            msg = f"No prompt {name} in any language"
            raise PromptError(msg, file=f"{self.package}/prompts", place=name)
        return found

    def _closure(self, paths: list[str]) -> set[str]:
        seen: set[str] = set()
        waiting = list(paths)
        while waiting:
            path = waiting.pop()
            if path in seen:
                continue
            seen.add(path)
            tree = self._environment.parse(self._read(path).decode("utf-8"))
            waiting += [name for name in meta.find_referenced_templates(tree) if name]
        return seen

    def _file(self, path: str) -> Traversable:
        return files(self.package).joinpath("prompts", *path.split("/"))

    def _read(self, path: str) -> bytes:
        file = self._file(path)
        if not file.is_file():
            msg = f"No prompt {path}"
            raise PromptError(msg, file=f"{self.package}/prompts", place=path)
        return file.read_bytes()

    def _source(self, path: str) -> str | None:
        file = self._file(path)
        return file.read_text("utf-8") if file.is_file() else None

    @cached_property
    def _environment(self) -> jinja2.Environment:
        return jinja2.Environment(
            loader=jinja2.FunctionLoader(self._source),
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            autoescape=False,  # noqa: S701  a prompt is not HTML
        )
