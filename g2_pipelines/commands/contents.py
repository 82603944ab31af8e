"""The first page of the pages server: what there is to read, by kind.

Here: one list made from the files below G2_HOME/pages each time it is asked for. Not here: the
server (``serve``), and what a page holds (``briefs``, ``qa``, ``evaluation``, ``graph``, ``pdf``).
"""

from __future__ import annotations

import html
import re
from pathlib import Path
from urllib.parse import quote

from markupsafe import Markup

#: Heading and pattern of each kind of page, in the order in which they are listed.
_KINDS = (
    ("Company briefs", "briefs/*/*.html"),
    ("Answers", "answers/*.html"),
    ("Evaluation reports", "reports/*/index.html"),
    ("Benchmarks", "benchmarks/index.html"),
    ("Documents", "documents/*/*.html"),
    ("Content graphs", "graphs/*.html"),
)
_HEAD = 4096  # bytes of a page that hold its title
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_PAGE = Markup("""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>g2_pipelines: pages</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body {{ font:1rem/1.7 system-ui, sans-serif; max-width:52rem; margin:2rem auto; padding:0 1rem; color:#222; }}
h1 {{ font-size:1.4rem; }} h2 {{ font-size:1.05rem; margin:1.6rem 0 .3rem; }} small {{ color:#666; font-weight:normal; }}
ul {{ margin:0; padding-left:1.2rem; }} a {{ color:#1c5d8a; }} li small {{ margin-left:.6em; }}</style></head>
<body><h1>Pages</h1>
{}
</body></html>
""")
_NOTHING = Markup(
    "<p>There is no page yet. <code>g2 demo</code> or <code>g2 add</code> makes some.</p>"
)


def contents_page(folder: Path) -> bytes:
    """An HTML page with a link to every page below ``folder``, by kind, in the order of paths."""
    parts = [
        part
        for heading, pattern in _KINDS
        if (part := _part(folder, heading, sorted(folder.glob(pattern))))
    ]
    return _PAGE.format(Markup("\n").join(parts) if parts else _NOTHING).encode()


def _part(folder: Path, heading: str, files: list[Path]) -> Markup:
    items = [
        Markup('<li><a href="/{}">{}</a><small>{}</small></li>').format(
            quote(name), _title(file) or name, name
        )
        for file in files
        for name in [file.relative_to(folder).as_posix()]
    ]
    if not items:
        return Markup("")
    return Markup("<h2>{} <small>{}</small></h2>\n<ul>\n{}\n</ul>").format(
        heading, len(items), Markup("\n").join(items)
    )


def _title(file: Path) -> str:
    """A page's title; "" where its head has none."""
    try:
        with file.open("rb") as opened:
            head = opened.read(_HEAD).decode("utf-8", "replace")
    except FileNotFoundError:  # made anew or deleted just now
        return ""
    found = _TITLE.search(head)
    return html.unescape(found[1]).strip() if found else ""
