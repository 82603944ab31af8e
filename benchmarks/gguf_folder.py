"""Turns a GGUF file into a folder that vLLM on CPU can load: bfloat16 safetensors.

``.venv-vllm/bin/python -m benchmarks.gguf_folder FILE.gguf FOLDER [--sha256 HEX]``, after
``.venv-vllm/bin/pip install gguf accelerate``. vLLM's own reader of GGUF wants CUDA. Tried
with Qwen2.5-Coder 0.5B in Q4_K_M: 40 s, 1.3 GB. The quantization's loss stays in the weights.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path


def convert(file: Path, folder: Path) -> None:
    """Read, dequantize, write.

    The weights are saved here and not by transformers, which refuses to save a model that it
    has read from GGUF.
    """
    import torch
    from safetensors.torch import save_file
    from transformers import AutoModelForCausalLM, AutoTokenizer

    given = {"gguf_file": file.name}
    tokenizer = AutoTokenizer.from_pretrained(str(file.parent), **given)
    model = AutoModelForCausalLM.from_pretrained(str(file.parent), dtype=torch.bfloat16, **given)
    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: tensor.contiguous().clone() for name, tensor in model.state_dict().items()}
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    config = model.config.to_dict()
    config.pop("quantization_config", None)
    config |= {"architectures": [type(model).__name__], "torch_dtype": "bfloat16"}
    (folder / "config.json").write_text(json.dumps(config, indent=1, default=str))
    tokenizer.save_pretrained(folder)


def main() -> None:
    """Check the file's digest, if one is given, and convert it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sha256", default="")
    given = parser.parse_args()
    if given.sha256:
        with given.file.open("rb") as content:
            found = hashlib.file_digest(content, "sha256").hexdigest()
        if found != given.sha256.lower():
            parser.exit(1, f"{given.file} has the SHA-256 {found}\n")
    convert(given.file, given.folder)


if __name__ == "__main__":
    main()
