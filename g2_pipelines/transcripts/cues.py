"""Words that tell roles, sections and remarks apart.

Here: the lexica and their patterns, all with bounded repetition so that no input can make
them backtrack without end. They match the clean text as it stands (full-width forms are
spelled out), so that no offset is needed. What follows from a match is decided in
``roles``, ``opening``, ``chunks`` and ``model_view``, which import this module.
"""

from __future__ import annotations

import re
import unicodedata

from g2_pipelines.tables.line1 import Role

#: A question or request for an answer. Measured on committee minutes: 70 % of the question
#: turns hold one, 1.7 % of the answer turns (measured).
QUESTION = re.compile(
    r"伺いま|伺いた|伺わせ|お伺い|うかがい|お尋ね(?!くだ|下さ|いただ)|お聞き(?:し|でき|いた)|お聞かせ|教えて(?!いただいた)"
    r"|お答え(?:くださ|いただ(?!いた|きまし|きます(?!か|よう|と))|願|をお)|ご?答弁(?:を(?:お|いただ|求)|いただ|願)|ご教示|ご教授|質問(?:です|いたします|します|させて|が(?:あり|ござい|[2-9２-９二三四五]))"
    r"|でしょうか|んでしょう(?=[。？?]|$)|(?:ます|です|ません|でした|ました)か(?=[。？?、，\s　」]|$)"
    r"|(?:聞き|知り|確認し|伺い)たい|聞かせて|ほしい(?=[。\s　]|$)"
    r"|(?<!明ら)(?<![とばっずさなほ静確僅わし])か(?=[。？?](?:[\s　」）)]|$)|$)"
    r"|どう(?:でしょう|ですか|なの)|いかがで|見解を|所見を|所感を|受け止めを|考えを(?:お|伺|聞)|(?:説明|答弁|回答|確認|整理|コメント)(?:を)?"
    r"(?:お願い|してくださ|いただけ|させてくださ)|[？?](?=[\s　」）)\"”]|$)|は[。？?]?$"
    r"|(?i:\b(?:like|love|want(?:ed)?) to (?:know|ask|understand|hear)\b|\b(?:wonder|wondering|curious)\b|\bany (?:update|colou?r|thoughts|comments?|guidance)\b|could you|can you|would you|what(?:'s| is| are)|how (?:do|does|is|are|much|many))"
)
#: Cues that a chair or host uses without asking for content.
_PROCEDURE = re.compile(
    r"ご?異議(?:は)?ありませんか|(?:ほか|他)(?:に|は)[^。\n]{0,24}(?:でしょうか|ませんか|ますか|ですか)"
    r"|(?:どなたか|他の方|ほかの方|後ろの方|会場の方|オンラインの方)[^。\n]{0,16}(?:でしょうか|ませんか|ますか|ですか)"
    r"|よろしい(?:でしょう|です)か|ご質問(?:の(?:ある|ござい)|は|が|ござい|あり)[^。\n]{0,24}(?:でしょうか|ますか|ませんか)"
)
GATE_SHORT = re.compile(
    r"どうぞ|次の(?:方|質問|ご質問)|お願い(?:いた)?します|お願いいたしま|ほかに(?![0-9０-９])|Next question|next question"
)
CALLS_NEXT = re.compile(r"どうぞ|次の(?:方|質問|ご質問)|ほかに|(?i:next question)")
CALLS_SOMEBODY = re.compile(
    r"どうぞ|次の(?:方|質問|ご質問)|お願い(?:いた)?します|お願いいたしま|(?:後|前|奥|右|左|中央|手前)[^。\n]{0,8}の方"
    r"|(?i:next question|go ahead|your line|please proceed)"
)
#: Calls somebody to answer or to present.
CALLS_OFFICER = re.compile(
    r"(?:社長|会長|取締役|役員|部長|CFO|CEO|ＣＦＯ|ＣＥＯ|担当)[^。\n]{0,12}(?:お願い|どうぞ|から|より)|(?:より|から)[、，]?(?:ご)?(?:説明|回答|お答え|答弁|挨拶)|ご?(?:回答|説明|答弁)を"
)
GATE_TO_QA = re.compile(
    r"(?:皆様|皆さま|株主様|会場)(?:から|より)の?ご?質問を(?:お受け|承)|(?:これより|それでは|ここから|では|(?:ただいま|只今|今)(?:より|から)|続きまして|続いて|引き続き)[^。\n]{0,30}"
    r"(?:質疑|ご質問|質問|Q\s?[&＆]\s?A|Ｑ＆Ａ)[^。\n]{0,20}"
    r"(?:お答え|移|始|行い|行わ|行って|入|開始|お?受け|頂戴|賜|させていただ|ください|どうぞ)"
    r"|(?:ここから|これから|これより|続いて|続きまして|では|それでは)(?:は)?[、，]?(?:質疑(?:応答)?(?:の(?:お?時間|部))?|ご?質問の(?:お?時間|部))"
    r"(?:です|でござい|と(?:いた)?し|に(?:いた)?し|とな)"
    r"|(?i:let(?:'s|’s| us) (?:open (?:it|this|things|the floor) up|go to questions|take (?:some |your |a few )?questions))"
    r"|^(?i:(?:all right|okay|ok|right)[,.] (?:so )?questions\.)"
    r"|(?i:thanks?(?: you)?, \w+\. (?:all right|okay|ok|right),? questions)"
    r"|(?i:open (?:up )?(?:the |it |this |things )?(?:line|lines|floor|call)?[^.\n]{0,20} ?(?:for|to) (?:your |any |some )?(?:question|q ?& ?a))"
    r"|(?i:(?:move|turn|go|get|switch)(?: on| over| now)?(?: to| into) (?:the |your |our )?(?:question|q ?& ?a))"
    r"|(?i:(?:start|begin|take|ready for|have time for)(?: with)?(?: the| your| our| some| a few)? (?:question|q ?& ?a))"
    r"|(?i:(?:first|our first) question (?:comes|is) from)"
)
#: Said of a later or past Q&A, or of an agenda: no gate.
NO_GATE = re.compile(
    r"(?:のち|後ほど|後で|後|そのあと|あとで|最後に)[、,]?[^。\n]{0,20}(?:質疑|Q\s?[&＆]\s?A|Ｑ＆Ａ|ご質問)"
    r"|質疑[^。\n]{0,20}時間を(?:設|お取り|とら)|(?i:at the conclusion|after the presentation|following the)"
    r"|報告事項に対する質疑"
)
#: What only who leads says: opening, calling, order, votes, breaks, the end.
LEADS = re.compile(
    r"(?:開会|開催|閉会|散会|休憩)(?:いたし|し)ます|(?:会議|委員会|説明会|会見|懇談会|総会|電話会議)を(?:開き|開会|始め|行い|開催|終了|閉じ)|議事の都合|^これより|定刻"
    r"|(?:説明|報告|挨拶|紹介|発表|陳述|開陳)(?:は|が)(?:以上で)?終わりました|(?:説明|挨拶|報告)(?:を求めます|があります|の申し出)|ご?発言を願います|お諮り(?:いたし|し|申し上げ)?(?:ます|たい)|異議(?:なし|あり)"
    r"|ご?静粛に|(?:質疑|ご?質問)を(?:行います|始めます|続行|お受け|受け付け|承り|終わ|終了|いただいて)|質疑(?:応答)?(?:に(?:移|入)|は(?:終|これ))|ご?質問の(?:ある|ございます|希望)|挙手|マイク"
    r"|(?:次|続いて|ほか|後)の(?:方|株主|ご質問)|司会(?:を務め|進行)|進行(?:を|役|は)|(?:ご?意見|ご?質問)[^。\n]{0,8}(?:を頂戴|をいただ|を伺)[^。\n]{0,6}(?:たい|ます)|^(?:では|それでは|次に|続いて)[、，]?[^。、\n]{1,12}(?:さん|様|さま|先生|氏|委員)[、，](?:いかが|お願い|どうぞ)|お時間(?:と|に|が|です)|(?:以上|これ)(?:を|で|にて)[^。\n]{0,30}(?:終了|終わ)"
    r"|ご?(?:質問|発言)(?:は|が|も)[^。\n]{0,8}(?:よろしい|ございますか|ありますか|ありませんか|ない(?:よう|ので))|お待たせ|音声をつなぎ|聞こえ(?:てい?|てお?り)?ます(?:か|でしょうか)|ご紹介(?:いた)?します"
    r"|(?i:next question|operator instructions|(?:turn|hand|pass)(?: it| the (?:call|conference|floor)| things| you)?(?: back)? (?:over )?to [A-Z]|turn the (?:call|conference) over|over to (?:you|our)|concludes|(?:hearing|meeting|committee|council) (?:is|stands) (?:now )?adjourned|will come to order|call(?:ed)? (?:this|the) (?:meeting|hearing) to order|we have a question|next we go to|with me (?:today|this)|on the call with me|(?:first up|next up|next|up next) is (?:the line of )?[A-Z]|(?:our|the) (?:first|next|last|final) question|your line is)"
)
#: The same in a hall, in English: ``In the back, the gentleman with the red scarf.``
LEADS_EN = re.compile(
    r"(?i:\bgo ahead\b|\b(?:mr|ms|mrs|dr|miss)\.? [\w'’-]+, (?:please|your line|over to you)|\bwe(?:'ll|’ll| will) come back to you|\blet(?:'s|’s| us) (?:go to|open|take|start with|move (?:on )?to|begin)|\bin the (?:back|front|middle|\w{3,8} row)\b"
    r"|^[A-Z][a-z]{1,14}, (?:please|over to you|your turn|(?:do|would) you (?:want|like) to (?:take|answer|add)[^.?\n]{0,30}|(?:can|could|will) you take (?:this|that)[^.?\n]{0,20})[.?]?$"
    r"|^(?:the |yes, )*(?:gentleman|lady|person|woman|man|young (?:man|lady|woman)|reporter) (?:at|in|with|on|by|over)\b"
    r"|^(?:(?:okay|ok|all right|alright|right|good|great)[,.] ?)?(?:next(?: one| up| person)?|last one|one more|final one|yes, (?:sir|ma'am|ma’am|please)|over (?:here|there))\b ?(?:[.,]|$)"
    r"|\b(?:do|take|have time for|squeeze in) (?:one|two|a couple|a few)(?: or (?:two|three))?(?: more| last| final)"
    r"|\bthat(?:'s|’s| is|'ll be|’ll be) (?:our time|(?:all|it)(?: from us| for (?:today|tonight|now))|all (?:the|we have) time(?: for)?|all we have(?: time for)?)|(?:then |and )we(?:'ll|’ll| will) (?:do|get to|go to|have) (?:the |some |your )?questions|\bwe(?:'re|’re| are) (?:out of|at) time"
    r"|\bwe can (?:start|begin|get started)\b|\bwe(?:'ll|’ll| will) (?:then |also )?(?:take|be taking) (?:your |some |a few )?questions"
    r"|\bhold the mic|\b(?:raise|stick) your hands?\b|\bwho(?:'s|’s| is) next\b|\b(?:any|other|more|further) questions\?)"
)
#: A turn that does nothing but call somebody: 「福生理事。」, 「次に、帆足君。」
CALLS_NAME = re.compile(
    r"^(?:(?:それでは|では|次に|続いて|続きまして|はじめに|最初に|はい)[、，]?)?[^。、，\n]{1,24}(?:様|さま|君|さん|氏|委員|理事|議員|部長|局長|先生)[、，]?(?:お願い(?:いた)?します|お願いいたします|どうぞ)?。?$"
)
#: The company's thanks at the very end: no answer, no news.
FAREWELL = re.compile(
    r"^(?:それでは|では)[^。\n]{0,12}(?:終わり|終了|お開き)|(?:本日|今日|きょう)は[^。\n]{0,40}ありがとうございま(?:した|す)|(?:引き続き|今後とも)[^。\n]{0,20}(?:お願い|ご支援)"
    r"|(?i:^(?:(?:okay|ok|well|great|all right)[,.]? )?(?:thank you|thanks),? (?:again|all|for|everyone|everybody|very much|so much)|have a (?:good|great|nice) (?:day|evening|weekend))"
)
CLOSING_ADDRESS = re.compile(r"最後に|閉会|結びに|締め(?:くくり|の)|終わりに(?:あた|当た)")
ENDING = re.compile(
    r"(?:以上で|以上をもち|これをもち|これで|時間(?:と|が|に)|定刻)[^。\n]{0,30}(?:終了|終わ|閉会|締め切|参り|なりま|お開き)"
    r"|(?:会見|説明会|質疑(?:応答)?)(?:を)?終了|(?:会見|説明会|質疑(?:応答)?|本日|今日)は[、，]?(?:ここまで|これまで|これにて|これで)"
    r"|(?i:(?:this|that|which) (?:now )?concludes|that(?:'s| is|’s) all (?:we have|the (?:time|questions)|for)|(?:end|close) of (?:the|our|today's) (?:call|session|conference|webcast)|now disconnect)"
)
CLOSING_QUESTION = re.compile(
    r"質問(?:を|は)?(?:以上|終わ)|^終わ(?:ります|らせ|りました)|質疑を終わ|以上です|以上でございます|(?:ありがとう|有り?難う)ござい(?:ま(?:した|す))?"
    r"|よく分か|よくわか|わかりました|(?i:(?:that(?:'s|’s| is)|very|super|really) (?:very |really |super )?(?:helpful|clear|useful|great)[.!]?$)|(?i:(?:thank you|thanks|understood)[.,!]?(?: very much| so much| again)?[.!]?$)|分かりました|承知(?:しました|いたしました)|了解"
)
#: Ends by asking for words without a question: 「最後に、若い人へのメッセージをお願いします。」
REQUEST = re.compile(
    r"(?:を|について|に関して|も|で|(?:言|点|つ|件))[、，]?(?:よろしく)?お願い(?:いた|でき|し)[^。\n]{0,8}。?$"
    r"|(?:聞かせて|教えて|話して|示して)[^。\n]{0,10}。?$"
)
_CALLS_WORD = re.compile(r"質問|発言|挨拶|次の|どうぞ|ほか|方|様|さま|さん")


