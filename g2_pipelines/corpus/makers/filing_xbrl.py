"""The files around a sample filing's pages: header, instance, schema, linkbases, manifest.

Here: XBRL as text, in EDINET's forms. Not here: the figures (``filing_data``) and the pages
(``filing_pages``). The audit report's folder is made here too: readers must not open it.
"""

from __future__ import annotations

from datetime import date
from html import escape

from g2_pipelines.corpus.makers.filing_pages import Filing, Tagged

_AXIS = "jpcrp_cor:OperatingSegmentsAxis"
_DEI = "http://disclosure.edinet-fsa.go.jp/taxonomy/jpdei/2013-08-31/jpdei_cor"
_BASE = {
    "xbrli": "http://www.xbrl.org/2003/instance",
    "xlink": "http://www.w3.org/1999/xlink",
    "link": "http://www.xbrl.org/2003/linkbase",
    "iso4217": "http://www.xbrl.org/2003/iso4217",
    "xbrldi": "http://xbrl.org/2006/xbrldi",
    "xsi": "http://www.w3.org/2001/XMLSchema-instance",
    "jpdei_cor": _DEI,
}
_INLINE = {
    "ix": "http://www.xbrl.org/2008/inlineXBRL",
    "ixt": "http://www.xbrl.org/inlineXBRL/transformation/2011-07-31",
}
_STYLE = (
    "body { font-family: 'MS Mincho',serif; font-size: 12px } p { line-height: 18px; margin: 0px }"
    " table { border-collapse: collapse }"
)


def filer_namespace(f: Filing) -> str:
    """The filer's own namespace."""
    c = f.company
    return (
        f"http://disclosure.edinet-fsa.go.jp/jpcrp030000/asr/001/{c.edinet_code}-000/"
        f"{c.period_end}/01/{c.filed}"
    )


def _namespaces(f: Filing) -> dict[str, str]:
    day = f.company.taxonomy
    taxonomy = "http://disclosure.edinet-fsa.go.jp/taxonomy"
    return _BASE | {
        "jpcrp_cor": f"{taxonomy}/jpcrp/{day}/jpcrp_cor",
        "jppfs_cor": f"{taxonomy}/jppfs/{day}/jppfs_cor",
        f.filer_prefix: filer_namespace(f),
    }


def _declared(namespaces: dict[str, str]) -> str:
    return " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in namespaces.items())


def page(f: Filing, title: str, body: str) -> bytes:
    """A complete inline page, with the BOM that EDINET's pages have."""
    declared = _declared(_INLINE | _namespaces(f))
    text = (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<html xmlns="http://www.w3.org/1999/xhtml" {declared}>\n<head>\n'
        '<meta http-equiv="Content-Type" content="text/html; charset=UTF-8" />\n'
        f'<title>{title}</title>\n<style type="text/css">{_STYLE}</style>\n</head>\n'
        f'<body>\n<div class="root">\n{body}\n</div>\n</body>\n</html>\n'
    )
    return b"\xef\xbb\xbf" + text.encode()


def dei(f: Filing) -> list[Tagged]:
    """The DEI of the report; an empty value is nil."""
    c = f.company
    start = date.fromisoformat(c.period_start)
    previous_end = date.fromordinal(start.toordinal() - 1).isoformat()
    previous_start = start.replace(year=start.year - 1).isoformat()
    values = {
        "EDINETCodeDEI": c.edinet_code,
        "FundCodeDEI": "",
        "SecurityCodeDEI": c.securities_code,
        "FilerNameInJapaneseDEI": c.name,
        "FilerNameInEnglishDEI": c.name_english,
        "CabinetOfficeOrdinanceDEI": "企業内容等の開示に関する内閣府令",
        "DocumentTypeDEI": "第三号様式",
        "AccountingStandardsDEI": "Japan GAAP",
        "WhetherConsolidatedFinancialStatementsArePreparedDEI": "true",
        "CurrentFiscalYearStartDateDEI": c.period_start,
        "CurrentPeriodEndDateDEI": c.period_end,
        "TypeOfCurrentPeriodDEI": "FY",
        "CurrentFiscalYearEndDateDEI": c.period_end,
        "PreviousFiscalYearStartDateDEI": previous_start,
        "ComparativePeriodEndDateDEI": previous_end,
        "PreviousFiscalYearEndDateDEI": previous_end,
        "NumberOfSubmissionDEI": "1",
        "AmendmentFlagDEI": "false",
        "IdentificationOfDocumentSubjectToAmendmentDEI": "",
        "ReportAmendmentFlagDEI": "false",
        "XBRLAmendmentFlagDEI": "false",
    }
    return [
        Tagged(f"jpdei_cor:{name}", "FilingDateInstant", value, *_dei_unit(name))
        for name, value in values.items()
    ]


