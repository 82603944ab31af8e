"""Digests, hosted calls and interviews rendered with marks for question and answer.

Here: the second half of ``variants``: marks in every shape and numbering, bullets, officers
named with the mark, hosts beside marks, interviews. See ``variants``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

from g2_pipelines_tests.transcripts.variants import (
    CALL,
    PRESENTATION_HEADS,
    QA_HEADS,
    TITLES,
    Label,
    Rendering,
    Said,
    circle,
)

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
    **{f"{g} wide space": circle(g, "　") for g in "○◯●◎■◆□"},
    **{f"{g} colon": circle(g, "：") for g in "○●■◆▼"},
    **{f"{g} next line": circle(g, "\n") for g in "○●■"},
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
