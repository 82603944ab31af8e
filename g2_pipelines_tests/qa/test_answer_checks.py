"""What is said of a right number, against tables and texts: whose, when, which way, how much.

Every source is invented; each case was judged by hand.
"""

from __future__ import annotations

import pytest

from g2_pipelines.qa.checks import faults_of
from g2_pipelines.qa.strangers import Known, strangers
from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines_tests.qa.builders import node

GROUP_JA = node(
    "c",
    "\t2029年3月期\t2030年3月期\t2031年3月期\n売上高\t40,210\t42,530\t38,120\n"
    "営業利益\t2,110\t2,680\t△1,240\n経常利益\t1,990\t2,555\t△1,380",
    kind="table",
    section=["1. 連結業績"],
    caption="表1 連結損益計算書（百万円）",
)
SOLO_JA = node(
    "s",
    "\t2030年3月期\t2031年3月期\n売上高\t31,204\t29,870\n営業利益\t1,410\t△402",
    kind="table",
    section=["2. 単体業績"],
    caption="表2 損益計算書（単位：千円）",
)
GROUP_EN = node(
    "e",
    "\t2028\t2029\t2030\nRevenue\t712,400\t768,950\t801,275\n"
    "Operating profit\t51,220\t45,310\t(11,440)\nFinance costs\t(9,870)\t(11,240)\t(15,605)\n"
    "Employees\t2,310\t2,290\t2,305",
    kind="table",
    section=["Results"],
    caption="Table 1: Consolidated income statement (EUR thousands)",
)
PARENT_EN = node(
    "p",
    "\t2029\t2030\nRevenue\t131.2\t128.7\nOperating profit\t15.9\t9.3",
    kind="table",
    section=["Parent company only"],
    caption="Table 2: Income statement (in millions of euros)",
)


def faults(answer: str, source: DocumentNode, asked: str = "") -> list[str]:
    texts = [asked] if asked else []
    return faults_of(answer, [source], results=[], texts=texts, asked=asked).faults


@pytest.mark.parametrize(
    "said",
    [
        "営業利益はマイナスでした。",
        "グループのコストとシェアを示すページのデータです。",
        "単位はユーロ、パーセント、メートルです。",
        "トップはセグメントコストがピークでした。",
        "「マイナス」と記されています。",
        "リードタイムのギャップ",
    ],
)
def test_plain_katakana_words_are_nobodys_name(said: str) -> None:
    assert strangers(said, Known([], [GROUP_JA])) == []


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("アルファ社の売上高です。", "アルファ"),
        ("株式会社ミズホラの売上高です。", "ミズホラ"),
        ("ボレアリスの売上高です。", "ボレアリス"),
        ("「ミズラ」の売上高です。", "ミズラ"),
        ("ミズラ工場の売上高です。", "ミズラ"),
    ],
)
def test_invented_katakana_names_are_strangers(said: str, name: str) -> None:
    assert strangers(said, Known([], [GROUP_JA])) == [name]


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("Revenue in 2030 was 801.3 million euros.", GROUP_EN),
        ("Revenue in 2030 was €801 million.", GROUP_EN),
        ("Revenue in 2030 was EUR 801,275 thousand.", GROUP_EN),
        ("Revenue stood at 801,275 at the end of the three years shown.", GROUP_EN),
        ("In 2030 there was an operating loss of EUR 11.44 million.", GROUP_EN),
        ("There were 2,305 employees in 2030.", GROUP_EN),
        ("2031年3月期の売上高は381億2,000万円です。", GROUP_JA),
        ("Parent company revenue in 2030 was EUR 128.7 million.", PARENT_EN),
    ],
)
def test_a_scale_in_caption_or_head_is_the_cells(answer: str, source: DocumentNode) -> None:
    assert faults(answer, source) == []


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("Revenue in 2030 was 801.3 thousand euros.", GROUP_EN),
        ("Revenue in 2030 was 801,275 million euros.", GROUP_EN),
        ("Revenue in 2030 was 801,275 euros.", GROUP_EN),
        ("Revenue stood at 801,275 at the end of the four years shown.", GROUP_EN),
        ("2031年3月期の売上高は38,120億円です。", GROUP_JA),
    ],
)
def test_another_scale_than_the_captions_is_wrong(answer: str, source: DocumentNode) -> None:
    assert faults(answer, source)


