"""Configuration of the briefs: aspects, source types, strategies and token budgets.

Here: ``BriefConfig`` and ``load_config``; the parts stand in ``config_specs``. The shipped
values stand in ``default.yaml``, examples that can be switched on in ``examples/``; how an
aspect is recognised in a text stands in ``lexicon``. Importable by briefs, evaluation, defs
and cli.

The paper's aspects are 環境, 課題, 展望 and 強み, its sources two sections of the annual report
and the full-year earnings call (§4); its token lengths could not be read, so all budgets are
this project's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Self, TypeVar

from pydantic import Field, ValidationError, model_validator

from g2_pipelines.briefs.config_specs import (
    AspectSpec,
    BriefConfigError,
    Cue,
    RetrievalSpec,
    SourceTypeSpec,
    Spec,
)
from g2_pipelines.tables.line1 import Strategy, TranscriptKind
from g2_pipelines.yaml_files import YamlFault, read_yaml

__all__ = [
    "AspectSpec",
    "BriefConfig",
    "BriefConfigError",
    "Cue",
    "RetrievalSpec",
    "SourceTypeSpec",
    "default_yaml",
    "hard_tokens",
    "load_config",
    "load_layers",
    "shipped",
]

S = TypeVar("S", bound=Spec)

_REMEDY = "Compare with g2_pipelines/briefs/default.yaml"


class BriefConfig(Spec):
    """All that shapes a brief but the engine. Budgets are tokens.

    ``strategy`` makes the brief; those of ``compare`` are made beside it, for the evaluation.
    ``hard_tokens`` of a budget is what a model may at most answer; two such texts must fit
    one prompt, which is what makes the reduction of many parts end.
    """

    aspects: tuple[AspectSpec, ...] = Field(min_length=1, max_length=24)
    source_types: tuple[SourceTypeSpec, ...] = Field(min_length=1, max_length=24)
    strategy: Strategy = "aspect"
    compare: tuple[Strategy, ...] = ("simple",)
    transcript_kinds: tuple[TranscriptKind, ...] = ("full_year",)
    input_limit: int = Field(ge=1000, le=2_000_000)
    final_tokens: int = Field(ge=50, le=20_000)
    instruction_tokens: int = Field(default=800, ge=100, le=20_000)
    retrieval: RetrievalSpec = RetrievalSpec()

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        for name, keys in (
            ("aspects", [aspect.key for aspect in self.aspects]),
            ("source_types", [source.key for source in self.source_types]),
            ("compare", [str(strategy) for strategy in self.compare]),
        ):
            twice = sorted({key for key in keys if keys.count(key) > 1})
            if twice:
                raise ValueError(f"{name}: {', '.join(twice)} stands twice")
        known = {source.key for source in self.source_types}
        for aspect in self.aspects:
            unknown = sorted(set(aspect.sources) - known)
            if unknown:
                raise ValueError(f"aspects: {aspect.key} names no source type {unknown[0]!r}")
            if not self.sources_of(aspect):
                raise ValueError(f"aspects: {aspect.key} has no source: all are on_request")
        longest = max(self.final_tokens_of(aspect) for aspect in self.aspects)
        for source in self.source_types:
            room = self.limit_of(source) - self.instruction_tokens
            if 3 * hard_tokens(max(source.pre_summary_tokens, longest)) > room:
                raise ValueError(
                    f"source_types: the input limit of {source.key} does not hold two "
                    "pre-summaries, their instruction and an answer"
                )
        return self

    def limit_of(self, source: SourceTypeSpec) -> int:
        """Input limit of a source type in tokens: text, instruction and answer together."""
        return source.input_limit or self.input_limit

    def text_limit(self, source: SourceTypeSpec) -> int:
        """Tokens of source text that one prompt of this source type can hold."""
        answer = hard_tokens(source.pre_summary_tokens)
        return self.limit_of(source) - self.instruction_tokens - answer

    def final_tokens_of(self, aspect: AspectSpec) -> int:
        """Length of an aspect's final summary in tokens."""
        return aspect.final_tokens or self.final_tokens

    def sources_of(self, aspect: AspectSpec | None) -> tuple[SourceTypeSpec, ...]:
        """The source types that an aspect is made of, in order (the paper's D).

        Without an aspect (the simple pre-summaries) all that any aspect is made of.
        """
        if aspect is None:
            used = {one.key for aspect in self.aspects for one in self.sources_of(aspect)}
            return tuple(source for source in self.source_types if source.key in used)
        return tuple(
            source
            for source in self.source_types
            if (source.key in aspect.sources if aspect.sources else not source.on_request)
        )

    def strategy_for(self, aspect: AspectSpec, strategy: Strategy) -> Strategy:
        """How an aspect is made where ``strategy`` is asked for.

        Items with their grounds are chosen by a call of their own, never jointly.
        """
        return "aspect" if strategy == "joint" and aspect.form == "grounded" else strategy

    def aspect(self, key: str) -> AspectSpec:
        """The aspect of that key; BriefConfigError if there is none."""
        for aspect in self.aspects:
            if aspect.key == key:
                return aspect
        known = ", ".join(f"{aspect.key} ({aspect.label})" for aspect in self.aspects)
        raise BriefConfigError(f"no aspect {key!r}", place="aspects", remedy=f"Use one of {known}")

    def aspect_called(self, name: str) -> AspectSpec:
        """The aspect that people call so, by its label or key; BriefConfigError if there is none."""
        labelled = [aspect for aspect in self.aspects if aspect.label == name]
        return labelled[0] if len(labelled) == 1 else self.aspect(name)

    def source_type(self, key: str) -> SourceTypeSpec:
        """The source type of that key; BriefConfigError if there is none."""
        for source in self.source_types:
            if source.key == key:
                return source
        known = ", ".join(source.key for source in self.source_types)
        raise BriefConfigError(
            f"no source type {key!r}", place="source_types", remedy=f"Use one of {known}"
        )