def _dei_unit(name: str) -> tuple[str, str]:
    return ("pure", "0") if name == "NumberOfSubmissionDEI" else ("", "")


def header(f: Filing) -> str:
    """The ``ix:header``: hidden DEI, schema reference, contexts, units."""
    hidden = "\n".join(_hidden(fact) for fact in dei(f))
    return (
        f'<div style="display:none">\n<ix:header>\n<ix:hidden>\n{hidden}\n</ix:hidden>\n'
        f'<ix:references>\n<link:schemaRef xlink:type="simple" xlink:href="{f.stem}.xsd" />\n'
        f"</ix:references>\n<ix:resources>\n{contexts(f)}\n{_UNITS}\n</ix:resources>\n"
        "</ix:header>\n</div>"
    )


def _hidden(fact: Tagged) -> str:
    kind = "nonFraction" if fact.unit else "nonNumeric"
    numeric = f' unitRef="{fact.unit}" decimals="{fact.decimals}" scale="0"' if fact.unit else ""
    start = f'<ix:{kind} name="{fact.name}" contextRef="{fact.context}"{numeric}'
    if not fact.value:
        return f'{start} xsi:nil="true" />'
    return f"{start}>{escape(fact.value)}</ix:{kind}>"


_UNITS = "\n".join(
    [
        '<xbrli:unit id="JPY"><xbrli:measure>iso4217:JPY</xbrli:measure></xbrli:unit>',
        '<xbrli:unit id="pure"><xbrli:measure>xbrli:pure</xbrli:measure></xbrli:unit>',
        '<xbrli:unit id="JPYPerShares"><xbrli:divide><xbrli:unitNumerator>'
        "<xbrli:measure>iso4217:JPY</xbrli:measure></xbrli:unitNumerator><xbrli:unitDenominator>"
        "<xbrli:measure>xbrli:shares</xbrli:measure></xbrli:unitDenominator></xbrli:divide>"
        "</xbrli:unit>",
    ]
)


def contexts(f: Filing) -> str:
    """Every context that a fact uses, in order of first use."""
    used = dict.fromkeys(["FilingDateInstant", *(fact.context for fact in f.facts)])
    return "\n".join(_context(f, identifier) for identifier in used)


def _context(f: Filing, identifier: str) -> str:
    period, _, member = identifier.partition("_")
    scenario = ""
    if member:
        own = member.startswith(f.filer_prefix)
        name = f"{f.filer_prefix}:{member[len(f.filer_prefix) :]}" if own else f"jpcrp_cor:{member}"
        scenario = (
            f'<xbrli:scenario><xbrldi:explicitMember dimension="{_AXIS}">{name}'
            "</xbrldi:explicitMember></xbrli:scenario>"
        )
    return (
        f'<xbrli:context id="{identifier}"><xbrli:entity><xbrli:identifier '
        f'scheme="http://disclosure.edinet-fsa.go.jp">{f.company.edinet_code}-000'
        f"</xbrli:identifier></xbrli:entity><xbrli:period>{_period(f, period)}</xbrli:period>"
        f"{scenario}</xbrli:context>"
    )


def _period(f: Filing, period: str) -> str:
    c = f.company
    if period == "FilingDateInstant":
        return f"<xbrli:instant>{c.filed}</xbrli:instant>"
    back = int(period[5]) if period.startswith("Prior") else 0
    start, end = date.fromisoformat(c.period_start), date.fromisoformat(c.period_end)
    start, end = start.replace(year=start.year - back), end.replace(year=end.year - back)
    if period.endswith("Instant"):
        return f"<xbrli:instant>{end}</xbrli:instant>"
    return f"<xbrli:startDate>{start}</xbrli:startDate><xbrli:endDate>{end}</xbrli:endDate>"


