"""How a node meets a model: the text that is embedded for it, its picture, its language.

Here: ``embedding_text``, ``image_part``, ``document_language``. What a node says is
``index.content``. Imported by the modules of this package only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from g2_pipelines.index.content import content_text
from g2_pipelines.models.ports import ImagePart
from g2_pipelines.tables.line2 import DocumentNode
from g2_pipelines.text.language import language

Images = Callable[[str], bytes | None]
VISUAL_KINDS = frozenset({"figure", "chart", "table", "equation"})
_LANGUAGE_CHARACTERS = 20_000


def embedding_text(summary: str, keywords: Sequence[str]) -> str:
    """The text embedded for a node: its summary, then its keywords.

    The paper encodes summary and keywords together (its section on the content graph).
    """
    return f"{summary}\n{', '.join(keywords)}" if keywords else summary


def document_language(nodes: Sequence[DocumentNode]) -> Literal["ja", "en"]:
    """``ja`` or ``en``, by the first 20,000 characters of the document's content."""
    parts: list[str] = []
    length = 0
    for node in nodes:
        parts.append(content_text(node))
        length += len(parts[-1])
        if length >= _LANGUAGE_CHARACTERS:
            break
    return language("\n".join(parts))


def image_part(node: DocumentNode, images: Images | None) -> ImagePart | None:
    """The crop of a visual node as a message part; None without one or for other kinds.

    Equations and tables count as visual: their layout is lost in the text.
    """
    if images is None or node.image is None or node.kind not in VISUAL_KINDS:
        return None
    data = images(node.image)
    if not data:
        return None
    jpeg = data.startswith(b"\xff\xd8")
    return ImagePart(media_type="image/jpeg" if jpeg else "image/png", data=data)
