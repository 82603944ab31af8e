"""The blind sheet as a page that is filled in a browser and saves its own CSV.

Here: ``sheet_page``. One script, a file of this package without any value in it, allowed by its
hash; nothing is sent anywhere. ``defs`` and ``cli`` may import this module.
"""

from __future__ import annotations

import base64
from hashlib import sha256

from markupsafe import Markup

from g2_pipelines.evaluation.page_parts import asset, css, environment
from g2_pipelines.evaluation.sheet import ITEM, NOTE, READER, SHEET, Sheet

_MEANINGS = {
    "忠実性": "数値・期間・名称・増減が資料と合い、資料にないことを述べていない",
    "網羅性": "この観点の重要な事柄を落としていない",
    "観点適合": "この観点について述べ、ほかの話や数値の羅列にそれていない",
    "読みやすさ": "自然で、文体がそろい、重複や断片がない",
}


def sheet_page(sheet: Sheet) -> str:
    """The page of a sheet: HTML that needs nothing else. Equal sheets give equal bytes."""
    script = asset("sheet_script.jinja")
    return (
        environment()
        .get_template("sheet.html.jinja")
        .render(
            sheet=sheet,
            criteria=[(name, _MEANINGS.get(name, "")) for name in sheet.criteria],
            columns=[SHEET, ITEM, *sheet.criteria, READER, NOTE],
            css=css("sheet.css"),
            script=Markup(script),  # noqa: S704 - a file of this package
            script_hash=base64.b64encode(sha256(script.encode()).digest()).decode(),
        )
    )
