"""Roles of speakers, with where each comes from and how sure it is.

Here, in falling order of trust: explicit marks, overrides, titles that lead, attendance lists,
self-introductions, titles, labels, the speaker-level vote of cues. What single turns do for
once stands in ``turn_roles``, where the Q&A begins in ``opening``. ``segment`` imports this
module.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from statistics import fmean

from g2_pipelines.tables.line1 import Role
from g2_pipelines.transcripts.cues import (
    CALLS_OFFICER,
    CALLS_SOMEBODY,
    OUTSIDE_WORDS,
    asks,
    is_question,
    role_of_title,
)
from g2_pipelines.transcripts.drafts import CONFIDENCE, Draft
from g2_pipelines.transcripts.handing import committee_before_press
from g2_pipelines.transcripts.hosts import (
    EITHER_SIDE,
    MIN_CONTENT,
    asking,
    chairs,
    half_led,
    hosts,
    leads_mostly,
    only_hosts,
    says_he_leads,
)
from g2_pipelines.transcripts.interviews import lead_and_ask
from g2_pipelines.transcripts.introductions import (
    announced,
    called,
    introduction,
    invited_labels,
)
from g2_pipelines.transcripts.labels import DIARISED, GENERIC, OUTSIDER, Speaker
from g2_pipelines.transcripts.shapes import by_shape
from g2_pipelines.transcripts.speaker_cast import decide
from g2_pipelines.transcripts.turn_roles import ONLY_HOST, adjust
from g2_pipelines.transcripts.two_sided import HOST_PRESS, by_dialogue, split_turns

#: Share of a speaker's turns with a question cue from which he counts as asking
#: (measured: 94.7 % of 874 turns right).
CUE_SHARE = 0.34
#: Whoever comes from there asks, whatever his title: 「丹下（取引先の常勤監査役）」.
_FROM_OUTSIDE = re.compile(r"[（(](?:取引先|株主|販売店|個人投資家)")
ASKS_MOSTLY = 0.6
MAX_CALL = 600
#: Whoever asked takes the answer in.
_TAKES_IN = re.compile(
    r"(?:はい|ああ|あ|なるほど|ありがとうございま(?:す|した))?[、。 　]?(?:よく)?(?:わかりました|分かりました|承知しました|理解(?:でき|し)ました|了解)[^？?]{0,24}$"
)
MAX_OUTSIDER_TURNS = 3
TAIL = 80
_DEPUTY = re.compile(r"副(?:委員長|議長|座長|会長)$|^副(?:委員長|議長|座長)")
_OUTSIDE = re.compile(
    r"個人(?:投資家|株主|で株)|株(?:主|を持っ)[^。、\n]{0,10}(?:です(?!か|が|し|よ|ね|の)|者(?:です|でござ|。)|と申)|(?:新聞|通信|テレビ|放送|証券)[^。\n]{0,8}の者"
)


def assign(
    drafts: Sequence[Draft], *, roster: Mapping[str, Role], overrides: Mapping[str, Role]
) -> None:
    """Give every draft its role; afterwards ``opening`` may turn answers into presentation."""
    by_label: dict[str, list[Draft]] = {}
    sided: dict[str, set[Role]] = {}
    for draft in drafts:
        if draft.side is not None:
            draft.give(draft.side, "explicit")
            sided.setdefault(draft.label, set()).add(draft.side)
        elif draft.label:
            by_label.setdefault(draft.label, []).append(draft)
    by_label = _with_families(by_label)
    sides = _sides_by_introduction(by_label)
    sides |= dict.fromkeys(_called_labels(drafts, by_label), "question")
    # Whose other turns have marks of one side is of that side.
    sides |= {
        k: next(iter(told)) for k, told in sided.items() if k and k in by_label and len(told) == 1
    }
    invited = invited_labels(drafts, by_label)
    hosted = any(ONLY_HOST.search(label) for label in by_label)
    press = committee_before_press(by_label)
    labels = [draft.label for draft in drafts if draft.label]
    edges = (labels[0], labels[-1]) if labels else ("", "")
    nameless = _nameless(by_label)
    for label, turns in by_label.items():
        if label in nameless and not (roster or overrides):
            role, source, confidence = _by_words(label, turns, sides)
        else:
            role, source, confidence = _of_speaker(label, turns, roster, overrides, sides)
        if (role, source) == ("moderator", "cue_vote") and label in invited:
            role, source, confidence = _by_vote(turns)
        elif source == "title" and role == "answer" and not hosted and chairs(label, turns, edges):
            role, source, confidence = "moderator", "cue_vote", 0.8
        if label in press and source not in ("override", "roster"):
            role, source, confidence = "answer", "context", CONFIDENCE["context"]
        for draft in turns:
            draft.give(role, source, confidence)
    decide(drafts, by_label)
    _called_outsiders(drafts, by_label)
    by_shape(by_label)
    by_dialogue(drafts, by_label)
    split_turns(drafts)
    adjust(drafts)
    lead_and_ask(drafts)
    _name_questioners(drafts)
    _link_names(drafts)


def _of_speaker(  # noqa: C901, PLR0912 - one rule a line, in falling order of trust
    label: str,
    turns: Sequence[Draft],
    roster: Mapping[str, Role],
    overrides: Mapping[str, Role],
    introduced: Mapping[str, Role],
) -> tuple[Role, str, float]:
    speaker = turns[0].speaker
    given = _overridden(label, speaker, overrides)
    if given is not None:
        return given, "override", CONFIDENCE["override"]
    listed = _listed(label, speaker, roster)
    if _FROM_OUTSIDE.search(label):
        return "question", "label", CONFIDENCE["label"]
    title = " ".join(p for p in (label, speaker.organisation, speaker.title) if p)
    by_title = role_of_title(label) or role_of_title(title)
    if by_title == "moderator":
        return _moderator_or_not(label, turns)
    if says_he_leads(speaker, turns):
        return "moderator", "introduction", CONFIDENCE["introduction"]
    if HOST_PRESS.search(label) and leads_mostly(turns, None) and not asking(turns):
        return "moderator", "cue_vote", 0.8
    if listed == "moderator" or (
        by_title != "question" and leads_mostly(turns, by_title or listed)
    ):
        return "moderator", "cue_vote" if listed != "moderator" else "roster", 0.8
    if by_title == "answer" and listed is None and only_hosts(turns):
        return "moderator", "cue_vote", 0.8
    if by_title is listed is None and introduced.get(label) != "answer" and hosts(turns):
        return "moderator", "cue_vote", 0.8
    if listed is not None:
        return listed, "roster", CONFIDENCE["roster"]
    if label in introduced and by_title is None:
        return introduced[label], "introduction", CONFIDENCE["introduction"]
    if by_title == "answer" and EITHER_SIDE.search(label) and asking(turns) >= ASKS_MOSTLY:
        return "question", "cue_vote", 0.6
    if by_title is not None:
        return by_title, "title", CONFIDENCE["title"]
    if OUTSIDER.match(label):
        return "question", "label", CONFIDENCE["label"]
    return _by_vote(turns)


#: A number behind a word that elsewhere means a guest.
_NUMBERED = re.compile(
    r"(?:参加者|出席者|発言者|ゲスト|メンバー|(?i:participant|attendee|guest|user))[ 　_#]?[0-9０-９A-ZＡ-Ｚ]{1,3}"
)
MIN_NAMELESS = 3


def _nameless(by_label: Mapping[str, Sequence[Draft]]) -> frozenset[str]:
    """The labels of a record that numbers all its speakers 「参加者1」: they tell no role."""
    numbered = [label for label in by_label if _NUMBERED.fullmatch(label)]
    whole = len(numbered) == len(by_label) >= MIN_NAMELESS
    return frozenset(numbered) if whole else frozenset()


def _by_words(
    label: str, turns: Sequence[Draft], introduced: Mapping[str, Role]
) -> tuple[Role, str, float]:
    """The role of a speaker of whom the label tells nothing."""
    if leads_mostly(turns, None) or (introduced.get(label) != "answer" and hosts(turns)):
        return "moderator", "cue_vote", 0.8
    if label in introduced:
        return introduced[label], "introduction", CONFIDENCE["introduction"]
    return _by_vote(turns)


def _with_families(by_label: Mapping[str, list[Draft]]) -> dict[str, list[Draft]]:
    """「森本：」 speaks for 「森本 薫（東都アセット…）：」 where only one has that family name."""
    owners: dict[str, set[str]] = {}
    for label, turns in by_label.items():
        name = turns[0].speaker.name or ""
        if len(words := name.split()) > 1:
            owners.setdefault(words[-1] if name.isascii() else words[0], set()).add(label)
    joined: dict[str, list[Draft]] = {}
    for label, turns in by_label.items():
        owner = owners.get(label, set())
        joined.setdefault(next(iter(owner)) if len(owner) == 1 else label, []).extend(turns)
    return joined


def _overridden(label: str, speaker: Speaker, overrides: Mapping[str, Role]) -> Role | None:
    for key in (label, speaker.name, speaker.title, speaker.organisation):
        if key and key in overrides:
            return overrides[key]
    ending = max((key for key in overrides if label.endswith(key)), key=len, default="")
    return overrides[ending] if ending else None


def _votes(turns: Sequence[Draft]) -> float:
    """Share of a speaker's turns that ask, or that take an answer in: 「分かりました。」."""
    said = [t.text.strip() for t in turns]
    counted = [t for t in said if len(t) > MIN_CONTENT or asks(t) or _TAKES_IN.match(t)]
    return fmean([asks(t) or _TAKES_IN.match(t) is not None for t in counted]) if counted else 0.0


