"""Named failures of questions, grouped by who can act.

Here: every error that `qa` raises on purpose. The kinds and their fields stand in
``g2_pipelines.errors``. Imported inside ``qa`` and by ``defs`` and ``cli``.
"""

from __future__ import annotations

from typing import ClassVar

from g2_pipelines.errors import InputError, ModelError, NotYetError


class PlanError(ModelError):
    """A plan breaks a rule; ``rule`` names which one, for retries and for counting.

    It is a model's fault when a planner made it: the caller repairs it, asks once more
    naming the fault, or falls back to the one-step plan and records that.
    """

    code: ClassVar[str] = "bad_plan"

    def __init__(
        self, message: str, *, file: str = "", place: str = "", remedy: str = "", rule: str = ""
    ) -> None:
        super().__init__(message, file=file, place=place, remedy=remedy)
        self.rule = rule or self.code

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle with the rule's name."""
        fields = (self.message, self.file, self.place, self.remedy, self.rule)
        return (_rebuild_plan_error, fields)


def _rebuild_plan_error(message: str, file: str, place: str, remedy: str, rule: str) -> PlanError:
    return PlanError(message, file=file, place=place, remedy=remedy, rule=rule)


class CalculationError(InputError):
    """Copied values cannot be calculated with (no number, unlike units, division by zero)."""

    code: ClassVar[str] = "bad_calculation"


class QuestionFileError(InputError):
    """A question file breaks its format; ``place`` is the line and field."""

    code: ClassVar[str] = "bad_question"


class QuestionTooLargeError(QuestionFileError):
    """A question is larger than the limit of a question's bytes."""

    code: ClassVar[str] = "question_too_large"


class HalfWrittenQuestionsError(NotYetError):
    """A question file ends in the middle of a value: its writer may not be done yet."""

    code: ClassVar[str] = "question_file_incomplete"
