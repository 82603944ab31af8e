"""Plain text and Markdown into clean text.

Here: line ends, invisible characters, hard-wrapped lines joined again, Markdown marks left
out. Labels are not looked at beyond what tells a wrapped line from a new one. ``readers``
imports this module.
"""

from __future__ import annotations

import re

from g2_pipelines.transcripts.clean import TextBuilder

_ENDS = "。！？!?」』）)】〕]］:：.…"
_NEW_LINE = re.compile(
    r"[\s　○〇◯●◎◆◇■□▼・*＊>#\-－―─ー（(【〔\[<＜「『┝└├┣┗┠│┃→⇒]|[0-9０-９]{1,3}[.．)）、]"
    r"|[QAＱＡ問答][0-9０-９]{0,3}[：:.．)）　 ]|質問|回答|[^。、\n]{1,24}[：:]"
)
_NUMBER_END = re.compile(r"[0-9０-９][0-9０-９,，.．]*$")
_NUMBER_GOES_ON = re.compile(r"[兆億万千百円％%]|パーセント|,|，|[0-9０-９]{3}(?![0-9０-９年月日])")
_MARKDOWN = re.compile(
    r"(?P<image>!\[[^\]\n]{0,200}\]\([^)\n]{0,500}\))"
    r"|(?P<link>\[(?P<words>[^\]\n]{1,200})\]\([^)\n]{0,500}\))"
    r"|(?m:^[ \t]{0,3}(?:\*\*|__)(?P<label>[^*_\n：:。、]{1,40})(?:\*\*|__)(?=[ \t　]+[^\s　|]))"
    r"|(?P<mark>\*\*|__|(?m:^[ \t]{0,3}#{1,6}[ \t]+)|(?m:^[ \t]{0,3}>[ \t]?)|(?m:^[ \t]*(?:```|~~~)[^\n]{0,40}$))"
)
_HEADING = re.compile(r"(?m)^[ \t]{0,3}#{1,6}[ \t]+([^\n]{1,200})")
_UNIT_END = re.compile(r"[0-9０-９][\s　]?[兆億万]$")
_DIGITS = re.compile(r"[0-9０-９][0-9０-９,，]{0,8}[\s　]?[億万百千円]")
MIN_WRAPPED = 8
MIN_NUMBER_LINE = 12


def read_plain(original: str) -> tuple[TextBuilder, str | None]:
    """The builder holding the clean text, and the title (a first line ``# …``) if there is one."""
    builder = TextBuilder()
    builder.clean(original, 0)
    return _unwrapped(builder), _title(original)


def read_markdown(original: str) -> tuple[TextBuilder, str | None]:
    """Like ``read_plain``, without emphasis, heading and quotation marks, links as their words."""
    builder = TextBuilder()
    position = 0
    for match in _MARKDOWN.finditer(original):
        builder.clean(original[position : match.start()], position)
        if match["link"]:
            builder.clean(match["words"], match.start("words"))
        elif match["label"]:
            # A bold label before its words: the wide space says that it is one.
            builder.clean(match["label"], match.start("label"))
            builder.insert("　")
        position = match.end()
    builder.clean(original[position:], position)
    return _unwrapped(builder), _title(original)


def _title(original: str) -> str | None:
    match = _HEADING.search(original[:2000])
    return match[1].strip() if match else None


def _unwrapped(builder: TextBuilder) -> TextBuilder:
    """Lines broken at a fixed width joined again; a number is never left on two lines."""
    text = builder.text()
    lines = text.split("\n")
    width = _wrap_width(lines)
    joins = {i for i in range(len(lines) - 1) if _goes_on(lines[i], lines[i + 1], width)}
    if not joins:
        return builder
    joined = TextBuilder()
    offsets = builder.offsets()
    run, position = 0, 0
    for index, line in enumerate(lines):
        end = position + len(line) + (0 if index in joins or index + 1 == len(lines) else 1)
        while position < end:
            offset = offsets[run]
            if position >= offset.start + offset.length:
                run += 1
                continue
            stop = min(end, offset.start + offset.length)
            joined.add(text[position:stop], offset.source_start + position - offset.start)
            position = stop
        position = end + (1 if index in joins else 0)
    return joined


def _wrap_width(lines: list[str]) -> int:
    """The width at which the text was wrapped, 0 if it was not."""
    counts: dict[int, int] = {}
    long = 0
    for line in lines:
        if len(line) >= 20:
            long += 1
            if line[-1] not in _ENDS:
                counts[len(line)] = counts.get(len(line), 0) + 1
    if not counts:
        return 0
    width = max(counts, key=lambda n: sum(counts.get(n + d, 0) for d in (-1, 0, 1)))
    near = sum(counts.get(width + d, 0) for d in (-1, 0, 1))
    return width if near >= MIN_WRAPPED and near * 10 >= long * 3 else 0


def _goes_on(line: str, following: str, width: int) -> bool:
    if not line or not following:
        return False
    if splits_number(line, following):
        return True
    if not width or abs(len(line) - width) > 2:
        return False
    return continues(line, following)


def splits_number(line: str, following: str) -> bool:
    """Whether a number stands on both lines: 「442億9,600」 and 「万円」, 「442 億」 and 「9,600」."""
    if len(line) < MIN_NUMBER_LINE:
        return False
    tail = line[-40:]
    if _NUMBER_END.search(tail) and _NUMBER_GOES_ON.match(following):
        return True
    return _UNIT_END.search(tail) is not None and _DIGITS.match(following) is not None


def continues(line: str, following: str) -> bool:
    """Whether a line broken at the margin goes on in the next: no end of a sentence, no label."""
    if not line or not following.strip() or line[-1] in _ENDS:
        return False
    if line.isascii() and following[:1].isupper():
        return False  # names and titles of about one length, one a line
    return _NEW_LINE.match(following) is None
