"""One call rendered in every way in which people write a call down.

Here: two canonical dialogues, their gold, and generators of renderings: the label's words,
its brackets, bullets, separators, numbers, time marks and the headings vary, the dialogue
does not. What a parse must give is therefore known without looking at it. Invented companies
and people only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple


class Person(NamedTuple):
    """Name, title and house of somebody; ``side`` is his role in the Q&A."""

    family: str
    full: str
    title: str
    house: str
    side: str


class Said(NamedTuple):
    """A turn: who says it in which role, and the number of its chunk (None: in none)."""

    who: Person
    role: str
    chunk: int | None
    text: str


class Rendering(NamedTuple):
    """A transcript and its gold: roles in order, and the turns of each chunk."""

    name: str
    text: str
    turns: list[Said]


HOST = Person("小野寺", "小野寺 誠", "司会", "", "moderator")
CHIEF = Person("三枝", "三枝 一郎", "代表取締役社長", "", "answer")
MONEY = Person("榊原", "榊原 美和", "取締役CFO", "", "answer")
FIRST = Person("田所", "田所 進", "アナリスト", "北星証券", "question")
SECOND = Person("森本", "森本 薫", "アナリスト", "東都アセットマネジメント", "question")
THIRD = Person("有働", "有働 圭", "記者", "港新聞社", "question")

CALL = [
    Said(
        HOST,
        "moderator",
        None,
        "定刻となりましたので、白樺化学の決算説明会を始めます。はじめに社長よりご説明し、そのあと質疑応答の時間を設けます。",
    ),
    Said(
        CHIEF,
        "presenter",
        0,
        "本日はお集まりいただき、ありがとうございます。売上高は512億円で、前の期を6％上回りました。\n"
        "次に見通しです。今期は530億円を計画しております。説明は以上です。",
    ),
    Said(
        HOST,
        "moderator",
        None,
        "ありがとうございました。それでは質疑応答に移ります。最初の方、お願いします。",
    ),
    Said(
        FIRST,
        "question",
        1,
        "ご説明ありがとうございました。2点伺います。1点目は樹脂の値上げの進み具合です。2点目は在庫の水準を教えてください。",
    ),
    Said(CHIEF, "answer", 1, "値上げは9月に終えました。お客様にはご理解をいただいております。"),
    Said(MONEY, "answer", 1, "在庫は2.1か月分まで下がりました。適正な水準と考えております。"),
    Said(
        FIRST, "question", 2, "在庫について関連してですが、来期はどこまで下げるお考えでしょうか。"
    ),
    Said(MONEY, "answer", 2, "2か月分を割るところまでは下げません。"),
    Said(HOST, "moderator", None, "次の方、どうぞ。"),
    Said(SECOND, "question", 3, "設備投資を伺います。新しい工場の立ち上がりはいかがですか。"),
    Said(
        CHIEF,
        "answer",
        3,
        "計画どおりです。来年の4月に量産を始めます。\n人の手当ても終わりました。",
    ),
    Said(SECOND, "question", 3, "よく分かりました。ありがとうございました。"),
    Said(HOST, "moderator", None, "続いて、オンラインの方のご質問をお受けします。お願いします。"),
    Said(THIRD, "question", 4, "配当を据え置いた理由は何でしょうか。"),
    Said(MONEY, "answer", 4, "投資を優先するためです。配当性向は30％を保ちます。"),
    Said(
        HOST,
        "moderator",
        None,
        "以上をもちまして説明会を終了いたします。本日はありがとうございました。",
    ),
]

Label = Callable[[Person], str]

TITLES = "白樺化学株式会社　2025年3月期　決算説明会"
QA_HEADS = (
    "【質疑応答】",
    "■質疑応答",
    "2．質疑応答",
    "質疑応答",
    "＜質疑応答＞",
    "― 質疑応答 ―",
    "Q&A",
)
QA_HEADS += (
    "Ｑ＆Ａ",
    "3. Q&A",
    "【主な質疑応答】",
    "◆ 質疑応答（要旨）",
    "［質疑応答の概要］",
    "第2部 質疑応答",
)
PRESENTATION_HEADS = (
    "【決算説明】",
    "■決算説明",
    "1．決算説明",
    "決算説明",
    "＜説明＞",
    "― 決算説明 ―",
)
PRESENTATION_HEADS += (
    "プレゼンテーション",
    "【冒頭発言】",
    "1. 説明",
    "【社長挨拶】",
    "◆ 説明要旨",
)
PRESENTATION_HEADS += ("［説明の概要］", "第1部 決算説明")


def _house_name(p: Person) -> str:
    return f"{p.house} {p.family}様" if p.house else p.family


NAMES: dict[str, Label] = {
    "family": lambda p: p.title if p is HOST else p.family,
    "full": lambda p: p.title if p is HOST else p.full,
    "title": lambda p: f"{p.house}{p.title}" if p.house else p.title,
    "family+title": lambda p: (
        p.title if p is HOST else f"{p.family}{'様' if p.house else p.title[-2:]}"
    ),
    "title（family）": lambda p: p.title if p is HOST else f"{p.house or p.title}（{p.family}）",
    "family（title）": lambda p: f"{p.family}（{p.house or p.title}）",
    "family(title)": lambda p: f"{p.family}({p.house or p.title})",
    "family氏（title）": lambda p: f"{p.family}{'氏' if p.house else ''}（{p.house or p.title}）",
    "title・family": lambda p: p.title if p is HOST else f"{p.house or p.title}・{p.family}",
    "house family様": lambda p: p.title if p is HOST else _house_name(p),
    "title family": lambda p: p.title if p is HOST else f"{p.house or p.title} {p.family}",
    "numbered": lambda p: (
        p.title
        if p is HOST
        else f"質問者{'ABC'[(FIRST, SECOND, THIRD).index(p)]}"
        if p.house
        else p.title
    ),
    "numbered digit": lambda p: (
        p.title
        if p is HOST
        else f"質問者{1 + (FIRST, SECOND, THIRD).index(p)}"
        if p.house
        else p.title
    ),
    "family さん": lambda p: "司会者" if p is HOST else f"{p.family}さん" if p.house else p.family,
    "house only": lambda p: p.title if p is HOST else p.house or p.title,
}


def circle(glyph: str, separator: str) -> Callable[[str], str]:
    return lambda label: f"{glyph}{label}{separator}"


SHAPES: dict[str, Callable[[str], str]] = {
    "colon": lambda label: f"{label}：",
    "half colon": lambda label: f"{label}: ",
    "spaced colon": lambda label: f"{label} ： ",
    "colon, next line": lambda label: f"{label}：\n",
    "wide space": lambda label: f"{label}　",
    "two wide spaces": lambda label: f"{label}　　",
    "tab": lambda label: f"{label}\t",
    "round": lambda label: f"（{label}）",
    "round, next line": lambda label: f"（{label}）\n",
    "half round": lambda label: f"({label}) ",
    "lenticular": lambda label: f"【{label}】",
    "lenticular, next line": lambda label: f"【{label}】\n",
    "square": lambda label: f"[{label}] ",
    "wide square": lambda label: f"［{label}］　",
    "tortoise": lambda label: f"〔{label}〕",
    "angle": lambda label: f"<{label}> ",
    "wide angle": lambda label: f"＜{label}＞",
    "double angle": lambda label: f"《{label}》",
    "closing": lambda label: f"{label}）　",
    "half closing": lambda label: f"{label}) ",
    "alone": lambda label: f"{label}\n",
    "slash": lambda label: f"{label}／",
    "bar": lambda label: f"{label} | ",
    "bold": lambda label: f"**{label}** ",
    "bold colon": lambda label: f"**{label}：** ",
    "dot": lambda label: f"・{label}：",
    "hyphen": lambda label: f"- {label}：",
    **{f"{g} wide space": circle(g, "　") for g in "○〇◯◎●◆◇■□◉▼"},
    **{f"{g} half space": circle(g, " ") for g in "○◯●"},
    **{f"{g} colon": circle(g, "：") for g in "○◯●■"},
    **{f"{g} next line": circle(g, "\n") for g in "○〇◯●◆"},
}

TIMES: dict[str, Callable[[str, str], str]] = {
    "[h:mm:ss] before": lambda label, at: f"[{at}] {label}",
    "h:mm:ss before": lambda label, at: f"{at} {label}",
    "【mm:ss】 before": lambda label, at: f"【{at[2:]}】{label}",
    "(h:mm:ss) before": lambda label, at: f"({at}) {label}",
    "line above": lambda label, at: f"{at}\n{label}",
    "bracket line above": lambda label, at: f"[{at}]\n{label}",
}
BEHIND = (
    lambda label, at: f"{label} {at}\n",
    lambda label, at: f"{label} [{at}]\n",
    lambda label, at: f"{label}　（{at}）\n",
    lambda label, at: f"{label} ({at}): ",
    lambda label, at: f"{label}【{at}】",
)


def _at(order: int) -> str:
    return f"0:{order:02d}:{order * 7 % 60:02d}"


def named() -> Iterator[Rendering]:
    """Every turn has a label: the speaker's words in every shape."""
    for (words, label), (sign, shape) in product(NAMES.items(), SHAPES.items()):
        # A bracket within the same bracket, or two spaces of which one parts: nobody writes so.
        if ("(" in label(MONEY) and "round" in sign) or (
            "（" in label(MONEY) and sign == "closing"
        ):
            continue
        if "（" in label(MONEY) and ("round" in sign or "closing" in sign):
            continue
        if "(" in label(MONEY) and "closing" in sign:
            continue
        if " " in label(FIRST) and "half space" in sign:
            continue
        for gap in ("\n", "\n\n"):
            body = gap.join(f"{shape(label(s.who))}{s.text}" for s in CALL)
            yield Rendering(f"named/{words}/{sign}/{len(gap)}", f"{TITLES}\n{gap}{body}\n", CALL)


def timed() -> Iterator[Rendering]:
    """Labels with a time mark before, above or behind them."""
    shapes = ("colon", "half colon", "wide space", "lenticular", "○ wide space", "alone")
    for words, (when, mark), sign in product(
        ("family", "full", "title", "numbered", "family（title）"), TIMES.items(), shapes
    ):
        lines = [
            mark(SHAPES[sign](NAMES[words](s.who)), _at(i)) + s.text for i, s in enumerate(CALL)
        ]
        yield Rendering(f"timed/{words}/{when}/{sign}", f"{TITLES}\n\n" + "\n".join(lines), CALL)
    for words, (number, behind) in product(("family", "full", "title"), enumerate(BEHIND)):
        lines = [behind(NAMES[words](s.who), _at(i)) + s.text for i, s in enumerate(CALL)]
        yield Rendering(f"behind/{words}/{number}", f"{TITLES}\n\n" + "\n".join(lines), CALL)
