"""HTML pages of the product: one way to make them, in which no text of a document can act.

Here: ``page_templates``, the environment that all pages are made with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2_pipelines.text.shown import neutral

if TYPE_CHECKING:
    import jinja2


def page_templates(loader: jinja2.BaseLoader) -> jinja2.Environment:
    """Templates whose values are escaped, defined, and free of controls that turn text."""
    import jinja2

    return jinja2.Environment(
        loader=loader,
        autoescape=True,
        finalize=_neutral,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _neutral(value: object) -> object:
    """Texts without control characters; markup of ours stays markup."""
    if not isinstance(value, str):
        return value
    return type(value)(neutral(value))
