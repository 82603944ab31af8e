"""One press conference in many forms: what stands before each label, the label, its sign.

Times, numbers and bullets before houses, posts and names in five orders, behind signs that
some grammar knows and signs that none does. Each must give the same turns and roles.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from benchmarks.transcript_golds import read_document
from g2_pipelines_tests.transcripts.helpers import CharacterTokenizer

HOST = "司会"
#: Role, post or house, family name, words.
CALL = [
    (
        "moderator",
        "",
        HOST,
        "それでは、ただいまより会見を始めます。まず社長の西脇より説明いたします。",
    ),
    ("presenter", "社長", "西脇", "社長の西脇でございます。上期の売上高は120億円となりました。"),
    ("presenter", "CFO", "有馬", "財務を担当しております有馬です。手元の資金は42億円です。"),
    ("moderator", "", HOST, "ありがとうございました。それでは質疑応答に移ります。"),
    ("question", "暁光新聞", "柳瀬", "下期の受注の見通しについて教えてください。"),
    ("answer", "社長", "西脇", "下期は上期を8％上回る見込みです。"),
    ("question", "暁光新聞", "柳瀬", "追加ですが、その案件の金額はいくらになりますか。"),
    ("answer", "CFO", "有馬", "金額は約14億円です。内訳は申し上げられません。"),
    ("answer", "社長", "西脇", "補足いたします。納入は来年の3月から始まります。"),
    ("moderator", "", HOST, "次の方、お願いします。"),
    ("question", "東雲放送", "小牧", "値上げの影響で客数は減っていないのでしょうか。"),
    ("answer", "社長", "西脇", "客数は2％減りましたが、客単価が6％上がりました。"),
    ("question", "東雲放送", "小牧", "関連して伺います。賃上げの率はどの程度でしょうか。"),
    ("answer", "社長", "西脇", "4％を目安に組合と話し合っております。"),
    ("moderator", "", HOST, "時間となりましたので、以上で終了いたします。"),
]
PREFIXES: dict[str, Callable[[int], str]] = {
    "none": lambda i: "",
    "h:mm:ss": lambda i: f"0:{i:02d}:21 ",
    "[h:mm:ss]": lambda i: f"[0:{i:02d}:21] ",
    "clock and dash": lambda i: f"19:{i:02d}～ ",
    "minutes": lambda i: f"{i}分21秒 ",
    "hours": lambda i: f"19時{i:02d}分　",
    "bullet": lambda i: "・",
    "hyphen": lambda i: "- ",
    "number": lambda i: f"{i + 1}. ",
    "number in brackets": lambda i: f"({i + 1}) ",
    "three digits": lambda i: f"{i + 1:03d} ",
    "No.": lambda i: f"No.{i + 1} ",
    "circled": lambda i: chr(0x2460 + i) + " ",
}
LABELS: dict[str, Callable[[str, str], str]] = {
    "post behind": lambda post, name: f"{name}{post}" if len(post) < 4 else f"{post} {name}記者",
    "post before": lambda post, name: f"{post} {name}",
    "post in brackets": lambda post, name: f"{name}（{post}）",
    "house and honorific": lambda p, n: f"{n}{p}" if len(p) < 4 else f"{p}・{n}様",
}
SIGNS: dict[str, Callable[[str, str], str]] = {
    "colon": lambda label, words: f"{label}：{words}",
    "half colon": lambda label, words: f"{label}: {words}",
    "wide space": lambda label, words: f"{label}　{words}",
    "space": lambda label, words: f"{label} {words}",
    "tab": lambda label, words: f"{label}\t{words}",
    "circle": lambda label, words: f"○{label}　{words}",
    "corners": lambda label, words: f"【{label}】{words}",
    "own line": lambda label, words: f"{label}\n{words}",
    "stroke": lambda label, words: f"{label}／{words}",
    "arrow": lambda label, words: f"{label}＞{words}",
    "equals": lambda label, words: f"{label}＝{words}",
    "bold": lambda label, words: f"**{label}**　{words}",
}


def rendered(prefix: str, label: str, sign: str) -> str:
    """The call in one form, below a title and a date."""
    lines = ["県央機械株式会社　決算会見", "2025年11月14日", ""]
    for number, (_, post, name, words) in enumerate(CALL):
        who = LABELS[label](post, name) if post else name
        lines.append(PREFIXES[prefix](number) + SIGNS[sign](who, words))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("sign", SIGNS)
def test_the_same_turns_and_roles_whatever_stands_before_the_labels(sign: str) -> None:
    wanted = [(role, words[:10]) for role, _, _, words in CALL]
    forms = list(itertools.product(PREFIXES, LABELS))
    wrong = []
    for prefix, label in forms:
        text = rendered(prefix, label, sign).encode()
        found = read_document(text, "a.txt", CharacterTokenizer()).turns
        if [(turn.role, turn.text[:10]) for turn in found] != wanted:
            wrong.append((prefix, label))
    assert len(wrong) * 100 <= KNOWN * len(forms), wrong


#: Of a hundred forms of a sign so many may fail.
KNOWN = 8
