"""Where a copied value stands in its node, and whether its label and unit stand with it.

Here: ``place_of`` (row and column of a table, characters of a text), ``label_stands`` and
``unit_stands``. Used by ``verify``; that the value itself stands there is checked in
``grounding``.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.qa.evidence import node_parts
from g2_pipelines.qa.grounding import find_quote, squeeze
from g2_pipelines.qa.matching import held, prepared, words
from g2_pipelines.tables.line2 import CopiedValue, DocumentNode

_HALF = 0.5
_SPELLED: tuple[tuple[str, ...], ...] = (
    ("%", "percent", "パーセント", "percentage"),
    ("℃", "°c", "degrees", "度"),
    ("μm", "µm"),
    ("人", "名"),
    ("$", "usd", "dollars", "dollar"),
    ("€", "eur", "euro", "euros"),
    ("¥", "円", "yen"),
)


def place_of(text: str, node: DocumentNode) -> str:
    """Page and place of ``text`` in ``node``, "" where it does not stand there.

    Rows and columns count from 1, headers included; characters from 0, in the node's text.
    """
    page = f"p.{node.page}"
    wanted = squeeze(text)
    cells = [cell for cell in node.cells if squeeze(cell.text) == wanted] or [
        cell
        for cell in node.cells
        if find_quote(text, node.model_copy(update=_ONLY | {"text": cell.text})) is not None
    ]
    if cells:
        return f"{page}, row {cells[0].row + 1}, column {cells[0].col + 1}"
    own = find_quote(text, node.model_copy(update=_ONLY | {"text": node.text}))
    if own is not None:
        start = node.text.find(own)
        return f"{page}, characters {start}-{start + len(own)}"
    if node.caption and find_quote(text, node.model_copy(update=_ONLY | {"text": node.caption})):
        return f"{page}, caption"
    picture = node.ocr_text or ""
    if find_quote(text, node.model_copy(update=_ONLY | {"text": picture})) is not None:
        return f"{page}, picture"
    return ""


_ONLY: dict[str, object] = {"caption": None, "ocr_text": None, "cells": []}


def label_stands(value: CopiedValue, node: DocumentNode, task: str) -> bool:
    """True when a word of the value's label stands in the node or its headings.

    A label of nothing but figures must stand there as it is; one without a word says nothing,
    and one that only repeats the sub-question is the worker's name for it, not a copy.
    """
    label = value.label.strip()
    if not label or squeeze(label) in squeeze(task):
        return True
    text = "\n".join([*node.section_path, *node_parts(node)])
    if squeeze(label) in squeeze(text):
        return True
    ready = prepared(text)
    named = words(label)
    return not named or any(held(word, ready) >= _HALF for word in named)


def unit_stands(value: CopiedValue, nodes: Sequence[DocumentNode]) -> bool:
    """True when the value's unit stands in one of ``nodes``, in this or another spelling."""
    scale, _, currency = value.unit.partition(" ")
    if scale in ("million", "thousand", "billion") and currency:  # «Dollars in millions»
        return all(
            unit_stands(value.model_copy(update={"unit": part}), nodes)
            for part in (scale, currency)
        )
    unit = squeeze(value.unit)
    if not unit:
        return True
    spelled = next((family for family in _SPELLED if unit in family), (unit,))
    texts = [squeeze("\n".join([*node.section_path, *node_parts(node)])) for node in nodes]
    return any(squeeze(form) in text for form in spelled for text in texts)