def _listed(label: str, speaker: Speaker, roster: Mapping[str, Role]) -> Role | None:
    for key in (speaker.name, label):
        if key and key in roster:
            return roster[key]
    return None


def _moderator_or_not(label: str, turns: Sequence[Draft]) -> tuple[Role, str, float]:
    """A chair who asks at length, again and again, is a questioner; a deputy unless he leads."""
    if _DEPUTY.search(label) and not leads_mostly(turns, None):
        return "question", "title", CONFIDENCE["title"]
    asking = [t for t in turns if len(t.text) >= 60 and is_question(t.text)]
    if (
        not ONLY_HOST.search(label)
        and len(turns) >= 2
        and len(asking) >= max(2, CUE_SHARE * 2 * len(turns))
    ):
        return "question", "cue_vote", 0.6
    return "moderator", "title", CONFIDENCE["title"]


def _sides_by_introduction(by_label: Mapping[str, Sequence[Draft]]) -> dict[str, Role]:
    """Anonymous speakers (SPEAKER_01) that say who they are."""
    found: dict[str, Role] = {}
    for label, turns in by_label.items():
        for draft in turns:
            if _OUTSIDE.search(draft.text[:60]):
                found[label] = "question"
                break
            who = introduction(draft.text)
            if who is None:
                continue
            title = who.organisation or who.title or ""
            role = role_of_title(title)
            if role == "moderator" and not ONLY_HOST.search(title) and not half_led(turns):
                break  # 「座長の御影です」 of a company's head
            found[label] = role or "question"
            break
    return found


