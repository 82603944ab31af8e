"""Subtitles (SRT, VTT) and JSON (Whisper, diarization, Diet record) into clean text.

Here: cue times and speakers become timings, never text. ``readers`` imports this module.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any

from g2_pipelines.transcripts.clean import TextBuilder, Timing
from g2_pipelines.transcripts.errors import EmptyTranscriptError, UnreadableTranscriptError

_CUE_TIME = re.compile(
    r"[ \t]*((?:\d{1,3}:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?)[ \t]*-->[ \t]*"
    r"((?:\d{1,3}:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?)"
)
_CLOCK = r"(?:\d{1,3}:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?"
_CUE_TAG = re.compile(r"<(?:v(?:\.[\w.]{1,40})?[ \t]+(?P<who>[^>\n]{1,80})|/?[a-z0-9.:]{0,40})>")
#: A diarisation's number before a cue's words: 「SPEAKER_00: 」, 「[SPEAKER_00] 」.
_CUE_LABEL = re.compile(
    r"[ \t　]{0,4}[\[(（]?(?P<who>(?i:speaker|spk)[ _-]?[0-9A-Z]{1,5}|話者[ _]?[0-9０-９A-ZＡ-Ｚ]{1,5})"
    r"(?:[\])）][:：]?|[:：])[ \t　]{0,4}"
)
#: A name before a cue's words: 「Rina Hoshi (Host): 」, 「田所@北星証券：」.
_NAMED_CUE = re.compile(
    r"[ \t　]{0,4}(?P<who>[^\s　：:。、，「」？?！!<\[][^：:。、，「」？?！!<\n]{0,39})(?:：|:(?=[ 　]))[ \t　]{0,4}(?=\S)"
)
_JSON_TEXT = re.compile(r'"(?:speech|text)"\s*:\s*"((?:[^"\\]|\\.)*)"', re.DOTALL)
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[0-9a-fA-F]{4}|u[0-9a-fA-F]{4}|.)", re.DOTALL
)
_MOST_SECONDS = 10**9


def seconds(text: str) -> float:
    """``h:mm:ss,mmm``, ``mm:ss`` … in seconds, rounded to milliseconds."""
    total = 0.0
    for part in text.replace(",", ".").split(":"):
        total = total * 60 + float(part)
    return round(total, 3)


def looks_like_cues(original: str) -> bool:
    """True if the text begins like an SRT or VTT file."""
    if original.lstrip("\ufeff").startswith("WEBVTT"):
        return True
    head = [line.strip() for line in original[:2000].splitlines() if line.strip()][:2]
    return len(head) == 2 and head[0].isdigit() and _CUE_TIME.match(head[1]) is not None


def read_cues(original: str) -> tuple[TextBuilder, list[Timing]]:
    """The cues' lines, and per cue its time and the speaker that a ``<v …>`` names."""
    builder, timings = TextBuilder(), []
    lines = list(_lines(original))
    skip = _cue_names(lines)
    named_cues = _named_cues(lines, skip)
    t0: float | None = None
    t1: float | None = None
    note = labelled = False
    speaker: str | None = None
    for index, (start, line) in enumerate(lines):
        match = _CUE_TIME.match(line)
        if index in skip:
            continue
        if match:
            t0, t1, note = seconds(match[1]), seconds(match[2]), False
            speaker = speaker if labelled else None
            continue
        note = (note and bool(line.strip())) or line.startswith(("NOTE", "STYLE", "REGION"))
        if note:
            continue
        if not line.strip():
            t0 = t1 = None  # the cue has ended
            continue
        marked = _MARK.match(line)
        if marked and marked["a"]:  # a line in another tool's notation
            t0, t1 = seconds(marked["a"]), seconds(marked["b"]) if marked["b"] else None
        begin, named, label = _cue_line(builder, line, start, named_cues)
        # A cue's later lines, and cues after a label until the next, are the same speaker's.
        speaker, labelled = (named, label) if named else (speaker, labelled)
        if builder.length > begin:
            timings.append(Timing(begin, builder.length, t0, t1, speaker))
    return builder, timings


