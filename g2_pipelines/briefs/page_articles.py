"""The articles of a brief's page: one a source, with its title, its line and its text.

Here: ``source_articles``. Not here: how a text becomes HTML (``page_sources``), and the page
around it (``page``). Importable by ``page`` only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from g2_pipelines.briefs.config import BriefConfig
from g2_pipelines.briefs.page_sources import Citation, source_html
from g2_pipelines.briefs.page_words import (
    section_title,
    text_title,
    transcript_line,
    transcript_title,
)
from g2_pipelines.tables.line1 import CompanyText, FilingSection, Transcript


def source_articles(
    sections: Sequence[FilingSection],
    transcripts: Sequence[Transcript],
    texts: Sequence[CompanyText],
    cited: Mapping[str, Sequence[Citation]],
    config: BriefConfig,
) -> list[dict[str, Any]]:
    """The sources in order: sections as given, then transcripts and texts by their ids."""
    result: list[dict[str, Any]] = []
    for row in sections:
        citations = cited.get(row.source_id, [])
        line = f"書類管理番号 {row.document_id}｜{row.element or '要素名なし'}｜{row.page_file}"
        html = source_html(row.text, citations, tables=row.tables, headings=row.headings)
        result.append(_article(len(result), section_title(row), line, html, citations))
    for transcript in sorted(transcripts, key=lambda row: row.transcript_id):
        citations = cited.get(transcript.source_id, [])
        line = transcript_line(transcript)
        html = source_html(transcript.text, citations)
        result.append(_article(len(result), transcript_title(transcript), line, html, citations))
    for text in sorted(texts, key=lambda row: row.text_id):
        citations = cited.get(text.source_id, [])
        html = source_html(text.text, citations)
        result.append(_article(len(result), text_title(text, config), text.file, html, citations))
    return result


def _article(
    place: int, title: str, line: str, html: Markup, citations: Sequence[Citation]
) -> dict[str, Any]:
    return {
        "id": f"source-{place + 1}",
        "title": title,
        "line": line,
        "html": html,
        "folded": not citations,
    }