def requests(text: str) -> bool:
    """True if words ask for something without a question: 「関税の影響額もお願いします。」."""
    return REQUEST.search(text) is not None and _CALLS_WORD.search(text) is None


#: What somebody from outside says who has come to say something else than a question.
OUTSIDE_WORDS = re.compile(
    r"質問(?:では|じゃ)(?:な|ござい)|質問と(?:いう|いい)(?:より|ます)|(?:要望|感想|お願い|お礼)(?:な|です|でござ|を(?:申|一|お)|に(?:な|近))|(?i:don't have a question|not a question|just (?:a comment|wanted to (?:say|thank|congratulate)))"
)
#: A questioner's very last words.
ENDS = re.compile(
    r"(?:質問|質疑|発言|私から)[^。\n]{0,12}(?:終わり(?:ます|たい)|終わらせ|以上(?:です|でございます))[^。\n]{0,10}。?\s*$|^以上です。?\s*$"
)
FOLLOW_UP = re.compile(
    r"(?:[^。\n]{0,30}[。、])?[^。\n]{0,12}"
    r"(?:先ほど|先程|さきほど|今(?:お(?:っしゃ|話)|ご(?:説明|回答|指摘)|伺(?:った|い))|今の(?!ところ|時期|時代|期|段階|状況|経済|市場|環境)|ただ今の(?:お?話|ご?回答)|追加で|関連して|関連で|関連質問"
    r"|もう(?:1|１|一)(?:点|つ|問)|もうひとつ|重ねて|再度|特段|続けて|それに(?:関|つい)|その(?:点|件)|そうしますと|そうすると|(?:2|２|二)(?:点目|問目|つ目))"
    r"|[^.?!\n]{0,30}(?i:\bfollow(?:ing|s)?[- ]?up\b|\b(?:you|he|she) (?:just|have just) (?:said|mentioned))"
)
_COUNT = re.compile(
    r"([2-9２-９二三四五六七八九]|[1１][0-9０-９])(?:点|つ|問)"
    r"(?=(?:ほど|まとめて|、|，|。|お|ご|教|質|聞|併せ|あわせ|一緒|届|ある|あっ|あり|ござい|伺|うかが|確認|です|に|を|が|だけ|[）)]))(?!目)"
)
_NTH = re.compile(
    r"(?:第)?([1-9１-９一二三四五六七八九])(?:点目|つ目|問目|番目)|第([1-9一二三四五六七八九])に[、，は]"
)
_COUNT_EN = re.compile(
    r"(?i:(?<=have )(?=(?:two|three|four|five)[.,;:])(\w+)|\b(two|three|four|five|couple)\b(?: of)?(?: (?:quick|short|brief|more|other|separate))?(?: (?:questions|things|points|topics|parts|ones|from (?:me|my side)|for (?:me|you|us)\b)|,? if I (?:may|might|could)))"
)
_NTH_EN = re.compile(r"(?i:(?:^|[.?!] )(?:number|question) (one|two|three|four|five)\b)")
_WORDS = {"one": 1, "two": 2, "couple": 2, "three": 3, "four": 4, "five": 5}
_CIRCLED = re.compile("[①②③④⑤⑥⑦⑧⑨⑴⑵⑶⑷⑸⑹⑺⑻⑼]|[（(][1-9１-９][）)]")
#: 「…を教えてください。もう1点、…」: the second of two in a turn.
_MORE = re.compile(r"[。、，][\s　]{0,2}もう(?:1|１|一|ひと)(?:点|つ|問)[、，はがに]")
_DIGITS = {c: i for i, c in enumerate("〇一二三四五六七八九")}

