"""Prices of models, given by the user: what tokens cost.

Here: the price table's form and the sums. No price is shipped as true: they change, differ
by contract and region, and a wrong sum is worse than none. ``docs/prices.example.yaml`` shows
the form. A model that the table does not name has no cost, and is named. ``defs``, commands
and benchmarks may import this module.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from g2_pipelines.models.errors import BadModelSettingsError
from g2_pipelines.yaml_files import YamlFault, read_yaml


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ModelPrice(_Strict):
    """Per million tokens: prompt, prompt from the server's cache (default: as prompt), answer."""

    input: float = Field(ge=0, allow_inf_nan=False)
    cached_input: float | None = Field(None, ge=0, allow_inf_nan=False)
    output: float = Field(0.0, ge=0, allow_inf_nan=False)

    def money(self, *, prompt: int, completion: int, cached: int = 0) -> float:
        """What a call costs; ``cached`` is a part of ``prompt``."""
        cached_price = self.input if self.cached_input is None else self.cached_input
        fresh = max(0, prompt - cached)
        return (fresh * self.input + cached * cached_price + completion * self.output) / 1e6


class PriceTable(_Strict):
    """currency: as it is shown (JPY, USD); models: by the name that the ledger has."""

    currency: str = Field(min_length=1, max_length=12)
    models: dict[str, ModelPrice] = Field(min_length=1)

    def price(self, model: str) -> ModelPrice | None:
        """The price of a ledger's model: ``name@revision`` itself, or else ``name``."""
        return self.models.get(model) or self.models.get(model.split("@", 1)[0])


def read_prices(text: str, *, file: str) -> PriceTable:
    """The price table of a YAML or JSON text.

    Raises:
        BadModelSettingsError: it is not one; names the entry.
    """
    try:
        return PriceTable.model_validate(read_yaml(text))
    except YamlFault as fault:
        words, place = fault.message, fault.place
    except ValidationError as error:
        first = error.errors()[0]
        words, place = first["msg"], ".".join(str(part) for part in first["loc"])
    raise BadModelSettingsError(
        f"The price table cannot be used: {words}",
        file=file,
        place=place,
        remedy="Compare with docs/prices.example.yaml",
    )
