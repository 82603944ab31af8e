"""Aspects whose text is a list of items, each with the source sentences that it rests on.

Here: the two queries of ``form: grounded``. The first shows a source's sentences with
numbers and asks which are grounds: what is chosen is the pre-summary, word for word, with
exact spans. The second shows those and asks for items whose grounds are numbers among
them. Both answers are closed: a number that was not shown cannot be given. Importable by
``prompted`` and ``prompted_final``.

Table rows and headings are no sentences and so no grounds; a questioner's words are shown
for their answer's sake, without a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Annotated, NamedTuple

from pydantic import BaseModel, Field, create_model

from g2_pipelines.briefs.asking import Asked, Asking, Language, names
from g2_pipelines.briefs.config import SourceTypeSpec, hard_tokens
from g2_pipelines.briefs.passages import read_passages
from g2_pipelines.briefs.ports import Draft, FinalTask, PreSummaryTask, nothing_found_draft
from g2_pipelines.briefs.reduce import ReduceStalledError, groups
from g2_pipelines.briefs.sources import ROLE_MARKS
from g2_pipelines.models.control_tokens import neutral
from g2_pipelines.models.structured import Structured
from g2_pipelines.models.textfaults import text_fault
from g2_pipelines.tables.line1 import SummarySentence
from g2_pipelines.tables.rows import Span
from g2_pipelines.text.language import language
from g2_pipelines.text.spans import merge_spans
from g2_pipelines.text.tokens import Tokenizer

#: Most items of a text, and most grounds of an item.
MOST_ITEMS = 8
MOST_GROUNDS = 5
#: Most sentences that one answer can choose, and what such a list takes in tokens.
_MOST_CHOSEN = 150
_CHOICE_TOKENS = 1_200
_ENDS = re.compile(r"[。｡！？!?．.][）)」』】”\"']*$")


class Selection(BaseModel):
    """An answer that chooses sentences; ``selection_of`` closes it over the numbers shown."""

    sentences: list[int] = Field(max_length=_MOST_CHOSEN)


class Item(BaseModel):
    """One item; ``items_of`` closes its grounds over the numbers shown."""

    title: str = Field(min_length=1, max_length=80)
    explanation: str = Field(min_length=1, max_length=600)
    grounds: list[int] = Field(min_length=1, max_length=MOST_GROUNDS)


class Items(BaseModel):
    """An answer that lists items."""

    items: Sequence[Item]


@lru_cache(maxsize=2048)
def selection_of(count: int) -> type[Selection]:
    """``Selection`` among sentences 1…count."""
    number = Annotated[int, Field(ge=1, le=count)]
    field = (list[number], Field(max_length=min(count, _MOST_CHOSEN)))
    return create_model("Selection", __base__=Selection, sentences=field)


@lru_cache(maxsize=2048)
def items_of(count: int) -> type[Items]:
    """``Items`` with grounds among sentences 1…count."""
    number = Annotated[int, Field(ge=1, le=count)]
    grounds = (list[number], Field(min_length=1, max_length=min(count, MOST_GROUNDS)))
    item = create_model("Item", __base__=Item, grounds=grounds)
    return create_model("Items", __base__=Items, items=(list[item], Field(max_length=MOST_ITEMS)))


class _Line(NamedTuple):
    """A sentence that is shown: its words, where they stand, and who says them."""

    text: str
    spans: tuple[Span, ...]
    role: str

    @property
    def usable(self) -> bool:
        """Whether it may be a ground: no questioner's words."""
        return self.role not in ("question", "moderator")

    def shown(self, spoken: Language) -> str:
        """As it stands in the prompt, but for its number."""
        mark = ROLE_MARKS[self.role][0 if spoken == "ja" else 1] if self.role else ""
        return mark + " ".join(self.text.split())


