"""Final summaries written by a language model, on the completion port.

Here: the paper's query ③, of which ① is a part (§5), in our words. Not here: ② (``prompted``),
items with their grounds (``grounded``). Importable by ``build`` and tests.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2_pipelines.briefs.asking import Answer, Asked, Asking, Language, names
from g2_pipelines.briefs.attribution import Candidate, attribute
from g2_pipelines.briefs.config import AspectSpec, hard_tokens
from g2_pipelines.briefs.grounded import finalize_grounded
from g2_pipelines.briefs.ports import NOTHING_FOUND, Draft, FinalTask, nothing_found_draft
from g2_pipelines.briefs.reduce import groups
from g2_pipelines.models.control_tokens import neutral
from g2_pipelines.tables.line1 import Strategy
from g2_pipelines.text.language import language
from g2_pipelines.text.tokens import Tokenizer


def final_prompts(aspect: AspectSpec, strategy: Strategy) -> tuple[str, ...]:
    """The prompt files that such a final summary depends on."""
    if aspect.form == "grounded":
        return ("system", "query", "grounded_summary")
    fewer = "simple_pre_summary" if strategy == "simple" else "pre_summary"
    return ("system", aspect.system, "query", aspect.prompt, fewer, "shorten")


class PromptedFinalSummarizer(Asking):
    """Final summaries by query ③."""

    @property
    def prompt_version(self) -> str:
        """Hash of the prompt files of the paper's final summaries."""
        return self.prompts.version("system", "query", "final_summary", "pre_summary", "shorten")

    def version_of(self, aspect: AspectSpec, strategy: Strategy, /) -> str:
        """Hash of the prompt files that such a final summary depends on."""
        return self.prompts.version(*final_prompts(aspect, strategy))

    async def finalize(self, task: FinalTask, *, tokenizer: Tokenizer) -> Draft:
        """The final text of one aspect.

        Pre-summaries that do not fit one prompt are first brought to fewer by ②, or ②' where
        they were made by that (§5).

        Raises:
            PromptTooLongError, ReduceStalledError, ModelError, LimitError: as above.
        """
        if task.aspect.form == "grounded":
            return await finalize_grounded(self, task, tokenizer)
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
        text = self._prompt(task, spoken, documents)
        asked = [
            Asked(
                task="final_summary",
                subject=subject_of(task),
                text=text,
                language=spoken,
                budget=task.budget,
                input_limit=task.input_limit,
                # Not the last one's words: another document may have the same.
                document=text.removesuffix(self._prompt(task, spoken, [])),
                system=task.aspect.system,
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
            shown = [neutral(f"{one['source']}{one['text']}") for one in documents]
            sizes = [tokenizer.count(one) + 16 for one in shown]
            plan = groups(sizes, room)
            if len(plan) == 1:
                break
            several = [group for group in plan if len(group) > 1]
            answers = await self.ask(
                [self._fewer(task, spoken, [documents[i] for i in group]) for group in several],
                tokenizer,
            )
            spent.call_keys += [key for one in answers for key in one.call_keys]
            spent.warnings += [note for one in answers for note in one.warnings]
            made = iter(answers)
            fewer: list[dict[str, str]] = []
            for group in plan:
                if len(group) == 1:
                    fewer.append(documents[group[0]])
                    continue
                answer = next(made)
                if not answer.nothing:
                    sources = dict.fromkeys(documents[i]["source"] for i in group)
                    fewer.append({"source": "・".join(sources), "text": answer.text})
            documents = fewer
        return documents

    def _fewer(
        self, task: FinalTask, spoken: Language, documents: Sequence[dict[str, str]]
    ) -> Asked:
        document = "\n\n".join(one["text"] for one in documents)
        text = self.pre_prompt(
            document,
            company=task.company,
            aspect=None if task.strategy == "simple" else task.aspect,
            source=task.sources[0],
            spoken=spoken,
            budget=task.budget,
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

    def _prompt(self, task: FinalTask, spoken: Language, documents: Sequence[object]) -> str:
        known = names(task.company, task.aspect, spoken)
        query = self.prompts.render(
            "query", spoken, company=known["company"], aspect=known["aspect"]
        )
        return self.prompts.render(
            task.aspect.prompt,
            spoken,
            documents=documents,
            query=query,
            budget=task.budget,
            nothing_found=NOTHING_FOUND,
            **known,
        )

    def _room(self, task: FinalTask, spoken: Language, tokenizer: Tokenizer) -> int:
        fixed = tokenizer.count(self.prompts.render(task.aspect.system, spoken))
        fixed += tokenizer.count(self._prompt(task, spoken, []))
        return task.input_limit - fixed - hard_tokens(task.budget)


def subject_of(task: FinalTask) -> str:
    """Whom a call is about, for the ledger."""
    return f"{task.company.edinet_code}/{task.fiscal_year}"
