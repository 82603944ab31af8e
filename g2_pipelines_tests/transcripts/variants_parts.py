"""Calls rendered with what stands around their turns: rosters, topics, timelines, restated questions.

Here: generators of renderings beside those of ``variants``; the dialogues are its own, longer
by a question that the host says again, one that nobody answers, and answers of several
paragraphs. See ``variants``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

from g2_pipelines_tests.transcripts.variants import (
    CALL,
    CHIEF,
    FIRST,
    HOST,
    MONEY,
    SECOND,
    THIRD,
    TITLES,
    Person,
    Rendering,
    Said,
)
from g2_pipelines_tests.transcripts.variants_en import CALL as CALL_EN

RELATIONS = Person("小野寺", "小野寺 誠", "IR室長", "", "moderator")
#: The same call with a question that the host says again, an opinion, and a request.
LONG = [
    *CALL[:13],
    Said(THIRD, "question", 4, "すみません、配当を据え置いた理由をもう少し詳しく伺えますか。"),
    Said(
        HOST,
        "moderator",
        None,
        "配当を据え置いた理由についてのご質問ですね。榊原からお答えします。",
    ),
    Said(
        MONEY,
        "answer",
        4,
        "投資を優先するためです。\n次に配当性向ですが、30％を保ちます。\nなお、下限は設けておりません。",
    ),
    Said(HOST, "moderator", None, "ほかにございますか。では、後ろの列の方、お願いします。"),
    Said(
        FIRST,
        "question",
        5,
        "質問というより要望です。若い人に会社を知ってもらう催しを、ぜひ増やしていただきたい。ご回答は結構です。",
    ),
    Said(HOST, "moderator", None, "ありがとうございます。次の方、どうぞ。"),
    Said(
        SECOND, "question", 6, "先ほどの新しい工場に関連して、補助金の入金の時期を教えてください。"
    ),
    Said(CHIEF, "answer", 6, "来年の10月を見込んでおります。"),
    *CALL[-1:],
]

WORDS: dict[str, Callable[[Person], str]] = {
    "family": lambda p: p.family,
    "title": lambda p: f"{p.house}{p.title}" if p.house else p.title,
    "title family": lambda p: f"{p.house or p.title} {p.family}",
    "family（title）": lambda p: f"{p.family}（{p.house or p.title}）",
}
SHAPES: dict[str, Callable[[str], str]] = {
    "colon": lambda label: f"{label}：",
    "round": lambda label: f"（{label}）",
    "lenticular": lambda label: f"【{label}】",
    "circle": lambda label: f"○{label}　",
    "wide space": lambda label: f"{label}　",
    "next line": lambda label: f"{label}\n",
}
LEADERS = (
    "司会",
    "司会者",
    "IR室長",
    "IR部長",
    "広報・IR部長",
    "ＩＲ担当",
    "広報部長",
    "事務局",
    "進行",
    "IR・広報室",
)


def _as(title: str, call: Sequence[Said]) -> list[Said]:
    """The call with a host of that title."""
    host = RELATIONS._replace(title=title)
    return [s._replace(who=host) if s.who is HOST else s for s in call]


def leaders() -> Iterator[Rendering]:
    """Whoever leads has a company's title; a question is said again, another is none."""
    for title, (words, label), (sign, shape) in product(LEADERS, WORDS.items(), SHAPES.items()):
        if ("（" in label(MONEY) and "round" in sign) or (" " in label(FIRST) and sign == "circle"):
            continue
        if words == "family":
            continue  # who leads is then told by a roster: see ``rosters``
        call = _as(title, LONG)
        show = [title if s.who.family == "小野寺" else label(s.who) for s in call]
        body = "\n".join(shape(w) + s.text for w, s in zip(show, call, strict=True))
        yield Rendering(f"leaders/{title}/{words}/{sign}", f"{TITLES}\n{body}\n", call)


