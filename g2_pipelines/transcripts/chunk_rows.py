"""Groups of turns into rows of ``qa_chunks``.

Here: ids, patterns, counts, the question that is repeated before later parts, warnings.
Which turns belong together is decided in ``chunks``, which alone imports this module; how a
group is cut at the cap in ``sizes``.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import dropwhile
from typing import Literal

from g2_pipelines.tables.line1 import QaChunk, Transcript, TranscriptSegmentation, Turn
from g2_pipelines.tables.rows import Span
from g2_pipelines.text.tokens import Tokenizer
from g2_pipelines.transcripts.cues import count_questions, is_question
from g2_pipelines.transcripts.sizes import Piece, cut

Part = Literal["presentation", "qa"]
#: Share of the cap that a repeated question may take.
HEADER_SHARE = 4
#: Longer words that ask nothing are somebody's opinion: they count as one question.
CLOSING_WORDS = 30
_SENTENCE = re.compile(r"[^。？?\n]{1,600}[。？?]?")


@dataclass
class Group:
    """Turns that will be one chunk (or its parts)."""

    part: Part
    turns: list[Turn] = field(default_factory=list)
    questioner: str | None = None
    key: str | None = None  # identifies the questioner; None if nobody knows
    exchange: int = -1
    parent: int | None = None  # position of the parent group
    followup: bool = False
    answered: bool = False
    no_question: set[int] = field(default_factory=set)  # orders of turns that only close


class Rows:
    """Makes the rows of one transcript."""

    def __init__(
        self,
        transcript: Transcript,
        segmentation: TranscriptSegmentation,
        max_tokens: int,
        tokenizer: Tokenizer,
    ) -> None:
        self.transcript = transcript
        self.segmentation = segmentation
        self.max_tokens = max_tokens
        self.tokenizer = tokenizer
        self.timeline = segmentation.style == "timeline"

    def rows(self, groups: Sequence[Group]) -> list[QaChunk]:
        """A row a group, more where one is above the cap."""
        rows: list[QaChunk] = []
        heads: list[str] = []
        exchanges: dict[int, str] = {}
        for group in groups:
            question = self._question(group)
            pieces = cut(
                self.transcript.text,
                [(turn.start, turn.end) for turn in group.turns],
                self.max_tokens,
                self.tokenizer,
                header=self._joined(question),
            )
            head = self._id(pieces[0])
            heads.append(head)
            if group.part == "qa" and group.exchange >= 0:
                exchanges.setdefault(group.exchange, f"x{head[1:]}")
            whole = self._whole(group, exchanges.get(group.exchange), question)
            parent = heads[group.parent] if group.parent is not None else None
            for number, piece in enumerate(pieces):
                update: dict[str, object] = {"order": len(rows), **self._own(group, piece)}
                update["parent_id"] = parent if number == 0 else head
                update["is_followup"] = group.followup and number == 0
                if len(pieces) > 1:
                    note = f"part {number + 1} of {len(pieces)} at the size cap"
                    update["warnings"] = [*whole.warnings, note]
                rows.append(whole.model_copy(update=update))
        return rows

    def _joined(self, spans: Sequence[tuple[int, int]]) -> str:
        return "\n".join(self.transcript.text[start:end] for start, end in spans)

    def _question(self, group: Group) -> list[tuple[int, int]]:
        """The ranges that ask, at most a quarter of the cap; what a later part is headed with."""
        if group.part != "qa":
            return []
        asking: list[Turn] = []
        for turn in group.turns:
            if turn.role == "answer":
                break
            if turn.role == "question" and turn.order not in group.no_question:
                asking.append(turn)
        budget = self.max_tokens // HEADER_SHARE
        whole = [(turn.start, turn.end) for turn in asking]
        if self._fits(whole, budget):
            return whole
        found: list[tuple[int, int]] = []
        for turn in asking:
            for match in _SENTENCE.finditer(turn.text):
                sentence = match[0].strip()
                begin = turn.start + match.start() + len(match[0]) - len(match[0].lstrip())
                more = [*found, (begin, begin + len(sentence))]
                if sentence and is_question(sentence) and self._fits(more, budget):
                    found = more
        return found

    def _fits(self, spans: Sequence[tuple[int, int]], budget: int) -> bool:
        size = sum(end - start for start, end in spans)
        # No tokenizer here makes more than three tokens of a character.
        return 3 * size <= budget or self.tokenizer.count(self._joined(spans)) <= budget

    def _id(self, piece: Piece) -> str:
        ranges = ",".join(f"{start}-{end}" for start, end in piece.spans)
        name = f"{self.transcript.transcript_id}:{ranges}"
        return "c" + sha256(name.encode()).hexdigest()[:16]

    def _own(self, group: Group, piece: Piece) -> dict[str, object]:
        """The fields of one part: its ranges, text, times and size."""
        transcript = self.transcript
        first = bisect_right(group.turns, piece.spans[0][0], key=lambda turn: turn.start) - 1
        last = bisect_left(group.turns, piece.spans[-1][1], key=lambda turn: turn.start)
        inside = group.turns[max(0, first) : last]
        t0 = [t.t0 for t in inside if t.t0 is not None]
        t1 = [t.t1 for t in inside if t.t1 is not None]
        return {
            "chunk_id": self._id(piece),
            "spans": [
                Span(source_id=transcript.source_id, start=start, end=end)
                for start, end in piece.spans
            ],
            "text": self._joined(piece.spans),
            "t0": min(t0) if t0 else None,
            "t1": max(t1) if t1 else None,
            "tokens": piece.tokens,
        }

    def _whole(
        self, group: Group, exchange: str | None, question: Sequence[tuple[int, int]]
    ) -> QaChunk:
        """The fields that all parts of a group share."""
        parties = [t for t in group.turns if t.role in ("question", "answer")]
        qa = group.part == "qa"
        pattern, questions, answers = self._pattern(group) if qa else ("", 0, 0)
        return QaChunk(
            edinet_code=self.transcript.edinet_code,
            fiscal_year=self.transcript.fiscal_year,
            transcript_id=self.transcript.transcript_id,
            chunk_id="",
            order=0,
            part=group.part,
            pattern=pattern,
            n_questions=questions,
            n_answers=answers,
            questioner=group.questioner if qa else None,
            answerers=answerers_of(group) if qa else [],
            exchange_id=exchange,
            confidence=min(turn.confidence for turn in parties or group.turns),
            question=[
                Span(source_id=self.transcript.source_id, start=start, end=end)
                for start, end in question
            ],
            spans=[],
            text="",
            tokens=0,
            warnings=self._warnings(group, answers),
        )

    def _pattern(self, group: Group) -> tuple[str, int, int]:
        parties = [turn for turn in group.turns if turn.role in ("question", "answer")]
        if any(turn.role == "question" for turn in parties):
            # What the company said before anybody asked.
            parties = list(dropwhile(lambda turn: turn.role == "answer", parties))
        said = any(t.role == "question" and len(t.text) > CLOSING_WORDS for t in parties)
        asking = [
            turn.text
            for turn in parties
            if turn.role == "question" and turn.order not in group.no_question
        ]
        # What is asked again, or by an interpreter, is no second question; 「2点目は」 is.
        counts = [count_questions(text) for text in asking]
        if self.timeline:  # its entries are topics, each one asked for
            counts = [sum(counts)]
        elif len(asking) > 1:
            counts.append(count_questions("\n".join(asking)))
        letters = ["Q" if turn.role == "question" else "A" for turn in parties]
        return "".join(letters), max([*counts, int(said)]), letters.count("A")

    def _warnings(self, group: Group, answers: int) -> list[str]:
        if self.segmentation.segmentation == "unsegmented":
            return ["unsegmented: cut by tokens only"]
        if group.part == "qa" and not answers and any(t.role == "question" for t in group.turns):
            return ["unanswered"] if len(group.turns) > 1 or not group.answered else []
        return []


def answerers_of(group: Group) -> list[str]:
    """Who answers, by name, else title or house, each once."""
    names = [t.speaker or t.title or t.organisation for t in group.turns if t.role == "answer"]
    return list(dict.fromkeys(name for name in names if name))