def _called_labels(drafts: Sequence[Draft], by_label: Mapping[str, Sequence[Draft]]) -> set[str]:
    """Labels whose names an operator calls to ask."""
    names = {name for draft in drafts if len(draft.text) <= MAX_CALL for name in called(draft.text)}
    if not names:
        return set()
    families = {name.split()[-1] for name in names}
    found = set()
    for label, turns in by_label.items():
        name = turns[0].speaker.name or label
        if name in names or (name.isascii() and name.split()[-1:] and name.split()[-1] in families):
            found.add(label)
    return found


def _called_outsiders(drafts: Sequence[Draft], by_label: Mapping[str, Sequence[Draft]]) -> None:
    """Who speaks first when the host calls the next person comes to ask, though he only thanks.

    Only of speakers that nothing but the vote of cues tells anything of.
    """
    begun = False
    seen: set[str] = set()
    for index, draft in enumerate(drafts):
        before = drafts[index - 1] if index else None
        first = draft.label not in seen
        seen.add(draft.label)
        begun = begun or draft.role == "question"
        if not (first and begun and draft.source == "cue_vote" and draft.role == "answer"):
            continue
        turns = by_label.get(draft.label, ())
        if before is None or before.role != "moderator" or len(turns) > MAX_OUTSIDER_TURNS:
            continue
        tail = before.text[-TAIL:]
        if CALLS_SOMEBODY.search(tail) and not CALLS_OFFICER.search(tail):
            for turn in turns:
                turn.give("question", "context")


def _by_vote(turns: Sequence[Draft]) -> tuple[Role, str, float]:
    """The speaker-level vote; sure in the measure of turns and distance from the border."""
    if any(OUTSIDE_WORDS.search(turn.text[:80]) for turn in turns):
        return "question", "cue_vote", 0.6
    share = _votes(turns)
    role: Role = "question" if share >= CUE_SHARE else "answer"
    distance = min(1.0, abs(share - CUE_SHARE) / CUE_SHARE)
    weight = min(1.0, len(turns) / 4)
    return role, "cue_vote", round(0.5 + 0.4 * distance * weight, 3)


def _link_names(drafts: Sequence[Draft]) -> None:
    """「佐山：」 is of the house that he named when he asked first: 「NHK：NHKの佐山です」."""
    houses: dict[str, str] = {}
    for draft in drafts:
        name, house, title = draft.speaker
        if draft.role != "question" or name is None:
            continue
        if house:
            houses.setdefault(name, house)
        elif name in houses:
            draft.speaker = Speaker(name, houses[name], title)


def _name_questioners(drafts: Sequence[Draft]) -> None:
    """Fill in who asks or answers from introductions and the moderator's calls.

    Who is only a number is known by his name from his introduction on.
    """
    called: Speaker | None = None
    known: dict[str, Speaker] = {}
    for draft in drafts:
        if draft.role == "moderator":
            called = announced(draft.text) or called
            continue
        name = draft.speaker.name
        numbered = DIARISED.match(draft.label) is not None
        anonymous = name is None or numbered or bool(GENERIC.match(name))
        who = introduction(draft.text) if anonymous else None
        if draft.role == "question" and anonymous:
            who = who or (known.get(draft.label) if numbered else None) or called
            if who is not None:
                draft.speaker = Speaker(
                    who.name, who.organisation or draft.speaker.organisation, who.title
                )
        elif who is not None and not who.organisation:
            draft.speaker = Speaker(who.name, draft.speaker.organisation, who.title)
        elif numbered and draft.label in known:
            draft.speaker = known[draft.label]
        if numbered and who is not None:
            known.setdefault(draft.label, draft.speaker)
        called = None
