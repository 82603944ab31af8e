"""What a configuration of briefs is made of: aspects, source types and their fields.

Here: ``AspectSpec``, ``SourceTypeSpec``, ``Cue``, ``RetrievalSpec`` and the error of a bad file.
How they come together, and are read, stands in ``config``, which re-exports them. Importable
by ``config`` only.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from g2_pipelines.errors import InputError
from g2_pipelines.tables.line1 import SectionName

SECTION_NAMES: tuple[str, ...] = get_args(SectionName)
TRANSCRIPT_PARTS = ("presentation", "qa")


class BriefConfigError(InputError):
    """The briefs' YAML is not valid; ``place`` names the line or the field."""

    code = "brief_config"


class Spec(BaseModel):
    """A part of the configuration: frozen, and no field that it does not know."""

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
#: Sentences that a prompt takes in as they stand.
Directions = Annotated[str, Field(max_length=1200)]


class Cue(Spec):
    """Patterns that speak for (weight > 0) or against an aspect; matched on folded text."""

    weight: float = Field(ge=-10, le=10)
    patterns: tuple[Pattern, ...] = Field(min_length=1)


class AspectSpec(Spec):
    """An aspect (the paper's 観点, the query's T).

    ``sources`` are the source types that it is made of (the row of T in the paper's matrix
    D); empty: all but those ``on_request``. ``directions`` are sentences put to queries ② and
    ③. ``form`` is ``prose``, or ``grounded``: items, each with the source sentences that it
    rests on. ``prompt`` and ``system`` name the prompt files of ③. ``final_tokens`` None takes
    the configuration's.

    ``cues`` and ``headings`` add to the built-in lexicon of this key, if there is one; an
    aspect with neither is recognised by the words of its label and meaning.
    """

    key: Key
    label: Label
    label_english: Label
    meaning: str = Field(min_length=1, max_length=400)
    meaning_english: str = Field(min_length=1, max_length=400)
    sources: tuple[Key, ...] = ()
    form: Literal["prose", "grounded"] = "prose"
    directions: Directions = ""
    directions_english: Directions = ""
    prompt: Key = "final_summary"
    system: Key = "system"
    final_tokens: int | None = Field(default=None, ge=50, le=20_000)
    cues: tuple[Cue, ...] = ()
    headings: tuple[Cue, ...] = ()


class SourceTypeSpec(Spec):
    """A kind of source: which reader, which part of it, and its budgets in tokens.

    ``select`` is a section, a part of a call, or, of a ``company_text``, the type under which
    texts are registered (empty: the key). ``on_request``: read only for aspects that name it.
    ``input_limit`` None takes the configuration's.
    """

    key: Key
    label: Label
    label_english: Label
    reader: Literal["filing_section", "transcript_part", "company_text"]
    select: str = ""
    on_request: bool = False
    directions: Directions = ""
    directions_english: Directions = ""
    input_limit: int | None = Field(default=None, ge=1000, le=2_000_000)
    pre_summary_tokens: int = Field(ge=50, le=20_000)

    @model_validator(mode="after")
    def _known_part(self) -> Self:
        if self.reader == "company_text":
            if self.select and not re.fullmatch(r"[a-z][a-z0-9_]{0,31}", self.select):
                raise ValueError("select of a company_text is a lower-case name, as in g2 add")
            return self
        known = SECTION_NAMES if self.reader == "filing_section" else TRANSCRIPT_PARTS
        if self.select not in known:
            raise ValueError(f"select of a {self.reader} is one of {', '.join(known)}")
        return self

    @property
    def text_type(self) -> str:
        """Of a ``company_text``: the type under which its texts are registered."""
        return self.select or self.key


class RetrievalSpec(Spec):
    """What the strategy ``retrieval`` keeps of a source for an aspect.

    A source is cut into chunks of at most ``chunk_tokens``. Kept are the ``top_k`` of each
    ranking, every chunk with figures of guidance, and of the rest the best until ``tokens``
    are reached.
    """

    tokens: int = Field(default=6_000, ge=200, le=200_000)
    chunk_tokens: int = Field(default=400, ge=50, le=4_000)
    top_k: int = Field(default=5, ge=1, le=100)
