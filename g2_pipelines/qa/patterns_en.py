"""Taking an English question apart by its wording. Used by ``patterns``."""

from __future__ import annotations

import re

from g2_pipelines.qa.steps import Steps, calculated, sum_of

_BETWEEN_EN = re.compile(
    r"(?:difference|gap)s?(?: (?:in|of) (?P<attr>.+?))? between (?P<a>.+?) and (?P<b>.+?)"
    r"(?: (?:in terms of|in) (?P<attr2>(?!tab(?:le|\.)|fig|page|section|appendix)[a-z].+?))?(?P<ref> in (?:table|figure) [\w.-]+)?\s*\??$",
    re.IGNORECASE,
)
_MORE_EN = re.compile(
    r"^(?P<pre>.*?)how (?:much|many) (?P<dir>higher|more|greater|larger|longer|lower|less|fewer|smaller|shorter)\b"
    r"(?P<what>.*?)\b(?:is|are|was|were|does|did|do) (?P<a>.+?)"
    r"(?:,? (?:as )?compared (?:to|with)| than)(?: (?:in|that (?:of|in)))? (?P<b>.+?)\s*\??$",
    re.IGNORECASE,
)
_MORE_THINGS_EN = re.compile(
    r"^(?P<pre>.*?)how many (?P<dir>more|fewer) (?P<scale>(?:thousand|million)s? )?(?P<a>[\w-]+(?: [\w-]+)?) than (?P<b>[\w-]+(?: [\w-]+)?) "
    r"(?P<tail>(?:were|was|are|is|had|have|has) .+?)\s*\??$",
    re.IGNORECASE,
)
_RATIO_EN = re.compile(
    r"\b(?P<op>ratio|sum|total) of (?P<a>.+?) (?:to|and) (?P<b>.+?)"
    r"(?P<tail> (?:in|for|at|as of) (?:the )?(?:end of )?(?:fiscal |financial )?(?:year )?(?:fy ?)?(?:19|20)\d\d)?\s*[?.]*$",
    re.IGNORECASE,
)
_WHEN = r"(?:fiscal |financial )?(?:year )?(?:fy ?)?(?:19|20)\d\d"
_CHANGED_EN = re.compile(
    r"\b(?:by )?(?:how (?:much|many)|what (?P<share>percentage|percent)) (?:did|has|have|had) (?:the )?(?P<attr>.+?) "
    r"(?:grow|grown|increase|rise|risen|change|improve|(?P<fell>decrease|fall|fallen|drop|decline))d? "
    rf"(?:from|between) (?P<b>{_WHEN}) (?:to|and|through) (?P<a>{_WHEN})\s*\??$",
    re.IGNORECASE,
)
_TOGETHER_EN = re.compile(
    r"^(?P<head>how (?:many|much) [^,]+? (?:of|by|for|in|to|from) )(?P<items>[^,]+(?:, [^,]+)*,? and [^,]+?)"
    r",? (?:in total|altogether|combined|together|collectively|taken together)\s*\??$",
    re.IGNORECASE,
)
_MOST_SIDES = 4
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
_ON = re.compile(r" (?:on|at|during) .+$")
_YEARS = re.compile(r" (?:19|20)\d\d$")
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


def compared_en(text: str) -> Steps | None:
    """Two lookups and a calculation, None for a question of another form."""
    more = _more_things_en(text) or _how_much_more_en(text)
    if more:
        return more
    found = _CHANGED_EN.search(text)
    if found:
        a, b = (f"How much {_be(found['attr'])} the {found['attr']} in {found[s]}?" for s in "ab")
        if found["fell"] and not found["share"]:  # by how much it fell: what it was less what it is
            a, b = b, a
        return calculated(a, b, "growth" if found["share"] else "difference", "en")
    found = _TOGETHER_EN.search(text)
    if found:
        items = [item for item in re.split(r",? and |, ", found["items"]) if item.strip()]
        if 2 <= len(items) <= _MOST_SIDES:
            return sum_of([f"{found['head']}{item.strip()}?" for item in items])
    found = _GROWTH_EN.search(text)
    if found:
        a, b = (f"What is the {found['attr']} in {found[side]}?" for side in ("a", "b"))
        return calculated(a, b, "growth", "en")
    found = _BETWEEN_EN.search(text)
    if found:
        attribute = found["attr"] or found["attr2"] or ""
        return _between_en(found, attribute)
    found = _RATIO_EN.search(text)
    if found and (found["op"].lower() != "total"):
        first, second, tail = found["a"], found["b"], found["tail"] or ""
        own = bool(tail) and _YEARS.search(first) is not None  # «A in 2020 to B in 2021»
        if _PREPOSITION.search(first) and not _PREPOSITION.search(second) and not own:
            second = f"{first[: _last_preposition(first)]} {second}"  # «the share of A and B»
        first += "" if own else tail
        second += tail
        a, b = (_side_en(side, "") for side in (first, second))
        return calculated(a, b, "ratio" if found["op"].lower() == "ratio" else "sum", "en")
    return None


