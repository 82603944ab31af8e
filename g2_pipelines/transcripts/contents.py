"""Tables of contents and agendas: their lines name parts of the record, and are none.

Here: finding those lines. Real headings are told by ``marks.heading``. ``segment`` imports
this module.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from g2_pipelines.transcripts.lines import Line, heading

_SENTENCE = re.compile(r"[。、，？?！!：:]|ください|ます|です")
_CONTENTS_HEAD = re.compile(
    r"[\s　■□◆●【［\[＜<〈「]{0,4}(?:目次|次第|式次第|本日の(?:内容|流れ|予定|アジェンダ)|プログラム|アジェンダ|(?i:agenda|contents|table of contents))"
    r"[\s　】］\]＞>〉」：:]{0,4}$"
)
_CONTENTS_LINE = re.compile(
    r"[\s　]{0,8}(?:第?[0-9０-９ⅠⅡⅢⅣⅤ一二三四五六七八九十]{1,2}[部章]?[．.、)）：:\s　]|[①-⑨]|[（(][0-9０-９]{1,2}[)）]|[・\-－*])"
    r"[^。\n]{1,50}$"
)
_CONTENTS_LEADER = re.compile(
    r"[^。\n]{1,40}(?:[・.…‥]{2,40}|[\s　]{2,20})[\s　]{0,4}[pP]?[.．]?[0-9０-９]{1,3}$"
)
MAX_CONTENTS = 30


def contents(text: str, lines: Sequence[Line]) -> frozenset[int]:
    """Numbers of the lines of a table of contents or an agenda, its heading among them.

    Under 「目次」 these are the lines up to the first blank one or the first that is none;
    elsewhere three or more listed lines in a row of which one names a part.
    """
    found: set[int] = set()
    number = 0
    while number < len(lines):
        headed = _CONTENTS_HEAD.match(text, lines[number].start, lines[number].end)
        begin = number + 1 if headed else number
        if headed and begin < len(lines) and lines[begin].start == lines[begin].end:
            begin += 1
        end = begin
        while end < len(lines) and end - begin < MAX_CONTENTS:
            line = lines[end]
            if not _listed(text, line, loosely=bool(headed)):
                break
            end += 1
        named = any(heading(text, lines[i]) for i in range(begin, end))
        if headed and end > begin:
            found.update(range(number, end))
        elif end - begin >= 3 and named:
            found.update(range(begin, end))
        number = max(end, number + 1)
    return frozenset(found)


def _listed(text: str, line: Line, *, loosely: bool) -> bool:
    if line.t0 is not None or line.end - line.start > 60 or line.start == line.end:
        return False
    if _CONTENTS_LEADER.match(text, line.start, line.end):
        return True
    if _CONTENTS_LINE.match(text, line.start, line.end):
        return True
    return loosely and not _SENTENCE.search(text[line.start : line.end])
