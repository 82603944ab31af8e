"""Names of chat templates' control tokens in texts that a model is shown.

A server puts messages into its chat template and reads the result with the control tokens
on: an ``<|im_end|>`` in a filing, a PDF or a question would end the message there, and what
follows would be the system's word. Here: ``neutral``, which writes such names with another
opening bracket, and ``restored``, which takes that back in what the model answers.
``ports.Message`` applies the one, so that no message holds a control token, ``structured``
the other. Whoever counts a text for a prompt counts its ``neutral`` form. Every package that
makes prompts may import this module.

One character stands for one, so that offsets stay. Neither bracket used has a Unicode
decomposition: a tokenizer that normalizes (NFKC) does not turn it back; for the same reason
full-width spellings of the names are taken for names. Sources: the tokenizer_config.json and
chat templates of Qwen 2 to 3.5 and VL, Llama 2 to 4, Gemma 2 and 3, Mistral, DeepSeek, GLM,
Phi, Granite, Command, gpt-oss, InternVL.
"""

from __future__ import annotations

import re
from unicodedata import category, normalize

_ANGLE, _SQUARE = "\u2039", "\u27e6"  # ‹ and ⟦
_OPENING = {_ANGLE: "<", _SQUARE: "["}
_LESS, _GREATER, _BAR = "<\uff1c\ufe64", ">\uff1e\ufe65", "|\uff5c"
_LEFT, _RIGHT = "[\uff3b", "]\uff3d"
#: Zero width and soft hyphens: some normalizers drop them, so they do not part a name.
_THIN = "\u00ad\u200b-\u200f\u2060-\u2064\ufeff"
#: Longest name looked at. Only the bracket is taken, so that what it holds is looked at too.
_LONGEST = 48


def _form(angles: str, squares: str) -> re.Pattern[str]:
    """An opening bracket before what may be a name (groups 1 and 2), or before ``<|``."""
    left, right = re.escape(_LEFT), re.escape(_RIGHT)
    return re.compile(
        rf"[{angles}](?=[{_THIN}]*[{_BAR}]|([^\s{_LESS}{_GREATER}]{{1,{_LONGEST}}})[{_GREATER}])"
        rf"|[{re.escape(squares)}](?=([^\s{left}{right}]{{1,{_LONGEST}}})[{right}])"
    )


_BRACKETS = _form(_LESS, _LEFT)
_OURS = _form(_ANGLE, _SQUARE)
_ANGLED = re.compile(
    r"/?(s|pad|unk|mask|cls|sep|bos|eos|eop|sop|eod|eot|eom|eos_token|bos_token|pad_token|unk_token"
    r"|think|thinking|thought|answer_start|answer_end|tool|tools|tool_call|tool_calls"
    r"|tool_response|tool_responses|tool_result|function_call|function_response"
    r"|(start|end)_of_(turn|image|audio|text|role|message)|image_soft_token|audio_soft_token"
    r"|(begin|end)_of_(text|image|audio|document|sentence)|image|img|img_context|video|audio"
    r"|im_start|im_end|image_pad|vision_start|vision_end|box|quad|ref|endoftext|endofprompt"
    r"|fim_(prefix|middle|suffix|pad)|repo_name|file_sep|unused_?\d+|reserved_\d+|extra_id_\d+"
    r"|image_id|slice|unit|special_\d+|seed:\w+|minimax:\w+|system|user|assistant|sys)",
    re.IGNORECASE,
)
_SQUARED = re.compile(
    r"/?(INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|TOOL_RESULT"
    r"|THINK|ARGS|CALL_ID|IMG|IMG_BREAK|IMG_END|AUDIO|BEGIN_AUDIO|TRANSCRIBE|PREFIX|MIDDLE"
    r"|SUFFIX|gMASK|sMASK|MASK|CLS|SEP|PAD|UNK|BOS|EOS|MODEL_SETTINGS|control_\d+"
    r"|unused\d+|\|[^|]+\|)"
)


def neutral(text: str) -> str:
    """``text`` as a model is shown it: no name of a control token can be read as one.

    As long as ``text``; nothing but the names' opening brackets differs.
    """
    if not any(bracket in text for bracket in _LESS + _LEFT):
        return text
    return _BRACKETS.sub(
        lambda found: found[0] if not _named(found) else _ANGLE if found[0] in _LESS else _SQUARE,
        text,
    )


def restored(text: str) -> str:
    """A model's answer with the names as its source has them (full-width ones as ASCII)."""
    if _ANGLE not in text and _SQUARE not in text:
        return text
    return _OURS.sub(lambda found: _OPENING[found[0]] if _named(found) else found[0], text)


def control_tokens(text: str) -> int:
    """How many names ``neutral`` writes in another form."""
    shown = neutral(text)
    if shown == text:
        return 0
    return sum(a != b for a, b in zip(text, shown, strict=True))


def _named(found: re.Match[str]) -> bool:
    angled, squared = found[1], found[2]
    if angled is None and squared is None:
        return True  # <| begins no word of prose, whatever follows
    name = "".join(c for c in normalize("NFKC", angled or squared) if category(c) != "Cf")
    return bool((_ANGLED if angled else _SQUARED).fullmatch(name))
