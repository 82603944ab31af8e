"""Which of the two languages a text is in.

Here: ``language``. Only Japanese and English are told apart, by script: prompts, endings
and labels exist in these two. Every package above may import this module.
"""

from __future__ import annotations

import re
from typing import Literal

_JAPANESE = re.compile(r"[\u3041-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff\uff66-\uff9d]")
_LATIN = re.compile(r"[A-Za-zＡ-Ｚａ-ｚ]")


def language(text: str) -> Literal["ja", "en"]:
    """``ja`` or ``en`` by the letters of ``text``; ``ja`` where there are none.

    A Japanese character carries about as much as three or four Latin letters, so Japanese wins
    from a fifth of the letters on (a Japanese sentence full of product names is Japanese).
    """
    japanese = sum(1 for _ in _JAPANESE.finditer(text))
    latin = sum(1 for _ in _LATIN.finditer(text))
    return "ja" if japanese * 4 >= latin else "en"