#: Also whose: 「青柳社長　冒頭発言」.
PRESENTER_HEADING = re.compile(
    r"(?:[^\s　。、]{1,10}(?:社長|会長|頭取|総裁|理事長|長官|大臣|知事|市長|CEO|CFO|氏)[ 　])?(?:冒頭発言|冒頭挨拶|冒頭説明|発言要旨|発言内容|開会挨拶|ご?挨拶|決算説明|業績説明|説明要旨|会社説明|経営説明"
    r"|ご?説明(?:内容|の部)?|プレゼンテーション|本編|(?i:presentation|prepared remarks|opening remarks|management discussion)(?i: section)?)"
    r"(?:要旨|の概要|の部|パート|セッション)?"
)
QA_HEADING = re.compile(
    r"(?:主な|主要な)?(?:質疑応答|質疑|質問と回答|Q\s?[&＆]\s?A|Ｑ\s?＆\s?Ａ"
    r"|(?i:questions? (?:and|&) answers?|question-and-answer)(?i: session| section)?)"
    r"(?:要旨|の?概要|の?要約|の?内容|の部|パート|セッション|記録|(?i: session))?(?:[（(][^）)\n]{0,20}[）)])?"
)
HEADING_OPEN = re.compile(
    r"[\s　]{0,8}(?:[■□◆◇●▼▶◎*＊#・\-－―─]{1,6}[\s　]{0,4})?"
    r"(?:第?[0-9０-９ⅠⅡⅢ一二三四]{1,2}[部章]?[\s　]{0,2}[．.、)）：:]?[\s　]{0,4})?[【［\[〔<＜〈《「『（(]?[\s　]{0,2}"
)
HEADING_CLOSE = re.compile(r"[\s　]{0,2}[】］\]〕>＞〉》」』）)]?[：:■□◆◇●▼*＊#\-－―─\s　]{0,12}$")
TOPIC_HEADING = re.compile(r"[\s　]{0,8}[【＜《〈<][^】＞》〉>\n]{1,60}[】＞》〉>][\s　]{0,8}$")

