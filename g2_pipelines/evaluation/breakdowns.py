"""Names by which sources break their figures down: regions, products, businesses, channels.

Here: ``breakdowns``. Many reports tag no segment, and none tags what is below one (国内スナック菓子,
北米, 会員向け売上); what names the rows of a table that adds up, or the part of a text that
begins with its sales, is such a name. Only modules of this package import it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from g2_pipelines.evaluation.grids import Cell, is_figure, tables
from g2_pipelines.evaluation.items import ITEMS
from g2_pipelines.text.fold import fold_text

#: A report names some dozens; a source made to name thousands costs no more than this.
MOST = 200
_CHAR = r"[a-z0-9&\u30a1-\u30fa\u30fc\u3005\u4e00-\u9fff・/+\-]"
_NAME = re.compile(
    rf"(?=.*[a-z\u30a1-\u30fa\u4e00-\u9fff]|[\u3041-\u3096]{4})(?:{_CHAR}|[\u3041-\u3096 ]){{2,24}}"
)
_UNIT_END = re.compile(r"\s*[(（\[](?:単位[:：])?[^()（）]{1,12}[)）\]]$|(?:\*|※|注)\d*$")
_LEAD = re.compile(
    r"^[\s　]*(?:うち|内、|[(\[]?(?:\d{1,2}|[a-z]|[ivx]{1,4}|[一二三四五六七八九十]|[イロハニホヘト])[)\].、]\s*|[・◇◆■□●○〇▪※*\-]+\s*)+"
)
_CIRCLED = re.compile(r"^[\s　]*[\u2460-\u2473\u3251-\u32bf]")  # folded, ① is the 1 of a name
_BRACKETS = re.compile(r"^[(<\[【「『《〔](.+)[)>\]】」』》〕]$")
#: Endings of what is counted, not of what it is counted for.
_COUNTED = re.compile(
    r"(?:費|費用|益|損|失|高|額|率|比|数|金|残高|資産|負債|資本|株式|債|債権|債務|収入|支出|収益|税|差額|フロー|原価|価格|単価|料|評価|償却"
    r"|引当|増加|減少|影響|要因|努力|投資|還元|控除|概観|成績|業績|全般|ハイライト|コスト|増減|実績|状況|概要|概況|分析|結果|情報|方針|環境|課題|見通し|時間|年齢|給与|人員|台数|面積|期間|年度|月期|利回り|為替|レート"
    r"|ドル|ユーロ|円|項目|科目|区分|名称|内容|計画|目標|指標|勘定|剰余|改善|強化|推進|向上|拡大|促進|整備|構築|確保|育成|活用|対応|取り?組み?|実現|創出|追求|徹底|見直し|改革|転換|低減|削減|抑制|深耕|展開|加速|高度化|効率化|最適化|安定化|多様化|施策|戦略|手形|預金|貸付|借入|準備|対価|負担|持分|配当|合計|計)$"
)
_TOTAL = re.compile(
    r"(?:(?:.{1,16} ?)?計|連結|全社|その他の?.{0,6}|調整額?|消去.*|セグメント間.*)$"
)
#: 為替による減少, 金融事業に係る費用: what is told of a part.
_TOLD = re.compile(r"による|に係る|からの|に関する|および|及び|した|する|^当|^各|^本")
_PLAIN = re.compile(
    r"(?:当社|当社グループ|同社|国内|海外|国内外|連結|単体|個別|全体|(?:前々|[当前来翌今次本昨])(?:期|年度|年)|通期|中間期|[上下]半?期|(?:前年|当年)?同期|[当前]第.*|第?\d.*|前?年.*|当?連結会計年度|主要.*|上記.*|以下.*|平均|実質"
    r"|増減|金額|数量|構成比|前期比|単位|注|(?:20|19)\d\d.*)"
)
_HEADED = re.compile(
    r"名称|区分|地域|種類|種別|品目|相手先|製品|セグメント|事業|部門|仕向|用途|分野|チャネル"
)
_AMOUNT = re.compile(r"\d[\d,.]*\s*(?:兆|億|百万|千|万)?円")
_STARTS = re.compile(
    r"(?:[^。\n]{0,40}?)(?:売上|収益|利益|損失|受注|生産高|販売|取扱高|流通額|増加し|減少し|前[^、。]{0,10}比)"
)
_SALES = r"(?:売上|営業収益|営業利益|営業損失|受注高|受注額|セグメント利益|セグメント損失|生産高|取扱高|販売数量|販売高|事業利益|コア営業利益)"
#: アジアにおける売上高は…, 生活用品の営業利益は…, 化学品部門は…
_SAID = re.compile(
    rf"(?:^|(?<=[、。\n)]))(?P<name>{_CHAR}{{2,20}}?)"
    rf"(?:における|の)(?:外部顧客への|国内|海外)?{_SALES}[高収益]{{0,2}}(?=[はがも])"
)
_SUFFIXED = re.compile(
    rf"(?:^|(?<=[、。\n)]))(?P<name>{_CHAR}{{1,20}}?(?:事業|部門|地域|セグメント))"
    rf"(?=(?:における|において|では)[^、。]{{0,12}}{_SALES}|の売上|の営業|は)"
)


def breakdowns(text: str) -> list[str]:
    """Folded names in the order in which ``text``, a source's, has them, at most ``MOST``."""
    found: dict[str, None] = {}
    for name in (*_rows(text), *_headings(text), *_sentences(text)):
        found.setdefault(name)
        if len(found) == MOST:
            break
    return list(found)