ROSTERS = (
    "出席者\n　代表取締役社長　三枝 一郎\n　取締役CFO　榊原 美和\n　司会　小野寺 誠\n",
    "出席者：代表取締役社長 三枝 一郎、取締役CFO 榊原 美和\n司会：IR室長 小野寺 誠\n",
    "登壇者\n三枝 一郎（代表取締役社長）\n榊原 美和（取締役CFO）\n\n司会　小野寺 誠\n",
    "【登壇者】代表取締役社長 三枝 一郎／取締役CFO 榊原 美和\n【司会】小野寺 誠\n",
    "日時：2025年5月12日\n場所：本社\n説明者：三枝 一郎、榊原 美和\n進行：小野寺 誠\n",
)


def rosters() -> Iterator[Rendering]:
    """Names alone below a list of those present."""
    call = _as("司会", LONG)
    for number, (sign, shape), gap in product(range(len(ROSTERS)), SHAPES.items(), ("\n", "\n\n")):
        body = gap.join(shape(s.who.family) + s.text for s in call)
        text = f"{TITLES}\n{ROSTERS[number]}\n{body}\n"
        yield Rendering(f"rosters/{number}/{sign}/{len(gap)}", text, call)


TOPICS = (
    "【{}】",
    "＜{}＞",
    "■{}",
    "◆{}",
    "[{}]",
    "《{}》",
    "〔{}〕",
    "1. {}",
    "（1）{}",
    "■ {}について",
)
DIGEST = [s for s in LONG if s.role in ("question", "answer") and not s.text.startswith("よく分か")]
DIGEST_MARKS = (
    ("Q：", "A："),
    ("Ｑ．", "Ａ．"),
    ("Q{n}：", "A{n}："),
    ("Q{n}-1. ", "A{n}-1. "),
    ("問）", "答）"),
    ("（問）", "（答）"),
    ("【質問】", "【回答】"),
    ("質問{n}　", "回答{n}　"),
    ("Q{n}\n", "A{n}\n"),
    ("〇質問：", "〇回答："),
)


def topics() -> Iterator[Rendering]:
    """Headings by topic between questions and answers."""
    # Nobody is named: the opinion and what follows it, unanswered, are left out.
    digest = [s for s in DIGEST if s.chunk != 5]
    for head, (q, a), gap in product(TOPICS, DIGEST_MARKS, ("\n", "\n\n")):
        parts, seen = [TITLES, "質疑応答"], 0
        for said in digest:
            if said.role == "question" and (said.chunk or 0) != seen:
                seen = said.chunk or 0
                if seen in (1, 3, 6):
                    topic = {1: "業績の状況", 3: "設備投資", 6: "その他"}[seen]
                    parts.append(head.format(topic))
            mark = q if said.role == "question" else a
            parts.append(mark.replace("{n}", str(seen)) + said.text)
        text = gap.join(parts) + "\n"
        yield Rendering(f"topics/{head}/{q!r}/{len(gap)}", text, digest)


