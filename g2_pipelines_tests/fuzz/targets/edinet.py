"""EDINET's inputs: filing zips, single instances, CSV zips, answers of the API, the code list.

Mutations know the form: members of a zip are dropped, renamed and swapped, tags and
attributes of pages changed, the zip itself damaged.
"""

from __future__ import annotations

import io
import random
import re
import struct
import tempfile
import unittest.mock
from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from zipfile import ZipFile

from g2_pipelines.edinet import archive
from g2_pipelines.edinet.answers import RawAnswer, count_of, day_of, download_of, failure_of
from g2_pipelines.edinet.codelist import read_code_list
from g2_pipelines.edinet.corrections import apply_correction
from g2_pipelines.edinet.eras import SECTIONS
from g2_pipelines.edinet.filing import ReadFiling, read_filing
from g2_pipelines.errors import G2Error
from g2_pipelines.tables.line1 import FilingSection
from g2_pipelines_tests.edinet.builder import (
    DEI,
    IX_2013,
    LONG,
    MDNA,
    POLICY,
    STEM,
    block,
    filing_members,
    zip_bytes,
)
from g2_pipelines_tests.fuzz.harness import Target
from g2_pipelines_tests.fuzz.mutate import BYTES, MARKUP, mutated

_CONTEXTS = "".join(
    f'<xbrli:context id="{name}"><xbrli:period><xbrli:startDate>2023-04-01</xbrli:startDate>'
    "<xbrli:endDate>2024-03-31</xbrli:endDate></xbrli:period><xbrli:scenario>"
    f"{scenario}</xbrli:scenario></xbrli:context>"
    for name, scenario in (
        ("CurrentYearDuration", ""),
        (
            "CurrentYearDuration_AlphaReportableSegmentMember",
            '<xbrldi:explicitMember dimension="jpcrp_cor:OperatingSegmentsAxis">'
            "jpcrp030000-asr_E99009-000:AlphaReportableSegmentMember</xbrldi:explicitMember>",
        ),
    )
)
_FACT = (
    '<ix:nonFraction name="{}" contextRef="{}" unitRef="JPY" decimals="-6" scale="6"'
    ' format="ixt:numdotdecimal"{}>{}</ix:nonFraction>'
)
_TABLE = (
    '<table><tr><th rowspan="2">区分</th><th colspan="2">金額(百万円)</th></tr>'
    "<tr><td>前期</td><td>当期</td></tr><tr><td>売上高</td><td>"
    + _FACT.format("jpcrp_cor:NetSalesSummaryOfBusinessResults", "CurrentYearDuration", "", "1,234")
    + "</td><td>△56<table><tr><td>内</td><td>訳</td></tr></table></td></tr><tr><td>甲事業</td><td>"
    + _FACT.format(
        "jpcrp_cor:NumberOfEmployees",
        "CurrentYearDuration_AlphaReportableSegmentMember",
        ' sign="-"',
        "5",
    )
    + "</td><td>－</td></tr></table>"
)
_BODY = (
    block(POLICY, f"<h3>（1）方針</h3><p>{LONG}</p>{_TABLE}<img src='images/a.png' alt='図'/>")
    + block("jpcrp_cor:BusinessRisksTextBlock", f"<p>{LONG}</p>" + block("jpcrp_cor:GoingConcernTextBlock", "x"))
    + block(f"jpcrp030000-asr_E99009-000:{MDNA}", f"<p>① 業績</p><p>{LONG}</p>{_TABLE}")
)  # fmt: skip
_OLD = (
    block("jpcrp_cor:OverviewOfBusinessResultsTextBlock", f"<p>{LONG}</p>{_TABLE}")
    + block("jpcrp_cor:IssuesToAddressTextBlock", LONG)
    + block("jpcrp_cor:AnalysisOfFinancialPositionOperatingResultsAndCashFlowsTextBlock", LONG)
)
_CHAIN = (
    block(POLICY, "<p>一<ix:exclude>頁</ix:exclude></p>", more=' continuedAt="c1"')
    + '<ix:continuation id="c2">三</ix:continuation>'
    + '<ix:continuation id="c1" continuedAt="c2"><p>二</p></ix:continuation>'
)
_NOTE = (
    "<p>当社は「甲事業」及び「乙事業」を報告セグメントとする。コンテンツ事業の単一セグメント。</p>"
)
_LABELS = (
    '<link:linkbase xmlns:link="http://www.xbrl.org/2003/linkbase" xmlns:xlink="http://www.w3.org/1999/xlink">'
    f'<link:labelLink><link:loc xlink:href="{STEM}.xsd#jpcrp030000-asr_E99009-000_AlphaReportableSegmentMember"'
    ' xlink:label="l"/><link:label xlink:label="t" xlink:role="http://www.xbrl.org/2003/role/label">甲事業'
    '</link:label><link:labelArc xlink:from="l" xlink:to="t"/></link:labelLink></link:linkbase>'
)
INSTANCE = (
    '<?xml version="1.0" encoding="UTF-8"?><xbrli:xbrl xmlns:xbrli="http://www.xbrl.org/2003/instance"'
    ' xmlns:jpcrp_cor="urn:c" xmlns:jpdei_cor="urn:d">'
    '<xbrli:context id="FilingDateInstant"><xbrli:period><xbrli:instant>2024-06-27</xbrli:instant></xbrli:period>'
    "</xbrli:context>"
    + "".join(f'<jpdei_cor:{k} contextRef="FilingDateInstant">{v}</jpdei_cor:{k}>' for k, v in DEI.items())
    + f'<{POLICY} contextRef="FilingDateInstant">&lt;p&gt;{LONG}&lt;/p&gt;</{POLICY}>'
    '<jpcrp_cor:NetAssets contextRef="FilingDateInstant" unitRef="JPY" decimals="-6">5000000</jpcrp_cor:NetAssets>'
    "</xbrli:xbrl>"
).encode()  # fmt: skip
_PUBLIC = "XBRL/PublicDoc/"


