"""Sentence borders of Japanese and English text, as ranges of that text.

Here: ``sentences`` and ``is_prose``. Not here: what a sentence says (``numbers``,
``terms``). Every package above may import this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from g2_pipelines.text.language import language

_OPEN = "（(「『【〔［[｛{《〈“"
_CLOSE = "）)」』】〕］]｝}》〉”"
_PAIR = dict(zip(_CLOSE, _OPEN, strict=True))
_WIDTHS = str.maketrans("（［｛", "([{")
_STRONG = "。｡！？!?"
_MARK = re.compile(r"[。｡！？!?．.（(「『【〔［\[｛{《〈“）)」』】〕］\]｝}》〉”]")
_TAIL = re.compile(r"[。｡！？!?．.…]*[）)」』】〕］\]｝}》〉”’\"']*")
_LINE = re.compile(r"[^\n\r\u2028\u2029\x0b\x0c]+")
#: A pair of brackets further apart than this is taken as damage, not as one sentence.
_BRACKET_LIMIT = 600


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TITLES = _words(
    "mr mrs ms dr prof st no nos fig figs eq eqs ref refs sec ch vol pp p ed eds vs cf al approx "
    "jan feb mar apr jun jul aug sep sept oct nov dec dept est e.g i.e viz resp tab"
)
_MAY_END = _words("inc ltd corp co llc plc u.s u.k u.s.a e.u etc jr sr a.m p.m bros")
_STARTERS = _words(
    "the a an in we this that these those it its our as for however at on by he she they i but "
    "and while although if when there to with from after before during since such both all"
)
_WORD_BEFORE = re.compile(r"[A-Za-z][A-Za-z.&-]*$")
_WORD_AFTER = re.compile(r"[A-Za-z]+")
_JAPANESE = re.compile(r"[\u3041-\u30fe\u3400-\u9fff々〇）」』％%]")


def sentences(text: str) -> list[tuple[int, int]]:
    """Half-open ranges of the sentences of ``text``, in code points.

    Ordered, disjoint, without white space at their edges, and together they cover every
    character that is not white space. A line end always ends a sentence; 。！？ and an
    English full stop end one outside brackets (「…。」と述べた。 is one sentence). A bracket
    that its line does not close, or only after 600 characters, counts for nothing.
    Linear in the text's length.
    """
    out: list[tuple[int, int]] = []
    for line in _LINE.finditer(text):
        start = line.start()
        for end in _line_ends(text, line.start(), line.end()):
            _add_trimmed(out, text, start, end)
            start = end
        _add_trimmed(out, text, start, line.end())
    return out


def _add_trimmed(out: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        begin = start + len(piece) - len(piece.lstrip())
        out.append((begin, begin + len(stripped)))


def _line_ends(text: str, start: int, end: int) -> Iterator[int]:
    """Where sentences end inside the line [start, end), its own end left out."""
    marks = [match.start() for match in _MARK.finditer(text, start, end)]
    inside = _bracketed(text, marks)
    sentence_start = start
    free_from = start
    for place in marks:
        if place < free_from or place in inside or text[place] not in "。｡！？!?．.":
            continue
        if not _ends_here(text, place, sentence_start, end):
            continue
        tail = _TAIL.match(text, place + 1, end)
        stop = tail.end() if tail else place + 1
        # A closing quote that opens again at once (Latin quotes) belongs to what follows.
        free_from = sentence_start = stop
        if stop < end:
            yield stop


def _bracketed(text: str, marks: list[int]) -> set[int]:
    """The marks that stand inside a closed pair of brackets."""
    stack: list[int] = []  # indices into marks
    pairs: list[tuple[int, int]] = []
    for index, place in enumerate(marks):
        char = text[place]
        if char in _OPEN:
            stack.append(index)
        elif char in _PAIR:
            wanted = _PAIR[char].translate(_WIDTHS)
            # Look a few openers back: one missing close must not spoil the outer pair.
            for back in range(1, min(4, len(stack)) + 1):
                opener = text[marks[stack[-back]]]
                if opener.translate(_WIDTHS) == wanted:
                    begin = stack[-back]
                    del stack[-back:]
                    if place - marks[begin] <= _BRACKET_LIMIT:
                        pairs.append((begin, index))
                    break
    # Pairs nest, so a sweep over their ends marks the inside once.
    depth_change = [0] * (len(marks) + 1)
    for begin, close in pairs:
        depth_change[begin + 1] += 1
        depth_change[close] -= 1
    inside: set[int] = set()
    depth = 0
    for index, place in enumerate(marks):
        depth += depth_change[index]
        if depth > 0:
            inside.add(place)
    return inside


def _ends_here(text: str, place: int, start: int, end: int) -> bool:
    char = text[place]
    if char in "。｡":
        return True
    before = text[place - 1] if place > start else ""
    after = text[place + 1] if place + 1 < end else ""
    if char in _STRONG:
        # Yahoo!ショッピング, a?b: a mark between a Latin letter and text is part of a name.
        return (
            not (before.isascii() and before.isalnum() and after and not after.isspace())
            or after in _STRONG + _CLOSE + "\"'"
        )
    if char == "．":
        return _ends_with_wide_stop(before, after)
    return _ends_with_stop(text, place, start, end)


def _ends_with_wide_stop(before: str, after: str) -> bool:
    """１．見出し and ３．５ do not end; である．次 does."""
    if not before or before.isdigit():
        return False
    return bool(_JAPANESE.match(before)) or not after or after.isspace()


def _ends_with_stop(text: str, place: int, start: int, end: int) -> bool:
    before = text[place - 1] if place > start else ""
    after = text[place + 1] if place + 1 < end else ""
    if not before or before in ". ":
        return False
    if _JAPANESE.match(before):
        return not (after.isascii() and after.isalnum())
    if after in _CLOSE + "\"'’":
        after = text[place + 2] if place + 2 < end else ""
    if after and not after.isspace():
        return False
    rest = text[place + 1 : min(end, place + 60)].lstrip(_CLOSE + "\"'’ \t\u3000\xa0")
    if rest and rest[0].islower():
        return False
    head = text[max(start, place - 24) : place]
    if re.fullmatch(r"\s*[(（]?\w{1,3}", text[start:place]) and not head.strip().isalpha():
        return False  # "1." or "(2." opens a list entry
    return not _abbreviated(head, rest)


def _abbreviated(head: str, rest: str) -> bool:
    match = _WORD_BEFORE.search(head)
    if match is None:
        return False
    word = match.group().lower()
    if word in _TITLES or (len(word) == 1 and word != "i"):
        return bool(rest)
    if word in _MAY_END:
        following = _WORD_AFTER.match(rest)
        return following is not None and following.group().lower() not in _STARTERS
    return False


# --- prose ---------------------------------------------------------------------------

_KANA = re.compile(r"[\u3041-\u3096]")
_JA_ENDING = re.compile(
    r"(?:ます|です|ません|でした|ました|である|であった|でない|ない|なかった|った|いる|れる|せる|"
    r"する|した|ある|あった|なる|なった|だ|だった|られた|れた|でしょう|ましょう|ください|う|く|む|る|た|い)"
    r"(?:か|ね|よ|が)?[）)」』]*$"
)
_LABEL_START = re.compile(r"^(?:[（(]?注|※|出所|出典|単位|図表?\s*\d|表\s*\d|Source:|Note:)")
_EN_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")


def is_prose(text: str) -> bool:
    """True for a real sentence: it has a predicate or a sentence's ending.

    Headings, table rows, labels, notes on units, page numbers and bare figures are False.
    """
    body = text.strip()
    if len(body) < 6 or "\t" in body or _LABEL_START.match(body):
        return False
    digits = sum(char.isdigit() for char in body)
    if digits * 2 > len(body):
        return False
    return _is_japanese_prose(body) if language(body) == "ja" else _is_english_prose(body)


def _is_japanese_prose(body: str) -> bool:
    core = body.rstrip("）)」』】 ")
    ended = core.endswith(("。", "｡", "！", "？", "!", "?", "．"))
    core = core.rstrip("。｡！？!?．")
    kana = len(_KANA.findall(core))
    if kana < 2:
        return False
    if ended:
        return len(core) >= 6
    return len(core) >= 10 and kana >= 3 and _JA_ENDING.search(core) is not None


def _is_english_prose(body: str) -> bool:
    words = _EN_WORD.findall(body)
    lower = [word for word in words if word[0].islower()]
    ended = body.rstrip("\"'”’)] ").endswith((".", "!", "?"))
    return ended and len(words) >= 4 and len(lower) >= 2
