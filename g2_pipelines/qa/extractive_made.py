"""Who made a reply of the extractive engine: the same three names for all four tasks."""

from __future__ import annotations

MODEL = "extractive/2"


class Extractive:
    """Engine, model and prompt version, as each row keeps them."""

    engine = "extractive"
    model = MODEL
    prompt_version = "none"
