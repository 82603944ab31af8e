"""Where labels may stand: the candidates of every style.

Here: walking the lines, explicit marks, timelines and dashes. The grammar of question and
answer marks stands in ``qa_marks``, that of names in ``name_marks``. Which styles a document
really uses is voted in ``styles``, which imports this module.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from g2_pipelines.transcripts.cues import STAGE_LINE
from g2_pipelines.transcripts.lines import Heading, Line, Mark
from g2_pipelines.transcripts.name_marks import named_mark, parts_widely
from g2_pipelines.transcripts.qa_marks import Side, qa_mark

_REST = r"[ \t　]{0,8}"
_TREE = re.compile(
    rf"(?P<tree>[┝└├┣┗┠│┃]?)[\s　]{{0,2}}(?:[（(\[［【〔<＜《](?:(?P<q>(?:再|追加|関連)?質問(?:[0-9０-９]{{1,2}}(?=[）)\]］】〕>＞》][ 　]{{0,8}}[^\s　]))?|質疑|問|[QＱ])|(?P<a>(?:再|追加)?回答[0-9０-９]{{0,2}}|応答|答弁?|説明|補足|発表|報告|発言|冒頭(?:発言|説明|挨拶)?|ご?挨拶|謝罪|[AＡ])|(?P<m>進行|司会(?:進行)?|開会|閉会|案内|事務連絡|アナウンス|MC|ＭＣ))[）)\]］】〕>＞》])?{_REST}"
)
#: A question of a list: 「1. 広告が減った理由は何ですか。」 above 「→ …」.
_LISTED = re.compile(
    r"[\s　]{0,4}(?:[0-9０-９]{1,2}[.．)）]|[（(][0-9０-９]{1,2}[）)]|[①-⑳]|[・■●◆○▼])[\s　]{0,4}(?=[^\s　])"
)
_ARROW = re.compile(r"[\s　]{0,8}(?:→|⇒|➡|⮕)")
_ANOTHER = re.compile(r"[（(]?質問[0-9０-９]{0,2}[）)]?$")
_SAID = re.compile(r"[。？?！!]$|[。？?！!].")
MAX_HEAD = 60
_DASH = re.compile(
    r"[ \t　]{0,4}(?:ー{2,4}|[―─—]{1,4}|－{2,4}|-{2,4}|[＞>]{1,2})[ \t　]{0,2}(?=[^\s　ー―─—－-])"
)


def candidates(
    text: str, lines: list[Line], parts: Sequence[Heading], skipped: Collection[int] = ()
) -> Iterator[Mark]:
    """Every place where a label of some style may stand; none on the ``skipped`` lines."""
    wide = parts_widely(text, lines)
    for number, line in enumerate(lines):
        if line.head >= line.end or parts[number] is not None or number in skipped:
            continue
        following = lines[number + 1] if number + 1 < len(lines) else None
        if STAGE_LINE.match(text, line.start, line.end):
            continue
        yield from _explicit(text, number, line, following)
        yield from named_mark(text, number, line, following, wide=wide)


def _explicit(text: str, number: int, line: Line, following: Line | None) -> Iterator[Mark]:
    below = text[following.start : following.end] if following is not None else None
    asked = qa_mark(text, line.head, line.end, below)
    if asked is not None:
        yield Mark(asked.style, number, line.start, asked.end, asked.who, asked.side)
    if below is not None and _ARROW.match(below) and _LISTED.match(text, line.head, line.end):
        listed = _LISTED.match(text, line.head, line.end)
        if asked is None and listed:
            yield Mark("qa_arrow", number, line.start, listed.end(), "", "question")
    if line.t0 is not None:
        match = _TREE.match(text, line.head, line.end)
        if match:
            tree_side: Side | None = "question" if match["q"] else "answer" if match["a"] else None
            rest = text[match.end() : line.end].strip()
            under = (
                following is not None and following.t0 is None and following.end > following.start
            )
            said = len(rest) > MAX_HEAD or _SAID.search(rest) is not None
            under = under and not said  # it goes on below
            again = _ANOTHER.match(rest) is not None
            yield Mark(
                "timeline",
                number,
                line.start,
                line.end if under else match.end(),
                "" if again else match["m"] or (rest if tree_side or under else ""),
                tree_side or ("question" if match["tree"] or (under and again) else None),
            )
    match = _DASH.match(text, line.head, line.end)
    if match:
        yield Mark("dash", number, line.start, match.end(), "", "question")