def _more_things_en(text: str) -> Steps | None:
    """«How many more A than B were …»: how many of each, and the difference."""
    found = _MORE_THINGS_EN.search(text)
    if not found:
        return None
    order = "ba" if found["dir"].lower() == "fewer" else "ab"
    head = f"{found['pre']}How many {found['scale'] or ''}"
    a, b = (f"{head}{found[side]} {found['tail']}?" for side in order)
    return calculated(a, b, "difference", "en")


def _between_en(found: re.Match[str], attribute: str) -> Steps:
    """«Between the cost of A and of B in 2021, in Table 4»: cost, year and table are of both."""
    first, second = found["a"], found["b"]
    if not attribute and second.startswith("of ") and " of " in first:
        second = f"{first.partition(' of ')[0]} {second}"
        shared = _ON.search(second)
        first += shared[0] if shared and not _ON.search(first) else ""
    ref = found["ref"] or ""
    a, b = (_side_en(side + ref, attribute) for side in (first, second))
    return calculated(a, b, "difference", "en")


def _side_en(item: str, attribute: str) -> str:
    item = re.sub(r"^the ", "", item.strip())
    named = attribute or item
    whole = f"{attribute} of {item}" if attribute else item
    return f"How much {_be(named)} the {whole}?"


def _be(named: str) -> str:
    """«is» or «are», by the last word before a preposition (current assets in 2021)."""
    noun = re.split(r" (?:of|in|for|at|on|as) ", named)[0].rstrip()
    return "are" if re.search(r"[^siu]s$", noun) else "is"


def _how_much_more_en(text: str) -> Steps | None:
    found = _MORE_EN.search(text)
    return _more_en(found) if found else None


def _more_en(found: re.Match[str]) -> Steps:
    """«How much higher is X of A than B on C»: X and C hold for both sides."""
    a, b = found["a"].strip(), found["b"].strip()
    what = found["what"].strip()
    if what:
        a, b = f"{what} {a}", f"{what} {b}"
    if re.search(r" of .* (?:on|in|for|at) ", a) and not _PREPOSITION.search(f" {b} "):
        b = f"{a[: _last_preposition(a)]} {b}"
    elif " of " in a and " of " not in b:
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
    return calculated(sides[0], sides[1], "difference", "en")


def _last_preposition(text: str) -> int:
    return max(match.end() for match in _PREPOSITION.finditer(text)) - 1


def extreme_en(text: str) -> Steps | None:
    """First which thing has the extreme, then what is asked of it."""
    found = _EXTREME_EN.search(text)
    if not found:
        return None
    which = f"Which {found['kind']} has the {found['most']} {found['attr']}?"
    rest = f"{found['what']} of the {found['kind']}{found['tail'] or ''}?"
    return [(which, []), (rest, ["q1"])]


def each_en(text: str) -> Steps | None:
    """«A and B, respectively»: a lookup for each."""
    found = _TWICE_EN.search(text)
    if found:  # the maximum employee and maximum employer share of …
        named = (f"{found['mod']} {found[side]}{found['noun']}" for side in ("a", "b"))
        return [(f"{found['head']} the {name} {found['tail']}?", []) for name in named]
    found = _EACH_EN.search(text)
    if not found:
        return None
    return [(f"{found['head']} the {found[s]} {found['tail']}?", []) for s in ("a", "b")]