def _cue_names(lines: list[tuple[int, str]]) -> set[int]:
    """The lines that number or name a cue, and the file's first line."""
    found = {0} if lines and lines[0][1].lstrip("\ufeff").startswith("WEBVTT") else set()
    for index, (_, line) in enumerate(lines):
        if _CUE_TIME.match(line) and index and "-->" not in lines[index - 1][1]:
            before = lines[index - 1][1].strip()
            if before.isdigit() or (index >= 2 and before and not lines[index - 2][1].strip()):
                found.add(index - 1)
    return found


def _named_cues(lines: list[tuple[int, str]], skip: Collection[int]) -> frozenset[str]:
    """Names before the words of most cues, as meeting tools write them; none elsewhere."""
    counts: Counter[str] = Counter()
    cues = 0
    for index, (_, line) in enumerate(lines):
        if index in skip or not line.strip() or not _CUE_TIME.match(lines[index - 1][1]):
            continue
        cues += 1
        match = _NAMED_CUE.match(line)
        if match:
            counts[match["who"]] += 1
    repeated = sum(n for n in counts.values() if n > 1)
    if len(counts) < 2 or counts.total() * 10 < cues * 8 or repeated * 2 < cues:
        return frozenset()
    return frozenset(counts)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    position = 0
    for line in text.splitlines(keepends=True):
        yield position, line.rstrip("\r\n")
        position += len(line)


_MARK = re.compile(
    rf"[ \t　]{{0,4}}(?:[\[(（【][ ]?(?P<a>{_CLOCK})(?:[ ]?(?:-->|→|–|~|〜|-)[ ]?(?P<b>{_CLOCK}))?[ ]?[\])）】][ \t　]{{0,4}}|(?P<c>{_CLOCK})[ \t　]{{1,4}})?"
    r"[\[(（]?(?P<who>(?i:speaker|spk)[ _-]?[0-9A-Z]{1,5}|話者[ _]?[0-9０-９A-ZＡ-Ｚ]{1,5})"
    r"(?:[\])）][:：]?|[:：])[ \t　]{0,4}(?=\S)"
)
MIN_MARKED = 3


def is_diarised(original: str) -> bool:
    """True if most lines begin with a diarisation's number, with or without a time mark."""
    lines = [line for line in original.split("\n", 4_000)[:4_000] if line.strip()]
    marked = sum(1 for line in lines if _MARK.match(line))
    return marked >= MIN_MARKED and marked * 5 >= len(lines) * 3


def read_diarised(original: str) -> tuple[TextBuilder, list[Timing]]:
    """Lines like 「[0:00:07 --> 0:00:19] SPEAKER_01: …」: words as text, marks as timings.

    A line without a mark goes on with the speaker before it, and is preamble before the first.
    """
    builder, timings = TextBuilder(), []
    speaker: str | None = None
    for start, line in _lines(original):
        if not line.strip():
            continue
        match = _MARK.match(line)
        t0 = t1 = None
        position = 0
        if match:
            speaker, position = match["who"], match.end()
            begun = match["a"] or match["c"]
            t0 = seconds(begun) if begun else None
            t1 = seconds(match["b"]) if match["b"] else None
        builder.line_end()
        begin = builder.length
        builder.clean(line[position:], start + position)
        if builder.length > begin:
            timings.append(Timing(begin, builder.length, t0, t1, speaker))
    return builder, timings


def _cue_line(
    builder: TextBuilder, line: str, start: int, names: Collection[str] = ()
) -> tuple[int, str | None, bool]:
    """Where the line's words begin in the text, their speaker, and whether a label named him."""
    if not line.strip():
        return builder.length, None, False
    builder.line_end()
    begin, position, speaker = builder.length, 0, None
    label = _CUE_LABEL.match(line) or _MARK.match(line)
    if label is None and (other := _NAMED_CUE.match(line)) and other["who"] in names:
        label = other
    if label and line[label.end() :].strip():
        speaker, position = label["who"], label.end()
    for match in _CUE_TAG.finditer(line, position):
        builder.clean(line[position : match.start()], start + position)
        speaker = match["who"] or speaker
        position = match.end()
    builder.clean(line[position:], start + position)
    return begin, speaker, label is not None


