"""Questions that yes or no answers, as two lookups that are compared, or one change's sign.

Here: ``polar_en`` and ``polar_ja``: «did X rise from 2019 to 2020», «is A higher than B»,
前年より増えましたか. Any other such question is not taken apart. Used by ``patterns``.
"""

from __future__ import annotations

import re

from g2_pipelines.qa.forms import is_polar
from g2_pipelines.qa.patterns_ja import YEAR_JA
from g2_pipelines.qa.steps import Spoken, Steps, compare_step, sign_step

_WHEN = r"(?:fiscal |financial )?(?:year )?(?:fy ?)?((?:19|20)\d\d)"
_UP = r"increase|grow|rise|improve|go up|climb"
_DOWN = r"decrease|decline|fall|drop|shrink|go down"
_VERB = rf"(?P<verb>{_UP}|{_DOWN}|increased|grown|risen|improved|decreased|declined|fallen|dropped)"
_CHANGED = re.compile(
    rf"^(?:did|has|have) (?:the )?(?P<attr>.+?) {_VERB} (?:from|between) {_WHEN} (?:to|and) {_WHEN}\s*\??$",
    re.IGNORECASE,
)
_CHANGED_IN = re.compile(
    rf"^(?:did|has|have) (?:the )?(?P<attr>.+?) {_VERB} (?:in|during) {_WHEN}\s*\??$", re.IGNORECASE
)
_DIRECTION = r"higher|greater|larger|bigger|longer|more|lower|smaller|less|fewer|shorter"
_THAN = re.compile(
    rf"^(?:is|are|was|were) (?:the )?(?P<a>.+?) (?P<dir>{_DIRECTION}) than (?P<that>that (?:of|in|for) )?(?:the )?(?P<b>.+?)\s*\??$",
    re.IGNORECASE,
)
_THAN_IN = re.compile(
    rf"^(?:is|are|was|were) (?:the )?(?P<attr>.+?) (?P<dir>{_DIRECTION}) in {_WHEN} than (?:it was )?(?:in )?{_WHEN}\s*\??$",
    re.IGNORECASE,
)
_HAS_MORE = re.compile(
    rf"^(?:did|does|do) (?P<a>.+?) have (?:a |an )?(?P<dir>{_DIRECTION}) (?P<attr>.+?) than (?P<b>.+?)\s*\??$",
    re.IGNORECASE,
)
_LESS = re.compile(r"low|small|less|few|short|decreas|declin|fall|drop|shrink|down")
_OF_ON = re.compile(r"^(?P<attr>.+?) (?P<joint>of) (?P<thing>.+?)(?P<tail> (?:on|in|at) .+)$")
_OF = re.compile(r"^(?P<attr>.+) (?P<joint>of|in|for|at) (?P<thing>.+)$")

_PRE_JA = r"(?P<pre>(?:[^、]*、)*?)"
_ROSE_JA = r"(?:増加|増え|増収|増益|上昇|上が|伸び|拡大|改善)"
_FELL_JA = r"(?:減少|減っ|減収|減益|低下|下落|下が|縮小|悪化)"
_CHANGED_JA = re.compile(
    rf"^{_PRE_JA}(?P<attr>[^、]+?)[はが]、?(?P<b>{YEAR_JA})(?:から|と比べて?|に比べて?|より)、?(?P<a>{YEAR_JA})?"
    rf"(?:にかけて|まで(?:に|の間に)?|へ|に|は)?、?(?:(?P<rose>{_ROSE_JA})|{_FELL_JA})"
)
#: 売上高は2031年3月期に増えましたか: against the year before.
_CHANGED_IN_JA = re.compile(
    rf"^(?P<attr>[^、]+?)[はが]、?(?P<year>(?P<number>(?:19|20)\d\d)年度?(?:\d{{1,2}}月期)?)(?:に|は|で)、?"
    rf"(?:(?P<rose>{_ROSE_JA})|{_FELL_JA}|減り|落ち)"
)
_LAST_YEAR_JA = re.compile(
    rf"^{_PRE_JA}(?P<attr>[^、]+?)[はが]、?(?P<change>前年度?|前期|前回)(?:より|に?比べ?て?|と比べて?|から)、?"
    rf"(?:(?P<rose>{_ROSE_JA})|{_FELL_JA})"
)
_THAN_JA = re.compile(
    rf"^{_PRE_JA}(?P<a>[^、]+?)は、?(?P<b>[^、]+?)(?:よりも?|に比べて?|と比べて?)、?"
    r"(?:(?P<more>高|大き|多|長)|低|小さ|少な|短)(?:い|かった|く|な)"
)


