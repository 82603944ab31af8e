"""Taking a question apart by its wording, Japanese and English.

Here: ``take_apart``, which gives the sub-questions of comparisons, of questions that build on
an extreme («the sensor with the highest drift»), of «respectively» and of several questions
in one; anything else is one sub-question. Also the wording of calculation steps, made and
read only here. Used by the extractive planner and worker.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Literal

from g2_pipelines.qa.plan import one_step_plan, with_root
from g2_pipelines.qa.ports import Operation
from g2_pipelines.tables.line2 import PlanNode
from g2_pipelines.text.language import language

MAX_CHARS = 300
Steps = list[tuple[str, list[str]]]  # (task, depends_on); ids are q1, q2, … in this order

_STEP: dict[str, dict[str, str]] = {
    "difference": {
        "ja": "{a} と {b} の答えの差を計算する",
        "en": "Calculate the difference of the answers to {a} and {b}",
    },
    "ratio": {
        "ja": "{a} の答えを {b} の答えで割る",
        "en": "Calculate the ratio of the answers to {a} and {b}",
    },
    "growth": {
        "ja": "{b} の答えから {a} の答えへの増減率を計算する",
        "en": "Calculate the growth from the answer to {b} to that of {a}",
    },
    "sum": {
        "ja": "{a} と {b} の答えを合計する",
        "en": "Calculate the sum of the answers to {a} and {b}",
    },
}
_READ: dict[str, re.Pattern[str]] = {
    "difference": re.compile(
        r"^q\d と q\d の答えの差を計算する$|^Calculate the difference of the answers"
    ),
    "ratio": re.compile(r"^q\d の答えを q\d の答えで割る$|^Calculate the ratio of the answers"),
    "growth": re.compile(
        r"^q\d の答えから q\d の答えへの増減率|^Calculate the growth from the answer"
    ),
    "sum": re.compile(r"^q\d と q\d の答えを合計する$|^Calculate the sum of the answers"),
}
_OPERATIONS: tuple[Operation, ...] = ("difference", "ratio", "growth", "sum")

_PRE = r"(?:[^、]*?(?:、|のとき(?:の|、)?|において、?|における))*"
_PAIR_JA = re.compile(
    rf"^(?P<pre>{_PRE})(?P<a>[^、]+?)と(?P<b>[^、の]+?)(?P<attr>(?:の[^、の]+?)*?)の"
    r"(?P<op>差|比率|比|合計|和)(?:額|値)?[はをが]?(?=何|いくら|いくつ|どれ|どの|求め|計算|教え|答え|示|$)"
)
_MORE_JA = re.compile(
    rf"^(?P<pre>{_PRE})(?P<a>[^、]+?)は、?(?P<b>[^、]+?)(?:よりも?|に比べて?|と比べて)、?"
    r"(?P<mid>[^、]*?)(?:何|どれ|いくら|どの程度|どのくらい)"
)
_TIMES_JA = re.compile(
    r"^(?P<pre>(?:[^、]*、)*?)(?P<a>[^、]+?)は、?(?P<b>[^、]+?)の(?:約|およそ)?何倍"
)
_GROWTH_JA = re.compile(
    r"^(?P<pre>(?:[^、]*、)*?)(?P<b>[^、]+?)から(?P<a>[^、の]+?)(?:にかけて|まで|へ)?の"
    r"(?P<attr>[^、]+?)の(?:増加率|伸び率|成長率|増減率|減少率|変化率)"
)
_EXTREME_JA = re.compile(
    r"^(?P<pre>(?:[^、]*、)*?)(?P<scope>[^、]+?(?:で|において|のうち|の中で)、?)?(?P<attr>[^、]+?)が"
    r"(?P<most>(?:最も|一番)[^\s、の]{1,6}?(?:い|かった|な)|最(?:大|小|高|低|多|少|長|短)(?:の|となる|となった|である|だった))"
    r"(?P<kind>[^、の]{1,20}?)(?:の|において|では|について)、?(?P<rest>[^、].{2,})$"
)
_EACH_JA = re.compile(
    r"^(?P<pre>(?:[^、]*、)*)(?P<a>[^、の]+?)(?:と|および|及び)(?P<b>[^、の]+?)(?P<attr>(?:の[^、]+?)?)(?:は|が)、?それぞれ(?P<rest>.+)$"
)
_BOTH_JA = re.compile(
    r"^(?P<pre>(?:[^、]*、)*)(?P<a>[^、。とや]{2,40})(?:と|および|及び)(?P<b>[^、。とや]{2,40})(?P<rest>について、?(?:それぞれ)?"
    r"(?:詳しく|簡潔に|具体的に)?(?:説明|教え|述べ|示|答え)[^、]*)$"
)
_OF_BOTH_JA = re.compile(r"(?:違い|差異?|差額|比較|関係|関連|比率?|合計|和|共通点|異同|推移)$")
_NEXT_JA = re.compile(
    r"(?<=[？?。])\s*(?=\S)|(?<=か)、(?=また|さらに|そして)|、(?=また、|さらに、)"
)

_BETWEEN_EN = re.compile(
    r"(?:difference|gap)s?(?: (?:in|of) (?P<attr>.+?))? between (?P<a>.+?) and (?P<b>.+?)"
    r"(?: (?:in terms of|in) (?P<attr2>[a-z].+?))?\s*\??$",
    re.IGNORECASE,
)
_MORE_EN = re.compile(
    r"^(?P<pre>.*?)how (?:much|many) (?P<dir>higher|more|greater|larger|longer|lower|less|fewer|smaller|shorter)\b"
    r"(?P<what>.*?)\b(?:is|are|was|were|does|did|do) (?P<a>.+?)"
    r"(?:,? (?:as )?compared (?:to|with)| than)(?: (?:in|that (?:of|in)))? (?P<b>.+?)\s*\??$",
    re.IGNORECASE,
)
_RATIO_EN = re.compile(
    r"\b(?P<op>ratio|sum|total) of (?P<a>.+?) (?:to|and) (?P<b>.+?)"
    r"(?P<tail> (?:in|for|at|as of) (?:the )?(?:end of )?(?:fiscal |financial )?(?:year )?(?:fy ?)?(?:19|20)\d\d)?\s*[?.]*$",
    re.IGNORECASE,
)
_RATIO_JA_NAMED = re.compile(r"^(?P<pre>[^、]*?[、の])?流動比率(?:は|を)")
_CURRENT_EN = re.compile(r"\bcurrent ratio\b(?P<tail>[^?.]*)", re.IGNORECASE)
_WHEN = r"(?:fiscal |financial )?(?:year )?(?:fy ?)?(?:19|20)\d\d"
_CHANGED_EN = re.compile(
    r"\b(?:by )?(?:how (?:much|many)|what (?P<share>percentage|percent)) (?:did|has|have|had) (?:the )?(?P<attr>.+?) "
    r"(?:grow|grown|increase|decrease|rise|risen|fall|fallen|drop|decline|change|improve)d? "
    rf"(?:from|between) (?P<b>{_WHEN}) (?:to|and|through) (?P<a>{_WHEN})\s*\??$",
    re.IGNORECASE,
)
_CHANGED_JA = re.compile(
    r"^(?P<pre>(?:[^、]*、)*?)(?P<attr>[^、]+?)[はが]、?(?P<b>(?:19|20)\d\d年度?)から(?P<a>(?:19|20)\d\d年度?)"
    r"(?:にかけて|まで(?:に|の間に)?|へ|に)?、?(?:どれ(?:だけ|くらい|ほど)|いくら|どの(?:程度|くらい)|何[^、]{0,4}?)"
    r"(?:増|減|伸び|上昇|低下|上が|下が|変化)"
)
_GROWTH_EN = re.compile(
    r"\b(?:growth(?: rate)?|percentage (?:increase|change)) (?:of|in) (?P<attr>.+?) "
    r"from (?P<b>.+?) to (?P<a>.+?)\s*\??$",
    re.IGNORECASE,
)
_EXTREME_EN = re.compile(
    r"^(?P<what>.+?) (?:of|for|in|by|at|does|did|on|has|have|had) the "
    r"(?P<kind>(?:(?!(?:of|in|for|by|at|with|the)\b)[\w-]+ ){0,3}?[\w-]+) "
    r"(?:with|that (?:has|had|shows?|showed)|which (?:has|had|shows?)|having) the "
    r"(?P<most>highest|lowest|largest|smallest|greatest|biggest|longest|shortest|most|least|fewest)"
    r" (?P<attr>[^?,]+?)(?P<tail>,[^?]*)?\s*\??$",
    re.IGNORECASE,
)
_ADJECTIVES = {
    "higher": "high",
    "lower": "high",
    "longer": "long",
    "shorter": "long",
    "larger": "large",
    "smaller": "large",
    "greater": "large",
}
_PREPOSITION = re.compile(r" (?:to|from|by|for|with|in|at|on) ")
_EACH_EN = re.compile(
    r"^(?P<head>what (?:is|are|was|were)|how much (?:is|are|was|were)) (?:the )?(?P<a>[^,]+?) and "
    r"(?:the )?(?P<b>[^,]+?) (?P<tail>(?:of|for|in|at) .+?),? respectively\s*\??$",
    re.IGNORECASE,
)
_TWICE_EN = re.compile(
    r"^(?P<head>what (?:is|are|was|were)) the (?P<mod>\w+) (?P<a>\w+) and (?:the )?(?P=mod) (?P<b>\w+)"
    r"(?P<noun>(?: \w+)?) (?P<tail>(?:of|for|in|at) .+?)\s*\??$",
    re.IGNORECASE,
)
_NEXT_EN = re.compile(r"(?<=\?)\s+(?=[A-Z])")
_BACK = re.compile(
    r"^(?:また|さらに|そして)?、?(?:その|それ|これ|この|そこ)|\b(?:it|its|this|that|they|their|these)\b"
)


def take_apart(question: str) -> list[PlanNode]:
    """A plan for ``question``: its sub-questions and the root, the question itself, last.

    A text of more than 300 characters is one step: it is no sentence whose wording says
    how to take it apart, and matching stays fast whatever comes in.
    """
    text = " ".join(unicodedata.normalize("NFKC", question[: 2 * MAX_CHARS]).split())
    if len(text) > MAX_CHARS:
        return one_step_plan(question)
    readers: Sequence[Callable[[str], Steps | None]] = (
        (_compared_ja, _extreme_ja, _each_ja, _several, _both_ja)
        if language(text) == "ja"
        else (_compared_en, _extreme_en, _each_en, _several)
    )
    steps: Steps = next((s for s in (reader(text) for reader in readers) if s), [(question, [])])
    nodes = [
        PlanNode(id=f"q{place}", task=task, depends_on=after)
        for place, (task, after) in enumerate(steps, start=1)
    ]
    return with_root(nodes, question)


def step_of(operation: Operation, a: str, b: str, spoken: Literal["ja", "en"]) -> str:
    """The task of a calculation on the answers of ``a`` and ``b``."""
    return _STEP[operation][spoken].format(a=a, b=b)


def operation_of(task: str) -> Operation:
    """The calculation that a task made by ``step_of`` names, "" for any other task."""
    return next((name for name in _OPERATIONS if _READ[name].search(task)), "")


def _calculated(a: str, b: str, operation: Operation, spoken: Literal["ja", "en"]) -> Steps:
    return [(a, []), (b, []), (step_of(operation, "q1", "q2", spoken), ["q1", "q2"])]


def _joined_ja(pre: str, item: str, attribute: str) -> str:
    """A sub-question for one side; the attribute is not said twice."""
    attribute = attribute.strip("の")
    whole = f"{item}の{attribute}" if attribute and attribute not in item else item
    return f"{pre}{whole}はいくつですか"


def _compared_ja(text: str) -> Steps | None:
    for pattern in (_TIMES_JA, _MORE_JA):
        found = pattern.search(text)
        if found:
            operation: Operation = (
                "ratio" if pattern is _TIMES_JA or "何倍" in text else "difference"
            )
            a, b = found["a"], found["b"]
            mid = found.groupdict().get("mid") or ""
            attribute = re.sub(r"[がはも]$", "", mid) or a.rpartition("の")[2] * ("の" in a)
            sides = [_joined_ja(found["pre"], side, attribute) for side in (a, b)]
            return _calculated(sides[0], sides[1], operation, "ja")
    found = _CHANGED_JA.search(text)
    if found:
        share = re.search(r"何(?:%|パーセント|割)", text) and not re.search(
            r"[率%]$", found["attr"]
        )
        sides = [f"{found['pre']}{found[s]}の{found['attr']}はいくつですか" for s in "ab"]
        return _calculated(sides[0], sides[1], "growth" if share else "difference", "ja")
    found = _RATIO_JA_NAMED.search(text)
    if found:
        sides = [f"{found['pre'] or ''}{s}はいくつですか" for s in ("流動資産合計", "流動負債合計")]
        return _calculated(sides[0], sides[1], "ratio", "ja")
    found = _GROWTH_JA.search(text)
    if found:
        sides = [_joined_ja(found["pre"], found[side], found["attr"]) for side in ("a", "b")]
        return _calculated(sides[0], sides[1], "growth", "ja")
    found = _PAIR_JA.search(text)
    if found:
        names: dict[str, Operation] = {"差": "difference", "合計": "sum", "和": "sum"}
        sides = [_joined_ja(found["pre"], found[side], found["attr"]) for side in ("a", "b")]
        return _calculated(sides[0], sides[1], names.get(found["op"], "ratio"), "ja")
    return None


def _extreme_ja(text: str) -> Steps | None:
    found = _EXTREME_JA.search(text)
    if not found or re.match(r"(?:は|が)?(?:どれ|何)", found["rest"]):
        return None
    scope = f"{found['pre']}{found['scope'] or ''}"
    which = f"{scope}{found['attr']}が{found['most']}{found['kind']}はどれですか"
    return [(which, []), (f"その{found['kind']}の{found['rest']}", ["q1"])]


def _each_ja(text: str) -> Steps | None:
    found = _EACH_JA.search(text)
    if not found:
        return None
    sides = [f"{found['pre']}{found[s]}{found['attr']}は{found['rest']}" for s in ("a", "b")]
    return [(side, []) for side in sides]


def _both_ja(text: str) -> Steps | None:
    """«Explain A and B»: each on its own, unless it is about what lies between them."""
    found = _BOTH_JA.search(text)
    if not found or _OF_BOTH_JA.search(found["b"]):
        return None
    return [(f"{found['pre']}{found[side]}{found['rest']}", []) for side in ("a", "b")]


def _compared_en(text: str) -> Steps | None:
    found = _MORE_EN.search(text)
    if found:
        return _more_en(found)
    found = _CHANGED_EN.search(text)
    if found:
        a, b = (f"How much {_be(found['attr'])} the {found['attr']} in {found[s]}?" for s in "ab")
        return _calculated(a, b, "growth" if found["share"] else "difference", "en")
    found = _CURRENT_EN.search(text)
    if found:  # current assets over current liabilities; no statement prints it
        tail = re.sub(
            r",? (?:rounded|round|to|with|in) (?:one|two|three|\d+) .*", "", found["tail"]
        )
        a, b = (f"How much are the total current {s}{tail}?" for s in ("assets", "liabilities"))
        return _calculated(a, b, "ratio", "en")
    found = _GROWTH_EN.search(text)
    if found:
        a, b = (f"What is the {found['attr']} in {found[side]}?" for side in ("a", "b"))
        return _calculated(a, b, "growth", "en")
    found = _BETWEEN_EN.search(text)
    if found:
        attribute = found["attr"] or found["attr2"] or ""
        a, b = (_side_en(found[side], attribute) for side in ("a", "b"))
        return _calculated(a, b, "difference", "en")
    found = _RATIO_EN.search(text)
    if found and (found["op"].lower() != "total"):
        a, b = (_side_en(found[side] + (found["tail"] or ""), "") for side in ("a", "b"))
        return _calculated(a, b, "ratio" if found["op"].lower() == "ratio" else "sum", "en")
    return None


def _side_en(item: str, attribute: str) -> str:
    item = re.sub(r"^the ", "", item.strip())
    named = attribute or item
    whole = f"{attribute} of {item}" if attribute else item
    return f"How much {_be(named)} the {whole}?"


def _be(named: str) -> str:
    """«is» or «are», by the last word before a preposition (current assets in 2021)."""
    noun = re.split(r" (?:of|in|for|at|on|as) ", named)[0].rstrip()
    return "are" if re.search(r"[^siu]s$", noun) else "is"


def _more_en(found: re.Match[str]) -> Steps:
    """«How much higher is X of A than B on C»: X and C hold for both sides."""
    a, b = found["a"].strip(), found["b"].strip()
    what = found["what"].strip()
    if what:
        a, b = f"{what} {a}", f"{what} {b}"
    if " of " in a and " of " not in b:
        b = f"{a.rpartition(' of ')[0]} of {b}"
    elif _PREPOSITION.search(a) and not _PREPOSITION.search(b.removeprefix(f"{what} ")):
        b = f"{a[: _last_preposition(a)]} {b.removeprefix(f'{what} ')}"
    tail = re.search(r" (?:on|in|for|at|during) .+$", b)
    if tail and not re.search(r" (?:on|in|for|at|during) ", a):
        a += tail[0]
    adjective = _ADJECTIVES.get(found["dir"].lower(), "")
    bare = not what and " of " not in a and adjective
    sides = [f"How {adjective} is {side}?" if bare else _side_en(side, "") for side in (a, b)]
    if found["dir"].lower() in ("lower", "less", "fewer", "smaller", "shorter"):
        sides.reverse()
    return _calculated(sides[0], sides[1], "difference", "en")


def _last_preposition(text: str) -> int:
    return max(match.end() for match in _PREPOSITION.finditer(text)) - 1


def _extreme_en(text: str) -> Steps | None:
    found = _EXTREME_EN.search(text)
    if not found:
        return None
    which = f"Which {found['kind']} has the {found['most']} {found['attr']}?"
    rest = f"{found['what']} of the {found['kind']}{found['tail'] or ''}?"
    return [(which, []), (rest, ["q1"])]


def _each_en(text: str) -> Steps | None:
    found = _TWICE_EN.search(text)
    if found:  # the maximum employee and maximum employer share of …
        named = (f"{found['mod']} {found[side]}{found['noun']}" for side in ("a", "b"))
        return [(f"{found['head']} the {name} {found['tail']}?", []) for name in named]
    found = _EACH_EN.search(text)
    if not found:
        return None
    return [(f"{found['head']} the {found[s]} {found['tail']}?", []) for s in ("a", "b")]


def _several(text: str) -> Steps | None:
    """Several questions in one text; one that points back builds on the one before."""
    border = _NEXT_JA if language(text) == "ja" else _NEXT_EN
    parts = [part.strip() for part in border.split(text) if part.strip()]
    asked = [
        part for part in parts if re.search(r"[？?]$|か[。、]?$|ください。?$|なさい。?$", part)
    ]
    if not 2 <= len(asked) <= 3 or len(asked) != len(parts):
        return None
    return [
        (part, [f"q{place}"] if place and _BACK.search(part) else [])
        for place, part in enumerate(asked)
    ]
