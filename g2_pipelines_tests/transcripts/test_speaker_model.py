"""Roles by what speakers' turns are like, by their neighbours, and what a conversation needs."""

from __future__ import annotations

import math

import pytest

from g2_pipelines.tables.line1 import Turn
from g2_pipelines.transcripts.make import make_transcript
from g2_pipelines.transcripts.segment import segment
from g2_pipelines.transcripts.speaker_features import NAMES, Said, features
from g2_pipelines.transcripts.speaker_model import ROLES, Model, cast, fitted

ASK, TELL = "理由は何でしょうか。", "当社では3年前から準備を進めており、今期に12億円を投じました。"


def _turns(text: str) -> list[Turn]:
    transcript, clean = make_transcript(
        text.encode(),
        "a.txt",
        edinet_code="E99001",
        fiscal_year="2025-03",
        kind="other",
        document_kind=None,
    )
    return segment(transcript, clean.timings)[0]


def _roles(*turns: tuple[str, str]) -> list[str]:
    return [turn.role for turn in _turns("\n".join(f"{who}：{said}" for who, said in turns))]


def test_features_of_two_speakers() -> None:
    found = features([Said("a", ASK), Said("b", TELL), Said("a", ASK), Said("b", TELL)])
    a, b = (dict(zip(NAMES, found[who], strict=True)) for who in ("a", "b"))
    assert (a["asks"], a["ends_asking"], a["answered"], a["behind_question"]) == (1, 1, 1, 0)
    assert (b["asks"], b["ends_asking"], b["answered"], b["behind_question"]) == (0, 0, 0, 1)
    assert (a["first"], a["last"], b["first"], b["last"]) == (1, 0, 0, 1)
    assert a["share"] == b["share"] == 0.5
    assert a["own"] == 0
    assert b["own"] == 1
    assert b["figures"] == pytest.approx(3 / 12)  # 3, 1, 2 of twelve figures that count
    middle = math.log(1 + (2 * len(ASK) + 2 * len(TELL)) / 4)
    assert a["length"] == pytest.approx(math.log(1 + len(ASK)) - middle)


def test_the_model_by_hand() -> None:
    # Asking is worth +2 for the asker and -2 for the answerer, nothing else counts; whatever
    # stands behind is as likely, so the neighbours change nothing.
    weights = [[0.0] * (len(NAMES) + 1) for _ in ROLES]
    weights[0][NAMES.index("asks")], weights[1][NAMES.index("asks")] = 2.0, -2.0
    model = Model(weights, [[1 / 3] * 3 for _ in ROLES])
    found = cast([Said("a", ASK), Said("b", TELL)], {}, model)
    assert found["a"][0] == "question"
    assert found["a"][1] == pytest.approx(math.exp(2) / (math.exp(2) + math.exp(-2) + 1))
    assert found["b"][0] == "answer"
    assert found["b"][1] == pytest.approx(1 / 3)


def test_surer_roles_stay_and_speak_for_their_neighbours() -> None:
    said = [Said("a", "そうなのです。"), Said("b", "そうでしたか。驚きました。")] * 3
    found = cast(said, {"a": "answer"})
    assert found["a"] == ("answer", 1.0)
    assert found["b"][0] == "question"


def test_in_an_interview_of_two_exactly_one_asks() -> None:
    # The guest asks back and quotes questions in half of his turns.
    roles = _roles(
        ("帯刀", "工場を畳むという話は、どこから出たのですか。"),
        (
            "錦野",
            "銀行です。どうするつもりですか、と毎週聞かれました。うちには現金がなかったんです。",
        ),
        ("帯刀", "その在庫は、結局どうされたのでしょう。"),
        ("錦野", "2年かけて手放しました。損失は1億4千万円。笑うしかないでしょう？"),
        ("帯刀", "社員の皆さんは、どう受け止めましたか。"),
        ("錦野", "怒りましたよ。当たり前ですよね。でも給料は下げなかった。それが約束でしたから。"),
        ("帯刀", "これからの産地をどう見ていますか。"),
        ("錦野", "厳しいです。組合は10年で半分になりました。うちだけ残って何になるのか。"),
    )
    assert roles == ["question", "answer"] * 4


def test_a_panels_host_leads_and_asks() -> None:
    roles = _roles(
        (
            "能登",
            "皆さん、こんにちは。モデレーターを務めます能登です。伊勢さん、現場では何が起きていますか。",
        ),
        ("伊勢", "運べない日が出ています。当社では月に3日ほどです。"),
        ("兵藤", "荷主の側でも同じように感じます。青果は待ってくれません。"),
        ("能登", "費用はどちらが負担しているのですか。"),
        ("伊勢", "6割は当社です。"),
        ("兵藤", "うちの感覚では半々ですね。"),
        ("能登", "海外ではどうでしょうか、兵藤さん。"),
        ("兵藤", "待つ時間に料金がかかります。ですから誰も待たせません。"),
        ("能登", "大事なご指摘をいただいたところで、時間が来ました。お二方に拍手をお願いします。"),
    )
    assert roles == [
        "question",
        "answer",
        "answer",
        "question",
        "answer",
        "answer",
        "question",
        "answer",
        "moderator",
    ]


def test_presenters_without_a_question_are_not_made_to_ask() -> None:
    roles = _roles(
        ("深沢", "売上高は67億円でした。海外が伸びています。"),
        ("小林", "工場では新しい設備が動き始めました。人員も増えています。"),
        ("深沢", "来期は72億円を計画しています。配当は30円です。"),
        ("小林", "品質の指標も改善しました。不良は半分になりました。"),
        ("深沢", "今後も投資を続けます。"),
        ("小林", "引き続き取り組みます。"),
    )
    assert "question" not in roles


def test_titles_stay_above_the_model() -> None:
    turns = _turns("\n".join(f"{who}：{ASK}" for who in ("社長", "記者", "社長", "記者")))
    assert {(t.speaker, t.role_source) for t in turns} == {("社長", "title"), ("記者", "title")}


def test_the_fitted_table_fits_the_features() -> None:
    model = fitted()
    assert [len(row) for row in model.weights] == [len(NAMES) + 1] * len(ROLES)
    for row in model.behind:
        assert sum(row) == pytest.approx(1, abs=0.01)
    # An answer is what stands behind a question most often.
    assert ROLES[max(range(3), key=lambda i: model.behind[0][i])] == "answer"


def test_many_speakers_are_decided_in_bounded_work() -> None:
    said = [Said(str(i), ASK if i % 2 else TELL) for i in range(10_000)]
    found = cast(said, {})
    assert len(found) == 10_000
    assert {role for role, _ in found.values()} <= set(ROLES)
