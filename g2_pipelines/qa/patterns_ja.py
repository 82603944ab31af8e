"""Taking a Japanese question apart by its wording. Used by ``patterns``."""

from __future__ import annotations

import re

from g2_pipelines.qa.ports import Operation
from g2_pipelines.qa.steps import Steps, calculated

YEAR_JA = r"(?:(?:19|20)\d\d|(?:令和|平成|昭和)(?:\d{1,2}|元))年度?(?:\d{1,2}月期)?"
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
_RATIO_JA_NAMED = re.compile(r"^(?P<pre>[^、]*?[、の])?流動比率(?:は|を)")
_CHANGED_JA = re.compile(
    r"^(?P<pre>(?:[^、]*、)*?)(?P<attr>[^、]+?)[はが]、?(?P<b>"
    + YEAR_JA
    + r")から(?P<a>"
    + YEAR_JA
    + r")"
    r"(?:にかけて|まで(?:に|の間に)?|へ|に)?、?(?:どれ(?:だけ|くらい|ほど)|いくら|どの(?:程度|くらい)|何[^、]{0,4}?)"
    r"(?:増|伸び|上昇|上が|変化|(?P<fell>減|低下|下落|下が))"
)


def _joined_ja(pre: str, item: str, attribute: str) -> str:
    """A sub-question for one side; the attribute is not said twice."""
    attribute = attribute.strip("の")
    whole = f"{item}の{attribute}" if attribute and attribute not in item else item
    return f"{pre}{whole}はいくつですか"


def compared_ja(text: str) -> Steps | None:
    """Two lookups and a calculation, None for a question of another form."""
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
            return calculated(sides[0], sides[1], operation, "ja")
    found = _CHANGED_JA.search(text)
    if found:
        share = re.search(r"何(?:%|パーセント|割)", text) and not re.search(
            r"[率%]$", found["attr"]
        )
        order = "ba" if found["fell"] and not share else "ab"
        sides = [f"{found['pre']}{found[s]}の{found['attr']}はいくつですか" for s in order]
        return calculated(sides[0], sides[1], "growth" if share else "difference", "ja")
    found = _RATIO_JA_NAMED.search(text)
    if found:
        sides = [f"{found['pre'] or ''}{s}はいくつですか" for s in ("流動資産合計", "流動負債合計")]
        return calculated(sides[0], sides[1], "ratio", "ja")
    found = _GROWTH_JA.search(text)
    if found:
        sides = [_joined_ja(found["pre"], found[side], found["attr"]) for side in ("a", "b")]
        return calculated(sides[0], sides[1], "growth", "ja")
    found = _PAIR_JA.search(text)
    if found:
        names: dict[str, Operation] = {"差": "difference", "合計": "sum", "和": "sum"}
        sides = [_joined_ja(found["pre"], found[side], found["attr"]) for side in ("a", "b")]
        return calculated(sides[0], sides[1], names.get(found["op"], "ratio"), "ja")
    return None


def extreme_ja(text: str) -> Steps | None:
    """First which thing has the extreme, then what is asked of it."""
    found = _EXTREME_JA.search(text)
    if not found or re.match(r"(?:は|が)?(?:どれ|何)", found["rest"]):
        return None
    scope = f"{found['pre']}{found['scope'] or ''}"
    which = f"{scope}{found['attr']}が{found['most']}{found['kind']}はどれですか"
    return [(which, []), (f"その{found['kind']}の{found['rest']}", ["q1"])]


def each_ja(text: str) -> Steps | None:
    """それぞれ: a lookup for each."""
    found = _EACH_JA.search(text)
    if not found:
        return None
    sides = [f"{found['pre']}{found[s]}{found['attr']}は{found['rest']}" for s in ("a", "b")]
    return [(side, []) for side in sides]


def both_ja(text: str) -> Steps | None:
    """«Explain A and B»: each on its own, unless it is about what lies between them."""
    found = _BOTH_JA.search(text)
    if not found or _OF_BOTH_JA.search(found["b"]):
        return None
    return [(f"{found['pre']}{found[side]}{found['rest']}", []) for side in ("a", "b")]