def _csv() -> bytes:
    rows = [
        (
            "要素ID",
            "項目名",
            "コンテキストID",
            "相対年度",
            "連結・個別",
            "期間・時点",
            "ユニットID",
            "単位",
            "値",
        )
    ]
    rows += [
        (f"jpdei_cor:{k}", "", "FilingDateInstant", "", "", "", "－", "－", v)
        for k, v in DEI.items()
    ]
    rows += [
        (POLICY, "", "FilingDateInstant", "", "", "", "－", "－", LONG),
        (f"jpcrp_cor:{MDNA}", "", "FilingDateInstant", "", "", "", "－", "－", "あ" * 30_000),
        ("jpcrp_cor:NetAssets", "純資産", "CurrentYearInstant", "", "", "", "JPY", "円", "1000"),
        ("jpcrp_cor:Goodwill", "のれん", "CurrentYearInstant", "", "", "", "JPY", "円", "－"),
    ]  # fmt: skip
    lines = "".join("\t".join(f'"{cell}"' for cell in row) + "\r\n" for row in rows)
    return b"\xff\xfe" + lines.encode("utf-16-le")


def _corpus() -> list[dict[str, bytes]]:
    """The sample corpus' filings: whole reports of invented companies."""
    found = []
    for entry in sorted(files("g2_pipelines.corpus").joinpath("filings").iterdir(), key=str):
        with ZipFile(io.BytesIO(entry.read_bytes())) as opened:
            found.append({n: opened.read(n) for n in opened.namelist() if not n.endswith("/")})
    return found


