"""What no text for people may hold, whatever it says: hidden characters, tags, a third language.

Here: ``hidden``, ``has_markup``, ``in_other_language``. Used by ``guards``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from g2_pipelines.models.textfaults import is_chinese
from g2_pipelines.text.language import language

_TAG = re.compile(
    r"</?[A-Za-z!][^<>]{0,200}>|(?:https?://|www\.)[^\s()<>]{1,200}|\b(?:javascript|data|vbscript):\S",
    re.IGNORECASE,
)
# They turn the order in which a text is shown.
_BIDI = re.compile(r"[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_LETTER = re.compile(r"[A-Za-z\u00c0-\u024f\u3041-\u30ff\u3400-\u9fff\uff21-\uff5a\uff66-\uff9d]")
#: Letters below which a text has no language to speak of: a name, an abbreviation.
_FEW = 12


def hidden(text: str, own: str) -> bool:
    """True for control, bidirectional or unassigned characters; others that nobody sees
    (soft hyphens, private signs of a font) may stand where ``own`` has them.
    """
    for char in text:
        category = unicodedata.category(char)
        if category[0] != "C" or char in "\t\n\r":
            continue
        if category in {"Cc", "Cs"} or _BIDI.match(char) or char not in own:
            return True
    return False


def has_markup(text: str, own: str) -> bool:
    """True for a tag or an address that does not stand in ``own``."""
    return any(match.group() not in own for match in _TAG.finditer(text))


def in_other_language(text: str, allowed: Collection[str]) -> bool:
    """True if ``text`` is in none of ``allowed`` (``ja``, ``en``), or in a third script."""
    letters = [char for char in text if char.isalpha()]
    if is_chinese(text):
        return True
    if len(letters) < _FEW:
        return False
    known = sum(1 for char in letters if _LETTER.match(char))
    return known * 2 < len(letters) or language(text) not in allowed
