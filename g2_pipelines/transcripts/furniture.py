"""Heads, feet and numbers of pages that stand in a record's text, often within a sentence.

Here: finding those lines. They are nobody's words: no label is looked for in them, at a turn's
edge they are dropped, and within a turn a model is not shown them. ``segment``, ``layout`` and
``model_view`` use what is found; PDFs lose theirs in ``pages`` before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.transcripts.labels import is_party, is_short_name
from g2_pipelines.transcripts.lines import Line

MAX_LINE, MIN_LINE = 100, 6
#: So many first lines hold a title, and so many lines a page's foot and the next one's head.
HEAD, REACH = 4, 7
MIN_SERIES, MIN_TITLES, MIN_TITLE = 3, 3, 12
_NUMBER = re.compile(
    r"[\s　]*(?:[-－―‐–—]{1,2}[\s　]?[0-9０-９]{1,4}[\s　]?[-－―‐–—]{1,2}|(?i:page|p\.)[\s　]?[0-9]{1,4}(?: ?(?:of|/) ?[0-9]{1,4})?"
    r"|[0-9０-９]{1,4}[\s　]?[/／][\s　]?[0-9０-９]{1,4}(?:[\s　]?(?:ページ|頁))?|[0-9０-９]{1,4}[\s　]?(?:ページ|頁)|(?P<bare>[0-9０-９]{1,3}))[\s　]*$"
)
#: What a publisher prints at every page's foot.
_IMPRINT = re.compile(
    r"(?i:©|\(c\) ?(?:19|20)\d\d|copyright|all rights reserved|無断(?:転載|複製|転用)|禁無断|https?://|www\.|confidential|社外秘)"
)
_SENTENCE_END = re.compile(r"[。？?！!][」』）)]?[\s　]*$|[a-z]{3}\.[\s　]*$")
#: Words that are said, and labels with their times.
_OTHER = re.compile(
    r"[。？！、]|[a-z], [a-z]|[0-9]:[0-9]{2}|^(?![QＱ][1-4] ?(?:FY|19|20))[QＱAＡ問答][0-9０-９.．：: 　]"
)
_LETTERS = re.compile(r"[A-Za-z]{2}|[ぁ-んァ-ヶ一-龥]")
_PAGE_BEHIND = re.compile(r"[\s　|｜-]{1,8}[0-9０-９]{1,4}(?:[/／][0-9０-９]{1,4})?$")


def page_furniture(text: str, lines: Sequence[Line]) -> frozenset[int]:
    """Numbers of the lines that pages' heads, feet and numbers left in the text. Linear.

    A line is one if it comes again, the title among them, and stands in one run with a page's
    number wherever it does so behind the title; an imprint in such a run; a title's line that comes
    three times. Numbers need such a line beside them, or to count upwards.
    """
    short = {
        n: text[line.start : line.end].strip()
        for n, line in enumerate(lines)
        if line.start < line.end and line.end - line.start <= MAX_LINE
    }
    short = {n: words for n, words in short.items() if words and not _said(words)}
    places: dict[str, list[int]] = {}
    for number, words in short.items():
        places.setdefault(_key(words), []).append(number)
    first = _title_lines(lines, short)
    titles = {_key(short[n]): n for n in reversed(first) if _is_title(short[n])}
    zones = _zones(lines, short)
    found: set[int] = set()
    for key, numbers in places.items():
        words = short[numbers[0]]
        if len(numbers) < 2 or not (key in titles or _may_repeat(words)):
            continue
        later = [n for n in numbers if n > titles.get(key, first[-1] if first else -1)]
        near = sum(n in zones for n in later)
        counted = len({short[n] for n in numbers}) == len(numbers) > 2  # 「…説明会　　3」
        titled = (
            key in titles
            and (counted or _may_repeat(words))
            and len(words) >= MIN_TITLE
            and len(numbers) >= MIN_TITLES
        )
        if later and (near * 10 >= len(later) * 8 or titled):
            found.update(later)
    found |= {n for n in zones if _IMPRINT.search(short[n]) and not _NUMBER.match(short[n])}
    numbers = [n for n, words in short.items() if _NUMBER.match(words)]
    beside = {n for n in numbers if _beside(n, found, lines)}
    return frozenset(found | beside | _series(numbers, short))


def _title_lines(lines: Sequence[Line], short: dict[int, str]) -> list[int]:
    """The first short lines, up to the first words that somebody says."""
    found: list[int] = []
    for number, line in enumerate(lines):
        if line.start == line.end:
            continue
        if number not in short or len(found) == HEAD:
            break
        found.append(number)
    return found


def _key(words: str) -> str:
    return "".join(_PAGE_BEHIND.sub("", words).split())


def _said(words: str) -> bool:
    if _OTHER.search(words):
        return True
    return _SENTENCE_END.search(words) is not None and _IMPRINT.search(words) is None


def _is_title(words: str) -> bool:
    said = _SENTENCE_END.search(words) is not None or words[-1] in "：:"
    return len(words) >= MIN_LINE and _LETTERS.search(words) is not None and not said


def _may_repeat(words: str) -> bool:
    """Whether a line that comes again may be a page's: no speaker's label, no sentence."""
    return _is_title(words) and not (is_party(words) or is_short_name(words))


def _zones(lines: Sequence[Line], short: dict[int, str]) -> frozenset[int]:
    """The short lines that stand in one run with a page's number."""
    found: set[int] = set()
    run: list[int] = []
    marked = False
    for number, line in enumerate([*lines, Line(0, 1, 0, None, None)]):
        words = short.get(number)
        if number < len(lines) and (words is not None or line.start == line.end):
            if words is not None:
                run.append(number)
                marked = marked or _NUMBER.match(words) is not None
            continue
        if marked:
            found |= _near(run, short)
        run, marked = [], False
    return frozenset(found)


def _near(run: Sequence[int], short: dict[int, str]) -> set[int]:
    pages = [n for n in run if _NUMBER.match(short[n])]
    around = {page + step for page in pages for step in range(-REACH, REACH + 1)}
    return around.intersection(run)


def _beside(number: int, found: set[int], lines: Sequence[Line]) -> bool:
    """Whether the next line above or below that is not blank is furniture."""
    for step in (-1, 1):
        place = number + step
        while 0 <= place < len(lines) and lines[place].start == lines[place].end:
            place += step
        if place in found:
            return True
    return False


def _series(numbers: Sequence[int], short: dict[int, str]) -> set[int]:
    """Numbers that count the pages one by one."""
    counted = [
        (n, int(digits[0]))
        for n in numbers
        if (digits := re.search(r"[0-9]+", short[n].translate(_HALF)))
    ]
    best: list[int] = []
    run: list[int] = []
    last = None
    for number, value in counted:
        if last is None or value != last + 1:
            run = []
        run.append(number)
        last = value
        best = run if len(run) >= len(best) else best
    return set(best) if len(best) >= MIN_SERIES else set()


_HALF = str.maketrans("０１２３４５６７８９", "0123456789")
