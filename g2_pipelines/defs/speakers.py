"""What settings say of speakers: roles per company, and whether a model may find turns.

Here: reading the roles file of the settings and building the task port. The steps that use
them stand in ``assets.sources``. Nothing here knows Dagster.
"""

from __future__ import annotations

from upath import UPath

from g2_pipelines.defs.workspace import Workspace
from g2_pipelines.errors import InputError
from g2_pipelines.tables.line1 import Role
from g2_pipelines.transcripts.overrides import BadRolesError, overrides_of, read_overrides
from g2_pipelines.transcripts.ports import TurnFinder


class NoModelError(InputError):
    """The model pass is switched on, but the engine has no model."""

    code = "no_model"


def role_overrides(ws: Workspace, company: str) -> dict[str, Role]:
    """The roles that the settings' file gives ``company``; none without a file.

    Raises:
        BadRolesError: it cannot be read or is not what it should be.
    """
    file = ws.settings.roles_file
    if not file:
        return {}
    try:
        content = bytes(UPath(file).read_bytes())
    except OSError as error:
        raise BadRolesError(
            f"The roles file cannot be read: {error.strerror}",
            file=file,
            place="G2_ROLES_FILE",
            remedy="Correct the setting, or unset it",
        ) from error
    return overrides_of(read_overrides(content, file), company)


def turn_finder(ws: Workspace) -> TurnFinder | None:
    """The model that may choose turns, None unless the settings switch the pass on.

    Raises:
        NoModelError: switched on with the extractive engine.
    """
    if not ws.settings.transcript_model:
        return None
    from g2_pipelines.transcripts.prompted import PromptedTurnFinder

    port = ws.completion()
    if port is None:
        raise NoModelError(
            "Finding turns by a model is switched on, but the engine is extractive",
            place="G2_TRANSCRIPT_MODEL",
            remedy="Choose an engine with a model, or unset it",
        )
    return PromptedTurnFinder(port)
