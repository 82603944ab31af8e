"""How evidence is shown to a model: fenced as data, tables as rows, pictures attached.

Here: ``Shown`` and ``show``. The fence is named by a hash of what it holds, so that a
document cannot close it and speak outside. Used by ``prompted``.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from g2_pipelines.models.ports import ImagePart
from g2_pipelines.qa.evidence import Evidence
from g2_pipelines.qa.grids import grid_of, without_unit
from g2_pipelines.qa.schemas import labels

_PICTURED = ("figure", "chart", "table", "equation")
_MAX_IMAGE_BYTES = 8_000_000
_ZOOM, _ZOOM_PIXELS, _WORTH_IT = 2.0, 4_000_000, 1.2


@dataclass(frozen=True)
class Source:
    """One node as it is shown; ``picture`` is the number of its attached image, 0 for none."""

    label: str
    node_id: str
    document_id: str
    page: int
    kind: str
    section: str
    caption: str
    text: str
    picture: int


@dataclass(frozen=True)
class Shown:
    """All sources of a prompt, its fence, and the images in the order of their numbers."""

    sources: tuple[Source, ...]
    fence: str
    images: tuple[ImagePart, ...]

    def node_id(self, label: str) -> str:
        """The node behind a label; an unknown label stands for itself and is refused later."""
        return next((item.node_id for item in self.sources if item.label == label), label)

    def label(self, node_id: str) -> str:
        """The label of a node, "" when it is not shown."""
        return next((item.label for item in self.sources if item.node_id == node_id), "")


def show(evidence: Sequence[Evidence], *, max_images: int, closer: bool = False) -> Shown:
    """Evidence for a prompt.

    Args:
        evidence: In the order in which it is shown.
        max_images: Pictures of tables, figures and equations that are attached at most.
        closer: Tables cell by cell («row, column: value») instead of row by row, and pictures
            enlarged.
    """
    images: list[ImagePart] = []
    sources: list[Source] = []
    for label, item in zip(labels(len(evidence)), evidence, strict=True):
        image = _image(item, closer=closer) if len(images) < max_images else None
        if image is not None:
            images.append(image)
        node = item.node
        sources.append(
            Source(
                label=label,
                node_id=node.node_id,
                document_id=node.document_id,
                page=node.page,
                kind=node.kind,
                section=" > ".join(node.section_path),
                caption=node.caption or "",
                text=_text(item, spelled=closer),
                picture=len(images) if image is not None else 0,
            )
        )
    digest = sha256("\0".join(f"{s.caption}\0{s.text}" for s in sources).encode()).hexdigest()
    return Shown(sources=tuple(sources), fence=f"data-{digest[:12]}", images=tuple(images))


def _text(item: Evidence, *, spelled: bool) -> str:
    node = item.node
    parts = [_spelled(item) if spelled else node.text.replace("\t", " | ")]
    if node.ocr_text:
        parts.append(node.ocr_text)
    return "\n".join(part for part in parts if part.strip())


def _spelled(item: Evidence) -> str:
    """Each cell with its row's label and its column's header."""
    grid = grid_of(item.node)
    if grid is None:
        return item.node.text.replace("\t", " | ")
    lines: list[str] = []
    for row in grid.body():
        for column in range(grid.label_columns, len(grid.rows[row])):
            value, unit = grid.rows[row][column], grid.unit(row, column)
            header = without_unit(grid.column_header(column))
            if value:
                lines.append(f"{grid.row_label(row)}, {header}: {value} {unit}".strip())
    return "\n".join(lines)


def _image(item: Evidence, *, closer: bool) -> ImagePart | None:
    if item.node.kind not in _PICTURED:
        return None
    data = item.image()
    if data and closer:
        data = enlarged(data)
    kind = media_type(data) if data else None
    if not data or kind is None or len(data) > _MAX_IMAGE_BYTES:
        return None
    return ImagePart(media_type=kind, data=data)


def enlarged(picture: bytes) -> bytes:
    """The picture at up to twice its size, so that a model spends more on each of its signs.

    One that is large enough, or that cannot be read, is given as it is.
    """
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(picture)) as opened:
            factor = min(_ZOOM, (_ZOOM_PIXELS / max(1, opened.width * opened.height)) ** 0.5)
            if factor < _WORTH_IT:
                return picture
            size = (round(opened.width * factor), round(opened.height * factor))
            large = opened.convert("RGB").resize(size, Image.Resampling.LANCZOS)
    except (UnidentifiedImageError, OSError, Image.DecompressionBombError):
        return picture
    buffer = io.BytesIO()
    large.save(buffer, "PNG", compress_level=3)
    return buffer.getvalue()


def media_type(data: bytes) -> Literal["image/png", "image/jpeg"] | None:
    """PNG or JPEG by the first bytes, None for anything else."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    return "image/jpeg" if data.startswith(b"\xff\xd8\xff") else None