STAGE_WORDS = (
    r"拍手|笑い?|会場笑い?|一同笑い?|爆笑|苦笑|場内笑い?|動画[^）)]{0,12}|映像[^）)]{0,12}|沈黙|間|休憩|一礼|降壇|登壇"
    r"|[^（()）\n]{0,12}(?:笑い|笑い声|拍手|苦笑|どよめき|歓声)|[^（()）\n]{0,20}(?:を示す|を指す|を掲げる|発言する者あり|と呼ぶ者あり|上映|放映|起立|着席|退席|入場|退場|した後|しながら|しばらく|沈黙して?|うなず(?:く|いて|き)|言葉に(?:詰まる|詰まって)|音声(?:途切れ|不良|なし))"
    r"|[^（()）\n]{0,24}(?:回答せず|回答なし|ここで(?:終了|中断)|中座)[^（()）\n]{0,16}|聞き取れず|聴取不能|録音中断|中略|以下略"
)
STAGE = re.compile(
    rf"〔[^〔〕\n]{{1,80}}〕|[（(](?:{STAGE_WORDS})[）)]"
    r"|\[(?i:interpreted|interpreter|applause|laughter|music|foreign language|operator instructions|音楽|拍手|笑い?)\]"
    r"|(?i:\(operator instructions\))"
)
STAGE_LINE = re.compile(
    rf"[\s　]*(?:[（(](?:{STAGE_WORDS})[）)]|\[(?i:interpreted|interpreter|applause|laughter|music|foreign language|音楽|拍手|笑い?)\]"
    r"|(?i:\(operator instructions\))|[【\[][*＊\s　]{0,8}\d{1,2}:\d{2}(?::\d{2})?[\s　]{0,2}[】\]])[\s　。]*$"
)
END_LINE = re.compile(
    r"[\s　]*(?:以[\s　]?上|了|完|[（(【\[［－―-]\s?(?:以上|了|完)\s?[）)】\]］－―-])。?[\s　]*$"
)
BOILERPLATE_LINE = re.compile(
    r"[\s　]*(?:[（(]注|※|お問い?合わ?せ|[【＜〈■◆]?[ 　]?(?:プロフィール|略歴|PROFILE|Profile)|[（(〔]?(?:聞き手|取材|構成|撮影|写真|文・|文＝|取材・文|編集部|協力)[^。\n]{0,40}[）)〕]?[ 　]*$|本資料|本書き起こし|本議事録|免責|[【＜■]?[\s　]?(?:ご注意|注意事項|免責事項|将来の?見通し)|[\[(（](?i:portions of|this transcript|the (?:above|preceding)|editor|translator)|(?i:disclaimer|forward-looking|copyright|©))"
)
#: What speech recognition writes into silence (faster-whisper#850).
ARTEFACT_LINE = re.compile(
    r"[\s　]*(?:(?:最後まで)?ご視聴(?:いただき|頂き)?[、]?(?:誠に)?ありがとうございま(?:した|す)|チャンネル登録(?:を)?(?:よろしく)?お願い(?:いた)?します)[。.！!]?[\s　]*$"
)
RULE_LINE = re.compile(
    r"[\s　]*(?:[-－―─=＝_＿*＊~～・]{2,}|[.．]{8,}|-|[-－―─]\s?\d{1,3}\s?[-－―─]|・)[\s　]*$"
)