@pytest.mark.parametrize(
    ("answer", "source", "asked"),
    [
        ("単体の売上高は38,120百万円です。", GROUP_JA, "2031年3月期の単体の売上高は。"),
        ("2031年3月期の売上高は29,870千円です。", SOLO_JA, "2031年3月期の連結の売上高は。"),
        ("The group revenue in 2030 was EUR 128.7 million.", PARENT_EN, ""),
        ("Revenue in 2030 was 128.7 million euros.", PARENT_EN, "What was consolidated revenue?"),
        ("The parent company revenue in 2030 was EUR 801,275 thousand.", GROUP_EN, ""),
        ("2030年度の売上高は42,530百万円です。", GROUP_JA, "2030年度の売上高は。"),
        ("42,530百万円です。", GROUP_JA, "2030年度の売上高は。"),
        ("第1四半期の売上高は38,120百万円です。", GROUP_JA, "2031年3月期第1四半期の売上高は。"),
        ("Revenue in the first quarter of 2030 was EUR 801,275 thousand.", GROUP_EN, ""),
    ],
)
def test_another_basis_or_kind_of_period(answer: str, source: DocumentNode, asked: str) -> None:
    assert faults(answer, source, asked)


@pytest.mark.parametrize(
    ("answer", "source", "asked"),
    [
        ("連結の売上高は38,120百万円です。", GROUP_JA, "2031年3月期の連結の売上高は。"),
        ("単体の売上高は29,870千円です。", SOLO_JA, "2031年3月期の単体の売上高は。"),
        ("The group's revenue in 2030 was EUR 801,275 thousand.", GROUP_EN, ""),
        ("The parent company's revenue in 2030 was EUR 128.7 million.", PARENT_EN, ""),
        ("2030年度（2031年3月期）の売上高は38,120百万円です。", GROUP_JA, "2030年度の売上高は。"),
        ("38,120百万円です。", GROUP_JA, "2030年度の売上高は。"),
        ("2031年3月期通期の売上高は38,120百万円です。", GROUP_JA, ""),
        ("Revenue in 2030 was EUR 801,275 thousand.", GROUP_EN, "Revenue attributable to owners?"),
    ],
)
def test_the_same_basis_in_other_words(answer: str, source: DocumentNode, asked: str) -> None:
    assert faults(answer, source, asked) == []


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("The operating profit in 2030 was EUR 11,440 thousand.", GROUP_EN),
        ("In 2030 the group made an operating profit of 11.44 million euros.", GROUP_EN),
        ("In 2029 there was an operating loss of EUR 45,310 thousand.", GROUP_EN),
        ("The operating loss was EUR 45,310 thousand in 2029.", GROUP_EN),
        ("2031年3月期の営業利益は1,240百万円です。", GROUP_JA),
        ("2030年3月期は2,680百万円の営業損失です。", GROUP_JA),
        ("2030年3月期の営業損失は2,680百万円です。", GROUP_JA),
    ],
)
def test_a_profit_told_as_a_loss_or_a_loss_as_a_profit(answer: str, source: DocumentNode) -> None:
    assert faults(answer, source)


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("The operating profit was negative at EUR 11,440 thousand in 2030.", GROUP_EN),
        ("Operating profit in 2030 was (11,440).", GROUP_EN),
        ("An operating loss of 11.44 million euros in 2030.", GROUP_EN),
        ("Finance costs were EUR 15,605 thousand in 2030.", GROUP_EN),
        ("Operating profit in 2029 was EUR 45,310 thousand.", GROUP_EN),
        ("2031年3月期は1,240百万円の営業損失でした。", GROUP_JA),
        ("2031年3月期の営業利益は△1,240百万円です。", GROUP_JA),
        ("2030年3月期の営業利益は2,680百万円です。", GROUP_JA),
        (
            "営業利益は2030年3月期の2,680百万円から、2031年3月期は1,240百万円の損失になった。",
            GROUP_JA,
        ),
    ],
)
def test_the_same_sign_in_other_words(answer: str, source: DocumentNode) -> None:
    assert faults(answer, source) == []


FLEET = node(
    "t",
    "The fleet had 1,712 trucks at the end of 2030. Of these, 312 were electric. "
    "Staff fell from 6,210 to 5,887, of whom 1,104 work in Norway and 878 in Finland. "
    "For 2031 the board expects revenue of 920 million euros. Alder earned 410 million yen.",
)
OUTLOOK = node(
    "o",
    "2030年度の売上高は410億円となった。2031年度の売上高は460億円を見込んでいる。"
    "受注は前期の310台から280台に減少した。",
)


