"""Who people say that they are, or are called: 「北星証券の田所です」, ``from Owen Whitlock``.

Here: introductions and calls within the words of a turn. ``roles`` imports this module.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from g2_pipelines.transcripts.cues import role_of_title
from g2_pipelines.transcripts.drafts import Draft
from g2_pipelines.transcripts.labels import ORG_TOKEN, Speaker, parse_label

CALLED = 200

_LEADING_BRACKET = re.compile(r"[（(]([^（()）\n]{2,30})[）)]")
_INTRODUCTION = re.compile(
    r"(?:^|[。、，\s　])(?P<org>[^\s　。、，「」はがをもで]{2,24})の[、，]?(?:(?:えー|ええ|あの)[、，]?)?"
    r"(?P<name>[一-龥々ァ-ヶー]{1,6}|[ぁ-ん]{2,4})(?:と申し|と言い|といい|です(?!か|が、これ|ね)|でございます(?!が、これ))"
)
_ANNOUNCED = re.compile(
    r"(?:^|[。、，\s　])(?P<org>[^\s　。、，「」はがをもで]{2,24})(?:の|[\s　・])[\s　]?(?P<name>[一-龥々ァ-ヶー]{1,6})(?:様|さま|さん)"
)
_NOT_PEOPLE = re.compile(
    r"^(?:者|方|次|話|点|件|年|月|期|形|円|程度)$|問題|状況|影響|見通し|水準|要因|理由|方針|考え|通り|結果|部分|数字|前提|計画|課題|感じ|意味|質問|背景"
)


def introduction(text: str) -> Speaker | None:
    """Who introduces himself in the first 90 characters: 「北星証券の田所です」.

    A house and name in brackets before the words counts as well: 「（北星証券・田所氏）…」.
    """
    bracket = _LEADING_BRACKET.match(text)
    if bracket and ORG_TOKEN.match(re.split(r"[\s　・]", bracket[1])[0]):
        return parse_label(bracket[1].replace("・", " "))
    match = _INTRODUCTION.search(text[:90])
    if match is None or _NOT_PEOPLE.search(match["name"]) or match["org"][-1] in "のこそあど":
        return None
    organisation = match["org"]
    if not (ORG_TOKEN.match(organisation) or role_of_title(organisation)):
        return None
    if ORG_TOKEN.match(organisation):
        return Speaker(match["name"], organisation, None)
    return Speaker(match["name"], None, organisation)


_CALLED = re.compile(
    r"(?:[Qq]uestion|[Nn]ext|line of|[Ff]irst one|go to)\b(?:[^.?!\n]{0,60}?(?:from|is|have|to|by|of|with)|,)\s"
    r"(?:(?:Mr|Ms|Mrs|Dr)\.\s)?(?P<name>[A-Z][A-Za-z.'’-]{1,20}(?:\s[A-Z][A-Za-z.'’-]{1,20}){0,3})"
)


def called(text: str) -> list[str]:
    """Whom an operator calls to ask: ``Our next question comes from Owen Whitlock of …``."""
    return [match["name"].rstrip(".") for match in _CALLED.finditer(text[-400:])]


def announced(text: str) -> Speaker | None:
    """Whom a moderator calls last: 「東都アセットの森本様、お願いします」."""
    last = None
    for match in _ANNOUNCED.finditer(text[-200:]):
        last = match
    if last is None or not ORG_TOKEN.match(last["org"]):
        return None
    return Speaker(last["name"], last["org"], None)


_INVITED = re.compile(
    r"(?:^|[。、，・の\s　])(?P<name>[一-龥々ぁ-んァ-ヶー]{1,10})(?:様|さま|さん|君|氏|委員|議員|先生|記者)"
    r"(?:[、，。]|お願い|どうぞ|です|でございます|いかが|の番|$)"
)


def invited_labels(
    drafts: Sequence[Draft], by_label: Mapping[str, Sequence[Draft]]
) -> frozenset[str]:
    """Labels of those whom a host by title gives the floor by name: they do not lead.

    ``drafts`` in order; 「次に、八木沢健君。」 before a turn of 「八木沢健君」.
    """
    found = set()
    for before, draft in pairwise(drafts):
        label = draft.label
        if label in found or label not in by_label or before.label == label:
            continue
        if role_of_title(before.label) != "moderator":
            continue
        name = "".join((draft.speaker.name or label).split())
        names = ["".join(m["name"].split()) for m in _INVITED.finditer(before.text[-CALLED:])]
        if any(len(n) >= 2 and (n in name or name.endswith(n) or n.endswith(name)) for n in names):
            found.add(label)
    return frozenset(found)
