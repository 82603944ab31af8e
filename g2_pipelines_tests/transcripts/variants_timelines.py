"""Press conferences as lists of times, in many hands: what parts names from words, tags, trees.

Here: two conferences (whole sentences, and catchwords) with events between the turns, names
that were not caught, second questions with and without a name. Every entry that reports words
is a turn; events are none. See ``variants``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

from g2_pipelines_tests.transcripts.variants import Person, Rendering, Said


class Entry(NamedTuple):
    """An entry: who (empty: an event), on which side, chunk, words; ``again``: 「質問2」."""

    who: str
    role: str
    chunk: int | None
    words: str
    again: bool = False


WHOLE = (
    Entry("", "event", None, "開始のアナウンス、登壇者の紹介"),
    Entry("蔵前社長", "presenter", 0, "おわび。約2万件の予約が消えた。"),
    Entry("日比野CTO", "presenter", 0, "原因は更新の手順の誤りで、復旧には9時間を要した。"),
    Entry("", "event", None, "広報より質疑応答の進め方の案内(1社2問まで)"),
    Entry("北浜新聞 オグラ記者", "question", 1, "予約の復元はいつ終わるのか。"),
    Entry("日比野CTO", "answer", 1, "8月9日までにすべて終える。"),
    Entry("テレビ湾央 キシ(?)記者", "question", 2, "手順書は誰が確認していたのか、教えてほしい。"),
    Entry("日比野CTO", "answer", 2, "課長が確認する決まりだったが、していなかった。"),
    Entry("蔵前社長", "answer", 2, "管理が甘かったと考えている。"),
    Entry("テレビ湾央 キシ(?)記者", "question", 3, "その課長の処分はあるのか。", again=True),
    Entry("蔵前社長", "answer", 3, "社内の規程に沿って決める。"),
    Entry("", "event", None, "広報より残り5分のアナウンス"),
    Entry("不明", "question", 4, "利用者への補償はどうするのか。"),
    Entry("蔵前社長", "answer", 4, "全員に次回の割引券を送る。"),
    Entry("旅行タイムズ ハギ氏", "question", 5, "再発防止にいくらかけるのか。"),
    Entry("日比野CTO", "answer", 5, "3年で12億円を見込む。"),
    Entry("", "event", None, "閉会、写真撮影"),
)
CATCHWORDS = (
    Entry("", "event", None, "配信開始"),
    Entry("", "event", None, "広報より開会と出席者の紹介"),
    Entry("", "event", None, "有馬社長 謝罪"),
    Entry("", "event", None, "広報より質疑応答の開始(挙手、社名と名前)"),
    Entry("甲信日報 ミヤケ記者", "question", 1, "停電した工場の数は"),
    Entry("土岐COO", "answer", 1, "6工場、うち4工場は復旧済み"),
    Entry("有馬社長", "answer", 1, "残りも今週中"),
    Entry("経済ウィークリー ソノダ記者", "question", 2, "業績への影響は"),
    Entry("柚木CFO", "answer", 2, "売上で40億円程度、精査中"),
    Entry(
        "経済ウィークリー ソノダ記者",
        "question",
        3,
        "保険で補えるか、補えるとすれば何割か",
        again=True,
    ),
    Entry("柚木CFO", "answer", 3, "7割程度の見込み"),
    Entry("甲信日報 ミヤケ記者", "question", 4, "自家発電が動かなかった理由は"),
    Entry("土岐COO", "answer", 4, "燃料の劣化、点検は2年前"),
    Entry("土岐COO", "answer", 4, "責任は当社側"),
    Entry("", "event", None, "司会より最後の質問との案内"),
    Entry("フリー ウラベ氏", "question", 5, "報告書の公開の予定は"),
    Entry("有馬社長", "answer", 5, "12月に要約を公開"),
    Entry("", "event", None, "広報より終了の案内"),
    Entry("", "event", None, "配信終了"),
)
STAMPS: dict[str, Callable[[int], str]] = {
    "h:mm:ss": lambda n: f"{n // 60}:{n % 60:02}:{n * 7 % 60:02} ",
    "[mm:ss]": lambda n: f"[{n:02}:{n * 11 % 60:02}] ",
    "hh:mm": lambda n: f"14:{n:02}　",
    "(h:mm:ss)": lambda n: f"({n // 60}:{n % 60:02}:{n * 7 % 60:02}) ",
    "none": lambda n: "",
}
TREES = {"tree": ("┝ ", "└ "), "thin": ("├", "└"), "flat": ("", "")}
TAGS = {
    "round": ("(質問{})", "(回答)", "(説明)"),
    "wide": ("（質問{}）", "（回答）", "（説明）"),
    "lenticular": ("【質問{}】", "【回答】", "【説明】"),
    "none": ("", "", ""),
}
SIGNS = {
    "wide space": "　",
    "slash": "／",
    "colon": "：",
    "quoted": "「{}」",
    "arrow": "→",
    "bar": "｜",
}


def _line(entry: Entry, tags: tuple[str, str, str], sign: str, branch: str, *, named: bool) -> str:
    asked, answered, presented = tags
    if not entry.who:
        return entry.words
    tag = {
        "question": asked.format("2" if entry.again else ""),
        "answer": answered,
        "presenter": presented,
    }[entry.role]
    who = entry.who if named or not entry.again or not asked else ""
    if "{}" in sign:
        said = who + sign.format(entry.words)
    else:
        said = (who + sign if who else "　") + entry.words
    return (branch if entry.role == "answer" else "") + tag + said


def _whole(entry: Entry, stamp: str) -> Entry:
    """An entry without a time is what was said: 「その課長の…」 would lean on the words before."""
    return entry._replace(words=entry.words.removeprefix("その")) if stamp == "none" else entry


def _words(entry: Entry, sign: str) -> str:
    return sign.format(entry.words) if "{}" in sign else entry.words


def timelines() -> Iterator[Rendering]:
    """Each conference in every combination of time, tree, tag, sign and name of a follow-up."""
    for (kind, press), stamp, tree, tag, sign, named in product(
        (("whole", WHOLE), ("catchwords", CATCHWORDS)), STAMPS, TREES, TAGS, SIGNS, (True, False)
    ):
        if (tag == "none" and (stamp == "none" or not named)) or (stamp, sign) == ("none", "arrow"):
            continue  # texts with names as ``variants`` has them, or none
        lines = []
        for order, given in enumerate(press):
            if not given.who and stamp == "none":
                continue  # nothing tells it from words that go on
            entry = _whole(given, stamp)
            behind = press[order + 1] if order + 1 < len(press) else None
            goes_on = behind is not None and behind.role == "answer"
            branch = TREES[tree][0 if goes_on else 1]
            tags = TAGS[tag] if tag == "lenticular" and stamp != "none" else (*TAGS[tag][:2], "")
            words = _line(entry, tags, SIGNS[sign], branch, named=named)
            lines.append(STAMPS[stamp](order + 1) + words)
        title = "アキツ旅客　障害に関する会見　タイムライン（有志による記録）\n2027年8月4日\n\n"
        turns = [
            Said(
                Person(e.who, e.who, "", "", e.role),
                e.role,
                e.chunk,
                _words(_whole(e, stamp), SIGNS[sign]),
            )
            for e in press
            if e.who
        ]
        name = f"{kind}/{stamp}/{tree}/{tag}/{sign}/{'named' if named else 'nameless'}"
        yield Rendering(name, title + "\n".join(lines) + "\n", turns)
