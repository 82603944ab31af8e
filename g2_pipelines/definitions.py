"""The Dagster definitions; ``workspace.yaml`` and ``pyproject.toml`` point here."""

from g2_pipelines.defs.build import build_definitions

defs = build_definitions()
