"""English briefs: the same findings, names told by their capitals."""

from __future__ import annotations

import pytest

from g2_pipelines.evaluation.check import check_text
from g2_pipelines.evaluation.sources import Source

TEXT = """Net sales for fiscal 2024 increased 6.4% to 48,620 million yen, while operating profit rose 12.9% to 3,815 million yen.
The Machine Tool Business recorded sales of 29,870 million yen and segment profit of 1,790 million yen.
Demand for semiconductor equipment in Germany remained strong, and Aomine opened a sales office in Munich with Hokusei Corporation.
President Taro Yamada said that the company does not expect a significant impact from tariffs.
"""
SOURCE = Source(source_id="s", text=TEXT)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Net sales increased 6.4% to 48.6 billion yen in fiscal 2024.", None),
        ("The Machine Tool Business recorded a segment profit of 1.79 billion yen.", None),
        ("Net sales decreased 6.4% to 48.6 billion yen.", ("number", "sign_conflict")),
        ("Operating profit rose 12.9% to 48,620 million yen.", ("number", "altered")),
        ("Demand for semiconductor equipment in France remained strong.", ("place", "altered")),
        ("Demand for semiconductor equipment in Germany remained weak.", ("statement", "sign_conflict")),
        ("Aomine opened a sales office in Munich with Nanto Corporation.", ("name", "altered")),
        (
            "President Taro Yamada said that the company expects a significant impact from tariffs.",
            ("statement", "altered"),
        ),
    ],
)  # fmt: skip
def test_an_english_sentence_is_judged(text: str, found: tuple[str, str] | None) -> None:
    claims = check_text(text, [SOURCE], segments=["Machine Tool Business"]).claims
    fine = {"supported_local", "supported_elsewhere", "rounded", "derived"}
    bad = {(claim.kind, claim.status) for claim in claims if claim.status not in fine}
    assert found in bad if found else bad == set()