def instance(f: Filing) -> bytes:
    """The ``.xbrl`` instance: text blocks hold HTML escaped once."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<xbrli:xbrl {_declared(_namespaces(f))}>",
        f'<link:schemaRef xlink:type="simple" xlink:href="{f.stem}.xsd" />',
        contexts(f),
        _UNITS,
    ]
    for fact in dict.fromkeys([*dei(f), *f.facts]):
        numeric = f' unitRef="{fact.unit}" decimals="{fact.decimals}"' if fact.unit else ""
        start = f'<{fact.name} contextRef="{fact.context}"{numeric}'
        end = f">{escape(fact.value)}</{fact.name}>" if fact.value else ' xsi:nil="true" />'
        lines.append(start + end)
    lines.append("</xbrli:xbrl>\n")
    return "\n".join(lines).encode()


def _own_elements(f: Filing) -> list[tuple[str, str, str, str]]:
    """The filer's elements: name, type, standard label, verbose label."""
    own = [
        (s.member, "nonnum:domainItemType", s.name, f"{s.name}、報告セグメント [メンバー]")
        for s in f.company.segments
    ]
    if f.company.mdna_prefix == f.filer_prefix:
        label = (
            "経営者による財政状態、経営成績及びキャッシュ・フローの状況の分析 [テキストブロック]"
        )
        name = next(x.name for x in f.facts if x.name.startswith(f"{f.filer_prefix}:Management"))
        own.append((name.partition(":")[2], "nonnum:textBlockItemType", label, label))
    return own


def schema(f: Filing) -> bytes:
    """The filer's schema with its segment members and own text block."""
    namespaces = _namespaces(f)
    elements = "\n".join(
        f'  <xsd:element id="{f.filer_prefix}_{name}" name="{name}" type="{kind}"'
        f' abstract="{"true" if kind.endswith("domainItemType") else "false"}" nillable="true"'
        ' substitutionGroup="xbrli:item" xbrli:periodType="duration" />'
        for name, kind, _, _ in _own_elements(f)
    )
    imports = "\n".join(
        f'  <xsd:import namespace="{namespaces[p]}" schemaLocation="{namespaces[p][:-4]}'
        f'_cor_{f.company.taxonomy}.xsd" />'
        for p in ("jpcrp_cor", "jppfs_cor")
    )
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"'
        ' xmlns:nonnum="http://www.xbrl.org/dtr/type/non-numeric"'
        f' {_declared(namespaces)} targetNamespace="{filer_namespace(f)}"'
        f' elementFormDefault="qualified">\n{imports}\n{elements}\n</xsd:schema>\n'
    )
    return text.encode()


def labels(f: Filing, language: str) -> bytes:
    """The filer's label linkbase in ``ja`` or ``en``."""
    link = _BASE["link"]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<link:linkbase xmlns:link="{link}" xmlns:xlink="{_BASE["xlink"]}">',
        '<link:labelLink xlink:type="extended" xlink:role="http://www.xbrl.org/2003/role/link">',
    ]
    english = {s.member: s.english for s in f.company.segments}
    for name, _, standard, verbose in _own_elements(f):
        words = english.get(name, "Management analysis [Text block]")
        texts = (standard, verbose) if language == "ja" else (words, f"{words} [Member]")
        lines.append(
            f'<link:loc xlink:type="locator" xlink:href="{f.stem}.xsd#{f.filer_prefix}_{name}"'
            f' xlink:label="{name}" />'
        )
        for role, text in zip(("label", "verboseLabel"), texts, strict=True):
            lines.append(
                f'<link:label xlink:type="resource" xlink:label="{role}_{name}"'
                f' xlink:role="http://www.xbrl.org/2003/role/{role}" xml:lang="{language}">'
                f"{escape(text)}</link:label>"
            )
            lines.append(
                '<link:labelArc xlink:type="arc"'
                ' xlink:arcrole="http://www.xbrl.org/2003/arcrole/concept-label"'
                f' xlink:from="{name}" xlink:to="{role}_{name}" />'
            )
    lines.append("</link:labelLink>\n</link:linkbase>\n")
    return "\n".join(lines).encode()


