"""One call rendered in every way in which people write a call down.

Here: two canonical dialogues, their gold, and generators of renderings: the label's words,
its brackets, bullets, separators, numbers, time marks and the headings vary, the dialogue
does not. What a parse must give is therefore known without looking at it. Invented companies
and people only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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


def _circle(glyph: str, separator: str) -> Callable[[str], str]:
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
    **{f"{g} wide space": _circle(g, "　") for g in "○〇◯◎●◆◇■□◉▼"},
    **{f"{g} half space": _circle(g, " ") for g in "○◯●"},
    **{f"{g} colon": _circle(g, "：") for g in "○◯●■"},
    **{f"{g} next line": _circle(g, "\n") for g in "○〇◯●◆"},
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


PAIRS = (
    ("問", "答"),
    ("Q", "A"),
    ("Ｑ", "Ａ"),
    ("質問", "回答"),
    ("質", "答"),
    ("質問者", "回答者"),
    ("Question", "Answer"),
    ("ご質問", "ご回答"),
    ("問い", "答え"),
)
MARKS: dict[str, Callable[[str], str]] = {
    "closing": lambda m: f"{m}）　",
    "half closing": lambda m: f"{m}) ",
    "closing, next line": lambda m: f"{m}）\n",
    "closing, blank line": lambda m: f"{m}）\n\n",
    "round": lambda m: f"（{m}）",
    "half round": lambda m: f"({m}) ",
    "round, next line": lambda m: f"（{m}）\n",
    "lenticular": lambda m: f"【{m}】",
    "lenticular, next line": lambda m: f"【{m}】\n",
    "square": lambda m: f"[{m}] ",
    "wide square": lambda m: f"［{m}］",
    "tortoise": lambda m: f"〔{m}〕",
    "angle": lambda m: f"<{m}> ",
    "wide angle": lambda m: f"＜{m}＞",
    "double angle": lambda m: f"《{m}》",
    "colon": lambda m: f"{m}：",
    "half colon": lambda m: f"{m}: ",
    "spaced colon": lambda m: f"{m} : ",
    "colon, next line": lambda m: f"{m}：\n",
    "stop": lambda m: f"{m}．",
    "half stop": lambda m: f"{m}. ",
    "wide space": lambda m: f"{m}　",
    "half space": lambda m: f"{m} ",
    "alone": lambda m: f"{m}\n",
    "bold": lambda m: f"**{m}** ",
    "bold stop": lambda m: f"**{m}.** ",
    "bold colon": lambda m: f"**{m}：** ",
    "list closing": lambda m: f"- {m}) ",
    "list colon": lambda m: f"- {m}：",
    "flattened list": lambda m: f"- {m})\n-\n",
    "slash": lambda m: f"{m}／",
    "hyphen": lambda m: f"{m} - ",
    "comma": lambda m: f"{m}、",
    **{f"{g} wide space": _circle(g, "　") for g in "○◯●◎■◆□"},
    **{f"{g} colon": _circle(g, "：") for g in "○●■◆▼"},
    **{f"{g} next line": _circle(g, "\n") for g in "○●■"},
}
MIXED_BULLETS = (
    ("○", "●"),
    ("◯", "●"),
    ("〇", "●"),
    ("■", "□"),
    ("◆", "◇"),
    ("▼", "▽"),
    ("◎", "○"),
)
NUMBERS: dict[str, Callable[[int, int], str]] = {
    "none": lambda n, k: "",
    "1": lambda n, k: f"{n}",
    "1 or 1-2": lambda n, k: f"{n}" if k == 1 else f"{n}-{k}",
    "1-1": lambda n, k: f"{n}-{k}",
    "1−1": lambda n, k: f"{n}−{k}",
    "１－１": lambda n, k: (f"{n}－{k}").translate(
        str.maketrans("123456789", "１２３４５６７８９")
    ),
    "1.1": lambda n, k: f"{n}.{k}",
    "①": lambda n, k: "①②③④⑤⑥"[n - 1],
    "１": lambda n, k: "１２３４５６"[n - 1],
    " 1": lambda n, k: f" {n}",
}
#: Digests hold no moderator and no closing thanks; the follow-up is a branch.
DIGEST = [s for s in CALL if s.role != "moderator" and not s.text.startswith("よく分かり")]


def _numbers(turns: Sequence[Said]) -> dict[int, tuple[int, int]]:
    """Chunk to question number and branch: the follow-up (2) is a branch of 1."""
    return {1: (1, 1), 2: (1, 2), 3: (2, 1), 4: (3, 1), 5: (4, 1)}


def _digest(
    label: Callable[[Said, int, int], str], *, head: str, presented: str, gap: str = "\n"
) -> str:
    parts = [TITLES]
    for index, said in enumerate(DIGEST):
        if said.role == "presenter":
            parts += [presented, said.text] if presented else []
            parts.append(head)
            continue
        number, branch = _numbers(DIGEST)[said.chunk or 1]
        parts.append(label(said, number, branch) + said.text)
        del index
    return gap.join(parts) + "\n"


def _digest_turns(presented: str) -> list[Said]:
    return [s for s in DIGEST if presented or s.role != "presenter"]


def marked() -> Iterator[Rendering]:
    """Question and answer marks in every shape and numbering, under headings."""
    combos = product(PAIRS, MARKS.items(), NUMBERS.items())
    for index, ((q, a), (sign, mark), (numbering, number)) in enumerate(combos):
        if ("comma" in sign or "slash" in sign) and q in (
            "質問",
            "ご質問",
            "問い",
            "質",
            "Question",
        ):
            continue
        if numbering == "1.1" and "stop" in sign:
            continue
        head = QA_HEADS[index % len(QA_HEADS)]
        presented = (*PRESENTATION_HEADS, "")[index % (len(PRESENTATION_HEADS) + 1)]
        gap = "\n" if index % 3 else "\n\n"

        def label(
            said: Said,
            n: int,
            k: int,
            q: str = q,
            a: str = a,
            mark: Callable[[str], str] = mark,
            number: Callable[[int, int], str] = number,
        ) -> str:
            return mark((q if said.role == "question" else a) + number(n, k))

        text = _digest(label, head=head, presented=presented, gap=gap)
        name = f"marked/{q}/{sign}/{numbering}/{head}/{presented}/{len(gap)}"
        yield Rendering(name, text, _digest_turns(presented))


def bullets() -> Iterator[Rendering]:
    """A bullet for the question, another for the answer, with and without words."""
    words = (("質問", "回答"), ("問", "答"), ("Q", "A"), ("質問者", "回答者"), ("質問者", "会社側"))
    for (one, other), (q, a), separator in product(MIXED_BULLETS, words, ("　", " ", "：", "\n")):

        def label(
            said: Said,
            n: int,
            k: int,
            one: str = one,
            other: str = other,
            q: str = q,
            a: str = a,
            separator: str = separator,
        ) -> str:
            del n, k
            return (one + q if said.role == "question" else other + a) + separator

        text = _digest(label, head="【質疑応答】", presented="【決算説明】")
        yield Rendering(f"bullets/{one}{q}/{other}{a}/{separator!r}", text, DIGEST)


def officers() -> Iterator[Rendering]:
    """Marks that say who asks and answers: 「A（社長）：」, 「答（三枝）」, 「A　取締役」."""
    shapes: dict[str, Callable[[str, str], str]] = {
        "m（w）：": lambda m, w: f"{m}（{w}）：",
        "m（w）　": lambda m, w: f"{m}（{w}）　",
        "m(w): ": lambda m, w: f"{m}({w}): ",
        "m：（w）": lambda m, w: f"{m}：（{w}）",
        "m.（w） ": lambda m, w: f"{m}.（{w}） ",
        "m. (w) ": lambda m, w: f"{m}. ({w}) ",
        "**m.（w）** ": lambda m, w: f"**{m}.（{w}）** ",
        "**m**（w）": lambda m, w: f"**{m}**（{w}）",
        "m）（w）": lambda m, w: f"{m}）（{w}）",
        "（m：w）": lambda m, w: f"（{m}：{w}）",
        "【m：w】": lambda m, w: f"【{m}：{w}】",
        "【m】w　": lambda m, w: f"【{m}】{w}　",
        "【m】w\n": lambda m, w: f"【{m}】{w}\n",
        "【m（w）】": lambda m, w: f"【{m}（{w}）】",
        "m　w\n": lambda m, w: f"{m}　{w}\n",
        "m：w\n": lambda m, w: f"{m}：{w}\n",
        "m（w）\n": lambda m, w: f"{m}（{w}）\n",
        "m w：": lambda m, w: f"{m} {w}：",
        "m［w］": lambda m, w: f"{m}［{w}］",
        "[m] w: ": lambda m, w: f"[{m}] {w}: ",
        "w（m）：": lambda m, w: f"{w}（{m}）：",
        "m・w：": lambda m, w: f"{m}・{w}：",
        "m - w\n": lambda m, w: f"{m} - {w}\n",
        "m／w\n": lambda m, w: f"{m}／{w}\n",
        "m／w：": lambda m, w: f"{m}／{w}：",
    }
    pairs = (("問", "答"), ("Q", "A"), ("質問", "回答"), ("質問者", "回答者"), ("Ｑ", "Ａ"))
    whoms: dict[str, Label] = {
        "title": lambda p: p.house or p.title,
        "family": lambda p: p.family,
        "both": lambda p: f"{p.house or p.title} {p.family}",
    }
    for (q, a), (sign, shape), (words, whom), both in product(
        pairs, shapes.items(), whoms.items(), (True, False)
    ):

        def label(
            said: Said,
            n: int,
            k: int,
            q: str = q,
            a: str = a,
            shape: Callable[[str, str], str] = shape,
            whom: Label = whom,
            both: bool = both,
        ) -> str:
            del n, k
            if said.role == "question" and not both:
                return shape(q, "").replace("（）", "").replace("()", "").replace("［］", "")
            return shape(q if said.role == "question" else a, whom(said.who))

        if not both and sign not in ("m（w）：", "m(w): ", "m.（w） ", "**m.（w）** ", "m（w）\n"):
            continue
        if sign in ("m：w\n", "【m】w　") and words == "family":
            continue  # two Chinese characters there are a topic as well
        text = _digest(label, head="【質疑応答】", presented="【決算説明】")
        yield Rendering(f"officers/{q}/{sign}/{words}/{both}", text, DIGEST)


def hosted() -> Iterator[Rendering]:
    """A whole call with marks for question and answer, and the host and presenter by words."""
    hosts = ("司会", "司会者", "進行", "事務局", "IR担当")
    shown = ("説明", "社長", "発表", "説明（三枝）", "三枝社長")
    shapes = ("closing", "half closing", "round", "lenticular", "colon", "half colon", "wide space")
    shapes += (
        "closing, next line",
        "lenticular, next line",
        "square",
        "○ wide space",
        "bold colon",
    )
    for host, present, sign, (q, a) in product(hosts, shown, shapes, PAIRS[:4]):
        mark = MARKS[sign]
        if "（" in present and ("round" in sign or "closing" in sign):
            continue
        word = {"moderator": host, "presenter": present, "question": q, "answer": a}
        body = "\n".join(mark(word[s.role]) + s.text for s in CALL)
        yield Rendering(f"hosted/{host}/{present}/{sign}/{q}", f"{TITLES}\n{body}\n", CALL)


def interviews() -> Iterator[Rendering]:
    """Dashes before the questions; answers by name or without any label."""
    dashes = ("――", "ーー", "──", "—", "――　", "── ", "－－", "--", "――――", "＞＞")
    turns = [
        s._replace(role="answer" if s.role == "presenter" else s.role)
        for s in DIGEST
        if s.role != "presenter"
    ]
    for dash, answers in product(dashes, ("none", "family", "colon", "title")):
        lines = []
        for said in turns:
            if said.role == "question":
                lines.append(dash + said.text)
            elif answers == "none":
                if lines and not lines[-1].startswith(dash):
                    lines[-1] += "\n" + said.text
                else:
                    lines.append(said.text)
            else:
                word = said.who.title if answers == "title" else said.who.family
                lines.append(word + ("　" if answers == "family" else "：") + said.text)
        kept = turns if answers != "none" else [s for s in turns if s is not turns[2]]
        yield Rendering(
            f"interview/{dash}/{answers}", "対談　化学の先に\n\n" + "\n".join(lines), kept
        )
