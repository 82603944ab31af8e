"""Synthetic twins of every label style and trap, gold worked out by hand.

Invented companies and people only. A turn is role + speaker as a reader would name it; a
chunk is part + pattern + number of questions + questioner + whether it follows up.
"""

from __future__ import annotations

from typing import NamedTuple

P, Q, A, M, U = "presenter", "question", "answer", "moderator", "unknown"


class Chunk(NamedTuple):
    part: str
    pattern: str
    n_questions: int
    questioner: str | None = None
    followup: bool = False


class Twin(NamedTuple):
    name: str
    file: str
    text: str
    turns: list[tuple[str, str | None]]
    chunks: list[Chunk]
    segmentation: str = "labelled"


def _qa(pattern: str, n: int = 1, who: str | None = None, *, followup: bool = False) -> Chunk:
    return Chunk("qa", pattern, n, who, followup)


PRES = Chunk("presentation", "", 0)

TWINS = [
    Twin(
        "label alone on its line, sections in 【】",
        "a.txt",
        """白樺化学株式会社　決算説明会
【冒頭発言】
社長の三枝です。本日はありがとうございます。
【質疑応答】
問）

樹脂の価格改定の状況を教えてください。もう1点、新工場の立ち上がりはいかがでしょうか。

答）

改定は9月に終えました。
　新工場は計画どおりです。

問）

新工場の稼働率は、何割ほどになりますか。

答）

年度末で7割とみています。
""",
        [(P, "三枝"), (Q, None), (A, None), (Q, None), (A, None)],
        [PRES, _qa("QA", 2), _qa("QA")],
    ),
    Twin(
        "flattened definition list",
        "a.txt",
        """白樺化学株式会社　会見の概要
【質疑応答】
- 問)
-
原料の在庫はどの程度お持ちでしょうか。
- 答)
-
二か月分です。
- 問)
-
調達先を増やすお考えはありますか。
- 答)
-
はい、増やします。
""",
        [(Q, None), (A, None), (Q, None), (A, None)],
        [_qa("QA"), _qa("QA")],
    ),
    Twin(
        "html definition list",
        "a.html",
        """<!DOCTYPE html><html><head><title>会見の概要</title><style>p{}</style></head><body>
<nav>サイト案内</nav><h1>会見の概要</h1><h2>【質疑応答】</h2><dl>
<dt>問)</dt><dd>原料の在庫は&nbsp;どの程度でしょうか。</dd>
<dt>答)</dt><dd>二か月分です。<br>増やす&amp;分けるという考えです。</dd></dl><script>alert("問)")</script></body></html>""",
        [(Q, None), (A, None)],
        [_qa("QA")],
    ),
    Twin(
        "inline labels, a very short question glued to the chunk before",
        "a.txt",
        """【質疑応答】
問）　来期の賃上げについて、どのようにお考えでしょうか。
答）　労使で話し合っているところです。
問）　特段。
答）　ございません。
問）　もし仮に景気が悪くなった場合も、採用は続けるのでしょうか。
答）　続けます。
""",
        [(Q, None), (A, None), (Q, None), (A, None), (Q, None), (A, None)],
        [_qa("QAQA"), _qa("QA")],
    ),
    Twin(
        "numbered section heads and full brackets",
        "a.txt",
        """白樺化学 記者会見要旨
日時：2025年5月9日（金）15:40～16:07
場所：本社会議室
1．発言要旨
本日、決算を発表しましたので、概要をご説明いたします。増収増益となりました。
2．質疑応答
（問）配当を据え置いた理由を教えてください。
（答）投資を優先するためです。
（問）先ほどの投資の話ですが、金額はいくらでしょうか。
（答）30億円です。
""",
        [(P, None), (Q, None), (A, None), (Q, None), (A, None)],
        [PRES, _qa("QA"), _qa("QA", followup=True)],
    ),
    Twin(
        "no presentation: the first answer presents, over several paragraphs",
        "a.txt",
        """総裁記者会見要旨　2025年1月21日（火）
白樺銀行

（問）本日の決定内容について、ご説明をお願いします。

（答）本日は、金利の据え置きを決めました。

海外の景気は緩やかに回復しています。

また、物価は目標に近づいています。

（問）為替への影響をどうご覧になりますか。

（答）コメントは控えます。
""",
        [(Q, None), (A, None), (Q, None), (A, None)],
        [_qa("QA"), _qa("QA")],
    ),
    Twin(
        "plain heads, topics inside the Q&A, full-width Q：A：",
        "a.txt",
        """大臣会見の概要
9時21分～9時32分
於：会見室

冒頭発言

私からは特にございません。

質疑応答

【鉄の関税】

Ｑ：関税への対応についてお聞きします。
除外の申請は、いつまでに行うのでしょうか。

Ａ：月内に行います。

【電力の需給】

Ｑ：夏の電力は足りるのでしょうか。

Ａ：足りる見通しです。
火力の再開を急いでいます。
""",
        [(P, None), (Q, None), (A, None), (Q, None), (A, None)],
        [PRES, _qa("QA", 1), _qa("QA")],
    ),
    Twin(
        "numbered questions with parts",
        "a.txt",
        """主な質疑応答
Q1-1. 上期の受注はいかがでしたか。
A1-1. 前年を1割上回りました。
Q1-2. 下期も同じ勢いが続くのでしょうか。
A1-2. 慎重にみています。
Q2. 値上げについて、3点教えてください。
A2. 順にお答えします。
一つ目は時期です。10月を考えています。
""",
        [(Q, None), (A, None), (Q, None), (A, None), (Q, None), (A, None)],
        [_qa("QA"), _qa("QA", followup=True), _qa("QA", 3)],
    ),
    Twin(
        "Q and house, A and title, the body on the next line",
        "a.txt",
        """質疑応答
Q　みなみ証券
在庫の水準をどうみていますか。
A　取締役CFO
適正です。
A　代表取締役社長
私からも補足します。夏までに1割減らします。
Q　あけぼの投信
配当の考え方を教えてください。
A　代表取締役社長
配当性向3割を守ります。
""",
        [(Q, None), (A, "取締役CFO"), (A, "代表取締役社長"), (Q, None), (A, "代表取締役社長")],
        [_qa("QAA", 1, "みなみ証券"), _qa("QA", 1, "あけぼの投信")],
    ),
    Twin(
        "circles with contents page, gate, bilingual moderator, stage directions",
        "a.txt",
        """白樺化学株式会社　説明会
1　業績
2　計画
3　質疑応答

○司会　ただいまから始めます。説明の後、質疑応答の時間を設けます。
○三枝社長　社長の三枝です。増収でした。
（拍手）
○司会　それでは、これより質疑応答に移ります。
○田中（みなみ証券）　みなみ証券の田中です。利益率が下がった理由を教えてください。
○三枝社長　原料高です。
○佐々木取締役　補足します。電力も響きました。
○司会　次の方、どうぞ。
○宮本（あけぼの投信）　あけぼの投信の宮本です。今年度の投資額はいくらですか。
○三枝社長　20億円です。
○宮本（あけぼの投信）　それに関連して、回収は何年を見込んでいますか。
○三枝社長　5年です。
○宮本（あけぼの投信）　ありがとうございました。
○司会　以上で終了いたします。
""",
        [
            (M, "司会"),
            (P, "三枝社長"),
            (M, "司会"),
            (Q, "田中"),
            (A, "三枝社長"),
            (A, "佐々木取締役"),
            (M, "司会"),
            (Q, "宮本"),
            (A, "三枝社長"),
            (Q, "宮本"),
            (A, "三枝社長"),
            (Q, "宮本"),
            (M, "司会"),
        ],
        [
            PRES,
            _qa("QAA", 1, "みなみ証券 田中"),
            _qa("QA", 1, "あけぼの投信 宮本"),
            _qa("QAQ", 1, "あけぼの投信 宮本", followup=True),
        ],
    ),
    Twin(
        "U+3007 circles alone on a line, a year that begins with the same sign",
        "a.txt",
        """〇幹事社
今月の幹事社です。予算の狙いを教えてください。
〇知事
子育てです。
〇八年度と〇九年度に比べて、二倍の額になりました。
〇記者
財源はどこから出すのでしょうか。
〇知事
基金を使います。
""",
        [(Q, "幹事社"), (A, "知事"), (Q, "記者"), (A, "知事")],
        [_qa("QA", 1, "幹事社"), _qa("QA", 1, "記者")],
    ),
    Twin(
        "name and colon with 「以下、」 aliases and a moderator",
        "a.txt",
        """司会者：それでは始めます。
代表取締役社長 安藤 太郎（以下、安藤）：社長の安藤です。今期は増収でした。
司会者：ここからは質疑応答に移ります。
みなみ証券 川口（以下、川口）：海外の計画を教えてください。
安藤：二つの国で工場を建てます。
川口：工場の場所は、どちらになるのでしょうか。
安藤：まだ申し上げられません。
司会者：以上で終了します。
""",
        [
            (M, "司会者"),
            (P, "安藤 太郎"),
            (M, "司会者"),
            (Q, "川口"),
            (A, "安藤 太郎"),
            (Q, "川口"),
            (A, "安藤 太郎"),
            (M, "司会者"),
        ],
        [
            PRES,
            _qa("QA", 1, "みなみ証券 川口"),
            _qa("QA", 1, "みなみ証券 川口", followup=True),
        ],
    ),
    Twin(
        "names before colons, time marks, an answerer who moderates",
        "a.txt",
        """【**** 00:35:30】
NHKみなみ：物価の見通しを伺います。
黒川総裁：上がるとみています。
黒川総裁：どうぞ。
【**** 00:41:02】
朝陽新聞：賃金はどうなるのでしょうか。
黒川総裁：春の交渉しだいです。
""",
        [
            (Q, "みなみ"),
            (A, "黒川総裁"),
            (M, "黒川総裁"),
            (Q, None),
            (A, "黒川総裁"),
        ],
        [_qa("QA", 1, "NHK みなみ"), _qa("QA", 1, "朝陽新聞")],
    ),
    Twin(
        "name and spaces only",
        "a.txt",
        """司会　　これより質疑を始めます。
田中　　値上げは、いつからでしょうか。
三枝社長　　10月からです。
田中　　それによって数量は減りませんか。
三枝社長　　1割ほど減るとみています。
司会　　終わります。
""",
        [(M, "司会"), (Q, "田中"), (A, "三枝社長"), (Q, "田中"), (A, "三枝社長"), (M, "司会")],
        [_qa("QA", 1, "田中"), _qa("QA", 1, "田中", followup=True)],
    ),
    Twin(
        "shareholders' meeting in brackets, alone on the line",
        "a.txt",
        """（議長）
これより、株主の皆様のご質問をお受けします。
（A氏）
株価が低いことを、どうお考えですか。
（社長）
重く受け止めています。
（拍手）
（B氏）
優待を復活させる考えはありますか。
（社長）
ございません。
（議長）
ほかにご質問はありませんか。
""",
        [(M, "議長"), (Q, "A氏"), (A, "社長"), (Q, "B氏"), (A, "社長"), (M, "議長")],
        [_qa("QA", 1, "A氏"), _qa("QA", 1, "B氏")],
    ),
    Twin(
        "interview dashes, long vowels among them",
        "a.txt",
        """――新しい工場を建てた理由を教えてください。

注文に追いつけなくなったからです。

人も集まりませんでした。

ーー人手はどう確保するのでしょうか。

地元の高校に通っています。
""",
        [(Q, None), (A, None), (Q, None), (A, None)],
        [_qa("QA"), _qa("QA")],
    ),
    Twin(
        "timeline with tree marks",
        "a.txt",
        """0:00:37 開始アナウンス
0:01:20 三枝社長より説明
0:08:20 (質問)南新聞 サトウ記者
0:09:37 └ (回答)横山CIO
0:13:28 (質問)テレビ北 オザワ記者
0:13:47 ┝ (回答)横山CIO
0:14:35 ┝ 質問2
0:14:57 └ (回答)三枝社長
""",
        [
            (M, None),
            (P, None),
            (Q, "サトウ記者"),
            (A, "横山CIO"),
            (Q, "オザワ記者"),
            (A, "横山CIO"),
            (Q, None),
            (A, "三枝社長"),
        ],
        [PRES, _qa("QA", 1, "南新聞 サトウ記者"), _qa("QAQA", 2, "テレビ北 オザワ記者")],
    ),
    Twin(
        "srt with anonymous speakers",
        "a.srt",
        """1
00:00:00,000 --> 00:00:05,000
SPEAKER_00: 社長の三枝です。業績をご説明します。

2
00:00:05,500 --> 00:00:09,000
SPEAKER_00: 売上は増えました。

3
00:00:10,000 --> 00:00:14,000
SPEAKER_01: みなみ証券の田中です。利益率はいかがでしょうか。

4
00:00:14,500 --> 00:00:18,000
SPEAKER_00: 下がりました。

5
00:00:18,500 --> 00:00:20,000
SPEAKER_00: 来期は戻ります。
""",
        [(P, "三枝"), (Q, "田中"), (A, "三枝")],
        [PRES, _qa("QA", 1, "みなみ証券 田中")],
        "voted",
    ),
    Twin(
        "bracketed time ranges in two notations",
        "a.txt",
        """[0:00:00 --> 0:00:05] SPEAKER_00: 業績をご説明します。売上は増えました。
[00:15 → 00:32] SPEAKER_01: 在庫が増えた理由を教えてください。
[00:33 → 00:40] SPEAKER_00: 船が遅れたためです。
[00:41 → 00:50] SPEAKER_01: 在庫はいつ正常に戻るのでしょうか。
[00:51 → 00:58] SPEAKER_00: 夏です。
""",
        [
            (P, "SPEAKER_00"),
            (Q, "SPEAKER_01"),
            (A, "SPEAKER_00"),
            (Q, "SPEAKER_01"),
            (A, "SPEAKER_00"),
        ],
        [PRES, _qa("QA", 1, "SPEAKER_01"), _qa("QA", 1, "SPEAKER_01", followup=True)],
        "voted",
    ),
    Twin(
        "English roster and names alone on a line",
        "a.txt",
        """Shirakaba Chemical Q2 Earnings Call

Corporate Participants
Ken Saegusa - President and CEO
Mari Sasaki - CFO

Analysts
John Minami - Minami Securities

Operator
Good afternoon. At the conclusion of the presentation we will open the line for questions.
Ken Saegusa
Thank you. Sales grew by six percent.
Operator
We will now open the line for questions. Our first question comes from John Minami.
John Minami
Thanks. What is your view on margins?
Mari Sasaki
We expect them to recover.
Ken Saegusa
Let me add that prices went up in June.
John Minami
Could you give us the size of the increase?
Mari Sasaki
About four percent.
Operator
This concludes the call.
""",
        [
            (M, "Operator"),
            (P, "Ken Saegusa"),
            (M, "Operator"),
            (Q, "John Minami"),
            (A, "Mari Sasaki"),
            (A, "Ken Saegusa"),
            (Q, "John Minami"),
            (A, "Mari Sasaki"),
            (M, "Operator"),
        ],
        [
            PRES,
            _qa("QAA", 1, "John Minami"),
            _qa("QA", 1, "John Minami", followup=True),
        ],
    ),
    Twin(
        "two questioners in a row, then a chair who asks for consent only",
        "a.txt",
        """○山下委員長　ただいまから開会いたします。報告事項に対する質疑を行います。説明を求めます。
○三枝総務部長　資料をご説明いたします。資料は二つでございます。
○山下委員長　ご質疑をお願いします。
○田中委員　融資の残高を伺います。
○宮本委員　私からは、返済の遅れについてお尋ねします。
○三枝総務部長　残高は二億円です。遅れはありません。
○田中委員　以上で質問を終わります。
○山下委員長　ご異議ありませんか。
　　　〔「異議なし」と呼ぶ者あり〕
○山下委員長　異議なしと認めます。
""",
        [
            (M, "山下委員長"),
            (P, "三枝総務部長"),
            (M, "山下委員長"),
            (Q, "田中委員"),
            (Q, "宮本委員"),
            (A, "三枝総務部長"),
            (Q, "田中委員"),
            (M, "山下委員長"),
            (M, "山下委員長"),
        ],
        [
            PRES,
            _qa("Q", 1, "田中委員"),
            _qa("QA", 1, "宮本委員"),
            _qa("Q", 0, "田中委員"),
        ],
    ),
    Twin(
        "two questions before one answer",
        "a.txt",
        """質疑応答
Q：在庫の水準をどうみていますか。
Q：あわせて、来期の生産計画も教えてください。
A：在庫は適正です。生産は横ばいです。
Q：わかりました。ありがとうございました。
""",
        [(Q, None), (Q, None), (A, None), (Q, None)],
        [_qa("QQAQ", 1)],
    ),
    Twin(
        "Whisper JSON with speakers beside the text",
        "a.json",
        """{"text": "x", "segments": [
 {"start": 0.0, "end": 4.2, "speaker": "SPEAKER_00", "text": "業績をご説明します。"},
 {"start": 4.2, "end": 8.0, "speaker": "SPEAKER_00", "text": "売上は増えました。"},
 {"start": 8.5, "end": 12.0, "speaker": "SPEAKER_01", "text": "利益が\\u6e1bった理由を教えてください。"},
 {"start": 12.5, "end": 16.0, "speaker": "SPEAKER_00", "text": "原料高です。"},
 {"start": 16.5, "end": 18.0, "speaker": "SPEAKER_01", "text": "原料高はいつまで続くのでしょうか。"},
 {"start": 18.5, "end": 20.0, "speaker": "SPEAKER_00", "text": "夏までです。"}]}""",
        [
            (P, "SPEAKER_00"),
            (Q, "SPEAKER_01"),
            (A, "SPEAKER_00"),
            (Q, "SPEAKER_01"),
            (A, "SPEAKER_00"),
        ],
        [PRES, _qa("QA", 1, "SPEAKER_01"), _qa("QA", 1, "SPEAKER_01", followup=True)],
        "voted",
    ),
    Twin(
        "Diet record with the record's own information first",
        "a.json",
        """{"meetingRecord": [{"nameOfHouse": "衆議院", "nameOfMeeting": "経済委員会", "issue": "第2号",
 "date": "2024-10-04", "speechRecord": [
 {"speechOrder": 0, "speaker": "会議録情報", "speech": "令和六年十月四日\\r\\n　出席委員"},
 {"speechOrder": 1, "speaker": "山下太郎", "speech": "○議長（山下太郎君）　これより会議を開きます。"},
 {"speechOrder": 2, "speaker": "田中次郎", "speech": "○田中（次）委員　物価について伺います。\\r\\n　対策はいつでしょうか。"},
 {"speechOrder": 3, "speaker": "三枝花子", "speech": "○国務大臣（三枝花子君）　月内にまとめます。"}]}]}""",
        [(M, "山下太郎"), (Q, "田中次郎"), (A, "三枝花子")],
        [_qa("QA", 1, "田中次郎")],
    ),
    Twin(
        "no labels at all",
        "a.txt",
        """本日はお集まりいただきありがとうございます。業績をご説明します。
売上は増えました。利益は減りました。
質疑応答
利益が減った理由は何でしょうか。原料高です。
""",
        [(U, None), (U, None)],
        [Chunk("presentation", "", 0), Chunk("qa", "", 0)],
        "unsegmented",
    ),
    Twin(
        "colons that are no speakers",
        "a.txt",
        """日時：2025年5月9日
場所：本社
売上高：120億円
営業利益：8億円
説明は以上です。ご覧いただき、ありがとうございました。
注意：本資料の見通しは変わることがあります。
https://example.com/ir をご覧ください。
""",
        [(U, None)],
        [Chunk("presentation", "", 0)],
        "unsegmented",
    ),
    Twin(
        "markdown with bold labels, quotation and link",
        "a.md",
        """# 説明会 質疑応答要旨

## 質疑応答

**Q：** [資料](https://example.com/a.pdf)の7ページについて、意図を教えてください。

**A：** 需要の伸びを示しました。

**Q：** 今の件に関連して、来期はどうなりますか。

**A：** 同じ伸びを見込みます。

> 以上
""",
        [(Q, None), (A, None), (Q, None), (A, None)],
        [_qa("QA"), _qa("QA", followup=True)],
    ),
    Twin(
        "vtt with voices",
        "a.vtt",
        """WEBVTT

NOTE 作成: 2025

1
00:00.000 --> 00:04.000
<v 司会>それでは質疑応答に移ります。</v>

2
00:04.500 --> 00:09.000
<v みなみ証券 田中>受注の見通しを教えてください。</v>

3
00:09.500 --> 00:12.000
<v 三枝社長>堅調です。</v>

4
00:12.500 --> 00:15.000
<v 三枝社長>秋まで続きます。</v>
""",
        [(M, "司会"), (Q, "田中"), (A, "三枝社長")],
        [_qa("QA", 1, "みなみ証券 田中")],
    ),
    Twin(
        "circles with title and name apart, each questioner once",
        "a.txt",
        """○司会　ただいまより質疑応答を始めます。
○みなみ証券　田中　様　受注の見通しを教えてください。
○代表取締役社長　三枝 一郎　堅調とみています。
○あけぼの投信　宮本　様　在庫は減るのでしょうか、見方を教えてください。
○取締役　佐々木　減らします。
""",
        [
            (M, "司会"),
            (Q, "田中"),
            (A, "三枝 一郎"),
            (Q, "宮本"),
            (A, "佐々木"),
        ],
        [_qa("QA", 1, "みなみ証券 田中"), _qa("QA", 1, "あけぼの投信 宮本")],
    ),
    Twin(
        "Q with house and name in brackets",
        "a.txt",
        """質疑応答
Q：（みなみ証券・田中氏）受注の見通しを教えてください。
A（三枝社長）：堅調とみています。
Q：（あけぼの投信・宮本氏）在庫はいつ減るのでしょうか。
A（佐々木CFO）：夏です。
""",
        [(Q, "田中"), (A, "三枝社長"), (Q, "宮本"), (A, "佐々木CFO")],
        [_qa("QA", 1, "みなみ証券 田中"), _qa("QA", 1, "あけぼの投信 宮本")],
    ),
    Twin(
        "English names with colons, interpreted answers",
        "a.txt",
        """Operator: We will now begin the question and answer session.
John Minami: Thank you. What drove the margin decline?
Ken Saegusa [Interpreted]: Raw material prices.
John Minami: Could you tell us when prices will be raised?
Ken Saegusa [Interpreted]: In October.
Operator: This concludes the call. Thank you.
""",
        [
            (M, "Operator"),
            (Q, "John Minami"),
            (A, "Ken Saegusa"),
            (Q, "John Minami"),
            (A, "Ken Saegusa"),
            (M, "Operator"),
        ],
        [_qa("QA", 1, "John Minami"), _qa("QA", 1, "John Minami", followup=True)],
    ),
    Twin(
        "a name that asks only once among colons, and words before colons that are none",
        "a.txt",
        """司会：質疑応答に移ります。
三枝：よろしくお願いします。
山田：為替の前提を教えてください。
三枝：前提は次のとおりです。
ドル：145円
ユーロ：158円
田中：金利の影響はどの程度でしょうか。
三枝：年に1億円です。
""",
        [
            (M, "司会"),
            (M, "三枝"),
            (Q, "山田"),
            (A, "三枝"),
            (Q, "田中"),
            (A, "三枝"),
        ],
        [_qa("QA", 1, "山田"), _qa("QA", 1, "田中")],
    ),
    Twin(
        "short questions that ask stand alone, notes and address behind the last answer",
        "a.txt",
        """Ｑ１．為替の前提は？
Ａ１．145円です。
Ｑ２．配当はいかがですか。
Ａ２．据え置きます。

（注）本資料には将来の見通しが含まれます。
お問い合わせ先
IR室　TEL 03-0000-0000
""",
        [(Q, None), (A, None), (Q, None), (A, None)],
        [_qa("QA"), _qa("QA")],
    ),
    Twin(
        "reporters named only by their office are not one person",
        "a.txt",
        """○社長
本日はありがとうございます。後ほど質疑応答の時間を設けます。
○司会
それでは質疑応答に移ります。
○記者
（東都新聞）投資の理由を教えてください。
○社長
需要が増えたからです。
○記者
別の社の者ですが、為替の影響はいかがでしょうか。
○社長
軽微です。
""",
        [(P, "社長"), (M, "司会"), (Q, None), (A, "社長"), (Q, "記者"), (A, "社長")],
        [PRES, _qa("QA", 1, "東都新聞"), _qa("QA", 1, "記者")],
    ),
    Twin(
        "name and title on a line of their own",
        "a.txt",
        """三枝 一郎　代表取締役社長
本日はありがとうございます。増収でした。
田中 次郎　みなみ証券
来期の見通しを教えてください。
三枝 一郎　代表取締役社長
増収を見込みます。
宮本 三郎　あけぼの投信
配当はいかがでしょうか、お聞かせください。
佐々木 花子　取締役CFO
据え置きます。
""",
        [
            (P, "三枝 一郎"),
            (Q, "田中 次郎"),
            (A, "三枝 一郎"),
            (Q, "宮本 三郎"),
            (A, "佐々木 花子"),
        ],
        [
            PRES,
            _qa("QA", 1, "みなみ証券 田中 次郎"),
            _qa("QA", 1, "あけぼの投信 宮本 三郎"),
        ],
    ),
    Twin(
        "a moderator who restates the question, another answerer after him",
        "a.txt",
        """司会：始めます。
社長：増収でした。
司会：続いて、質疑応答です。ご質問をどうぞ。
記者A：値上げの時期を教えてください。
社長：10月です。
司会：ご質問は、値上げの時期と幅の2点と理解しました。幅についてお願いします。
専務：3％です。
記者B：地域による差はありますか、教えてください。
社長：ありません。
""",
        [
            (M, "司会"),
            (P, "社長"),
            (M, "司会"),
            (Q, "記者A"),
            (A, "社長"),
            (M, "司会"),
            (A, "専務"),
            (Q, "記者B"),
            (A, "社長"),
        ],
        [PRES, _qa("QAA", 1, "記者A"), _qa("QA", 1, "記者B")],
    ),
    Twin(
        "contents page that names both parts before they come",
        "a.txt",
        """目次
1. 冒頭発言
2. 質疑応答

1. 冒頭発言
本日はありがとうございます。増収となりました。

2. 質疑応答
問１　来期の見通しを教えてください。
答１　増収です。
問２　配当についてお聞かせください。
答２　据え置きます。
""",
        [(P, None), (Q, None), (A, None), (Q, None), (A, None)],
        [PRES, _qa("QA"), _qa("QA")],
    ),
]
