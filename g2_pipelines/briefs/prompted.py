"""Summaries written by a language model, on the completion port.

Here: the paper's queries ①, ②, ②' and ③ (§5) as prompts in our words (``prompts/``):
document first, instruction last, so that the aspects of one source share their prefix.
Not here: how a prompt is asked (``asking``). Importable by ``build`` and tests.

A source in several parts is summarized part by part and the parts' summaries again, level
by level, until one text is left. An answer cut at its token limit is a typed failure.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.briefs.asking import Answer, Asked, Asking, Language, names
from g2_pipelines.briefs.attribution import Candidate, attribute
from g2_pipelines.briefs.config import hard_tokens
from g2_pipelines.briefs.passages import read_passages
from g2_pipelines.briefs.ports import (
    NOTHING_FOUND,
    Draft,
    FinalTask,
    PreSummaryTask,
    nothing_found_draft,
)
from g2_pipelines.briefs.reduce import groups
from g2_pipelines.text.language import language
from g2_pipelines.text.tokens import Tokenizer

PRE_PROMPTS = ("system", "pre_summary", "simple_pre_summary", "shorten")
FINAL_PROMPTS = (*PRE_PROMPTS, "query", "final_summary")


class PromptedPreSummarizer(Asking):
    """Pre-summaries by query ② (②' without an aspect)."""

    #: A source under L is taken as it stands: no call, no paraphrase.
    passes_through = True

    @property
    def prompt_version(self) -> str:
        """Hash of the prompt files used."""
        return self.prompts.version(*PRE_PROMPTS)

    async def pre_summarize(
        self, tasks: Sequence[PreSummaryTask], *, tokenizer: Tokenizer
    ) -> list[Draft]:
        """One draft a task, in order.

        Raises:
            PromptTooLongError: the instruction takes more than its share of the limit.
            ReduceStalledError: parts' summaries cannot be brought together.
            ModelError, LimitError: of the model, e.g. an answer that was cut.
        """
        spoken = [language("".join(split.text for split in task.splits)) for task in tasks]
        asked = [
            self._asked(task, spoken[n], split.model_text, split.k, split.n)
            for n, task in enumerate(tasks)
            for split in task.splits
        ]
        answers = iter(await self.ask(asked, tokenizer))
        parts = [[next(answers) for _ in task.splits] for task in tasks]
        keys = [[key for one in found for key in one.call_keys] for found in parts]
        warnings = [[note for one in found for note in one.warnings] for found in parts]
        while True:
            found = [[one for one in texts if not one.nothing] for texts in parts]
            open_ = [n for n, texts in enumerate(found) if len(texts) > 1]
            if not open_:
                break
            plans = {n: self._plan(tasks[n], spoken[n], found[n], tokenizer) for n in open_}
            asked = [
                self._asked(tasks[n], spoken[n], _joined([found[n][i].text for i in group]))
                for n in open_
                for group in plans[n]
            ]
            answers = iter(await self.ask(asked, tokenizer))
            for n in open_:
                made = [next(answers) for _ in plans[n]]
                keys[n] += [key for one in made for key in one.call_keys]
                warnings[n] += [note for one in made for note in one.warnings]
                parts[n] = made
        return [
            _pre_draft(task, texts, call_keys=keys[n], warnings=warnings[n])
            for n, (task, texts) in enumerate(zip(tasks, found, strict=True))
        ]

    def _asked(
        self, task: PreSummaryTask, spoken: Language, document: str, part: int = 1, parts: int = 1
    ) -> Asked:
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
        first = task.splits[0]
        subject = f"{first.edinet_code}/{first.fiscal_year}/{task.source.key}"
        return Asked("pre_summary", subject, text, spoken, task.budget, task.input_limit)

    def _plan(
        self,
        task: PreSummaryTask,
        spoken: Language,
        texts: Sequence[Answer],
        tokenizer: Tokenizer,
    ) -> list[list[int]]:
        system = self.prompts.render("system", spoken)
        instruction = self._asked(task, spoken, "").text
        fixed = tokenizer.count(system) + tokenizer.count(instruction)
        room = task.input_limit - fixed - hard_tokens(task.budget)
        return groups([tokenizer.count(one.text) + 2 for one in texts], room)


class PromptedFinalSummarizer(Asking):
    """Final summaries by query ③, of which ① is a part."""

    @property
    def prompt_version(self) -> str:
        """Hash of the prompt files used."""
        return self.prompts.version(*FINAL_PROMPTS)

    async def finalize(self, task: FinalTask, *, tokenizer: Tokenizer) -> Draft:
        """The final text of one aspect.

        Pre-summaries that do not fit one prompt are first brought to fewer by ② (§5).

        Raises:
            PromptTooLongError, ReduceStalledError, ModelError, LimitError: as above.
        """
        spoken = language("".join(one.text for one in task.pre))
        labels = {
            source.key: source.label if spoken == "ja" else source.label_english
            for source in task.sources
        }
        documents = [
            {"source": labels.get(one.source_type, one.source_type), "text": one.text}
            for one in task.pre
        ]
        spent = Answer("", "stop", [])
        documents = await self._brought_to_fit(task, spoken, documents, spent, tokenizer)
        if not documents:
            return nothing_found_draft(call_keys=spent.call_keys, warnings=spent.warnings)
        prompt = self._prompt(task, spoken, documents)
        asked = [
            Asked(
                "final_summary", self._subject(task), prompt, spoken, task.budget, task.input_limit
            )
        ]
        (answer,) = await self.ask(asked, tokenizer)
        keys = [*spent.call_keys, *answer.call_keys]
        warnings = [*spent.warnings, *answer.warnings]
        if answer.nothing:
            return nothing_found_draft(call_keys=keys, warnings=warnings)
        candidates = [
            Candidate(one.text[piece.start : piece.end], tuple(piece.spans))
            for one in task.pre
            for piece in one.sentences
        ]
        return Draft(
            text=answer.text,
            sentences=attribute(answer.text, candidates),
            finish_reason=answer.finish_reason,
            call_keys=keys,
            warnings=warnings,
        )

    async def _brought_to_fit(
        self,
        task: FinalTask,
        spoken: Language,
        documents: list[dict[str, str]],
        spent: Answer,
        tokenizer: Tokenizer,
    ) -> list[dict[str, str]]:
        """Documents that fit one prompt; keys and warnings of the calls are put on ``spent``."""
        room = self._room(task, spoken, tokenizer)
        while documents:
            sizes = [tokenizer.count(f"{one['source']}{one['text']}") + 16 for one in documents]
            plan = groups(sizes, room)
            if len(plan) == 1:
                break
            prompts = [
                self.pre_prompt(
                    _joined([documents[i]["text"] for i in group]),
                    company=task.company,
                    aspect=task.aspect,
                    source=task.sources[0],
                    spoken=spoken,
                    budget=task.budget,
                )
                for group in plan
            ]
            subject = self._subject(task)
            asked = [
                Asked("pre_summary", subject, prompt, spoken, task.budget, task.input_limit)
                for prompt in prompts
            ]
            answers = await self.ask(asked, tokenizer)
            spent.call_keys += [key for one in answers for key in one.call_keys]
            spent.warnings += [note for one in answers for note in one.warnings]
            documents = [
                {
                    "source": "・".join(dict.fromkeys(documents[i]["source"] for i in group)),
                    "text": answer.text,
                }
                for group, answer in zip(plan, answers, strict=True)
                if not answer.nothing
            ]
        return documents

    def _prompt(self, task: FinalTask, spoken: Language, documents: Sequence[object]) -> str:
        known = names(task.company, task.aspect, spoken)
        query = self.prompts.render(
            "query", spoken, company=known["company"], aspect=known["aspect"]
        )
        return self.prompts.render(
            "final_summary",
            spoken,
            documents=documents,
            query=query,
            aspect=known["aspect"],
            meaning=known["meaning"],
            budget=task.budget,
            nothing_found=NOTHING_FOUND,
        )

    def _room(self, task: FinalTask, spoken: Language, tokenizer: Tokenizer) -> int:
        fixed = tokenizer.count(self.prompts.render("system", spoken)) + tokenizer.count(
            self._prompt(task, spoken, [])
        )
        return task.input_limit - fixed - hard_tokens(task.budget)

    @staticmethod
    def _subject(task: FinalTask) -> str:
        return f"{task.company.edinet_code}/{task.fiscal_year}"


def _pre_draft(
    task: PreSummaryTask,
    texts: Sequence[Answer],
    *,
    call_keys: list[str],
    warnings: list[str],
) -> Draft:
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


def _joined(texts: Sequence[str]) -> str:
    return "\n\n".join(texts)