_ROLE_TITLES: tuple[tuple[Role, re.Pattern[str]], ...] = (
    (
        "moderator",
        re.compile(
            r"司会|進行|モデレーター|ファシリテーター|^(?:議長|委員長|座長|幹事)(?:$|[（(])|事務局|アナウンス|^通訳者?$"
            r"|^主催(?:者|側|会社)|^幹事証券|世話(?:人|役)|案内役|まとめ役|ナビゲーター"
            r"|^(?:CHAIR(?:MAN|WOMAN|PERSON)?|Chair|Madam Chair) [A-Z]|(?i:^(?:the )?(?:chair|host|mc|emcee|facilitator)$|[(](?:host|moderator)[)]$|^operator|moderator|conference coordinator)|オペレーター"
        ),
    ),
    (
        "answer",
        re.compile(
            r"監査等委員|代理人|管財人|参考人|政府委員|公述人|^(?:(?:会社側?|当社側?)(?:から)?の?)?(?:ご?説明|ご?挨拶|冒頭(?:挨拶|発言|説明)?|発言|発表|回答|登壇|会社側?|当社側?)者?(?:$|[（(])"
            r"|(?i:^(?:executives?|management|company|speaker from the company)$|company representative|portfolio company)"
        ),
    ),
    (
        "question",
        re.compile(
            r"副委員長|総代(?!会)|^(?:労働)?(?:組合|労組)側?$|(?i:\b(?:council ?(?:member|man|woman)|senator)\b)|記者|新聞|[^\s　広公]{2}[日時新週]報(?=[・（(／/\s　]|$)|通信社?$|通信[\s　]|アナリスト|証券|投資家|株主|委員(?!長|会)|質問者|議員"
            r"|NHK|ＮＨＫ|^(?:日経|読売|朝日|毎日|産経|共同|時事|ロイター|ブルームバーグ|東洋経済|TBS|テレ朝|日テレ|テレ東)$|タイムズ|ジャーナル|プレス(?!リリース)|ニュース|マガジン|ウ[イィ]ークリー|^(?:週刊|月刊|隔週|季刊|日刊)|デイリー|トリビューン|クロニクル|ラジオ|アセット|投信|投資顧問|キャピタル|インベスト|テレビ|放送|幹事社|ファンドマネ|ライター|ジャーナリスト|^聞き手|^インタビュアー|[^\s　]誌(?=[「『・（(\s　]|$)|部会員|構成員|評議員|編集長|論説|特派員|企業調査|(?i:analyst|securities|reporter|journalist|investor(?! relations)|shareholder|questioner|guest ?#?\d{1,2}|unidentified (?:participant|audience)|portfolio manager|fund manager|^(?:participant|audience(?: member)?|attendee|caller)(?: ?#?\d{1,2}| [A-Z])?$)"
        ),
    ),
    ("moderator", re.compile(r"議長|委員長|座長|幹事")),
    (
        "moderator",
        re.compile(
            r"(?:広報|(?<![A-Za-z])IR(?![A-Za-z])|ＩＲ)(?![^\s]{0,8}(?:役員|取締役|CFO|ＣＦＯ))|(?i:investor relations)|(?:of|for|Head|Manager|Director),? IR\b"
        ),
    ),
    (
        "answer",
        re.compile(
            r"(?<!株主)(?<!組合)(?<!者)(?<!市民)代表(?:$|[（(・　 ])|顧問|相談役|フェロー|創業者|創業家|参与|主幹|工場長|社長|会長|取締役|執行役|役員|専務|常務|監査役|部長|局長|次長|課長|室長|知事|大臣|総裁|頭取|理事長"
            r"|参事|長官|本部長|回答者|市長|総理|副社長"
            r"|(?i:\b(?:executive|ceo|cfo|coo|cto|cio|chro|ciso|president|chief|director|officer|vice president|evp|svp)\b)"
            r"|Ｃ[Ａ-Ｚ]{1,3}Ｏ|(?<![A-Z])C[A-Z]{1,3}O(?![A-Za-z])"
        ),
    ),
    ("answer", re.compile(r"[^\s　]{1,20}長$")),
    # An office that speaks: 「観光課」, 「経営企画室」; not a paper's 「編集部」 or a room.
    (
        "answer",
        re.compile(
            r"^[^\s　]{1,12}?(?:課|(?<!会議)(?<!控)(?<!教)(?<!編集)室|(?:事業|管理|総務|経理|財務|人事|営業|技術|企画|製造|開発|推進)部)$"
        ),
    ),
)
#: A company's own post whose name holds a word of the other side: 「資金証券部長」.
_OWN_POST = re.compile(
    r"(?:証券|通信|放送|新聞|テレビ|アセット|株主|投資家|委員会|記者|キャピタル)"
    r"(?!(?:企業)?調査|運用|報道|編集|論説|経済|社会|政治|リサーチ)[^\s　・／/（(]{0,8}"
    r"(?:部|室|課|局|本部|担当|グループ|センター)[^\s　・／/（(]{0,4}(?:長|役|役員)$"
)
#: Titles whose holders sit on either side; only the roster or the vote can tell.
AMBIGUOUS = re.compile(r"^(?!常務|専務|代表|業務執行)[^\s　]{0,6}理事$")


