"""What a model is shown, and the way back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2_pipelines.transcripts.model_view import model_view


@pytest.mark.parametrize(
    ("text", "view"),
    [
        ("えー、売上は増えました。", "売上は増えました。"),
        ("売上はですね、えーと、あのー、増えました。", "売上は増えました。"),
        ("まあ、そう見ています。まあまあの出来です。", "そう見ています。まあまあの出来です。"),
        ("その件は、あの会社に伺ってください。", "その件は、あの会社に伺ってください。"),
        ("そうですね、増えます。", "そうですね、増えます。"),
        ("ありがたい（笑）ことです。（拍手）", "ありがたいことです。"),
        ("終わります。\n　　　〔「異議なし」と呼ぶ者あり〕", "終わります。\n　　　"),
        ("増えました。\nはい。\n減りました。", "増えました。\n減りました。"),
        ("増えました。\nご視聴ありがとうございました。", "増えました。\n"),
        ("減りました。\n減りました。\n減りました。\n以上。", "減りました。\n以上。"),
        ("減りました。\n減りました。\n以上。", "減りました。\n減りました。\n以上。"),
        ("【**** 00:35:30】増えました。", "増えました。"),
        ("増えます。\nありがとうございました。次の方、どうぞ。", "増えます。\n"),
        (
            "ありがとうございました。では、価格はいくらですか。",
            "ありがとうございました。では、価格はいくらですか。",
        ),
        ("売上高（連結）は390（例目）です。", "売上高（連結）は390（例目）です。"),
        ("", ""),
    ],
)
def test_only_what_speech_needs_is_left_out(text: str, view: str) -> None:
    assert model_view(text)[0] == view


@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.text(alphabet="えーあのまですね、。はい\n（笑）拍手〔〕【:0】ん うっと", max_size=80))
def test_every_kept_character_leads_back_and_none_is_added(text: str) -> None:
    view, offsets = model_view(text)
    rebuilt = "".join(text[o.source_start : o.source_start + o.length] for o in offsets)
    assert rebuilt == view
    starts = [o.source_start for o in offsets]
    assert starts == sorted(set(starts))
    assert [o.start for o in offsets] == [
        sum(o.length for o in offsets[:i]) for i in range(len(offsets))
    ]
