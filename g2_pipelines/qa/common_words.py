"""Words that say nothing about what a question is about, and irregular English forms.

Here: three plain sets for ``matching``. A word in them is never required of evidence.
"""

from __future__ import annotations


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


GENERIC_JA = _set(
    "条件 方法 詳細 使用 予定 変動 特徴 影響 効果 動向 違い 取組 取組み 取り組 対策 措置 "
    "関 良 悪 思 知 考 有 無 来 在 係 伴 応 因 従 与 含 受 講 設 進 際 最 強 弱 新 古 "
    "何 誰 値 数値 名前 名称 種類 具体的 具体例 詳細 説明 回答 質問 内容 理由 "
    "背景 目的 場合 以下 上記 記載 文書 資料 本書 報告書 論文 図 表 図表 頁 "
    "ページ 章 節 項目 例 点 方 事 物 所 時 前 後 結果 程度 割合 違 差 比較 "
    "合計 最大 最小 最高 最低 最 一番 中 内 全 各 他 同 示 教 述 挙 読 答 "
    "対象 関連 関係 状況 傾向 考慮 以上 キャプション 見出 単位 数字 年 月 日 回 "
    "件 円 人 名 本 個 台 両方 共 比 高 低 大 小 多 少 長 短 使 用 行 持 "
    "得 取 出 見 入 上 下 書 言 呼 占 位 向 対 基 増加 減少 増減 変化 数 "
    "量 計算 金額"
)

GENERIC_EN = _set(
    "happen happens needed need given appear appears entire overall included include includes "
    "title topic total associated involved regarding related mean means called said "
    "metioned stands refer refers referred present presented provide provided there's what's "
    "a an the and or but if of in on at to for from by with as is are was were be been "
    "being am this that these those it its he she his her they them their there here we our "
    "you your i my what which who whom whose when where why how does do did done has have "
    "had having can could will would shall should may might must not no than then so such "
    "into onto over under about between within without during before after above below more "
    "most less least much many any all each every other another some same only also "
    "too very just per via document paper article report text according mention mentioned "
    "describe described state stated show shown shows figure fig table chart diagram page "
    "caption section name names value values number numbers amount answer question write "
    "please give list return format following based difference total sum higher lower "
    "greater smaller larger highest lowest largest smallest biggest greatest maximum "
    "fewest minimum longest shortest compared respectively long large high far old big tall wide "
    "deep fast often exactly used use uses using kind type one ones "
    "enumerate combined collectively altogether together absolute formatted specified listed "
    "fiscal millions million billions billion thousands rounded round decimal decimals "
    "metioned located respective two three four five six seven eight nine ten gave such "
    "reach reaches reached achieve achieves achieved attain attains attained obtain obtains obtained "
    "don't doesn't didn't isn't aren't wasn't weren't haven't hasn't can't won't"
)

_FORMS = (
    "kept:keep made:make held:hold built:build sold:sell sent:send spent:spend lost:lose "
    "grew:grow grown:grow rose:rise risen:rise fell:fall fallen:fall ran:run led:lead "
    "took:take taken:take gave:give given:give began:begin begun:begin chose:choose "
    "chosen:choose wrote:write written:write drove:drive driven:drive bought:buy "
    "brought:bring met:meet paid:pay said:say found:find won:win men:man women:woman "
    "children:child people:person countries:country"
)

#: Form → stem of irregular verbs and plurals.
IRREGULAR: dict[str, str] = {
    form: base for form, _, base in (pair.partition(":") for pair in _FORMS.split())
}

#: Words for the same thing that a document may use instead.
SAME_JA: dict[str, tuple[str, ...]] = {
    "日本": ("我が国", "わが国"),
    "諸外国": ("海外", "各国"),
}
