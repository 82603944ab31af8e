"""An invented call in label shapes that no rule lists, and prose whose lines begin alike.

Here: only the texts; ``test_induced`` says what must come of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

Shape = Callable[[str, str, int], str]

#: Who (by key) says what.
CALL = [
    ("host", "ただいまから決算説明会の質疑を始めます。ご質問のある方は挙手をお願いします。"),
    ("q1", "受注が前年を下回った理由を教えてください。また、通期の見通しは変わりませんか。"),
    ("a1", "第1四半期に大口の案件が集中した反動です。通期の見通しは変えておりません。"),
    ("q1", "反動の大きさはどの程度でしょうか。"),
    ("a2", "およそ12億円です。第2四半期からは前年並みに戻ると見ています。"),
    ("host", "ありがとうございました。次の方、どうぞ。"),
    ("q2", "新工場の稼働の時期についてお聞かせください。"),
    ("a1", "来年の4月を予定しています。人員の採用は計画どおりに進んでいます。"),
    ("q2", "減価償却費はいくら増えますか。"),
    ("a2", "年間でおよそ3億円の増加を見込んでいます。"),
    ("q1", "株主還元の考え方に変更はありますか。"),
    ("a1", "配当性向の目標は40％のままです。自己株式の取得は状況を見て判断いたします。"),
    ("host", "お時間となりましたので、以上で終了いたします。本日はありがとうございました。"),
]
CALL_EN = [
    ("host", "Good morning and welcome. We will now take your questions."),
    ("q1", "Could you explain why orders fell below last year's level?"),
    ("a1", "A few large projects were booked a year ago. The full-year outlook stands."),
    ("q1", "How large was that effect?"),
    ("a2", "About twelve million dollars. We expect a normal level from the next quarter."),
    ("host", "Thank you. Next question, please."),
    ("q2", "When will the new plant start, and what will it cost?"),
    ("a1", "In April next year. Hiring is going according to plan."),
    ("q2", "How much will depreciation rise?"),
    ("a2", "By about three million dollars a year."),
    ("q1", "Is there any change in the dividend policy?"),
    ("a1", "No. Our payout target is still forty percent."),
    ("host", "That is all the time we have. Thank you for joining."),
]
#: How the five are called.
CASTS: dict[str, dict[str, str]] = {
    "titles": {
        "host": "司会",
        "q1": "東都新聞 記者",
        "q2": "北星証券 田所",
        "a1": "三枝社長",
        "a2": "財務部長",
    },
    "names": {"host": "深沢", "q1": "小林", "q2": "田所", "a1": "三枝", "a2": "有馬"},
    "voices": {"host": "声1", "q1": "声2", "q2": "声3", "a1": "声4", "a2": "声5"},
    "english": {
        "host": "Operator",
        "q1": "Owen Whitlock",
        "q2": "Mia Ferrante",
        "a1": "Ichiro Saegusa",
        "a2": "Haru Arima",
    },
}

_DELIMITERS = {
    "slash_time": "0:0{i}:12 {who}／{said}",
    "pipe_number": "{n} ┆ {who} ┆ {said}",
    "tilde": "{who} ～ {said}",
    "double_colon": "{who} :: {said}",
    "ratio": "{who}∶{said}",
    "triangle": "{who} ▸ {said}",
    "guillemets": "«{who}» {said}",
    "corner": "⌜{who}⌟ {said}",
    "braces": "{{{who}}} {said}",
    "double_brackets": "[[{who}]] {said}",
    "hash": "# {who} # {said}",
    "at": "@{who}@ {said}",
    "percent": "%% {who} %% {said}",
    "underlined": "__{who}__ — {said}",
    "backquotes": "`{who}` {said}",
    "bars": "|{who}| {said}",
    "double_bar": "{who}‖{said}",
    "arrow_long": "{who} ⟹ {said}",
    "arrow_ascii": "{who} --> {said}",
    "equals": "{who} == {said}",
    "plus": "+ {who} + {said}",
    "caret": "^{who}^ {said}",
    "bullet_slash": "• {who} // {said}",
    "bullet_dots": "・{who}……{said}",
    "leader": "{who} ‥‥ {said}",
    "backslash": "{who} \\ {said}",
    "star_name": "＊{who}＊　{said}",
    "sun_name": "☀ {who} ☀ {said}",
    "number_bracket": "({n}) 〖{who}〗 {said}",
    "number_dot_angle": "{n}. 〈{who}〉→ {said}",
    "hash_number": "#{n} {who} » {said}",
    "clock_bracket": "10時0{i}分 ⟦{who}⟧ {said}",
    "time_after": "{who} [00:0{i}] {said}",
    "time_after_at": "{who} @00:0{i} | {said}",
    "time_paren_after": "{who} (10:0{i}) » {said}",
    "quote_line": "> {who} > {said}",
    "tree": "┣ {who} ━ {said}",
    "phone": "☎ {who} ☎ {said}",
    "section": "§ {who} § {said}",
    "dagger": "† {who} †† {said}",
    "semicolon_wide": "{who}；{said}",
    "bar_wide": "{who}｜｜{said}",
    "pointing": "☞ {who} ☜ {said}",
    "tagged": "<{who}>> {said}",
    "half_brackets": "｢{who}｣ {said}",
    "wave": "〜{who}〜 {said}",
    "wide_equal": "{who}＝＝{said}",
    "parens_arrow": "（{who}）⇨ {said}",
    "slashes": "/{who}/ {said}",
    "tab": "{who}\t\t{said}",
}
_OWN = {
    "own_time": "{who} 00:0{i}\n{said}\n",
    "own_bars": "│ {who} │\n{said}\n",
    "own_dashes": "--- {who} ---\n{said}\n",
    "own_hash": "### {who}\n{said}\n",
    "own_stars": "*** {who} ***\n{said}\n",
    "own_number": "[{n}] {who}\n{said}\n",
    "own_corner": "⌜{who}⌟\n{said}\n",
    "own_guillemets": "»{who}«\n{said}\n",
    "own_arrow": "→ {who}\n{said}\n",
    "own_time_before": "00:0{i}:05 {who}\n{said}\n",
    "own_equals": "== {who} ==\n{said}\n",
    "own_indent": "        {who}\n{said}\n",
    "own_bare": "{who}\n{said}\n",
    "own_number_dot": "{n}. {who}\n{said}\n",
}
#: Labels behind fields, in tables, with houses and times in several places.
_MIXED = {
    "time_line_then_name": "00:0{i}:12\n{who}\n{said}\n",
    "range_own": "{who} (00:0{i}:03 - 00:0{i}:40)\n{said}\n",
    "ampm": "10:0{i} AM {who}\n{said}\n",
    "two_brackets": "[{who}] [00:0{i}] {said}",
    "speaker_field": "Speaker: {who}\n{said}\n",
    "field_same": "発言者 {who} ： {said}",
    "counter": "({n}/13) {who} ≫ {said}",
    "letter_no": "A-{n} {who}｜{said}",
    "md_table": "| {who} | {said} |",
    "md_table_no": "| {n} | {who} | {said} |",
    "csv": "{n},{who},{said}",
    "csv_q": '"{who}","{said}"',
    "tsv": "{n}\t{who}\t{said}",
    "angle_san": "<{who}> {said}",
    "two_line": "{who}\n{house}\n\n{said}\n",
    "two_line_paren": "{who}\n（{house}）\n{said}\n",
    "house_line": "{house} {who} ▷ {said}",
    "who_paren": "{who}（{house}）┃{said}",
    "who_paren_own": "{who}（{house}）\n{said}\n",
    "indent_body": "{who}\n    {said}\n",
    "colon_own": "{who}：\n{said}\n",
    "quote_own": "「{who}」\n{said}\n",
    "dash_em_after": "{who} —— {said}",
    "slash_house": "{house}/{who}/{said}",
    "dot_mid": "{who} · {said}",
    "bold_html": "<b>{who}</b> {said}",
    "bold_md_own": "**{who}**\n{said}\n",
    "h3_time": "### {who} · 00:0{i}\n{said}\n",
    "bracket_sq_time": "【00:0{i}】{who}▼{said}",
    "bullet_own": "● {who}\n{said}\n",
    "num_own": "{n:03}\n{who}\n{said}\n",
    "hash_time": "#00:0{i} {who} # {said}",
    "chat": "{who}, 10:0{i}\n{said}\n",
    "chat2": "[2026/11/19 10:0{i}] {who} > {said}",
    "iso": "2026-11-19T10:0{i}:00 {who} - {said}",
    "wide_space": "{who}\u3000{said}",
    "wide3": "{who}\u3000\u3000\u3000{said}",
    "emoji": "🎤{who}🎤 {said}",
    "exchange": "――{who}――\n{said}\n",
    "underline_rule": "{who}\n－－－－－－\n{said}\n",
    "tail_time": "{who} ┆ {said} (00:0{i})",
}
SHAPES = {**_DELIMITERS, **_OWN, **_MIXED}
_HOUSES = {
    "host": "青嶺精機 広報室",
    "q1": "東都新聞社",
    "q2": "北星証券",
    "a1": "青嶺精機",
    "a2": "財務本部",
}


class Rendered(NamedTuple):
    """A text, and where in it each turn's words stand."""

    name: str
    text: str
    said: list[str]


