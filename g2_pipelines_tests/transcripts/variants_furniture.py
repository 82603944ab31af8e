"""Calls rendered with what publishers set around and between the turns.

Here: rosters, notes, contents, page numbers, running heads, addresses and copyright lines,
crossed with shapes of labels; timelines whose entries have a tag, in several brackets and with
several signs behind the names. What is no turn must not become one. See ``variants``.
"""

from __future__ import annotations

from collections.abc import Iterator
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
)
from g2_pipelines_tests.transcripts.variants_parts import SHAPES, WORDS

#: What stands above the first words.
HEADS = {
    "date and place": "日時：2025年5月14日（水）16:00～17:00\n場所：本社 8階会議室\n",
    "spaced date": "日　時　2025年5月14日（水）\n会　場　本社講堂\n",
    "roster": "登壇者\n　代表取締役社長　三枝 一郎\n　取締役CFO　榊原 美和\n",
    "alias roster": "［登壇者］　2名\n　　代表取締役社長　三枝 一郎（以下、三枝）\n　　取締役CFO　榊原 美和（以下、榊原）\n",
    "note": "本資料は、説明会の内容を読みやすさのために一部編集し、掲載しています。\n",
    "star note": "※敬称は略しています。\n※所属と肩書は開催当時のものです。\n",
    "published": "白樺化学株式会社\n（2025年5月20日、当社ウェブサイトに掲載）\n",
    "contents": "目次\n1．決算説明\n2．質疑応答\n",
    "page": "ページ 1/3\n白樺化学株式会社　IR室\n",
    "address": "https://www.example.invalid/ir/\nTEL：00-0000-0000\n",
}
#: What stands behind the last.
FEET = {
    "end": "以　上\n",
    "disclaimer": "【免責事項】\n本資料の見通しは、作成時の情報に基づくものです。実際の結果と異なることがあります。\n",
    "copyright": "Copyright (C) Shirakaba Chemical. All rights reserved.\n",
    "contact": "お問い合わせ先：IR室\nTEL：00-0000-0000\n",
    "notes": "※本記録の無断転載を禁じます。\n",
}
#: Lines between two turns.
BETWEEN = {
    "nothing": "",
    "page number": "- 2 -\n",
    "stage": "（拍手）\n",
    "rule": "――――――――――\n",
}
TAGS = {
    "moderator": ("進行", "司会"),
    "presenter": ("説明", "説明"),
    "question": ("質問", "質問"),
    "answer": ("回答", "回答"),
}
BRACKETS = ("()", "（）", "[]", "［］", "【】", "＜＞")
SIGNS = ("　", "／", "：", "　　")


def furniture() -> Iterator[Rendering]:
    """The call with heads, feet and lines between, in every shape of label."""
    for (words, label), (sign, shape), (above, head), (below, foot), (amid, between) in product(
        WORDS.items(), SHAPES.items(), HEADS.items(), FEET.items(), BETWEEN.items()
    ):
        if ("（" in label(MONEY) and sign == "round") or (" " in label(MONEY) and sign == "circle"):
            continue
        lines = [f"{shape(label(s.who))}{s.text}\n" for s in CALL]
        lines[4] += between
        body = "".join(lines)
        yield Rendering(
            f"furniture/{words}/{sign}/{above}/{below}/{amid}",
            f"{TITLES}\n{head}\n{body}\n{foot}",
            CALL,
        )


def _name(person: Person) -> str:
    if person is HOST:
        return "広報"
    return {CHIEF: "三枝社長", MONEY: "榊原CFO", FIRST: "北星新聞", SECOND: "東都テレビ"}.get(
        person, "港通信 有働記者" if person is THIRD else person.family
    )


def tagged() -> Iterator[Rendering]:
    """Timelines with a tag before every name."""
    for pair, sign, which, stamp in product(
        BRACKETS, SIGNS, (0, 1), ("0:{:02d}:10 ", "{:02d}:15　", "[0:{:02d}:40] ")
    ):
        entries = [
            f"{stamp.format(order)}{pair[0]}{TAGS[s.role][which]}{pair[1]}{_name(s.who)}{sign}{s.text}"
            for order, s in enumerate(CALL)
        ]
        yield Rendering(
            f"tagged/{pair}/{sign}/{which}/{stamp}",
            f"{TITLES}　記録\n※時刻は開始からの経過時間\n\n" + "\n".join(entries) + "\n",
            CALL,
        )
