"""Pictures of a graph's rounds: six small line charts as one SVG.

Here: ``round_plots``, a pure function of the rounds' metrics; nothing of a document's text
enters it. ``defs`` puts it into an asset's metadata, ``page`` beside the explorer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from g2_pipelines.tables.line2 import GraphMetrics

_WIDE, _HIGH, _GAP, _HEAD = 170, 96, 14, 30
_PANELS: tuple[tuple[str, Callable[[GraphMetrics], float]], ...] = (
    ("changed nodes, share", lambda m: m.changed / m.nodes if m.nodes else 0.0),
    ("semantic links", lambda m: float(m.semantic_edges)),
    ("links kept (Jaccard)", lambda m: m.edge_jaccard),
    ("refused links + updates", lambda m: float(m.links_rejected + m.updates_rejected)),
    ("distinct keywords", lambda m: float(m.distinct_keywords)),
    ("nearest-node margin", lambda m: m.nearest_margin),
)


def round_plots(metrics: Sequence[GraphMetrics]) -> str:
    """An SVG with one panel a figure, rounds from left to right, each value written out."""
    columns = 3
    rows = -(-len(_PANELS) // columns)
    width = columns * (_WIDE + _GAP) + _GAP
    height = rows * (_HIGH + _HEAD + _GAP) + _GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="10">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for at, (title, value) in enumerate(_PANELS):
        x = _GAP + (at % columns) * (_WIDE + _GAP)
        y = _GAP + (at // columns) * (_HIGH + _HEAD + _GAP)
        parts.append(_panel(title, [m.round for m in metrics], list(map(value, metrics)), x, y))
    return "".join([*parts, "</svg>"])


def _panel(title: str, rounds: Sequence[int], values: Sequence[float], x: int, y: int) -> str:
    top, bottom = y + _HEAD, y + _HEAD + _HIGH - 18
    most = max([*values, 0.0]) or 1.0
    step = (_WIDE - 40) / max(1, len(values) - 1)
    points = [
        (round(x + 20 + step * at, 1), round(bottom - value / most * (bottom - top), 1))
        for at, value in enumerate(values)
    ]
    line = " ".join(f"{a},{b}" for a, b in points)
    marks = "".join(
        f'<circle cx="{a}" cy="{b}" r="3" fill="#17577e"/>'
        f'<text x="{a}" y="{b - 6}" text-anchor="middle" fill="#1d2430">{_short(value)}</text>'
        f'<text x="{a}" y="{bottom + 13}" text-anchor="middle" fill="#5b6677">{round_}</text>'
        for (a, b), value, round_ in zip(points, values, rounds, strict=True)
    )
    return (
        f'<text x="{x}" y="{y + 10}" font-weight="bold" fill="#1d2430">{title}</text>'
        f'<line x1="{x}" y1="{bottom}" x2="{x + _WIDE}" y2="{bottom}" stroke="#d9dee6"/>'
        f'<polyline points="{line}" fill="none" stroke="#17577e" stroke-width="1.5"/>{marks}'
    )


def _short(value: float) -> str:
    return f"{value:.0f}" if value >= 10 or value == int(value) else f"{value:.3f}"