def definitions(f: Filing) -> bytes:
    """The definition linkbase: the segments' axis with its members."""
    day = f.company.taxonomy
    core = f"http://disclosure.edinet-fsa.go.jp/taxonomy/jpcrp/{day}/jpcrp_cor_{day}.xsd"
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<link:linkbase xmlns:link="{_BASE["link"]}" xmlns:xlink="{_BASE["xlink"]}">',
        '<link:definitionLink xlink:type="extended" xlink:role="http://disclosure.edinet-fsa.go.jp'
        '/role/jpcrp/rol_NotesSegmentInformationEtcConsolidatedFinancialStatements">',
        f'<link:loc xlink:type="locator" xlink:href="{core}#jpcrp_cor_ReportableSegmentsMember"'
        ' xlink:label="ReportableSegmentsMember" />',
    ]
    for order, segment in enumerate(f.company.segments, start=1):
        lines.append(
            f'<link:loc xlink:type="locator" xlink:label="{segment.member}"'
            f' xlink:href="{f.stem}.xsd#{f.filer_prefix}_{segment.member}" />'
        )
        lines.append(
            '<link:definitionArc xlink:type="arc"'
            ' xlink:arcrole="http://xbrl.org/int/dim/arcrole/domain-member"'
            f' xlink:from="ReportableSegmentsMember" xlink:to="{segment.member}"'
            f' order="{order}.0" />'
        )
    lines.append("</link:definitionLink>\n</link:linkbase>\n")
    return "\n".join(lines).encode()


def manifest(kind: str, title: str, instance_file: str, pages: list[str]) -> bytes:
    """``manifest_PublicDoc.xml`` or ``manifest_AuditDoc.xml``."""
    listed = "\n".join(f"      <ixbrl>{name}</ixbrl>" for name in pages)
    identifier = instance_file.partition("-")[0]
    text = (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<manifest xmlns="http://disclosure.edinet-fsa.go.jp/2013/manifest">\n'
        f'  <tocComposition>\n    <title xml:lang="ja">{title}</title>\n  </tocComposition>\n'
        f'  <list>\n    <instance id="{identifier}" type="{kind}"'
        f' preferredFilename="{instance_file}">\n{listed}\n    </instance>\n  </list>\n'
        "</manifest>\n"
    )
    return text.encode()


def audit_report(f: Filing) -> dict[str, bytes]:
    """Members of AuditDoc: the auditor's report, its instance and manifest."""
    c = f.company
    stem = f.stem.replace("jpcrp030000-asr-001", "jpaud-aai-cc-001")
    name = "jpcrp_cor:IndependentAuditorsReportConsolidatedTextBlock"
    text = (
        f"<p>独立監査人の監査報告書</p>\n<p>{c.name}　取締役会　御中</p>\n<p>霧ヶ峰監査法人</p>\n"
        f"<p>当監査法人は、{c.name}の連結財務諸表が、我が国において一般に公正妥当と認められる企業会計の基準に"
        "準拠して、全ての重要な点において適正に表示しているものと認める。</p>"
    )
    body = (
        f'<ix:nonNumeric name="{name}" contextRef="FilingDateInstant" escape="true">\n{text}\n'
        "</ix:nonNumeric>"
    )
    file = f"{stem}_ixbrl.htm"
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<xbrli:xbrl {_declared(_namespaces(f))}>",
        _context(f, "FilingDateInstant"),
        f'<{name} contextRef="FilingDateInstant">{escape(text)}</{name}>',
        "</xbrli:xbrl>\n",
    ]
    return {
        file: page(f, "独立監査人の監査報告書", body),
        f"{stem}.xbrl": "\n".join(lines).encode(),
        "manifest_AuditDoc.xml": manifest("AuditDoc", "独立監査人の報告書", f"{stem}.xbrl", [file]),
    }
