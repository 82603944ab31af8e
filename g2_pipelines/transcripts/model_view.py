"""What a model is shown of a transcript's text.

Here: fillers, back-channels, stage directions, time marks, moderators' set phrases and
known artefacts of speech recognition left out, with the way back. The source view (turns,
chunks) always stays whole. ``defs`` hands this function to ``briefs``.
"""

from __future__ import annotations

import re

from g2_pipelines.tables.rows import Offset
from g2_pipelines.transcripts.cues import ARTEFACT_LINE, STAGE, is_question
from g2_pipelines.transcripts.furniture import page_furniture
from g2_pipelines.transcripts.lines import lines_of

_FILLER = re.compile(
    r"(?:(?<![ぁ-んァ-ヶー一-龥])(?:え[えー]{0,4}っ?と[ー]{0,3}|え[ー]{1,4}|あ[ー]{1,4}|ん[ー]{1,4}|う[ー]{1,3}ん?|あの[ー]{1,4}|その[ー]{1,4}"
    r"|えっと|ええっと|まあ(?!まあ)|ま[ー]{1,3}(?!まあ)|(?:あの|その|ええ|うーん)(?=[、，…]))"
    r"[、，…・]{0,3}[ 　]{0,1})"
    r"|(?<=[はがをにでともてらのば])ですね(?=[、，])[、，]"
    r"|(?<=[、，])(?:え[ー]{1,4}|あの[ー]{0,4}|その[ー]{1,4}|まあ)[、，]"
)
_TIME_MARK = re.compile(r"[【\[][*＊ 　]{0,8}\d{1,2}:\d{2}(?::\d{2})?[ 　]{0,2}[】\]][ 　]?")
_BACKCHANNEL = re.compile(
    r"[\s　]*(?:はい|うん|ええ|そう|そうですね|なるほど|ほう)(?:[、。 　]{0,2}(?:はい|うん|ええ))?[。、]?[\s　]*$"
)
_SET_PHRASE = re.compile(
    r"[\s　]*(?:はい、?|では、?|それでは、?|続きまして、?|続いて、?|次に、?|お待たせいたしました。?)*"
    r"(?:(?:どうも)?ありがとうございま(?:した|す)|次の(?:方|ご?質問)[^。\n]{0,24}|どうぞ(?:よろしく)?[^。\n]{0,16}|[^。\n]{0,40}(?:様|さま|さん)、?(?:どうぞ|お願い(?:いた)?します|お願いいたします)"
    r"|ほかに(?:ご?質問|ご?発言)[^。\n]{0,30}|ご質問の(?:ある|ございます)方[^。\n]{0,40}|[^。\n]{0,30}質疑(?:応答)?(?:に移|を(?:始|終了|開始|行))[^。\n]{0,24}"
    r"|[^。\n]{0,30}挙手[^。\n]{0,30}|[^。\n]{0,20}マイク[^。\n]{0,30}|よろしくお願い(?:いた)?します|本日は[^。\n]{0,30}(?:ありがとうございました|終了[^。\n]{0,16})"
    r"|(?:以上|これ)(?:を)?(?:もちまして|で)[^。\n]{0,40}(?:終了|閉会|終わ)[^。\n]{0,16}|時間[^。\n]{0,20}(?:最後|参りました|なりました)[^。\n]{0,24})[。、]?"
)
_SENTENCE = re.compile(r"[^。\n]{1,400}[。]?")
SET_PHRASE_SIZE = 160
REPEATED = 3


def model_view(text: str) -> tuple[str, list[Offset]]:
    """``text`` without what only speech needs, and the offset map back into ``text``.

    Nothing is rewritten or added; each run of the map is a stretch that was kept. Linear.
    """
    lines = lines_of(text)
    gone = _lines_gone(text)
    gone += [
        (lines[n].start, min(lines[n].end + 1, len(text))) for n in page_furniture(text, lines)
    ]
    for pattern in (STAGE, _FILLER, _TIME_MARK):
        gone += [match.span() for match in pattern.finditer(text) if match.end() > match.start()]
    gone.sort()
    parts: list[str] = []
    offsets: list[Offset] = []
    position = length = 0
    for start, end in [*gone, (len(text), len(text))]:
        if start > position:
            parts.append(text[position:start])
            offsets.append(Offset(start=length, source_start=position, length=start - position))
            length += start - position
        position = max(position, end)
    return "".join(parts), offsets


def _lines_gone(text: str) -> list[tuple[int, int]]:
    gone: list[tuple[int, int]] = []
    position = 0
    before, repeats, first_end = "", 0, 0
    for line in text.split("\n"):
        end = min(position + len(line) + 1, len(text))
        words = line.strip()
        repeats = repeats + 1 if words and words == before else 1
        if repeats == 1:
            first_end = end
        elif repeats == REPEATED:
            gone.append((first_end, end))
        elif repeats > REPEATED:
            gone.append((position, end))
        before = words
        if words and len(words) <= SET_PHRASE_SIZE and _is_remark(words):
            gone.append((position, end))
        position += len(line) + 1
    return gone


def _is_remark(line: str) -> bool:
    if _BACKCHANNEL.match(line) or ARTEFACT_LINE.match(line):
        return True
    if is_question(line):
        return False
    return all(_SET_PHRASE.fullmatch(m[0]) for m in _SENTENCE.finditer(line))
