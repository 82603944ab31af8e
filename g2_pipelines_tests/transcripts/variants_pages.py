"""Calls with the heads, feet and numbers of pages within sentences and between turns.

Here: labels of some shapes crossed with what printers set at a page's edge. See ``variants``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

from g2_pipelines_tests.transcripts import variants, variants_en
from g2_pipelines_tests.transcripts.variants import Rendering, Said

TITLE = "白樺化学株式会社　2025年3月期　決算説明会　質疑の記録"
TITLE_EN = ("Shirakaba Chemical Co., Ltd. (SKCH)", "FY2024 Earnings Call", "14-May-2025")
EDGES: dict[str, tuple[str, ...]] = {
    "number": ("- {n} -",),
    "wide number": ("　　　　　　－{n}－",),
    "head and share": (TITLE, "{n} / 6"),
    "head with number": (TITLE + "　　　　　{n}",),
    "foot and head": ("", "{n}", "Copyright © 2025 白樺化学株式会社", TITLE, ""),
    "page word": ("{n}ページ", "", TITLE),
    "bare number": ("{n}",),
}
EDGES_EN: dict[str, tuple[str, ...]] = {
    "head, imprint, number": (*TITLE_EN, "1-800-555-0100   Copyright © 2025 Gatepost", "{n}"),
    "page of": ("Page {n} of 9",),
    "foot and head": ("", "{n}", "www.example.com", "", TITLE_EN[0], TITLE_EN[1], ""),
    "number in dashes": ("- {n} -", TITLE_EN[1]),
    "imprint and number": (
        "© 2025 Gatepost Transcripts. All rights reserved | {n}",
        "{n}",
        TITLE_EN[0],
    ),
}
#: So many characters of a turn are looked at: they stay on one line.
SHOWN = 14
LABELS: dict[str, Callable[[Said], str]] = {
    "colon": lambda s: f"{s.who.full}：",
    "circle": lambda s: f"○{s.who.full}　",
    "bracket": lambda s: f"【{s.who.full}】",
}


def _sided(said: Said, shape: str) -> str:
    side = {"question": "Q", "answer": "A"}.get(said.role)
    if side is None:
        return f"{said.who.full}: "
    return shape.format(q=side, who=said.who.full, house=said.who.house or "Shirakaba Chemical")


LABELS_EN: dict[str, Callable[[Said], str]] = {
    "colon": lambda s: f"{s.who.full}: ",
    "angle": lambda s: _sided(s, "<{q} – {who} – {house}>: "),
    "square": lambda s: _sided(s, "[{q} - {who}, {house}] "),
    "round": lambda s: _sided(s, "({q}) {who} – {house}: "),
    "joined": lambda s: _sided(s, "{q} – {who} – {house}: "),
    "colon within": lambda s: _sided(s, "<{q}: {who}> "),
    "stroke": lambda s: _sided(s, "[{q} | {who} | {house}]: "),
}


def _cut(words: str, at: str, begin: int) -> tuple[str, str]:
    middle = words.find(at, max(begin + SHOWN, len(words) // 2))
    return (words, "") if middle < 0 else (words[:middle].rstrip(), words[middle + 1 :])


def _body(
    turns: Sequence[Said],
    label: Callable[[Said], str],
    edge: Sequence[str],
    *,
    within: bool,
    latin: bool,
) -> str:
    lines: list[str] = []
    page = 1
    for order, said in enumerate(turns):
        words = label(said) + said.text
        if order % 3 == 1:
            head, rest = (
                _cut(words, " " if latin else "、", len(words) - len(said.text))
                if within
                else (words, "")
            )
            lines += [head, *(line.format(n=page) for line in edge), *([rest] if rest else [])]
            page += 1
        else:
            lines.append(words)
        if latin:
            lines.append("")
    return "\n".join(lines) + "\n"


def pages() -> Iterator[Rendering]:
    """A Japanese and an English call in every combination of label, page's edge and its place."""
    for (name, label), (kind, edge), within in product(
        LABELS.items(), EDGES.items(), (True, False)
    ):
        body = _body(variants.CALL, label, edge, within=within, latin=False)
        yield Rendering(f"pages/{name}/{kind}/{within}", f"{TITLE}\n\n{body}", variants.CALL)
    for (name, label), (kind, edge), within in product(
        LABELS_EN.items(), EDGES_EN.items(), (True, False)
    ):
        body = _body(variants_en.CALL, label, edge, within=within, latin=True)
        head = "\n".join(TITLE_EN)
        yield Rendering(f"pages/{name}/{kind}/{within}", f"{head}\n\n{body}", variants_en.CALL)
