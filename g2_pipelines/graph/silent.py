"""Texts that state nothing of their own: entries of reference lists, notes, signatures.

Here: ``is_silent``. Two entries share journals, years and authors, and the text shares an
author with each; signatures and notes on figures recur on every page. Links by such words
would make them the hubs of the graph. Used by the extractive evolver alone: a model sees what
it has before it.
"""

from __future__ import annotations

import re

from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines.text.sentences import is_prose, sentences

_SECTION = re.compile(
    r"\W*(?:[\divxIVX]+[.)．]?\s*)?(?:references?(?: and notes| cited)?|bibliography|works cited|"
    r"literature(?: cited)?|(?:external|further) (?:links|reading)|notes and references|"
    r"(?:引用・?参考|引用|参考)文献(?:一覧)?|参考資料|文献|出典|脚注)\W*",
    re.IGNORECASE,
)
_KINDS = frozenset({"paragraph", "list", "footnote"})
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d[a-z]?(?!\d)")
#: Each is ordinary by itself; several together are a citation.
_CUES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bin proceedings\b|\bproc\.\s|\bconference on\b|予稿集|論文集",
        r"\b(?:pages?|pp\.?)\s*\d+\s*[-–—]\s*\d+|\bvol(?:\.|ume)\s*\d+|第\d+巻|\d+\s*\(\d+\)\s*[:,]",
        r"\bdoi\b|\barxiv\b|\babs/\d|\bisbn\b|\bissn\b|\bhttps?://|\bwww\.",
        r"\bet al\b|(?:\b[A-Z][\w'’-]+,? (?:[A-Z]\.[ -]?)+,? ){2}|(?:[A-Z][\w'’-]+ [A-Z][\w'’-]+, ){2}",
        r"\bretrieved\b|\baccessed\b|\barchived from\b|閲覧|参照日",
        r"\bjournal of\b|\btransactions of\b|\b(?:university )?press\b|学会誌|出版",
    )
)


_NOTE = re.compile(
    r"\s*(?:[※＊*†‡]|[(（]?\s*注\s*\d*\s*[)）:：]|資料(?:出所)?\s*[:：]|出所\s*[:：]|出典\s*[:：]|"
    r"(?:sources?|notes?)\s*:)",
    re.IGNORECASE,
)


def is_silent(node: DocumentNode) -> bool:
    """True for a text that names works, annotates, or is no sentence at all."""
    if node.kind not in _KINDS:
        return False
    if node.kind == "footnote" or _NOTE.match(node.text) or is_entry(node):
        return True
    # Items of a list need not be sentences.
    return node.kind == "paragraph" and _is_fragment(node.text)


def _is_fragment(text: str) -> bool:
    return not any(is_prose(text[start:end]) for start, end in sentences(text[:2_000]))


def is_entry(node: DocumentNode) -> bool:
    """True for a text under a heading for references, or one that is built like a citation."""
    if any(_SECTION.fullmatch(title.strip()) for title in node.section_path):
        return True
    head = node.text[:600]
    return bool(_YEAR.search(head)) and sum(1 for cue in _CUES if cue.search(head)) >= 2