def _lines(said: str, layout: str) -> str:
    """The words as the layout sets them: whole, in two paragraphs, with a hanging indent."""
    stop = "。" if "。" in said else ". "
    head, sign, tail = said.partition(stop)
    if not tail.strip() or layout in ("dense", "spaced"):
        return said
    gap = {
        "paragraphs": "\n",
        "hanging": "\n　　　　" if "。" in said else "\n        ",
        "apart": "\n\n",
    }[layout]
    return f"{head}{sign.rstrip()}{gap}{tail}"


LAYOUTS = ("dense", "spaced", "paragraphs", "hanging", "apart")


def rendered() -> Iterator[Rendered]:
    """Every shape with every cast in every layout."""
    for shape, form in SHAPES.items():
        for cast, names in CASTS.items():
            call = CALL_EN if cast == "english" else CALL
            for layout in LAYOUTS:
                blocks = [
                    form.format(
                        who=names[who],
                        house=_HOUSES[who],
                        said=_lines(said, layout),
                        n=i + 1,
                        i=i % 10,
                    )
                    for i, (who, said) in enumerate(call)
                ]
                title = "Aomine Seiki briefing" if cast == "english" else "青嶺精機　決算説明会"
                text = f"{title}\n\n" + ("\n\n" if layout in ("spaced", "apart") else "\n").join(
                    blocks
                )
                yield Rendered(f"{shape}-{cast}-{layout}", text + "\n", [said for _, said in call])