@cache
def _filings() -> tuple[dict[str, bytes], ...]:
    """Invented filings: today's form, the old one, the 2013 namespace, the search page's zip."""
    labels = {f"{_PUBLIC}{STEM}_lab.xml": _LABELS.encode()}
    old = DEI | {
        "CurrentPeriodEndDateDEI": "2015-03-31",
        "CurrentFiscalYearEndDateDEI": "平成27年3月31日",
    }
    correction = DEI | {"AmendmentFlagDEI": "true", "NumberOfSubmissionDEI": "2"}
    return (
        filing_members(_BODY, _NOTE, resources=_CONTEXTS) | labels,
        filing_members(_BODY, resources=_CONTEXTS) | {f"{_PUBLIC}{STEM}.xbrl": INSTANCE},
        filing_members(_OLD, resources=_CONTEXTS, dei=old),
        filing_members(_CHAIN, ix=IX_2013),
        filing_members(block(POLICY, LONG), folder="S100ZZ77/XBRL/PublicDoc/") | {"XbrlSearchDlInfo.csv": b"x"},
        filing_members(block(POLICY, LONG), dei=correction),
        {f"{_PUBLIC}{STEM}.xbrl": INSTANCE},
        *_corpus(),
    )  # fmt: skip


_TABLES = {
    f"XBRL_TO_CSV/{STEM}.csv": _csv(),
    f"XBRL_TO_CSV/{STEM.replace('jpcrp030000-asr', 'jpaud-aai')}.csv": _csv(),
}


def _members(rng: random.Random, members: dict[str, bytes]) -> dict[str, bytes]:
    """Members dropped, renamed, swapped or mixed with another filing's."""
    out = dict(members)
    name = rng.choice(sorted(out))
    way = rng.randrange(8)
    if way == 0:
        del out[name]
    elif way == 1:
        odd = [
            "../x",
            "/x",
            "C:\\x",
            "a/../b",
            "\u202e.htm",
            "x" * 300,
            "PublicDoc/PublicDoc/y_ixbrl.htm",
            "con\u0000",
        ]
        out[rng.choice(odd)] = out.pop(name)
    elif way == 2:
        other = rng.choice(sorted(out))
        out[name], out[other] = out[other], out[name]
    elif way == 3:
        out |= rng.choice(_filings())
    elif way == 4:
        out[name] = zip_bytes({"nested.xbrl": out[name]})
    elif way == 5:
        out[name] = b""
    elif way == 6:
        out[f"{_PUBLIC}{name.rpartition('/')[2]}"] = out[name]
    else:
        out[name.replace("E99009", "E99010")] = out.pop(name)
    return out


def _zip(rng: random.Random, content: bytes) -> bytes:
    """The archive itself damaged: flags, sizes, directory, bytes."""
    way = rng.randrange(4)
    out = bytearray(content)
    places = [i for i in range(len(out) - 30) if out[i : i + 4] in (b"PK\x01\x02", b"PK\x03\x04")]
    if way == 0 and places:
        at = rng.choice(places) + (8 if rng.random() < 0.5 else 6)
        out[at : at + 2] = struct.pack("<H", rng.choice([1, 0x41, 0xFFFF, 8, 99]))
        return bytes(out)
    if way == 1 and places:
        at = rng.choice(places) + rng.choice([18, 20, 22, 24])
        out[at : at + 4] = struct.pack("<I", rng.choice([0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 5000]))
        return bytes(out)
    return mutated(rng, content, BYTES)


def make_filing(rng: random.Random) -> bytes:
    """A filing's zip with pages, members or the archive changed."""
    members = dict(rng.choice(_filings()))
    for _ in range(rng.choice([1, 1, 2, 3])):
        if rng.random() < 0.7 and members:
            name = rng.choice(sorted(members))
            members[name] = mutated(rng, members[name], MARKUP)
        elif members:
            members = _members(rng, members)
    try:
        content = zip_bytes(members)
    except ValueError:  # a name that a zip cannot hold
        content = zip_bytes(dict(rng.choice(_filings())))
    return _zip(rng, content) if rng.random() < 0.2 else content