@pytest.mark.parametrize(
    ("answer", "source", "asked"),
    [
        ("Staff rose from 5,887 to 6,210.", FLEET, "How many staff are there?"),
        ("受注は280台から310台に増加した。", OUTLOOK, "受注は。"),
        ("There are now 6,210 staff.", FLEET, "How many staff are there now?"),
        ("はい、増加しました。", GROUP_JA, "売上高は増えましたか。"),
        ("はい。", GROUP_JA, "売上高は増えましたか。"),
        ("Yes, it increased.", PARENT_EN, "Did revenue increase?"),
        ("No, it fell.", GROUP_EN, "Did revenue increase from 2029 to 2030?"),
        ("Most trucks were electric.", FLEET, "What share was electric?"),
        ("The majority of the trucks is electric.", FLEET, "What share was electric?"),
        ("There were 1,712 electric trucks.", FLEET, "How many electric trucks?"),
        ("Revenue in 2031 was 920 million euros.", FLEET, "What was revenue in 2031?"),
        ("2031年度の売上高は460億円でした。", OUTLOOK, "2031年度の売上高は。"),
        ("No, Alder did not earn 410 million yen.", FLEET, "Did Alder earn 410 million yen?"),
    ],
)
def test_told_in_another_way_than_the_source(answer: str, source: DocumentNode, asked: str) -> None:
    assert faults(answer, source, asked)


@pytest.mark.parametrize(
    ("answer", "source", "asked"),
    [
        ("Staff fell from 6,210 to 5,887.", FLEET, "How many staff are there?"),
        ("There are now 5,887 staff, down from 6,210.", FLEET, "How many staff are there now?"),
        ("受注は310台から280台に減少した。", OUTLOOK, "受注は。"),
        ("いいえ、減少しました。", GROUP_JA, "売上高は増えましたか。"),
        ("はい、増加しました。", GROUP_JA, "売上高は2029年3月期から2030年3月期に増えましたか。"),
        ("Yes, it increased.", GROUP_EN, "Did revenue increase from 2028 to 2030?"),
        ("No, it fell.", PARENT_EN, "Did revenue increase?"),
        ("312 of the 1,712 trucks were electric.", FLEET, "How many electric trucks?"),
        ("There were 1,712 trucks at the end of 2030.", FLEET, "How many trucks?"),
        ("Revenue of 920 million euros is expected for 2031.", FLEET, "Revenue in 2031?"),
        ("Revenue in 2031 will be 920 million euros.", FLEET, "Revenue in 2031?"),
        ("2031年度の売上高は460億円を見込んでいました。", OUTLOOK, "2031年度の売上高は。"),
        ("2030年度の売上高は410億円でした。", OUTLOOK, "2030年度の売上高は。"),
        ("Yes, Alder earned 410 million yen.", FLEET, "Did Alder earn 410 million yen?"),
        ("No, Birch did not earn 410 million yen.", FLEET, "Did Birch earn 410 million yen?"),
    ],
)
def test_told_in_the_way_of_the_source(answer: str, source: DocumentNode, asked: str) -> None:
    assert faults(answer, source, asked) == []


UNITS = node(
    "u",
    "セグメント\t売上高\t営業利益\n計測機器\t18,050\t410\n計測機器サービス\t7,640\t955",
    kind="table",
    caption="表3 セグメント別（単位：百万円）",
)
ORDERS = node("w", "アルダー社の受注は110台、バーチ社の受注は75台でした。")


@pytest.mark.parametrize(
    ("answer", "source", "asked"),
    [
        ("75台です。", ORDERS, "アルダー社の受注は何台ですか。"),
        ("△1,240百万円です。", GROUP_JA, "2031年3月期の経常利益はいくらですか。"),
        ("7,640百万円です。", UNITS, "計測機器の売上高はいくらですか。"),
        ("801,275", GROUP_EN, "What were the finance costs in 2030?"),
    ],
)
def test_a_bare_number_is_told_of_what_is_asked(
    answer: str, source: DocumentNode, asked: str
) -> None:
    assert faults(answer, source, asked)


@pytest.mark.parametrize(
    ("answer", "source", "asked"),
    [
        ("110台です。", ORDERS, "アルダー社の受注は何台ですか。"),
        ("75台です。", ORDERS, "アルダー社以外の受注は何台ですか。"),
        ("△1,380百万円です。", GROUP_JA, "2031年3月期の経常利益はいくらですか。"),
        ("18,050百万円です。", UNITS, "計測機器の売上高はいくらですか。"),
        ("7,640百万円です。", UNITS, "計測機器サービスの売上高はいくらですか。"),
        ("15,605", GROUP_EN, "What were the finance costs in 2030?"),
    ],
)
def test_a_bare_number_of_what_is_asked_stays(
    answer: str, source: DocumentNode, asked: str
) -> None:
    assert faults(answer, source, asked) == []