async def select_grounds(asking: Asking, task: PreSummaryTask, tokenizer: Tokenizer) -> Draft:
    """The source's own sentences that are grounds for the aspect, within the budget.

    A source of more sentences than one prompt holds is shown in parts, and what was chosen
    is shown again until one prompt holds it.

    Raises:
        PromptTooLongError, ReduceStalledError, BadStructureError and others of the model.
    """
    lines = [_Line(one.text, one.spans, one.role) for one in read_passages(task.splits) if one.text]
    keys: list[str] = []
    before = 0
    while lines:
        spoken = language("".join(line.text for line in lines))
        plan = _prompts(asking, task, lines, spoken, tokenizer)
        if before and len(plan) >= before:
            raise ReduceStalledError(
                f"the sentences chosen in {before} parts fill {len(plan)} parts again",
                file=task.company.edinet_code,
                place=task.source.key,
                remedy="Raise input_limit or lower pre_summary_tokens",
            )
        before = len(plan)
        shown = [[lines[i] for i in group] for group in plan]
        asked = [
            _select_asked(asking, task, group, spoken, (k, len(plan)))
            for k, group in enumerate(shown, 1)
        ]
        chosen: list[_Line] = []
        for one, group in zip(asked, shown, strict=True):
            numbered = [line for line in group if line.usable]
            if not numbered:
                continue
            (answer,) = await asking.ask_as(
                [one],
                selection_of(len(numbered)),
                tokenizer,
                check=lambda _, found, numbered=numbered: _selection_fault(  # type: ignore[misc]
                    found, numbered, task.budget, tokenizer
                ),
            )
            keys += answer.call_keys
            chosen += [numbered[i - 1] for i in sorted(set(answer.value.sentences))]
        lines = chosen
        if len(plan) == 1:
            break
    return _selected_draft(task, lines, keys, tokenizer)


def _prompts(
    asking: Asking,
    task: PreSummaryTask,
    lines: Sequence[_Line],
    spoken: Language,
    tokenizer: Tokenizer,
) -> list[list[int]]:
    """Which lines go into which prompt."""
    empty = _select_asked(asking, task, [], spoken, (1, 1))
    fixed = tokenizer.count(asking.prompts.render("system", spoken))
    fixed += tokenizer.count(empty.text) + 16
    room = task.input_limit - fixed - _CHOICE_TOKENS
    shown = [neutral(f"[999] {line.shown(spoken)}\n") for line in lines]
    return groups([tokenizer.count(one) + 1 for one in shown], room)


def _select_asked(
    asking: Asking,
    task: PreSummaryTask,
    lines: Sequence[_Line],
    spoken: Language,
    part: tuple[int, int],
) -> Asked:
    assert task.aspect is not None  # noqa: S101  a grounded task has one
    text = asking.prompts.render(
        "select_grounds",
        spoken,
        source=_label(task.source, spoken),
        part=part[0],
        parts=part[1],
        sentences=list(_numbered(lines, spoken)),
        budget=task.budget,
        **names(task.company, task.aspect, spoken),
    )
    first = task.splits[0]
    return Asked(
        task="pre_summary",
        subject=f"{first.edinet_code}/{first.fiscal_year}/{task.source.key}",
        text=text,
        language=spoken,
        budget=task.budget,
        input_limit=task.input_limit,
        most=_CHOICE_TOKENS,
    )


def _numbered(lines: Sequence[_Line], spoken: Language) -> Iterator[str]:
    number = 0
    for line in lines:
        number += line.usable
        yield f"[{number}] {line.shown(spoken)}" if line.usable else line.shown(spoken)


def _selection_fault(
    found: Selection, lines: Sequence[_Line], budget: int, tokenizer: Tokenizer
) -> str | None:
    tokens = sum(tokenizer.count(lines[i - 1].text) for i in set(found.sentences))
    if tokens > hard_tokens(budget):
        return f"the sentences chosen have {tokens} tokens; choose fewer, {budget} at most"
    return None