def make_table(rng: random.Random) -> bytes:
    """A type=5 zip with CSV or archive changed."""
    members = dict(_TABLES)
    name = rng.choice(sorted(members))
    if rng.random() < 0.5:
        text = members[name].decode("utf-16")
        text = mutated(rng, text.encode(), BYTES).decode("utf-8", "replace")
        members[name] = text.encode(
            rng.choice(["utf-16", "utf-16-be", "utf-8", "utf-16"]), "replace"
        )
    else:
        members[name] = mutated(rng, members[name], BYTES)
    content = zip_bytes(members if rng.random() < 0.8 else _members(rng, members))
    return _zip(rng, content) if rng.random() < 0.1 else content


def make_instance(rng: random.Random) -> bytes:
    """An instance by itself."""
    return mutated(rng, INSTANCE, MARKUP)


_PIECES = (
    b"<b> </b>", b"<td>", b"<tr><td rowspan='99' colspan='99'>x</td></tr>", b"<td></td>", b"<h1></h1>", b"nonNumeric ",
    b"<ix:nonFraction ", b"a", b"a=", b"<", b">", b"&amp;", b"<p>", b"<br/>", b"<table><tr><td>x</td><td>y</td></tr></table>",
    "報告セグメント".encode(), "「".encode(), "単一の".encode(), "※".encode(), "（".encode(), "\u3000".encode(), b" ",
    _FACT.format("jpcrp030000-asr_E99009-000:X", "CurrentYearDuration", "", "1").encode(), b"<td>" + b"x" * 50,
    b"<img src='a'/>", block(POLICY, "x").encode(), "【x".encode(), "①".encode(), b"\n", b"<?x?>", b"<!---->", b"&#160;",
)  # fmt: skip