def read_json(original: str, name: str) -> tuple[TextBuilder, list[Timing], str, str | None]:
    """Text, timings, format (json or diet_json) and title of a record in JSON.

    Raises:
        UnreadableTranscriptError: Not JSON, or of no known shape.
        EmptyTranscriptError: A known shape without any text.
    """
    try:
        data = json.loads(original)
    except (ValueError, RecursionError) as error:  # ValueError: also a number of 5,000 digits
        raise UnreadableTranscriptError(
            "The transcript's JSON cannot be read",
            file=name,
            place=str(error)[:80],
            remedy="Give valid JSON in UTF-8",
        ) from error
    entries, kind, title = _entries(data, name)
    builder, timings = TextBuilder(), []
    raw = _JSON_TEXT.finditer(original)
    for number, (text, t0, t1, speaker) in enumerate(entries, 1):
        if not text:
            continue
        for match in raw:
            pieces = list(_unescaped(match[1], match.start(1)))
            if "".join(piece for piece, _ in pieces) == text:
                break
        else:  # e.g. a key with an escape in it; going on would lose this text and all after it
            raise UnreadableTranscriptError(
                "The place of a text in the JSON is not found",
                file=name,
                place=f"text {number}",
                remedy='Write the keys "text" and "speech" without escapes, each once',
            )
        builder.line_end()
        begin = builder.length
        for piece, source in pieces:
            if builder.length > begin or piece.strip():
                builder.clean(piece, source)
        if builder.length > begin:
            timings.append(Timing(begin, builder.length, t0, t1, speaker))
    if not builder.text().strip():
        raise EmptyTranscriptError(
            "The record holds no speech", file=name, remedy="Give a record with its speeches"
        )
    return builder, timings, kind, title


def _unescaped(raw: str, start: int) -> Iterator[tuple[str, int]]:
    position = 0
    for match in _ESCAPE.finditer(raw):
        if match.start() > position:
            yield raw[position : match.start()], start + position
        yield json.loads(f'"{match[0]}"'), start + match.start()
        position = match.end()
    if position < len(raw):
        yield raw[position:], start + position


_Entry = tuple[str, float | None, float | None, str | None]


def _entries(data: Any, name: str) -> tuple[list[_Entry], str, str | None]:
    meetings = data.get("meetingRecord") if isinstance(data, dict) else None
    if isinstance(meetings, list) and meetings and isinstance(meetings[0], dict):
        first = meetings[0]
        title = " ".join(
            str(first[k]) for k in ("nameOfHouse", "nameOfMeeting", "issue", "date") if first.get(k)
        )
        speeches = [s for m in meetings if isinstance(m, dict) for s in m.get("speechRecord") or []]
        found = [_speech(s, n, name) for n, s in enumerate(speeches, 1) if isinstance(s, dict)]
        return found, "diet_json", title or None
    segments = data.get("segments") if isinstance(data, dict) else data
    if isinstance(segments, list) and all(isinstance(s, dict) and "text" in s for s in segments):
        return [_segment(s, number, name) for number, s in enumerate(segments, 1)], "json", None
    raise UnreadableTranscriptError(
        "The JSON is no transcript known here",
        file=name,
        remedy="Give Whisper or diarization JSON (segments with text, start, end, speaker) "
        "or a record of the Diet API (meetingRecord)",
    )


def _words(value: object, number: int, name: str) -> str:
    """The text of an entry; null is none."""
    if value is None or isinstance(value, str):
        return value or ""
    raise UnreadableTranscriptError(
        "A text in the JSON is no string",
        file=name,
        place=f"text {number}",
        remedy="Write each text as a string",
    )


def _time(value: object) -> float | None:
    """Seconds; None for what is no time (NaN, a thousand digits, true)."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return round(float(value), 3) if abs(value) < _MOST_SECONDS else None


def _speech(speech: dict[str, Any], number: int, name: str) -> _Entry:
    order = speech.get("speechOrder")
    speaker = speech.get("speaker") or None
    if order == 0 or speaker == "会議録情報":
        speaker = None
    return _words(speech.get("speech"), number, name), None, None, speaker


def _segment(segment: dict[str, Any], number: int, name: str) -> _Entry:
    speaker = segment.get("speaker")
    return (
        _words(segment["text"], number, name),
        _time(segment.get("start")),
        _time(segment.get("end")),
        str(speaker) if speaker not in (None, "") else None,
    )