def timelines() -> Iterator[Rendering]:
    """A press conference as a list of times with its questions numbered below each other."""
    third = Person("ヒムロ", "ヒムロ", "記者", "白鷺新聞", "question")
    fourth = Person("タガミ", "タガミ", "記者", "テレビ白浜", "question")
    press = [
        Said(CHIEF, "presenter", 0, "三枝社長 おわびと経緯の説明"),
        Said(MONEY, "presenter", 0, "榊原CFO 原因の説明"),
        Said(third, "question", 1, "白鷺新聞 ヒムロ記者 原因をいつ把握したのか"),
        Said(CHIEF, "answer", 1, "三枝社長 9月12日に把握した"),
        Said(MONEY, "answer", 1, "榊原CFO 公表の基準に沿った"),
        Said(third, "question", 2, "質問2 取引先への補償はどうするのか"),
        Said(MONEY, "answer", 2, "榊原CFO 個別に協議している"),
        Said(fourth, "question", 3, "テレビ白浜 タガミ記者 社長の進退"),
        Said(fourth, "question", 3, "質問2 役員の報酬"),
        Said(CHIEF, "answer", 3, "三枝社長 責任を果たす"),
    ]
    trees = (("┝ ", "└ "), ("├ ", "└ "), ("├", "└"), ("┣ ", "┗ "), ("  ┝ ", "  └ "))
    for (tree, last), tagged, clock in product(trees, ("（{}）", "({})"), ("{}:{:02}:{:02}",)):
        lines = []
        for order, said in enumerate(press):
            at = clock.format(order // 4, order * 7 % 60, order * 11 % 60)
            following = press[order + 1] if order + 1 < len(press) else None
            ends = following is None or following.text.startswith(("白鷺", "テレビ"))
            tag = tagged.format("質問" if said.role == "question" else "回答")
            if said.role == "presenter":
                lines.append(f"{at} {said.text}")
            elif said.text.startswith("質問2"):
                lines.append(f"{at} {tree}{said.text}")
            elif said.role == "question":
                lines.append(f"{at} {tag}{said.text}")
            else:
                lines.append(f"{at} {last if ends else tree}{tag}{said.text}")
        text = f"{TITLES}\n" + "\n".join(lines) + "\n"
        yield Rendering(f"timelines/{tree!r}/{tagged}", text, press)


ROSTERS_EN = (
    "Company Participants\n{chief}{gap}{ceo}\n{money}{gap}{cfo}\n\nConference Call Participants\n"
    "{first}{gap}{one}\n{second}{gap}{two}\n",
    "CORPORATE PARTICIPANTS\n{chief}{gap}Shirakaba Chemical Co., Ltd. - {ceo}\n{money}{gap}Shirakaba Chemical Co., Ltd. - {cfo}\n\n"
    "CONFERENCE CALL PARTICIPANTS\n{first}{gap}{one} - Analyst\n{second}{gap}{two} - Analyst\n",
    "Executives\n{chief}{gap}{ceo}\n{money}{gap}{cfo}\n\nAnalysts\n{first}{gap}{one}\n{second}{gap}{two}\n",
    "Corporate Participants:\n* {chief}{gap}{ceo}\n* {money}{gap}{cfo}\nConference Call Participants:\n"
    "* {first}{gap}{one}\n* {second}{gap}{two}\n",
)


def rosters_en() -> Iterator[Rendering]:
    """English calls below each publisher's roster: names alone, with titles, with numbers."""
    people = {s.who.family: s.who for s in CALL_EN}
    chief, money = people["Saegusa"], people["Sakakibara"]
    first, second = people["Whitlock"], people["Dahl"]
    shapes: dict[str, Callable[[Person, int], str]] = {
        "alone": lambda p, n: p.full,
        "alone, numbered": lambda p, n: f"{p.full} [{n}]",
        "upper": lambda p, n: f"{p.full.upper()}",
        "wide gap": lambda p, n: f"{p.full}  {p.house or p.title}" if p.title else p.full,
        "house - title [n]": lambda p, n: (
            f"{p.full}, {p.house or 'Shirakaba Chemical Co., Ltd.'} - {p.title} [{n}]"
            if p.title
            else f"{p.full} [{n}]"
        ),
        "[interpreted]": lambda p, n: f"{p.full}\n[Interpreted]",
    }
    for number, by, (sign, shape), parts in product(
        range(len(ROSTERS_EN)), (" - ", ", ", " -- ", "  "), shapes.items(), (True, False)
    ):
        roster = ROSTERS_EN[number].format(
            chief=chief.full,
            money=money.full,
            first=first.full,
            second=second.full,
            ceo=chief.title,
            cfo=money.title,
            one=first.house,
            two=second.house,
            gap=by,
        )
        lines = ["Shirakaba Chemical FY2024 Earnings Call", "", roster, *(["PRESENTATION"] * parts)]
        for order, said in enumerate(CALL_EN, 1):
            if parts and order == 3:
                lines.append("QUESTIONS AND ANSWERS\n")
            lines.append(f"{shape(said.who, order)}\n{said.text}\n")
        yield Rendering(
            f"rosters_en/{number}/{by}/{sign}/{parts}", "\n".join(lines) + "\n", CALL_EN
        )
