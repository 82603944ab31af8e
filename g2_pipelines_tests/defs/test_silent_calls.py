"""A call that was read and gave a brief nothing is named on it; one that gave a sentence is not."""

from g2_pipelines.defs.assets.judgement import silent_calls
from g2_pipelines.tables.line1 import Summary, SummarySentence, Transcript
from g2_pipelines.tables.rows import Span


def call(number: int) -> Transcript:
    return Transcript.model_construct(
        transcript_id=f"t{number}", title=f"第{number}回", file="call.txt"
    )


def final(source_id: str) -> Summary:
    span = Span(source_id=source_id, start=0, end=3)
    return Summary.model_construct(
        sentences=[SummarySentence.model_construct(start=0, end=3, spans=[span])]
    )


def test_only_the_call_without_a_sentence_is_named():
    [words] = silent_calls([call(1), call(2)], [final(call(1).source_id), final("elsewhere")])
    assert words.startswith("決算説明会の記録（第2回）: 該当する記載なし。")
    assert silent_calls([call(1)], [final(call(1).source_id)]) == []
    assert len(silent_calls([call(1)], [])) == 1
