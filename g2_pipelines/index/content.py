"""What a node says, as one text: the same for the index, for the graph and for its guards.

Here: ``content_text``. It holds everything that was read in the node's own box and nothing
else. index and graph import this module.
"""

from __future__ import annotations

from g2_pipelines.tables.line2 import DocumentNode


def content_text(node: DocumentNode) -> str:
    """Caption, text and OCR text of a node, by newline; empty when it has none of them."""
    parts = (node.caption or "", node.text, node.ocr_text or "")
    return "\n".join(part for part in parts if part.strip())