def _selected_draft(
    task: PreSummaryTask, lines: Sequence[_Line], keys: list[str], tokenizer: Tokenizer
) -> Draft:
    if not lines:
        return nothing_found_draft(call_keys=keys)
    text = ""
    pieces: list[SummarySentence] = []
    for line in lines:
        text += "\n" if text else ""
        pieces.append(
            SummarySentence(start=len(text), end=len(text) + len(line.text), spans=[*line.spans])
        )
        text += line.text
    excess = tokenizer.count(text) - task.budget
    warnings = [f"{excess} tokens over the budget of {task.budget}"] if excess > 0 else []
    return Draft(
        text=text, sentences=pieces, finish_reason="stop", call_keys=keys, warnings=warnings
    )


async def finalize_grounded(asking: Asking, task: FinalTask, tokenizer: Tokenizer) -> Draft:
    """Items out of the chosen sentences: a line each, whose spans are those of its grounds.

    Raises:
        PromptTooLongError, BadStructureError and others of the model.
    """
    spoken = language("".join(one.text for one in task.pre))
    labels = {source.key: _label(source, spoken) for source in task.sources}
    given = [
        (one.source_type, one.text[piece.start : piece.end], piece.spans)
        for one in task.pre
        for piece in one.sentences
    ]
    documents = [
        {
            "source": labels.get(key, key),
            "sentences": [
                {"id": number, "text": " ".join(said.split())}
                for number, (of, said, _) in enumerate(given, 1)
                if of == key
            ],
        }
        for key in dict.fromkeys(of for of, _, _ in given)
    ]
    known = names(task.company, task.aspect, spoken)
    query = asking.prompts.render("query", spoken, company=known["company"], aspect=known["aspect"])
    text = asking.prompts.render(
        "grounded_summary",
        spoken,
        documents=documents,
        query=query,
        budget=task.budget,
        most=MOST_ITEMS,
        **known,
    )
    asked = Asked(
        task="final_summary",
        subject=f"{task.company.edinet_code}/{task.fiscal_year}",
        text=text,
        language=spoken,
        budget=task.budget,
        input_limit=task.input_limit,
        # Names and brackets of the JSON besides the words.
        most=hard_tokens(task.budget) + 32 * MOST_ITEMS,
    )
    (answer,) = await asking.ask_as(
        [asked],
        items_of(len(given)),
        tokenizer,
        check=lambda _, found: _items_fault(found, spoken, task.budget, tokenizer),
    )
    return _items_draft(answer, [spans for _, _, spans in given], spoken, task.budget, tokenizer)


def _items_fault(found: Items, spoken: Language, budget: int, tokenizer: Tokenizer) -> str | None:
    text = "\n".join(_line_of(item, spoken) for item in found.items)
    if not text:
        return None
    tokens = tokenizer.count(text)
    if tokens > hard_tokens(budget):
        return f"the items have {tokens} tokens; write fewer or shorter ones, {budget} at most"
    broken = [item.title for item in found.items if not _ENDS.search(item.explanation.strip())]
    if broken:
        return f"the explanation of {broken[0]!r} does not end as a sentence"
    return text_fault(text, spoken)


def _line_of(item: Item, spoken: Language) -> str:
    title, words = (" ".join(part.split()) for part in (item.title, item.explanation))
    return f"{title}：{words}" if spoken == "ja" else f"{title}: {words}"


def _items_draft(
    answer: Structured[Items],
    grounds: Sequence[Sequence[Span]],
    spoken: Language,
    budget: int,
    tokenizer: Tokenizer,
) -> Draft:
    keys = list(answer.call_keys)
    if not answer.value.items:
        return nothing_found_draft(call_keys=keys)
    text = ""
    pieces: list[SummarySentence] = []
    for item in answer.value.items:
        text += "\n" if text else ""
        line = _line_of(item, spoken)
        spans = merge_spans(span for i in item.grounds for span in grounds[i - 1])
        pieces.append(SummarySentence(start=len(text), end=len(text) + len(line), spans=spans))
        text += line
    excess = tokenizer.count(text) - budget
    warnings = [f"{excess} tokens over the budget of {budget}"] if excess > 0 else []
    return Draft(
        text=text, sentences=pieces, finish_reason="stop", call_keys=keys, warnings=warnings
    )


def _label(source: SourceTypeSpec, spoken: Language) -> str:
    return source.label if spoken == "ja" else source.label_english