def role_of_title(label: str) -> Role | None:
    """The role that a label's title tells, None if it tells none."""
    if AMBIGUOUS.match(label):
        return None
    if _OWN_POST.search(label):
        return "answer"
    return next((role for role, pattern in _ROLE_TITLES if pattern.search(label)), None)


#: Asks wherever it stands; the other cues are rhetorical as well, unless a turn ends with them.
_ASKS_ANYWHERE = re.compile(
    r"伺いま|伺いた|伺わせ|お伺い|うかがい|お尋ね(?!くだ|下さ|いただ)|お聞き(?:し|でき|いた)|お聞かせ|教えて(?!いただいた|くれ|もらった)|ご教示|ご教授"
    r"|質問(?:です|いたします|します|させて|が(?:あり|ござい|[2-9２-９二三四五]))|(?:[2-9２-９二三四五])(?:点|つ|問)(?:ほど)?[、，]?(?:お願い|伺|質問|聞|教え)"
    r"|(?i:could you|can you|would you)"
)
_SENTENCE = re.compile(r"[^。？?！!\n]{1,400}[。？?！!\n]?")
_INTERROGATIVE_END = re.compile(
    r"(?:いつ|どこ|(?<!ほ)どの|どれ|いくら|何|なん(?!で)|なぜ|(?<!か)どう(?!ぞ|も)|誰)(?![^。？?\n]{0,10}(?:でも|も[^うっ]))[^。？?\n]{0,16}(?:です|ます|でした|ました|とか)[。]?$"
)
ENDS_ASKING = 2  # sentences


