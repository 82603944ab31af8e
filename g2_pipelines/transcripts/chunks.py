"""Turns into chunks: a question up to the next question.

Here: the three policies. Which turns belong together is decided in ``grouping``; the rows are
made in ``chunk_rows``, cut at the size cap in ``sizes``; what a model is shown stands in
``model_view``. ``defs`` and ``cli`` may import this module.

The rules: a chunk begins at a question after an answer; Q→A, Q→AA and Q→QA stay whole;
another questioner begins a chunk although nothing was answered; the same questioner's next
question is a follow-up with its parent; very short questions and closing words stay with
the chunk before; several questions in one turn stay together with their count. A
moderator's turn stands at the end of the chunk before it: a chunk runs *up to* the next
question. Closing words of the company are a chunk of the presentation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from g2_pipelines.tables.line1 import QaChunk, Transcript, TranscriptSegmentation, Turn
from g2_pipelines.text.tokens import Tokenizer
from g2_pipelines.transcripts.chunk_rows import Group, Rows
from g2_pipelines.transcripts.grouping import grouped

Policy = Literal["paper", "exchange", "turn"]


def chunk(
    transcript: Transcript,
    turns: Sequence[Turn],
    segmentation: TranscriptSegmentation,
    *,
    policy: Policy = "paper",
    max_tokens: int,
    tokenizer: Tokenizer,
) -> list[QaChunk]:
    """Chunks in order; together they hold every turn exactly once.

    A chunk above ``max_tokens`` is cut at turn, then sentence borders; the parts after the
    first have it as ``parent_id`` and are headed with its question where a model sees them. Ids are hashes of transcript and spans, hence stable.

    Args:
        transcript: The transcript that ``turns`` and ``segmentation`` were made of.
        turns: In order, as ``segment`` gives them.
        segmentation: As ``segment`` gives it.
        policy: ``paper`` = question to next question, ``exchange`` = all of one questioner,
            ``turn`` = every turn by itself.
        max_tokens: Cap of a chunk's text in tokens of ``tokenizer``.
        tokenizer: Counts tokens.
    """
    if segmentation.segmentation == "unsegmented":
        groups = _by_section(turns, segmentation)
    else:
        groups = grouped(transcript, turns, segmentation)
        if policy == "exchange":
            groups = _exchanges(groups)
        elif policy == "turn":
            groups = _singles(groups)
    return Rows(transcript, segmentation, max_tokens, tokenizer).rows(groups)


def _by_section(turns: Sequence[Turn], segmentation: TranscriptSegmentation) -> list[Group]:
    heads = [d.start for d in segmentation.dropped if d.reason == "qa_heading"]
    begin = heads[-1] if heads else None
    return [
        Group("qa" if begin is not None and turn.start > begin else "presentation", [turn])
        for turn in turns
    ]


def _exchanges(groups: Sequence[Group]) -> list[Group]:
    merged: list[Group] = []
    for group in groups:
        last = merged[-1] if merged else None
        if last is not None and group.part == "qa" == last.part and group.exchange == last.exchange:
            last.turns += group.turns
            last.no_question |= group.no_question
            last.answered = last.answered or group.answered
        else:
            group.parent, group.followup = None, False
            merged.append(group)
    return merged


def _singles(groups: Sequence[Group]) -> list[Group]:
    return [
        Group(
            group.part,
            [turn],
            group.questioner,
            exchange=group.exchange,
            answered=True,
            no_question=group.no_question,
        )
        for group in groups
        for turn in group.turns
    ]
