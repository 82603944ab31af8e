"""See the package's words."""

from dataclasses import dataclass
from typing import Any


@dataclass
class StructuredOutputsParams:
    json: Any
