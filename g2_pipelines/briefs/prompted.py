"""Pre-summaries written by a language model, on the completion port.

Here: the paper's queries ② and ②' (§5) as prompts in our words (``prompts/``): document
first, instruction last, so that the aspects of one source share their prefix. Not here: ③
(``prompted_final``), all aspects in one call (``joint``), how a prompt is asked
(``asking``). Importable by ``build``, ``joint`` and tests.

A source in several parts is summarized part by part and the parts' summaries again, level
by level, until one text is left. An answer cut at its token limit is a typed failure.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.briefs.asking import Answer, Asked, Asking, Language
from g2_pipelines.briefs.attribution import Candidate, attribute
from g2_pipelines.briefs.config import AspectSpec, hard_tokens
from g2_pipelines.briefs.grounded import select_grounds
from g2_pipelines.briefs.passages import read_passages
from g2_pipelines.briefs.ports import Draft, PreSummaryTask, nothing_found_draft
from g2_pipelines.briefs.reduce import groups
from g2_pipelines.models.control_tokens import neutral
from g2_pipelines.tables.line1 import Strategy
from g2_pipelines.text.language import language
from g2_pipelines.text.tokens import Tokenizer

#: The prompt files of a pre-summary, by what is asked for.
ASPECT_PROMPTS = ("system", "pre_summary", "shorten")
SIMPLE_PROMPTS = ("system", "simple_pre_summary", "shorten")
JOINT_PROMPTS = (*ASPECT_PROMPTS, "joint_pre_summary", "shorten_fields")
GROUNDED_PROMPTS = ("system", "select_grounds")


def pre_prompts(aspect: AspectSpec | None, strategy: Strategy) -> tuple[str, ...]:
    """The prompt files that such a pre-summary depends on."""
    if aspect is None or strategy == "simple":
        return SIMPLE_PROMPTS
    if aspect.form == "grounded":
        return GROUNDED_PROMPTS
    return JOINT_PROMPTS if strategy == "joint" else ASPECT_PROMPTS


class PromptedPreSummarizer(Asking):
    """Pre-summaries by query ② (②' without an aspect)."""

    #: A source under L is taken as it stands: no call, no paraphrase.
    passes_through = True

    @property
    def prompt_version(self) -> str:
        """Hash of all prompt files of pre-summaries."""
        return self.prompts.version(*JOINT_PROMPTS, *SIMPLE_PROMPTS, *GROUNDED_PROMPTS)

    def version_of(self, aspect: AspectSpec | None, strategy: Strategy, /) -> str:
        """Hash of the prompt files that such a pre-summary depends on."""
        return self.prompts.version(*pre_prompts(aspect, strategy))

    async def pre_summarize(
        self, tasks: Sequence[PreSummaryTask], *, tokenizer: Tokenizer
    ) -> list[Draft]:
        """One draft a task, in order.

        Raises:
            PromptTooLongError: the instruction takes more than its share of the limit.
            ReduceStalledError: parts' summaries cannot be brought together.
            ModelError, LimitError: of the model, e.g. an answer that was cut.
        """
        if any(task.aspect and task.aspect.form == "grounded" for task in tasks):
            return [await select_grounds(self, task, tokenizer) for task in tasks]
        spoken = [spoken_in(task) for task in tasks]
        asked = [
            self.asked(task, spoken[n], split.model_text, split.k, split.n)
            for n, task in enumerate(tasks)
            for split in task.splits
        ]
        answers = iter(await self.ask(asked, tokenizer))
        parts = [[next(answers) for _ in task.splits] for task in tasks]
        return await self.brought_together(tasks, parts, tokenizer)

    async def brought_together(
        self,
        tasks: Sequence[PreSummaryTask],
        parts: list[list[Answer]],
        tokenizer: Tokenizer,
    ) -> list[Draft]:
        """One draft a task out of the summaries of its parts, by as many levels as it takes.

        A level puts the task's own query to the texts of the one before (§5), two or more a
        call, and leaves fewer than it got: n parts take fewer than n calls more. What says
        nothing takes no part.
        """
        spoken = [spoken_in(task) for task in tasks]
        keys = [[key for one in found for key in one.call_keys] for found in parts]
        warnings = [[note for one in found for note in one.warnings] for found in parts]
        while True:
            found = [[one for one in texts if not one.nothing] for texts in parts]
            open_ = [n for n, texts in enumerate(found) if len(texts) > 1]
            if not open_:
                break
            plans = {n: self._plan(tasks[n], spoken[n], found[n], tokenizer) for n in open_}
            asked = [
                self.asked(tasks[n], spoken[n], "\n\n".join(found[n][i].text for i in group))
                for n in open_
                for group in plans[n]
                if len(group) > 1
            ]
            answers = iter(await self.ask(asked, tokenizer))
            for n in open_:
                parts[n] = []
                for group in plans[n]:
                    if len(group) == 1:  # it waits for the next level as it is
                        parts[n].append(found[n][group[0]])
                        continue
                    made = next(answers)
                    keys[n] += made.call_keys
                    warnings[n] += made.warnings
                    parts[n].append(made)
        return [
            pre_draft(task, texts, call_keys=keys[n], warnings=warnings[n])
            for n, (task, texts) in enumerate(zip(tasks, found, strict=True))
        ]

    def asked(
        self, task: PreSummaryTask, spoken: Language, document: str, part: int = 1, parts: int = 1
    ) -> Asked:
        """Query ② (②' without an aspect) for one text of a task."""
        text = self.pre_prompt(
            document,
            company=task.company,
            aspect=task.aspect,
            source=task.source,
            spoken=spoken,
            budget=task.budget,
            part=part,
            parts=parts,
        )
        return Asked(
            task="pre_summary",
            subject=subject_of(task),
            text=text,
            language=spoken,
            budget=task.budget,
            input_limit=task.input_limit,
            document=document,
        )

    def _plan(
        self,
        task: PreSummaryTask,
        spoken: Language,
        texts: Sequence[Answer],
        tokenizer: Tokenizer,
    ) -> list[list[int]]:
        system = self.prompts.render("system", spoken)
        instruction = self.asked(task, spoken, "").text
        fixed = tokenizer.count(system) + tokenizer.count(instruction)
        room = task.input_limit - fixed - hard_tokens(task.budget)
        return groups([tokenizer.count(neutral(one.text)) + 2 for one in texts], room)


def spoken_in(task: PreSummaryTask) -> Language:
    """The language of a task's source."""
    return language("".join(split.text for split in task.splits))


def subject_of(task: PreSummaryTask) -> str:
    """Whom a call is about, for the ledger."""
    first = task.splits[0]
    return f"{first.edinet_code}/{first.fiscal_year}/{task.source.key}"


def pre_draft(
    task: PreSummaryTask,
    texts: Sequence[Answer],
    *,
    call_keys: list[str],
    warnings: list[str],
) -> Draft:
    """The draft of one text, its sentences attributed to the source's; of none, nothing found."""
    if not texts:
        return nothing_found_draft(call_keys=call_keys, warnings=warnings)
    (answer,) = texts
    candidates = [Candidate(one.text, one.spans) for one in read_passages(task.splits)]
    return Draft(
        text=answer.text,
        sentences=attribute(answer.text, candidates),
        finish_reason=answer.finish_reason,
        call_keys=call_keys,
        warnings=list(dict.fromkeys(warnings)),
    )