def name_of(label: str) -> str:
    """A label, folded, without its mark, brackets and unit; '' where it names no part."""
    folded = fold_text(_CIRCLED.sub("", label)).strip()
    for _ in range(2):
        folded = _UNIT_END.sub("", _LEAD.sub("", folded)).strip()
        inner = _BRACKETS.match(folded)
        folded = inner[1].strip() if inner else folded
    if folded.endswith(("事業セグメント", "部門セグメント")):
        folded = folded.removesuffix("セグメント")
    if not _NAME.fullmatch(folded) or _COUNTED.search(folded) or _TOTAL.fullmatch(folded):
        return ""
    if (
        _PLAIN.fullmatch(folded)
        or _TOLD.search(folded)
        or any(b == len(folded) for _, b, _ in ITEMS.find(folded))
    ):
        return ""
    return folded


def _rows(text: str) -> Iterator[str]:
    """What the rows of tables that add up are called, or of those whose head says by what."""
    for rows in tables(text):
        labels: list[str] = []
        partition = False
        in_body = False
        for row in rows:
            first = next((i for i, cell in enumerate(row) if is_figure(cell)), None)
            if first is None:
                partition |= not in_body and _HEADED.search(row[0].text) is not None
                continue
            in_body = True
            for cell in _labels(row[:first]):
                partition |= _TOTAL.fullmatch(fold_text(cell.text).strip()) is not None
                labels.append(cell.text)
        names = [name for label in labels if (name := name_of(label))]
        if partition and len(set(names)) > 1:
            yield from names


def _labels(cells: list[Cell]) -> list[Cell]:
    return [cell for cell in cells if cell.text][:2]


def _headings(text: str) -> Iterator[str]:
    """Short lines right before sales or a table's row."""
    lines = text.split("\n")
    for line, after in pairwise(lines):
        if not 2 <= len(line.strip()) <= 28 or "\t" in line or "。" in line:
            continue
        plain = fold_text(line).strip()
        marked = _CIRCLED.match(line) or _LEAD.match(plain) or _BRACKETS.match(plain)
        folded = fold_text(after[:160])
        if "\t" in after:
            follows = any(is_figure(Cell(0, 0, part.strip())) for part in after.split("\t")[1:])
        else:
            follows = bool(marked and _STARTS.match(folded) and _AMOUNT.search(folded))
        if follows and (name := name_of(line)):
            yield name


def _sentences(text: str) -> Iterator[str]:
    """What sentences with amounts give sales of."""
    for line in text.split("\n"):
        if "\t" in line:
            continue
        for sentence in fold_text(line).split("。"):
            if _AMOUNT.search(sentence) is None:
                continue
            for pattern in (_SAID, _SUFFIXED):
                for match in pattern.finditer(sentence):
                    if name := name_of(match["name"]):
                        yield name
