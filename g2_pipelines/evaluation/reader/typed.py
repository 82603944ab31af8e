"""MMLongBench-Doc's rules for typed answers, written anew from their description.

Here: ``typed_score``, ``Unanswerable`` (the benchmark's F1) and ``anls``. Integers must be
equal; floats may differ by 1 %; strings count by ANLS above a half, those whose every character
matters (addresses, file names, times, dates, telephone numbers) only when equal; lists must be
as long, are compared sorted, and count by their worst pair; a question that has no answer is
right only when it is refused. Stricter than the benchmark's own code in one thing: a factor of
100 between floats is forgiven only where one side is written as a percentage.

Ma et al., MMLongBench-Doc (2024); Biten et al., ANLS (2019).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from g2_pipelines.evaluation.reader.case import AnswerKind
from g2_pipelines.text.fold import fold_text

TOLERANCE = Decimal("0.01")
THRESHOLD = 0.5
#: A string longer than this is compared by its beginning: the distance takes their product.
MAX_CHARS = 2_000
#: Not within a Latin word or another number, nor behind its hyphen (TC-5): it is a name's then.
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.])(?<![A-Za-z]-)[-+−△▲]?\s?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
    r"|(?<![\w.])\.\d+"
)
_PERCENT = re.compile(r"\s*(?:%|percent\b|パーセント)", re.IGNORECASE)
_UNITS = "zero one two three four five six seven eight nine ten eleven twelve"
_TEENS = "thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
_WORDS = [*_UNITS.split(), *_TEENS.split()]
_WORD = re.compile(rf"\b({'|'.join(_WORDS)})\b")
#: Strings in which one other character is another thing.
_EXACT = re.compile(
    r"(?:https?://|www\.)\S+"
    r"|\S+@\S+\.\w+"
    r"|[\w-]+\.(?:py|pdf|ipynb|csv|html?|com|org|net|gov|edu)"
    r"|pages?\b.*"
    r"|\+?[\d()][\d() .-]{5,}\d"
    r"|.*\d\s*[ap]\.?m\.?"
    r"|\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?"
)
_BULLET = re.compile(r"^\s*(?:[-*•・]|\(?\d{1,2}[.)](?=\s))\s*")
_EDGES = " \t\n\"'`“”‘’「」『』()[]."


def typed_score(
    kind: AnswerKind,
    answer: str,
    *,
    right: Sequence[str],
    items: Sequence[str] = (),
    refused: bool = False,
) -> float:
    """The score of an answer, 0 to 1.

    Args:
        kind: Of the right answer; ``text`` and ``open`` have no rule here.
        answer: What was answered.
        right: Right answers, any of which will do.
        items: Of a list, its right items.
        refused: The question was not answered.

    Raises:
        ValueError: the kind has no rule.
    """
    if kind == "none":
        return float(refused)
    if refused or not answer.strip():
        return 0.0
    match kind:
        case "int":
            return max((float(_same_int(answer, one)) for one in right), default=0.0)
        case "float":
            return max((float(_same_float(answer, one)) for one in right), default=0.0)
        case "str":
            return max((_string(answer, one) for one in right), default=0.0)
        case "list":
            return _list(split_list(answer), list(items))
        case _:
            raise ValueError(f"no rule for {kind} answers")


@dataclass(frozen=True)
class Unanswerable:
    """What the benchmark says of a whole set.

    accuracy: the mean score of all questions. recall: the score of answerable questions per
    answerable question; precision: per question that was answered; f1 of the two.
    refusal_precision, refusal_recall: of refusing, over questions that have no answer.
    """

    accuracy: float
    precision: float
    recall: float
    f1: float
    refusal_precision: float
    refusal_recall: float


def totals(outcomes: Iterable[tuple[bool, bool, float]]) -> Unanswerable:
    """The totals of (has an answer, was refused, score) of each question; 0 where undefined."""
    rows = list(outcomes)
    earned = sum(score for able, _, score in rows if able)
    able = sum(able for able, _, _ in rows)
    answered = sum(not refused for _, refused, _ in rows)
    refused = len(rows) - answered
    right = sum(refused and not able for able, refused, _ in rows)
    precision, recall = _share(earned, answered), _share(earned, able)
    return Unanswerable(
        accuracy=_share(sum(score for _, _, score in rows), len(rows)),
        precision=precision,
        recall=recall,
        f1=_share(2 * precision * recall, precision + recall),
        refusal_precision=_share(right, refused),
        refusal_recall=_share(right, len(rows) - able),
    )


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


@dataclass(frozen=True)
class _Figure:
    value: Decimal
    percent: bool


def _figure(text: str) -> _Figure | None:
    """The first number of ``text``, else its first number word up to twenty."""
    folded = fold_text(text)
    match = _NUMBER.search(folded)
    if match is not None:
        digits = re.sub(r"[,\s]", "", match[0]).translate(str.maketrans("−△▲", "---"))
        return _Figure(Decimal(digits), _PERCENT.match(folded, match.end()) is not None)
    word = _WORD.search(folded)
    return _Figure(Decimal(_WORDS.index(word[1])), percent=False) if word else None


def _same_int(answer: str, right: str) -> bool:
    ours, theirs = _figure(answer), _figure(right)
    if ours is None or theirs is None:
        return ours is theirs and anls(_clean(answer), _clean(right)) > 0
    return ours.value == theirs.value


def _same_float(answer: str, right: str) -> bool:
    ours, theirs = _figure(answer), _figure(right)
    if ours is None or theirs is None:
        return ours is theirs and anls(_clean(answer), _clean(right)) > 0
    scales = [Decimal(1)]
    if ours.percent != theirs.percent:
        scales += [Decimal(100), Decimal("0.01")]
    return any(_close(ours.value * scale, theirs.value) for scale in scales)


def _close(ours: Decimal, theirs: Decimal) -> bool:
    return abs(ours - theirs) <= TOLERANCE * max(abs(ours), abs(theirs))


def _clean(text: str) -> str:
    return " ".join(fold_text(text).split()).strip(_EDGES)


def _string(answer: str, right: str) -> float:
    ours, theirs = _clean(answer), _clean(right)
    if _EXACT.fullmatch(theirs):
        return float(ours.replace(" ", "") == theirs.replace(" ", ""))
    return anls(ours, theirs)


def anls(answer: str, right: str) -> float:
    """1 - Levenshtein distance over the longer length; 0 unless above a half."""
    ours, theirs = answer[:MAX_CHARS], right[:MAX_CHARS]
    longest = max(len(ours), len(theirs))
    if longest == 0:
        return 1.0
    score = 1 - _distance(ours, theirs) / longest
    return score if score > THRESHOLD else 0.0


def _distance(a: str, b: str) -> int:
    before = list(range(len(b) + 1))
    for row, left in enumerate(a, start=1):
        now = [row]
        for col, right in enumerate(b, start=1):
            now.append(min(before[col] + 1, now[-1] + 1, before[col - 1] + (left != right)))
        before = now
    return before[-1]


def split_list(answer: str) -> list[str]:
    """The items of an answer: a JSON list, lines, or what 、 ; or commas part."""
    text = answer.strip()
    if text.startswith("["):
        try:
            found = json.loads(text.replace("'", '"'))
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, list):
            return [str(item) for item in found]
    for mark in (r"\n+", r"[;；、]", r",(?!\d{3}(?!\d))\s*(?:and\s)?|\sand\s"):
        parts = [_BULLET.sub("", part).strip() for part in re.split(mark, text)]
        parts = [part for part in parts if part]
        if len(parts) > 1:
            return parts
    return [_BULLET.sub("", text).strip()]


def _list(ours: Sequence[str], theirs: Sequence[str]) -> float:
    if len(ours) != len(theirs) or not theirs:
        return 0.0
    pairs = zip(sorted(map(_clean, ours)), sorted(map(_clean, theirs)), strict=True)
    return min(_item(one, other) for one, other in pairs)


def _item(ours: str, theirs: str) -> float:
    """A number as a whole must be equal; else as a string."""
    numbers = [_NUMBER.fullmatch(_PERCENT.sub("", text)) for text in (ours, theirs)]
    if numbers[1] is not None:
        return float(numbers[0] is not None and _same_int(ours, theirs))
    return _string(ours, theirs)