def asks(text: str) -> bool:
    """True if a turn asks: by set phrases anywhere, else in its last two sentences.

    「なぜか。倉庫に行ったら答えがありました。…」 does not.
    """
    if _ASKS_ANYWHERE.search(text):
        return True
    tail = text.strip()[-400:]
    last = "".join(_SENTENCE.findall(tail)[-ENDS_ASKING:])
    return is_question(last) or _INTERROGATIVE_END.search(tail) is not None


def is_question(text: str) -> bool:
    """True if the text asks for something other than consent to a procedure."""
    return QUESTION.search(_PROCEDURE.sub("", text) if "か" in text else text) is not None


def _circled(mark: str) -> int:
    return int(unicodedata.normalize("NFKC", mark).strip("()（）"))


def _number(text: str) -> int:
    return _DIGITS[text] if text in _DIGITS else int(text)


def count_questions(text: str) -> int:
    """How many questions a question turn puts, as it says or numbers them; else one."""
    stated = [_number(m[1]) for m in _COUNT.finditer(text[:400])]
    stated += [_WORDS[(m[1] or m[2]).lower()] for m in _COUNT_EN.finditer(text[:400])]
    nth = {_WORDS[m[1].lower()] for m in _NTH_EN.finditer(text)}
    if nth == set(range(1, len(nth) + 1)) and len(nth) >= 2:
        stated.append(len(nth))
    circled = {_circled(c) for c in _CIRCLED.findall(text)}
    if circled == set(range(1, len(circled) + 1)) and len(circled) >= 2:
        stated.append(len(circled))
    ordinals = {_number(m[1] or m[2]): m.start() for m in reversed(list(_NTH.finditer(text)))}
    if ordinals:
        # 「2点目は…」 alone is one question; after other words it counts what went before.
        first = min(ordinals)
        counted = len(ordinals) if ordinals[first] < 60 or first == 1 else max(ordinals)
        return counted if set(ordinals) == {1} else max([counted, *stated])
    if stated and max(stated) <= 12:
        return max(stated)
    more = _MORE.search(text, 8)
    return 2 if more and is_question(text[: more.start() + 1]) else 1