def polar_en(text: str) -> Steps | None:
    """Two lookups and their comparison, None for a question of another form."""
    if not is_polar(text):
        return None
    found = _CHANGED.search(text)
    if found:
        return _years_en(found["attr"], found[4], found[3], found["verb"])
    found = _CHANGED_IN.search(text)
    if found:
        return _years_en(found["attr"], found[3], str(int(found[3]) - 1), found["verb"])
    found = _THAN_IN.search(text)
    if found:
        return _years_en(found["attr"], found[3], found[4], found["dir"])
    found = _HAS_MORE.search(text)
    if found:
        sides = [f"How much is the {found['attr']} of {found[side]}?" for side in ("a", "b")]
        return _compared(sides[0], sides[1], found["dir"], "en")
    found = _THAN.search(text)
    if found is None:
        return None
    a, b = found["a"], found["b"]
    of = _OF_ON.search(a) or _OF.search(a)
    if of and found["that"]:
        b = f"{of['attr']} {of['joint']} {b}{of.groupdict().get('tail') or ''}"
    elif of and not _OF.search(b):
        on = of.groupdict().get("tail")
        b = f"{a.removesuffix(on)}{on[:4]}{b}" if on else f"{of['attr']} {of['joint']} {b}"
    return _compared(f"How much is the {a}?", f"How much is the {b}?", found["dir"], "en")


def _years_en(attribute: str, later: str, earlier: str, verb: str) -> Steps:
    a, b = (f"How much is the {attribute} in {year}?" for year in (later, earlier))
    return _compared(a, b, verb, "en")


def _compared(a: str, b: str, direction: str, spoken: Spoken) -> Steps:
    less = _LESS.search(direction.lower()) is not None
    return [(a, []), (b, []), (compare_step("q1", "q2", less=less, spoken=spoken), ["q1", "q2"])]


def polar_ja(text: str) -> Steps | None:
    """Two lookups and their comparison, or a change and its sign; None for another form."""
    if not is_polar(text):
        return None
    found = _LAST_YEAR_JA.search(text)
    if found:
        ratio = f"{found['pre']}{found['attr']}の{found['change']}比はいくつですか"
        return [(ratio, []), (sign_step("q1", less=not found["rose"], spoken="ja"), ["q1"])]
    found = _CHANGED_JA.search(text)
    if found and found["a"]:
        a, b = (f"{found['pre']}{found[s]}の{found['attr']}はいくつですか" for s in "ab")
        return [
            (a, []),
            (b, []),
            (compare_step("q1", "q2", less=not found["rose"], spoken="ja"), ["q1", "q2"]),
        ]
    found = _CHANGED_IN_JA.search(text)
    if found:
        before = found["year"].replace(found["number"], str(int(found["number"]) - 1))
        a, b = (f"{year}の{found['attr']}はいくつですか" for year in (found["year"], before))
        return _compared(a, b, "up" if found["rose"] else "down", "ja")
    found = _THAN_JA.search(text)
    if found is None:
        return None
    a, b = found["a"], found["b"]
    attribute = a.rpartition("の")[2] if "の" in a else ""
    if attribute and attribute not in b:
        b = f"{b.removesuffix('の')}の{attribute}"
    return [
        (f"{found['pre']}{a}はいくつですか", []),
        (f"{found['pre']}{b}はいくつですか", []),
        (compare_step("q1", "q2", less=not found["more"], spoken="ja"), ["q1", "q2"]),
    ]
