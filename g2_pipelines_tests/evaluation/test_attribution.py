"""Evidence for a sentence: the right place first, answers before questions."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from g2_pipelines.evaluation.check import check_text
from g2_pipelines.evaluation.sources import Source, SourceTurn
from g2_pipelines_tests.evaluation.samples import FILING, SEGMENTS, SOURCE

QUESTION = "計測制御の受注が前年を下回る500億円になるとの懸念はありませんか。"
ANSWER = "そのようには見ておりません。通期で620億円を確保できる見込みです。"
TALK = f"（問）\n{QUESTION}\n（答）\n{ANSWER}\n"
CALL = Source(
    source_id="transcript:t",
    text=TALK,
    turns=(
        SourceTurn(start=4, end=4 + len(QUESTION), role="question"),
        SourceTurn(start=TALK.index(ANSWER), end=len(TALK), role="answer"),
    ),
)


def test_a_question_is_no_evidence_while_there_is_an_answer() -> None:
    (sentence,) = check_text("計測制御の受注は620億円の見込みである。", [CALL]).sentences
    assert TALK[sentence.evidence[0].start : sentence.evidence[0].end] in ANSWER


def test_an_answer_is_found_by_its_questions_words() -> None:
    """通期で620億円を… does not say of what; its question does."""
    text = "計測制御の受注は前年を下回らない見通しである。"
    found = check_text(text, [SOURCE, CALL], segments=SEGMENTS).sentences[0].evidence
    assert any(
        span.source_id == CALL.source_id and TALK[span.start : span.end] in ANSWER for span in found
    )


def test_each_evidence_has_its_score_and_weak_sentences_are_marked() -> None:
    text = "半導体製造装置向け需要は堅調でした。宇宙旅行の販売代理店網を欧州に築きました。"
    good, weak = check_text(text, [SOURCE], segments=SEGMENTS).sentences
    assert len(good.scores) == len(good.evidence)
    assert all(0.0 <= score <= 1.0 for score in good.scores)
    assert (good.supported, weak.supported) == (True, False)
    strict = check_text(text, [SOURCE], segments=SEGMENTS, supported_score=1.0).sentences
    assert [sentence.supported for sentence in strict] == [False, False]


HARD = st.text(
    alphabet=st.one_of(
        st.sampled_from(
            "0123456789０１２,.△▲％億万円売上高利益増減「」（）\t\n。、株式会社年月期ないず"
        ),
        st.characters(exclude_categories=("Cs",)),
    ),
    max_size=200,
)


@settings(max_examples=60, deadline=None)
@given(HARD, HARD)
def test_any_text_against_any_source_gives_claims_inside_it(summary: str, source: str) -> None:
    """Damaged text is judged, not crashed on; ranges and evidence lead somewhere."""
    sources = [Source(source_id="s", text=source), SOURCE]
    texts = {"s": source, SOURCE.source_id: FILING}
    checked = check_text(summary, sources, segments=SEGMENTS)
    for claim in checked.claims:
        assert 0 <= claim.start < claim.end <= len(summary)
        assert claim.text == summary[claim.start : claim.end]
        for span in claim.evidence:
            assert 0 <= span.start <= span.end <= len(texts[span.source_id])
    assert checked == check_text(summary, sources, segments=SEGMENTS)
