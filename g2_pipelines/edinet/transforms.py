"""Numbers as inline pages display them → plain decimal text.

Here: the inline transformation registry's number forms, scale and sign. Not here: finding
facts (``facts``). EDINET pages use ``ixt:numdotdecimal`` alone (5,978 of 5,978 measured); the
other names cost nothing to know.
"""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal, InvalidOperation

_ZERO = {"zerodash", "numdash", "fixed-zero", "fixedzero", "nocontent"}
_COMMA = {"numcommadecimal", "num-comma-decimal", "numspacecomma", "numdotcomma", "numcomma"}
_NEGATIVE = ("△", "▲", "-", "−", "－", "(", "（")
_MAX_SCALE = 30
_MAX_DIGITS = 60
_PLAIN = re.compile(r"[0-9,]+(?:\.[0-9]+)?")


def number_text(text: str, *, form: str, scale: str | None, sign: str | None) -> str | None:
    """``48,620`` with scale 6 → ``48620000000``; None if it cannot be read as a number.

    ``form`` is the local name of the format attribute ("" if none). ``sign="-"`` negates the
    displayed amount; a displayed △ or minus does so only when no sign is given, because the
    specification keeps the mark outside the tag.
    """
    if form in _ZERO:
        return "0"
    if form == "numdotdecimal" and _PLAIN.fullmatch(text):  # nearly every fact of EDINET
        return _scaled(text.replace(",", ""), scale, negative=sign == "-")
    plain = unicodedata.normalize("NFKC", text).strip()
    negative = sign == "-" or (sign is None and plain.startswith(_NEGATIVE))
    return _scaled(_digits(plain.strip("△▲-−() "), form), scale, negative=negative)


def _scaled(digits: str, scale: str | None, *, negative: bool) -> str | None:
    try:
        amount = Decimal(digits)
        shift = int(scale) if scale else 0
    except (InvalidOperation, ValueError):
        return None
    if not amount.is_finite() or abs(shift) > _MAX_SCALE or len(digits) > _MAX_DIGITS:
        return None
    amount = amount.scaleb(shift)
    return f"{-amount if negative and amount else amount:f}"


def _digits(plain: str, form: str) -> str:
    compact = "".join(plain.split()).replace(" ", "")
    if form in _COMMA:
        return compact.replace(".", "").replace(",", ".")
    return compact.replace(",", "")
