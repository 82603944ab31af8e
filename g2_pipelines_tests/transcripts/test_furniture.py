"""Heads, feet and numbers of pages: found where they are, and nobody's words taken for them."""

from __future__ import annotations

from g2_pipelines.transcripts.furniture import page_furniture
from g2_pipelines.transcripts.lines import lines_of
from g2_pipelines.transcripts.model_view import model_view
from g2_pipelines_tests.transcripts.helpers import segmented

HEAD = "アオミネ精機株式会社　第2四半期決算説明会　質疑の記録"
PAGED = (
    f"{HEAD}\n\n問）受注の見通しを教えてください。\n答）半導体の装置が伸びており、\n"
    f"{HEAD}\n2 / 3\n下期も同じ水準を見込みます。\n問）配当はどうしますか。\n答）据え置きます。\n"
    f"{HEAD}\n3 / 3\n問）在庫は適正ですか。\n答）はい、2か月分です。\n"
)


def _found(text: str) -> list[str]:
    lines = lines_of(text)
    return [text[lines[n].start : lines[n].end] for n in sorted(page_furniture(text, lines))]


def test_a_title_that_comes_again_beside_page_numbers_is_found_behind_the_first() -> None:
    assert _found(PAGED) == [HEAD, "2 / 3", HEAD, "3 / 3"]


def test_a_page_within_an_answer_stays_in_its_turn_and_leaves_the_models_view() -> None:
    transcript, turns, _ = segmented(PAGED)
    answer = turns[1]
    assert answer.text.startswith("半導体の装置が伸びており、")
    assert answer.text.endswith("下期も同じ水準を見込みます。")
    shown = model_view(transcript.text)[0]
    assert "半導体の装置が伸びており、\n下期も同じ水準を見込みます。" in shown
    assert shown.count(HEAD) == 1


def test_a_page_at_the_end_of_a_turn_is_dropped() -> None:
    transcript, turns, segmentation = segmented(PAGED)
    assert turns[3].text == "据え置きます。"
    dropped = [transcript.text[d.start : d.end] for d in segmentation.dropped if d.reason == "page"]
    assert dropped == [f"{HEAD}\n3 / 3"]


def test_names_alone_on_their_lines_and_numbers_that_somebody_says_are_none() -> None:
    call = (
        "Aomine Seiki Q2 Call\n\nOperator\nWelcome to the call.\n\nHelen Marsh\nHow many sites?\n\n"
        "Ichiro Saegusa\n12\n\nOperator\nNext question.\n\nHelen Marsh\nAnd next year?\n\n"
        "Ichiro Saegusa\nFourteen.\n\nOperator\nThank you.\n"
    )
    assert _found(call) == []


def test_times_of_speakers_are_none() -> None:
    text = "".join(f"話者{n % 3 + 1}　00:0{n}:10\nそうですね、{n}件です。\n" for n in range(1, 9))
    assert _found(text) == []