def hard_tokens(budget: int) -> int:
    """Largest answer in tokens that a model may give for a text of ``budget`` tokens.

    A model cannot count its tokens: a quarter more is let through, so that a text that is
    slightly long is complete (and can be shortened) instead of cut.
    """
    return budget + max(64, budget // 4)


@cache
def default_yaml() -> str:
    """The shipped configuration as YAML text."""
    return (resources.files("g2_pipelines.briefs") / "default.yaml").read_text(encoding="utf-8")


@cache
def shipped() -> Mapping[str, str]:
    """The shipped YAML texts by name: ``default`` and the examples."""
    folder = resources.files("g2_pipelines.briefs") / "examples"
    texts = {
        file.name.removesuffix(".yaml"): file.read_text(encoding="utf-8")
        for file in sorted(folder.iterdir(), key=lambda file: file.name)
        if file.name.endswith(".yaml")
    }
    return {"default": default_yaml(), **texts}


def load_config(yaml_text: str | None, *, file: str = "") -> BriefConfig:
    """Read and check the briefs' configuration.

    Args:
        yaml_text: The YAML text, or None for the shipped default. ``extends`` in it names
            shipped texts (``default``, ``risks``…) that it adds to.
        file: Its name, for error messages.

    Raises:
        BriefConfigError: not YAML, an unknown field, a bad value; names line or field.
    """
    return load_layers([(file, default_yaml() if yaml_text is None else yaml_text)])


def load_layers(texts: Sequence[tuple[str, str]]) -> BriefConfig:
    """The configuration of several YAML texts (file, text), each added to those before.

    An aspect or source type takes the place of the one of its key, else it comes last; of
    every other field the last value counts. What a text ``extends`` is put before it, once.

    Raises:
        BriefConfigError: as ``load_config``; names the file at fault.
    """
    layers: dict[str, dict[str, Any]] = {}
    for place, (file, text) in enumerate(texts):
        _layer(file, text, name=f"{place}:{file}", layers=layers)
    if len(layers) == 1:
        return _checked(BriefConfig, next(iter(layers.values())), file=texts[0][0])
    entries: dict[str, dict[str, Spec]] = {}
    values: dict[str, Any] = {}
    files: dict[str, str] = {}  # of each field, the file that said it last
    for name, data in layers.items():
        file = name.partition(":")[2]
        for field, value in data.items():
            files[field] = file
            if field in _LISTS and isinstance(value, list):
                entries.setdefault(field, {}).update(_entries(field, value, file))
            else:
                values[field] = value
    whole = values | {field: list(found.values()) for field, found in entries.items()}
    return _checked(BriefConfig, whole, file=texts[-1][0], files=files)


_LISTS: dict[str, type[AspectSpec | SourceTypeSpec]] = {
    "aspects": AspectSpec,
    "source_types": SourceTypeSpec,
}


def _entries(field: str, given: Sequence[object], file: str) -> dict[str, Spec]:
    """A text's aspects or source types by key, checked while their place in it is known."""
    found: dict[str, Spec] = {}
    for number, entry in enumerate(given):
        place = f"{field}.{number}"
        spec = _checked(_LISTS[field], entry, file=file, place=place)
        if spec.key in found:
            message = f"the briefs' configuration is not valid: {spec.key} stands twice"
            raise BriefConfigError(message, file=file, place=place, remedy=_REMEDY)
        found[spec.key] = spec
    return found


def _layer(file: str, text: str, *, name: str, layers: dict[str, dict[str, Any]]) -> None:
    """Put a text's data into ``layers``, after those that it extends."""
    data = _mapping(text, file)
    bases = data.pop("extends", [])
    for base in bases if isinstance(bases, list) else [bases]:
        given = shipped().get(base) if isinstance(base, str) else None
        if given is None:
            raise BriefConfigError(
                f"the briefs' configuration extends {base!r}, which is not shipped",
                file=file,
                place="extends",
                remedy=f"Use some of {', '.join(shipped())}",
            )
        key = f":{base}"
        if key not in layers and name != key:
            _layer(base, given, name=key, layers=layers)
    layers[name] = data


def _mapping(text: str, file: str) -> dict[str, Any]:
    try:
        data = read_yaml(text)
    except YamlFault as fault:
        message = f"the briefs' configuration {fault.message}"
        raise BriefConfigError(message, file=file, place=fault.place, remedy=_REMEDY) from fault
    if not isinstance(data, dict):
        message = "the briefs' configuration must be a mapping"
        raise BriefConfigError(message, file=file, place="line 1", remedy=_REMEDY)
    return data


def _checked(
    model: type[S],
    data: object,
    *,
    file: str,
    place: str = "",
    files: Mapping[str, str] | None = None,
) -> S:
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        if files and first["loc"]:
            file = files.get(str(first["loc"][0]), file)
        where = ".".join([*filter(None, [place]), *(str(part) for part in first["loc"])])
        said = first["msg"].removeprefix("Value error, ")  # pydantic's mark of a check of ours
        message = f"the briefs' configuration is not valid: {said}"
        raise BriefConfigError(
            message, file=file, place=where or "top level", remedy=_REMEDY
        ) from error