def make_large(rng: random.Random) -> bytes:
    """A page of some megabytes of one or two pieces over and over: no step may be quadratic."""
    piece = rng.choice(_PIECES) + (rng.choice(_PIECES) if rng.random() < 0.5 else b"")
    body = piece * (3_000_000 // len(piece))
    members = dict(_filings()[0])
    name = next(n for n in members if "0102010" in n)
    whole = members[name]
    marks = [m.end() for m in re.finditer(b"<p>|<td>|<table>|<tr>|<body>|x</td>", whole)]
    at = rng.choice(marks) if rng.random() < 0.8 else rng.randrange(len(whole))
    members[name] = whole[:at] + body + whole[at:]
    return zip_bytes(members)


def read_large(content: bytes) -> str:
    """As ``read_zip``; ratios over the limit are refused before anything is read, so it is off."""
    with unittest.mock.patch.object(archive, "MAX_RATIO", 10_000):
        return read_zip(content)


def read_zip(content: bytes) -> str:
    """Read a zip as ``g2 filing sections`` does, and check what came out."""
    return _read(content, "S100ZZ01.zip")


def read_instance(content: bytes) -> str:
    """Read a single instance."""
    return _read(content, f"{STEM}.xbrl")


def _read(content: bytes, name: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        try:
            read = read_filing(path)
        except G2Error as error:
            if error.file != name or not error.remedy:
                raise AssertionError(f"{error!r} does not name the file and a remedy") from error
            raise
    check(read)
    apply_correction(read.sections, read.sections)
    return "warned" if read.warnings else "read"


def check(read: ReadFiling) -> None:
    """What is true of every filing that was read, however damaged."""
    assert {row.section for row in read.sections} == set(SECTIONS)
    order = [SECTIONS.index(row.section) for row in read.sections]
    assert all(before <= after for before, after in pairwise(order))
    for row in read.sections:
        _check_section(row)
    for fact in read.facts:
        assert fact.element
    read.filing.model_dump_json()  # whatever is stored must be text
    for model in (*read.sections, *read.facts):
        model.model_dump_json()


def _check_section(row: FilingSection) -> None:
    assert bool(row.text) == (row.status in {"found", "truncated_source"})
    assert row.text == row.text.strip(" \t\n\r")
    for table in row.tables:
        assert 0 <= table.start <= table.end <= len(row.text)
        for cell in table.cells:
            assert row.text[cell.start : cell.end] == cell.text
            assert cell.row < table.rows
    for heading in row.headings:
        assert row.text[heading.start : heading.end] == heading.text
    assert all(0 <= image.place <= len(row.text) for image in row.images)


_ANSWERS = (
    b'{"metadata":{"status":"200","message":"OK","resultset":{"count":1}},"results":[{"seqNumber":1,'
    b'"docID":"S100ZZ01","edinetCode":"E99009","secCode":null,"docTypeCode":"120","ordinanceCode":"010",'
    b'"withdrawalStatus":"0","xbrlFlag":"1"}]}',
    b'{"metadata":{"title":"x","status":"404","message":"Not Found"}}',
    b'{"StatusCode":401,"message":"Access denied due to invalid subscription key."}',
    b"<!DOCTYPE html><html><body>maintenance</body></html>",
    b"",
    b"%PDF-1.7 x",
)
_TYPES = ("application/json; charset=utf-8", "application/octet-stream", "application/pdf", "text/html", "",
          "application/json;;;", "APPLICATION/JSON")  # fmt: skip


def make_answer(rng: random.Random) -> RawAnswer:
    """An answer of the API, changed."""
    return RawAnswer(
        subject="S100ZZ01",
        status=rng.choice([200, 200, 200, 302, 400, 401, 403, 404, 429, 500, 503]),
        content_type=rng.choice(_TYPES),
        content=mutated(rng, rng.choice((*_ANSWERS, zip_bytes({"a": b"b"}))), BYTES),
    )


def read_answer(answer: RawAnswer) -> str:
    """Judge an answer as a list and as downloads; a failure is always typed."""
    outcome = "refused"
    assert isinstance(failure_of(answer), G2Error)
    for kind in (1, 2, 5):
        try:
            assert download_of(answer, kind) == answer.content
            outcome = "downloaded"
        except G2Error:
            continue
    try:
        count_of(answer)
    except G2Error:
        outcome += ""
    for row in day_of(answer, "2024-06-27").rows:
        row.model_dump_json()
    return "listed" if outcome == "refused" else outcome


_CODES = (
    "ダウンロード実行日,2026年11月30日現在,件数,2件\r\n"
    '"ＥＤＩＮＥＴコード","提出者種別","上場区分","連結の有無","資本金","決算日","提出者名","提出者名（英字）",'
    '"提出者名（ヨミ）","所在地","提出者業種","証券コード","提出者法人番号"\r\n'
    '"E99009","内国法人・組合","上場","有","100","3月31日","試験工業株式会社","Test","シケン","東京","機械","99090","1"\r\n'
    '"E99010","内国法人・組合","上場","有","100","3月31日","甲株式会社","Ko","コウ","東京","機械","99100","2"\r\n'
)


def make_codes(rng: random.Random) -> bytes:
    """The code list's zip or CSV, changed."""
    content = mutated(rng, _CODES.encode("cp932"), BYTES)
    if rng.random() < 0.5:
        return content
    content = zip_bytes({rng.choice(["EdinetcodeDlInfo.csv", "x.txt"]): content})
    return _zip(rng, content) if rng.random() < 0.3 else content


def read_codes(content: bytes) -> str:
    """Read the code list."""
    for company in read_code_list(content):
        company.model_dump_json()
    return "read"


TARGETS = [
    Target("edinet-filings", make_filing, read_zip, share=8),
    Target("edinet-large", make_large, read_large, share=0.04),
    Target("edinet-instances", make_instance, read_instance, share=1.5),
    Target("edinet-csv", make_table, read_zip, share=1.5),
    Target("edinet-answers", make_answer, read_answer, share=0.6),
    Target("edinet-codelist", make_codes, read_codes, share=0.4),
]
