"""Configuration of the briefs: aspects, source types and token budgets, read from YAML.

Here: ``AspectSpec``, ``SourceTypeSpec``, ``BriefConfig``, ``load_config`` and its error.
The shipped values stand in ``default.yaml``; how an aspect is recognised in a text stands in
``lexicon``. Importable by briefs, evaluation, defs and cli.

The paper's aspects are 環境, 課題, 展望 and 強み, its sources two sections of the annual report
and the full-year earnings call (§4); its token lengths could not be read, so all budgets are
this project's own.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from functools import cache
from importlib import resources
from typing import Annotated, Any, Literal, Self, get_args

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from g2_pipelines.errors import InputError
from g2_pipelines.tables.line1 import SectionName, TranscriptKind

SECTION_NAMES: tuple[str, ...] = get_args(SectionName)
TRANSCRIPT_PARTS = ("presentation", "qa")


class BriefConfigError(InputError):
    """The briefs' YAML is not valid; ``place`` names the line or the field."""

    code = "brief_config"


class _Spec(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def _compilable(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"{pattern!r} is not a regular expression: {error}") from error
    return pattern


Pattern = Annotated[str, Field(min_length=1, max_length=2000), AfterValidator(_compilable)]
Key = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
Label = Annotated[str, Field(min_length=1, max_length=80)]


class Cue(_Spec):
    """Patterns that speak for (weight > 0) or against an aspect; matched on folded text."""

    weight: float = Field(ge=-10, le=10)
    patterns: tuple[Pattern, ...] = Field(min_length=1)


class AspectSpec(_Spec):
    """An aspect (the paper's 観点, the query's T).

    ``cues`` and ``headings`` add to the built-in lexicon of this key, if there is one; an
    aspect with neither is recognised by the words of its label and meaning.
    """

    key: Key
    label: Label
    label_english: Label
    meaning: str = Field(min_length=1, max_length=400)
    meaning_english: str = Field(min_length=1, max_length=400)
    cues: tuple[Cue, ...] = ()
    headings: tuple[Cue, ...] = ()


class SourceTypeSpec(_Spec):
    """A kind of source: which reader, which part of it, and its budgets in tokens.

    ``input_limit`` None takes the configuration's.
    """

    key: Key
    label: Label
    label_english: Label
    reader: Literal["filing_section", "transcript_part"]
    select: str
    input_limit: int | None = Field(default=None, ge=1000, le=2_000_000)
    pre_summary_tokens: int = Field(ge=50, le=20_000)

    @model_validator(mode="after")
    def _known_part(self) -> Self:
        known = SECTION_NAMES if self.reader == "filing_section" else TRANSCRIPT_PARTS
        if self.select not in known:
            raise ValueError(f"select of a {self.reader} is one of {', '.join(known)}")
        return self


class BriefConfig(_Spec):
    """All that shapes a brief but the engine. Budgets are tokens.

    ``hard_tokens`` of a budget is what a model may at most answer; two such texts must fit
    one prompt, which is what makes the reduction of many parts end.
    """

    aspects: tuple[AspectSpec, ...] = Field(min_length=1, max_length=24)
    source_types: tuple[SourceTypeSpec, ...] = Field(min_length=1, max_length=24)
    transcript_kinds: tuple[TranscriptKind, ...] = ("full_year",)
    input_limit: int = Field(ge=1000, le=2_000_000)
    final_tokens: int = Field(ge=50, le=20_000)
    instruction_tokens: int = Field(default=800, ge=100, le=20_000)

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        for name, keys in (
            ("aspects", [aspect.key for aspect in self.aspects]),
            ("source_types", [source.key for source in self.source_types]),
        ):
            twice = sorted({key for key in keys if keys.count(key) > 1})
            if twice:
                raise ValueError(f"{name}: {', '.join(twice)} stands twice")
        for source in self.source_types:
            room = self.limit_of(source) - self.instruction_tokens
            if 3 * hard_tokens(max(source.pre_summary_tokens, self.final_tokens)) > room:
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

    def aspect(self, key: str) -> AspectSpec:
        """The aspect of that key; BriefConfigError if there is none."""
        for aspect in self.aspects:
            if aspect.key == key:
                return aspect
        known = ", ".join(aspect.key for aspect in self.aspects)
        raise BriefConfigError(f"no aspect {key!r}", place="aspects", remedy=f"Use one of {known}")

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


class _StrictLoader(yaml.SafeLoader):
    """Safe loader that refuses a key given twice, which YAML itself would let pass."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:  # noqa: FBT001, FBT002 — signature of the base class
        seen: set[Hashable] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if isinstance(key, Hashable) and key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"key {key!r} stands twice", key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep)


@cache
def default_yaml() -> str:
    """The shipped configuration as YAML text."""
    return (resources.files("g2_pipelines.briefs") / "default.yaml").read_text(encoding="utf-8")


def load_config(yaml_text: str | None, *, file: str = "") -> BriefConfig:
    """Read and check the briefs' configuration.

    Args:
        yaml_text: The YAML text, or None for the shipped default.
        file: Its name, for error messages.

    Raises:
        BriefConfigError: not YAML, an unknown field, a bad value; names line or field.
    """
    text = default_yaml() if yaml_text is None else yaml_text
    remedy = "Compare with g2_pipelines/briefs/default.yaml"
    try:
        # _StrictLoader is a SafeLoader: it makes plain values only.
        data = yaml.load(text, Loader=_StrictLoader)  # noqa: S506
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        message = f"the briefs' configuration is not valid YAML: {error.problem}"
        raise BriefConfigError(message, file=file, place=place, remedy=remedy) from error
    except yaml.YAMLError as error:
        message = "the briefs' configuration is not valid YAML"
        raise BriefConfigError(message, file=file, place=str(error)[:200], remedy=remedy) from error
    if not isinstance(data, dict):
        message = "the briefs' configuration must be a mapping"
        raise BriefConfigError(message, file=file, place="line 1", remedy=remedy)
    try:
        return BriefConfig.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "top level"
        message = f"the briefs' configuration is not valid: {first['msg']}"
        raise BriefConfigError(message, file=file, place=place, remedy=remedy) from error
